internal import WidgetCore
internal import WidgetLayout
internal import WidgetRender
public import WidgetRuntime

/// The place and the reader of a page.
public struct WidgetPageOptions: Sendable {
    /// The colours of a page.
    public enum Scheme: String, Hashable, Sendable {
        /// Dark text on a light ground.
        case light
        /// Light text on a dark ground.
        case dark
    }

    /// The sizes of text among which people choose in the settings of their systems, the last five for accessibility.
    public enum TextSize: Hashable, Sendable, CaseIterable {
        /// The smallest.
        case extraSmall
        /// Two steps below the usual one.
        case small
        /// One step below the usual one.
        case medium
        /// The usual one.
        case large
        /// One step above the usual one.
        case extraLarge
        /// Two steps above the usual one.
        case extraExtraLarge
        /// Three steps above the usual one.
        case extraExtraExtraLarge
        /// The first one for accessibility.
        case accessibility1
        /// The second one for accessibility.
        case accessibility2
        /// The third one for accessibility.
        case accessibility3
        /// The fourth one for accessibility.
        case accessibility4
        /// The fifth one for accessibility.
        case accessibility5

        var printed: Viewport.TextSize {
            switch self {
            case .extraSmall: .extraSmall
            case .small: .small
            case .medium: .medium
            case .large: .large
            case .extraLarge: .extraLarge
            case .extraExtraLarge: .extraExtraLarge
            case .extraExtraExtraLarge: .extraExtraExtraLarge
            case .accessibility1: .accessibility1
            case .accessibility2: .accessibility2
            case .accessibility3: .accessibility3
            case .accessibility4: .accessibility4
            case .accessibility5: .accessibility5
            }
        }
    }

    /// The size of the screen that the page is made for. The default is 390 by 844 points.
    public var size = ScreenSize(width: 390, height: 844)
    /// The default is `nil`: the one that the reader's system has.
    public var scheme: Scheme?
    /// The reader's language and region, as `de_AT`. The default is empty, which is English.
    public var locale = ""
    /// True if the reader reads from right to left. The default is the direction of the language of ``locale``.
    public var isRightToLeft: Bool {
        get { direction.map { $0 == .rightToLeft } ?? (Viewport.Direction(of: locale) == .rightToLeft) }
        set { direction = newValue ? .rightToLeft : .leftToRight }
    }
    private var direction: Viewport.Direction?
    /// The beginning of the addresses of sheets and pictures, such as `/widgets/clock/`. The default is empty: they lie
    /// beside the page.
    public var folder = ""
    /// The reader's size of text. The default is large, which is the usual one.
    public var textSize = TextSize.large
    /// True if browsers may fill in what their users keep for this site. The default is false.
    public var completesFields = false
    /// The beginning of all identities, another letter from `a` to `z` for each widget on a page. The default is `a`.
    public var letter: Character = "a"
    /// The name of the widget on a page that has more than it. The default is empty.
    public var heading = ""
    /// The level at which its headings begin there, from 1 to 6. The default is 2.
    public var headingLevel = 2
    /// True if an address that the widget wants to open is a link in the line about it, which a person may follow. With false
    /// it is one of `WidgetSession.takeWishes()`. The default is true.
    public var showsLinks = true

    /// The defaults.
    public init() {}

    var printed: PageOptions {
        var viewport = Viewport(size: Size(width: size.width, height: size.height))
        viewport.safeArea = Insets(top: 0, leading: 0, bottom: 0, trailing: 0)
        viewport.textSize = textSize.printed
        if isRightToLeft { viewport.direction = .rightToLeft }
        var page = PageOptions(viewport: viewport)
        page.scheme = scheme.map { $0 == .dark ? .dark : .light }
        page.locale = locale
        page.pictureFolder = folder
        page.completesFields = completesFields
        page.letter = letter.isASCII && letter.isLowercase ? String(letter) : "a"
        return page
    }

    /// The same for a page that has more than the widget.
    var contained: PageOptions {
        var page = printed
        page.isContained = true
        let level = min(max(headingLevel, 1), 6)
        page.part = PagePart(heading: heading, levels: level...6)
        return page
    }
}
