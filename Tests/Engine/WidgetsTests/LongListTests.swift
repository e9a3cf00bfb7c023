import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// Goal: a long list that is written in Swift costs what one in a document costs: a change is one row. Method: 10,000 rows
/// of a state, a change of one item by a closure and by data, and the number of rows that the next view evaluates.
struct `A long list in Swift` {
    @Test func `evaluates one row when one item changes, and none when another state does`() throws {
        var run = try DeclaredRun(PeopleScreen())
        let first = run.instance.view()
        let rows = RowCount(first)
        #expect(rows.all == 10_000 && rows.named("person 5000") == 1)
        let (rename, count) = (try run.key("Rename"), try run.key("Count"))
        #expect(run.instance.send(.tap(rename)) == nil)
        let renamed = RowCount(run.instance.view())
        #expect(run.instance.reevaluatedRows == 1)
        #expect(renamed.named("renamed") == 1 && renamed.named("person 5000") == 0)
        #expect(run.instance.send(.tap(count)) == nil)
        _ = run.instance.view()
        #expect(run.instance.reevaluatedRows == 0)
        #expect(run.faults.isEmpty, "\(run.faults)")
    }
}

/// The rows of a view.
private struct RowCount {
    private(set) var all = 0
    private var texts: [String: Int] = [:]

    init(_ view: View) {
        var (rows, texts) = (0, [String: Int]())
        view.visit { node in
            if node.kind == .row { rows += 1 }
            texts[node.text(.text), default: 0] += 1
            return true
        }
        (all, self.texts) = (rows, texts)
    }

    func named(_ text: String) -> Int { texts[text] ?? 0 }
}

private struct PeopleScreen: WidgetView {
    @State var people = (0..<10_000).map { Person(id: $0, name: "person \($0)") }
    @State var count = 0

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            ButtonWidget("Rename").onTap { _ in people[5_000].name = "renamed" }
            ButtonWidget("Count").onTap(.set($count, to: $count + 1))
            TableWidget {
                ForEach($people, key: \.id) { person in TableCellWidget(person.name) }
            }
        }
    }
}
