internal import Nib
internal import XMLText

/// Attributes and parts of an object, by the tables of rules. What no rule knows is an error where it stands.
extension NibCompiler {
    mutating func writeObject(_ element: XMLElement, _ rule: ElementRule, _ number: Int) throws(BuildError) {
        if rule.isView { writeViewBasics(element, number) }
        for (key, content) in rule.constants { draft.set(key, .content(content), of: number) }
        for attribute in element.attributes {
            guard let known = rule.attributes[attribute.name] else {
                throw BuildError(
                    "the attribute \(attribute.name) of \(element.name) cannot be compiled", path: source.path,
                    at: element.position(of: attribute), hints: ["docs/building.md lists what can"])
            }
            try write(attribute, known, element, number)
        }
        try writeSpecials(element, number)
        // Views whose place is known by their key are also among the views shown.
        var extra: [Int] = []
        // A list of subviews comes after the views it has to contain as well.
        let (lists, parts) = (element.children(named: "subviews"), element.children.filter { $0.name != "subviews" })
        for child in parts + lists { try write(child, in: element, rule, number, &extra) }
        if let kept = guideConstraints.removeValue(forKey: number) {
            draft.set("UIViewAutolayoutConstraints", .object(draft.list(kept, "NSMutableArray")), of: number)
        }
        extra += guides.removeValue(forKey: number) ?? []
        if !extra.isEmpty, element.child(named: "subviews") == nil {
            draft.set("UISubviews", .object(draft.list(extra, "NSMutableArray")), of: number)
        }
    }

    // MARK: Attributes

    private mutating func write(
        _ attribute: XMLAttribute, _ rule: AttributeRule, _ element: XMLElement, _ number: Int
    ) throws(BuildError) {
        let value = attribute.value
        func wrong(_ expected: String) -> BuildError {
            BuildError(
                "\(attribute.name) is \"\(value)\", but has to be \(expected)", path: source.path,
                at: element.position(of: attribute))
        }
        switch rule {
        case .editor, .handled: break
        case .truth(let key, let standard):
            guard let flag = NibCompiler.truth(value) else { throw wrong("YES or NO") }
            if flag != standard { draft.set(key, flag, of: number) }
        case .opposite(let key, let standard):
            guard let flag = NibCompiler.truth(value) else { throw wrong("YES or NO") }
            if flag != standard { draft.set(key, !flag, of: number) }
        case .integer(let key):
            guard let integer = Int(value) else { throw wrong("a whole number") }
            draft.set(key, integer: integer, of: number)
        case .float(let key):
            guard let float = Float(value), float.isFinite else { throw wrong("a number") }
            draft.set(key, .content(.float(float)), of: number)
        case .double(let key):
            guard let double = Double(value), double.isFinite else { throw wrong("a number") }
            draft.set(key, .content(.double(double)), of: number)
        case .text(let key): draft.set(key, text: value, of: number)
        case .translatable(let key):
            let text = try translatable(value, attribute.name, of: element)
            draft.set(key, .object(text), of: number)
        case .choice(let key, let names):
            guard let choice = names[value] else { throw wrong("one of \(NibCompiler.listed(names))") }
            draft.set(key, integer: choice, of: number)
        case .choiceExcept(let key, let names, let standard):
            guard let choice = names[value] else { throw wrong("one of \(NibCompiler.listed(names))") }
            if choice != standard { draft.set(key, integer: choice, of: number) }
        case .image(let key): draft.set(key, .object(image(value)), of: number)
        case .reference(let key): draft.set(key, .object(try object(value, for: element)), of: number)
        }
    }

    static func truth(_ value: String) -> Bool? {
        switch value {
        case "YES": true
        case "NO": false
        default: nil
        }
    }

    private static func listed(_ names: [String: Int]) -> String { names.keys.sorted().joined(separator: ", ") }

    /// A text that people read; in a folder of a language it can be replaced by that language's file.
    mutating func translatable(
        _ text: String, _ property: String, of element: XMLElement
    ) throws(BuildError) -> Int {
        guard source.isTranslatable else { return draft.text(text) }
        return draft.translatable(text, key: "\(try source.id(of: element)).\(property)")
    }

    mutating func image(_ name: String) -> Int {
        draft.sharing("image \(name)") { draft in
            let image = draft.add("UIImageNibPlaceholder")
            draft.set("UIResourceName", text: name, of: image)
            return image
        }
    }

    // MARK: Parts

    private mutating func write(
        _ child: XMLElement, in element: XMLElement, _ rule: ElementRule, _ number: Int, _ extra: inout [Int]
    ) throws(BuildError) {
        if rule.ignored.contains(child.name) { return }
        let key = child["key"] ?? ""
        switch child.name {
        case "connections": return
        case "userDefinedRuntimeAttributes":
            for attribute in child.children { try writeAttribute(attribute, of: number) }
        case "rect" where key == "frame" && rule.isView, "rect" where key == "contentStretch" && rule.isView: return
        case "autoresizingMask" where rule.isView: return
        case "constraints" where rule.isView: try writeConstraints(child, of: number, element)
        case "viewLayoutGuide" where rule.isView: try writeLayoutGuide(child, of: number)
        case "color" where rule.colors[key] != nil:
            draft.set(rule.colors[key] ?? "", .object(try color(child)), of: number)
        case "fontDescription" where rule.fonts[key] != nil:
            draft.set(rule.fonts[key] ?? "", .object(try font(child)), of: number)
        case "string" where rule.texts[key] != nil:
            let text = try translatable(child.text, key, of: element)
            draft.set(rule.texts[key] ?? "", .object(text), of: number)
        case "inset" where rule.insets[key] != nil, "edgeInsets" where rule.insets[key] != nil:
            draft.set(rule.insets[key] ?? "", numbers: try insets(child), of: number)
        case "size" where rule.sizes[key] != nil:
            let size = [try self.number("width", of: child), try self.number("height", of: child)]
            if let name = rule.sizes[key], !name.isEmpty { draft.set(name, numbers: size, of: number) }
        case "nil" where rule.colors[key] != nil || rule.fonts[key] != nil: return
        case "textInputTraits" where rule.hasTextTraits: try writeTraits(child, of: number)
        case "state" where element.name == "button": return
        case "segments" where element.name == "segmentedControl": return
        case "prototypes" where element.name == "tableView", "cells" where element.name == "collectionView":
            try writePrototypes(child, of: number)
        case "sections" where element.name == "tableView": try writeSections(child)
        case "extendedEdge" where ElementRule.controllers.contains(element.name): try writeEdges(child, of: number)
        case let name where rule.lists[name] != nil: try writeList(child, rule, number, extra)
        case _ where rule.objects[key] != nil: try writePart(child, key, rule, number, &extra)
        case "tableViewCellContentView" where element.name == "tableViewCell",
            "collectionViewCellContentView" where element.name == "collectionViewCell",
            "view" where key == "contentView" && element.name == "collectionViewCell":
            let content = try queue(child)
            draft.set("UIContentView", .object(content), of: number)
            extra.append(content)
        default:
            throw source.fault(
                "\(child.name)\(key.isEmpty ? "" : " for \(key)") in \(element.name) cannot be compiled", child,
                hints: ["docs/building.md lists what can"])
        }
    }

    private mutating func writeList(
        _ list: XMLElement, _ rule: ElementRule, _ number: Int, _ extra: [Int]
    ) throws(BuildError) {
        var elements = extra
        for child in list.children { elements.append(try queue(child)) }
        if list.name == "subviews" { elements += guides.removeValue(forKey: number) ?? [] }
        guard !elements.isEmpty, let key = rule.lists[list.name] else { return }
        draft.set(key, .object(draft.list(elements, "NSMutableArray")), of: number)
        if rule.className == "UIStackView", list.name == "subviews" {
            draft.set("UIStackViewArrangedSubviews", .object(draft.list(elements)), of: number)
        }
    }

    private mutating func writePart(
        _ child: XMLElement, _ key: String, _ rule: ElementRule, _ number: Int, _ extra: inout [Int]
    ) throws(BuildError) {
        guard let name = rule.objects[key], !name.isEmpty else { return }
        let part = try queue(child)
        draft.set(name, .object(part), of: number)
        switch key {
        case "tableHeaderView", "tableFooterView": extra.append(part)
        case "leftBarButtonItem", "rightBarButtonItem":
            draft.set("\(name)s", .object(draft.list([part])), of: number)
        default: break
        }
    }

    func number(_ name: String, of element: XMLElement) throws(BuildError) -> Double {
        guard let text = element[name], let number = Double(text), number.isFinite else {
            throw source.fault("\(element.name) needs the number \(name)", element)
        }
        return number
    }

    /// Top, left, bottom and right, in either of the two spellings.
    private func insets(_ element: XMLElement) throws(BuildError) -> [Double] {
        let names = element.name == "inset" ? ["minY", "minX", "maxY", "maxX"] : ["top", "left", "bottom", "right"]
        var numbers: [Double] = []
        for name in names { numbers.append(element[name] == nil ? 0 : try number(name, of: element)) }
        return numbers
    }

    private mutating func writeEdges(_ element: XMLElement, of number: Int) throws(BuildError) {
        guard element["key"] == "edgesForExtendedLayout" else {
            throw source.fault("extendedEdge for \(element["key"] ?? "nothing") cannot be compiled", element)
        }
        var edges = 0
        for (position, name) in ["top", "left", "bottom", "right"].enumerated() where element[name] == "YES" {
            edges |= 1 << position
        }
        draft.set("UIEdgesForExtendedLayout", integer: edges, of: number)
    }
}
