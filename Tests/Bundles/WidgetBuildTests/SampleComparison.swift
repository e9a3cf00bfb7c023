import WidgetNib
import XMLText

/// Compares one scene of a source with its compiled form. Elements that were compared are noted, so that others are
/// found.
struct SampleComparison {
    /// Differences, by the places in these files that found them.
    final class Differences {
        var found: [String] = []
    }

    private let differences = Differences()
    let storyboard: CompiledStoryboard
    /// Elements of the source by their ids.
    let elements: [String: XMLElement]
    /// Numbers of elements of the source.
    var compared: Set<Int> = []
    var attributeCount = 0
    /// The object for each id, in the interface that contains it.
    var found: [String: NibElement] = [:]
    /// The interfaces of the scene, each with those around it, outermost first.
    var contexts: [[SampleContext]] = []

    init(storyboard: CompiledStoryboard, elements: [String: XMLElement]) {
        self.storyboard = storyboard
        self.elements = elements
    }

    /// The elements of a document by their ids.
    static func elements(of document: XMLDocument) -> [String: XMLElement] {
        Dictionary(
            all(document.root).compactMap { element in element["id"].map { ($0, element) } },
            uniquingKeysWith: { first, _ in first })
    }

    struct Missing: Error {}

    /// Returns a value without which the comparison cannot continue.
    func required<Value>(_ value: Value?, file: String = #fileID, line: Int = #line) throws -> Value {
        guard let value else {
            expect(false, "is missing", file: file, line: line)
            throw Missing()
        }
        return value
    }

    /// Elements that only contain others.
    static let frames: Set<String> = [
        "scene", "objects", "point", "placeholder", "layoutGuides", "subviews", "constraints", "connections",
        "prototypes", "userDefinedRuntimeAttributes", "sections", "cells", "segments",
    ]

    static func all(_ root: XMLElement) -> [XMLElement] {
        var (result, pending) = ([XMLElement](), [root])
        while let element = pending.popLast() {
            result.append(element)
            pending += element.children
        }
        return result
    }

    func expect(_ isSo: Bool, _ words: @autoclosure () -> String = "", file: String = #fileID, line: Int = #line) {
        if !isSo { differences.found.append("\(file):\(line) \(words())") }
    }

    /// Returns a screen's name in the compiled storyboard.
    static func screenName(_ controller: XMLElement) -> String {
        let base = "UI\(controller.name.prefix(1).uppercased())\(controller.name.dropFirst())"
        return controller["storyboardIdentifier"] ?? "\(base)-\(controller["id"] ?? "")"
    }

    /// Returns the content of a scene's source that the compiled form lacks, and the elements that were not compared.
    mutating func differences(in scene: XMLElement) -> [String] {
        do {
            try compare(scene: scene)
        } catch {
            differences.found.append("\(error)")
        }
        for element in Self.all(scene)
        where !Self.frames.contains(element.name) && !compared.contains(element.number) {
            differences.found.append("nothing looked at \(element.name) at \(element.position)")
        }
        return differences.found
    }

    private mutating func compare(scene: XMLElement) throws {
        let source = try required(scene.child(named: "objects")?.children.first)
        let compiled = try storyboard.scene(Self.screenName(source))
        let controller = compiled.controller
        let outer = [SampleContext(interface: compiled.interface)]
        contexts = [outer]
        found[try required(source["id"])] = controller.element
        try compare(source, controller.element, outer)
        for child in source.children {
            switch child["key"] {
            case "navigationItem": try compare(item: child, try required(controller.navigationItem), outer)
            case "navigationBar":
                try compare(child, try required(controller.element.element("UINavigationBar")), outer)
            case "view": try compare(views: child, of: controller, source, outer)
            default: break
            }
        }
        if source.name == "navigationController" { try compare(stack: source, controller, compiled.interface) }
        try compareConnections(of: source, controller)
    }

    private mutating func compare(item: XMLElement, _ element: NibElement, _ context: [SampleContext]) throws {
        try compare(item, element, context)
        for child in item.children {
            let key = try required(child["key"])
            let part = try required(element.element("UI\(key.prefix(1).uppercased())\(key.dropFirst())"))
            if key == "titleView" {
                try compare(view: child, part, context)
            } else {
                if let id = child["id"] { found[id] = part }
                try compare(child, part, context)
                // Those of one side are in a list as well.
                if key != "backBarButtonItem" {
                    expect(element.elements("UI\(key.prefix(1).uppercased())\(key.dropFirst())s") == [part])
                }
            }
        }
    }

    private mutating func compare(
        views source: XMLElement, of controller: NibController, _ owner: XMLElement, _ outer: [SampleContext]
    ) throws {
        let nib = try required(controller.viewNib)
        let context =
            outer + [
                SampleContext(
                    interface: NibInterface(try storyboard.document(ofNib: nib).graph),
                    external: Dictionary(
                        uniqueKeysWithValues: controller.externalObjects.map { ($0.placeholder, $0.object) }))
            ]
        contexts.append(context)
        let views = context[1].interface
        // Rules of layout may be about guides, which stand before the views in the source.
        for guide in owner.child(named: "layoutGuides")?.children ?? [] {
            let name = ["top": "Top", "bottom": "Bottom"][guide["type"] ?? ""] ?? "none"
            let compiled = views.objects.first { $0.string("_UILayoutGuideIdentifier") == "_UIViewController\(name)" }
            expect(compiled != nil)
            if let id = guide["id"] { found[id] = compiled }
            compared.insert(guide.number)
        }
        try compare(view: source, try required(views.owned("view")), context)
    }

    /// A controller around others, and its first one.
    private mutating func compare(
        stack source: XMLElement, _ controller: NibController, _ interface: NibInterface
    ) throws {
        let segue = try required(source.child(named: "connections")?.children.first)
        expect(segue["relationship"] == "rootViewController" && segue["kind"] == "relationship")
        let destination = try required(segue["destination"])
        let root = try required(controller.children.first)
        expect(interface.objects.contains(root.element))
        expect(root.viewNib?.hasPrefix("\(destination)-view-") == true)
        attributeCount += segue.attributes.count
        compared.insert(segue.number)
    }
}

/// An interface, and the objects of the outer one for the placeholders of this one.
struct SampleContext {
    let interface: NibInterface
    var external: [String: NibElement] = [:]
}

extension [SampleContext] {
    /// The object that an element represents in the end, through any number of interfaces.
    func resolved(_ element: NibElement) -> NibElement {
        var element = element
        for context in reversed() {
            guard let name = element.proxyName, let outer = context.external[name] else { break }
            element = outer
        }
        return element
    }
}

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

    /// Compares the place of a table's or collection's cells, which its mode determines.
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

    /// Counts the elements that were compared explicitly, and finds the others.
    mutating func expectOnly(_ names: Set<String>, _ source: XMLElement) {
        for attribute in source.attributes where !names.contains(attribute.name) {
            expect(false, "nothing is known about \(source.name).\(attribute.name)")
        }
        attributeCount += source.attributes.count
    }
}

extension SampleComparison {
    /// An object's class, attributes and parts, without the views in it.
    mutating func compare(_ source: XMLElement, _ element: NibElement, _ context: [SampleContext]) throws {
        compared.insert(source.number)
        compare(classOf: source, element)
        for attribute in source.attributes {
            attributeCount += 1
            let full = "\(source.name).\(attribute.name)"
            if SampleReading.elsewhere.contains(attribute.name) || SampleReading.elsewhere.contains(full) { continue }
            guard let reading = SampleReading.all[full] ?? SampleReading.all[attribute.name] else {
                expect(false, "nothing is known about \(full)")
                continue
            }
            expect(reading.says(attribute.value, of: element), "\(full) of \(source["id"] ?? "")")
        }
        for child in source.children { try compare(part: child, of: element, context) }
        compare(attributesOf: source, element, context)
    }

    func compare(classOf source: XMLElement, _ element: NibElement) {
        let name = element.string("UIClassName").map { NibElement.moduleAndName($0)?.name ?? $0 }
        expect(name == source["customClass"])
        let module = element.string("UIClassName").flatMap { NibElement.moduleAndName($0)?.module }
        expect(module == source["customModule"])
    }

    mutating func compare(attributesOf source: XMLElement, _ element: NibElement, _ context: [SampleContext]) {
        let attributes = source.child(named: "userDefinedRuntimeAttributes")?.children ?? []
        let compiled = context.last?.interface.attributes(of: element) ?? []
        expect(compiled.map(\.keyPath) == attributes.map { $0["keyPath"] ?? "" })
        for (child, one) in zip(attributes, compiled) { compare(attribute: child, one.value) }
    }

    /// Parts that always have the same key.
    private static let onlyKeys = [
        "rect": "frame", "autoresizingMask": "autoresizingMask", "fontDescription": "fontDescription",
        "textInputTraits": "textInputTraits", "collectionViewFlowLayout": "collectionViewLayout",
    ]

    /// Parts that can be declared absent.
    private static let absent: Set<String> = ["textColor", "highlightedColor", "simulatedStatusBarMetrics"]

    private mutating func compare(
        part: XMLElement, of element: NibElement, _ context: [SampleContext]
    ) throws {
        let key = part["key"] ?? ""
        let name = "UI\(key.prefix(1).uppercased())\(key.dropFirst())"
        if let only = Self.onlyKeys[part.name] { expect(key == only) }
        switch part.name {
        case "nil": expect(Self.absent.contains(key) && element.element(name) == nil)
        case "rect":
            let frame = try required(element.frame)
            let numbers = ["x", "y", "width", "height"].map { Double(part[$0] ?? "") }
            expect([frame.x, frame.y, frame.width, frame.height] == numbers)
        case "size":
            let size = try required(element.size(name))
            expect([size.x, size.y] == ["width", "height"].map { Double(part[$0] ?? "") })
        case "autoresizingMask":
            let names = [
                "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
            ]
            let mask = element.integer("UIAutoresizingMask") ?? 0
            // A stack's bar is as wide as the stack.
            let isBar = element.baseClassName == "UINavigationBar"
            expect(
                names.indices.map { mask >> $0 & 1 == 1 } == names.map { part[$0] == "YES" || isBar && $0 == names[1] })
        case "color":
            let isIndicator = element.baseClassName == "UIActivityIndicatorView" && key == "color"
            let color = try required(element.color(isIndicator ? "UIActivityIndicatorViewColor" : name))
            compare(color: part, color)
        case "fontDescription":
            let font = try required(element.font("UIFont"))
            expect(font.pointSize == Double(part["pointSize"] ?? ""))
            expect(font.isSystem && font.isBold == (part["type"] == "boldSystem"))
            expect(["system", "boldSystem"].contains(part["type"] ?? ""))
        case "textInputTraits":
            for attribute in part.attributes where attribute.name != "key" {
                expect(SampleReading.all[attribute.name]?.says(attribute.value, of: element) == true)
            }
        case "state":
            let states = ["normal": 0.0, "highlighted": 1, "disabled": 2, "selected": 4]
            let contents = element.pairs("UIButtonStatefulContent").filter { $0.key.number == states[key] }
            expect(contents.map { $0.value.string("UITitle") } == [part["title"]])
            expectOnly(["key", "title"], part)
        case "segments":
            let segments = element.elements("UISegments")
            expect(segments.map { $0.string("UISegmentInfo") } == part.children.map { $0["title"] })
            expect(segments.map { $0.integer("UISegmentPosition") } == Array(part.children.indices))
            for segment in part.children {
                expectOnly(["title"], segment)
                compared.insert(segment.number)
            }
        case "collectionViewFlowLayout":
            return try compare(part, try required(element.element("UICollectionLayout")), context)
        default: return
        }
        if part.name != "state" { attributeCount += part.attributes.count }
        compared.insert(part.number)
    }

    private mutating func compare(color source: XMLElement, _ color: NibColor) {
        compared.insert(source.number)
        if let name = source["systemColor"] {
            expect(color.systemName == name, "systemColor")
            return
        }
        let white = source["white"]
        for (name, value) in [("red", color.red), ("green", color.green), ("blue", color.blue), ("alpha", color.alpha)]
        {
            let expected = Double((name == "alpha" ? source[name] : white ?? source[name]) ?? "") ?? .nan
            expect(abs(value - expected) < 1e-6, "\(name)")
        }
    }

    private mutating func compare(attribute source: XMLElement, _ value: NibRuntimeValue) {
        attributeCount += source.attributes.count
        compared.insert(source.number)
        let child = source.children.first
        if let child {
            compared.insert(child.number)
            expect(child["key"] == "value")
        }
        switch (source["type"], value) {
        case ("string", .text(let text)): expect(text == source["value"])
        case ("number", .number(let number)): expect(number == Double(child?["value"] ?? ""))
        case ("boolean", .truth(let flag)): expect(flag == (source["value"] == "YES"))
        case ("color", .color(let color)):
            if let child { compare(color: child, color) }
        default: expect(false, "\(source["type"] ?? "") became \(value)")
        }
    }
}
