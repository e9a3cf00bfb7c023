import JSONText
import Testing

@testable import Widgets

/// Tables, sections and cells.
struct `The tables of screens in Swift` {
    private struct People: WidgetView {
        @State var people = [Person(id: 1, name: "Ann"), Person(id: 2, name: "Bo")]
        @State var log = ""
        @State var isRefreshing = false

        func widget(_ context: WidgetContext) -> any Widget {
            VStackWidget {
                TableWidget {
                    TableSectionWidget {
                        TableCellWidget("Title", subtitle: "Subtitle").accessoryType(.disclosureIndicator)
                            .onSelect { context in
                                context.tableView?.deselectRow(animated: true)
                                log = "cell"
                            }
                        TableCellWidget("Name", value: "Value")
                        LabelWidget("Wrapped")
                    }
                    .title("Fixed").footer("Foot").onSelect { _ in log = "section" }
                    DynamicTableSectionWidget($people, key: \.id) { person in
                        TableCellWidget(person.name).onDelete(.remove(\Person.id, person.id, from: $people))
                    }
                    .title("People").onSelect { _, person in log = "person \(person.name)" }
                    TableSectionWidget { TableCellWidget("Last") }
                }
                .style(.grouped).keepsEnd().onSelect(.set($log, to: "table"))
                .onRefresh(isRefreshing: $isRefreshing, initialRefresh: true) { _ in
                    isRefreshing = true
                    people.append(Person(id: 3 + people.count, name: "New"))
                    isRefreshing = false
                }
                LabelWidget("log \($log).")
            }
        }
    }

    @Test func `D50: A table has sections, and looks that are chosen`() throws {
        var run = try DeclaredRun(People())
        for text in ["Fixed", "Foot", "People", "Last"] { #expect(run.text.contains(text), "\(run.text)") }
        #expect(run.document("People").contains(#""style":"grouped""#))
        #expect(run.document("People").contains(#""keeps":"end""#))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D51: A section has fixed rows`() throws {
        var run = try DeclaredRun(People())
        #expect(run.text.contains("Title") && run.text.contains("Name") && run.text.contains("Value"))
    }

    @Test func `D52: A section has a row for each item, which follow the list`() throws {
        var run = try DeclaredRun(People())
        #expect(run.text.contains("Ann") && run.text.contains("Bo"))
        #expect(run.delete(row: 0, section: 1) == nil)
        #expect(!run.text.contains("Ann") && run.text.contains("Bo"), "\(run.text)")
    }

    @Test func `D53: Fixed sections and those of lists lie in one table, in any order`() throws {
        var run = try DeclaredRun(People())
        let text = run.text
        let places = ["Wrapped", "Bo", "Last"].map { text.firstRange(of: $0)?.lowerBound ?? text.startIndex }
        #expect(places == places.sorted() && !places.contains(text.startIndex))
    }

    @Test func `D54: A cell has a title, a second text, a value and a sign, and other widgets become cells`() throws {
        var run = try DeclaredRun(People())
        for text in ["Subtitle", "Value", "Wrapped"] { #expect(run.text.contains(text), "\(run.text)") }
        #expect(run.document("People").contains(#""accessory":"disclosure""#))
    }

    @Test func `D55: A selection goes to the cell, else to the section, else to the table`() throws {
        var run = try DeclaredRun(People())
        #expect(run.select(row: 0, section: 0) == nil)
        #expect(run.text.contains("log cell."), "\(run.text)")
        #expect(run.select(row: 1, section: 0) == nil)
        #expect(run.text.contains("log section."), "\(run.text)")
        #expect(run.select(row: 1, section: 1) == nil)
        #expect(run.text.contains("log person Bo."), "\(run.text)")
        #expect(run.select(row: 0, section: 2) == nil)
        #expect(run.text.contains("log table."), "\(run.text)")
    }

    @Test func `D56: A refresh begins with the screen or with the reader, and its sign follows a state`() throws {
        var run = try DeclaredRun(People())
        #expect(run.text.matches(of: /New/).count == 1, "\(run.text)")
        #expect(run.refresh() == nil)
        #expect(run.text.matches(of: /New/).count == 2, "\(run.text)")
        #expect(run.document("People").contains(#""refreshing":"$isRefreshing""#))
    }

    @Test func `D57: A new item leaves the other rows as they are`() throws {
        var run = try DeclaredRun(People())
        let before = run.program.screens["People"]?.document
        #expect(run.refresh() == nil)
        #expect(run.program.screens["People"]?.document == before, "the document stays: rows are data")
        #expect(run.text.contains("New"))
    }
}
