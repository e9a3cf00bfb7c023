internal import WidgetCore
internal import WidgetLayout

/// The places of what lies in containers whose rules no stylesheet can express: rules of one viewing, for the texts that it
/// has. They are solved for the widths of usual windows, and between two of those they follow the window from one to the
/// other. Texts may outgrow their places, and are not cut off.
struct SolvedFrames {
    private let scene: PlannedScene
    private let letter: String
    private let scale: Int
    private var spans: [Span]
    /// The shares of its container's height by which places and heights change, by box of the screen of the page.
    private let shares: [Shares]

    private struct Shares {
        var y = 0.0
        var height = 0.0
    }

    /// The widths of a window between two screens that are solved.
    private struct Span {
        /// As a condition begins and ends: the narrower screen's, and where the next span begins.
        var from: Double?
        var to: Double?
        var width: Double
        var narrow: PlacedScreen
        var wide: PlacedScreen
        /// The difference of the widths of both.
        var growth: Double
        /// By the nodes that elements were made of.
        var found: [NodeID: [(id: String?, style: String)]] = [:]
    }

    /// Phones, tablets, and windows of desks.
    private static let usualWidths: [Double] = [320, 375, 430, 600, 768, 1_024, 1_366]
    /// The points by which a screen is larger that shows how one changes.
    private static let growth = 4.0
    /// The boxes of all solved screens; pages with more are solved for their own width alone.
    private static let mostBoxes = 8_000

    /// - Parameter isWritten: true for the identity of an element that the page has.
    init(
        _ view: View, _ program: Program, _ scene: PlannedScene, _ viewport: Viewport, letter: String,
        isWritten: (String) -> Bool
    ) {
        self.scene = scene
        self.letter = letter
        scale = viewport.scale
        func screen(_ width: Double, higher: Double = 0) -> PlacedScreen {
            var other = viewport
            other.size.width = width
            other.size.height += higher
            return ScreenLayout(program, other).placed(view)
        }
        let own = screen(viewport.size.width)
        shares = SolvedFrames.shares(own, screen(viewport.size.width, higher: SolvedFrames.growth))
        var widths = [viewport.size.width]
        if own.boxes.count * SolvedFrames.usualWidths.count <= SolvedFrames.mostBoxes {
            widths = Set(widths + SolvedFrames.usualWidths).sorted()
        }
        var screens = widths.map { $0 == viewport.size.width ? own : screen($0) }
        widths.append((widths.last ?? 0) + SolvedFrames.growth)
        screens.append(screen(widths[widths.count - 1]))
        var spans: [Span] = []
        for place in widths.indices.dropLast() {
            var span = Span(
                from: place > 0 ? widths[place] : nil, to: place + 2 < widths.count ? widths[place + 1] : nil,
                width: widths[place], narrow: screens[place], wide: screens[place + 1],
                growth: widths[place + 1] - widths[place])
            if !SolvedFrames.areAlike(span.narrow, span.wide) { span.wide = span.narrow }
            spans.append(span)
        }
        self.spans = spans
        for place in spans.indices { self.spans[place].found = declarations(in: spans[place], isWritten) }
    }

    private func declarations(
        in span: Span, _ isWritten: (String) -> Bool
    ) -> [NodeID: [(id: String?, style: String)]] {
        var found: [NodeID: [(id: String?, style: String)]] = [:]
        for (place, box) in span.narrow.boxes.enumerated() {
            let node = box.key.node
            guard let parent = box.parent, node >= 0 else { continue }
            let id = PageKey.id(box.key, letter: letter)
            guard isWritten(id) else { continue }
            var style = ""
            if scene.solved.contains(span.narrow.boxes[parent].key.node), scene.solvedParts.contains(node) {
                style = self.place(place, in: parent, span)
            } else if scene.solved.contains(node) || isRow(place, span.narrow) {
                style = size(place, span)
            }
            if !style.isEmpty { found[node, default: []].append((box.key.item == nil ? nil : id, style)) }
        }
        return found
    }

    private static func areAlike(_ one: PlacedScreen, _ other: PlacedScreen) -> Bool {
        one.boxes.count == other.boxes.count && zip(one.boxes, other.boxes).allSatisfy { $0.key == $1.key }
    }

    private static func shares(_ own: PlacedScreen, _ higher: PlacedScreen) -> [Shares] {
        guard areAlike(own, higher) else { return [] }
        return own.boxes.indices.map { place in
            guard let parent = own.boxes[place].parent else { return Shares() }
            let (now, then) = (own.boxes[place].frame, higher.boxes[place].frame)
            let (outer, outerThen) = (own.boxes[parent].frame, higher.boxes[parent].frame)
            let growth = outerThen.height - outer.height
            return Shares(
                y: share((then.y - outerThen.y) - (now.y - outer.y), of: growth),
                height: share(then.height - now.height, of: growth))
        }
    }

    /// The share of its container's length by which a length changes; 0 if it follows no window.
    private static func share(_ change: Double, of growth: Double) -> Double {
        guard growth > SolvedFrames.growth / 100 else { return 0 }
        let share = (change / growth * 1_000).rounded() / 1_000
        return abs(share) <= mostShare ? share : 0
    }

    /// A length that changes by more than this many lengths of its container follows no window.
    private static let mostShare = 2.0

    /// By selectors, each of which is of more weight than those of the program's sheet, or by the widths for which they hold.
    /// Rows that have a place in common share a rule.
    var rules: [String: String] {
        if spans.count == 1 { return rules(of: spans[0]) }
        var rules: [String: String] = [:]
        for span in spans {
            let limits = [
                span.from.map { "(width >= \(PageKey.number($0))px)" },
                span.to.map { "(width < \(PageKey.number($0))px)" },
            ]
            let condition = "@container \(limits.compactMap { $0 }.joined(separator: " and "))"
            let own = self.rules(of: span).sorted { $0.key < $1.key }.map { $0.value }
            rules[condition] = "\(condition){\(own.joined())}"
        }
        return rules
    }

    private func rules(of span: Span) -> [String: String] {
        var rules: [String: String] = [:]
        for (node, elements) in span.found {
            var counts: [String: Int] = [:]
            for element in elements { counts[element.style, default: 0] += 1 }
            let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            let selector = ".w .\(scene.name(of: node))"
            rules[selector] = "\(selector){\(usual)}"
            for element in elements where element.style != usual {
                guard let id = element.id else { continue }
                // Behind those of nodes, in the order of names.
                let own = ".w [id=\"\(id)\"]"
                rules[own] = "\(own){\(element.style)}"
            }
        }
        return rules
    }

    // MARK: - Declarations

    private func place(_ place: Int, in parent: Int, _ span: Span) -> String {
        let box = span.narrow.boxes[place]
        let x = along(place, parent, span) { $0.x - $1.x }
        let width = along(place, parent, span) { own, _ in own.width }
        let y = down(place, parent, span, { $0.y }, { $0.y - $1.y })
        let height = down(place, parent, span, { $0.height }, { own, _ in own.height })
        let start = "position:absolute;inset:\(y) auto auto \(x);margin:0;"
        guard SolvedFrames.hasText(box.view.kind) else { return start + "width:\(width);height:\(height)" }
        // In another font, a text of one line may be somewhat wider.
        let isOneLine = box.lineCount <= 1 && !box.isTextCut
        let limits =
            isOneLine ? "width:auto;min-width:\(width);max-width:calc(100% - \(x));" : "width:\(width);"
        return start + limits + "height:auto;min-height:\(height)"
    }

    /// A frame and that of its container, as a page for the narrower screen has them.
    private func frames(_ place: Int, _ parent: Int, _ screen: PlacedScreen) -> (own: Frame, outer: Frame) {
        (screen.boxes[place].frame.rounded(toScale: scale), screen.boxes[parent].frame.rounded(toScale: scale))
    }

    /// A length across the window, with the share of its container's width by which it changes.
    private func along(
        _ place: Int, _ parent: Int, _ span: Span, _ measured: (Frame, Frame) -> Double
    ) -> String {
        let (narrow, wide) = (frames(place, parent, span.narrow), frames(place, parent, span.wide))
        let now = measured(narrow.own, narrow.outer)
        let share = SolvedFrames.share(
            measured(wide.own, wide.outer) - now, of: wide.outer.width - narrow.outer.width)
        return SolvedFrames.sum(share, "%", now - share * narrow.outer.width)
    }

    /// A length down the window, with the share of its container's height, and with the room that wider windows give it:
    /// what gets lower there, because its texts have fewer lines, keeps its room up to the next width.
    private func down(
        _ place: Int, _ parent: Int, _ span: Span, _ share: (Shares) -> Double,
        _ measured: (Frame, Frame) -> Double
    ) -> String {
        let share = shares.indices.contains(place) ? share(shares[place]) : 0
        let (narrow, wide) = (frames(place, parent, span.narrow), frames(place, parent, span.wide))
        let now = measured(narrow.own, narrow.outer) - share * narrow.outer.height
        let then = measured(wide.own, wide.outer) - share * wide.outer.height
        let slope = SolvedFrames.share(max(then - now, 0), of: span.growth)
        guard slope > 0 else { return SolvedFrames.sum(share, "%", now) }
        let length = SolvedFrames.sum(slope, "cqw", now - slope * span.width)
        return share == 0 ? length : "calc(\(PageKey.number(share * 100))% + \(length))"
    }

    private static func sum(_ share: Double, _ unit: String, _ constant: Double) -> String {
        guard share != 0 else { return points(constant) + "px" }
        return "calc(\(PageKey.number((share * 100_000).rounded() / 1_000))\(unit) + \(points(constant))px)"
    }

    /// The least size of a container that is as long as its content: what lies in it takes no room by itself.
    private func size(_ place: Int, _ span: Span) -> String {
        let box = span.narrow.boxes[place]
        let isRow = box.view.kind == .row
        guard let container = scene.plan?.containers[box.key.node] else { return "" }
        var style = container.fitsWidth ? "min-width:\(SolvedFrames.points(box.frame.width))px" : ""
        if container.fitsHeight || isRow || box.look?.geometry.role == .contentView {
            if !style.isEmpty { style += ";" }
            if isRow { style += "height:auto;" }
            let growth = span.wide.boxes[place].frame.height - box.frame.height
            let slope = SolvedFrames.share(max(growth, 0), of: span.growth)
            style += "min-height:\(SolvedFrames.sum(slope, "cqw", box.frame.height - slope * span.width))"
        }
        return style
    }

    /// True for a row around a solved view that holds its content.
    private func isRow(_ place: Int, _ screen: PlacedScreen) -> Bool {
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
