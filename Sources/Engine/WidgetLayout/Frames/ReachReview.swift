package import WidgetCore

/// Texts and controls that a reader of a narrow window never gets to see or to touch, found without running the widget: each
/// screen is laid out as it was drawn, 320 points wide.
package struct ReachReview: Sendable {
    /// The narrowest window that pages are made for: of a small phone, or of a large text on a small screen.
    package static let window = Size(width: 320, height: 568)
    /// The least side of a control (WCAG 2.2, target size).
    package static let leastSide = 24.0
    /// Comparisons of two boxes that all screens of a program may cause together.
    package static let comparisonCount = 4_000_000

    package private(set) var findings: [Finding] = []

    /// - Parameters:
    ///   - most: findings after which the rest is not looked at.
    ///   - termCount: the work that the layout of all screens may cause.
    package init(
        _ program: Program, upTo most: Int, termCount: Int = RuleReview.termCount,
        comparisonCount: Int = ReachReview.comparisonCount
    ) {
        var (left, comparisons) = (termCount, comparisonCount)
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) {
            guard left > 0, findings.count < most, scene.nodes.contains(where: { $0.look != nil }) else { continue }
            let viewport = Viewport(size: ReachReview.window)
            var reported: Set<NodeID> = []
            for isEmpty in scene.authoredStates where left > 0 {
                let budget = LayoutBudget(termCount: left)
                let screen = ScreenLayout(program, viewport, budget: budget).drawn(scene, isEmpty: isEmpty)
                left -= screen.termCount
                // A screen that there was no time for lies as it was drawn, which says nothing about a narrow window.
                if screen.findings.contains(where: { $0.code == .layoutBudget }) { continue }
                var reach = ScreenReach(scene, screen, comparisons, reported)
                reach.find(upTo: most - findings.count)
                (comparisons, reported) = (reach.comparisonsLeft, reach.reported)
                findings += reach.findings
            }
        }
    }
}

/// The boxes of one screen, and how a reader gets to them.
private struct ScreenReach {
    private let scene: Scene
    private let boxes: [PlacedBox]
    /// True for boxes that are there from the first moment on, with all that is around them.
    private let isCertain: [Bool]
    /// The place behind the last box within each.
    private let ends: [Int]
    /// The bars around the screen, which lie over everything in it.
    private let bars: [Frame]
    private(set) var comparisonsLeft: Int
    private(set) var findings: [Finding] = []
    /// Nodes with a finding: one each.
    private(set) var reported: Set<NodeID>

    /// Points by which a box may reach over an edge: nothing of a text is lost by so little.
    private static let slack = 4.0

    init(_ scene: Scene, _ screen: PlacedScreen, _ comparisons: Int, _ reported: Set<NodeID>) {
        self.scene = scene
        self.reported = reported
        boxes = screen.boxes
        comparisonsLeft = comparisons
        var certain: [Bool] = []
        certain.reserveCapacity(boxes.count)
        var ends = Array(boxes.indices.map { $0 + 1 })
        // They are there while a list has no rows, and the list is not.
        let empty = Set(scene.nodes.flatMap { $0.list?.emptyViews ?? [] })
        for box in boxes {
            let around = box.parent.map { certain[$0] } ?? true
            let isShown = !empty.contains(box.key.node) && ScreenReach.isAlwaysSeen(scene.node(box.key.node))
            certain.append(around && isShown)
        }
        for place in boxes.indices.reversed() {
            if let parent = boxes[place].parent { ends[parent] = max(ends[parent], ends[place]) }
        }
        (isCertain, self.ends) = (certain, ends)
        bars = boxes.filter { $0.view.kind == .bar || $0.view.kind == .tabs }.map { $0.frame }
    }

    private static func isAlwaysSeen(_ node: Node?) -> Bool {
        guard let node else { return true }
        let isShown = node[.hidden].map { $0.literal?.truth == false } ?? true
        let isSolid = node[.alpha].map { $0.literal?.number ?? 0 > 0 } ?? true
        return isShown && isSolid && node.look?.geometry.role != .selectedBackground
    }

    mutating func find(upTo most: Int) {
        for place in boxes.indices where isControl(place) || isText(place) {
            guard findings.count < most, comparisonsLeft > 0 else { return }
            comparisonsLeft -= 1
            let node = boxes[place].key.node
            guard node >= 0, !reported.contains(node), let fault = fault(of: place) else { continue }
            reported.insert(node)
            findings.append(
                Finding(
                    .warning, .outOfReach, "\(name(place)) \(fault.cause)", at: scene.node(node)?.place,
                    hint: fault.hint))
        }
    }

    private struct Fault {
        var cause: String
        var hint: String
    }

    private mutating func fault(of place: Int) -> Fault? {
        sizeFault(place) ?? edgeFault(place) ?? coverFault(place)
    }

    // MARK: - Kinds

    private func node(_ place: Int) -> Node? { scene.node(boxes[place].key.node) }

    private func isControl(_ place: Int) -> Bool {
        let kind = boxes[place].view.kind
        switch kind {
        case .row, .list, .grid, .form, .screen, .bar, .barTitle: return false
        default: return kind.row.isControl || kind == .button || node(place)?.events[.tap] != nil
        }
    }

    private func isText(_ place: Int) -> Bool {
        boxes[place].view.kind == .label && !boxes[place].view.text(.text).isEmpty
    }

    private func name(_ place: Int) -> String {
        let view = boxes[place].view
        let kind = view.kind.row.name
        if let identifier = view.identifier { return "\(kind) \(identifier.excerpt)" }
        let text = [PropertyName.text, .accessibleName, .placeholder].map { view.text($0) }.first { !$0.isEmpty }
        return text.map { "\(kind) \"\($0.excerpt)\"" } ?? "A \(kind)"
    }

    // MARK: - Size

    private func sizeFault(_ place: Int) -> Fault? {
        let box = boxes[place]
        let (width, height) = (box.frame.width, box.frame.height)
        if isControl(place), isCertain[place], !hasUnknownSize(place) {
            let least = ReachReview.leastSide - 0.5
            guard width < least || height < least else { return nil }
            return Fault(
                cause: "is \(shown(width)) × \(shown(height)) points in a window \(window) points wide",
                hint: "a finger needs \(shown(ReachReview.leastSide)) × \(shown(ReachReview.leastSide)); make it larger"
            )
        }
        guard isText(place), isCertain[place], width < 1 || height < 1 else { return nil }
        return Fault(
            cause: "has no room in a window \(window) points wide", hint: "let what is beside it give way, or wrap it")
    }

    /// True for an element whose title or picture only the running widget knows.
    private func hasUnknownSize(_ place: Int) -> Bool {
        guard let node = node(place) else { return true }
        return [PropertyName.text, .image, .titles, .pageCount].contains { name in
            node[name].map { $0.literal == nil } ?? false
        } || node.kind == .image || node.kind == .pageControl
    }

    private var window: String { shown(ReachReview.window.width) }

    private func shown(_ length: Double) -> String {
        let tenths = (length * 10).rounded() / 10
        return Int64(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
    }

    // MARK: - Edges

    /// The part of a box that has to be seen: of a text of one line, what the text takes.
    private func needed(_ place: Int) -> Frame {
        let box = boxes[place]
        guard isText(place), box.lineCount == 1, let font = box.font else { return box.frame }
        var frame = box.frame
        let width = min(TextMetrics().width(of: box.view.text(.text)[...], in: font), frame.width)
        switch box.look?.appearance.alignment {
        case .center: frame.x += (frame.width - width) / 2
        case .right, .trailing: frame.x += frame.width - width
        case .left, .justified, .natural, nil: break
        }
        frame.width = width
        return frame
    }

    private mutating func edgeFault(_ place: Int) -> Fault? {
        var frame = needed(place)
        var next = boxes[place].parent
        while let outer = next {
            let box = boxes[outer]
            next = box.parent
            comparisonsLeft -= 1
            if scrolls(outer) {
                if let cause = scrollFault(frame, in: outer) { return outside(cause) }
                // It is brought into the part of the box that is seen.
                frame = box.frame.intersection(boxes[0].frame)
                guard frame.width > 0, frame.height > 0 else {
                    return outside("lies in \(around(outer)), which is outside of a window \(window) points wide")
                }
                continue
            }
            let clips = box.parent == nil || (box.look?.appearance.clips ?? false)
            guard clips, let side = side(of: frame, beyond: box.frame) else { continue }
            return outside(
                box.parent == nil
                    ? "reaches \(side) of a window \(window) points wide, and nothing around it scrolls there"
                    : "reaches \(side) of \(around(outer)), which cuts it off")
        }
        return nil
    }

    /// A box that scrolls brings in all that lies behind its end, and nothing that lies before its start.
    private func scrollFault(_ frame: Frame, in outer: Int) -> String? {
        let (box, slack) = (boxes[outer].frame, ScreenReach.slack)
        if frame.x < box.x - slack { return "begins before the content of \(around(outer))" }
        if frame.maxX > box.maxX + slack, boxes[outer].view.kind == .list {
            return "reaches beyond the edge of \(around(outer)), which scrolls only up and down"
        }
        return frame.y < box.y - max(slack, frame.height / 4) ? "lies above the content of \(around(outer))" : nil
    }

    private func outside(_ cause: String) -> Fault {
        Fault(cause: cause, hint: "let it shrink or wrap, or put it into something that scrolls")
    }

    private func around(_ place: Int) -> String {
        let name = name(place)
        return name.hasPrefix("A ") ? "the \(name.dropFirst(2)) around it" : name
    }

    private func scrolls(_ place: Int) -> Bool {
        let box = boxes[place]
        if box.view.kind == .list || box.view.kind == .grid { return true }
        return box.look?.scrolling?.isEnabled ?? false
    }

    /// The side at which more than a little of a frame is outside of another; `nil` for one within.
    private func side(of frame: Frame, beyond outer: Frame) -> String? {
        let slack = ScreenReach.slack
        if frame.maxX > outer.maxX + slack { return "beyond the right edge" }
        if frame.x < outer.x - slack { return "beyond the left edge" }
        if frame.maxY > outer.maxY + max(slack, frame.height / 4) { return "below the end" }
        if frame.y < outer.y - max(slack, frame.height / 4) { return "above the top" }
        return nil
    }

    // MARK: - Covers

    /// A later box over the middle of a control, or over most of a text.
    private mutating func coverFault(_ place: Int) -> Fault? {
        guard isCertain[place], comparisonsLeft > 0 else { return nil }
        let needed = needed(place)
        guard needed.width > 0, needed.height > 0 else { return nil }
        // Content that scrolls is brought out from under what lies over it.
        var last = boxes.count
        var (outer, scrolling) = (boxes[place].parent, nil as Int?)
        while let around = outer, scrolling == nil {
            comparisonsLeft -= 1
            if scrolls(around) { scrolling = around }
            outer = boxes[around].parent
        }
        if let scrolling { last = ends[scrolling] }
        if scrolling == nil, bars.contains(where: { covers($0, needed) }) {
            return Fault(
                cause: "lies under a bar", hint: "let it begin where the safe area does, or put it into what scrolls")
        }
        comparisonsLeft -= max(last - ends[place], 0)
        for other in ends[place]..<max(last, ends[place]) where isCertain[other] {
            guard covers(other, needed, ofControl: isControl(place)) else { continue }
            return Fault(
                cause: "lies under \(name(other)) in a window \(window) points wide",
                hint: "give each its own place, or let what is on top let touches through")
        }
        return nil
    }

    private func covers(_ bar: Frame, _ frame: Frame) -> Bool {
        let common = bar.intersection(frame)
        return common.width * common.height > frame.width * frame.height / 2
    }

    private func covers(_ other: Int, _ frame: Frame, ofControl isControl: Bool) -> Bool {
        let box = boxes[other]
        let common = box.frame.intersection(frame)
        guard common.width > 0, common.height > 0 else { return false }
        if isControl, takesTouches(other) {
            let (x, y) = (frame.x + frame.width / 2, frame.y + frame.height / 2)
            return box.frame.x < x && x < box.frame.maxX && box.frame.y < y && y < box.frame.maxY
        }
        guard isOpaque(box) else { return false }
        return common.width * common.height > frame.width * frame.height / 2
    }

    private func takesTouches(_ place: Int) -> Bool {
        switch boxes[place].view.kind {
        case .label, .image, .activity, .progress, .constraint, .bar, .barTitle, .tabs, .screen:
            node(place)?.events[.tap] != nil
        default: true
        }
    }

    private func isOpaque(_ box: PlacedBox) -> Bool {
        guard let appearance = box.look?.appearance, appearance.alpha >= 1 else { return false }
        switch appearance.background {
        case .value(let color): return color.alpha == 255
        case .pair(let light, let dark): return light.alpha == 255 && dark.alpha == 255
        case .role(let role): return role.isGround
        case nil: return false
        }
    }
}

extension ColorRole {
    /// True for the grounds of screens, groups and rows, which let nothing through.
    package var isGround: Bool {
        switch self {
        case .background, .secondaryBackground, .tertiaryBackground, .groupedBackground, .secondaryGroupedBackground,
            .tertiaryGroupedBackground:
            true
        default: false
        }
    }
}
