import Nib
import Testing
import WidgetBuild
import XMLText

/// Each sample's storyboard beside what its compiled form says when it is read: attribute by attribute, part by part.
@Suite struct `The samples' storyboards` {
    /// Those whose every part this knows how to read back. What the other two use besides (controls of forms, collections,
    /// static rows) is compiled and run by other tests, and dropped by nothing that `NothingDroppedTests` could find.
    static let names = ["HarbourLog", "Planetarium", "Postcard"]

    @Test(arguments: names)
    func `say the same compiled as in their source`(_ name: String) throws {
        let source = try #require(`The samples' sources`.files(name)["Main.storyboard"])
        let document = try XMLDocument(parsing: source)
        let prefix = "Main.storyboardc/"
        let files = try InterfaceCompiler.compile(source, path: "Main.storyboard")
        let storyboard = try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: files.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }))
        var comparison = Comparison(storyboard: storyboard)
        let scenes = document.root.child(named: "scenes")?.children ?? []
        for scene in scenes { try comparison.compare(scene: scene) }
        #expect(storyboard.screens.count == scenes.count)
        // Nothing of the source was passed over.
        #expect(comparison.attributeCount > 250)
        let compared = comparison.compared
        for element in scenes.flatMap({ Comparison.all($0) }) where !Comparison.frames.contains(element.name) {
            #expect(compared.contains(element.number), "\(element.name) at \(element.position)")
        }
        let first = try #require(document.root["initialViewController"])
        #expect(storyboard.entryPoint?.hasSuffix(first) == true)
    }
}

private struct Comparison {
    let storyboard: CompiledStoryboard
    /// Numbers of elements of the source.
    private(set) var compared: Set<Int> = []
    private(set) var attributeCount = 0
    private var found: [String: NibElement] = [:]

    init(storyboard: CompiledStoryboard) {
        self.storyboard = storyboard
    }

    /// What only holds others.
    static let frames: Set<String> = [
        "scene", "objects", "point", "placeholder", "layoutGuides", "subviews", "constraints", "connections",
        "prototypes", "userDefinedRuntimeAttributes", "nil",
    ]

    static func all(_ root: XMLElement) -> [XMLElement] {
        var (result, pending) = ([XMLElement](), [root])
        while let element = pending.popLast() {
            result.append(element)
            pending += element.children
        }
        return result
    }

    mutating func compare(scene: XMLElement) throws {
        let source = try #require(scene.child(named: "objects")?.children.first)
        let id = try #require(source["id"])
        let base = source.name == "navigationController" ? "UINavigationController" : "UIViewController"
        let compiled = try storyboard.scene(source["storyboardIdentifier"] ?? "\(base)-\(id)")
        let controller = compiled.controller
        try compare(source, controller.element, compiled.interface)
        for child in source.children {
            switch child["key"] {
            case "navigationItem":
                let item = try #require(controller.navigationItem)
                try compare(child, item, compiled.interface)
                for button in child.children {
                    let key = try #require(button["key"])
                    let name = "UI" + key.prefix(1).uppercased() + key.dropFirst()
                    try compare(button, try #require(item.element(name)), compiled.interface)
                }
            case "navigationBar":
                try compare(child, try #require(controller.element.element("UINavigationBar")), compiled.interface)
            case "view":
                let views = NibInterface(try storyboard.document(ofNib: try #require(controller.viewNib)).graph)
                try compare(view: child, try #require(views.owned("view")), views)
                for guide in source.child(named: "layoutGuides")?.children ?? [] {
                    let name = guide["type"] == "top" ? "Top" : "Bottom"
                    let isThere = views.objects.contains {
                        $0.string("_UILayoutGuideIdentifier") == "_UIViewController\(name)"
                    }
                    #expect(isThere)
                    compared.insert(guide.number)
                }
                try compare(connections: source, of: controller, views, in: compiled)
            default: break
            }
        }
        if source.name == "navigationController" {
            let segue = try #require(source.child(named: "connections")?.children.first)
            #expect(segue["relationship"] == "rootViewController" && segue["kind"] == "relationship")
            let destination = try #require(segue["destination"])
            let root = try #require(controller.children.first)
            #expect(compiled.interface.objects.contains(root.element))
            #expect(root.viewNib?.hasPrefix(destination) == true)
            compared.insert(segue.number)
        }
    }

    /// Outlets of a controller lead to the views that stand for their destinations; segues say where they lead.
    private mutating func compare(
        connections source: XMLElement, of controller: NibController, _ views: NibInterface, in scene: CompiledScene
    ) throws {
        for connection in source.child(named: "connections")?.children ?? [] {
            compared.insert(connection.number)
            guard connection.name == "outlet" else {
                Issue.record("\(connection.name) of a controller")
                continue
            }
            let destination = try #require(found[connection["destination"] ?? ""])
            #expect(views.outlets.contains { $0.name == connection["property"] && $0.destination == destination })
        }
        let segues = Self.all(source).filter { $0.name == "segue" }
        #expect(controller.segues.count == segues.count)
        for segue in segues {
            compared.insert(segue.number)
            #expect(segue["kind"] == "show")
            let destination = segue["destination"] ?? ""
            let leads = controller.segues.contains { compiled in
                compiled.className == "UIStoryboardShowSegueTemplate"
                    && storyboard.screens.contains { screen in
                        guard screen.identifier == compiled.destination,
                            let other = try? storyboard.scene(screen.identifier)
                        else { return false }
                        return other.controller.viewNib?.hasPrefix("\(destination)-view-") == true
                    }
            }
            #expect(leads, "\(destination)")
        }
    }

    // MARK: Views

    private mutating func compare(view source: XMLElement, _ view: NibElement, _ interface: NibInterface) throws {
        try compare(source, view, interface)
        if let id = source["id"] { found[id] = view }
        let views = source.child(named: "subviews")?.children ?? []
        // Guides are no views of the source.
        let shown = view.subviews.filter { $0.className != "_UILayoutGuide" }
        let parts = source.children.filter { ["tableHeaderView", "tableFooterView"].contains($0["key"]) }
        #expect(shown.count == (source.name == "tableViewCell" ? 1 : views.count + parts.count))
        for (child, compiled) in zip(views, shown) { try compare(view: child, compiled, interface) }
        for part in parts {
            let key = part["key"] == "tableHeaderView" ? "UITableHeaderView" : "UITableFooterView"
            try compare(view: part, try #require(view.element(key)), interface)
        }
        if let content = source.children.first(where: { $0["key"] == "contentView" }) {
            try compare(view: content, try #require(view.element("UIContentView")), interface)
        }
        if let list = source.child(named: "prototypes") {
            let prototypes = try NibPrototype.prototypes(of: view)
            #expect(prototypes.map(\.reuseIdentifier) == list.children.map { $0["reuseIdentifier"] ?? "" })
            for (cell, prototype) in zip(list.children, prototypes) {
                let inside = NibInterface(prototype.document.graph)
                let root = try #require(inside.topLevelObjects.first { $0.proxyName == nil })
                try compare(view: cell, root, inside)
                for outlet in cell.child(named: "connections")?.children(named: "outlet") ?? [] {
                    let destination = try #require(found[outlet["destination"] ?? ""])
                    #expect(
                        inside.outlets.contains {
                            $0.name == outlet["property"] && $0.source == root && $0.destination == destination
                        })
                    compared.insert(outlet.number)
                }
            }
        }
        // Only now are all views known that a rule of layout may be about.
        let constraints = source.child(named: "constraints")?.children ?? []
        for (child, compiled) in zip(constraints, view.constraints.suffix(constraints.count)) {
            compare(constraint: child, compiled, of: view)
        }
        #expect(view.constraints.count >= constraints.count)
    }

    private mutating func compare(constraint source: XMLElement, _ constraint: NibConstraint, of view: NibElement) {
        compared.insert(source.number)
        let sides = [
            "left", "right", "top", "bottom", "leading", "trailing", "width", "height", "centerX", "centerY",
        ]
        func side(_ number: Int) -> String? { sides.indices.contains(number - 1) ? sides[number - 1] : nil }
        #expect(side(constraint.firstAttribute) == source["firstAttribute"])
        #expect(side(constraint.secondAttribute) == source["secondAttribute"])
        #expect("\(constraint.constant)" == "\(Double(source["constant"] ?? "0") ?? .nan)")
        #expect(constraint.relation == .equal && constraint.multiplier == 1 && constraint.priority == 1_000)
        if let first = source["firstItem"].flatMap({ found[$0] }) { #expect(constraint.first == first) }
        if source["firstItem"] == nil { #expect(constraint.first == view) }
        if let second = source["secondItem"].flatMap({ found[$0] }) { #expect(constraint.second == second) }
        #expect((constraint.second == nil) == (source["secondItem"] == nil))
        let known: Set = ["id", "firstAttribute", "secondAttribute", "constant", "firstItem", "secondItem"]
        #expect(source.attributes.allSatisfy { known.contains($0.name) })
        attributeCount += source.attributes.count
    }

    // MARK: Attributes and parts

    private mutating func compare(_ source: XMLElement, _ element: NibElement, _ interface: NibInterface) throws {
        compared.insert(source.number)
        if let name = source["customClass"] {
            #expect(element.customClassName == name)
            let module = element.string("UIClassName").flatMap { NibElement.moduleAndName($0)?.module }
            #expect(module == source["customModule"])
        }
        for attribute in source.attributes {
            attributeCount += 1
            let full = "\(source.name).\(attribute.name)"
            if SampleReading.elsewhere.contains(attribute.name) || SampleReading.elsewhere.contains(full) { continue }
            guard let reading = SampleReading.all[full] ?? SampleReading.all[attribute.name] else {
                Issue.record("nothing is known about \(full)")
                continue
            }
            #expect(reading.value(of: element) == attribute.value, "\(full) of \(source["id"] ?? "")")
        }
        for child in source.children { try compare(part: child, of: element) }
        let attributes = source.child(named: "userDefinedRuntimeAttributes")?.children ?? []
        let compiled = interface.attributes(of: element)
        #expect(compiled.map(\.keyPath) == attributes.map { $0["keyPath"] ?? "" })
        for (child, one) in zip(attributes, compiled) { compare(attribute: child, one.value) }
    }

    private mutating func compare(part: XMLElement, of element: NibElement) throws {
        let key = part["key"] ?? ""
        let name = "UI" + key.prefix(1).uppercased() + key.dropFirst()
        switch part.name {
        case "rect":
            let frame = try #require(element.frame)
            let numbers = ["x", "y", "width", "height"].map { Double(part[$0] ?? "") }
            #expect([frame.x, frame.y, frame.width, frame.height] == numbers)
        case "autoresizingMask":
            let names = [
                "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
            ]
            let mask = element.integer("UIAutoresizingMask") ?? 0
            #expect(names.indices.map { mask >> $0 & 1 == 1 } == names.map { part[$0] == "YES" })
        case "color":
            let isIndicator = element.baseClassName == "UIActivityIndicatorView" && key == "color"
            let color = try #require(element.color(isIndicator ? "UIActivityIndicatorViewColor" : name))
            compare(color: part, color)
        case "fontDescription":
            let font = try #require(element.font("UIFont"))
            #expect(font.pointSize == Double(part["pointSize"] ?? ""))
            #expect(font.isSystem && font.isBold == (part["type"] == "boldSystem"))
            #expect(["system", "boldSystem"].contains(part["type"] ?? ""))
        case "textInputTraits":
            for attribute in part.attributes where attribute.name != "key" {
                #expect(SampleReading.all[attribute.name]?.value(of: element) == attribute.value)
            }
        default: return
        }
        attributeCount += part.attributes.count
        compared.insert(part.number)
    }

    private mutating func compare(color source: XMLElement, _ color: NibColor) {
        compared.insert(source.number)
        let white = source["white"]
        for (name, value) in [("red", color.red), ("green", color.green), ("blue", color.blue), ("alpha", color.alpha)]
        {
            let expected = Double((name == "alpha" ? source[name] : white ?? source[name]) ?? "") ?? .nan
            #expect(abs(value - expected) < 1e-6, "\(name)")
        }
    }

    private mutating func compare(attribute source: XMLElement, _ value: NibRuntimeValue) {
        attributeCount += 1
        compared.insert(source.number)
        let child = source.children.first
        if let child { compared.insert(child.number) }
        switch (source["type"], value) {
        case ("string", .text(let text)): #expect(text == source["value"])
        case ("number", .number(let number)): #expect("\(Int(number))" == child?["value"])
        case ("boolean", .truth(let flag)): #expect(flag == (source["value"] == "YES"))
        case ("color", .color(let color)):
            if let child { compare(color: child, color) }
        default: Issue.record("\(source["type"] ?? "") became \(value)")
        }
    }
}
