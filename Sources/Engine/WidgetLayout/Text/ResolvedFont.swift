package import WidgetCore

/// A font as it is drawn: of one size, at the reader's setting.
package struct ResolvedFont: Hashable, Sendable {
    /// `nil` for the system's.
    package var family: String?
    /// Points.
    package var size: Double
    /// 100 to 900.
    package var weight: Int
    package var isItalic: Bool
    package var isMonospaced: Bool

    package init(
        size: Double, weight: Int = 400, isItalic: Bool = false, isMonospaced: Bool = false, family: String? = nil
    ) {
        self.family = family
        self.size = ResolvedFont.fitting(size)
        self.weight = min(max(weight, 100), 900)
        self.isItalic = isItalic
        self.isMonospaced = isMonospaced
    }

    /// - Parameters:
    ///   - request: the author's choice; `nil` for the system's font of 17 points.
    ///   - textSize: the reader's. Fonts with a text style have the size that the system's table says; other ones grow as
    ///     body text does.
    package init(_ request: FontRequest?, at textSize: Viewport.TextSize) {
        guard let request else {
            self.init(size: TextStyle.body.size(at: textSize))
            return
        }
        self.init(
            size: request.style?.size(at: textSize) ?? request.size * textSize.factor, weight: request.weight,
            isItalic: request.isItalic, isMonospaced: request.isMonospaced, family: request.family)
    }

    /// The sizes that fonts can have; others are clamped.
    package static let sizes = 1.0...1_000

    private static func fitting(_ size: Double) -> Double {
        size.isNaN ? TextStyle.body.size(at: .large) : min(max(size, sizes.lowerBound), sizes.upperBound)
    }

    /// Ascender and descender of the system's font together, in ems. All fonts have it, so that heights depend on no
    /// font.
    package static let lineHeight = 1.19336
    /// The part of it above the baseline: the ascender of the system's font, 0.95215 em.
    package static let ascender = 0.95215

    /// The height of so many lines, before it is rounded up to a pixel.
    package func height(ofLines count: Int) -> Double { Double(count) * size * ResolvedFont.lineHeight }

    /// The same font, smaller.
    package func scaled(by factor: Double) -> ResolvedFont {
        var font = self
        font.size = ResolvedFont.fitting(size * factor)
        return font
    }
}

extension TextStyle {
    /// Points at each of the reader's settings, from extra small to the fifth of accessibility.
    private var sizes: [Double] {
        switch self {
        case .largeTitle: [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60]
        case .title1: [25, 26, 27, 28, 30, 32, 34, 38, 43, 48, 53, 58]
        case .title2: [19, 20, 21, 22, 24, 26, 28, 34, 39, 44, 50, 56]
        case .title3: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55]
        case .headline, .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]
        case .callout: [13, 14, 15, 16, 18, 20, 22, 26, 32, 38, 44, 51]
        case .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49]
        case .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44]
        case .caption1: [11, 11, 11, 12, 14, 16, 18, 22, 26, 32, 37, 43]
        case .caption2: [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 40]
        }
    }

    /// Points at a reader's setting.
    package func size(at setting: Viewport.TextSize) -> Double { sizes[setting.place] }
}

extension Viewport.TextSize {
    fileprivate var place: Int {
        switch self {
        case .extraSmall: 0
        case .small: 1
        case .medium: 2
        case .large: 3
        case .extraLarge: 4
        case .extraExtraLarge: 5
        case .extraExtraExtraLarge: 6
        case .accessibility1: 7
        case .accessibility2: 8
        case .accessibility3: 9
        case .accessibility4: 10
        case .accessibility5: 11
        }
    }

    /// The growth of body text against the standard setting, which text without a style shares.
    package var factor: Double { TextStyle.body.size(at: self) / TextStyle.body.size(at: .large) }
}
