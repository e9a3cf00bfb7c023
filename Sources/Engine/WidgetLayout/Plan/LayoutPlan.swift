package import WidgetCore

/// The way in which the nodes of a scene lie in each other, for windows of any size and texts of any length.
///
/// It is made once for a scene, in time linear in its nodes and rules, and knows neither texts nor windows. A printer of
/// pages turns it into a stylesheet, and nothing of it depends on the rows of a list.
package struct LayoutPlan: Sendable {
    /// By node, for every node that contains others.
    package let containers: [NodeID: PlannedContainer]
    /// By node, for every node that a container has.
    package let boxes: [NodeID: PlannedBox]
    /// Plans for other size classes, where the rules differ.
    package let variants: [LayoutVariant]
    /// By list or scroll view, the edges at which bars cover it: its content begins and ends beside them.
    package let covered: [NodeID: CoveredEdges]
    /// The containers that need a solver, each with its reason.
    package let findings: [Finding]

    package init(
        containers: [NodeID: PlannedContainer], boxes: [NodeID: PlannedBox], variants: [LayoutVariant] = [],
        covered: [NodeID: CoveredEdges] = [:], findings: [Finding] = []
    ) {
        self.containers = containers
        self.boxes = boxes
        self.variants = variants
        self.covered = covered
        self.findings = findings
    }
}

/// A part of a container as a page nests it.
package indirect enum Arranged: Equatable, Sendable {
    case node(NodeID)
    /// The place of a wrapper among those of its container, and the parts in it.
    case wrapper(Int, [Arranged])
}

/// A container's children that lie differently for some size classes.
package struct LayoutVariant: Sendable {
    package let classes: [SizeClasses]
    package let containers: [NodeID: PlannedContainer]
    package let boxes: [NodeID: PlannedBox]
}

/// A node with the way in which its children lie in it.
package struct PlannedContainer: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
        /// Each child has its box.
        case boxes
        case stack(StackGeometry)
        /// The children are content that scrolls along these axes.
        case scroll(horizontal: Bool, vertical: Bool)
        /// Rows or items, which the list arranges.
        case list
        case solved(SolvedReason)
    }

    package var form: Form
    /// True if its content decides how long it is.
    package var fitsWidth = false
    package var fitsHeight = false
    package var arrangement: [Arranged] = []
    package var wrappers: [PlannedWrapper] = []
}

/// The reason why frames of a container have to be computed for each window.
package enum SolvedReason: String, Equatable, Sendable, CaseIterable {
    case distantRule = "a rule ties its content to a view that is not beside it"
    case contentMultiple = "a rule compares sizes that depend on text"
    case contentRatio = "a ratio of width and height depends on text"
    case crossing = "its rules tie a view to several others whose sizes depend on text"
    case depth = "its rows and columns are nested too deeply"
    case equalCentering = "it keeps the centres of more than two views equally far apart"
    case classes = "its views are grouped differently for different size classes"
}

/// A child, or a wrapper, in its container.
package struct PlannedBox: Equatable, Sendable {
    package var x: Extent
    package var y: Extent
    package var placement: Placement
    /// Width by height, where one follows from the other.
    package var ratio: Double?
    /// The place in paint order, where it is not the order of reading.
    package var paintOrder: Int?

    package init(_ x: Extent, _ y: Extent, _ placement: Placement = .free) {
        self.x = x
        self.y = y
        self.placement = placement
    }

    subscript(axis: Axis) -> Extent {
        get { axis == .horizontal ? x : y }
        set { if axis == .horizontal { x = newValue } else { y = newValue } }
    }
}

package struct PlannedWrapper: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Its parts follow one another.
        case column, row
        /// Its parts lie in one cell, and the highest decides how high it is.
        case layer
    }

    package var kind: Kind
    package var box: PlannedBox
}

package enum Placement: Equatable, Sendable {
    /// At its extents; the container's size does not depend on it.
    case free
    /// In the one cell that all tied parts of a container share.
    case cell
    /// In a row or column, where it follows the part before it.
    case item(FlowItem)
    /// In a row or column of parts that are all as long as the longest.
    case track
}

/// A part of a row or column.
package struct FlowItem: Equatable, Sendable {
    /// The distance from the part before it.
    package var gap = Affine.zero
    /// The distance from the row's end, or from a part behind an elastic gap.
    package var trailing = Affine.zero
    /// True if the distance may be greater, and fills a row or column that is longer than its parts.
    package var isGapElastic = false
    /// True if the part fills a row or column that is longer than its parts.
    package var grows = false
    /// The weight by which growing parts share the room.
    package var growth = 1.0
    /// True if its weight alone decides its share, and not its content.
    package var isShare = false
    /// The rank by which parts get smaller: the parts of the highest rank first. 0 for those that never do.
    package var shrinkRank = 0
    /// True if it gets no smaller than the longest word or picture in it.
    package var keepsContent = false
    /// The rank by which a part that begins as wide as its longest word takes the room of its line: parts of the highest rank
    /// first. 0 for those that begin with their line.
    package var lineRank = 0
    /// The needs of the parts of its row, from which the room of its words follows.
    package var needs: RowNeeds?
}

/// The room that the parts of a row keep for as long as they can.
package struct RowNeeds: Equatable, Sendable {
    /// Parts with words that can have several lines.
    package var wordCount = 0
    /// The texts of one line, which keep their beginnings: the sum of the sizes of fonts without a style, and the number of texts
    /// by their styles.
    package var lines = 0.0
    package var styledLines: [TextStyle: Int] = [:]
    /// Gaps, and parts whose lengths are known.
    package var points = 0.0

    package init(
        wordCount: Int = 0, lines: Double = 0, styledLines: [TextStyle: Int] = [:], points: Double = 0
    ) {
        (self.wordCount, self.lines, self.styledLines, self.points) = (wordCount, lines, styledLines, points)
    }

    /// Adds a text, or another part that gives way as texts do.
    mutating func add(_ kind: NodeKind, _ look: Look?) {
        guard kind == .label, look?.appearance.lines ?? 1 == 1 else {
            wordCount += 1
            return
        }
        let font = look?.appearance.font
        if let style = font?.style {
            styledLines[style, default: 0] += 1
        } else {
            lines += Affine.bounded(font?.size ?? SystemMeasures.labelFont)
        }
    }

    mutating func bound() { (points, lines) = (Affine.bounded(points), Affine.bounded(lines)) }

    /// The width of a control that has one for all that it shows; 0 for other elements.
    static func points(_ kind: NodeKind, _ look: Look?) -> Double {
        switch kind {
        case .toggle: SystemMeasures.toggle.width
        case .stepper: SystemMeasures.stepper.width
        case .activity: look?.appearance.isLarge ?? false ? SystemMeasures.largeActivity : SystemMeasures.activity
        default: 0
        }
    }
}

/// The place of a box along one axis.
package struct Extent: Equatable, Sendable {
    package enum Anchor: Equatable, Sendable {
        /// The distance from the container's start.
        case start(Affine)
        /// The distance from the container's end.
        case end(Affine)
        /// The distances from both; the box fills the rest.
        case both(Affine, Affine)
        /// The distance of the box's middle from the container's middle.
        case center(Affine)
        /// On the first line of text of the parts beside it.
        case baseline(last: Bool)
    }

    package enum Length: Equatable, Sendable {
        case fixed(Affine)
        /// That of the content.
        case content
        /// The room that its anchors leave.
        case fill
        /// A multiple of its length along the other axis.
        case ratio
    }

    /// The parts that most boxes lack.
    private struct Bounds: Equatable, Sendable {
        var least: Affine?
        var most: Affine?
        var startLimit: Affine?
        var endLimit: Affine?
        var endTie: Affine?
    }

    /// The same behind a reference, because boxes are copied often while they are planned.
    private final class Limits: Equatable, Sendable {
        let bounds: Bounds

        init(_ bounds: Bounds) { self.bounds = bounds }

        static func == (left: Limits, right: Limits) -> Bool { left === right || left.bounds == right.bounds }
    }

    package var anchor: Anchor
    package var length: Length
    private var limits: Limits?
    private var bounds: Bounds {
        get { limits?.bounds ?? Bounds() }
        set { limits = newValue == Bounds() ? nil : Limits(newValue) }
    }
    package var least: Affine? {
        get { limits?.bounds.least }
        set { bounds.least = newValue }
    }
    package var most: Affine? {
        get { limits?.bounds.most }
        set { bounds.most = newValue }
    }
    /// The least distances from the edges, for content that gets long.
    package var startLimit: Affine? {
        get { limits?.bounds.startLimit }
        set { bounds.startLimit = newValue }
    }
    package var endLimit: Affine? {
        get { limits?.bounds.endLimit }
        set { bounds.endLimit = newValue }
    }
    /// True if `start` is left: the author said left and right, not leading and trailing.
    package var isPhysical = false
    /// True if a container that fits its content has to be long enough for it.
    package var isTied = false
    /// The distance from the container's end that a container that fits its content keeps.
    package var endTie: Affine? {
        get { limits?.bounds.endTie }
        set { bounds.endTie = newValue }
    }
    /// True if its own length does not make a row thicker, because the part beside it decides.
    package var isOverhanging = false

    package init(_ anchor: Anchor, _ length: Length) {
        self.anchor = anchor
        self.length = length
    }

    /// The distance from the container's start, for a box that hangs there.
    var startDistance: Affine? {
        switch anchor {
        case .start(let distance), .both(let distance, _): distance
        case .end, .center, .baseline: nil
        }
    }

    /// The distance from the container's end, for a box that hangs there.
    var endDistance: Affine? {
        switch anchor {
        case .end(let distance), .both(_, let distance): distance
        case .start, .center, .baseline: nil
        }
    }

    /// From one end of the container to the other.
    package static let filling = Extent(.both(.zero, .zero), .fill)
}
