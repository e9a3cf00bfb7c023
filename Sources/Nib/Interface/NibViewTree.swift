/// A view and all views in it, from the front of the file to its end, each once: a view that contains itself is data too.
package struct NibViewTree: Sendable {
    package struct Entry: Sendable {
        package let view: NibElement
        package let depth: Int
        /// The position of the view around it.
        package let parent: Int?
    }

    package private(set) var entries: [Entry] = []

    package init(_ root: NibElement) {
        var seen: Set<Int> = [root.index]
        // A list that many views share has nothing new when it is met again.
        var lists: Set<Int> = []
        // What is still to be visited, last first.
        var pending = [Entry(view: root, depth: 0, parent: nil)]
        while let entry = pending.popLast() {
            let position = entries.count
            entries.append(entry)
            guard let list = entry.view.element("UISubviews"), lists.insert(list.index).inserted else { continue }
            for view in entry.view.subviews.reversed() where seen.insert(view.index).inserted {
                pending.append(Entry(view: view, depth: entry.depth + 1, parent: position))
            }
        }
    }
}

/// A cell, or a view above or below cells, that has an archive of its own inside another.
package struct NibPrototype: Sendable {
    package let reuseIdentifier: String
    package let document: NibDocument
    /// Which object of the outer interface stands for which placeholder of the inner one.
    package let externalObjects: [(placeholder: String, object: NibElement)]

    private static let tables = [
        ("UITableViewCellPrototypeNibs", "UITableViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewCellPrototypeNibs", "UICollectionViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewCellNibDict", "UICollectionViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewSupplementaryViewNibDict", "UICollectionViewSupplementaryViewPrototypeNibExternalObjects"),
    ]

    /// The prototypes of a table or a collection.
    package static func prototypes(
        of view: NibElement, limits: NibLimits = NibLimits()
    ) throws(NibError) -> [NibPrototype] {
        var prototypes: [NibPrototype] = []
        // Many names may stand for one archive; together they are no larger than one file may be.
        var remaining = limits.byteCount
        for (nibs, objects) in tables {
            let external = Dictionary(
                view.pairs(objects).compactMap { pair in pair.key.text.map { ($0, pair.value) } },
                uniquingKeysWith: { first, _ in first })
            for (key, value) in view.pairs(nibs) {
                guard let identifier = key.text, let data = value.data("archiveData") else { continue }
                remaining -= data.count
                guard remaining >= 0 else { throw NibError(.byteCount, of: limits, at: 0) }
                let outer = external[identifier]?.ownPairs ?? []
                prototypes.append(
                    NibPrototype(
                        reuseIdentifier: identifier,
                        document: try NibDocument(parsing: Array(data), limits: limits),
                        externalObjects: outer.compactMap { pair in pair.key.text.map { ($0, pair.value) } }))
            }
        }
        return prototypes
    }
}

/// Cells that are fixed, under the title of their section.
package struct NibTableSection: Sendable {
    package let header: String?
    package let footer: String?
    package let rows: [(cell: NibElement, height: Double?)]

    /// The sections that a controller finds in the interface with its views.
    package static func sections(of interface: NibInterface) -> [NibTableSection] {
        guard let data = interface.outlets.first(where: { $0.name == "staticDataSource" })?.destination else {
            return []
        }
        return data.elements("UITableSections").map { section in
            NibTableSection(
                header: section.string("UITableSectionHeaderTitle"),
                footer: section.string("UITableSectionFooterTitle"),
                rows: section.elements("UITableSectionRows").compactMap { row in
                    row.element("UITableRowCell").map { ($0, row.double("UITableRowHeight")) }
                })
        }
    }
}

/// A way from one screen to another.
package struct NibSegue: Equatable, Sendable {
    package let element: NibElement
    package let className: String
    package let identifier: String?
    package let destination: String?
    /// The selector that shows the destination.
    package let action: String?

    init(_ element: NibElement) {
        self.element = element
        className = element.shownClassName
        identifier = element.string("UIIdentifier") ?? element.string("UIStoryboardSegueTemplateIdentifier")
        destination = element.string("UIDestinationViewControllerIdentifier")
        action = element.string("UIActionName")
    }
}
