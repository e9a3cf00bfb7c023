/// A colour: one of the system, which follows light and dark, or one of three parts.
public struct WidgetColor: Sendable, Hashable {
    let text: String

    /// A colour by its name or its parts as documents write them: `tint`, `#336699`.
    public init(_ text: String) { self.text = text }

    /// Parts from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        let parts = [red, green, blue] + (alpha < 1 ? [alpha] : [])
        text = parts.reduce("#") { text, part in
            let byte = Int((min(max(part.isNaN ? 0 : part, 0), 1) * 255).rounded())
            let digits = String(byte, radix: 16)
            return text + (digits.count == 1 ? "0" + digits : digits)
        }
    }

    /// A grey from 0, which is black, to 1, which is white.
    public init(white: Double, alpha: Double = 1) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    /// The colour of active parts.
    public static let accent = WidgetColor("tint")
    /// The colour of the titles of buttons.
    public static let link = WidgetColor("link")
    /// The colour of texts.
    public static let text = WidgetColor("label")
    /// The colour of second lines.
    public static let secondaryText = WidgetColor("secondaryLabel")
    /// A grey that is legible on every ground.
    public static let quiet = WidgetColor("quiet")
    /// The ground of a screen.
    public static let background = WidgetColor("background")
    /// The ground of a group on the screen.
    public static let secondaryBackground = WidgetColor("secondaryBackground")
    /// The ground of a part within a group.
    public static let tertiaryBackground = WidgetColor("tertiaryBackground")
    /// The ground of a small shape, such as a box around a text.
    public static let fill = WidgetColor("fill")
    /// The colour of the lines between rows.
    public static let separator = WidgetColor("separator")
    /// The blue of the system.
    public static let blue = WidgetColor("blue")
    /// The brown of the system.
    public static let brown = WidgetColor("brown")
    /// The cyan of the system.
    public static let cyan = WidgetColor("cyan")
    /// The green of the system.
    public static let green = WidgetColor("green")
    /// The indigo of the system.
    public static let indigo = WidgetColor("indigo")
    /// The mint of the system.
    public static let mint = WidgetColor("mint")
    /// The orange of the system.
    public static let orange = WidgetColor("orange")
    /// The pink of the system.
    public static let pink = WidgetColor("pink")
    /// The purple of the system.
    public static let purple = WidgetColor("purple")
    /// The red of the system.
    public static let red = WidgetColor("red")
    /// The teal of the system.
    public static let teal = WidgetColor("teal")
    /// The yellow of the system.
    public static let yellow = WidgetColor("yellow")
    /// The grey of the system.
    public static let gray = WidgetColor("gray")
    /// A lighter grey of the system.
    public static let lightGray = WidgetColor("gray3")
    /// White, in light and dark.
    public static let white = WidgetColor("#ffffff")
    /// Black, in light and dark.
    public static let black = WidgetColor("#000000")
    /// The dark colour of texts on light grounds, in light and dark.
    public static let darkText = WidgetColor("darkText")
    /// The light colour of texts on dark grounds, in light and dark.
    public static let lightText = WidgetColor("lightText")
}

/// A text style, whose size follows the reader's setting.
public enum WidgetFont: String, Sendable {
    /// A style, from the title of a screen to the smallest caption.
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2
}
