internal import WidgetCore

/// The sizes of a row: rows of equal content are solved once.
struct RowKey: Hashable {
    private var width: Double
    private var height: Double?
    private var nodes: [NodeID] = []
    private var texts: [String] = []
    private var constants: [NodeID: Double]

    /// `nil` for a row with a list in it.
    init?(_ row: ViewNode, width: Double, height: Double?, _ constants: [NodeID: Double]) {
        self.width = width
        self.height = height
        self.constants = constants
        var pending = [row]
        while let view = pending.popLast() {
            if [.list, .grid].contains(view.kind) { return nil }
            nodes.append(view.key.node)
            for property in view.properties where RowKey.names.contains(property.name) {
                texts.append(view.text(property.name))
            }
            texts += view.texts(.titles)
            // The title that is chosen is wider.
            if view.kind == .segments { texts.append(view.text(.value)) }
            pending.append(contentsOf: view.children.reversed())
        }
    }

    /// Properties that change sizes.
    private static let names: [PropertyName] = [
        .text, .placeholder, .image, .isSecure, .pageCount, .accessibleName, .placeholderImage, .invalid, .fault,
    ]
}

/// Tables: headers, rows and footers below each other.
extension ScreenPlacing {
    mutating func placeList(_ view: ViewNode, _ box: LayoutSystem.Box, _ frame: Frame, at place: Int) {
        let list = box.look?.list ?? ListGeometry()
        let side = ListMeasures(list).sideMargin
        let inset = box.scrollInset
        let width = max(frame.width - inset.left - inset.right - 2 * side, 0)
        let origin = (x: frame.x + inset.left + side, y: frame.y + inset.top)
        var y = 0.0
        var later: [ViewNode] = []
        for child in view.children {
            let role = look(child)?.geometry.role ?? .content
            switch (child.kind, role) {
            case (.row, _):
                y += placeRow(child, width, rowHeight(child, list), at: (origin.x, origin.y + y), in: place)
            case (_, .background):
                let part = solved(child, LayoutSystem.Surroundings(width: frame.width, height: frame.height))
                emit(part, at: (frame.x, frame.y), in: place)
            case (.sectionFooter, .footer), (_, .footer): later.append(child)
            case (_, .header), (.sectionHeader, _), (.sectionFooter, _):
                let height = titleHeight(child, list, role)
                let grows = role == .content && rules.isPlaced(child.key.node)
                y += placeRow(child, width, (height, grows), at: (origin.x, origin.y + y), in: place)
            default: placeOver(child, frame, at: place)
            }
        }
        for child in later {
            let height = titleHeight(child, list, .footer)
            y += placeRow(child, width, (height, false), at: (origin.x, origin.y + y), in: place)
        }
        setContent(place, Size(width: frame.width - inset.left - inset.right, height: y))
    }

    /// The height of a row, and whether its content may need more. Rows above and below a section have a height of the list.
    private func rowHeight(_ row: ViewNode, _ list: ListGeometry) -> (least: Double, grows: Bool) {
        if let own = sectionHeight(row, list) { return (own, false) }
        let isRuled = rules.isPlaced(row.key.node)
        return (ListMeasures(list).rowHeight(scene.node(row.key.node), isRuled: isRuled), isRuled)
    }

    /// The height that a list has for a row of a prototype which is the header or footer of a section.
    private func sectionHeight(_ row: ViewNode, _ list: ListGeometry) -> Double? {
        guard let item = row.key.item, let template = scene.node(item.list)?.list else { return nil }
        if row.key.node == template.header { return list.sectionHeaderHeight.flatMap { $0 > 0 ? $0 : nil } }
        if row.key.node == template.footer { return list.sectionFooterHeight.flatMap { $0 > 0 ? $0 : nil } }
        return nil
    }

    /// The height of a header or footer: of a view that its author drew, or of the title of a section.
    private func titleHeight(_ view: ViewNode, _ list: ListGeometry, _ role: Geometry.Role) -> Double {
        let node = scene.node(view.key.node)
        if role != .content, let drawn = node?.frame { return drawn.height }
        return ListMeasures(list).titleHeight(node, isFooter: view.kind == .sectionFooter)
    }

    /// - Returns: the height of the row.
    mutating func placeRow(
        _ row: ViewNode, _ width: Double, _ height: (least: Double, grows: Bool), at origin: (x: Double, y: Double),
        in place: Int
    ) -> Double {
        let key = RowKey(row, width: width, height: height.least, constants(of: row))
        if let key, let known = rows[key] {
            emit(known, as: preorder(row), at: origin, in: place)
            return known.height
        }
        var surroundings = LayoutSystem.Surroundings(width: width, height: height.grows ? nil : height.least)
        surroundings.leastHeight = height.least
        let part = solved(row, surroundings)
        if let key { rows[key] = part }
        emit(part, at: origin, in: place)
        return part.height
    }

    private func preorder(_ view: ViewNode) -> [ViewNode] {
        var (views, pending): ([ViewNode], [ViewNode]) = ([], [view])
        while let view = pending.popLast() {
            views.append(view)
            pending.append(contentsOf: view.children.reversed())
        }
        return views
    }

    /// Places a view that lies over the rows of a list, such as a spinner, by its mask.
    mutating func placeOver(_ view: ViewNode, _ frame: Frame, at place: Int) {
        let (node, look) = (scene.node(view.key.node), look(view))
        var own =
            node?.frame.flatMap { $0.isUsable ? $0 : nil }
            ?? Frame(x: 0, y: 0, width: frame.width, height: frame.height)
        if let springs = look?.geometry.springs, let design = look?.geometry.design {
            let x = SpringLine.horizontal(own, in: design, springs).place(in: frame.width)
            let y = SpringLine.vertical(own, in: design, springs).place(in: frame.height)
            own = Frame(x: x.start, y: y.start, width: x.size, height: y.size).harmless
        }
        let part = solved(view, LayoutSystem.Surroundings(width: own.width, height: own.height))
        emit(part, at: (frame.x + own.x, frame.y + own.y), in: place)
    }
}
