internal import WidgetBytes

/// Writes the storyboard of screens in the notation, as Xcode would have saved it.
struct StoryboardWriter {
    let document: NotationDocument
    private var ids = StoryboardIDs()
    /// The names from which the ids of each line follow.
    private var keys: [String] = []
    /// The line around each line.
    private(set) var parents: [Int?] = []
    /// The tab that leads to each screen.
    private var tabs: [Int: Int] = [:]

    static func storyboard(of document: NotationDocument) -> StoryboardText {
        var writer = StoryboardWriter(document: document)
        return StoryboardText(writer.root())
    }

    private init(document: NotationDocument) {
        self.document = document
        keys = [String](repeating: "", count: document.nodes.count)
        parents = [Int?](repeating: nil, count: document.nodes.count)
        // Names are given once in a scope, which is a screen or a cell.
        var pending = document.tops.reversed().map { (number: $0, scope: "", parent: "", place: $0) }
        while let (number, scope, parent, place) = pending.popLast() {
            let node = document.nodes[number]
            keys[number] =
                node.name.map { "\(node.kind == .cell ? parent : scope)/\($0)" }
                ?? "\(parent)/\(node.kind.rawValue)#\(place)"
            let isScope = node.kind == .cell || parent.isEmpty
            var counts: [NotationKind: Int] = [:]
            for child in node.children {
                parents[child] = number
                let kind = document.nodes[child].kind
                pending.append((child, isScope ? keys[number] : scope, keys[number], counts[kind, default: 0]))
                counts[kind, default: 0] += 1
            }
            if node.kind == .tab, case .screen(let name, _, _)? = node.target, let screen = document.screen(name) {
                tabs[screen] = number
            }
        }
    }

    mutating func id(_ number: Int, _ part: String = "") -> String { ids.id("\(keys[number]):\(part)") }

    /// The id of the controller that a way to a line at the margin leads to: that of its stack, if it has one.
    mutating func entry(_ number: Int) -> String {
        document.nodes[number].has("in") ? id(number, "stack") : id(number)
    }

    // MARK: The document

    private mutating func root() -> StoryboardElement {
        var root = StoryboardElement(
            "document",
            [
                "type": "com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB", "version": "3.0",
                "toolsVersion": "14460.31", "targetRuntime": "iOS.CocoaTouch", "propertyAccessControl": "none",
                "useAutolayout": "YES", "useTraitCollections": "YES", "colorMatched": "YES",
            ])
        if let initial = document.initial { root["initialViewController"] = entry(initial) }
        root.children = [
            StoryboardElement(
                "device", ["id": "retina4_7", "orientation": "portrait"],
                [StoryboardElement("adaptation", ["id": "fullscreen"])]),
            StoryboardElement(
                "dependencies", [:],
                [
                    StoryboardElement(
                        "plugIn",
                        ["identifier": "com.apple.InterfaceBuilder.IBCocoaTouchPlugin", "version": "14460.20"]),
                    StoryboardElement(
                        "capability",
                        ["name": "documents saved in the Xcode 8 format", "minToolsVersion": "8.0"]),
                ]),
        ]
        var scenes: [StoryboardElement] = []
        for (place, number) in document.tops.enumerated() {
            let node = document.nodes[number]
            let x = Double(place) * 800
            if node.kind == .tabs {
                scenes.append(scene(number, tabBarController(number), "", x: x, y: -800))
                continue
            }
            if node.has("in") {
                scenes.append(scene(number, navigationController(number), "stack", x: x, y: 0))
            }
            scenes.append(scene(number, viewController(number), "", x: x, y: node.has("in") ? 800 : 0))
        }
        root.children.append(StoryboardElement("scenes", [:], scenes))
        return root
    }

    private mutating func scene(
        _ number: Int, _ controller: StoryboardElement, _ part: String, x: Double, y: Double
    ) -> StoryboardElement {
        var scene = StoryboardElement(
            "scene", ["sceneID": id(number, "\(part)scene")],
            [
                StoryboardElement(
                    "objects", [:],
                    [
                        controller,
                        StoryboardElement(
                            "placeholder",
                            [
                                "placeholderIdentifier": "IBFirstResponder", "id": id(number, "\(part)first"),
                                "userLabel": "First Responder", "sceneMemberID": "firstResponder",
                            ]),
                    ]),
                StoryboardElement(
                    "point",
                    ["key": "canvasLocation", "x": StoryboardNumber.text(x), "y": StoryboardNumber.text(y)]),
            ])
        scene.position = document.nodes[number].position
        if let name = document.nodes[number].name, !name.contains("--"), !name.hasSuffix("-") { scene.comment = name }
        return scene
    }

    // MARK: Controllers

    private mutating func bar(_ kind: String, _ number: Int) -> StoryboardElement {
        var bar = StoryboardElement(
            kind, ["key": kind, "contentMode": "scaleToFill", "id": id(number, "bar")],
            [
                rect(0, kind == "tabBar" ? 618 : 20, 375, kind == "tabBar" ? 49 : 44),
                StoryboardElement("autoresizingMask", ["key": "autoresizingMask"]),
            ])
        if document.nodes[number].has("largeTitles") { bar["largeTitles"] = "YES" }
        if let color = document.nodes[number].color("barColor") {
            bar.children.append(StoryboardWriter.color(color, key: "barTintColor"))
        }
        return bar
    }

    private mutating func navigationController(_ number: Int) -> StoryboardElement {
        var element = StoryboardElement(
            "navigationController", ["id": id(number, "stack"), "sceneMemberID": "viewController"])
        if let item = tabBarItem(number) { element.children.append(item) }
        element.children.append(bar("navigationBar", number))
        element.add(
            "connections",
            [
                StoryboardElement(
                    "segue",
                    [
                        "destination": id(number), "kind": "relationship", "relationship": "rootViewController",
                        "id": id(number, "root"),
                    ])
            ])
        return element
    }

    private mutating func tabBarController(_ number: Int) -> StoryboardElement {
        var element = StoryboardElement("tabBarController")
        if let name = document.nodes[number].name {
            element["restorationIdentifier"] = name
            element["storyboardIdentifier"] = name
        }
        element["id"] = id(number)
        element["sceneMemberID"] = "viewController"
        element.children.append(bar("tabBar", number))
        var segues: [StoryboardElement] = []
        for tab in document.nodes[number].children {
            guard case .screen(let name, _, _)? = document.nodes[tab].target, let screen = document.screen(name) else {
                continue
            }
            segues.append(
                StoryboardElement(
                    "segue",
                    [
                        "destination": entry(screen), "kind": "relationship", "relationship": "viewControllers",
                        "id": id(tab, "segue"),
                    ]))
        }
        element.add("connections", segues)
        return element
    }

    private mutating func tabBarItem(_ number: Int) -> StoryboardElement? {
        guard let tab = tabs[number] else { return nil }
        var item = StoryboardElement("tabBarItem", ["key": "tabBarItem"])
        item["title"] = document.nodes[tab].text ?? ""
        item["image"] = document.nodes[tab].text("picture")
        item["id"] = id(tab)
        item.position = document.nodes[tab].position
        return item
    }

    private mutating func viewController(_ number: Int) -> StoryboardElement {
        let node = document.nodes[number]
        var element = StoryboardElement("viewController")
        let name = node.name ?? ""
        let lists = lists(in: number)
        element["restorationIdentifier"] = name
        element["storyboardIdentifier"] = name
        element["id"] = id(number)
        set(class: lists.isEmpty ? "ContentViewController" : "StandardViewController", node, &element)
        element["sceneMemberID"] = "viewController"
        element.children.append(
            StoryboardElement(
                "layoutGuides", [:],
                [
                    StoryboardElement("viewControllerLayoutGuide", ["type": "top", "id": id(number, "top")]),
                    StoryboardElement("viewControllerLayoutGuide", ["type": "bottom", "id": id(number, "bottom")]),
                ]))
        element.children.append(screenView(number))
        if let item = navigationItem(number) { element.children.append(item) }
        if !node.has("in"), let item = tabBarItem(number) { element.children.append(item) }
        element.add("userDefinedRuntimeAttributes", runtimeAttributes(node, named: false))
        var outlets: [StoryboardElement] = []
        for (list, outlet) in [(NotationKind.table, "tableView"), (.collection, "collectionView")] {
            guard let first = lists.first(where: { document.nodes[$0].kind == list }) else { continue }
            outlets.append(
                StoryboardElement(
                    "outlet", ["property": outlet, "destination": id(first), "id": id(number, outlet)]))
        }
        element.add("connections", outlets)
        return element
    }

    /// Returns the tables and collections of a screen, in their order.
    private func lists(in number: Int) -> [Int] {
        var found: [Int] = []
        var pending = [number]
        while let next = pending.popLast() {
            let kind = document.nodes[next].kind
            if kind == .table || kind == .collection { found.append(next) }
            // Those in cells are many.
            if kind != .cell { pending += document.nodes[next].children.reversed() }
        }
        return found
    }

    private mutating func navigationItem(_ number: Int) -> StoryboardElement? {
        let node = document.nodes[number]
        let items = node.children.filter { NotationKind.barItems.contains(document.nodes[$0].kind) }
        guard node.text != nil || node.has("back") || !items.isEmpty else { return nil }
        var element = StoryboardElement("navigationItem", ["key": "navigationItem"])
        element["title"] = node.text
        element["id"] = id(number, "item")
        for side in [NotationKind.left, .right] {
            let name = "\(side.rawValue)BarButtonItem"
            var buttons: [StoryboardElement] = []
            for item in items where document.nodes[item].kind == side { buttons.append(barButtonItem(item)) }
            if buttons.count == 1, var only = buttons.first {
                only.attributes.insert(("key", name), at: 0)
                element.children.append(only)
            } else {
                element.add("\(name)s", buttons)
            }
        }
        if let back = node.text("back") {
            element.children.append(
                StoryboardElement(
                    "barButtonItem", ["key": "backBarButtonItem", "title": back, "id": id(number, "back")]))
        }
        return element
    }

    private mutating func barButtonItem(_ number: Int) -> StoryboardElement {
        let node = document.nodes[number]
        var element = StoryboardElement("barButtonItem")
        element.position = node.position
        element["title"] = node.text
        element["image"] = node.text("picture")
        store(node, &element)
        element["id"] = id(number)
        finish(number, &element)
        return element
    }

    // MARK: Parts of many elements

    func set(class usual: String?, _ node: NotationNode, _ element: inout StoryboardElement) {
        guard let name = node.text("class") ?? usual else { return }
        element["customClass"] = name
        element["customModule"] = node.text("module") ?? "WidgetKit"
    }

    /// Writes the properties that have one attribute or part each.
    func store(_ node: NotationNode, _ element: inout StoryboardElement) {
        var traits = StoryboardElement("textInputTraits", ["key": "textInputTraits"])
        for (name, value) in node.properties {
            guard let property = NotationProperty.named(name) else { continue }
            let text: String
            switch (value, property.form) {
            case (.flag, _): text = property.flagged
            case (.number(let number), _): text = StoryboardNumber.text(number)
            case (.choice(let word), .choice(let words)): text = words.first { $0.key == word }?.value ?? word
            case (.text(let given), _): text = given
            default: text = ""
            }
            switch property.store {
            case .attribute(let attribute): element[attribute] = text
            case .trait(let attribute): traits[attribute] = text
            case .color(let key):
                if case .color(let color) = value { element.children.append(StoryboardWriter.color(color, key: key)) }
            case .runtime, .dimension, .other: break
            }
        }
        if traits.attributes.count > 1 { element.children.append(traits) }
    }

    /// Writes the parts at the end of views and items: accessibility, runtime attributes and connections.
    mutating func finish(_ number: Int, _ element: inout StoryboardElement) {
        let node = document.nodes[number]
        if let spoken = node.text("spoken") {
            element.children.append(
                StoryboardElement("accessibility", ["key": "accessibilityConfiguration", "label": spoken]))
        }
        element.add("userDefinedRuntimeAttributes", runtimeAttributes(node, named: true))
        element.add("connections", connections(number))
    }

    func runtimeAttributes(_ node: NotationNode, named: Bool) -> [StoryboardElement] {
        var list: [StoryboardElement] = []
        func add(_ key: String, _ type: String, _ value: String?, _ child: StoryboardElement? = nil) {
            var attribute = StoryboardElement("userDefinedRuntimeAttribute", ["type": type, "keyPath": key])
            attribute["value"] = value
            if let child { attribute.children = [child] }
            list.append(attribute)
        }
        if named, let name = node.name { add("wx.identifier", "string", name) }
        for (name, value) in node.properties {
            if let property = NotationProperty.named(name), case .runtime(let key) = property.store {
                switch (property.form, value) {
                case (_, .text(let text)): add(key, "string", text)
                case (.choice(let words), .choice(let word)):
                    add(key, "string", words.first { $0.key == word }?.value)
                default: break
                }
            }
            guard case .setting(let key, let setting) = value else { continue }
            switch setting {
            case .text(let text): add(key, "string", text)
            case .truth(let truth): add(key, "boolean", truth ? "YES" : "NO")
            case .number(let number):
                let kind = Int(exactly: number) == nil ? "real" : "integer"
                add(
                    key, "number", nil,
                    StoryboardElement(kind, ["key": "value", "value": StoryboardNumber.text(number)]))
            case .color(let color): add(key, "color", nil, StoryboardWriter.color(color, key: "value"))
            }
        }
        return list
    }

    mutating func connections(_ number: Int) -> [StoryboardElement] {
        let node = document.nodes[number]
        switch node.target {
        case .screen(let name, let kind, let segue)?:
            guard let screen = document.destination(name, from: node.kind) else { return [] }
            var element = StoryboardElement(
                "segue",
                [
                    "destination": entry(screen),
                    "kind": NotationTarget.kinds.first { $0.key == kind }?.value ?? "show",
                ])
            element["identifier"] = segue
            element["id"] = id(number, "segue")
            return [element]
        case .back?: return [action(NotationTarget.backSelector, number)]
        case .dismiss?: return [action(NotationTarget.dismissSelector, number)]
        case nil: return []
        }
    }

    private mutating func action(_ selector: String, _ number: Int) -> StoryboardElement {
        let screen = document.tops.last { $0 <= number } ?? number
        var element = StoryboardElement("action", ["selector": selector, "destination": id(screen)])
        if document.nodes[number].kind == .button { element["eventType"] = "touchUpInside" }
        element["id"] = id(number, "action")
        return element
    }

    func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> StoryboardElement {
        StoryboardElement(
            "rect",
            [
                "key": "frame", "x": StoryboardNumber.text(x), "y": StoryboardNumber.text(y),
                "width": StoryboardNumber.text(width), "height": StoryboardNumber.text(height),
            ])
    }
}
