internal import JSONText
internal import WidgetContract

/// A screen on which code can act, also later than in the call of a handler.
final class ScreenPerformer: @unchecked Sendable {
    private(set) weak var program: DeclaredProgram?
    /// The number of the screen; `nil` for the visible one.
    let screen: Int?

    init(_ program: DeclaredProgram, screen: Int?) {
        self.program = program
        self.screen = screen
    }

    func perform(_ action: NativeCommand.Action) {
        program?.post(.command(NativeCommand(action, screen: screen)))
    }

    /// - Parameter onDismiss: called with the value with which the screen is left.
    func show(_ widget: any Widget, isPresented: Bool, onDismiss: ((JSONValue) -> Void)?) {
        program?.post(
            .screen(NewScreen(widget: widget, isPresented: isPresented, from: screen, onDismiss: onDismiss)))
    }

    func replace(_ widget: any Widget) {
        program?.post(
            .replacement(NewScreen(widget: widget, isPresented: false, from: screen, onDismiss: nil)))
    }

    func returnToFirst() { program?.post(.returnToFirst) }

    func taking<Value: Decodable>(_ handler: @escaping (Value) -> Void) -> (JSONValue) -> Void {
        { [weak program] json in
            guard let value = PlainValue.value(json, as: Value.self) else {
                program?.remark(
                    "A screen returned a value that is not a \(Value.self): \(PlainValue.fault(of: json, as: Value.self))"
                )
                return
            }
            handler(value)
        }
    }
}

/// A screen that code shows.
struct NewScreen {
    let widget: any Widget
    let isPresented: Bool
    /// The screen that shows it.
    let from: Int?
    let onDismiss: ((JSONValue) -> Void)?
}
