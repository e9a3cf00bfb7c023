internal import WidgetCore
internal import WidgetLayout

/// The places of what lies in containers whose rules no stylesheet can express: rules of one viewing, for the screen and
/// the texts that it has. Around that size they follow the window as the rules do there. Texts may outgrow their places,
/// and are not cut off.
struct SolvedFrames {
    private let scene: PlannedScene
    private let letter: String
    private let screen: PlacedScreen
    private let scale: Int
    /// The same boxes on a screen that is wider, and on one that is higher.
    private let wider: PlacedScreen
    private let higher: PlacedScreen
    /// The declarations of each element, by the node that it was made of.
    private var found: [NodeID: [(id: String?, style: String)]] = [:]

    /// The points by which the other screens are larger.
    private static let growth = 4.0

    /// - Parameter isWritten: true for the identity of an element that the page has.
    init(
        _ view: View, _ program: Program, _ scene: PlannedScene, _ viewport: Viewport, letter: String,
        isWritten: (String) -> Bool
    ) {
        self.scene = scene
        self.letter = letter
        scale = viewport.scale
        var (wide, high) = (viewport, viewport)
        wide.size.width += SolvedFrames.growth
        high.size.height += SolvedFrames.growth
        screen = ScreenLayout(program, viewport).placed(view)
        wider = ScreenLayout(program, wide).placed(view)
        higher = ScreenLayout(program, high).placed(view)
        for (place, box) in screen.boxes.enumerated() {
            let node = box.key.node
            guard let parent = box.parent, node >= 0 else { continue }
            let id = PageKey.id(box.key, letter: letter)
            guard isWritten(id) else { continue }
            if scene.solved.contains(screen.boxes[parent].key.node), scene.solvedParts.contains(node) {
                add(self.place(place, in: parent), to: node, box.key.item == nil ? nil : id)
            } else if scene.solved.contains(node) || isRow(place) {
                add(size(box), to: node, box.key.item == nil ? nil : id)
            }
        }
    }

    private mutating func add(_ style: String, to node: NodeID, _ id: String?) {
        if !style.isEmpty { found[node, default: []].append((id, style)) }
    }

    /// By selectors, each of which is of more weight than those of the program's sheet. Rows that have a place in common share
    /// a rule.
    var rules: [String: String] {
        var rules: [String: String] = [:]
        for (node, elements) in found {
            var counts: [String: Int] = [:]
            for element in elements { counts[element.style, default: 0] += 1 }
            let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            let selector = ".w .\(scene.name(of: node))"
            rules[selector] = "\(selector){\(usual)}"
            for element in elements where element.style != usual {
                guard let id = element.id else { continue }
                let own = ".w [id=\"\(id)\"]"
                rules[own] = "\(own){\(element.style)}"
            }
        }
        return rules
    }

    // MARK: - Declarations

    private func place(_ place: Int, in parent: Int) -> String {
        let box = screen.boxes[place]
        let (own, outer) = (box.frame.rounded(toScale: scale), screen.boxes[parent].frame.rounded(toScale: scale))
        let x = length(own.x - outer.x, place, parent, of: wider, outer.width) {
            $0.x - $1.x
        } along: {
            $0.width
        }
        let y = length(own.y - outer.y, place, parent, of: higher, outer.height) {
            $0.y - $1.y
        } along: {
            $0.height
        }
        let width = length(own.width, place, parent, of: wider, outer.width) { own, _ in
            own.width
        } along: {
            $0.width
        }
        let height = length(own.height, place, parent, of: higher, outer.height) { own, _ in
            own.height
        } along: {
            $0.height
        }
        let start = "position:absolute;inset:\(y) auto auto \(x);margin:0;"
        guard SolvedFrames.hasText(box.view.kind) else { return start + "width:\(width);height:\(height)" }
        // In another font, a text of one line may be somewhat wider.
        let isOneLine = box.lineCount <= 1 && !box.isTextCut
        let limits =
            isOneLine ? "width:auto;min-width:\(width);max-width:calc(100% - \(x));" : "width:\(width);"
        return start + limits + "height:auto;min-height:\(height)"
    }

    /// A length at the size of the screen, and the share of its container's length by which it changes there.
    private func length(
        _ now: Double, _ place: Int, _ parent: Int, of other: PlacedScreen, _ room: Double,
        _ measured: (Frame, Frame) -> Double, along: (Frame) -> Double
    ) -> String {
        var share = 0.0
        if other.boxes.count == screen.boxes.count, other.boxes[place].key == screen.boxes[place].key {
            let (own, outer) = (screen.boxes[place].frame, screen.boxes[parent].frame)
            let (ownThere, outerThere) = (other.boxes[place].frame, other.boxes[parent].frame)
            let growth = along(outerThere) - along(outer)
            if growth > SolvedFrames.growth / 100 {
                share = (measured(ownThere, outerThere) - measured(own, outer)) / growth
            }
        }
        share = (share * 1_000).rounded() / 1_000
        guard share != 0, abs(share) <= SolvedFrames.mostShare else { return SolvedFrames.points(now) + "px" }
        let constant = SolvedFrames.points(now - share * room)
        return "calc(\(PageKey.number((share * 100_000).rounded() / 1_000))% + \(constant)px)"
    }

    /// A length that changes by more than this many lengths of its container follows no window.
    private static let mostShare = 2.0

    /// The least size of a container that is as long as its content: what lies in it takes no room by itself.
    private func size(_ box: PlacedBox) -> String {
        let isRow = box.view.kind == .row
        guard let container = scene.plan?.containers[box.key.node] else { return "" }
        var style = container.fitsWidth ? "min-width:\(SolvedFrames.points(box.frame.width))px" : ""
        if container.fitsHeight || isRow || box.look?.geometry.role == .contentView {
            if !style.isEmpty { style += ";" }
            if isRow { style += "height:auto;" }
            style += "min-height:\(SolvedFrames.points(box.frame.height))px"
        }
        return style
    }

    /// True for a row around a solved view that holds its content.
    private func isRow(_ place: Int) -> Bool {
        guard screen.boxes[place].view.kind == .row else { return false }
        return screen.boxes[place].view.children.contains { child in
            scene.solved.contains(child.key.node)
                && screen[child.key]?.look?.geometry.role == .contentView
        }
    }

    private static func hasText(_ kind: NodeKind) -> Bool {
        switch kind {
        case .label, .button, .barTitle: true
        case .box, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .picker,
            .datePicker, .pageControl, .activity, .progress, .web, .native, .list, .grid, .row, .sectionHeader,
            .sectionFooter,
            .bar, .tabs, .tab, .form, .screen, .constraint, .unknown:
            false
        }
    }

    /// To a hundredth of a point.
    private static func points(_ length: Double) -> String { PageKey.number((length * 100).rounded() / 100) }
}
