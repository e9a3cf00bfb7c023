internal import WidgetBytes
internal import XMLText

/// Reads the parts of a storyboard that the notation has. ``StoryboardComparison`` finds the others.
struct StoryboardReader {
    private static let limits = NotationLimits()

    private(set) var result = NotationDocument()
    /// Parts that have no place in the notation at all.
    private(set) var left: [StoryboardComparison.Difference] = []
    /// The names of screens, by the ids of their controllers and of their stacks.
    private var names: [String: String] = [:]
    /// The stack of each screen, by the screen's id.
    private var stacks: [String: XMLElement] = [:]
    private var elements: [String: XMLElement] = [:]

    init(_ document: XMLDocument) {
        let controllers = StoryboardReader.controllers(of: document)
        for controller in controllers {
            guard let id = controller["id"] else { continue }
            elements[id] = controller
            if controller.name == "viewController" { names[id] = StoryboardReader.screenName(controller) }
            if controller.name == "tabBarController" { names[id] = controller["restorationIdentifier"] }
        }
        for controller in controllers where controller.name == "navigationController" {
            guard let root = StoryboardReader.relations(controller).first?["destination"], let id = controller["id"]
            else { continue }
            stacks[root] = stacks[root] ?? controller
            names[id] = names[root]
        }
        var tops: [String: Int] = [:]
        for controller in controllers {
            let number: Int
            switch controller.name {
            case "viewController": number = addScreen(controller)
            case "tabBarController": number = addTabs(controller)
            case "navigationController": continue
            default:
                left.append(.init("\(controller.name) is not covered", controller.position))
                continue
            }
            if let id = controller["id"] {
                tops[id] = number
                if let stack = stacks[id]?["id"] { tops[stack] = number }
            }
        }
        if let initial = document.root["initialViewController"].flatMap({ tops[$0] }), result.tops.first != initial {
            result.nodes[initial].properties.append(("initial", .flag))
        }
        for number in result.nodes.indices { sort(number) }
    }

    private mutating func sort(_ number: Int) {
        let rank = Dictionary(uniqueKeysWithValues: NotationProperty.all.enumerated().map { ($1.name, $0) })
        result.nodes[number].properties = result.nodes[number].properties.enumerated().sorted { first, second in
            let ranks = (rank[first.element.name] ?? 0, rank[second.element.name] ?? 0)
            return ranks.0 == ranks.1 ? first.offset < second.offset : ranks.0 < ranks.1
        }.map(\.element)
    }

    static func controllers(of document: XMLDocument) -> [XMLElement] {
        (document.root.child(named: "scenes")?.children(named: "scene") ?? []).flatMap { scene in
            (scene.child(named: "objects")?.children ?? []).filter {
                ElementRule.controllers.contains($0.name) && $0["sceneMemberID"] != "firstResponder"
            }
        }
    }

    static func relations(_ controller: XMLElement) -> [XMLElement] {
        (controller.child(named: "connections")?.children(named: "segue") ?? []).filter { $0["kind"] == "relationship" }
    }

    /// The name of a screen: that of its scheme, or else an id.
    static func screenName(_ controller: XMLElement) -> String {
        controller["restorationIdentifier"] ?? controller["storyboardIdentifier"] ?? controller["id"] ?? ""
    }

    // MARK: Screens

    private mutating func addScreen(_ controller: XMLElement) -> Int {
        var node = NotationNode(kind: .screen, name: StoryboardReader.screenName(controller))
        node.position = controller.position
        let item = controller.child(named: "navigationItem")
        node.text = item?["title"]
        if let stack = controller["id"].flatMap({ stacks[$0] }) {
            node.properties.append(("in", .choice("stack")))
            let bar = stack.child(named: "navigationBar")
            if bar?["largeTitles"] == "YES" { node.properties.append(("largeTitles", .flag)) }
            addColor("barColor", key: "barTintColor", of: bar, &node)
        }
        let back = item?.children.first { $0["key"] == "backBarButtonItem" }
        if let title = back?["title"] { node.properties.append(("back", .text(title))) }
        let view = controller.children.first { $0["key"] == "view" }
        if let view {
            addColor("background", key: "backgroundColor", of: view, &node)
            node.properties.removeAll { $0.name == "background" && $0.value == .color(StoryboardWriter.ground) }
            addColor("tint", key: "tintColor", of: view, &node)
        }
        addClass(
            controller, usual: StoryboardReader.hasList(view) ? "StandardViewController" : "ContentViewController",
            &node)
        addSettings(of: controller, &node)
        let number = result.add(node, in: nil)
        for side in [NotationKind.left, .right] {
            let key = "\(side.rawValue)BarButtonItem"
            let list = item?.child(named: "\(key)s")?.children ?? []
            for button in (item?.children.filter { $0["key"] == key } ?? []) + list {
                _ = add(button, side, in: number)
            }
        }
        if let view { addChain(of: view, number, depth: 1) }
        return number
    }

    private static func hasList(_ view: XMLElement?) -> Bool {
        var pending = view.map { [$0] } ?? []
        while let next = pending.popLast() {
            if next.name == "tableView" || next.name == "collectionView" { return true }
            pending += next.children
        }
        return false
    }

    private mutating func addTabs(_ controller: XMLElement) -> Int {
        var node = NotationNode(kind: .tabs, name: controller["restorationIdentifier"])
        node.position = controller.position
        addColor("barColor", key: "barTintColor", of: controller.child(named: "tabBar"), &node)
        let number = result.add(node, in: nil)
        for segue in StoryboardReader.relations(controller) {
            guard let id = segue["destination"], let name = names[id], elements[id]?.name != "tabBarController" else {
                continue
            }
            let item = elements[id]?.child(named: "tabBarItem")
            var tab = NotationNode(kind: .tab, text: item?["title"])
            if tab.text == "" { tab.text = nil }
            tab.position = segue.position
            if let image = item?["image"] { tab.properties.append(("picture", .text(image))) }
            tab.target = .screen(name, kind: "show", name: nil)
            _ = result.add(tab, in: number)
        }
        return number
    }

    // MARK: Views

    /// Adds the views of a container, with the margin and the spacing that its constraints have.
    private mutating func addChain(of view: XMLElement, _ number: Int, depth: Int) {
        var added: [(number: Int, id: String)] = []
        for child in view.child(named: "subviews")?.children ?? [] {
            if let child = addView(child, in: number, depth: depth) { added.append(child) }
        }
        var sides: [String: [XMLElement]] = [:]
        for constraint in view.child(named: "constraints")?.children ?? [] {
            for item in [constraint["firstItem"], constraint["secondItem"]] {
                if let item { sides[item, default: []].append(constraint) }
            }
        }
        func constant(_ id: String, _ side: String, _ others: Set<String>) -> Double? {
            let found = sides[id]?.first {
                $0["firstItem"] == id && $0["firstAttribute"] == side && others.contains($0["secondAttribute"] ?? "")
            }
            return found.map { Double($0["constant"] ?? "0") ?? 0 }
        }
        let inside = Set(added.map(\.id))
        /// The space below the last view: of a screen, to the guide above its bottom.
        func end(_ id: String) -> Double? {
            let found = sides[id]?.first {
                $0["secondItem"] == id && $0["secondAttribute"] == "bottom" && !inside.contains($0["firstItem"] ?? "")
            }
            return found.map { Double($0["constant"] ?? "0") ?? 0 }
        }
        var previous: NotationKind?
        var last: (kind: NotationKind, id: String)?
        for (child, id) in added {
            let axes = Set((sides[id] ?? []).filter { $0["firstItem"] == id }.compactMap { $0["firstAttribute"] })
            if axes.isSuperset(of: ["centerX", "centerY"]) {
                result.nodes[child].properties.append(("centered", .flag))
                continue
            }
            let kind = result.nodes[child].kind
            if previous == nil, !kind.reachesEdges, let margin = constant(id, "top", ["top", "bottom"]) {
                set("margin", margin, StoryboardWriter.margin, number)
            }
            if !kind.reachesEdges, kind != .activity, let margin = constant(id, "leading", ["leading"]) {
                set("margin", margin, StoryboardWriter.margin, number)
            }
            if let before = previous, !(before.reachesEdges && kind.reachesEdges),
                let spacing = constant(id, "top", ["bottom"])
            {
                set("spacing", spacing, StoryboardWriter.spacing, number)
            }
            previous = kind
            last = (kind, id)
        }
        if let last, !last.kind.reachesEdges, let margin = end(last.id) {
            set("margin", margin, StoryboardWriter.margin, number)
        }
    }

    /// Sets a number that differs from the usual one, and was not set before.
    private mutating func set(_ name: String, _ value: Double, _ usual: (NotationNode) -> Double, _ number: Int) {
        if result.nodes[number][name] == nil, usual(result.nodes[number]) != value {
            result.nodes[number].properties.append((name, .number(value)))
        }
    }

    private static let kinds: [String: NotationKind] = Dictionary(
        NotationKind.views.map { ($0.element, $0) }, uniquingKeysWith: { first, _ in first })

    private static func kind(of element: XMLElement) -> NotationKind? {
        switch element.name {
        case "view": element["customClass"] == "FormDisplayView" ? .form : .view
        case "stackView": element["axis"] == "vertical" ? .column : .row
        default: kinds[element.name]
        }
    }

    private mutating func addView(_ element: XMLElement, in parent: Int, depth: Int) -> (number: Int, id: String)? {
        guard let kind = StoryboardReader.kind(of: element), depth < StoryboardReader.limits.depth,
            result.nodes.count < StoryboardReader.limits.viewCount
        else {
            left.append(.init("\(element.name) is not covered", element.position))
            return nil
        }
        let number = add(element, kind, in: parent)
        addParts(of: element, number, depth: depth)
        return (number, element["id"] ?? "")
    }

    private mutating func addParts(of element: XMLElement, _ number: Int, depth: Int) {
        switch result.nodes[number].kind {
        case .column, .row:
            for child in element.child(named: "subviews")?.children ?? [] {
                _ = addView(child, in: number, depth: depth + 1)
            }
        case .view, .form, .scroll, .header, .footer: addChain(of: element, number, depth: depth + 1)
        case .table, .collection:
            addEnd("tableHeaderView", .header, of: element, number, depth: depth)
            for list in ["prototypes", "cells"] {
                for cell in element.child(named: list)?.children ?? [] {
                    let part = add(cell, .cell, in: number)
                    let content = cell.children.first { $0["key"] == "contentView" }
                    guard let display = content?.child(named: "subviews")?.children.first else { continue }
                    addChain(of: display, part, depth: depth + 2)
                }
            }
            addEnd("tableFooterView", .footer, of: element, number, depth: depth)
        default: break
        }
    }

    /// Adds the views above or below the rows of a list.
    private mutating func addEnd(
        _ key: String, _ kind: NotationKind, of element: XMLElement, _ number: Int, depth: Int
    ) {
        for child in element.children where child["key"] == key {
            let part = add(child, child.name == "searchBar" && kind == .header ? .search : kind, in: number)
            addParts(of: child, part, depth: depth + 1)
        }
    }

    // MARK: Lines

    private mutating func add(_ element: XMLElement, _ kind: NotationKind, in parent: Int) -> Int {
        var node = NotationNode(kind: kind)
        node.position = element.position
        switch kind {
        case .cell:
            let name = element["reuseIdentifier"]
            node.name = name == "Cell" ? nil : name
        case .label, .textField, .textView: node.text = element["text"]
        case .left, .right: node.text = element["title"]
        case .button: node.text = element.child(named: "state")?["title"]
        default: break
        }
        if node.text == "", kind == .label { node.text = nil }
        addStored(of: element, &node)
        addSpecial(of: element, &node)
        addSettings(of: element, &node)
        let usual: String? =
            switch kind {
            case .form: "FormDisplayView"
            case .cell: element.name == "tableViewCell" ? "ContentTableViewCell" : "ContentCollectionViewCell"
            default: nil
            }
        addClass(element, usual: usual, &node)
        addTarget(of: element, &node)
        return result.add(node, in: parent)
    }

    private func addTarget(of element: XMLElement, _ node: inout NotationNode) {
        for connection in element.child(named: "connections")?.children ?? [] where node.target == nil {
            switch (connection.name, connection["selector"]) {
            case ("segue", _):
                guard let name = connection["destination"].flatMap({ names[$0] }),
                    let kind = NotationTarget.kinds.first(where: { $0.value == connection["kind"] })
                else { continue }
                node.target = .screen(name, kind: kind.key, name: connection["identifier"])
            case ("action", NotationTarget.backSelector?): node.target = .back
            case ("action", NotationTarget.dismissSelector?): node.target = .dismiss
            default: break
            }
        }
    }
}
