package import WidgetCore

/// The screen that a widget is laid out for.
package struct Viewport: Equatable, Sendable {
    package enum Direction: String, CaseIterable, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"

        /// The direction in which a language is written.
        ///
        /// - Parameter locale: a language and region, as `de_AT`.
        package init(of locale: String) {
            self = ReaderLanguage(locale).isRightToLeft ? .rightToLeft : .leftToRight
        }
    }

    package enum Scheme: String, CaseIterable, Sendable { case light, dark }

    /// The size of text that a reader has chosen, from extra small to the five of accessibility.
    package enum TextSize: String, CaseIterable, Sendable {
        case extraSmall = "XS"
        case small = "S"
        case medium = "M"
        case large = "L"
        case extraLarge = "XL"
        case extraExtraLarge = "XXL"
        case extraExtraExtraLarge = "XXXL"  // The system's name of a size, three times extra.
        case accessibility1 = "AX1"
        case accessibility2 = "AX2"
        case accessibility3 = "AX3"
        case accessibility4 = "AX4"
        case accessibility5 = "AX5"
    }

    /// Points.
    package var size: Size
    /// Pixels of a point.
    package var scale: Int
    /// Covered by the device: its status bar, for example.
    package var safeArea: Insets
    package var direction: Direction
    package var scheme: Scheme
    package var textSize: TextSize

    package init(
        size: Size = Size(width: 375, height: 667), scale: Int = 2,
        safeArea: Insets = Insets(top: 20, leading: 0, bottom: 0, trailing: 0),
        direction: Direction = .leftToRight, scheme: Scheme = .light, textSize: TextSize = .large
    ) {
        self.size = size
        self.scale = scale
        self.safeArea = safeArea
        self.direction = direction
        self.scheme = scheme
        self.textSize = textSize
    }

    /// The width from which a screen is regular, not compact, and the height.
    package static let regularWidth = 744.0
    package static let regularHeight = 480.0

    package var sizeClasses: SizeClasses {
        SizeClasses(
            width: size.width < Viewport.regularWidth ? .compact : .regular,
            height: size.height < Viewport.regularHeight ? .compact : .regular)
    }
}
