internal import Predicates

/// An element, with the properties it has at the moment.
final class ElementObject: PredicateObject {
    private let id: NodeID
    private let screen: ScreenScope
    private let item: ItemScope?

    init(_ id: NodeID, in screen: ScreenScope, item: ItemScope?) {
        self.id = id
        self.screen = screen
        self.item = item
    }

    /// What no property is called.
    private static let special: Set<String> = [
        "self", "SELF", "refreshControl", "wx", "wx_fieldName", "wx_fieldValue", "uploadContainer", "hasMedia",
        "isMovie", "result",
    ]

    func value(forKey key: String) -> Value? {
        guard let node = screen.node(id) else { return nil }
        if ElementObject.special.contains(key) {
            switch key {
            case "self", "SELF": return nil
            case "refreshControl": return .object(self)
            case "wx": return screen.scene.node(id).map { .object(AssistantObject($0)) }
            case "wx_fieldName": return node.fieldName.map { .string($0) } ?? .null
            case "wx_fieldValue": return PropertyReader.fieldValue(of: id, item: item, in: screen)
            default: if let known = mediaValue(key) { return known }
            }
        }
        var meaning = screen.program.vocabulary.meaning(of: key, for: node.kind)
        if key == "isRefreshing" { meaning = Vocabulary.Meaning("refreshing") }
        let value = PropertyReader.value(meaning.property, of: id, item: item, in: screen)
        return meaning.isInverse ? .boolean(!value.truth) : value
    }
}

extension ElementObject {
    /// What forms that take media, and the containers in them, know of it.
    private func mediaValue(_ key: String) -> Value? {
        let media = screen.scene.node(id)?.form?.media
        switch key {
        case "uploadContainer":
            return media?.container.map { .object(ElementObject($0, in: screen, item: item)) }
        case "hasMedia": return .boolean(!PropertyReader.value(.value, of: id, item: nil, in: screen).isNull)
        case "isMovie":
            return .boolean(!PropertyReader.value(.value, of: id, item: nil, in: screen).member("fileName").isNull)
        case "result" where media != nil:
            return PropertyReader.value(.uploadResult, of: id, item: nil, in: screen)
        default: return nil
        }
    }
}

/// What the framework has attached to an element: `wx.identifier`, and whatever else was set under `wx`.
final class AssistantObject: PredicateObject {
    private let node: Node
    private let prefix: String

    init(_ node: Node, prefix: String = "wx.") {
        self.node = node
        self.prefix = prefix
    }

    func value(forKey key: String) -> Value? {
        if key == "self" || key == "SELF" { return nil }
        if prefix == "wx.", key == "identifier" { return node.identifier.map { .string($0) } ?? .null }
        if let value = node[PropertyName(prefix + key)]?.literal { return value }
        let inner = "\(prefix)\(key)."
        return node.properties.contains { $0.name.name.hasPrefix(inner) }
            ? .object(AssistantObject(node, prefix: inner)) : .null
    }
}
