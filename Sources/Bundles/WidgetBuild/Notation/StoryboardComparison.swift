internal import WidgetBytes
internal import XMLText

/// Compares a storyboard with the one that is written of what was read of it: every difference is a part that the
/// notation does not have. Parts that only the editor needs do not count.
struct StoryboardComparison {
    struct Difference {
        var sentence: String
        var position: TextPosition

        init(_ sentence: String, _ position: TextPosition) {
            (self.sentence, self.position) = (sentence, position)
        }
    }

    private static let editorElements: Set<String> = [
        "rect", "autoresizingMask", "point", "device", "dependencies", "resources", "nil", "viewLayoutGuide",
        "placeholder",
    ]
    private static let editorAttributes: Set<String> = [
        "id", "sceneID", "userLabel", "sceneMemberID", "misplaced", "ambiguous", "fixedFrame", "customModuleProvider",
        "tableViewCell", "explicitAutolayout",
    ]
    /// Attributes of the document that change what it means.
    private static let documentAttributes: Set<String> = ["type", "initialViewController", "launchScreen"]
    private static let references: Set<String> = ["destination", "initialViewController"]
    /// Lists whose elements have an order.
    private static let orderedLists: Set<String> = ["subviews", "prototypes", "cells", "segments", "connections"]

    private var differences: [Difference] = []
    /// The ids of the second document, by those of the first.
    private var ids: [String: String] = [:]
    private var referring: [(name: String, value: String, other: String, element: XMLElement)] = []
    private var constrained: [(list: XMLElement?, other: XMLElement?, owner: XMLElement, otherOwner: XMLElement)] = []

    static func differences(_ original: XMLDocument, _ written: XMLDocument) -> [Difference] {
        var comparison = StoryboardComparison()
        comparison.compare(original.root, written.root)
        return comparison.differences
    }

    private init() {}

    private mutating func note(_ sentence: String, _ element: XMLElement) {
        differences.append(Difference(sentence, element.position))
    }

    private mutating func compare(_ root: XMLElement, _ other: XMLElement) {
        var pending = [(root, other)]
        while let (element, other) = pending.popLast() {
            if let id = element["id"], let otherID = other["id"] { ids[id] = otherID }
            compareAttributes(element, other)
            let (pairs, alone, added) = StoryboardComparison.pairs(element, other)
            for child in alone { note("\(StoryboardComparison.shown(child)) of \(element.name) is not covered", child) }
            // Guides are there for constraints, which are compared.
            for child in added where child.name != "layoutGuides" {
                note("\(element.name) would get \(StoryboardComparison.shown(child))", element)
            }
            pending += pairs.reversed()
            let lists = (element.child(named: "constraints"), other.child(named: "constraints"))
            if lists.0 != nil || lists.1 != nil {
                constrained.append((lists.0, lists.1, element, other))
            }
            if element.text.contains(where: { !$0.isWhitespace }), element.text != other.text {
                note("the text in \(element.name) is not covered", element)
            }
        }
        for (name, value, other, element) in referring where ids[value] != other {
            note("the \(name) of \(element.name) is not covered", element)
        }
        for (list, other, owner, otherOwner) in constrained { compare(list, other, owner, otherOwner) }
        differences.sort { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    }

    private static func shown(_ element: XMLElement) -> String {
        element["key"].map { "\(element.name) \($0)" } ?? element["keyPath"].map { "\(element.name) \($0)" }
            ?? element.name
    }

    private mutating func compareAttributes(_ element: XMLElement, _ other: XMLElement) {
        for attribute in element.attributes where StoryboardComparison.counts(attribute.name, in: element) {
            guard let value = other[attribute.name] else {
                differences.append(
                    Difference(
                        "the attribute \(attribute.name) of \(element.name) is not covered",
                        element.position(of: attribute)))
                continue
            }
            if StoryboardComparison.references.contains(attribute.name) {
                referring.append((attribute.name, attribute.value, value, element))
            } else if !StoryboardComparison.isSame(attribute.value, value) {
                differences.append(
                    Difference(
                        "\(attribute.name) of \(element.name) would be \(ShownText.quoted(value)) instead of \(ShownText.quoted(attribute.value))",
                        element.position(of: attribute)))
            }
        }
        for attribute in other.attributes
        where StoryboardComparison.counts(attribute.name, in: other) && element[attribute.name] == nil {
            note("\(element.name) would get \(attribute.name)=\(ShownText.quoted(attribute.value))", element)
        }
    }

    private static func counts(_ attribute: String, in element: XMLElement) -> Bool {
        element.name == "document" ? documentAttributes.contains(attribute) : !editorAttributes.contains(attribute)
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        if first == second { return true }
        guard let first = Double(first), let second = Double(second) else { return false }
        return abs(first - second) < StoryboardReader.colorTolerance
    }

    // MARK: Parts

    private static func pairs(
        _ element: XMLElement, _ other: XMLElement
    ) -> (pairs: [(XMLElement, XMLElement)], alone: [XMLElement], added: [XMLElement]) {
        func parts(_ element: XMLElement) -> [XMLElement] {
            element.children.filter { !editorElements.contains($0.name) && $0.name != "constraints" }
        }
        var pairs: [(XMLElement, XMLElement)] = []
        var alone: [XMLElement] = []
        let others = parts(other)
        if orderedLists.contains(element.name) {
            var next = 0
            for child in parts(element) {
                if next < others.count, others[next].name == child.name {
                    pairs.append((child, others[next]))
                    next += 1
                } else {
                    alone.append(child)
                }
            }
            return (pairs, alone, Array(others[next...]))
        }
        var waiting: [String: [XMLElement]] = [:]
        for child in others.reversed() { waiting[key(child, others), default: []].append(child) }
        let own = parts(element)
        for child in own {
            if let match = waiting[key(child, own)]?.popLast() {
                pairs.append((child, match))
            } else {
                alone.append(child)
            }
        }
        let rest = Set(waiting.values.flatMap { $0 }.map(\.number))
        return (pairs, alone, others.filter { rest.contains($0.number) })
    }

    /// Returns a key that an element shares with the one that has its place in another document.
    private static func key(_ element: XMLElement, _ siblings: [XMLElement]) -> String {
        if element.name == "scene" {
            let controller = element.child(named: "objects")?.children.first
            var name = controller.map { StoryboardReader.screenName($0) } ?? ""
            if controller?.name == "navigationController", let controller {
                let root = StoryboardReader.relations(controller).first?["destination"]
                let screens = siblings.compactMap { $0.child(named: "objects")?.children.first }
                name = screens.first { $0["id"] == root }.map { StoryboardReader.screenName($0) } ?? ""
            } else if controller?.name == "tabBarController" {
                name = controller?["restorationIdentifier"] ?? ""
            }
            return "scene \(controller?.name ?? "") \(name)"
        }
        let names = [
            element["key"], element["keyPath"], element.name == "viewControllerLayoutGuide" ? element["type"] : nil,
        ]
        return "\(element.name) \(names.map { $0 ?? "" }.joined(separator: " "))"
    }

    // MARK: Constraints

    private mutating func compare(
        _ list: XMLElement?, _ other: XMLElement?, _ owner: XMLElement, _ otherOwner: XMLElement
    ) {
        func text(_ constraint: XMLElement, _ owner: XMLElement, _ id: (String) -> String) -> String {
            var parts = constraint.attributes.filter { $0.name != "id" }.map { attribute in
                switch attribute.name {
                case "firstItem", "secondItem": "\(attribute.name)=\(id(attribute.value))"
                case "constant": "constant=\(Double(attribute.value) ?? 0)"
                default: "\(attribute.name)=\(attribute.value)"
                }
            }
            if constraint["firstItem"] == nil { parts.append("firstItem=\(id(owner["id"] ?? ""))") }
            return parts.sorted().joined(separator: " ")
        }
        var waiting: [String: Int] = [:]
        for constraint in other?.children ?? [] {
            waiting[text(constraint, otherOwner) { $0 }, default: 0] += 1
        }
        var alone: [XMLElement] = []
        for constraint in list?.children ?? [] {
            let key = text(constraint, owner) { ids[$0] ?? "other \($0)" }
            if let count = waiting[key], count > 0 { waiting[key] = count - 1 } else { alone.append(constraint) }
        }
        let added = waiting.values.reduce(0, +)
        if let first = alone.first {
            note(
                "\(alone.count) of the constraints of \(owner.name) are not covered: the notation lays out views itself",
                first)
        } else if added > 0 {
            note("\(owner.name) would get \(added) constraints: the notation lays out views itself", owner)
        }
    }
}
