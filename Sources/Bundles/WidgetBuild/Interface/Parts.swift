internal import WidgetNib
internal import XMLText

/// Parts of objects: by the tables of rules, or by code in the file of their subject.
extension NibCompiler {
    /// - Parameter extra: views whose place is known by their key, which are also among the subviews.
    mutating func write(
        _ child: XMLElement, in element: XMLElement, _ rule: ElementRule, _ number: Int, _ extra: inout [Int]
    ) throws(BuildError) {
        if rule.ignored.contains(child.name) || EditorParts.has(child) { return }
        if let reason = LeftOutParts.reason(child) {
            notes.add("\(child.name) in \(element.name) was left out: \(reason)", child)
            return
        }
        let key = child["key"] ?? ""
        if rule.looks.contains(child.name) {
            notes.leaveOut(look: key.isEmpty ? child.name : key, of: element, at: child.position)
            return
        }
        if source.isUnused(child, in: element) {
            notes.add(
                "\(child.name) of \(element.name) was left out: its dataMode is \(element["dataMode"] ?? "")", child)
            return
        }
        switch child.name {
        case "connections": return
        case "accessibility" where key == "accessibilityConfiguration":
            try writeAccessibility(child, of: number, element)
        case "attributedString" where rule.attributedTexts[key] != nil:
            try writeAttributedText(child, rule.attributedTexts[key] ?? "", of: number)
        case "buttonConfiguration" where element.name == "button" && key == "configuration":
            try writeButtonConfiguration(child, of: number, element)
        case "imageReference":
            switch rule.attributes[key] {
            case .image(let property)?: try writeImageReference(child, property, of: number)
            case .look?: notes.leaveOut(look: key, of: element, at: child.position)
            default: try notes.leaveOut(child, of: element, knowing: [], path: source.path)
            }
        case "blurEffect" where element.name == "visualEffectView",
            "vibrancyEffect" where element.name == "visualEffectView":
            try writeEffect(child, of: number)
        case "scopeButtonTitles" where element.name == "searchBar":
            try writeScopes(child, of: number, element)
        case "userDefinedRuntimeAttributes":
            try writeAttributes(child, of: number)
        case "rect" where key == "frame" && rule.isView, "rect" where key == "contentStretch" && rule.isView: return
        case "autoresizingMask" where rule.isView: return
        case "constraints" where rule.isView: try writeConstraints(child, of: number, element)
        case "viewLayoutGuide" where rule.isView: try writeLayoutGuide(child, of: number)
        case "color" where rule.colors[key] != nil:
            draft.set(rule.colors[key] ?? "", .object(try color(child)), of: number)
        case "fontDescription" where rule.fonts[key] != nil:
            draft.set(rule.fonts[key] ?? "", .object(try font(child)), of: number)
        case "string" where rule.texts[key] != nil, "mutableString" where rule.texts[key] != nil:
            let text = try translatable(try self.text(of: child), key, of: element)
            draft.set(rule.texts[key] ?? "", .object(text), of: number)
        case "inset" where rule.insets[key] != nil, "edgeInsets" where rule.insets[key] != nil,
            "directionalEdgeInsets" where rule.insets[key] != nil:
            let sides = try insets(child)
            if let name = rule.insets[key], !name.isEmpty { draft.set(name, numbers: sides, of: number) }
            if key == "directionalLayoutMargins" {
                draft.set("UIViewLayoutMarginsAreDirectional", true, of: number)
            }
        case "size" where rule.sizes[key] != nil:
            let size = [try self.number("width", of: child), try self.number("height", of: child)]
            if let name = rule.sizes[key], !name.isEmpty { draft.set(name, numbers: size, of: number) }
        case "textInputTraits" where rule.hasTextTraits: try writeTraits(child, of: number)
        case "state" where element.name == "button": return
        case "dataDetectorType" where ["webView", "textView"].contains(element.name):
            draft.set("UIDataDetectorTypes", integer: dataDetectors(child), of: number)
        case "wkWebViewConfiguration" where element.name == "wkWebView":
            try writeWebConfiguration(child, of: number)
        case "segments" where element.name == "segmentedControl": return
        case "prototypes" where element.name == "tableView", "cells" where element.name == "collectionView":
            try writePrototypes(child, of: number)
        case "sections" where element.name == "tableView": try writeSections(child)
        case "extendedEdge" where ElementRule.controllers.contains(element.name): try writeEdges(child, of: number)
        case let name where rule.lists[name] != nil: try writeList(child, rule, number, extra)
        case _ where key == "view" && !source.isStoryboard && rule.objects[key] != nil:
            try writeOwnView(child, of: element, number)
        case _ where rule.objects[key] != nil: try writePart(child, key, rule, number, &extra)
        case "tableViewCellContentView" where element.name == "tableViewCell",
            "collectionViewCellContentView" where element.name == "collectionViewCell",
            "view" where key == "contentView" && ["collectionViewCell", "tableViewCell"].contains(element.name):
            let content = try queue(child)
            draft.set("UIContentView", .object(content), of: number)
            extra.append(content)
        default:
            if try writeSubject(child, in: element, rule, number) { return }
            try notes.leaveOut(child, of: element, knowing: rule.keys(of: child), path: source.path)
        }
    }

    private mutating func writeList(
        _ list: XMLElement, _ rule: ElementRule, _ number: Int, _ extra: [Int]
    ) throws(BuildError) {
        var elements = extra
        elements += try queue(all: list.children)
        if list.name == "viewControllers", !elements.isEmpty {
            draft.set("UIChildViewControllers", .object(draft.list(elements, "NSMutableArray")), of: number)
        }
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
        // In a storyboard, the view of a controller is in a separate file.
        guard let name = rule.objects[key], !name.isEmpty else { return }
        if key == "contentView" { partClasses[child.number] = "_UIVisualEffectContentView" }
        let part = try queue(child)
        draft.set(name, .object(part), of: number)
        switch key {
        case "tableHeaderView", "tableFooterView", "contentView", "accessoryView", "backgroundView":
            extra.append(part)
        case "leftBarButtonItem", "rightBarButtonItem":
            draft.set("\(name)s", .object(draft.list([part])), of: number)
        default: break
        }
    }

    func number(_ name: String, of element: XMLElement) throws(BuildError) -> Double {
        guard let text = source.variations.value(name, of: element), let number = Double(text), number.isFinite else {
            throw source.fault("\(element.name) needs the number \(name)", element)
        }
        return number
    }

    /// Returns top, left, bottom and right, in any of the three notations.
    func insets(_ element: XMLElement) throws(BuildError) -> [Double] {
        let names =
            switch element.name {
            case "inset": ["minY", "minX", "maxY", "maxX"]
            case "directionalEdgeInsets": ["top", "leading", "bottom", "trailing"]
            default: ["top", "left", "bottom", "right"]
            }
        var numbers: [Double] = []
        for name in names { numbers.append(element[name] == nil ? 0 : try number(name, of: element)) }
        return numbers
    }

    private mutating func writeEdges(_ element: XMLElement, of number: Int) throws(BuildError) {
        guard element["key"] == "edgesForExtendedLayout" else {
            throw source.fault("extendedEdge for \(element["key"] ?? "nothing") cannot be compiled", element)
        }
        draft.set("UIEdgesForExtendedLayout", integer: edges(element), of: number)
    }

    /// Writes a part that the table of its element does not describe.
    ///
    /// - Returns: false for a part that is not known.
    private mutating func writeSubject(
        _ child: XMLElement, in element: XMLElement, _ rule: ElementRule, _ number: Int
    ) throws(BuildError) -> Bool {
        let key = child["key"] ?? ""
        switch child.name {
        case "offsetWrapper":
            guard let name = rule.offsets[key] else { return false }
            try writeOffset(child, name, of: number)
        case "textAttributes" where element.name == "navigationBar":
            let names = [
                "titleTextAttributes": "UITitleTextAttributes",
                "largeTitleTextAttributes": "UIBarLargeTitleTextAttributes",
            ]
            guard let name = names[key] else { return false }
            try writeTextAttributes(child, name, of: number)
        case "date", "locale", "timeZone":
            guard element.name == "datePicker" else { return false }
            return try writePickerPart(child, of: number)
        case "rectEdge" where element.name == "screenEdgePanGestureRecognizer" && key == "edges":
            draft.set("UIScreenEdgePanGestureRecognizer.edges", integer: edges(child), of: number)
        case "collectionReusableView" where element.name == "collectionView":
            guard ["sectionHeaderView", "sectionFooterView"].contains(key) else { return false }
        case "value" where key == "contentSizeForViewInPopover" && child["type"] == "size":
            let size = [try self.number("width", of: child), try self.number("height", of: child)]
            draft.set("UIContentSizeForViewInPopover", numbers: size, of: number)
        default: return false
        }
        return true
    }
}
