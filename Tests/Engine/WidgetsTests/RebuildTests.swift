import Testing
import WidgetCore
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
