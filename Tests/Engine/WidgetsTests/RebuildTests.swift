import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// Goal: a screen that is built again is the same one, with its values and its closures. Method: what lies around a
/// part comes and goes while it is used.
struct `A screen of Swift that is built again` {
    private struct Likes: WidgetView {
        @State var count = 0

        func widget(_ context: WidgetContext) -> any Widget {
            HStackWidget {
                LabelWidget("\($count) likes")
                ButtonWidget("Like").onTap(.set($count, to: $count + 1))
            }
        }
    }

    private struct Child: WidgetView {
        @Binding var isOn: Bool

        func widget(_ context: WidgetContext) -> any Widget {
            ButtonWidget("On").onTap { _ in isOn = true }
            ButtonWidget("Return").onTap(.back(returning: "x"))
        }
    }

    @Test func `calls the closure that waits, although others came before it`() throws {
        struct Parent: WidgetView {
            @State var isOn = false
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    if isOn { ButtonWidget("First").onTap { _ in log += "first" } }
                    ButtonWidget("Open").onTap(.push(Child(isOn: $isOn), result: .run { _ in log += "result" }))
                    LabelWidget("log \($log).")
                }
            }
        }
        var run = try DeclaredRun(Parent())
        for name in ["Open", "On", "Return"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("log result."), "\(run.text)")
    }

    @Test func `keeps the states of parts behind a condition that changes`() throws {
        struct Parent: WidgetView {
            @State var isOn = false

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    if isOn { LabelWidget("Head") }
                    Likes()
                    ButtonWidget("On").onTap { _ in isOn = true }
                }
            }
        }
        var run = try DeclaredRun(Parent())
        for name in ["Like", "On"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("Head") && run.text.contains("1 likes"), "\(run.text)")
    }

    @Test func `shows the model that it gets, and leaves the others their values`() throws {
        final class Account {
            @State var name: String

            init(_ name: String) { _name = State(wrappedValue: name) }
        }
        struct AccountCard: WidgetView {
            let account: Account

            func widget(_ context: WidgetContext) -> any Widget { LabelWidget("name \(account.$name).") }
        }
        struct Accounts: WidgetView {
            let accounts: [Account]
            @State var index = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    AccountCard(account: accounts[index])
                    ButtonWidget("Next").onTap { _ in index = 1 }
                }
            }
        }
        let accounts = [Account("Ann"), Account("Bo")]
        var run = try DeclaredRun(Accounts(accounts: accounts))
        #expect(run.text.contains("name Ann."))
        #expect(run.tap("Next") == nil)
        #expect(run.text.contains("name Bo."), "\(run.text)")
        #expect(accounts.map(\.name) == ["Ann", "Bo"])
    }

    private final class Purse {
        let name: String
        @State var coins: Int

        init(_ name: String, _ coins: Int) {
            self.name = name
            _coins = State(wrappedValue: coins)
        }
    }

    private struct PurseCard: WidgetView {
        let purse: Purse

        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget("\(purse.name) has \(purse.$coins).")
            ButtonWidget("Earn").onTap { _ in purse.coins += 1 }
        }
    }

    @Test func `finds the value of a state again that was not shown in between`() throws {
        struct Purses: WidgetView {
            let purses = [Purse("Ann", 1), Purse("Bo", 10)]
            @State var index = 0

            func widget(_ context: WidgetContext) -> any Widget {
                PurseCard(purse: purses[index])
                ButtonWidget("Next").onTap { _ in index = 1 - index }
            }
        }
        var run = try DeclaredRun(Purses())
        for name in ["Earn", "Next"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("Bo has 10."), "\(run.text)")
        for name in ["Earn", "Next"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("Ann has 2."), "\(run.text)")
        #expect(run.tap("Next") == nil)
        #expect(run.text.contains("Bo has 11."), "\(run.text)")
    }

    @Test func `keeps the states of parts behind a loop that grows`() throws {
        struct Parent: WidgetView {
            @State var rows = 1

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    for row in 0..<rows { LabelWidget("Row \(row)") }
                    Likes()
                    ButtonWidget("More").onTap { _ in rows += 1 }
                }
            }
        }
        var run = try DeclaredRun(Parent())
        for name in ["Like", "More"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("Row 1") && run.text.contains("1 likes"), "\(run.text)")
    }

    @Test func `begins with the value that a state has by then`() throws {
        struct Parent: WidgetView {
            @State var isOpen = false
            @State var note = "a"

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    if isOpen { LabelWidget("note \($note).") }
                    ButtonWidget("Note").onTap { _ in note = "b" }
                    ButtonWidget("Show").onTap { _ in isOpen = true }
                }
            }
        }
        var run = try DeclaredRun(Parent())
        for name in ["Note", "Show"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("note b."), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `has the values of a model when it is pushed again`() throws {
        final class Session {
            @State var user = "none"
        }
        struct Login: WidgetView {
            let session: Session

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("user \(session.$user).")
                ButtonWidget("In").onTap { _ in session.user = "Ann" }
                ButtonWidget("Leave").onTap(.back)
            }
        }
        struct Parent: WidgetView {
            let session: Session

            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Open").onTap { context in context.navigator?.push(widget: Login(session: session)) }
            }
        }
        var run = try DeclaredRun(Parent(session: Session()))
        for name in ["Open", "In", "Leave", "Open"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("user Ann."), "\(run.text)")
    }

    @Test func `shows the screen of the button that was tapped, and makes no more of them with each build`() throws {
        struct Choice: WidgetView {
            let choose: () -> Void

            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Choose").onTap { context in
                    choose()
                    context.navigator?.pop()
                }
            }
        }
        struct Choices: WidgetView {
            @State var picked = "none"
            @State var builds = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    for name in ["a", "b"] {
                        ButtonWidget("Open \(name)").onTap(.push(Choice { picked = name }))
                    }
                    LabelWidget("picked \($picked).")
                    ButtonWidget("Build").onTap { _ in builds += 1 }
                    if builds > 5 { LabelWidget("often") }
                }
            }
        }
        var run = try DeclaredRun(Choices())
        let count = run.program.screens.count
        for name in ["Open b", "Choose"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("picked b."), "\(run.text)")
        for _ in 0..<8 { #expect(run.tap("Build") == nil) }
        #expect(run.text.contains("often") && run.program.screens.count == count)
        for name in ["Open a", "Choose"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("picked a."), "\(run.text)")
    }

    @Test func `is built once, and reports it, if it assigns a state while it is built`() throws {
        struct Restless: WidgetView {
            @State var count = 0

            func widget(_ context: WidgetContext) -> any Widget {
                count += 1
                return LabelWidget("count \($count).")
            }
        }
        var run = try DeclaredRun(Restless())
        #expect(run.text.contains("count 0."), "\(run.text)")
        let fault = run.program.declaration.faults.first?.message ?? ""
        #expect(fault.contains("count is assigned while the screen is built"), "\(fault)")
    }

    @Test func `replaces the screen that has shown an alert, not the alert`() throws {
        struct Second: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("second")
                ButtonWidget("Ask").onTap { context in
                    context.navigator?.present(
                        AlertWidget(title: "Leave?").addAction(title: "Leave", style: .destructive) { context in
                            context.navigator?.dismiss()
                        })
                }
            }
        }
        struct First: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("first")
                ButtonWidget("Open").onTap { context in context.navigator?.push(widget: Second()) }
            }
        }
        var run = try DeclaredRun(First())
        for name in ["Open", "Ask", "Leave"] { #expect(run.tap(name) == nil) }
        #expect(run.text.contains("first") && !run.text.contains("second"), "\(run.text)")
    }

    @Test func `compares no constants with members`() throws {
        struct Compared: WidgetView {
            @State var person = Person(id: 1, name: "Ann")

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("same").shown(if: $person == Person(id: 1, name: "Ann"))
            }
        }
        let fault = try DeclaredRun(Compared()).program.declaration.faults.first?.message ?? "none"
        #expect(fault.contains("A constant with members cannot be a part of an expression"), "\(fault)")
    }

    @Test func `gives computed values the same names each time it is pushed`() throws {
        struct Computed: WidgetView {
            @State var count = 1

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget($count.map { "n \($0)" })
                ButtonWidget("Leave").onTap(.back)
            }
        }
        struct Parent: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Open").onTap { context in context.navigator?.push(widget: Computed()) }
            }
        }
        var run = try DeclaredRun(Parent())
        for name in ["Open", "Leave", "Open", "Leave", "Open"] { #expect(run.tap(name) == nil) }
        #expect(run.program.screens["Computed"]?.states.map(\.slot).contains("mapped") == true)
        #expect(run.text.contains("n 1"))
    }

    @Test func `knows items by themselves, and members of what is computed`() throws {
        struct Names: WidgetView {
            @State var names = ["a", "b"]
            @State var people = [Person(id: 1, name: "Bo")]

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget { ForEach($names, key: \.self) { LabelWidget($0) } }
                LabelWidget("first \(Reading<Person>.expression("people[FIRST]").name)")
            }
        }
        var run = try DeclaredRun(Names())
        #expect(run.text.contains("first Bo"), "\(run.text)")
        #expect(run.document("Names").contains(#""key":"$string""#), "\(run.document("Names"))")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }
}
