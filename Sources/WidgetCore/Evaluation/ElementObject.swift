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

    func value(forKey key: String) -> Value? {
        guard key != "self", key != "SELF", let node = screen.node(id) else { return nil }
        let vocabulary = screen.program.vocabulary
        if let fact = vocabulary.facts[key], let known = value(of: fact, node) { return known }
        let meaning = vocabulary.meaning(of: key, for: node.kind)
        let value = property(meaning.property)
        return meaning.isInverse ? .boolean(!value.truth) : value
    }

    private func property(_ name: PropertyName) -> Value { PropertyReader.value(name, of: id, item: item, in: screen) }

    /// `nil` where the element knows nothing of the kind, and the name may be that of a property.
    private func value(of fact: Vocabulary.Fact, _ node: NodePlan) -> Value? {
        switch fact {
        case .element: return .object(self)
        case .property(let name): return property(name)
        case .attachments(let prefix):
            return screen.scene.node(id).map { .object(AttachedValues($0, prefix: prefix, isOutermost: true)) }
        case .fieldName: return node.fieldName.map { .string($0) } ?? .null
        case .fieldValue: return PropertyReader.fieldValue(of: id, item: item, in: screen)
        case .mediaContainer:
            return media?.container.map { .object(ElementObject($0, in: screen, item: item)) }
        case .uploadAnswer:
            return media == nil ? nil : PropertyReader.value(.uploadResult, of: id, item: nil, in: screen)
        case .hasMedia: return .boolean(!picked.isNull)
        // A picture is its bytes; a film has a name besides.
        case .hasFilm: return .boolean(!picked.member("fileName").isNull)
        }
    }

    private var media: MediaForm? { screen.scene.node(id)?.form?.media }

    private var picked: Value { PropertyReader.value(.value, of: id, item: nil, in: screen) }
}

/// Properties of an element that the front end has put under names of one beginning, and the element's name.
final class AttachedValues: PredicateObject {
    private let node: Node
    private let prefix: String
    private let isOutermost: Bool

    init(_ node: Node, prefix: String, isOutermost: Bool) {
        self.node = node
        self.prefix = prefix
        self.isOutermost = isOutermost
    }

    func value(forKey key: String) -> Value? {
        if key == "self" || key == "SELF" { return nil }
        if isOutermost, key == "identifier" { return node.identifier.map { .string($0) } ?? .null }
        if let value = node[PropertyName(prefix + key)]?.literal { return value }
        let inner = "\(prefix)\(key)."
        return node.properties.contains { $0.name.name.hasPrefix(inner) }
            ? .object(AttachedValues(node, prefix: inner, isOutermost: false)) : .null
    }
}
