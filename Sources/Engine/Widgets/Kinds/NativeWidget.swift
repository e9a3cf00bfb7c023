/// A widget that the program draws itself: as text for terminals, and as markup for pages.
///
/// Both are functions of values. Its program answers for the markup, which is shown as it is.
public struct NativeWidget: StyledWidget, Tappable {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("native")

    /// A drawing as text.
    ///
    /// - Parameter name: the name of its sort, for JSON and for those who look for it.
    public init<Text: Readable>(_ name: String, text: Text) where Text.Value == String {
        self = payload("name", .literal(name)).payload("text", text.operand)
    }

    /// A drawing as text for terminals, and as markup for pages.
    public init<Text: Readable, Markup: Readable>(_ name: String, text: Text, html: Markup)
    where Text.Value == String, Markup.Value == String {
        self = Self(name, text: text).payload("html", html.operand)
    }

    /// A drawing of a value, which code makes again when the value has changed.
    public init<Value>(
        _ name: String, of value: Binding<Value>, text: @escaping (Value) -> String, html: ((Value) -> String)? = nil
    ) {
        self = Self(name, text: value.map(text))
        if let html { self = payload("html", value.map(html).operand) }
    }

    /// A drawing of several values, which code looks at after each event.
    public init(_ name: String, text: @escaping () -> String, html: (() -> String)? = nil) {
        self = Self(name, text: Reading<String>(Operand(DerivedBox(get: text, set: nil))))
        if let html { self = payload("html", Operand(DerivedBox(get: html, set: nil))) }
    }
}
