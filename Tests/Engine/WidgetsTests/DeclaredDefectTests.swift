import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// The faults of the system that these names come from. None of them is here.
struct `Defects of the original` {
    private struct Text: WidgetView {
        let id: String

        func widget(_ context: WidgetContext) -> any Widget {
            VStackWidget { LabelWidget("x \(context.find(Int.self) ?? 0)").id(id) }
        }
    }

    @Test func `defect 1: A change of the context and a theme, several times, are all kept`() throws {
        var run = try DeclaredRun(
            Screen { Text(id: "text") }
                .context { $0.put(4) }.theme { $0.text = WidgetColor("#123456") }.theme { $0.bodySize = 30 })
        #expect(try run.frame("text")["foreground"]?.string == "#123456")
        #expect(try run.frame("text")["font"]?["size"]?.double == 30)
        #expect(run.text.contains("x 4"))
    }

    @Test func `defect 2: A theme of a composite reaches its parts`() throws {
        var run = try DeclaredRun(Screen { Text(id: "text").theme { $0.text = WidgetColor("#123456") } })
        #expect(try run.frame("text")["foreground"]?.string == "#123456")
    }

    @Test func `defect 3: Fixed rows are new ones after a change`() throws {
        struct Rows: WidgetView {
            @State var isLong = false

            func widget(_ context: WidgetContext) -> any Widget {
                TableWidget {
                    TableSectionWidget {
                        for name in isLong ? ["c", "d", "e"] : ["a", "b"] { TableCellWidget("row \(name)") }
                    }
                }
                ButtonWidget("Change").onTap(.toggle($isLong))
            }
        }
        var run = try DeclaredRun(Rows())
        #expect(run.tap("Change") == nil)
        #expect(run.text.contains("row c") && run.text.contains("row e") && !run.text.contains("row a"), "\(run.text)")
    }

    @Test func `defect 4: Every modifier of a section can be followed by another`() throws {
        let section = TableSectionWidget { TableCellWidget("A") }.title("T").footer("F").onSelect(.back).padding(1)
        let run = try DeclaredRun(TableWidget { section.title("U") })
        #expect(run.document("Table").contains(#""title":"U","footer":"F""#))
    }

    @Test func `defect 5: A screen that is built again has no elements of the one before`() throws {
        struct Twice: WidgetView {
            @State var count = 0

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("built \(count)").id("label")
                ButtonWidget("Again").onTap { _ in count += 1 }
            }
        }
        var run = try DeclaredRun(Twice())
        for _ in 0..<3 { #expect(run.tap("Again") == nil) }
        #expect(run.text.matches(of: /built/).count == 1, "\(run.text)")
    }

    @Test func `defect 6: A value that is returned where none is wanted is left out`() throws {
        var run = try DeclaredRun(
            LabelWidget("Below").onTap { context in
                context.navigator?.present(
                    widget: ButtonWidget("Return").onTap { $0.navigator?.dismiss(returning: 7) })
            })
        #expect(run.tap("Below") == nil)
        #expect(run.tap("Return") == nil)
        #expect(run.text.contains("Below"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `defect 7: A screen returns its value to the one that has shown it, and not further`() throws {
        struct Bottom: WidgetView {
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("log \($log).")
                ButtonWidget("Open").onTap { context in
                    context.navigator?.push(widget: Middle()) { (value: Int) in log += "bottom \(value)" }
                }
            }
        }
        struct Middle: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Deeper").onTap { $0.navigator?.push(widget: Top()) }
                ButtonWidget("Leave").onTap { $0.navigator?.pop() }
            }
        }
        struct Top: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Return").onTap { $0.navigator?.dismiss(returning: 1) }
            }
        }
        var run = try DeclaredRun(Bottom())
        for name in ["Open", "Deeper", "Return", "Leave"] { #expect(run.tap(name) == nil, "\(name)") }
        #expect(run.text.contains("log ."), "\(run.text)")
    }

    @Test func `defect 8: A placeholder is shown while a value is missing, and never over one`() throws {
        struct Placed: WidgetView {
            @State var name = "Ann"

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget($name).placeholder("empty")
                ButtonWidget("Clear").onTap(.set($name, to: ""))
            }
        }
        var run = try DeclaredRun(Placed())
        #expect(run.text.contains("Ann") && !run.text.contains("empty"))
        #expect(run.tap("Clear") == nil)
        #expect(run.text.contains("empty"))
    }

    @Test func `defect 9: A border leaves corners, and a shadow leaves clipping`() throws {
        let run = try DeclaredRun(
            LabelWidget("A").cornerRadius(6).clipsToBounds(true).border(.red).shadow(radius: 2))
        let document = run.document("Label")
        #expect(document.contains(#""cornerRadius":6"#) && document.contains(#""clips":true"#))
    }

    @Test func `defect 10: The sign of a refresh ends when it yields nothing`() throws {
        struct Empty: WidgetView {
            @State var isRefreshing = false
            @State var rows: [String] = []

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("done").hidden($isRefreshing)
                TableWidget { DynamicTableSectionWidget($rows) { TableCellWidget($0) } }
                    .onRefresh(isRefreshing: $isRefreshing) { _ in
                        isRefreshing = true
                        isRefreshing = false
                    }
            }
        }
        var run = try DeclaredRun(Empty())
        #expect(run.refresh() == nil)
        #expect(run.text.contains("done"), "\(run.text)")
    }

    @Test func `defect 11: A row that is shown again has its gesture once`() throws {
        struct Counting: WidgetView {
            @State var names = ["a", "b", "c"]
            @State var taps = 0

            func widget(_ context: WidgetContext) -> any Widget {
                ForEach($names) { name in LabelWidget("row \(name)").onTap { _ in taps += 1 } }
                LabelWidget("taps \($taps).")
                ButtonWidget("Turn").onTap { _ in names.reverse() }
            }
        }
        var run = try DeclaredRun(Counting())
        for _ in 0..<3 { #expect(run.tap("Turn") == nil) }
        #expect(run.tap("row a") == nil)
        #expect(run.text.contains("taps 1."), "\(run.text)")
    }

    @Test func `defect 12: Buttons are enabled, selected and busy by values`() throws {
        struct Buttons: WidgetView {
            @State var isOn = false

            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Go").enabled($isOn).selected($isOn).onTap(.refresh())
                SwitchWidget("On", isOn: $isOn)
            }
        }
        var run = try DeclaredRun(Buttons())
        #expect(run.tap("Go") != nil)
        #expect(run.toggle("On", true) == nil)
        #expect(run.tap("Go") == nil)
    }

    @Test func `defect 13: A padding counts for every kind, and a position outside of its stack is reported`() throws {
        let run = try DeclaredRun(
            Screen {
                TableWidget { TableCellWidget("A") }.padding(9)
                HStackWidget { LabelWidget("B").position(.left) }
            })
        #expect(run.document("Screen").contains(#""style":{"padding":9}"#))
        #expect(run.messages.contains { $0.contains("position") || $0.contains("zstack") }, "\(run.messages)")
    }

    @Test func `defect 14: Tables and composites are traversed for the texts in them`() throws {
        var run = try DeclaredRun(
            Screen { TableWidget { TableSectionWidget { TableCellWidget { Card(title: "Found") } } } })
        #expect(run.text.contains("Found"), "\(run.text)")
    }

    @Test func `defect 15: Every screen can push, and a bar without a title is not passed on`() throws {
        var run = try DeclaredRun(
            LabelWidget("First").navigationBar(title: "Begin").onTap { context in
                context.navigator?.push(
                    widget: LabelWidget("Second").navigationBar(title: "No bar", hidden: true).onTap { context in
                        context.navigator?.push(widget: LabelWidget("Third").navigationBar(title: "With bar"))
                    })
            })
        #expect(run.tap("First") == nil)
        #expect(run.tap("Second") == nil)
        #expect(run.text.contains("With bar"), "\(run.text)")
    }

    private enum One { struct Mark { let text: String } }
    private enum Two { struct Mark { let text: String } }

    @Test func `defect 16: Types of one name in different places are different values`() {
        var context = WidgetContext()
        context.put(One.Mark(text: "one"))
        context.put(Two.Mark(text: "two"))
        #expect(context.find(One.Mark.self)?.text == "one")
        #expect(context.find(Two.Mark.self)?.text == "two")
    }

    @Test func `defect 17: An equal value does not count as a change`() throws {
        struct Equal: WidgetView {
            @State var name = "Ann"
            @State var changes = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("changes \($changes).")
                    ButtonWidget("Set").onTap { _ in name = "Ann" }
                    ButtonWidget("Data").onTap(.set($name, to: "Ann"))
                }
                .onEvent($name) { _, _ in changes += 1 }
            }
        }
        var run = try DeclaredRun(Equal())
        #expect(run.tap("Set") == nil)
        #expect(run.tap("Data") == nil)
        #expect(run.text.contains("changes 0."), "\(run.text)")
    }

    private struct Likes: WidgetView {
        let name: String
        @State var count = 0

        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget("\(name) has \($count)")
            ButtonWidget("Like \(name)").onTap { _ in count += 1 }
        }
    }

    @Test func `defect 18: States belong to a place or an identity, and survive new values of their widget`() throws {
        struct Posts: WidgetView {
            @State var names = ["a", "b"]
            @State var hasHead = false

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    if hasHead { Card(title: "Head") } else { LabelWidget("No head") }
                    ForEach(names, id: \.self) { name in Likes(name: name) }
                    ButtonWidget("Turn").onTap { _ in
                        names.reverse()
                        hasHead = true
                    }
                }
            }
        }
        var run = try DeclaredRun(Posts())
        #expect(run.tap("Like a") == nil)
        #expect(run.tap("Like a") == nil)
        #expect(run.tap("Turn") == nil)
        #expect(run.text.contains("a has 2") && run.text.contains("b has 0"), "\(run.text)")
        #expect(run.text.contains("Head"))
    }

    @Test func `defect 19: One value is used twice`() throws {
        let section = TableSectionWidget { TableCellWidget("Same") }
        var run = try DeclaredRun(TableWidget([section, section.title("Again")]))
        #expect(run.text.matches(of: /Same/).count == 2 && run.text.matches(of: /Again/).count == 1, "\(run.text)")
    }

    @Test func `defect 20: A widget of no parts and a table without sections are shown as nothing`() throws {
        var run = try DeclaredRun(
            Screen {
                TableWidget([])
                VStackWidget()
                Group {}
                LabelWidget("After")
            })
        #expect(run.text.contains("After"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `defect 23: A state needs nothing before its screen, and a new value changes what shows it alone`()
        throws
    {
        struct Long: WidgetView {
            @State var first = 1

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("first \($first)")
                for row in 0..<50 { LabelWidget("row \(row)") }
                ButtonWidget("Go").onTap { _ in first += 1 }
            }
        }
        var run = try DeclaredRun(Long())
        let before = run.instance.view()
        let document = run.document("Long")
        #expect(run.tap("Go") == nil)
        #expect(run.document("Long") == document)
        #expect(run.instance.view().difference(from: before).count < 5)
    }
}
