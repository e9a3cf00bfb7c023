internal import Nib
internal import Predicates
internal import WidgetCore

/// Gestures of views, and pulling at a list. Neither is an element of the screen.
extension SceneSkeleton {
    private static let gestures: [String: String] = [
        "UIPanGestureRecognizer": "A pan", "UIPinchGestureRecognizer": "A pinch",
        "UIRotationGestureRecognizer": "A rotation",
        "UISwipeGestureRecognizer": "A swipe", "UILongPressGestureRecognizer": "A long press",
        "UIScreenEdgePanGestureRecognizer": "A pan from the edge", "UIHoverGestureRecognizer": "Hovering",
    ]

    /// Returns the elements whose taps count as those of recognizers, by the recognizers' objects. Other gestures set
    /// nothing off, with a warning.
    mutating func readGestures(_ place: Int) -> [Int: (node: NodeID, trigger: NodeEvent)] {
        let loaded = interfaces[place]
        var found: [Int: (node: NodeID, trigger: NodeEvent)] = [:]
        var recognizers: [(NibElement, NodeID)] = []
        for view in loaded.interface.objects {
            guard let node = loaded.nodes[view.index] else { continue }
            for recognizer in view.elements("gestureRecognizers") { recognizers.append((recognizer, node)) }
        }
        for outlet in loaded.interface.outlets where outlet.name == "gestureRecognizers" {
            guard let node = loaded.nodes[outlet.source.index] else { continue }
            recognizers.append((outlet.destination, node))
        }
        let senders = Set(loaded.interface.events.map(\.source.index))
        for (recognizer, node) in recognizers where found[recognizer.index] == nil {
            guard recognizer.boolean("UIGestureRecognizer.disabled") != true else { continue }
            if recognizer.baseClassName == "UITapGestureRecognizer" {
                found[recognizer.index] = (node, .tap)
            } else if senders.contains(recognizer.index), let name = Self.gestures[recognizer.baseClassName] {
                diagnostics.append(
                    Diagnostic(
                        .warning, .unknownType, "\(name) sets nothing off, only taps do",
                        at: Place(file: loaded.file, path: recognizer.baseClassName),
                        hint: "offer a button or a tap for the same"))
            }
        }
        return found
    }

    /// Returns the screen's list if the object is its control for pulling.
    func refreshing(_ source: NibElement) -> (node: NodeID, trigger: NodeEvent)? {
        guard source.baseClassName == "UIRefreshControl", nodes.indices.contains(root) else { return nil }
        let isList = nodes[root].kind == .list || nodes[root].kind == .grid
        return isList ? (root, .refresh) : nil
    }
}
