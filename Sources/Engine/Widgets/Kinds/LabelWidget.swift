/// A text, which the reader cannot change.
public struct LabelWidget: StyledWidget, TextStyled, Tappable {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("label")

    /// An empty label.
    public init() {}

    /// A label with a text, which may have values in it: `LabelWidget("Hello \($name)")`.
    public init(_ text: TextValue) { self = Self().text(text) }

    /// A label whose text follows a value.
    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String { self = Self().text(text) }

    /// A label whose text follows a value that may be missing.
    @_disfavoredOverload
    public init<Text: Readable>(_ text: Text) where Text.Value == String? { self = Self().text(text) }

    /// A smaller, quieter text of any number of lines.
    public static func footnote(_ text: TextValue) -> LabelWidget {
        LabelWidget(text).font(.footnote).color(.quiet).numberOfLines(0)
    }

    /// Sets the text.
    public func text(_ text: TextValue) -> Self { payload("text", text.operand) }

    /// Sets a text that follows a value.
    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String { payload("text", text.operand) }

    /// Sets a text that follows a value, which may be missing.
    @_disfavoredOverload
    public func text<Text: Readable>(_ text: Text) -> Self where Text.Value == String? {
        payload("text", text.operand)
    }

    /// The text that is shown in place of an empty one.
    public func placeholder(_ text: TextValue) -> Self { payload("placeholder", text.operand) }

    /// The most lines; 0 for as many as it needs.
    public func numberOfLines(_ count: Int) -> Self { payload("lines", .literal(count)) }

    /// Chooses the side at which lines begin.
    public func alignment(_ alignment: TextAlignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    /// Chooses the part that is left out of a text that does not fit.
    public func lineBreakMode(_ mode: LineBreakMode) -> Self { payload("truncate", .literal(mode.rawValue)) }
}

/// The side at which lines begin.
public enum TextAlignment: String, Sendable {
    /// A side; `natural` is the one at which the reader's language begins.
    case left, center, right, natural
}

/// The part of a text that does not fit which is left out.
public enum LineBreakMode: String, Sendable {
    /// A part that is replaced by an ellipsis: `tail`, `head` or `middle`. `clip` cuts the text off, `wrap` breaks it.
    case tail, head, middle, clip, wrap
}
