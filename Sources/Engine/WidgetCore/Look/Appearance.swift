/// The paint of a node. Everything that the author left to the system is `nil`.
package struct Appearance: Equatable, Sendable {
    package var background: Paint?
    /// Of a text, or of the coloured part of a control: a progress bar's done part, the side of a switch that is on.
    package var foreground: Paint?
    /// Of a text in a row that is selected or pressed.
    package var highlighted: Paint?
    package var tint: Paint?
    package var font: FontRequest?
    package var alignment: TextAlignment?
    /// The most lines of a text; 0 for as many as it needs, `nil` for the kind's usual number.
    package var lines: Int?
    package var lineBreak: LineBreak?
    /// The part of its size to which text may shrink in order to fit; 1 if it never does.
    package var minimumScale = 1.0
    package var contentMode: ContentMode?
    package var alpha = 1.0
    package var isOpaque: Bool?
    package var clips: Bool?
    package var cornerRadius = 0.0
    /// The corners that have the radius; all if `nil`.
    package var corners: Set<Corner>?
    package var borderWidth = 0.0
    package var border: Paint?
    package var shadow: Shadow?
    /// Between the edges and the content: of a text area, or of a button.
    package var contentInsets: Insets?
    package var titleInsets: Insets?
    package var imageInsets: Insets?
    /// The place of a button's title and picture.
    package var verticalPlace: VerticalPlace?
    package var fieldBorder: FieldBorder?
    /// Of a button, by its type: 1 is the system's.
    package var buttonType: Int?
    /// Of an item for bars that the system supplies: its number.
    package var systemItem: Int?
    /// The title of such an item in the reader's language, if it has one and not a picture.
    package var systemTitle: String?
    /// Of a button's title.
    package var titleColor: Paint?
    package var titleShadow: Paint?
    /// The picture behind a button's title.
    package var backgroundImage: String?
    /// The blur of a visual effect.
    package var blur: Int?
    /// Of an activity indicator: large or not.
    package var isLarge = false
    /// Of controls with parts: a progress bar's track, a switch's or a slider's sides.
    package var trackTint: Paint?
    package var thumbTint: Paint?
    /// The sign at the trailing edge of a row, and the paint of a selected one.
    package var accessory: Accessory?
    package var selection: SelectionStyle?
    /// Of the line below a row, if it is not that of the list.
    package var separatorInset: Insets?
    /// Runs of an attributed text, in the order of its characters.
    package var runs: [TextRun] = []

    package init() {}
}

package enum Corner: String, CaseIterable, Sendable { case topLeft, topRight, bottomRight, bottomLeft }

/// A colour: a role, whose values for light and dark the system has, or the author's values.
package enum Paint: Hashable, Sendable {
    case role(ColorRole)
    case value(RGBA)
    case pair(light: RGBA, dark: RGBA)
}

/// A colour of the standard space, clamped to what it can show.
package struct RGBA: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// - Parameters: parts from 0 to 1. Others, which extended spaces have, are clamped, and NaN is 0.
    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.init(
            red: RGBA.byte(red), green: RGBA.byte(green), blue: RGBA.byte(blue), alpha: RGBA.byte(alpha))
    }

    private static func byte(_ part: Double) -> UInt8 {
        part.isNaN ? 0 : UInt8((min(max(part, 0), 1) * 255).rounded())
    }
}

/// The colours that a system names by their purpose.
package enum ColorRole: String, CaseIterable, Sendable {
    case label, secondaryLabel, tertiaryLabel, quaternaryLabel, placeholderText, link, tint
    case background, secondaryBackground, tertiaryBackground
    case groupedBackground, secondaryGroupedBackground, tertiaryGroupedBackground
    case fill, secondaryFill, tertiaryFill, quaternaryFill
    case separator, opaqueSeparator
    case blue, brown, cyan, green, indigo, mint, orange, pink, purple, red, teal, yellow
    case gray, gray2, gray3, gray4, gray5, gray6
    /// The same in both schemes: `lightTextColor` and `darkTextColor`.
    case lightText, darkText
    /// Of navigation bars and the like.
    case bar
}

/// A font as it was asked for.
package struct FontRequest: Hashable, Sendable {
    /// A family that is not the system's.
    package var family: String?
    /// In points; for a text style, the size at the standard setting.
    package var size: Double
    /// 100 to 900.
    package var weight: Int
    package var isItalic: Bool
    package var isMonospaced: Bool
    /// The style whose size follows the reader's setting.
    package var style: TextStyle?

    package init(
        size: Double, weight: Int = 400, isItalic: Bool = false, isMonospaced: Bool = false, family: String? = nil,
        style: TextStyle? = nil
    ) {
        self.family = family
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
        self.isMonospaced = isMonospaced
        self.style = style
    }
}

package enum TextStyle: String, CaseIterable, Sendable {
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2
}

package enum TextAlignment: Int, Sendable {
    case left, center, right, justified, natural
    /// The side at which text ends, in every language.
    case trailing
}

package enum LineBreak: Int, Sendable { case wordWrap, characterWrap, clip, truncateHead, truncateTail, truncateMiddle }

package enum ContentMode: Int, CaseIterable, Sendable {
    case scaleToFill, aspectFit, aspectFill, redraw, center, top, bottom, left, right
    case topLeft, topRight, bottomLeft, bottomRight
}

package enum FieldBorder: Int, Sendable { case none, line, bezel, rounded }

package enum Accessory: Int, Sendable { case none, disclosure, detailDisclosure, checkmark, detail }

package enum SelectionStyle: Int, Sendable { case none, blue, gray, standard }

package struct Shadow: Equatable, Sendable {
    package var paint: Paint?
    package var opacity: Double
    package var offset: Size
    package var radius: Double

    package init(
        paint: Paint? = nil, opacity: Double = 0, offset: Size = Size(width: 0, height: -3), radius: Double = 3
    ) {
        self.paint = paint
        self.opacity = opacity
        self.offset = offset
        self.radius = radius
    }
}

/// A part of an attributed text with one look.
package struct TextRun: Equatable, Sendable {
    package var text: String
    package var font: FontRequest?
    package var foreground: Paint?
    package var isUnderlined: Bool
    package var isStruckThrough: Bool
    package var background: Paint?
    /// The address that the run leads to.
    package var link: String?

    package init(
        _ text: String, font: FontRequest? = nil, foreground: Paint? = nil, isUnderlined: Bool = false,
        isStruckThrough: Bool = false, background: Paint? = nil, link: String? = nil
    ) {
        self.text = text
        self.font = font
        self.foreground = foreground
        self.isUnderlined = isUnderlined
        self.isStruckThrough = isStruckThrough
        self.background = background
        self.link = link
    }
}

extension Appearance {
    /// The runs of a text that is still the author's; none once it has changed.
    package func runs(of text: String) -> [TextRun] {
        guard !runs.isEmpty else { return [] }
        var rest = text.utf8[...]
        for run in runs {
            guard rest.starts(with: run.text.utf8) else { return [] }
            rest = rest.dropFirst(run.text.utf8.count)
        }
        return rest.isEmpty ? runs : []
    }
}
