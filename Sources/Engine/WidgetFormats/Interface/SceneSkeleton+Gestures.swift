internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Gestures of views, and pulling at a list. Neither is an element of the screen.
extension SceneSkeleton {
    private static let gestures: [String: String] = [
        "UIPanGestureRecognizer": "A pan", "UIPinchGestureRecognizer": "A pinch",
        "UIRotationGestureRecognizer": "A rotation",
        "UISwipeGestureRecognizer": "A swipe", "UILongPressGestureRecognizer": "A long press",
        "UIScreenEdgePanGestureRecognizer": "A pan from the edge", "UIHoverGestureRecognizer": "Hovering",
    ]

    /// Returns the elements whose taps count as those of recognizers, and the lists that a pulling control belongs to, by
    /// the objects of recognizers and controls. Other gestures set nothing off, with a warning.
    mutating func readGestures(_ place: Int) -> [Int: (node: NodeID, trigger: NodeEvent)] {
        let loaded = interfaces[place]
        var found: [Int: (node: NodeID, trigger: NodeEvent)] = [:]
        var recognizers: [(NibElement, NodeID)] = []
        for view in loaded.interface.objects {
            guard let node = loaded.nodes[view.index] else { continue }
            for recognizer in view.elements("gestureRecognizers") { recognizers.append((recognizer, node)) }
            if let control = view.element("UIRefreshControl"), isList(node) { found[control.index] = (node, .refresh) }
        }
        for outlet in loaded.interface.outlets where outlet.name == "gestureRecognizers" {
            guard let node = loaded.nodes[outlet.source.index] else { continue }
            recognizers.append((outlet.destination, node))
        }
        let senders = Set(loaded.interface.events.map { $0.source.index })
        for (recognizer, node) in recognizers where found[recognizer.index] == nil {
            guard recognizer.boolean("UIGestureRecognizer.disabled") != true else { continue }
            let isTap = recognizer.baseClassName == "UITapGestureRecognizer"
            if isTap, recognizer.integer("UITapGestureRecognizer.numberOfTapsRequired") ?? 1 == 1 {
                found[recognizer.index] = (node, .tap)
            } else if senders.contains(recognizer.index),
                let name = isTap ? "A tap more than once" : Self.gestures[recognizer.baseClassName]
            {
                diagnostics.append(
                    Finding(
                        .warning, .unknownType, "\(name) sets nothing off, only a single tap does",
                        at: Place(file: loaded.file, path: recognizer.baseClassName),
                        hint: "offer a button or a tap for the same"))
            }
        }
        return found
    }

    /// Returns the screen's list if the object is the control for pulling of its controller.
    func refreshing(_ source: NibElement) -> (node: NodeID, trigger: NodeEvent)? {
        guard source.baseClassName == "UIRefreshControl", nodes.indices.contains(root) else { return nil }
        return isList(root) ? (root, .refresh) : nil
    }

    private func isList(_ node: NodeID) -> Bool { nodes[node].kind == .list || nodes[node].kind == .grid }
}
