/// A constraint: `first.attribute relation second.attribute × multiplier + constant`.
package struct LayoutRule: Equatable, Sendable {
    package enum Attribute: UInt8, CaseIterable, Sendable {
        case left = 1, right, top, bottom, leading, trailing, width, height, centerX, centerY, lastBaseline
        case firstBaseline

        /// The name in sentences.
        package var name: String {
            switch self {
            case .left: "left"
            case .right: "right"
            case .top: "top"
            case .bottom: "bottom"
            case .leading: "leading"
            case .trailing: "trailing"
            case .width: "width"
            case .height: "height"
            case .centerX: "centerX"
            case .centerY: "centerY"
            case .lastBaseline: "lastBaseline"
            case .firstBaseline: "firstBaseline"
            }
        }

        package var axis: Axis {
            switch self {
            case .left, .right, .leading, .trailing, .width, .centerX: .horizontal
            case .top, .bottom, .height, .centerY, .lastBaseline, .firstBaseline: .vertical
            }
        }
    }

    package enum Relation: Int, Sendable { case lessOrEqual = -1, equal, greaterOrEqual }

    /// An area that belongs to a node. Attributes of margins are read as attributes of the area within them.
    package enum Area: Sendable {
        case bounds, margins, safeArea, readable
        /// Above or below what bars cover, of a screen's root.
        case topGuide, bottomGuide
        /// The content or the visible part of a scroll view.
        case scrollContent, scrollFrame
    }

    package struct Item: Hashable, Sendable {
        package var node: NodeID
        package var area: Area

        package init(_ node: NodeID, _ area: Area = .bounds) {
            self.node = node
            self.area = area
        }
    }

    package var first: Item
    package var attribute: Attribute
    package var relation: Relation
    /// `nil` for a rule between an attribute and a number.
    package var second: Item?
    package var secondAttribute: Attribute?
    package var multiplier: Double
    package var constant: Double
    /// From 1 to 1000, which is required.
    package var priority: Float
    /// The node whose subtree the rule lies in.
    package var owner: NodeID
    /// The constraint node whose constant a running widget may change, or that may switch it off.
    package var node: NodeID?
    /// The author's name for it, for findings.
    package var identifier: String?
    /// Values for size classes; the last that fits holds.
    package var variations: [RuleVariation]

    package init(
        _ first: Item, _ attribute: Attribute, _ relation: Relation = .equal, to second: Item? = nil,
        _ secondAttribute: Attribute? = nil, multiplier: Double = 1, constant: Double = 0, priority: Float = 1000,
        owner: NodeID, node: NodeID? = nil, identifier: String? = nil, variations: [RuleVariation] = []
    ) {
        self.first = first
        self.attribute = attribute
        self.relation = relation
        self.second = second
        self.secondAttribute = secondAttribute
        self.multiplier = multiplier
        self.constant = constant
        self.priority = priority
        self.owner = owner
        self.node = node
        self.identifier = identifier
        self.variations = variations
    }

    package static let required: Float = 1000
}

/// The size classes that a part of an interface is for.
package struct SizeClasses: Hashable, Sendable {
    package enum Length: Sendable { case compact, regular }

    /// `nil` for any.
    package var width: Length?
    package var height: Length?

    package init(width: Length? = nil, height: Length? = nil) {
        self.width = width
        self.height = height
    }

    package func fits(_ actual: SizeClasses) -> Bool {
        (width == nil || width == actual.width) && (height == nil || height == actual.height)
    }
}

package struct RuleVariation: Equatable, Sendable {
    package var classes: SizeClasses
    /// `nil` where the rule is not installed.
    package var constant: Double?

    package init(_ classes: SizeClasses, constant: Double?) {
        self.classes = classes
        self.constant = constant
    }
}
