internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// The rules of one scene: a class for each authored node, and one for each wrapper.
struct SceneStyles {
    private let scene: Scene
    private let plan: LayoutPlan
    private let classes: LayoutClasses
    private let place: Int
    /// By row, the list that shows it.
    private let lists: [NodeID: NodeID]
    /// Rows whose content rules lay out.
    private let ruledRows: Set<NodeID>
    /// Texts and pictures over controls.
    private let overControls: Set<NodeID>

    init(_ scene: Scene, _ plan: LayoutPlan, _ classes: LayoutClasses, _ place: Int) {
        self.scene = scene
        self.plan = plan
        self.classes = classes
        self.place = place
        var lists: [NodeID: NodeID] = [:]
        for (id, node) in scene.nodes.enumerated() where node.kind == .list || node.kind == .grid {
            for row in node.list?.prototypes.values ?? [:].values { lists[row] = id }
            var pending = node.children
            while let child = pending.popLast() {
                guard let part = scene.node(child), lists[child] == nil else { continue }
                if part.kind == .row { lists[child] = id }
                // Rows that are repeated for items lie in the node that repeats them.
                if part.repetition != nil { pending += part.children }
            }
        }
        self.lists = lists
        ruledRows = SceneStyles.ruledRows(scene, lists)
        overControls = TouchOrder.overControls(scene)
    }

    private static func ruledRows(_ scene: Scene, _ lists: [NodeID: NodeID]) -> Set<NodeID> {
        var rows: Set<NodeID> = []
        var seen: Set<NodeID> = []
        let stacks = scene.nodes.indices.filter { scene.nodes[$0].look?.stack != nil }
        for start in scene.rules.map({ $0.first.node }) + stacks {
            var next: NodeID? = start
            while let id = next, let node = scene.node(id), seen.insert(id).inserted {
                if lists[id] != nil { rows.insert(id) }
                next = node.parent
            }
        }
        return rows
    }

    private func selector(_ node: NodeID, _ rest: StaticString = "") -> StyleSelector {
        StyleSelector(class: classes.node(place, node), rest)
    }

    func write(to sheet: inout RuleList) {
        let varying = Set(plan.variants.flatMap { $0.containers.keys })
        let parents = parents(of: plan.containers)
        let rowItems = rowItems(plan.containers)
        for (id, node) in scene.nodes.enumerated() {
            var style = StyleDeclarations()
            if node.kind == .constraint { continue }
            let isVarying = parents[id].map(varying.contains) ?? false
            if let box = plan.boxes[id], !isVarying {
                style.add(BoxStyle.declarations(box, content(node), isInRow: rowItems.contains(id)))
                style.add(FieldStyle.declarations(node, in: box))
                // Dots lie in the middle of any height, and the halves that turn pages are higher than they are.
                if node.kind == .pageControl, case .fixed = box.y.length { style.set("min-height", "0") }
            }
            if let container = plan.containers[id], !varying.contains(id) {
                style.add(ContainerStyle.declarations(container, plan.boxes, node))
            }
            style.add(insets(id))
            style.add(AppearanceStyle.declarations(node, on: ground(around: id)))
            if let list = lists[id] { style.add(row(id, node, in: list, to: &sheet)) }
            style.add(title(id, node))
            style.add(archived(node, in: plan.boxes[id], isInRow: rowItems.contains(id)))
            if id == scene.root { margins(to: &style, &sheet) }
            if node.look?.geometry.isForcedLeftToRight ?? false { style.set("direction", "ltr") }
            sheet.add(selector(id), style)
            if overControls.contains(id) {
                var style = StyleDeclarations()
                style.set("pointer-events", "none")
                // One that takes taps itself is a button. The selector weighs more than that of a wrapper's children.
                sheet.add(selector(id, ":not(button)"), style)
            }
            clamp(id, node, to: &sheet)
            if node.kind == .button, rowItems.contains(id) { shorten(id, to: &sheet) }
            for (index, run) in (node.look?.appearance.runs ?? []).enumerated() {
                sheet.add(StyleSelector(class: classes.run(place, id, index)), RunStyle.declarations(run))
            }
            if node.kind == .button, let look = node.look {
                ButtonParts(look).write({ selector(id, $0) }, to: &sheet)
            }
            if let button = node.look?.button { ButtonStates.write(button, { selector(id, $0) }, to: &sheet) }
            highlight(id, node, to: &sheet)
            if let list = node.look?.list { ListStyle(list, node).write(selector: { selector(id, $0) }, to: &sheet) }
        }
        for (id, container) in plan.containers.sorted(by: { $0.key < $1.key }) where !varying.contains(id) {
            wrappers(id, container, to: &sheet)
        }
        variants(to: &sheet)
    }

    // MARK: - Boxes

    private func content(_ node: Node) -> BoxStyle.Content {
        switch node.kind {
        case .label: (node.look?.appearance.lines ?? 1) == 1 ? .text : .words
        case .button: .title
        case .textField, .segments, .pageControl: .control
        case .image, .textArea, .searchField, .toggle, .slider, .stepper, .picker, .datePicker, .activity, .progress:
            .replaced
        case .box, .web, .native, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar, .barTitle, .tabs, .tab,
            .form, .screen, .constraint, .unknown:
            .other
        }
    }

    /// The container of each node.
    private func parents(of containers: [NodeID: PlannedContainer]) -> [NodeID: NodeID] {
        var parents: [NodeID: NodeID] = [:]
        for (id, container) in containers {
            for node in Arrangement.nodes(container.arrangement) { parents[node] = id }
        }
        return parents
    }

    /// The nodes that are items of rows, not of columns.
    private func rowItems(_ containers: [NodeID: PlannedContainer]) -> Set<NodeID> {
        var items: Set<NodeID> = []
        for container in containers.values {
            let isRow = if case .stack(let stack) = container.form { stack.axis == .horizontal } else { false }
            for (part, wrapper) in Arrangement.parts(container.arrangement) {
                guard case .node(let node) = part else { continue }
                if wrapper.map({ container.wrappers[$0].kind == .row }) ?? isRow { items.insert(node) }
            }
        }
        return items
    }

    private func wrappers(_ id: NodeID, _ container: PlannedContainer, to sheet: inout RuleList) {
        for (part, outer) in Arrangement.parts(container.arrangement) {
            guard case .wrapper(let index, _) = part, container.wrappers.indices.contains(index) else { continue }
            let wrapper = container.wrappers[index]
            let isInRow = outer.map { container.wrappers[$0].kind == .row } ?? false
            var style = BoxStyle.declarations(wrapper.box, .other, isInRow: isInRow)
            switch wrapper.kind {
            case .column:
                style.set("display", "flex")
                style.set("flex-direction", "column")
            case .row: style.set("display", "flex")
            case .layer:
                style.set("display", "grid")
                style.set("grid-template-columns", "minmax(0,1fr)")
            }
            let name = classes.wrapper(place, id, index)
            // In a row, the button under its content takes all touches.
            if scene.nodes[id].prototype == nil, scene.nodes[id].kind != .row {
                style.set("pointer-events", "none")
                var touchable = StyleDeclarations()
                touchable.set("pointer-events", "auto")
                sheet.add(StyleSelector(class: name, ">*"), touchable)
            }
            sheet.add(StyleSelector(class: name), style)
        }
    }

    // MARK: - Size classes

    private func variants(to sheet: inout RuleList) {
        for variant in plan.variants {
            let condition = SceneStyles.condition(variant.classes)
            let rowItems = rowItems(variant.containers)
            sheet.block(condition) { block in
                for (id, container) in variant.containers.sorted(by: { $0.key < $1.key }) {
                    block.add(selector(id), ContainerStyle.declarations(container, variant.boxes, scene.nodes[id]))
                    for node in Arrangement.nodes(container.arrangement) {
                        guard let box = variant.boxes[node] else { continue }
                        var style = BoxStyle.declarations(
                            box, content(scene.nodes[node]), isInRow: rowItems.contains(node))
                        style.add(FieldStyle.declarations(scene.nodes[node], in: box))
                        block.add(selector(node), style)
                    }
                    wrappers(id, container, to: &block)
                }
            }
        }
    }

    /// The widths and heights of the screen's container that have one of the classes.
    static func condition(_ classes: [SizeClasses]) -> StaticString {
        let all: Set<SizeClasses> = Set(classes)
        let compactWidth = SizeClasses(width: .compact, height: .regular)
        let compact = SizeClasses(width: .compact, height: .compact)
        let regular = SizeClasses(width: .regular, height: .regular)
        let compactHeight = SizeClasses(width: .regular, height: .compact)
        switch (
            all.contains(compactWidth), all.contains(compact), all.contains(regular), all.contains(compactHeight)
        ) {
        case (true, true, true, true), (false, false, false, false): return "@container (width >= 0px)"
        case (true, true, false, false): return "@container (width < 744px)"
        case (false, false, true, true): return "@container (width >= 744px)"
        case (true, false, true, false): return "@container (height >= 480px)"
        case (false, true, false, true): return "@container (height < 480px)"
        case (true, false, false, false): return "@container (width < 744px) and (height >= 480px)"
        case (false, true, false, false): return "@container (width < 744px) and (height < 480px)"
        case (false, false, true, false): return "@container (width >= 744px) and (height >= 480px)"
        case (false, false, false, true): return "@container (width >= 744px) and (height < 480px)"
        case (true, true, true, false): return "@container ((width < 744px) or (height >= 480px))"
        case (true, true, false, true): return "@container ((width < 744px) or (height < 480px))"
        case (true, false, true, true): return "@container ((width >= 744px) or (height >= 480px))"
        case (false, true, true, true): return "@container ((width >= 744px) or (height < 480px))"
        case (true, false, false, true):
            return """
                @container (((width < 744px) and (height >= 480px)) or ((width >= 744px) and (height < 480px)))
                """
        case (false, true, true, false):
            return """
                @container (((width < 744px) and (height < 480px)) or ((width >= 744px) and (height >= 480px)))
                """
        }
    }

    /// The margins at the sides of a screen are wider from this width on.
    private func margins(to style: inout StyleDeclarations, _ sheet: inout RuleList) {
        let boxes = Array(plan.boxes.values) + plan.containers.values.flatMap { $0.wrappers.map { $0.box } }
        guard boxes.contains(where: { $0.x.ownLengths.contains(where: LengthStyle.usesMargin) }) else {
            return
        }
        style.set("--m", "16px")
        var wide = StyleDeclarations()
        wide.set("--m", "20px")
        sheet.block("@container (width >= 414px)") { $0.add(selector(scene.root), wide) }
    }

    // MARK: - Text and rows

    /// Lines beyond the last one are left out. The text of a label is in an element inside the label's.
    private func clamp(_ id: NodeID, _ node: Node, to sheet: inout RuleList) {
        guard node.kind == .label, let lines = node.look?.appearance.lines, lines > 1 else { return }
        var style = StyleDeclarations()
        style.set("display", "-webkit-box")
        style.set("-webkit-box-orient", "vertical")
        style.set("-webkit-line-clamp", .number(Double(min(lines, SceneStyles.lineLimit))))
        sheet.add(selector(id, ">span"), style)
    }

    private static let lineLimit = 10_000

    /// The title of a button whose row is too short for its longest word is cut off, as in frames.
    private func shorten(_ id: NodeID, to sheet: inout RuleList) {
        guard case .item(let item)? = plan.boxes[id]?.placement, item.shrinkRank > 0 else { return }
        var style = StyleDeclarations()
        style.set("min-width", "0")
        style.set("overflow", "hidden")
        style.set("text-overflow", "ellipsis")
        style.set("overflow-wrap", "normal")
        sheet.add(selector(id, ">span:not(.tp,.ni)"), style)
    }

    /// The colour of a label while the row around it is selected or pressed.
    private func highlight(_ id: NodeID, _ node: Node, to sheet: inout RuleList) {
        guard node.kind == .label, let color = node.look?.appearance.highlighted else { return }
        var style = StyleDeclarations()
        style.set("color", AppearanceStyle.value(color))
        sheet.add(selector(id, ":is(.selected *,.hit:active~*,.hit:active~* *)"), style)
    }

    /// A scroll view's content begins below bars and ends above them.
    private func insets(_ id: NodeID) -> StyleDeclarations {
        var style = StyleDeclarations()
        let own = scene.nodes[id].look?.scrolling?.inset ?? .zero
        let covered = plan.covered[id] ?? []
        var (top, bottom) = (Affine(Affine.bounded(own.top)), Affine(Affine.bounded(own.bottom)))
        if covered.contains(.top) { top.safeStart = 1 }
        if covered.contains(.bottom) { bottom.safeEnd = 1 }
        if !top.isZero { style.set("padding-top", LengthStyle.value(top, .vertical)) }
        if !bottom.isZero { style.set("padding-bottom", LengthStyle.value(bottom, .vertical)) }
        let side = ListMeasures(scene.nodes[id].look?.list).sideMargin
        let (first, last) = (Affine.bounded(own.leading) + side, Affine.bounded(own.trailing) + side)
        if first != 0 || last != 0 {
            style.set(own.isPhysical ? "padding-left" : "padding-inline-start", .points(max(first, 0)))
            style.set(own.isPhysical ? "padding-right" : "padding-inline-end", .points(max(last, 0)))
        }
        return style
    }

    /// The nearest opaque ground that an author painted around a node.
    private func ground(around id: NodeID) -> Bool? {
        var next = lists[id] ?? scene.nodes[id].parent
        for _ in 0..<SceneStyles.climbLimit {
            guard let place = next, let node = scene.node(place) else { return nil }
            if let ground = AppearanceStyle.ground(of: node) { return ground }
            next = lists[place] ?? node.parent
        }
        return nil
    }

    private static let climbLimit = 100

    /// Controls have the heights that they had when they were drawn, unless rules or the stack around them say others.
    private func archived(_ node: Node, in box: PlannedBox?, isInRow: Bool) -> StyleDeclarations {
        var style = StyleDeclarations()
        switch node.kind {
        case .picker, .datePicker:
            let height = FieldMeasures.picker(node.look, node.frame)
            style.set("min-height", .points(height))
            // In the room of wheels a field has its own height.
            if height > FieldMeasures.highest { style.set("align-items", "center") }
        case .segments, .slider, .progress:
            if node.kind != .progress, isGiven(box, isInRow) {
                // One that is made lower can still be touched.
                style.set("min-height", .points(FieldMeasures.least))
                break
            }
            guard let height = FieldMeasures.archived(node.look, node.frame) else { break }
            style.set("min-height", .points(height))
            // What is stretched is at least as high.
            let isAsHigh =
                switch box?.y.length {
                case .content: node.kind != .slider
                case .fill: node.kind == .segments && box?.placement == .cell
                case nil: node.kind == .segments
                case .fixed, .ratio: false
                }
            if isAsHigh { style.set("height", .points(height)) }
        default: break
        }
        return style
    }

    /// True if a rule, or its share of a column, says how high a box is.
    private func isGiven(_ box: PlannedBox?, _ isInRow: Bool) -> Bool {
        if case .fixed? = box?.y.length { return true }
        return if case .item(let item)? = box?.placement { item.isShare && !isInRow } else { false }
    }

    /// The height of the title of a section, which lies between the rows of a list.
    private func title(_ id: NodeID, _ node: Node) -> StyleDeclarations {
        var style = StyleDeclarations()
        guard node.kind == .sectionHeader || node.kind == .sectionFooter,
            node.look?.geometry.role ?? .content == .content, let list = node.parent.flatMap({ scene.node($0) }),
            list.kind == .list
        else { return style }
        let height = ListMeasures(list.look?.list).titleHeight(node, isFooter: node.kind == .sectionFooter)
        let grows = plan.containers[id]?.fitsHeight ?? false
        style.set(grows ? "min-height" : "height", .points(height))
        return style
    }

    private func row(_ id: NodeID, _ node: Node, in list: NodeID, to sheet: inout RuleList) -> StyleDeclarations {
        guard let geometry = scene.nodes[list].look?.list else { return StyleDeclarations() }
        let fits = plan.containers[id]?.fitsHeight ?? false
        let style = ListStyle(geometry, scene.nodes[list])
        let template = scene.nodes[list].list
        let isTitle = id == template?.header || id == template?.footer
        if geometry.grid == nil, !isTitle { style.separator(node, { selector(id, $0) }, to: &sheet) }
        let section =
            id == template?.header
            ? geometry.sectionHeaderHeight : id == template?.footer ? geometry.sectionFooterHeight : nil
        let sectionHeight = section.flatMap { $0 > 0 ? $0 : nil }
        return style.row(
            node, fitsHeight: fits, isRuled: ruledRows.contains(id), sectionHeight: sectionHeight)
    }
}

/// The height of a field that no rule sizes: a line of its text has room, and nothing presses it flat.
enum FieldStyle {
    static func declarations(_ node: Node, in box: PlannedBox) -> StyleDeclarations {
        var style = StyleDeclarations()
        guard node.kind == .textField, box.y.length == .content || box.y.length == .fill else { return style }
        let height = StyleValue.points(FieldMeasures.height(node.look, node.frame))
        style.set("--h", height)
        let room = StyleValue.points(FieldMeasures.room(node.look))
        let line = StyleValue.sum([.multiple(1, "round(up,1lh,.5px)"), .multiple(1, room)])
        // What rules, and texts on its line, ask for.
        let least = box.y.least.map { [LengthStyle.value($0, .vertical)] } ?? []
        if case .both = box.y.anchor {
            if case .free = box.placement { return style }
            style.set("min-height", height)
            style.set("min-height", .function("max", [height, line] + least))
        } else {
            style.set("height", .property("--h", or: "34px"))
            style.set("min-height", .points(FieldMeasures.least))
            style.set("min-height", .function("max", [.points(FieldMeasures.least), line] + least))
        }
        return style
    }
}

/// The parts of an arrangement, one after the other.
enum Arrangement {
    /// Each part with the wrapper around it.
    static func parts(_ arrangement: [Arranged]) -> [(part: Arranged, wrapper: Int?)] {
        var parts: [(part: Arranged, wrapper: Int?)] = []
        var pending: [(part: Arranged, wrapper: Int?)] = arrangement.reversed().map { ($0, nil) }
        while let next = pending.popLast() {
            parts.append(next)
            if case .wrapper(let index, let inner) = next.part {
                pending.append(contentsOf: inner.reversed().map { ($0, index) })
            }
        }
        return parts
    }

    static func nodes(_ arrangement: [Arranged]) -> [NodeID] {
        parts(arrangement).compactMap { if case .node(let node) = $0.part { node } else { nil } }
    }
}
