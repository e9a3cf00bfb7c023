internal import Markup
internal import WidgetCore

/// Texts whose parts have looks.
extension PageBody {
    /// A text: its parts where the author gave them looks and the text is still that of the interface.
    ///
    /// - Parameter followsLinks: true for a text whose links a person can follow.
    mutating func words(of element: PageElement, _ text: String, followsLinks: Bool = false) {
        let runs = element.look?.appearance.runs(of: text) ?? []
        guard !runs.isEmpty, let plans else {
            html.text(text)
            return
        }
        for (index, run) in runs.enumerated() {
            let name = plans.run(element.node.key.node, index)
            if followsLinks, let link = run.link, PageLink.isSafe(link) {
                html.element(.a, text: run.text) { attributes in
                    attributes.set(.class, name)
                    PageLink.set(&attributes, link)
                }
            } else {
                html.element(.span, text: run.text) { $0.set(.class, name) }
            }
        }
    }
}

/// Links to addresses that an author wrote.
enum PageLink {
    private static let schemes = ["https:", "http:", "mailto:"]

    /// True for an address that opens a page or a letter, and runs nothing.
    static func isSafe(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return schemes.contains { start.hasPrefix($0) }
    }

    static func set(_ attributes: inout HTMLAttributes, _ address: String) {
        attributes.set(.href, address)
        attributes.set(.rel, "noopener noreferrer nofollow")
        attributes.set(.target, "_blank")
    }
}
