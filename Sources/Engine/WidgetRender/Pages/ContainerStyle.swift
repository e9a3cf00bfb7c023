internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// The declarations of a container for the children in it.
struct ContainerStyle {
    static func declarations(
        _ container: PlannedContainer, _ boxes: [NodeID: PlannedBox], _ node: Node
    ) -> StyleDeclarations {
        var style = StyleDeclarations()
        switch container.form {
        case .boxes: cell(container, boxes, &style)
        case .stack(let stack):
            self.stack(stack, node, &style)
            tracks(stack, container, boxes, &style)
        case .scroll(let horizontal, let vertical):
            style.set("display", "grid")
            style.set("overflow", "auto")
            style.set("align-content", "start")
            style.set(horizontal ? "justify-content" : "grid-template-columns", horizontal ? "start" : "minmax(0,1fr)")
            if !vertical { style.set("grid-template-rows", "minmax(0,1fr)") }
        case .list, .solved: break
        }
        let arranged = Arrangement.nodes(container.arrangement)
        let ordersWrappers = container.wrappers.contains { $0.box.paintOrder != nil }
        if ordersWrappers || arranged.contains(where: { boxes[$0]?.paintOrder != nil }) {
            style.set("isolation", "isolate")
        }
        return style
    }

    /// Tied children share one cell, and the longest decides how long a container is that fits its content.
    private static func cell(
        _ container: PlannedContainer, _ boxes: [NodeID: PlannedBox], _ style: inout StyleDeclarations
    ) {
        let isUsed = container.arrangement.contains { part in
            switch part {
            case .node(let node): boxes[node]?.placement == .cell
            case .wrapper(let index, _): container.wrappers[index].box.placement == .cell
            }
        }
        guard isUsed else { return }
        style.set("display", "grid")
        if !container.fitsWidth { style.set("grid-template-columns", "minmax(0,1fr)") }
        if !container.fitsHeight { style.set("grid-template-rows", "minmax(0,1fr)") }
    }

    /// Equal children of a stack that is as long as its content lie in tracks that are all as long as the longest. Those of
    /// another one share its room, and not what they keep between their edges and their content.
    private static func tracks(
        _ stack: StackGeometry, _ container: PlannedContainer, _ boxes: [NodeID: PlannedBox],
        _ style: inout StyleDeclarations
    ) {
        guard case .node(let first)? = container.arrangement.first, boxes[first]?.placement == .track else { return }
        style.set("display", "grid")
        if stack.axis == .vertical {
            style.set("grid-auto-rows", container.fitsHeight ? "1fr" : "minmax(0,1fr)")
            if !container.fitsWidth { style.set("grid-template-columns", "minmax(0,1fr)") }
        } else {
            style.set("grid-auto-flow", "column")
            style.set("grid-auto-columns", "minmax(0,1fr)")
            if !container.fitsHeight { style.set("grid-template-rows", "minmax(0,1fr)") }
        }
    }

    private static func stack(_ stack: StackGeometry, _ node: Node, _ style: inout StyleDeclarations) {
        style.set("display", "flex")
        if stack.axis == .vertical { style.set("flex-direction", "column") }
        let gap = min(max(Affine.bounded(stack.spacing), 0), Affine.limit)
        if gap > 0 { style.set("gap", .points(gap)) }
        switch stack.distribution {
        case .equalSpacing, .equalCentering: style.set("justify-content", "space-between")
        case .fill, .fillEqually, .fillProportionally: break
        }
        if stack.isMarginsRelative {
            let usual = SystemMeasures.margin
            style.add(
                PaddingStyle.declarations(
                    node.look?.geometry.margins
                        ?? Insets(top: usual, leading: usual, bottom: usual, trailing: usual)))
        }
    }
}

/// Declarations of the room between the edges of an element and its content.
enum PaddingStyle {
    static func declarations(_ insets: Insets) -> StyleDeclarations {
        func length(_ number: Double) -> StyleValue { .points(max(Affine.bounded(number), 0)) }
        let (top, bottom) = (length(insets.top), length(insets.bottom))
        let (leading, trailing) = (length(insets.leading), length(insets.trailing))
        var style = StyleDeclarations()
        if insets.isPhysical || leading == trailing {
            style.set("padding", .words([top, trailing, bottom, leading]))
        } else {
            style.set("padding-block", .words([top, bottom]))
            style.set("padding-inline", .words([leading, trailing]))
        }
        return style
    }
}

/// The rules of a list or a grid, and of the rows in it.
struct ListStyle {
    private let list: ListGeometry
    private let node: Node

    init(_ list: ListGeometry, _ node: Node) {
        self.list = list
        self.node = node
    }

    // MARK: - Grids

    func write(selector: (StaticString) -> StyleSelector, to sheet: inout RuleList) {
        guard let grid = list.grid else { return }
        var style = StyleDeclarations()
        let (width, height) = (length(grid.itemSize.width), length(grid.itemSize.height))
        style.set("display", "grid")
        switch grid.axis {
        case .vertical:
            let track = grid.estimates ? StyleValue("auto") : width
            style.set("grid-template-columns", .function("repeat", ["auto-fill", track]))
            style.set("justify-content", "space-between")
            if !grid.estimates { style.set("grid-auto-rows", height) }
            style.set("gap", .words([length(grid.lineSpacing), length(grid.itemSpacing)]))
        case .horizontal:
            style.set("grid-auto-flow", "column")
            style.set("grid-template-rows", .function("repeat", ["auto-fill", height]))
            if !grid.estimates { style.set("grid-auto-columns", width) }
            style.set("align-content", "space-between")
            style.set("justify-content", "start")
            style.set("gap", .words([length(grid.itemSpacing), length(grid.lineSpacing)]))
            style.set("height", "100%")
            style.set("width", "max-content")
        }
        // Grids are mirrored as a whole where text runs from right to left.
        var inset = grid.sectionInset
        inset.isPhysical = false
        if [inset.top, inset.leading, inset.bottom, inset.trailing].contains(where: { $0 != 0 }) {
            style.add(PaddingStyle.declarations(inset))
        }
        sheet.add(selector(">ul"), style)
        if node.look?.scrolling?.pages ?? false {
            var snapping = StyleDeclarations()
            snapping.set("scroll-snap-type", grid.axis == .horizontal ? "x mandatory" : "y mandatory")
            sheet.add(selector(""), snapping)
            var item = StyleDeclarations()
            item.set("scroll-snap-align", "start")
            sheet.add(selector(">ul>li"), item)
        }
    }

    private func length(_ number: Double) -> StyleValue { .points(max(Affine.bounded(number), 0)) }

    // MARK: - Rows

    /// - Parameters:
    ///   - fitsHeight: true if its content decides how high it is.
    ///   - isRuled: true if rules lay out its content.
    ///   - sectionHeight: of a row above or below a section, whose height the list has.
    func row(_ row: Node, fitsHeight: Bool, isRuled: Bool, sectionHeight: Double? = nil) -> StyleDeclarations {
        var style = StyleDeclarations()
        let height = ListMeasures(list).rowHeight(row, isRuled: isRuled || fitsHeight)
        if list.grid != nil {
            style.set("min-height", "0")
        } else if let sectionHeight {
            style.set("height", length(sectionHeight))
            style.set("min-height", "0")
        } else if fitsHeight {
            style.set("min-height", length(height))
        } else {
            style.set("height", length(height))
            style.set("min-height", "0")
        }
        return style
    }

    func separator(_ row: Node, _ selector: (StaticString) -> StyleSelector, to sheet: inout RuleList) {
        guard list.separators != .none else { return }
        var line = StyleDeclarations()
        line.set("content", "\"\"")
        line.set("position", "absolute")
        line.set("bottom", "0")
        let inset = row.look?.appearance.separatorInset ?? list.separatorInset
        line.set(
            "inset-inline",
            .words([length(inset?.leading ?? SystemMeasures.separatorInset), length(inset?.trailing ?? 0)]))
        // A border is never thinner than a pixel of the device, wherever it lies.
        line.set(
            "border-bottom", .words([".5px solid", AppearanceStyle.value(list.separatorColor ?? .role(.separator))]))
        sheet.add(selector("::after"), line)
        guard list.style != .plain else { return }
        var last = StyleDeclarations()
        last.set("display", "none")
        sheet.add(selector(":last-child::after"), last)
    }
}
