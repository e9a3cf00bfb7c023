/// A text, which the reader cannot change.
public struct LabelWidget: StyledWidget, TextStyled, Tappable {
    public var element = WidgetElement.kind("label")

    public init() {}

    public init(_ text: TextValue) { self = Self().text(text) }

    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String { self = Self().text(text) }

    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String? { self = Self().text(text) }

    /// A smaller, quieter text of any number of lines.
    public static func footnote(_ text: TextValue) -> LabelWidget {
        LabelWidget(text).font(.footnote).color(.quiet).numberOfLines(0)
    }

    public func text(_ text: TextValue) -> Self { payload("text", text.operand) }

    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String { payload("text", text.operand) }

    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String? {
        payload("text", text.operand)
    }

    /// The text that is shown in place of an empty one.
    public func placeholder(_ text: TextValue) -> Self { payload("placeholder", text.operand) }

    /// The most lines; 0 for as many as it needs.
    public func numberOfLines(_ count: Int) -> Self { payload("lines", .literal(count)) }

    public func alignment(_ alignment: TextAlignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    public func lineBreakMode(_ mode: LineBreakMode) -> Self { payload("truncate", .literal(mode.rawValue)) }
}

/// The side at which lines begin.
public enum TextAlignment: String, Sendable {
    case left, center, right, natural
}

/// The part of a text that does not fit which is left out.
public enum LineBreakMode: String, Sendable {
    case tail, head, middle, clip, wrap
}
