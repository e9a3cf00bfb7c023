import JSONText
import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// Goal: closures, bindings and screens of Swift do at run time what they say. Method: the engine runs them, in process.
struct `A screen of Swift that runs` {
    @Test func `shows its values, and follows actions of data and closures`() throws {
        var run = try DeclaredRun(CounterScreen())
        #expect(run.text.contains("Count: 0 of Ann"))
        #expect(run.tap("Add") == nil)
        #expect(run.tap("Add") == nil)
        #expect(run.tap("Add") == nil)
        #expect(run.tap("Add") == nil)
        #expect(run.text.contains("Count: 4 of Ann"))
        #expect(run.text.contains("****"))
        #expect(run.text.contains("many"), "the screen is built again with the value")
        #expect(run.tap("Half") == nil)
        #expect(run.text.contains("Count: 2 of Ann"))
        #expect(run.tap("Reset") == nil)
        #expect(!run.text.contains("many"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `hands the item of a row to a closure`() throws {
        var run = try DeclaredRun(CounterScreen())
        #expect(run.tap("Pick") == nil)
        let state = try #require(run.program.screens["Counter"]?.states.first { $0.slot == "lastState" })
        #expect(state.json.string == "Bo")
    }

    @Test func `pushes a screen with a value, which returns one`() throws {
        var run = try DeclaredRun(CounterScreen())
        #expect(run.tap("Show") == nil)
        #expect(run.text.contains("Bo"))
        #expect(!run.text.contains("Count"))
        #expect(run.tap("Done") == nil)
        #expect(run.text.contains("Count"))
        #expect(run.instance.store.screens.last?.states["lastState"]?.shown == "Bo")
    }

    @Test func `is pushed by a closure with values of Swift, and shares states with the screen below`() throws {
        var run = try DeclaredRun(ParentScreen())
        #expect(run.text.contains("Title: First"))
        #expect(run.tap("Open") == nil)
        #expect(run.text.contains("Child of First"), "\(run.text)")
        #expect(run.tap("Change") == nil)
        #expect(run.text.contains("Child of Changed"), "\(run.text)")
        #expect(run.tap("Return") == nil)
        #expect(run.text.contains("Title: Changed"), "\(run.text)")
        #expect(run.text.contains("Result: 7"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `keeps the states of its parts when it is built again`() throws {
        var run = try DeclaredRun(RebuiltScreen())
        #expect(run.tap("Like") == nil)
        #expect(run.tap("Like") == nil)
        #expect(run.text.contains("2 likes"))
        #expect(run.tap("More") == nil)
        #expect(run.text.contains("Row 1"))
        #expect(run.text.contains("2 likes"), "\(run.text)")
    }

    @Test func `changes members of states and of items as data, without its program`() throws {
        struct Tasks: WidgetView {
            @State var owner = Person(id: 1, name: "Ann")
            @State var people = [Person(id: 1, name: "Bo"), Person(id: 2, name: "Cy")]

            func widget(_ context: WidgetContext) -> any Widget {
                TextFieldWidget($owner.name).id("owner")
                LabelWidget("Owner: \($owner.name)")
                ForEach($people, key: \.id) { person in TextFieldWidget(person.name).id("person") }
                LabelWidget("Last: \(Reading<String>.expression("people[LAST].name"))")
            }
        }
        var run = try DeclaredRun(Tasks())
        #expect(run.program.declaration.handlers.isEmpty)
        #expect(run.type("Dee", into: "owner") == nil)
        #expect(run.text.contains("Owner: Dee"))
        #expect(run.type("Eve", into: "person#2") == nil)
        #expect(run.text.contains("Last: Eve"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }
}

private struct ParentScreen: WidgetView {
    @State var title = "First"
    @State var result = 0

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Title: \($title)")
            LabelWidget("Result: \($result)")
            ButtonWidget("Open").onTap { context in
                context.navigator?.push(widget: ChildScreen(name: title, title: $title)) { result = $0 }
            }
        }
    }
}

private struct ChildScreen: WidgetView {
    let name: String
    @Binding var title: String

    func widget(_ context: WidgetContext) -> any Widget {
        LabelWidget("Child of \($title)")
        ButtonWidget("Change").onTap { _ in title = "Changed" }
        ButtonWidget("Return").onTap { context in context.navigator?.dismiss(returning: 7) }
    }
}

private struct RebuiltScreen: WidgetView {
    @State var rows = 1

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            Likes()
            ButtonWidget("More").onTap(.set($rows, to: $rows + 1))
            for row in 0..<rows { LabelWidget("Row \(row)") }
        }
    }
}

private struct Likes: WidgetView {
    @State var count = 0

    func widget(_ context: WidgetContext) -> any Widget {
        HStackWidget {
            LabelWidget("\($count) likes")
            ButtonWidget("Like").onTap(.set($count, to: $count + 1))
        }
    }
}
