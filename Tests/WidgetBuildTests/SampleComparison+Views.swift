import Nib
import XMLText

extension SampleComparison {
    mutating func compare(view source: XMLElement, _ view: NibElement, _ context: [SampleContext]) throws {
        if let id = source["id"] { found[id] = view }
        try compare(source, view, context)
        let views = source.child(named: "subviews")?.children ?? []
        // Guides are no views of the source.
        let shown = view.subviews.filter { $0.className != "_UILayoutGuide" }
        let parts = source.children.filter { ["tableHeaderView", "tableFooterView"].contains($0["key"]) }
        let isCell = ["tableViewCell", "collectionViewCell"].contains(source.name)
        expect(shown.count == (isCell ? 1 : views.count + parts.count))
        for (child, compiled) in zip(views, shown) { try compare(view: child, compiled, context) }
        for part in parts {
            let key = part["key"] == "tableHeaderView" ? "UITableHeaderView" : "UITableFooterView"
            try compare(view: part, try required(view.element(key)), context)
        }
        if let content = source.children.first(where: { $0["key"] == "contentView" }) {
            let compiled = try required(view.element("UIContentView"))
            expect(shown.first == compiled)
            try compare(view: content, compiled, context)
        }
        try compare(cellsOf: source, view, context)
        // Only now are all views known that a rule of layout may be about.
        let constraints = source.child(named: "constraints")?.children ?? []
        for (child, compiled) in zip(constraints, view.constraints.suffix(constraints.count)) {
            compare(constraint: child, compiled, of: view, context)
        }
        expect(view.constraints.count >= constraints.count)
    }

    /// Where the cells of a table or a collection come from is where its mode says.
    private mutating func compare(
        cellsOf source: XMLElement, _ view: NibElement, _ context: [SampleContext]
    ) throws {
        guard source.name == "tableView" || source.name == "collectionView" else { return }
        let interface = try required(context.last).interface
        let list = source.child(named: "prototypes") ?? source.child(named: "cells")
        let prototypes = try NibPrototype.prototypes(of: view)
        expect(prototypes.map(\.reuseIdentifier) == (list?.children ?? []).map { $0["reuseIdentifier"] ?? "" })
        for (cell, prototype) in zip(list?.children ?? [], prototypes) {
            let external = prototype.externalObjects.map { ($0.placeholder, $0.object) }
            let inside =
                context + [
                    SampleContext(
                        interface: NibInterface(prototype.document.graph),
                        external: Dictionary(uniqueKeysWithValues: external))
                ]
            contexts.append(inside)
            let objects = try required(inside.last).interface.topLevelObjects
            try compare(view: cell, try required(objects.first { $0.proxyName == nil }), inside)
        }
        let sections = source.child(named: "sections")?.children ?? []
        let compiled = source["dataMode"] == "static" ? NibTableSection.sections(of: interface) : []
        expect(compiled.count == sections.count)
        expect((source["dataMode"] == "static") == !sections.isEmpty)
        expect(["static", "prototypes"].contains(source["dataMode"] ?? ""))
        for (section, rows) in zip(sections, compiled) {
            compared.insert(section.number)
            expectOnly(["id", "headerTitle", "footerTitle"], section)
            expect(rows.header == section["headerTitle"] && rows.footer == section["footerTitle"])
            let cells = section.child(named: "cells")?.children ?? []
            expect(cells.count == rows.rows.count)
            for (cell, row) in zip(cells, rows.rows) {
                expect(row.height == cell["rowHeight"].flatMap { Double($0) })
                try compare(view: cell, row.cell, context)
            }
        }
    }

    private mutating func compare(
        constraint source: XMLElement, _ constraint: NibConstraint, of view: NibElement, _ context: [SampleContext]
    ) {
        compared.insert(source.number)
        let sides = [
            "left", "right", "top", "bottom", "leading", "trailing", "width", "height", "centerX", "centerY",
        ]
        func side(_ number: Int) -> String? { sides.indices.contains(number - 1) ? sides[number - 1] : nil }
        expect(side(constraint.firstAttribute) == source["firstAttribute"])
        expect(side(constraint.secondAttribute) == source["secondAttribute"])
        expect("\(constraint.constant)" == "\(Double(source["constant"] ?? "0") ?? .nan)")
        expect(constraint.relation == .equal && constraint.multiplier == 1 && constraint.priority == 1_000)
        // An item that is not named is the view itself.
        let first = source["firstItem"].map { found[$0] } ?? view
        expect(first == constraint.first, "\(source["id"] ?? "")")
        expect((source["secondItem"] == nil) == (constraint.second == nil))
        if let id = source["secondItem"] { expect(found[id] == constraint.second, "\(source["id"] ?? "")") }
        compare(classOf: source, constraint.element)
        compare(attributesOf: source, constraint.element, context)
        expectOnly(
            [
                "id", "firstAttribute", "secondAttribute", "constant", "firstItem", "secondItem", "customClass",
                "customModule",
            ], source)
    }

    /// Counts what was compared by hand, and finds what was not.
    mutating func expectOnly(_ names: Set<String>, _ source: XMLElement) {
        for attribute in source.attributes where !names.contains(attribute.name) {
            expect(false, "nothing is known about \(source.name).\(attribute.name)")
        }
        attributeCount += source.attributes.count
    }
}
