package import WidgetCore

/// A node of a view with its place on the screen.
package struct PlacedBox: Sendable {
    package var view: ViewNode
    /// The place in the list of boxes of the box that it lies in; `nil` for the screen itself.
    package var parent: Int?
    /// On the screen, in points, before it is rounded to pixels.
    package var frame: Frame
    /// The y of the first line's baseline on the screen; `nil` for elements without text.
    package var baseline: Double?
    /// The font of its text.
    package var font: ResolvedFont?
    package var lineCount = 0
    /// True if a part of its text has no room.
    package var isTextCut = false
    /// True if a part of it lies outside of a box that clips, or of the screen.
    package var isClipped = false
    package var look: Look?
    package var scene: String

    package var key: ViewKey { view.key }
}

/// A screen with a frame for each of its visible nodes.
package struct PlacedScreen: Sendable {
    /// In paint order: each box before those in it.
    package var boxes: [PlacedBox] = []
    /// The size of the content of boxes that scroll, by their place.
    package var contents: [Int: Size] = [:]
    /// Contradictions, ambiguities and exhausted budgets.
    package var findings: [Finding] = []
    package var places: [ViewKey: Int] = [:]
    /// The work of its solvers, of that which a budget allows.
    package var termCount = 0

    package init() {}

    package subscript(_ key: ViewKey) -> PlacedBox? { places[key].map { boxes[$0] } }

    /// The box of a node that is on the screen once.
    package subscript(node node: NodeID) -> PlacedBox? { boxes.first { $0.key.node == node } }
}

/// Work that the layout of one screen may do. What is beyond keeps the frames that its author drew.
package struct LayoutBudget: Sendable {
    /// Terms of all solvers together.
    package var termCount: Int
    /// Bytes of all measured texts together; equal texts count once.
    package var textByteCount: Int
    /// Findings of one screen.
    package var findingCount: Int

    package init(termCount: Int = 12_000_000, textByteCount: Int = 8 << 20, findingCount: Int = 50) {
        self.termCount = termCount
        self.textByteCount = textByteCount
        self.findingCount = findingCount
    }
}

extension Frame {
    static let zero = Frame(x: 0, y: 0, width: 0, height: 0)

    var maxX: Double { x + width }
    var maxY: Double { y + height }

    func moved(x: Double, y: Double) -> Frame { Frame(x: self.x + x, y: self.y + y, width: width, height: height) }

    /// The frame with its edges on pixels, as the system draws it.
    package func rounded(toScale scale: Int) -> Frame {
        let scale = Double(max(scale, 1))
        func edge(_ value: Double) -> Double { (value * scale + 1e-6).rounded(.down) + 0 }
        func nearest(_ value: Double) -> Double { edge(value + 0.5 / scale) / scale }
        let (left, top) = (nearest(x), nearest(y))
        return Frame(x: left, y: top, width: nearest(maxX) - left, height: nearest(maxY) - top)
    }
}
