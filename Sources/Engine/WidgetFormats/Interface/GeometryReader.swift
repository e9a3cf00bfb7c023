internal import WidgetCore
internal import WidgetNib

/// Reads how an element lies in the one around it.
enum GeometryReader {
    private static let priorities = 0.0...1000

    /// - Parameters:
    ///   - role: the part that it plays in its parent.
    ///   - design: the bounds of its parent that its frame was drawn in.
    static func geometry(_ element: NibElement, role: Geometry.Role, design: Size?) -> Geometry {
        var geometry = Geometry()
        geometry.role = role
        geometry.design = design
        if element.boolean("UIViewDoesNotTranslateAutoresizingMaskIntoConstraints") != true {
            geometry.springs = springs(element)
        }
        geometry.hugging = priorities("UIViewContentHuggingPriority", of: element) ?? Priorities.hugging
        geometry.resistance =
            priorities("UIViewContentCompressionResistancePriority", of: element) ?? Priorities.resistance
        if let margins = element.insets("UIViewLayoutMargins") {
            let isDirectional = element.boolean("UIViewLayoutMarginsAreDirectional") == true
            geometry.margins = Insets(margins, isPhysical: !isDirectional)
        }
        geometry.addsSafeArea = truth("UIViewInsetsLayoutMarginsFromSafeArea", of: element) ?? true
        geometry.preservesParentMargins = element.boolean("UIViewPreservesSuperviewMargins") == true
        // Of playback and of places in space, too, the left is the left in every language.
        geometry.isForcedLeftToRight = (1...3).contains(element.integer("UIViewSemanticContentAttribute") ?? 0)
        return geometry
    }

    private static let allSprings = 63

    private static func springs(_ element: NibElement) -> Springs {
        let mask = element.integer("UIAutoresizingMask") ?? 0
        return Springs(rawValue: UInt8(truncatingIfNeeded: mask & allSprings))
    }

    private static func priorities(_ key: String, of element: NibElement) -> Priorities? {
        element.priorities(key).map {
            Priorities(
                horizontal: Float($0.horizontal.limited(to: priorities)),
                vertical: Float($0.vertical.limited(to: priorities)))
        }
    }

    /// Returns a value that some versions of the compiler write as a truth value and others as a number.
    private static func truth(_ key: String, of element: NibElement) -> Bool? {
        element.boolean(key) ?? element.integer(key).map { $0 != 0 }
    }
}

/// The bounds that the frames in an element were drawn in.
///
/// The editor archives the view of a screen with the size that it had when it was made, such as 600 × 600, and the
/// frames in it as they were on the device that was shown last. So rules that hold on that device tell its size.
struct DesignBounds {
    private var sizes: [NodeID: Size] = [:]
    /// Sizes that rules of a screen's view speak of, and how many do.
    private var widths: [NodeID: [Double: Int]] = [:]
    private var heights: [NodeID: [Double: Int]] = [:]

    private static let tolerance = 0.5

    mutating func add(_ node: NodeID, _ size: Size) { sizes[node] = size }

    /// Learns from a rule between a parent and a child in it.
    mutating func learn(from rule: LayoutRule, among nodes: [Node]) {
        guard rule.relation == .equal, rule.multiplier == 1, let second = rule.second,
            let attribute = rule.secondAttribute
        else { return }
        if let frame = DesignBounds.frame(rule.first, in: second, nodes) {
            learn(frame, rule.attribute, from: second, attribute, -rule.constant)
        } else if let frame = DesignBounds.frame(second, in: rule.first, nodes) {
            learn(frame, attribute, from: rule.first, rule.attribute, rule.constant)
        }
    }

    private static func frame(_ item: LayoutRule.Item, in other: LayoutRule.Item, _ nodes: [Node]) -> Frame? {
        guard item.area == .bounds, nodes.indices.contains(item.node), nodes[item.node].parent == other.node else {
            return nil
        }
        return nodes[item.node].frame
    }

    private mutating func learn(
        _ frame: Frame, _ own: LayoutRule.Attribute, from parent: LayoutRule.Item, _ other: LayoutRule.Attribute,
        _ distance: Double
    ) {
        let isWhole = parent.area == .bounds
        switch (own, other) {
        case (.trailing, .trailing) where isWhole, (.right, .right) where isWhole:
            note(frame.x + frame.width + distance, .horizontal, parent.node)
        case (.centerX, .centerX) where isWhole:
            note(2 * (frame.x + frame.width / 2 + distance), .horizontal, parent.node)
        case (.bottom, .bottom) where isWhole, (.bottom, .top) where parent.area == .bottomGuide:
            note(frame.y + frame.height + distance, .vertical, parent.node)
        case (.centerY, .centerY) where isWhole:
            note(2 * (frame.y + frame.height / 2 + distance), .vertical, parent.node)
        default: break
        }
    }

    private mutating func note(_ length: Double, _ axis: Axis, _ node: NodeID) {
        guard length > 0, length <= Double.largestMeasure else { return }
        switch axis {
        case .horizontal: widths[node, default: [:]][length, default: 0] += 1
        case .vertical: heights[node, default: [:]][length, default: 0] += 1
        }
    }

    /// Returns the bounds of a parent that a child's frame was drawn in. One that is too large for the bounds that rules
    /// agree on was drawn in the archived ones.
    func size(of parent: NodeID, isRoot: Bool, for frame: Frame?, isByRules: Bool) -> Size? {
        guard let archived = sizes[parent] else { return nil }
        guard isRoot else { return archived }
        let size = Size(
            width: DesignBounds.length(archived.width, widths[parent]),
            height: DesignBounds.length(archived.height, heights[parent]))
        guard !isByRules, let frame else { return size }
        let fits =
            frame.x + frame.width <= size.width + DesignBounds.tolerance
            && frame.y + frame.height <= size.height + DesignBounds.tolerance
        return fits ? size : archived
    }

    /// Returns the length that most rules agree on, unless one agrees with the archived length.
    private static func length(_ archived: Double, _ found: [Double: Int]?) -> Double {
        guard let found, !found.keys.contains(where: { abs($0 - archived) <= tolerance }),
            let most = found.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
        else { return archived }
        return most
    }
}
