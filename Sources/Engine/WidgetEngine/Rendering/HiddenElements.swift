internal import WidgetCore

/// The elements of a screen, outside of rows, that their conditions hide.
struct HiddenElements {
    struct Element {
        let node: Node
        let key: ViewKey
        /// The value of its condition.
        let found: Explanation

        /// Its name, or else its kind with its key.
        var name: String { node.identifier ?? "\(node.kind.row.name) \(key)" }
    }

    private let program: Program
    private let store: Store
    /// The keys of what the view shows.
    private let shown: Set<ViewKey>
    /// The most elements that are named.
    private static let limit = 100

    init(_ program: Program, _ store: Store, shown: Set<ViewKey>) {
        self.program = program
        self.store = store
        self.shown = shown
    }

    /// - Parameter meter: fuel that is shared with other explanations.
    func all(_ evaluator: Evaluator, _ environment: Environment, _ meter: Meter) -> [Element] {
        guard let screen = store.visible, let scene = program.scenes[screen.scene] else { return [] }
        var elements: [Element] = []
        for id in scene.nodes.indices where elements.count < HiddenElements.limit {
            let key = ViewKey(screen: screen.number, node: id)
            guard scene.nodes[id][.hidden].map({ $0.literal == nil }) ?? false, !shown.contains(key),
                isReached(id, scene, screen.number),
                let found = evaluator.explanation(of: .hidden, at: key, in: store, environment, meter: meter),
                found.value.truth
            else { continue }
            elements.append(Element(node: scene.nodes[id], key: key, found: found))
        }
        return elements
    }

    /// True if what is around an element is shown, so that the element's condition alone hides it.
    private func isReached(_ id: NodeID, _ scene: Scene, _ screen: Int) -> Bool {
        var next = scene.nodes[id].parent
        var count = 0
        while let current = next, let node = scene.node(current), count < scene.nodes.count {
            if node.repetition != nil || node.prototype != nil || node.kind == .row { return false }
            if shown.contains(ViewKey(screen: screen, node: current)) { return true }
            if node[.hidden] != nil { return false }
            next = node.parent
            count += 1
        }
        return next == nil && scene.nodes[id].prototype == nil
    }
}
