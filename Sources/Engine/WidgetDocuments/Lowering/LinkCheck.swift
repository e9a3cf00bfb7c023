internal import WidgetBytes
internal import WidgetContract
package import WidgetCore

/// Findings about the links of a widget: links to what the bundle does not have, and links that no address leads to.
package enum LinkCheck {
    /// - Parameter opened: the links that actions open; `nil` for a form whose actions know no links.
    package static func diagnostics(
        _ declared: DeclaredTerms, _ scenes: [Scene], _ entries: [String: Program.Entry], opened: Set<String>? = nil
    ) -> [Finding] {
        var found: [Finding] = []
        let scenes = Dictionary(scenes.map { ($0.name, $0) }) { first, _ in first }
        var earlier: [DeclaredLink] = []
        for link in declared.terms.links {
            let place = declared.places["links.\(link.name)"]
            if !link.pattern.isReachable {
                found.append(
                    Finding(
                        .warning, .deadLink, "No address has the pattern of the link \(link.name.excerpt)", at: place,
                        hint: "take the empty segment out of \(ShownText.quoted(link.pattern.description))"))
            }
            guard let route = link.route else {
                if let opened, !opened.contains(link.name) {
                    found.append(
                        Finding(
                            .warning, .deadLink,
                            "Nothing opens the link \(link.name.excerpt), and it leads to no screen",
                            at: place, hint: "open it, name its scene, or take it out"))
                }
                continue
            }
            if let entry = entries[route.entry], let scene = scenes[entry.scene] {
                if let fault = fault(of: route, in: scene, link.name, place) { found.append(fault) }
            } else {
                // Screens of documents have an entry by which they are pushed as well, which authors do not name.
                let names = entries.keys.filter { !$0.contains(" ") }.sorted()
                found.append(
                    Finding(
                        .error, .deadLink,
                        "The link \(link.name.excerpt) leads to \(route.entry.excerpt), which the bundle does not have",
                        at: place,
                        value: route.entry.excerpt, nearest: NearestName.of(route.entry, in: names)?.excerpt,
                        hint: "it has \(NameList(names))"))
            }
            if let other = earlier.first(where: { $0.pattern.hides(link.pattern) }) {
                found.append(
                    Finding(
                        .warning, .hiddenLink,
                        "The link \(link.name.excerpt) is never followed, because \(other.name.excerpt) has all of its addresses",
                        at: place, hint: "declare \(link.name.excerpt) first, or give it another pattern"))
            }
            earlier.append(link)
        }
        return found
    }

    /// The fault of a link to a screen that is there.
    private static func fault(
        of route: LinkRoute, in scene: Scene, _ name: String, _ place: Place?
    ) -> Finding? {
        guard let reveal = route.reveal, scene.list(reveal.list) == nil else { return nil }
        let lists = Set(scene.names.keys).union(scene.nodes.compactMap { $0.identifier }).filter {
            scene.list($0) != nil
        }
        .sorted()
        return Finding(
            .error, .deadLink,
            "The link \(name.excerpt) reveals a row of \(reveal.list.excerpt), and \(route.entry.excerpt) has no such list",
            at: place,
            value: reveal.list.excerpt, nearest: NearestName.of(reveal.list, in: lists)?.excerpt,
            hint: (lists.isEmpty ? "it has no lists with a name" : "it has \(NameList(lists))"))
    }
}
