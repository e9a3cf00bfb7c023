internal import WidgetCore
internal import WidgetNib

/// Cells in the styles of the system, which lays out their labels and picture by the width of the cell. Their frames in a
/// file are those of the editor's cell, and hold nowhere else.
extension SceneSkeleton {
    /// Gives such cells, of the nodes from one on, the stacks that the system arranges them by.
    mutating func arrangeBuiltInCells(from mark: ReadMark) {
        var named: Set<NodeID>?
        for row in mark.node..<nodes.count where nodes[row].kind == .row {
            guard let cell = builtInCell(row) else { continue }
            let ruled = named ?? Set(rules.flatMap { [$0.first.node] + ($0.second.map { [$0.node] } ?? []) })
            named = ruled
            guard ruled.isDisjoint(with: cell.parts + [cell.content]) else { continue }
            arrange(cell, in: row)
        }
    }

    private struct BuiltInCell {
        enum Style: Int { case basic, value, contact, subtitle }

        var style: Style
        var content: NodeID
        var image: NodeID?
        var text: NodeID
        var detail: NodeID?

        var parts: [NodeID] { [image, text, detail].compactMap { $0 } }
    }

    /// - Returns: `nil` for a row whose author placed what is in it.
    private func builtInCell(_ row: NodeID) -> BuiltInCell? {
        guard let original = originals[row], let text = part("UITextLabel", of: original),
            let content = nodes[text].parent, nodes[content].parent == row,
            nodes[content].look?.geometry.role == .contentView
        else { return nil }
        let style = original.element.integer("UITableViewCellStyle").flatMap { BuiltInCell.Style(rawValue: $0) }
        var cell = BuiltInCell(style: style ?? .basic, content: content, text: text)
        cell.image = part("UIImageView", of: original)
        cell.detail = cell.style == .basic ? nil : part("UIDetailTextLabel", of: original)
        return Set(nodes[content].children) == Set(cell.parts) ? cell : nil
    }

    private func part(_ key: String, of original: Original) -> NodeID? {
        original.element.element(key).flatMap { interfaces[original.interface].nodes[$0.index] }
    }

    /// The distances of UIKit, in points.
    private static let side = 16.0
    /// Before the sign at the edge of a row.
    private static let beforeSign = 8.0
    private static let edge = 4.0
    private static let pictureGap = 16.0
    private static let detailGap = 6.0
    /// The width of the first label of a contact.
    private static let nameWidth = 91.0
    private static let filling = Priorities(horizontal: 249, vertical: 250)
    /// The detail gives way to the text, up to its beginning (``SystemSolver``).
    private static let yielding = Priorities(horizontal: 749.8, vertical: 750)

    private mutating func arrange(_ cell: BuiltInCell, in row: NodeID) {
        for part in cell.parts { change(part) { $0.springs = nil } }
        change(cell.text) { $0.hugging = Self.filling }
        var arranged = [cell.image, cell.text].compactMap { $0 }
        var gap = Self.pictureGap
        switch (cell.style, cell.detail) {
        case (.subtitle, let detail?): arranged[arranged.count - 1] = column([cell.text, detail], in: cell.content)
        case (.value, let detail?), (.contact, let detail?):
            arranged.append(detail)
            if cell.image == nil { gap = Self.detailGap }
            if cell.style == .contact {
                rules.append(LayoutRule(.init(cell.text), .width, constant: Self.nameWidth, owner: cell.text))
                change(cell.text) { $0.hugging = Priorities.hugging }
                change(detail) { $0.hugging = Self.filling }
            } else {
                change(detail) { $0.resistance = Self.yielding }
            }
        default: break
        }
        nodes[cell.content].children = arranged
        var stack = StackGeometry()
        (stack.alignment, stack.spacing, stack.isMarginsRelative) = (.center, gap, true)
        let hasSign = (nodes[row].look?.appearance.accessory ?? .none) != .none
        change(cell.content, stack) {
            $0.margins = Insets(
                top: Self.edge, leading: Self.side, bottom: Self.edge, trailing: hasSign ? Self.beforeSign : Self.side,
                isPhysical: false)
        }
    }

    /// Puts labels below each other.
    private mutating func column(_ labels: [NodeID], in content: NodeID) -> NodeID {
        guard nodes.count < limits.nodeCount else { return labels[0] }
        let id = nodes.count
        var column = Node(.box, place: nodes[content].place)
        column.parent = content
        column.prototype = nodes[content].prototype
        column.children = labels
        column.frame = nodes[labels[0]].frame
        var geometry = Geometry()
        geometry.hugging = Self.filling
        var stack = StackGeometry()
        stack.axis = .vertical
        column.look = Look(geometry: geometry, stack: stack)
        nodes.append(column)
        for label in labels {
            nodes[label].parent = id
            nodes[label].frame?.y -= column.frame?.y ?? 0
            nodes[label].frame?.x -= column.frame?.x ?? 0
        }
        return id
    }

    private mutating func change(_ id: NodeID, _ stack: StackGeometry? = nil, _ body: (inout Geometry) -> Void) {
        guard let look = nodes[id].look else { return }
        var geometry = look.geometry
        body(&geometry)
        nodes[id].look = Look(
            geometry: geometry, appearance: look.appearance, list: look.list, stack: stack ?? look.stack,
            scrolling: look.scrolling, typing: look.typing, accessibility: look.accessibility, button: look.button,
            bar: look.bar)
    }
}
