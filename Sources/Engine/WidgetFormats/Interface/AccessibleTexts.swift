internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Names for assistive technology, which an interface keeps beside its objects.
extension SceneSkeleton {
    /// Gives elements the names that one of the interfaces has for them.
    mutating func readAccessibleNames(_ place: Int, _ translations: Translations) {
        let loaded = interfaces[place]
        let configurations = loaded.interface.graph.rootElement.elements(
            "UINibAccessibilityConfigurationsKey", upTo: limits.nodeCount)
        for configuration in configurations {
            guard let object = configuration.element("UIAccessibileObject"), let node = loaded.nodes[object.index],
                let name = translations.text("UIAccessibilityLabel", of: configuration), !name.isEmpty
            else { continue }
            nodes[node][.accessibleName] = .literal(
                .string(name), place: Place(file: loaded.file, path: "accessibilityLabel"))
        }
    }
}

extension Translations {
    /// Returns the text under the key, or else the characters of the text with attributes under the other key.
    func text(_ key: String, orAttributed other: String, of element: NibElement) -> String? {
        text(key, of: element) ?? element.element(other).flatMap { text("NSString", of: $0) }
    }
}
