internal import JSONText
internal import WidgetContract

/// A widget with a text, which has a font and a colour.
public protocol TextStyled: StyledWidget {}

extension TextStyled {
    /// Chooses a text style, whose size follows the reader's setting.
    public func font(_ font: WidgetFont) -> Self { style("font", .literal(font.rawValue)) }

    /// A font that the theme names.
    public func font(named name: String) -> Self { style("font", .literal(name)) }

    /// Sets the size of the text in points.
    public func fontSize(_ points: Double) -> Self { style("fontSize", .literal(points)) }

    /// Makes the text bold, or takes that back.
    public func bold(_ isBold: Bool = true) -> Self { style("bold", .literal(isBold)) }

    /// Makes the text italic, or takes that back.
    public func italic(_ isItalic: Bool = true) -> Self { style("italic", .literal(isItalic)) }

    /// Sets the colour of the text.
    public func color(_ color: WidgetColor) -> Self { style("color", .literal(color.text)) }
}

/// A widget that can be tapped.
public protocol Tappable: StyledWidget {}

extension Tappable {
    /// Takes actions when the widget is tapped: `.onTap(.toggle($isOn))`.
    public func onTap(_ actions: WidgetAction...) -> Self { on("tap", actions) }

    /// Calls a closure when the widget is tapped.
    public func onTap(
        file: String = #filePath, line: Int = #line, handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("tap", [.run(file: file, line: line, handler)]) }

    /// A tap, with a value such as the item of a row.
    public func onTap<Value: Changing>(
        with value: Value, file: String = #filePath, line: Int = #line,
        handler: @escaping (WidgetContext, Value.Value) -> Void
    ) -> Self where Value.Value: Decodable { on("tap", [.run(with: value, file: file, line: line, handler)]) }
}

/// A widget that the reader changes.
public protocol ControlWidget: StyledWidget {}

extension ControlWidget {
    /// Accepts input while a condition holds.
    public func enabled<Truth: Readable>(_ enabled: Truth) -> Self where Truth.Value == Bool {
        payload("enabled", enabled.operand)
    }
}

extension Operand {
    static func sides(_ sides: KeyValuePairs<String, Double>) -> Operand {
        Operand(.literal(.record(sides.map { ($0.key, .number($0.value)) })))
    }
}

extension WidgetAction {
    /// A closure that gets the argument of the event.
    static func taking<Value: Decodable>(
        _ file: String, _ line: Int, _ handler: @escaping (WidgetContext, Value) -> Void
    ) -> WidgetAction {
        WidgetAction(
            .code(
                WidgetHandler(SourcePlace(file, line)) { context, json in
                    if let value = PlainValue.value(json, as: Value.self) { return handler(context, value) }
                    // A source without an answer has no value yet.
                    if json.isNull { return }
                    context.fault(
                        NativeRemark(
                            "The closure is not called: \(PlainValue.fault(of: json, as: Value.self))",
                            hint: "give the closure the type that the value has", file: file, line: line))
                }, value: nil))
    }
}
