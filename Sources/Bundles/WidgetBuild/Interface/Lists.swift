internal import WidgetNib
internal import XMLText

/// Cells that the mode of their list does not use, and views above and below cells.
extension InterfaceSource {
    /// True for cells that belong to another mode of their list. The editor keeps them.
    func isUnused(_ child: XMLElement, in element: XMLElement) -> Bool {
        guard let mode = element["dataMode"] else { return false }
        switch (element.name, child.name) {
        case ("tableView", "sections"): return mode != "static"
        case ("tableView", "prototypes"), ("collectionView", "cells"): return mode != "prototypes"
        default: return false
        }
    }

    /// True for an element that becomes a separate file, from which a list makes its cells.
    func isPrototype(_ child: XMLElement, in element: XMLElement) -> Bool {
        element.name == "prototypes" || element.name == "cells" && child.name == "collectionViewCell"
            || InterfaceSource.isSupplement(child, in: element)
    }

    /// True for a view above or below the cells of a collection, which is made from a prototype.
    static func isSupplement(_ child: XMLElement, in element: XMLElement) -> Bool {
        element.name == "collectionView" && child.name == "collectionReusableView"
            && ["sectionHeaderView", "sectionFooterView"].contains(child["key"] ?? "")
    }
}

/// Cells of tables and collections: fixed ones, and prototypes, which are files in the file of their list.
extension NibCompiler {
    /// Writes static cells as a data source, which the controller of the table asks.
    mutating func writeSections(_ list: XMLElement) throws(BuildError) {
        guard let controller, source.elements[controller]?.name == "tableViewController" else {
            throw source.fault(
                "cells can only be fixed in the table of a tableViewController", list,
                hints: ["use prototypes, and a mediator that lists what they show"])
        }
        var sections: [Int] = []
        for element in list.children {
            guard element.name == "tableViewSection" else {
                throw source.fault("\(element.name) in sections cannot be compiled", element)
            }
            let section = try object(try source.id(of: element), for: element)
            finish(section)
            draft.setClass("UITableViewSection", of: section)
            for (name, key) in [
                ("headerTitle", "UITableSectionHeaderTitle"), ("footerTitle", "UITableSectionFooterTitle"),
            ] {
                let part = element.children.first { $0["key"] == name }
                var title = element[name]
                if title == nil, let part { title = try text(of: part) }
                guard let title else { continue }
                draft.set(key, .object(try translatable(title, name, of: element)), of: section)
            }
            var rows: [Int] = []
            for child in element.children {
                if ["headerTitle", "footerTitle"].contains(child["key"]) { continue }
                guard child.name == "cells" else {
                    try notes.leaveOut(child, of: element, knowing: ["headerTitle", "footerTitle"], path: source.path)
                    continue
                }
                for cell in child.children {
                    let row = draft.add("UITableViewRow")
                    draft.set("UITableRowCell", .object(try queue(cell)), of: row)
                    if cell["rowHeight"] != nil {
                        let height = try number("rowHeight", of: cell)
                        draft.set("UITableRowHeight", .content(.float(Float(height))), of: row)
                    }
                    rows.append(row)
                }
            }
            draft.set("UITableSectionRows", .object(draft.list(rows)), of: section)
            sections.append(section)
        }
        let data = draft.add("UITableViewDataSource")
        draft.set("UITableSections", .object(draft.list(sections)), of: data)
        objects.append(data)
        addOutlet("staticDataSource", from: try object(controller, for: list), to: data)
    }

    mutating func writePrototypes(_ list: XMLElement, of table: Int) throws(BuildError) {
        var nibs: [(Int, Int)] = []
        var external: [(Int, Int)] = []
        for cell in list.children {
            // The source notes that a cell without a name is left out.
            guard let identifier = cell["reuseIdentifier"], !identifier.isEmpty else { continue }
            guard let (nib, pairs) = try prototype(cell) else { continue }
            nibs.append((draft.text(identifier), nib))
            if !pairs.isEmpty {
                external.append((draft.text(identifier), draft.dictionary(pairs, "NSMutableDictionary")))
            }
        }
        guard !nibs.isEmpty else { return }
        let isTable = list.name == "prototypes"
        draft.set(
            isTable ? "UITableViewCellPrototypeNibs" : "UICollectionViewCellNibDict",
            .object(draft.dictionary(nibs, "NSMutableDictionary")), of: table)
        guard !external.isEmpty else { return }
        draft.set(
            isTable ? "UITableViewCellPrototypeNibExternalObjects" : "UICollectionViewCellPrototypeNibExternalObjects",
            .object(draft.dictionary(external, "NSMutableDictionary")), of: table)
    }

    /// Requires a mode that is known. Cells of another mode are left out.
    func checkMode(_ element: XMLElement) throws(BuildError) {
        guard let mode = element["dataMode"] else { return }
        let modes = ["static", "prototypes", "none"]
        guard modes.contains(mode) else { throw source.fault("there is no dataMode \(mode)", element) }
    }

    private static let supplements = [
        "sectionHeaderView": "UICollectionElementKindSectionHeader",
        "sectionFooterView": "UICollectionElementKindSectionFooter",
    ]

    /// Writes the views above and below the cells of a collection.
    mutating func writeSupplements(of element: XMLElement, _ number: Int) throws(BuildError) {
        var nibs: [(Int, Int)] = []
        var external: [(Int, Int)] = []
        for view in element.children where InterfaceSource.isSupplement(view, in: element) {
            guard let identifier = view["reuseIdentifier"], !identifier.isEmpty,
                let kind = Self.supplements[view["key"] ?? ""]
            else { continue }
            guard let (nib, pairs) = try prototype(view) else { continue }
            let name = draft.text("\(kind)/\(identifier)")
            nibs.append((name, nib))
            if !pairs.isEmpty { external.append((name, draft.dictionary(pairs, "NSMutableDictionary"))) }
        }
        guard !nibs.isEmpty else { return }
        draft.set(
            "UICollectionViewSupplementaryViewNibDict", .object(draft.dictionary(nibs, "NSMutableDictionary")),
            of: number)
        guard !external.isEmpty else { return }
        draft.set(
            "UICollectionViewSupplementaryViewPrototypeNibExternalObjects",
            .object(draft.dictionary(external, "NSMutableDictionary")), of: number)
    }

    /// Puts the compiled file of a cell into this one.
    ///
    /// - Returns: the file, and the objects for its placeholders; nil for a cell whose errors are recorded already.
    private mutating func prototype(_ cell: XMLElement) throws(BuildError) -> (nib: Int, external: [(Int, Int)])? {
        guard let compiled = prototypes[cell.number] else {
            if source.errors.isEmpty { throw source.fault("\(cell.name) cannot be compiled here", cell) }
            return nil
        }
        let data = draft.add("NSData")
        draft.set(NibKey.bytes, .bytes(compiled.bytes), of: data)
        let nib = draft.add("UINib")
        draft.set("captureEnclosingNIBBundleOnDecode", true, of: nib)
        draft.set("archiveData", .object(data), of: nib)
        var pairs: [(Int, Int)] = []
        for id in compiled.external {
            pairs.append((draft.text("UpstreamPlaceholder-\(id)"), try object(id, for: cell)))
        }
        return (nib, pairs)
    }
}
