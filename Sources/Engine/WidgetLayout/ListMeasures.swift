package import WidgetCore

/// The lengths that a list gives to its rows and to the titles of its sections, in frames and in pages.
package struct ListMeasures {
    private let list: ListGeometry

    package init(_ list: ListGeometry?) {
        self.list = list ?? ListGeometry()
    }

    /// The height of a row: exactly, or at least if its content decides.
    ///
    /// - Parameter isRuled: true if rules lay out its content. Other rows are as high as they were drawn, unless their
    ///   author or the list says otherwise.
    package func rowHeight(_ row: Node?, isRuled: Bool) -> Double {
        let own = row?.look?.geometry.intrinsicSize?.height ?? list.rowHeight
        let drawn = isRuled ? nil : row?.frame?.height
        return ListMeasures.usable(own) ?? ListMeasures.usable(drawn) ?? SystemMeasures.row
    }

    /// The height of the title of a section: its own, the list's for all of them, that of the view that its author drew,
    /// or the system's. A title whose rules or stack lay out its text may need more.
    package func titleHeight(_ title: Node?, isFooter: Bool) -> Double {
        if let grid = list.grid { return max((isFooter ? grid.footerSize : grid.headerSize)?.height ?? 0, 0) }
        if let own = title?.look?.geometry.intrinsicSize?.height { return max(Affine.bounded(own), 0) }
        if let own = ListMeasures.usable(isFooter ? list.sectionFooterHeight : list.sectionHeaderHeight) { return own }
        if title?.look != nil, let drawn = title?.frame { return max(drawn.height, 0) }
        switch list.style {
        case .plain, .sidebar: return SystemMeasures.sectionHeader
        case .grouped, .insetGrouped: return SystemMeasures.groupedSectionGap + SystemMeasures.groupedSectionTitle
        }
    }

    /// The distance of rows from the sides of the list.
    package var sideMargin: Double { list.style == .insetGrouped ? SystemMeasures.insetGroupedMargin : 0 }

    private static func usable(_ height: Double?) -> Double? {
        guard let height, height.isFinite, height > 0 else { return nil }
        return height
    }
}

extension Scene {
    /// The content view of a row, if it is a stack: the row is as high as it needs.
    func stackedContent(ofRow row: NodeID) -> NodeID? {
        node(row)?.children.first {
            node($0)?.look?.geometry.role == .contentView && node($0)?.look?.stack != nil
        }
    }

    /// The view that an author put at the trailing edge of a row. It takes the place of the system's sign, and keeps it
    /// while it is hidden.
    package func accessoryView(ofRow row: NodeID) -> NodeID? {
        node(row)?.children.first { node($0)?.look?.geometry.role == .accessory }
    }

    /// The room that a row leaves beside its content.
    func accessoryWidth(ofRow row: NodeID) -> Double {
        if let own = accessoryView(ofRow: row) {
            return max(Frame.limited(node(own)?.frame?.width ?? 0), 0) + SystemMeasures.separatorInset
        }
        switch node(row)?.look?.appearance.accessory ?? .none {
        case .none: return 0
        case .disclosure: return SystemMeasures.disclosure
        case .checkmark: return SystemMeasures.checkmark
        case .detail: return SystemMeasures.detail
        case .detailDisclosure: return SystemMeasures.detailDisclosure
        }
    }
}
