package import WidgetCore

extension LayoutPlan {
    /// Plans a scene.
    package init(of scene: Scene) {
        let classes = SizeClasses(width: .compact, height: .regular)
        let base = LayoutPlanner(scene, classes).plan()
        var variants: [LayoutVariant] = []
        if scene.rules.contains(where: { !$0.variations.isEmpty }) {
            for other in LayoutPlanner.allClasses {
                let plan = other == classes ? base : LayoutPlanner(scene, other).plan()
                variants = LayoutPlan.adding(plan, for: other, to: variants)
            }
        }
        var (containers, boxes) = (base.containers, base.boxes)
        variants = LayoutPlan.differing(variants, of: scene, &containers, &boxes)
        self.init(
            containers: containers, boxes: boxes, variants: variants, covered: base.covered,
            findings: LayoutPlanner.findings(scene, containers))
    }

    private static func adding(
        _ plan: LayoutPlanner.Result, for classes: SizeClasses, to variants: [LayoutVariant]
    ) -> [LayoutVariant] {
        var variants = variants
        if let place = variants.firstIndex(where: { $0.containers == plan.containers && $0.boxes == plan.boxes }) {
            let same = variants[place]
            variants[place] = LayoutVariant(
                classes: same.classes + [classes], containers: same.containers, boxes: same.boxes)
        } else {
            variants.append(LayoutVariant(classes: [classes], containers: plan.containers, boxes: plan.boxes))
        }
        return variants
    }

    /// The reason why no stylesheet can express a container that two size classes plan differently.
    private static func reason(_ base: PlannedContainer, _ other: PlannedContainer) -> SolvedReason? {
        switch (base.form, other.form) {
        case (.solved(let reason), .solved): return base == other ? nil : reason
        case (.solved(let reason), _), (_, .solved(let reason)): return reason
        default:
            return other.arrangement != base.arrangement || other.wrappers.count != base.wrappers.count ? .classes : nil
        }
    }

    /// Keeps the containers that differ between size classes. One whose children are nested differently needs a solver,
    /// since a page has one nesting for all sizes.
    private static func differing(
        _ variants: [LayoutVariant], of scene: Scene, _ containers: inout [NodeID: PlannedContainer],
        _ boxes: inout [NodeID: PlannedBox]
    ) -> [LayoutVariant] {
        guard variants.count > 1 else { return [] }
        var differing: Set<NodeID> = []
        for (node, base) in containers {
            var differs = false
            for variant in variants {
                guard let other = variant.containers[node] else { continue }
                if let reason = LayoutPlan.reason(base, other) {
                    containers[node] = PlannedContainer.solved(
                        reason, ReadingPlan.nodes(of: base.arrangement), fitsWidth: base.fitsWidth,
                        fitsHeight: base.fitsHeight)
                    for child in ReadingPlan.nodes(of: base.arrangement) {
                        boxes[child] = PlannedBox.drawn(scene.node(child)?.frame)
                    }
                    differs = false
                    break
                }
                let nodes = ReadingPlan.nodes(of: base.arrangement)
                if other != base || nodes.contains(where: { variant.boxes[$0] != boxes[$0] }) { differs = true }
            }
            if differs { differing.insert(node) }
        }
        return variants.map { variant in
            let nodes = differing.flatMap { ReadingPlan.nodes(of: containers[$0]?.arrangement ?? []) }
            return LayoutVariant(
                classes: variant.classes, containers: variant.containers.filter { differing.contains($0.key) },
                boxes: Dictionary(
                    uniqueKeysWithValues: Set(nodes).compactMap { node in
                        variant.boxes[node].map { (node, $0) }
                    }))
        }
    }
}

/// The children of a container that begin below its top: behind others in a column, or in a column that itself does.
private struct LowerParts {
    private(set) var nodes: Set<NodeID> = []
    private let boxes: [NodeID: PlannedBox]
    private let wrappers: [PlannedWrapper]

    init(_ planned: ContainerPlanner.Planned) {
        (boxes, wrappers) = (planned.boxes, planned.container.wrappers)
        let isColumn = if case .stack(let stack) = planned.container.form { stack.axis == .vertical } else { false }
        guard isColumn || !wrappers.isEmpty else { return }
        read(planned.container.arrangement, isColumn: isColumn, isLower: false)
    }

    private mutating func read(_ parts: [Arranged], isColumn: Bool, isLower: Bool) {
        for (place, part) in parts.enumerated() {
            let isBehind = isLower || isColumn && place > 0
            switch part {
            case .node(let node):
                if isBehind || isColumn && hasGap(boxes[node]) { nodes.insert(node) }
            case .wrapper(let index, let inner):
                let wrapper = wrappers[index]
                let isApart = wrapper.box.y.startDistance?.isZero != true || isColumn && hasGap(wrapper.box)
                read(inner, isColumn: wrapper.kind == .column, isLower: isBehind || isApart)
            }
        }
    }

    private func hasGap(_ box: PlannedBox?) -> Bool {
        guard case .item(let item)? = box?.placement else { return false }
        return item.isGapElastic || !item.gap.isZero
    }
}

/// Plans the containers of a scene for one size class, each before those in it.
struct LayoutPlanner {
    struct Result {
        var containers: [NodeID: PlannedContainer] = [:]
        var boxes: [NodeID: PlannedBox] = [:]
        var covered: [NodeID: CoveredEdges] = [:]
    }

    static let allClasses: [SizeClasses] = [SizeClasses.Length.compact, .regular].flatMap { width in
        [SizeClasses.Length.regular, .compact].map { SizeClasses(width: width, height: $0) }
    }

    private let scene: Scene
    private let classes: SizeClasses
    private let tree: SceneTree
    /// By container.
    private let rules: [NodeID: [(rule: LayoutRule, constant: Double)]]
    private let distant: Set<NodeID>
    private let connections: [NodeID: ContentConnection]
    private let firstScrolling: NodeID?
    private let weakestTexts: WeakestTexts
    private let loosestParts: LoosestParts

    init(_ scene: Scene, _ classes: SizeClasses) {
        self.scene = scene
        self.classes = classes
        tree = SceneTree(scene)
        let sorted = SortedRules(scene, classes, tree)
        rules = sorted.rules
        distant = sorted.distant
        connections = ContentConnection.all(sorted.rules, tree, scene)
        firstScrolling = scene.firstScrolling
        weakestTexts = WeakestTexts(scene, tree)
        loosestParts = LoosestParts(scene, tree)
    }

    /// The properties of a container that its parent decides.
    private struct Context {
        var fitsWidth = false
        var fitsHeight = false
        var covered: CoveredEdges = []
        var isRow = false
        var inherited = ContainerAreas.Inherited()
    }

    func plan() -> Result {
        var result = Result()
        result.boxes.reserveCapacity(scene.nodes.count)
        var contexts: [NodeID: Context] = [:]
        if let root = scene.node(scene.root), root.look?.scrolling != nil {
            // A list whose rows are those of a source has no children.
            result.covered[scene.root] = insets(scene.root, rootContext(scene.root))
        }
        for container in tree.containers {
            let context = contexts[container] ?? rootContext(container)
            let children = tree.children[container]
            let planned = plan(container, children, context)
            result.containers[container] = planned.container
            for (node, box) in planned.boxes { result.boxes[node] = box }
            // Found for the few containers that bars cover.
            let lower = context.covered.contains(.top) ? LowerParts(planned) : nil
            for child in children where !tree.children[child].isEmpty || scene.nodes[child].look?.scrolling != nil {
                var inner = self.context(of: child, planned.boxes[child], planned.container, context)
                // Content that begins beside bars is not covered by them.
                if result.covered[container] != nil { inner.covered = [] }
                if lower?.nodes.contains(child) ?? false { inner.covered.subtract(.top) }
                contexts[child] = inner
                if scene.nodes[child].look?.scrolling != nil { result.covered[child] = insets(child, inner) }
            }
        }
        return result
    }

    /// Content scrolls under bars unless its author forbade it. A view that cannot scroll stays where it is.
    private func insets(_ node: NodeID, _ context: Context) -> CoveredEdges? {
        let vertical = context.covered.intersection([.top, .bottom])
        let isInset = scene.insetsContent(
            of: node, isFirst: node == firstScrolling, adjusts: scene.edges.adjustsScrollInsets)
        return isInset && !vertical.isEmpty ? vertical : nil
    }

    private func rootContext(_ node: NodeID) -> Context {
        var context = Context()
        if node == scene.root { context.covered = .all }
        context.isRow = scene.nodes[node].kind == .row
        context.fitsHeight = context.isRow && connects(node, .vertical)
        return context
    }

    private func connects(_ node: NodeID, _ axis: Axis) -> Bool {
        if scene.nodes[node].look?.stack != nil { return !tree.children[node].isEmpty }
        if axis == .vertical, scene.nodes[node].kind == .row, let content = scene.stackedContent(ofRow: node) {
            return !tree.children[content].isEmpty
        }
        guard let connection = connections[node] else { return false }
        return axis == .horizontal ? connection.x : connection.y
    }

    private func context(
        of child: NodeID, _ box: PlannedBox?, _ container: PlannedContainer, _ outer: Context
    ) -> Context {
        var context = Context()
        let look = scene.nodes[child].look
        context.isRow = scene.nodes[child].kind == .row || look?.geometry.role == .contentView && outer.isRow
        guard let box else {
            let isTitle = [.sectionHeader, .sectionFooter].contains(scene.nodes[child].kind)
            context.fitsHeight = (context.isRow || isTitle) && connects(child, .vertical)
            return context
        }
        context.fitsWidth = fits(box.x, container.fitsWidth, box.placement) && connects(child, .horizontal)
        context.fitsHeight = fits(box.y, container.fitsHeight, box.placement) && connects(child, .vertical)
        if scene.nodes[child].kind == .row {
            // A list gives its rows their width.
            context.fitsWidth = false
            context.fitsHeight = connects(child, .vertical)
        }
        if look?.geometry.preservesParentMargins ?? false, let parent = tree.parent[child] {
            context.inherited = areas(parent, outer).inherited(at: box)
        }
        if case .start(let start) = box.y.anchor, start.isZero {
            context.covered.formUnion(outer.covered.intersection(.top))
        }
        if case .both(let start, let end) = box.y.anchor {
            if start.isZero { context.covered.formUnion(outer.covered.intersection(.top)) }
            if end.isZero { context.covered.formUnion(outer.covered.intersection(.bottom)) }
        }
        if case .both(let start, let end) = box.x.anchor, start.isZero, end.isZero {
            context.covered.formUnion(outer.covered.intersection(.sides))
        }
        return context
    }

    private func fits(_ extent: Extent, _ outerFits: Bool, _ placement: Placement) -> Bool {
        switch extent.length {
        case .content: true
        case .fixed, .ratio: false
        case .fill: outerFits && placement != .free
        }
    }

    // MARK: - Kinds of containers

    private func plan(_ container: NodeID, _ children: [NodeID], _ context: Context) -> ContainerPlanner.Planned {
        let node = scene.nodes[container]
        if let stack = node.look?.stack {
            let rules = edgeRules(container, children, context)
            return StackPlanner(
                scene, children, stack, rules, weakestTexts, loosestParts, fitsWidth: context.fitsWidth,
                fitsHeight: context.fitsHeight
            )
            .plan()
        }
        switch node.kind {
        case .list, .grid: return ListPlanner(scene, children).plan()
        // A bar lays out its items.
        case .bar: return ContainerPlanner.Planned(container: PlannedContainer(form: .list), boxes: [:])
        case .barTitle: return ListPlanner(scene, children).planTitle()
        default: break
        }
        var fits = (x: context.fitsWidth, y: context.fitsHeight)
        var scrolls = (x: false, y: false)
        if node.look?.scrolling != nil, connections[container] != nil, node.kind == .box || node.kind == .form {
            // Rules to the edges of a scroll view are about its content.
            scrolls = scrolling(container, children)
            if scrolls.x { fits.x = true }
            if scrolls.y { fits.y = true }
        }
        let special = ListPlanner.parts(children, scene)
        let planner = ContainerPlanner(
            scene: scene, container: container, children: special.ordinary,
            rules: edgeRules(container, special.ordinary, context), fitsWidth: fits.x, fitsHeight: fits.y,
            isScrolling: scrolls.x || scrolls.y, connects: { connects($0, $1) })
        var planned = planner.plan()
        if scrolls.x || scrolls.y, planned.container.form == .boxes {
            planned.container.form = .scroll(horizontal: scrolls.x, vertical: scrolls.y)
        }
        if !special.boxes.isEmpty {
            planned.boxes.merge(special.boxes) { _, special in special }
            planned.container.arrangement =
                special.before.map { .node($0) } + planned.container.arrangement + special.behind.map { .node($0) }
        }
        return planned
    }

    private func edgeRules(_ container: NodeID, _ children: [NodeID], _ context: Context) -> EdgeRules {
        var edges = EdgeRules()
        edges.hasDistantRule = distant.contains(container)
        guard let rules = rules[container] else { return edges }
        let places = Dictionary(uniqueKeysWithValues: children.enumerated().map { ($1, $0) })
        let areas = areas(container, context)
        let usual = Insets(
            top: SystemMeasures.margin, leading: SystemMeasures.margin, bottom: SystemMeasures.margin,
            trailing: SystemMeasures.margin)
        let reader = EdgeRuleReader(
            areas: areas, place: { places[$0] },
            childMargins: { scene.nodes[$0].look?.geometry.margins ?? usual })
        for (rule, constant) in rules { reader.add(rule, constant: constant, to: &edges) }
        return edges
    }

    private func areas(_ container: NodeID, _ context: Context) -> ContainerAreas {
        ContainerAreas(
            container, scene.nodes[container].look?.geometry ?? Geometry(), covered: context.covered,
            hasScreenMargins: container == scene.root || context.isRow, isRow: context.isRow,
            inherited: context.inherited)
    }

    /// A scroll view scrolls along the axes on which its rules tie content to both edges, unless a rule makes the
    /// content as long as the view.
    private func scrolling(_ container: NodeID, _ children: [NodeID]) -> (x: Bool, y: Bool) {
        var scrolls = (x: connections[container]?.x ?? false, y: connections[container]?.y ?? false)
        for (rule, _) in rules[container] ?? [] where rule.relation == .equal {
            guard let second = rule.second, rule.secondAttribute == rule.attribute,
                (second.node == container) != (rule.first.node == container)
            else { continue }
            if rule.attribute == .width { scrolls.x = false }
            if rule.attribute == .height { scrolls.y = false }
        }
        return scrolls
    }

    // MARK: - Findings

    static func findings(_ scene: Scene, _ containers: [NodeID: PlannedContainer]) -> [Finding] {
        var findings = FindingList(upTo: findingCount)
        for node in containers.keys.sorted() {
            guard case .solved(let reason) = containers[node]?.form else { continue }
            let name =
                scene.nodes[node].identifier.map { "\"\($0.shortened(toByteCount: nameLength))\"" } ?? "without a name"
            findings.add(
                Finding(
                    .warning, .layoutSolved,
                    "No stylesheet can express the layout of the \(scene.nodes[node].kind.row.name) \(name): \(reason.rawValue)",
                    at: scene.nodes[node].place,
                    hint: "a page is right at the widths of usual windows, and nearly so between them"
                ))
        }
        return findings.all
    }

    /// Findings of one scene, and characters of a name in them.
    private static let findingCount = 50
    private static let nameLength = 60
}
