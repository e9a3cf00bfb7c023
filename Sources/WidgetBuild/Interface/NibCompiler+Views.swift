internal import Nib
internal import XMLText

/// What views have besides plain attributes: their place, rules of layout, cells, titles for states.
extension NibCompiler {
    mutating func writeViewBasics(_ element: XMLElement, _ number: Int) {
        let frame = element.children.first { $0.name == "rect" && $0["key"] == "frame" }
        func side(_ name: String) -> Double { frame?[name].flatMap { Double($0) } ?? 0 }
        let (x, y, width, height) = (side("x"), side("y"), side("width"), side("height"))
        draft.set("UIBounds", numbers: [0, 0, width, height], of: number)
        draft.set("UICenter", numbers: [x + width / 2, y + height / 2], of: number)
        draft.set("UIDeepDrawRect", true, of: number)
        // What is not said to be see-through is opaque where its class is.
        let isOpaque =
            element["opaque"].flatMap { NibCompiler.truth($0) } ?? !ElementRule.seeThrough.contains(element.name)
        if isOpaque { draft.set("UIOpaque", true, of: number) }
        if element["autoresizesSubviews"] != "NO" { draft.set("UIAutoresizeSubviews", true, of: number) }
        if let mask = autoresizingMask(element) { draft.set("UIAutoresizingMask", integer: mask, of: number) }
        for (key, names) in [
            ("UIViewContentHuggingPriority", ("horizontalHuggingPriority", "verticalHuggingPriority")),
            (
                "UIViewContentCompressionResistancePriority",
                ("horizontalCompressionResistancePriority", "verticalCompressionResistancePriority")
            ),
        ] {
            let (horizontal, vertical) = (element[names.0], element[names.1])
            guard horizontal != nil || vertical != nil else { continue }
            let standard = key == "UIViewContentHuggingPriority" ? "250" : "750"
            draft.set(key, text: "{\(horizontal ?? standard), \(vertical ?? standard)}", of: number)
        }
    }

    private func autoresizingMask(_ element: XMLElement) -> Int? {
        guard let mask = element.child(named: "autoresizingMask") else {
            // Views with rules of layout of their own are kept at their top left corner meanwhile.
            return element["translatesAutoresizingMaskIntoConstraints"] == "NO" ? 36 : nil
        }
        var bits = 0
        let names = [
            "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
        ]
        for (position, name) in names.enumerated() where mask[name] == "YES" { bits |= 1 << position }
        return bits
    }

    // MARK: Layout

    mutating func writeConstraints(_ list: XMLElement, of number: Int, _ view: XMLElement) throws(BuildError) {
        var constraints = guideConstraints.removeValue(forKey: number) ?? []
        for element in list.children {
            guard element.name == "constraint" else {
                throw source.fault("\(element.name) cannot be compiled", element)
            }
            // Only the editor needed it: that is what the mark says.
            if element["placeholder"] == "YES" { continue }
            constraints.append(try constraint(element, in: number))
        }
        guard !constraints.isEmpty else { return }
        draft.set("UIViewAutolayoutConstraints", .object(draft.list(constraints, "NSMutableArray")), of: number)
    }

    private static let constraintAttributes: Set<String> = [
        "id", "firstItem", "firstAttribute", "relation", "secondItem", "secondAttribute", "multiplier", "constant",
        "priority", "symbolic", "identifier", "placeholder", "customClass", "customModule", "customModuleProvider",
        "symbolType", "userLabel",
    ]

    private mutating func constraint(_ element: XMLElement, in view: Int) throws(BuildError) -> Int {
        for attribute in element.attributes where !Self.constraintAttributes.contains(attribute.name) {
            throw BuildError(
                "the attribute \(attribute.name) of constraint cannot be compiled", path: source.path,
                at: element.position(of: attribute))
        }
        let number = try object(try source.id(of: element), for: element)
        finish(number)
        objects.append(number)
        setClass("NSLayoutConstraint", of: number, element)
        let first = try element["firstItem"].map { id throws(BuildError) in try object(id, for: element) } ?? view
        draft.set("NSFirstItem", .object(first), of: number)
        try writeSide("NSFirstAttribute", element["firstAttribute"], element, number)
        switch element["relation"] {
        case nil, "equal": break
        case "lessThanOrEqual": draft.set("NSRelation", integer: -1, of: number)
        case "greaterThanOrEqual": draft.set("NSRelation", integer: 1, of: number)
        case let other?: throw source.fault("there is no relation \(other)", element)
        }
        if let second = element["secondItem"] {
            draft.set("NSSecondItem", .object(try object(second, for: element)), of: number)
        }
        if element["secondAttribute"] != nil {
            try writeSide("NSSecondAttribute", element["secondAttribute"], element, number)
        }
        if let multiplier = element["multiplier"] {
            draft.set("NSMultiplier", .content(.double(try ratio(multiplier, element))), of: number)
        }
        if element["symbolic"] == "YES" || element["symbolType"] != nil {
            draft.set("NSSymbolicConstant", text: element["symbolType"] ?? "NSSpace", of: number)
        }
        if element["constant"] != nil {
            let constant = try self.number("constant", of: element)
            draft.set("NSConstantV2", .content(.double(constant)), of: number)
            draft.set("NSShouldBeArchived", true, of: number)
            draft.set("NSConstant", .content(.double(constant)), of: number)
        } else {
            draft.set("NSShouldBeArchived", true, of: number)
        }
        if element["priority"] != nil {
            let priority = try self.number("priority", of: element)
            if let whole = Int(exactly: priority) {
                draft.set("NSPriority", integer: whole, of: number)
            } else {
                draft.set("NSPriority", .content(.float(Float(priority))), of: number)
            }
        }
        if let identifier = element["identifier"] { draft.set("NSLayoutIdentifier", text: identifier, of: number) }
        for child in element.children {
            switch child.name {
            case "connections": break
            case "userDefinedRuntimeAttributes":
                for attribute in child.children { try writeAttribute(attribute, of: number) }
            default: throw source.fault("\(child.name) in constraint cannot be compiled", child)
            }
        }
        return number
    }

    private static let sides: [String: Int] = [
        "left": 1, "right": 2, "top": 3, "bottom": 4, "leading": 5, "trailing": 6, "width": 7, "height": 8,
        "centerX": 9, "centerY": 10, "baseline": 11, "lastBaseline": 11, "firstBaseline": 12, "leftMargin": 13,
        "rightMargin": 14, "topMargin": 15, "bottomMargin": 16, "leadingMargin": 17, "trailingMargin": 18,
        "centerXWithinMargins": 19, "centerYWithinMargins": 20,
    ]

    private mutating func writeSide(
        _ key: String, _ name: String?, _ element: XMLElement, _ number: Int
    ) throws(BuildError) {
        guard let name, let side = Self.sides[name] else {
            throw source.fault("\(name ?? "nothing") is no side that a constraint can have", element)
        }
        draft.set("\(key)V2", integer: side, of: number)
        draft.set(key, integer: side, of: number)
    }

    /// A number, or two with a colon between them.
    private func ratio(_ text: String, _ element: XMLElement) throws(BuildError) -> Double {
        let parts = text.split(separator: ":").map { Double($0) }
        if parts.count == 1, let number = parts[0], number.isFinite { return number }
        if parts.count == 2, let first = parts[0], let second = parts[1], second != 0, (first / second).isFinite {
            return first / second
        }
        throw source.fault("the multiplier \(text) is no number or ratio", element)
    }

    /// A guide that belongs to the view, such as its safe area.
    mutating func writeLayoutGuide(_ element: XMLElement, of view: Int) throws(BuildError) {
        let names = [
            "safeArea": "UIViewSafeAreaLayoutGuide", "contentLayoutGuide": "UIScrollView-contentLayoutGuide",
            "frameLayoutGuide": "UIScrollView-frameLayoutGuide",
        ]
        guard let name = names[element["key"] ?? ""] else {
            throw source.fault("viewLayoutGuide for \(element["key"] ?? "nothing") cannot be compiled", element)
        }
        let guide = try object(try source.id(of: element), for: element)
        finish(guide)
        draft.setClass("UILayoutGuide", of: guide)
        draft.set("UILayoutGuideOwningView", .object(view), of: guide)
        draft.set("UILayoutGuideIdentifier", text: name, of: guide)
        draft.set("UILayoutGuideOwningViewIsLocked", true, of: guide)
        draft.set("UILayoutGuideShouldBeArchived", true, of: guide)
    }

    // MARK: Cells

    /// Cells that are fixed: a source of data that the controller of the table asks.
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
                guard let title = element[name] else { continue }
                draft.set(key, .object(try translatable(title, name, of: element)), of: section)
            }
            var rows: [Int] = []
            for child in element.children {
                guard child.name == "cells" else {
                    throw source.fault("\(child.name) in tableViewSection cannot be compiled", child)
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
            guard let identifier = cell["reuseIdentifier"], !identifier.isEmpty else {
                throw source.fault("a cell that others are made from needs a reuseIdentifier", cell)
            }
            guard let compiled = prototypes[cell.number] else {
                throw source.fault("\(cell.name) cannot be compiled here", cell)
            }
            let data = draft.add("NSData")
            draft.set(NibKey.bytes, .bytes(compiled.bytes), of: data)
            let nib = draft.add("UINib")
            draft.set("captureEnclosingNIBBundleOnDecode", true, of: nib)
            draft.set("archiveData", .object(data), of: nib)
            nibs.append((draft.text(identifier), nib))
            var pairs: [(Int, Int)] = []
            for id in compiled.external {
                pairs.append((draft.text("UpstreamPlaceholder-\(id)"), try object(id, for: cell)))
            }
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
}

extension ElementRule {
    /// Views that are not opaque unless they say so.
    static let seeThrough: Set<String> = [
        "label", "button", "activityIndicatorView", "progressView", "switch", "slider", "stepper", "pageControl",
        "segmentedControl", "textField", "stackView", "navigationBar", "tableViewCellContentView", "tableViewCell",
    ]
}
