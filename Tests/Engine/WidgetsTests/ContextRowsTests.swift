import JSONText
import Testing
import WidgetContract

@testable import Widgets

/// Context, theme, navigation, states and bindings.
struct `The surroundings of widgets` {
    private struct Tag: WidgetView {
        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget("number \(context.find(Int.self) ?? -1), name \(context.find("name", as: String.self) ?? "-")")
        }
    }

    @Test func `D30: A context goes down to the parts of a widget, and not to its neighbours`() throws {
        var run = try DeclaredRun(
            Screen {
                VStackWidget { Tag() }.context { $0.put(1) }
                Tag().id("beside")
            })
        #expect(run.text.contains("number 1, name -") && run.text.contains("number -1, name -"), "\(run.text)")
    }

    @Test func `D31: A value is found by its type or by a name, and one that is not there is nothing`() throws {
        var run = try DeclaredRun(
            Screen {
                Tag().context {
                    $0.put(5)
                    $0.put("Ann", as: "name")
                }
                Tag().context { $0.put(3, as: "name") }
            })
        #expect(run.text.contains("number 5, name Ann") && run.text.contains("number -1, name -"), "\(run.text)")
    }

    @Test func `D32: Values are for descendants, and a screen gets what is passed to it`() throws {
        struct Opener: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Open").onTap { $0.navigator?.push(widget: Tag()) }
            }
        }
        var run = try DeclaredRun(Screen { Opener() }.context { $0.put(9) })
        #expect(run.tap("Open") == nil)
        #expect(run.text.contains("number -1"), "\(run.text)")
    }

    @Test func `D33: A screen whose values of Swift have changed is written again`() throws {
        struct Rows: WidgetView {
            @State var count = 1

            func widget(_ context: WidgetContext) -> any Widget {
                for row in 0..<count { LabelWidget("row \(row)") }
                ButtonWidget("More").onTap(.set($count, to: $count + 1))
            }
        }
        var run = try DeclaredRun(Rows())
        #expect(run.tap("More") == nil)
        #expect(run.text.contains("row 1"))
        #expect(run.program.declaration.handlers.contains { $0.what == "Rows is built with the value of count" })
    }

    @Test func `D34: A theme is for a subtree, as a value or as a change of the one around`() throws {
        var theme = WidgetTheme()
        theme.text = WidgetColor("#111111")
        theme.setColor("card", light: WidgetColor("#ffffff"), dark: WidgetColor("#202020"))
        theme.setFont("price", .title2, bold: true)
        theme.setLength("gap", 12)
        var run = try DeclaredRun(
            Screen {
                LabelWidget("1").id("one")
                VStackWidget { LabelWidget("2").id("two").font(named: "price").padding("gap") }
                    .theme { $0.text = WidgetColor("#222222") }
                LabelWidget("3").id("three").backgroundColor(WidgetColor("card"))
            }.theme(theme))
        #expect(try run.frame("one")["foreground"]?.string == "#111")
        #expect(try run.frame("two")["foreground"]?.string == "#222")
        #expect(try run.frame("two")["font"]?["weight"]?.double == 700)
        #expect(try run.frame("three")["background"] != nil)
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D34: The theme of a program is that of all of its screens`() throws {
        struct Themed: WidgetApp {
            var first: any Widget { LabelWidget("Text").onTap { $0.navigator?.push(widget: LabelWidget("Next")) } }

            var theme: WidgetTheme {
                var theme = WidgetTheme()
                theme.bodySize = 21
                return theme
            }
        }
        let document = try #require(Themed.program.declaration.documents.first)
        #expect(document.value["theme"]?["fonts"]?["body"]?["size"]?.double == 21)
    }

    private struct Deep: WidgetView {
        let level: Int

        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget("level \(level)")
            ButtonWidget("Push").onTap { $0.navigator?.push(widget: Deep(level: level + 1)) }
            ButtonWidget("Present").onTap { $0.navigator?.present(widget: Deep(level: level + 1)) }
            ButtonWidget("Replace").onTap { $0.navigator?.replace(widget: Deep(level: level + 10)) }
            ButtonWidget("Pop").onTap { $0.navigator?.pop() }
            ButtonWidget("Dismiss").onTap { $0.navigator?.dismiss() }
            ButtonWidget("Root").onTap { $0.navigator?.popToRoot() }
        }
    }

    @Test func `D35: A navigator pushes, presents, replaces, pops and returns to the first screen`() throws {
        var run = try DeclaredRun(Deep(level: 0))
        #expect(run.tap("Push") == nil)
        #expect(run.tap("Push") == nil)
        #expect(run.tap("Present") == nil)
        #expect(run.text.contains("level 3"))
        #expect(run.tap("Root") == nil)
        #expect(run.text.contains("level 0"), "\(run.text)")
        #expect(run.scenes.count == 1, "\(run.scenes)")
        #expect(run.tap("Push") == nil)
        #expect(run.tap("Replace") == nil)
        #expect(run.text.contains("level 11"), "\(run.text)")
        #expect(run.scenes.count == 2)
        #expect(run.tap("Pop") == nil)
        #expect(run.text.contains("level 0"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D36: A dismissal leaves a presented screen, and a pushed one`() throws {
        var run = try DeclaredRun(Deep(level: 0))
        #expect(run.tap("Present") == nil)
        #expect(run.tap("Push") == nil)
        #expect(run.tap("Dismiss") == nil)
        #expect(run.text.contains("level 1"), "a pushed screen is popped, and the presented one below stays")
        #expect(run.tap("Dismiss") == nil)
        #expect(run.text.contains("level 0"), "\(run.text)")
        #expect(run.tap("Dismiss") == nil, "the first screen stays")
        #expect(run.text.contains("level 0"))
    }

    @Test func `D37: A screen returns a value, and one of another type is reported`() throws {
        struct Child: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Number").onTap { $0.navigator?.dismiss(returning: 7) }
                ButtonWidget("Text").onTap { $0.navigator?.dismiss(returning: "seven") }
            }
        }
        struct Parent: WidgetView {
            @State var result = 0

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("Result \($result)")
                ButtonWidget("Ask").onTap { context in
                    context.navigator?.present(widget: Child()) { (value: Int) in result = value }
                }
            }
        }
        var run = try DeclaredRun(Parent())
        #expect(run.tap("Ask") == nil)
        #expect(run.tap("Number") == nil)
        #expect(run.text.contains("Result 7"), "\(run.text)")
        #expect(run.tap("Ask") == nil)
        #expect(run.tap("Text") == nil)
        #expect(run.text.contains("Result 7"), "\(run.text)")
        #expect(run.messages.contains { $0.contains("not a Int") }, "\(run.messages)")
    }

    @Test func `D38: A state is read, assigned and shown, and copies of its widget share it`() throws {
        struct Shared: WidgetView {
            @State var count = 1

            func widget(_ context: WidgetContext) -> any Widget {
                let copy = self
                LabelWidget("count \($count)")
                ButtonWidget("Own").onTap { _ in count += 1 }
                ButtonWidget("Copy").onTap { _ in copy.count += 10 }
            }
        }
        var run = try DeclaredRun(Shared())
        #expect(run.tap("Own") == nil)
        #expect(run.tap("Copy") == nil)
        #expect(run.text.contains("count 12"), "\(run.text)")
    }

    private struct Editor: WidgetView {
        @Binding var name: String

        func widget(_ context: WidgetContext) -> any Widget {
            Inner(name: $name)
            ButtonWidget("Reset").onTap { _ in name = "none" }
        }
    }

    private struct Inner: WidgetView {
        @Binding var name: String

        func widget(_ context: WidgetContext) -> any Widget { TextFieldWidget($name).id("field") }
    }

    @Test func `D39: A binding is a member, a constant, a binding of a binding, or computed both ways`() throws {
        struct Bound: WidgetView {
            @State var person = Person(id: 1, name: "Ann")
            @State var celsius = 10

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    Editor(name: $person.name)
                    ButtonWidget("Data").onTap(.set($person.name, to: "Cy of \($celsius)"))
                    TextFieldWidget(.constant("fixed")).id("constant")
                    TextFieldWidget($celsius.map({ "\($0 * 2)" }, back: { (Int($0) ?? 0) / 2 })).id("double")
                    LabelWidget("\($person.name) \($celsius) \($celsius.map { $0 > 50 ? "hot" : "cold" })")
                }
            }
        }
        var run = try DeclaredRun(Bound())
        #expect(run.text.contains("Ann 10 cold") && run.text.contains("fixed") && run.text.contains("20"))
        #expect(run.type("Bo", into: "field") == nil)
        #expect(run.type("120", into: "double") == nil)
        #expect(run.text.contains("Bo 60 hot"), "\(run.text)")
        #expect(run.tap("Reset") == nil)
        #expect(run.text.contains("none 60"), "\(run.text)")
        #expect(run.tap("Data") == nil)
        #expect(run.text.contains("Cy of 60 60"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D40: Every property takes a constant, a state, or what is computed of states`() throws {
        struct Readings: WidgetView {
            @State var count = 2
            @State var names = ["a", "b"]

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("sum \($count + 1), \($count * 3), all \($names.count)")
                    LabelWidget($count.match(["1": "one", "2": "two"], else: "many"))
                    LabelWidget("both").shown(if: $count > 1 && !$names.isEmpty || $count == 0)
                    LabelWidget(Reading<String>.expression("uppercase('loud')"))
                }
            }
        }
        var run = try DeclaredRun(Readings())
        for text in ["sum 3, 6, all 2", "two", "both", "LOUD"] { #expect(run.text.contains(text), "\(run.text)") }
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D41: A field and its state follow each other, without an echo`() throws {
        struct Echo: WidgetView {
            @State var name = "Ann"
            @State var changes = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    TextFieldWidget($name).id("name")
                    LabelWidget("changes \($changes)")
                    ButtonWidget("Same").onTap { _ in name = "Bo" }
                }
                .onEvent($name) { _, _ in changes += 1 }
            }
        }
        var run = try DeclaredRun(Echo())
        #expect(run.type("Bo", into: "name") == nil)
        #expect(run.tap("Same") == nil)
        #expect(run.text.contains("changes 1"), "\(run.text)")
    }

    @Test func `D42: A list has a widget for each item, also lists in lists`() throws {
        struct Team: Codable, Sendable {
            var name: String
            var people: [Person]
        }
        struct Teams: WidgetView {
            @State var teams = [Team(name: "Red", people: [Person(id: 1, name: "Ann"), Person(id: 2, name: "Bo")])]
            @State var picked = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    ForEach($teams, key: \.name) { team in
                        LabelWidget("Team \(team.name)")
                        ForEach(team.people, key: \.id) { person in
                            ButtonWidget("\(person.name) of \(team.name)").onTap(with: person) { _, person in
                                picked = person.name
                            }
                        }
                    }
                    LabelWidget("picked \($picked)")
                }
            }
        }
        var run = try DeclaredRun(Teams())
        #expect(run.text.contains("Team Red") && run.text.contains("Ann of Red"))
        #expect(run.tap("Bo of Red") == nil)
        #expect(run.text.contains("picked Bo"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D43: An event of a value is its change, and the first value counts on demand`() throws {
        struct Watching: WidgetView {
            @State var isIn = false
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("log \($log).")
                    ButtonWidget("Go").onTap(.toggle($isIn))
                }
                .onEvent($isIn) { _, isIn in log += "a\(isIn) " }
                .onEvent($isIn, initial: true) { _, isIn in log += "b\(isIn) " }
                .onEvent($isIn, .append("x", to: $isInLog))
            }

            @State var isInLog: [String] = []
        }
        var run = try DeclaredRun(Watching())
        #expect(run.text.contains("log bfalse ."), "\(run.text)")
        #expect(run.tap("Go") == nil)
        #expect(run.text.contains("atrue") && run.text.contains("btrue"), "\(run.text)")
        #expect(run.document("Watching").contains(#""change($isIn)":["#))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `Optional texts, dates and cases of a type are states`() throws {
        enum Phase: String, Codable, CaseIterable, Sendable { case loading, loaded, error }
        struct Phases: WidgetView {
            @State var phase = Phase.loading
            @State var note: String?

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    MatchWidget($phase) { phase in
                        switch phase {
                        case .loading: SpinnerWidget().label("Please wait")
                        case .loaded: LabelWidget("Content")
                        case .error: LabelWidget("Sorry")
                        }
                    }
                    LabelWidget("loaded").shown(if: $phase == .loaded)
                    LabelWidget("no note").shown(if: $note == nil)
                    ButtonWidget("Load").onTap(.set($phase, to: .loaded))
                    ButtonWidget("Fail").onTap { _ in
                        phase = .error
                        note = "failed"
                    }
                }
            }
        }
        var run = try DeclaredRun(Phases())
        #expect(run.text.contains("(loading)") && run.text.contains("no note"))
        #expect(run.tap("Load") == nil)
        #expect(run.text.contains("Content") && run.text.contains("loaded"), "\(run.text)")
        #expect(run.tap("Fail") == nil)
        #expect(run.text.contains("Sorry") && !run.text.contains("no note"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }
}
