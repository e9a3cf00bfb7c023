internal import WidgetCore
internal import WidgetLayout

/// The stylesheet of one viewing: the reader's scheme and size of text, and the device's status bar.
package enum ViewingSheet {
    package static let fileName = "screen.css"

    /// - Parameter pages: those that share the sheet.
    package static func text(_ options: PageOptions, for pages: [PrintedPage]) -> String {
        var rules: [String] = []
        if let scheme = options.scheme { rules.append("color-scheme:\(scheme.rawValue)") }
        let factor = options.viewport.textSize.factor
        if factor != 1 {
            // Per cent, so that the reader's own size counts as well.
            let (size, usual) = (TextStyle.body.size(at: options.viewport.textSize), TextStyle.body.size(at: .large))
            rules.append("font-size:calc(\(PageKey.number(size * 100))%/\(PageKey.number(usual)))")
            rules += TextStyle.allCases.map { style in
                // A rem is as many points as the browser's usual 16 are at the reader's setting.
                let size = style.size(at: options.viewport.textSize) / factor / 16
                return "\(LayoutClasses.size(of: style)):\(PageKey.number((size * 10_000).rounded() / 10_000))rem"
            }
        }
        let root = rules.isEmpty ? "" : ":root{\(rules.joined(separator: ";"))}\n"
        let insets = options.viewport.safeArea
        let own = pages.reduce(into: [:]) { $0.merge($1.rules) { first, _ in first } }
        let rulesOfPages = own.sorted { $0.key < $1.key }.map { "\($0.value)\n" }.joined()
        return root
            + ".w{--status:\(PageKey.points(max(insets.top, 0)));--home:\(PageKey.points(max(insets.bottom, 0)))}\n"
            + rulesOfPages
    }
}
