internal import WidgetPredicates

extension SystemWords {
    /// Adds a name in the reader's language to an element without one, which printers would call by its English name.
    func addName(of kind: NodeKind, to properties: inout [ViewProperty]) {
        guard kind == .activity || kind == .image, !properties.contains(where: { $0.name == .accessibleName }) else {
            return
        }
        let node = ViewNode(ViewKey(screen: 0, node: 0), kind, properties: properties)
        switch AccessibleNode(alone: node).name {
        case SystemWords.english[.loading] where kind == .activity: add(.loading, to: &properties)
        case AccessibleNode.noImage: add(.noImage, to: &properties)
        default: break
        }
    }

    private func add(_ word: SystemWord, to properties: inout [ViewProperty]) {
        properties.append(ViewProperty(.accessibleName, .string(self[word])))
    }
}

extension SystemWords {
    /// The word for a state of an element, such as `disabled`.
    package func state(_ name: String) -> String { SystemWord(rawValue: name).map { self[$0] } ?? name }
}
