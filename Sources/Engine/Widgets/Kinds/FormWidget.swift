/// Fields whose values are sent together, once all of them follow their rules.
///
/// A field has its name by `field`. A button with the role `submit` sends the form.
public struct FormWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// A form around fields, one above the other.
    public init(@WidgetBuilder _ widgets: () -> [any Widget]) { self.init(widgets()) }

    /// A form around the fields of a list.
    public init(_ widgets: [any Widget]) { element = .kind("form", widgets) }

    /// Sets the points between two widgets; 8 if left out.
    public func spacing(_ points: Double) -> Self { payload("spacing", .literal(points)) }

    /// True while it is being sent, when its button cannot be tapped.
    public func busy<Truth: Readable>(_ busy: Truth) -> Self where Truth.Value == Bool {
        payload("busy", busy.operand)
    }

    /// All fields follow their rules. The value that the event brings has theirs by their names.
    public func onSubmit(_ actions: WidgetAction...) -> Self { on("submit", actions) }

    /// All fields follow their rules. The closure gets their values as a type whose members have their names.
    public func onSubmit<Values: Decodable>(
        file: String = #filePath, line: Int = #line, handler: @escaping (WidgetContext, Values) -> Void
    ) -> Self { on("submit", [.taking(file, line, handler)]) }
}

/// A control that is a field of a form.
public protocol FormField: ControlWidget {}

extension FormField {
    /// The name of its value in the form around it.
    public func field(_ name: String) -> Self { payload("name", .literal(name)) }

    /// The form is not sent while it is empty or off.
    public func required(_ isRequired: Bool = true) -> Self { payload("required", .literal(isRequired)) }

    /// The text that is shown at it when its form is refused.
    public func message(_ text: String) -> Self { payload("message", .literal(text)) }
}
