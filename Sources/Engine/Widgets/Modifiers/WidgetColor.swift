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

    public init(white: Double, alpha: Double = 1) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    public static let accent = WidgetColor("tint")
    public static let link = WidgetColor("link")
    public static let text = WidgetColor("label")
    public static let secondaryText = WidgetColor("secondaryLabel")
    /// A grey that is legible on every ground.
    public static let quiet = WidgetColor("quiet")
    public static let background = WidgetColor("background")
    public static let secondaryBackground = WidgetColor("secondaryBackground")
    public static let tertiaryBackground = WidgetColor("tertiaryBackground")
    public static let fill = WidgetColor("fill")
    public static let separator = WidgetColor("separator")
    public static let blue = WidgetColor("blue")
    public static let brown = WidgetColor("brown")
    public static let cyan = WidgetColor("cyan")
    public static let green = WidgetColor("green")
    public static let indigo = WidgetColor("indigo")
    public static let mint = WidgetColor("mint")
    public static let orange = WidgetColor("orange")
    public static let pink = WidgetColor("pink")
    public static let purple = WidgetColor("purple")
    public static let red = WidgetColor("red")
    public static let teal = WidgetColor("teal")
    public static let yellow = WidgetColor("yellow")
    public static let gray = WidgetColor("gray")
    public static let lightGray = WidgetColor("gray3")
    public static let white = WidgetColor("#ffffff")
    public static let black = WidgetColor("#000000")
    public static let darkText = WidgetColor("darkText")
    public static let lightText = WidgetColor("lightText")
}

/// A text style, whose size follows the reader's setting.
public enum WidgetFont: String, Sendable {
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2
}
