import Testing
import WidgetEmbedding
import Widgets

/// Goal: a program shows a widget of Swift without any other program. Method: the public interface alone.
struct `A widget within a program` {
    private struct Guests: WidgetView {
        @State var name = ""
        @State var guests = ["Ann"]
        @State var isOpen = true

        func widget(_ context: WidgetContext) -> any Widget {
            TextFieldWidget($name).id("name")
            SwitchWidget("Open", isOn: $isOpen)
            ButtonWidget("Add").enabled($isOpen).onTap { context in
                if name.isEmpty { context.alert("Who?") } else { guests.append(name) }
                name = ""
            }
            TableWidget {
                ForEach($guests) { guest in
                    TableCellWidget(guest).onSelect(.alert("Hello"))
                }
            }
        }
    }

    @Test func `shows itself in each form, and takes what people do`() async throws {
        let widget = try await EmbeddedWidget(Guests())
        #expect(await widget.shown().contains("Ann"))
        #expect(await widget.shown(as: .json).contains("\"Ann\""))
        #expect(await widget.shown(as: .html).contains("<!DOCTYPE html>"))
        #expect(await widget.shown(as: .frames).contains("\"frame\""))
        try await widget.type("Bo", into: "name")
        try await widget.tap("Add")
        #expect(await widget.shown().contains("Bo"))
        try await widget.turn("Open", on: false)
        await #expect(throws: EmbeddingError.self) { try await widget.tap("Add") }
        try await widget.turn("Open", on: true)
        try await widget.select(row: 0)
        #expect(await widget.shown().contains("Hello"))
        #expect(await widget.faults.isEmpty)
        await widget.stop()
        await #expect(throws: EmbeddingError.refused("the widget has been stopped")) { try await widget.back() }
    }

    @Test func `names what is near when nothing has the name`() async throws {
        let widget = try await EmbeddedWidget(Guests())
        await #expect(throws: (any Error).self) { try await widget.tap("Ad") }
        do {
            try await widget.tap("Ad")
        } catch {
            #expect("\(error)" == "nothing is called Ad on the screen; did you mean Add?")
        }
        await widget.stop()
    }

    private struct Late: WidgetView {
        @State var text = "waiting"

        func widget(_ context: WidgetContext) -> any Widget {
            LabelWidget($text)
            ButtonWidget("Load").onTap { _ in
                Task { text = "loaded" }
            }
        }
    }

    @Test func `shows what a task does later`() async throws {
        let widget = try await EmbeddedWidget(Late())
        try await widget.tap("Load")
        for await _ in widget.changes where await widget.shown().contains("loaded") { break }
        #expect(await widget.shown().contains("loaded"))
        await widget.stop()
    }
}
