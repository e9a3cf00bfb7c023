internal import JSONText
internal import WidgetContract

/// The surroundings of a widget: values that its ancestors have put there, and, within an action, what it can do.
public struct WidgetContext {
    private var attributes: [String: Any] = [:]
    var performer: ScreenPerformer?

    /// The theme of this place.
    public var theme = WidgetTheme()

    init() {}

    /// The screen's way to other screens; `nil` while screens are built.
    public var navigator: Navigator? { performer.map { Navigator(performer: $0) } }

    /// Puts a value for all descendants, found by its type.
    public mutating func put<Value>(_ value: Value) { attributes[String(reflecting: Value.self)] = value }

    /// Puts a value for all descendants, found by a name.
    public mutating func put(_ value: Any, as name: String) { attributes["\(name) by name"] = value }

    /// The value of a type that an ancestor has put; `nil` without one.
    public func find<Value>(_ type: Value.Type = Value.self) -> Value? {
        attributes[String(reflecting: type)] as? Value
    }

    /// The value of that name and type; `nil` without one.
    public func find<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        attributes["\(name) by name"] as? Value
    }

    /// Shows a message.
    public func alert(_ title: String, message: String = "") {
        performer?.perform(.alert(title: title, message: message))
    }

    /// Lets the host open an address.
    public func open(_ address: String) { performer?.perform(.open(url: address)) }

    /// Asks a source again; all of them without a name.
    public func refresh(_ source: String? = nil) { performer?.perform(.refresh(source: source)) }

    /// Puts the cursor into the field with that `id`.
    public func focus(_ id: String) { performer?.perform(.focus(id: id)) }

    /// The table around a row; there to be asked to give up its selection.
    public var tableView: TableSelection? { performer == nil ? nil : TableSelection() }

    func remark(_ text: String) { performer?.program?.remark(text) }

    func fault(_ remark: NativeRemark) { performer?.program?.post(.remark(remark)) }
}

/// The selection of a table. A row is selected for a moment alone, so there is nothing to give up.
public struct TableSelection {
    /// Has no effect: a row is not selected any longer when its actions are taken.
    public func deselectRow(animated: Bool = false) {}
}

/// The way from a screen to others.
public struct Navigator {
    let performer: ScreenPerformer

    /// Shows a screen, from which a button leads back.
    public func push(widget: any Widget) { performer.show(widget, isPresented: false, onDismiss: nil) }

    /// Shows a screen.
    ///
    /// - Parameter onDismiss: called with the value with which the screen is left. A value of another type is reported.
    public func push<Value: Decodable>(widget: any Widget, onDismiss: @escaping (Value) -> Void) {
        performer.show(widget, isPresented: false, onDismiss: performer.taking(onDismiss))
    }

    /// Shows a screen in front of this one.
    public func present(widget: any Widget) { performer.show(widget, isPresented: true, onDismiss: nil) }

    /// Shows a screen in front of this one.
    public func present<Value: Decodable>(widget: any Widget, onDismiss: @escaping (Value) -> Void) {
        performer.show(widget, isPresented: true, onDismiss: performer.taking(onDismiss))
    }

    /// Shows a message with buttons.
    public func present(_ alert: AlertWidget) {
        performer.show(AlertScreen(alert: alert, presenter: performer), isPresented: true, onDismiss: nil)
    }

    /// Shows a screen in place of this one.
    public func replace(widget: any Widget) { performer.replace(widget) }

    /// Returns to the screen below.
    public func pop() { performer.perform(.back(value: nil)) }

    /// Returns to the first screen.
    public func popToRoot() { performer.returnToFirst() }

    /// Leaves the screen, whether it was pushed or presented.
    public func dismiss() { performer.perform(.dismiss(value: nil)) }

    /// Leaves the screen with a value for the one below.
    public func dismiss(returning value: some Encodable) {
        performer.perform(.dismiss(value: PlainValue.json(value)))
    }
}
