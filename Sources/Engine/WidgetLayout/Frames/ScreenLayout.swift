package import WidgetCore

/// Lays out views of a program on a screen: each visible node gets a frame, by the looks and rules of its scene and the
/// texts that it shows.
package struct ScreenLayout: Sendable {
    private let program: Program
    private let viewport: Viewport
    private let measure: any TextMeasure
    private let budget: LayoutBudget
    private let pictures: [String: Size]

    package init(
        _ program: Program, _ viewport: Viewport, measure: any TextMeasure = TextMetrics(),
        budget: LayoutBudget = LayoutBudget()
    ) {
        self.program = program
        self.viewport = viewport
        self.measure = measure
        self.budget = budget
        pictures = (program.images ?? [:]).compactMapValues { $0.points }
    }

    package func placed(_ view: View) -> PlacedScreen {
        let scene =
            program.scenes.values.filter { ($0.identifier ?? $0.name) == view.screen }.min { $0.name < $1.name }
            ?? Scene(view.screen, nodes: [])
        return placed(view, in: scene)
    }

    /// Lays out a scene as its author drew it, with a row of each prototype.
    ///
    /// - Parameter isEmpty: true if repetitions have no items, and show what their author has for that.
    package func drawn(_ scene: Scene, isEmpty: Bool = false) -> PlacedScreen {
        let drawn = AuthoredScreen(scene, isEmpty: isEmpty)
        return placed(drawn.view, in: drawn.scene)
    }

    private func placed(_ view: View, in scene: Scene) -> PlacedScreen {
        let sizes = ContentSizes(viewport, measure, pictures: pictures, byteCount: budget.textByteCount)
        var scene = scene
        if let bar = view.tabScene.flatMap({ program.scenes[$0]?.tabBar }) { scene.tabBar = bar }
        var placing = ScreenPlacing(SceneRules(scene), viewport, sizes, budget)
        placing.place(view)
        return placing.finished()
    }
}

/// One screen while it is laid out.
struct ScreenPlacing {
    let rules: SceneRules
    let viewport: Viewport
    var sizes: ContentSizes
    private let budget: LayoutBudget
    private(set) var screen = PlacedScreen()
    private var findings: FindingList
    private var termsLeft: Int
    private var isExhausted = false
    /// Parts whose contradictions are reported: each once, since rows repeat them.
    private var reported: Set<NodeID> = []
    /// The visible part of each box.
    private var visible: [Frame] = []
    var rows: [RowKey: SolvedPart] = [:]
    /// The constants that a running widget has set: of the screen, and of each row.
    private var constants: [ItemKey?: [NodeID: Double]] = [:]

    init(_ rules: SceneRules, _ viewport: Viewport, _ sizes: ContentSizes, _ budget: LayoutBudget) {
        self.rules = rules
        self.viewport = viewport
        self.sizes = sizes
        self.budget = budget
        findings = FindingList(upTo: budget.findingCount)
        termsLeft = budget.termCount
    }

    var scene: Scene { rules.scene }

    func look(_ view: ViewNode) -> Look? { scene.node(view.key.node)?.look }

    mutating func finished() -> PlacedScreen {
        if isExhausted || sizes.isExhausted {
            let limit =
                isExhausted
                ? "\(budget.termCount) steps to lay out" : "\(budget.textByteCount) bytes of text to measure"
            findings.add(
                Finding(
                    .error, .layoutBudget, "The screen takes more than \(limit)", at: scene.place,
                    hint: "the rest is as it was drawn; remove rules, or show fewer rows"))
        }
        screen.findings = findings.all
        screen.termCount = budget.termCount - termsLeft
        return screen
    }

    // MARK: - The screen

    mutating func place(_ view: View) {
        for (key, constant) in view.constants { constants[key.item, default: [:]][key.node] = constant }
        let whole = Frame(x: 0, y: 0, width: viewport.size.width, height: viewport.size.height).harmless
        let root = append(view.root, whole, parent: nil)
        let bar = view.root.children.first { $0.kind == .bar && $0.key.node != ViewKey.toolbar }
        let geometry = scene.navigationBar ?? BarGeometry()
        let margins = AreaInsets(view.insets, isRightToLeft: viewport.direction == .rightToLeft)
        let area = margins.inside(whole).harmless
        let device = AreaInsets(viewport.safeArea, isRightToLeft: viewport.direction == .rightToLeft)
            .beyond(margins)
        var barHeight = bar == nil ? 0 : SystemMeasures.navigationBar
        if bar != nil, geometry.prefersLargeTitle { barHeight += SystemMeasures.largeTitle }
        let below = bottomBar(of: view.root)
        let edges = scene.edges
        var (frame, safe) = (area, device)
        if bar != nil {
            if edges.extendsUnderTopBar, geometry.isTranslucent || edges.extendsUnderOpaqueBars {
                safe.top += barHeight
            } else {
                frame.y += device.top + barHeight
                frame.height -= device.top + barHeight
                safe.top = 0
            }
        }
        if below.height > 0 {
            if edges.extendsUnderBottomBar, below.isTranslucent || edges.extendsUnderOpaqueBars {
                safe.bottom += below.height
            } else {
                frame.height -= device.bottom + below.height
                safe.bottom = 0
            }
        }
        frame = frame.harmless
        for child in view.root.children {
            if child.key.node == ViewKey.toolbar {
                // Tabs lie below a toolbar.
                let end = below.hasTabs ? SystemMeasures.tabBar + device.bottom : 0
                let height = SystemMeasures.toolbar + (below.hasTabs ? 0 : device.bottom)
                placeToolbar(
                    child, Frame(x: area.x, y: area.maxY - end - height, width: area.width, height: height),
                    itemHeight: SystemMeasures.toolbar, in: root)
                continue
            }
            if child.kind == .tabs {
                let height = SystemMeasures.tabBar + device.bottom
                placeTabs(child, Frame(x: area.x, y: area.maxY - height, width: area.width, height: height), in: root)
                continue
            }
            if child.kind == .bar {
                placeBar(
                    child, Frame(x: area.x, y: area.y + device.top, width: area.width, height: barHeight),
                    top: device.top, in: root)
                continue
            }
            var surroundings = LayoutSystem.Surroundings(width: frame.width, height: frame.height)
            surroundings.safe = safe
            surroundings.isScreen = true
            surroundings.adjustsInsets = edges.adjustsScrollInsets
            let part = solved(child, surroundings)
            emit(part, at: (frame.x, frame.y), in: root)
        }
    }

    /// The bars at the bottom: a toolbar, tabs or both.
    private func bottomBar(of root: ViewNode) -> (height: Double, isTranslucent: Bool, hasTabs: Bool) {
        var (height, isTranslucent) = (0.0, true)
        if let toolbar = scene.toolbar, !toolbar.isHidden {
            height += SystemMeasures.toolbar
            isTranslucent = toolbar.isTranslucent
        }
        let hasTabs = root.children.contains { $0.kind == .tabs }
        if hasTabs {
            height += SystemMeasures.tabBar
            isTranslucent = isTranslucent && scene.tabBar?.isTranslucent ?? true
        }
        return (height, isTranslucent, hasTabs)
    }

    // MARK: - Parts

    func constants(of view: ViewNode) -> [NodeID: Double] {
        let common = constants[nil] ?? [:]
        guard let item = view.key.item, let own = constants[item] else { return common }
        return common.merging(own) { $1 }
    }

    /// Solves one part of the screen.
    mutating func solved(_ view: ViewNode, _ around: LayoutSystem.Surroundings) -> SolvedPart {
        var surroundings = around
        if !constants.isEmpty { surroundings.constants = constants(of: view) }
        var system = LayoutSystem(view, rules, surroundings, viewport)
        if rules.isPlaced(view.key.node), !isExhausted {
            var solver = SystemSolver(system)
            let own = min(SolverBudget().termCount, max(termsLeft, 1))
            solver.solve(&sizes, budget: SolverBudget(termCount: own))
            termsLeft -= solver.outcome.work
            isExhausted = termsLeft <= 0 || solver.outcome.isExhausted
            system = solver.system
            report(solver.outcome, system)
        } else if rules.isPlaced(view.key.node) {
            system.placeAsDrawn()
        }
        system.placeOthers(&sizes)
        return SolvedPart(boxes: system.boxes.filter { $0.view != nil })
    }

    private mutating func report(_ outcome: SystemSolver.Outcome, _ system: LayoutSystem) {
        guard outcome.conflictCount > 0 || !outcome.undecided.isEmpty || !outcome.unusable.isEmpty,
            reported.insert(system.boxes[0].node).inserted
        else { return }
        let names = RuleNames(scene, system)
        for finding in names.findings(outcome) { findings.add(finding) }
    }

    /// Adds the boxes of a part to the screen.
    mutating func emit(
        _ part: SolvedPart, as views: [ViewNode]? = nil, at origin: (x: Double, y: Double), in parent: Int
    ) {
        // Places of the part's boxes on the screen, by what they were in their system.
        var places: [Int: Int] = [:]
        for (index, box) in part.boxes.enumerated() {
            guard let view = views?[index] ?? box.view else { continue }
            let around = index == 0 ? parent : places[box.parent] ?? parent
            let frame = box.frame.moved(x: origin.x, y: origin.y)
            let place = append(view, frame, parent: around, look: box.look)
            places[index] = place
            if let content = box.content {
                screen.contents[place] = Size(width: content.width, height: content.height)
            }
            switch box.kind {
            case .list: placeList(view, box, frame, at: place)
            case .grid: placeGrid(view, box, frame, at: place)
            default: break
            }
        }
    }

    @discardableResult
    mutating func append(_ view: ViewNode, _ frame: Frame, parent: Int?, look: Look? = nil) -> Int {
        let (place, frame) = (screen.boxes.count, frame.harmless)
        var box = PlacedBox(view: view, parent: parent, frame: frame, look: look, scene: scene.name)
        let around = parent.map { visible[$0] } ?? frame
        let seen = frame.intersection(around)
        box.isClipped = seen.width < frame.width - 0.5 || seen.height < frame.height - 0.5
        let clips = look?.appearance.clips ?? (look?.scrolling != nil)
        visible.append(clips || parent == nil ? seen : around)
        addText(view, look, &box)
        screen.places[view.key] = place
        screen.boxes.append(box)
        return place
    }

    mutating func setContent(_ place: Int, _ size: Size) { screen.contents[place] = size }

    private mutating func addText(_ view: ViewNode, _ look: Look?, _ box: inout PlacedBox) {
        guard var text = sizes.text(of: view, look) else { return }
        let insets = textInsets(view, look)
        let width = max(box.frame.width - insets.x * 2, 0)
        if text.most == 1, let least = look?.appearance.minimumScale, least < 1, least > 0 {
            let natural = sizes.size(of: text).width
            if natural > width, width > 0 { text.font = text.font.scaled(by: max(least, width / natural)) }
        }
        let size = sizes.size(of: text, width: width)
        let isNarrow = sizes.size(of: text, width: width).width > width + 0.5
        box.font = text.font
        box.lineCount = text.text.isEmpty ? 0 : size.lineCount
        box.isTextCut = size.isCut || isNarrow || size.height > box.frame.height + 0.5
        let isTop = view.kind == .textArea
        var room = box.frame.height
        if view.kind == .textField {
            room = max(room - sizes.messageHeight(view, look, width: box.frame.width), min(room, size.height))
        }
        let top = isTop ? box.frame.y + insets.y : box.frame.y + (room - max(size.height, 0)) / 2
        if !text.text.isEmpty { box.baseline = top + text.font.size * ResolvedFont.ascender }
    }

    private func textInsets(_ view: ViewNode, _ look: Look?) -> (x: Double, y: Double) {
        switch view.kind {
        case .textArea: return SystemMeasures.textAreaInsets
        case .textField:
            let hasBorder = look?.appearance.fieldBorder.map { $0 != .none } ?? false
            return (hasBorder ? SystemMeasures.fieldPadding : 0, 0)
        case .searchField: return SystemMeasures.searchFieldInset
        default: return (0, 0)
        }
    }
}

/// The boxes of one part, without hidden ones, in the coordinates of the first.
struct SolvedPart {
    /// Parents are places in the system, which are those of this list: hidden boxes came last.
    var boxes: [LayoutSystem.Box]

    var height: Double { boxes.first?.frame.height ?? 0 }
}

extension Frame {
    /// The common part; without size where frames lie apart.
    func intersection(_ other: Frame) -> Frame {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Frame(
            x: left, y: top, width: max(min(maxX, other.maxX) - left, 0), height: max(min(maxY, other.maxY) - top, 0))
    }
}
