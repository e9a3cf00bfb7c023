internal import WidgetCore
internal import WidgetLayout

/// The stylesheet of one viewing: the reader's scheme and size of text, and the device's status bar.
package enum ViewingSheet {
    package static let fileName = "screen.css"

    /// - Parameter pages: those that share the sheet.
    package static func text(_ options: PageOptions, for pages: [PrintedPage]) -> String {
        var rules: [String] = []
        if let scheme = options.scheme { rules.append("color-scheme:\(scheme.rawValue)") }
        let size = bodySize(options.viewport.textSize)
        // Per cent, so that the reader's own size counts as well.
        if size != usualBodySize { rules.append("font-size:calc(\(100 * size)%/\(usualBodySize))") }
        let root = rules.isEmpty ? "" : ":root{\(rules.joined(separator: ";"))}\n"
        let insets = options.viewport.safeArea
        let own = pages.reduce(into: [:]) { $0.merge($1.rules) { first, _ in first } }
        let rulesOfPages = own.sorted { $0.key < $1.key }.map { "\($0.value)\n" }.joined()
        return root
            + ".w{--status:\(PageKey.points(max(insets.top, 0)));--home:\(PageKey.points(max(insets.bottom, 0)))}\n"
            + rulesOfPages
    }

    private static let usualBodySize = 17

    /// The size of body text in points.
    private static func bodySize(_ size: Viewport.TextSize) -> Int {
        switch size {
        case .extraSmall: 14
        case .small: 15
        case .medium: 16
        case .large: usualBodySize
        case .extraLarge: 19
        case .extraExtraLarge: 21
        case .extraExtraExtraLarge: 23
        case .accessibility1: 28
        case .accessibility2: 33
        case .accessibility3: 40
        case .accessibility4: 47
        case .accessibility5: 53
        }
    }
}
