internal import WidgetContract
package import WidgetCore
internal import WidgetPredicates

/// The place of the screen in front, as histories and addresses name it.
package struct ShownPlace: Equatable, Sendable {
    /// The times that a reader can go back from it.
    package var depth = 0
    /// The link of the widget that leads to it; `nil` for a screen that no link can name.
    package var link: String?
    /// The item that was revealed last on it.
    package var revealed: RevealedPlace?

    /// The bytes of a link that is a part of an address; a longer one would not be read there.
    package static let linkByteCount = 1_024
    /// The links to one screen that are tried.
    fileprivate static let routeCount = 8

    package init() {}
}

extension WidgetInstance {
    package var place: ShownPlace {
        var place = ShownPlace()
        guard let screen = store.visible else { return place }
        place.depth = store.backCount
        place.revealed = screen.revealed
        place.link = link(to: screen)
        return place
    }

    /// The first link that leads to a screen with its content. A row that a link reveals as well is not a part of a screen.
    private func link(to screen: Screen) -> String? {
        guard !program.terms.links.isEmpty else { return nil }
        let router = program.terms.router
        for route in router.routes.lazy.filter({ isEntry($0.entry, of: screen) }).prefix(ShownPlace.routeCount) {
            if let part = route.reveal?.part, route.parameters[part] == nil { continue }
            let address = try? route.pattern.address { screen.content.member(route.parameters[$0] ?? $0) }
            // Another route may take the address, or a part be missing from it.
            guard let address, address.utf8.count <= ShownPlace.linkByteCount,
                case .success(let destination) = router.destination(of: address),
                isEntry(destination.route.entry, of: screen), isContent(destination.content, of: screen)
            else { continue }
            return address
        }
        return nil
    }

    private func isEntry(_ name: String, of screen: Screen) -> Bool { program.entries[name]?.scene == screen.scene }

    /// True if a screen that a link opens has the content of one that is open. A link may have a number as a text.
    private func isContent(_ content: Value, of screen: Screen) -> Bool {
        guard program.scenes[screen.scene]?.takesContent ?? false else { return true }
        switch (content, screen.content) {
        case (.null, .null): return true
        case (.dictionary(let linked), .dictionary(let shown)):
            let names = linked.keys.sorted()
            return names == shown.keys.sorted()
                && names.allSatisfy { content.member($0).text == screen.content.member($0).text }
        default: return false
        }
    }
}
