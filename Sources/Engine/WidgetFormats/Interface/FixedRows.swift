internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// The rows of a table that are always there, between the titles of their sections.
extension SceneSkeleton {
    /// Reads the sections of a table that shows no source: header, rows and footer of each, one below the other.
    mutating func readFixedRows(_ place: Int) {
        guard nodes.indices.contains(root), nodes[root].kind == .list, let table = originals[root]?.element else {
            return
        }
        let sections = NibTableSection.sections(of: interfaces[place].interface)
        guard !sections.isEmpty else { return }
        let below = nodes[root].children.filter { nodes[$0].kind == .sectionFooter }
        nodes[root].children.removeAll { below.contains($0) }
        let titles = SectionTitles(looks.list(table, "UITableView"), hasView: table.has("UITableHeaderView"))
        for (number, section) in sections.enumerated() {
            // A section begins with its header, even with one that takes no room.
            addTitle(.sectionHeader, section.header, titles.header(section.header, isFirst: number == 0))
            for row in section.rows {
                let id = add(row.cell, interface: place, parent: root)
                guard nodes.indices.contains(id) else { return }
                nodes[root].children.append(id)
                // Fixed rows are below each other: frames of the file do not place them.
                nodes[id].frame = nil
                if let height = row.height, height > 0 { rowHeights[id] = height.harmless }
                rowGrounds[id] = titles.rowGround
            }
            if let measures = titles.footer(section.footer) { addTitle(.sectionFooter, section.footer, measures) }
        }
        // The view below all rows comes after them in every reading.
        nodes[root].children += below
    }

    private mutating func addTitle(_ kind: NodeKind, _ text: String?, _ measures: SectionTitles.Measures) {
        let place = Place(file: interfaces[0].file, path: "UITableViewSection")
        guard nodes.count + 1 < limits.nodeCount else {
            reportNodes(0)
            return
        }
        let title = nodes.count
        var node = Node(kind, place: place)
        node.parent = root
        var geometry = Geometry()
        geometry.intrinsicSize = PartialSize(width: nil, height: measures.height)
        geometry.margins = measures.margins
        var appearance = Appearance()
        appearance.background = measures.ground
        nodes[root].children.append(title)
        nodes.append(node)
        guard let text, !text.isEmpty else {
            nodes[title].look = Look(geometry: geometry, appearance: appearance)
            return
        }
        var stack = StackGeometry()
        (stack.axis, stack.isMarginsRelative) = (.vertical, true)
        nodes[title].look = Look(geometry: geometry, appearance: appearance, stack: stack)
        var label = Node(.label, place: place)
        label.parent = title
        label[.text] = .literal(.string(text), place: place)
        var traits = AuthoredTraits()
        if kind == .sectionHeader { traits.bits = AuthoredTraits.heading }
        label.look = Look(geometry: Geometry(), appearance: measures.text, accessibility: traits)
        nodes[title].children = [nodes.count]
        nodes.append(label)
    }
}

/// The room and the paint of the titles of a table's sections, as UIKit gives them.
struct SectionTitles {
    struct Measures {
        /// The least height: a title that wraps needs more.
        var height: Double
        /// Around the text.
        var margins = Insets.zero
        var text = Appearance()
        var ground: Paint?
    }

    private let list: ListGeometry
    /// True if a view lies above all rows: then the first section has no room above it.
    private let hasView: Bool

    init(_ list: ListGeometry?, hasView: Bool) {
        self.list = list ?? ListGeometry()
        self.hasView = hasView
    }

    /// Of a plain table: a title on a ground over the rows.
    private static let plainHeight = 28.0
    private static let plainFont = 17.0
    /// Of a table with groups: above the first section, above and below one without a title, and around a title.
    private static let topRoom = 17.5
    private static let gap = 18.0
    private static let groupedFont = 13.0
    private static let groupedHeader = 38.0
    private static let aboveText = (header: 15.0, footer: 8.0)
    private static let belowText = 7.0
    private static let side = 16.0

    private var isGrouped: Bool { list.style == .grouped || list.style == .insetGrouped }

    /// The ground of rows whose author chose none.
    var rowGround: Paint? { isGrouped ? .role(.secondaryGroupedBackground) : nil }

    func header(_ text: String?, isFirst: Bool) -> Measures {
        let isEmpty = text?.isEmpty ?? true
        let own = list.sectionHeaderHeight
        guard isGrouped else { return isEmpty ? Measures(height: 0) : plain(own) }
        let above = isFirst && !hasView ? Self.topRoom : 0
        guard !isEmpty else { return Measures(height: above + (own ?? Self.gap)) }
        return grouped(above: above + Self.aboveText.header, height: above + max(own ?? 0, Self.groupedHeader))
    }

    /// Returns `nil` for a footer that takes no room.
    func footer(_ text: String?) -> Measures? {
        let isEmpty = text?.isEmpty ?? true
        let own = list.sectionFooterHeight
        guard isGrouped else { return isEmpty ? nil : plain(own) }
        return isEmpty
            ? Measures(height: own ?? Self.gap) : grouped(above: Self.aboveText.footer, height: max(own ?? 0, Self.gap))
    }

    private func plain(_ height: Double?) -> Measures {
        var measures = Measures(height: height ?? Self.plainHeight, ground: .role(.secondaryBackground))
        measures.margins = Insets(top: 0, leading: Self.side, bottom: 0, trailing: Self.side, isPhysical: false)
        measures.text.font = FontRequest(size: Self.plainFont, weight: 600, style: .headline)
        measures.text.lines = 0
        return measures
    }

    private func grouped(above: Double, height: Double) -> Measures {
        var measures = Measures(height: height)
        measures.margins = Insets(
            top: above, leading: Self.side, bottom: Self.belowText, trailing: Self.side, isPhysical: false)
        measures.text.font = FontRequest(size: Self.groupedFont, style: .footnote)
        measures.text.foreground = .role(.secondaryLabel)
        measures.text.lines = 0
        return measures
    }
}
