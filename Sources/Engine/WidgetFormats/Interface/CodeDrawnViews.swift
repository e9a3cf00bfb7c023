internal import WidgetCore
internal import WidgetNib

/// Views whose content code draws: an interface has their class and frame, and nothing of what they show.
enum CodeDrawnView {
    /// Returns the class of a view of another framework than the one for interfaces, such as a map or a film; `nil` for
    /// others.
    static func name(of element: NibElement) -> String? {
        let base = element.baseClassName
        guard base.hasSuffix("View"), !base.hasPrefix("UI"), !base.hasPrefix("_") else { return nil }
        return element.shownClassName
    }

    /// Returns the class of a host's own view without views in it; `nil` for others.
    static func ownName(of element: NibElement) -> String? {
        guard let name = element.customClassName, element.baseClassName == "UIView",
            !FrameworkClasses.all.contains(name)
        else { return nil }
        return name
    }

    /// Smaller views are lines and dots, which have no room for a name.
    static let leastSide = 44.0
}

extension SceneSkeleton {
    /// Gives views of a host's own classes their class as their kind, where nothing else is drawn in them or over them.
    mutating func markCodeDrawn(_ added: Range<NodeID>) {
        for id in added where nodes[id].kind == .box && nodes[id].children.isEmpty {
            guard let element = originals[id]?.element, let name = CodeDrawnView.ownName(of: element),
                let frame = nodes[id].frame, min(frame.width, frame.height) >= CodeDrawnView.leastSide,
                !isGround(id, frame)
            else { continue }
            nodes[id].kind = .unknown(name)
        }
    }

    /// Siblings that are compared with a view.
    private static let siblingCount = 100

    /// True for a view that others lie on.
    private func isGround(_ id: NodeID, _ frame: Frame) -> Bool {
        guard let parent = nodes[id].parent, let place = nodes[parent].children.firstIndex(of: id) else { return false }
        return nodes[parent].children[(place + 1)...].prefix(Self.siblingCount).contains { sibling in
            guard let other = nodes[sibling].frame else { return false }
            return other.x < frame.x + frame.width && frame.x < other.x + other.width
                && other.y < frame.y + frame.height && frame.y < other.y + other.height
        }
    }
}
