/// A view and all its descendants in the order of the file, each once. Views of hostile files may contain
/// themselves.
package struct NibViewTree: Sendable {
    package struct Entry: Sendable {
        package let view: NibElement
        package let depth: Int
        /// The position of the superview.
        package let parent: Int?
    }

    package private(set) var entries: [Entry] = []

    package init(_ root: NibElement) {
        var seen: Set<Int> = [root.index]
        // A list that many views share is visited once.
        var lists: Set<Int> = []
        // Entries to visit, last first.
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

/// A cell, or a view above or below cells, with an archive inside another.
package struct NibPrototype: Sendable {
    package let reuseIdentifier: String
    package let document: NibDocument
    /// The objects of the outer interface for the placeholders of the inner one.
    package let externalObjects: [(placeholder: String, object: NibElement)]

    private static let tables = [
        ("UITableViewCellPrototypeNibs", "UITableViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewCellPrototypeNibs", "UICollectionViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewCellNibDict", "UICollectionViewCellPrototypeNibExternalObjects"),
        ("UICollectionViewSupplementaryViewNibDict", "UICollectionViewSupplementaryViewPrototypeNibExternalObjects"),
    ]

    /// Returns the prototypes of a table or a collection.
    package static func prototypes(
        of view: NibElement, limits: NibLimits = NibLimits()
    ) throws(NibError) -> [NibPrototype] {
        var remaining = limits.byteCount
        return try prototypes(of: view, &remaining, limits: limits)
    }

    /// - Parameter remaining: the number of bytes that may still be read of nested archives. Many names may refer to
    ///   one archive,
    ///   and many views to one list of names.
    package static func prototypes(
        of view: NibElement, _ remaining: inout Int, limits: NibLimits = NibLimits()
    ) throws(NibError) -> [NibPrototype] {
        var prototypes: [NibPrototype] = []
        func spend(_ byteCount: Int) throws(NibError) {
            remaining -= byteCount
            guard remaining >= 0 else { throw NibError(.byteCount, of: limits, at: 0) }
        }
        for (nibs, objects) in tables {
            try spend(0)
            let (archives, others) = (view.pairs(nibs), view.pairs(objects))
            try spend(16 * (archives.count + others.count))
            let external = Dictionary(
                others.compactMap { pair in pair.key.text.map { ($0, pair.value) } },
                uniquingKeysWith: { first, _ in first })
            for (key, value) in archives {
                guard let identifier = key.text, let data = value.data("archiveData") else { continue }
                let outer = external[identifier]?.ownPairs ?? []
                try spend(data.count + 16 * outer.count)
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

/// Static cells, under the title of their section.
package struct NibTableSection: Sendable {
    package let header: String?
    package let footer: String?
    package let rows: [(cell: NibElement, height: Double?)]

    /// Returns the sections that a controller finds in the interface with its views.
    package static func sections(of interface: NibInterface) -> [NibTableSection] {
        guard let data = interface.outlets.first(where: { $0.name == "staticDataSource" })?.destination else {
            return []
        }
        // A section, a list of rows or a row that is repeated would look the same on the screen.
        var seen: Set<Int> = []
        return data.elements("UITableSections").filter { seen.insert($0.index).inserted }.map { section in
            let list = section.element("UITableSectionRows").flatMap { seen.insert($0.index).inserted ? $0 : nil }
            let rows = list.map { $0.isList ? $0.listed : [] } ?? []
            return NibTableSection(
                header: section.string("UITableSectionHeaderTitle"),
                footer: section.string("UITableSectionFooterTitle"),
                rows: rows.filter { seen.insert($0.index).inserted }.compactMap { row in
                    row.element("UITableRowCell").map { ($0, row.double("UITableRowHeight")) }
                })
        }
    }
}

/// A transition from one screen to another.
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
