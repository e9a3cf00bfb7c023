internal import WidgetNib
internal import XMLText

/// Parts of views besides plain attributes: their frame, constraints, titles for states.
extension NibCompiler {
    mutating func writeViewBasics(_ element: XMLElement, _ number: Int) {
        let frame = source.variations.parts(of: element).first { $0.name == "rect" && $0["key"] == "frame" }
        func side(_ name: String) -> Double { frame?[name].flatMap { Double($0) } ?? 0 }
        let (x, y, width, height) = (side("x"), side("y"), side("width"), side("height"))
        draft.set("UIBounds", numbers: [0, 0, width, height], of: number)
        draft.set("UICenter", numbers: [x + width / 2, y + height / 2], of: number)
        draft.set("UIDeepDrawRect", true, of: number)
        // Views are opaque by default, except for classes that are listed as see-through.
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
            let horizontal = source.variations.value(names.0, of: element)
            let vertical = source.variations.value(names.1, of: element)
            guard horizontal != nil || vertical != nil else { continue }
            let standard = key == "UIViewContentHuggingPriority" ? "250" : "750"
            draft.set(key, text: "{\(horizontal ?? standard), \(vertical ?? standard)}", of: number)
        }
    }

    private func autoresizingMask(_ element: XMLElement) -> Int? {
        // The bar of a stack is as wide as the stack.
        if element.name == "navigationBar", element["key"] == element.name { return 2 }
        guard let mask = element.child(named: "autoresizingMask") else {
            // Views with their own constraints stay at the top left corner until these apply.
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
            // The mark says that only the editor needs it.
            if element["placeholder"] == "YES" { continue }
            do throws(BuildError) {
                let made = try constraint(element, in: number)
                if source.variations.isInstalled(element) { constraints.append(made) }
            } catch { try source.errors.record(error) }
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
        let attributes = source.variations.attributes(of: element)
        for attribute in attributes where !Self.constraintAttributes.contains(attribute.name) {
            try notes.leaveOut(attribute, of: element, knowing: Self.constraintAttributes, path: source.path)
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
        if let multiplier = source.variations.value("multiplier", of: element) {
            draft.set("NSMultiplier", .content(.double(try ratio(multiplier, element))), of: number)
        }
        if element["symbolic"] == "YES" || element["symbolType"] != nil {
            draft.set("NSSymbolicConstant", text: element["symbolType"] ?? "NSSpace", of: number)
        }
        if source.variations.value("constant", of: element) != nil {
            let constant = try self.number("constant", of: element)
            draft.set("NSConstantV2", .content(.double(constant)), of: number)
            draft.set("NSShouldBeArchived", true, of: number)
            draft.set("NSConstant", .content(.double(constant)), of: number)
        } else {
            draft.set("NSShouldBeArchived", true, of: number)
        }
        if source.variations.value("priority", of: element) != nil {
            let priority = try self.number("priority", of: element)
            if let whole = Int(exactly: priority) {
                draft.set("NSPriority", integer: whole, of: number)
            } else {
                draft.set("NSPriority", .content(.float(Float(priority))), of: number)
            }
        }
        if let identifier = element["identifier"] { draft.set("NSLayoutIdentifier", text: identifier, of: number) }
        for child in source.variations.parts(of: element) {
            switch child.name {
            case "connections": break
            case "userDefinedRuntimeAttributes": try writeAttributes(child, of: number)
            default: try notes.leaveOut(child, of: element, knowing: [], path: source.path)
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
            throw source.fault("\(name ?? "nothing") is not a side that a constraint can have", element)
        }
        draft.set("\(key)V2", integer: side, of: number)
        draft.set(key, integer: side, of: number)
    }

    /// Parses a number, or two with a colon or a slash between them.
    private func ratio(_ text: String, _ element: XMLElement) throws(BuildError) -> Double {
        let parts = text.split(whereSeparator: { $0 == ":" || $0 == "/" }).map { Double($0) }
        if parts.count == 1, let number = parts[0], number.isFinite { return number }
        if parts.count == 2, let first = parts[0], let second = parts[1], second != 0, (first / second).isFinite {
            return first / second
        }
        throw source.fault("the multiplier \(text) is not a number or ratio", element)
    }

    /// Writes a guide that belongs to the view, such as its safe area.
    mutating func writeLayoutGuide(_ element: XMLElement, of view: Int) throws(BuildError) {
        let names = [
            "safeArea": "UIViewSafeAreaLayoutGuide", "contentLayoutGuide": "UIScrollView-contentLayoutGuide",
            "frameLayoutGuide": "UIScrollView-frameLayoutGuide", "keyboard": "UIViewKeyboardLayoutGuide",
            "layoutMargins": "UIViewLayoutMarginsGuide", "readableContent": "UIViewReadableContentGuide",
        ]
        let key = element["key"] ?? ""
        let name = names[key] ?? "UIView-\(key)LayoutGuide"
        if names[key] == nil {
            notes.add("the layout guide \(key) is like the view: nothing is known about it", element)
        }
        let guide = try object(try source.id(of: element), for: element)
        finish(guide)
        draft.setClass("UILayoutGuide", of: guide)
        draft.set("UILayoutGuideOwningView", .object(view), of: guide)
        draft.set("UILayoutGuideIdentifier", text: name, of: guide)
        draft.set("UILayoutGuideOwningViewIsLocked", true, of: guide)
        draft.set("UILayoutGuideShouldBeArchived", true, of: guide)
    }

    // MARK: Attributes and parts of one kind of view or item

    mutating func writeSpecials(_ element: XMLElement, _ number: Int) throws(BuildError) {
        switch element.name {
        case "button": try writeButton(element, number)
        case "segmentedControl": try writeSegments(element, number)
        case "activityIndicatorView":
            if element["hidesWhenStopped"] == "NO" {
                draft.set("UIHidesWhenStopped", false, of: number)
            } else if element["hidesWhenStopped"] == "YES", element["animating"] != "YES", element["hidden"] != "YES" {
                // It would hide as soon as it appears.
                draft.set("UIHidden", true, of: number)
            }
        case "scrollView", "textView", "tableView", "collectionView":
            try checkMode(element)
            if element.name == "tableView", element["contentViewInsetsToSafeArea"] != "NO" {
                draft.set("UIInsetsContentViewsToSafeArea", true, of: number)
            }
            if element["bouncesZoom"] != "NO" { draft.set("UIBouncesZoom", true, of: number) }
            if element.name == "collectionView" { try writeSupplements(of: element, number) }
        case "navigationBar":
            draft.set("UIBarTranslucence", integer: element["translucent"] == "NO" ? 2 : 1, of: number)
        case "searchBar":
            if let translucent = element["translucent"] {
                draft.set("UISearchBarTranslucence", integer: translucent == "NO" ? 2 : 1, of: number)
            }
        case "toolbar", "tabBar":
            if let translucent = element["translucent"] {
                draft.set("UIBarTranslucence", integer: translucent == "NO" ? 2 : 1, of: number)
            }
        case "barButtonItem": try writeBarButton(element, number)
        case "tabBarItem":
            if element["systemItem"] != nil { draft.set("UIIsSystemItem", true, of: number) }
        case "stackView":
            // The distance that the system chooses, as UIKit writes it.
            if element["spacingType"] == "standard" {
                draft.set("UIStackViewSpacing", .content(.double(Double(Float.leastNormalMagnitude))), of: number)
            }
        case "viewControllerPlaceholder": try writeReference(element, number)
        case let name where ElementRule.controllers.contains(name):
            if let name = element["nibName"], !source.isStoryboard { draft.set("UINibName", text: name, of: number) }
            if element["automaticallyAdjustsScrollViewInsets"] == "NO" {
                draft.set("UIKeyAutomaticallyAdjustsScrollViewInsets", integer: 0, of: number)
            }
            if element["useStoryboardIdentifierAsRestorationIdentifier"] == "YES",
                let identifier = element["storyboardIdentifier"]
            {
                draft.set("UIRestorationIdentifier", text: identifier, of: number)
            }
        default: break
        }
    }

    private static let barStyles = ["plain": 0, "bordered": 1, "done": 2]

    private mutating func writeBarButton(_ element: XMLElement, _ number: Int) throws(BuildError) {
        draft.set("UIEnabled", element["enabled"] != "NO", of: number)
        guard let style = element["style"].map({ Self.barStyles[$0] }) ?? 1 else {
            throw source.fault("there is no style \(element["style"] ?? "") of bar button items", element)
        }
        draft.set("UIStyle", integer: style, of: number)
        if element["systemItem"] != nil { draft.set("UIIsSystemItem", true, of: number) }
    }

    private static let states = ["normal": 0, "highlighted": 1, "disabled": 2, "selected": 4, "focused": 8]
    private static let stateAttributes: Set<String> = ["key", "title", "image", "backgroundImage", "catalog"]

    private mutating func writeButton(_ element: XMLElement, _ number: Int) throws(BuildError) {
        draft.set("UIAdjustsImageWhenHighlighted", element["adjustsImageWhenHighlighted"] != "NO", of: number)
        draft.set("UIAdjustsImageWhenDisabled", element["adjustsImageWhenDisabled"] != "NO", of: number)
        var contents: [(Int, Int)] = []
        for state in element.children(named: "state") {
            guard let bits = Self.states[state["key"] ?? ""] else {
                try source.errors.record(
                    source.fault("there is no state \(state["key"] ?? "without a key")", state))
                continue
            }
            let content = draft.add("UIButtonContent")
            for attribute in state.attributes {
                switch attribute.name {
                case "key": break
                case "title":
                    let key = "\(state["key"] ?? "")Title"
                    draft.set("UITitle", .object(try translatable(attribute.value, key, of: element)), of: content)
                case "catalog": break
                case "image":
                    draft.set("UIImage", .object(image(attribute.value, catalog: state["catalog"])), of: content)
                case "backgroundImage":
                    draft.set(
                        "UIBackgroundImage", .object(image(attribute.value, catalog: state["catalog"])), of: content)
                default:
                    try leaveOut(attribute, ofImageIn: state, knowing: Self.stateAttributes)
                }
            }
            for child in state.children {
                switch (child.name, child["key"]) {
                case ("color", "titleColor"): draft.set("UITitleColor", .object(try color(child)), of: content)
                case ("color", "titleShadowColor"): draft.set("UIShadowColor", .object(try color(child)), of: content)
                case ("string", "title"), ("mutableString", "title"):
                    let key = "\(state["key"] ?? "")Title"
                    draft.set("UITitle", .object(try translatable(try text(of: child), key, of: element)), of: content)
                case ("imageReference", "image"): try writeImageReference(child, "UIImage", of: content)
                case ("imageReference", "backgroundImage"):
                    try writeImageReference(child, "UIBackgroundImage", of: content)
                case ("attributedString", "attributedTitle"):
                    draft.set("UIAttributedTitle", .object(try attributedText(child)), of: content)
                case ("preferredSymbolConfiguration", _):
                    notes.leaveOut(look: child.name, of: element, at: child.position)
                default:
                    try notes.leaveOut(
                        child, of: state, knowing: ["titleColor", "titleShadowColor", "title", "attributedTitle"],
                        path: source.path)
                }
            }
            contents.append((draft.integer(bits), content))
        }
        if !contents.isEmpty {
            draft.set("UIButtonStatefulContent", .object(draft.dictionary(contents)), of: number)
        }
    }

    private mutating func writeSegments(_ element: XMLElement, _ number: Int) throws(BuildError) {
        var segments: [Int] = []
        for (position, segment) in (element.child(named: "segments")?.children ?? []).enumerated() {
            let known = ["title", "image", "enabled", "width", "catalog"]
            for attribute in segment.attributes where !known.contains(attribute.name) {
                try leaveOut(attribute, ofImageIn: segment, knowing: known)
            }
            let made = draft.add("UISegment")
            if segment["width"] != nil {
                draft.set("UISegmentWidth", .content(.float(Float(try self.number("width", of: segment)))), of: made)
            }
            for child in segment.children {
                if child["key"] == "title" { continue }
                if child.name == "imageReference" { continue }
                guard child.name == "size", child["key"] == "contentOffset" else {
                    try notes.leaveOut(child, of: segment, knowing: ["contentOffset"], path: source.path)
                    continue
                }
                let offset = [try self.number("width", of: child), try self.number("height", of: child)]
                draft.set("UISegmentContentOffset", numbers: offset, of: made)
            }
            draft.set("UISegmentPosition", integer: position, of: made)
            let part = segment.children.first { $0["key"] == "title" }
            var title = segment["title"]
            if title == nil, let part { title = try text(of: part) }
            if let title {
                let key = "segmentTitles[\(position)]"
                draft.set("UISegmentInfo", .object(try translatable(title, key, of: element)), of: made)
            } else if let name = segment["image"] {
                draft.set("UISegmentInfo", .object(image(name, catalog: segment["catalog"])), of: made)
            } else if let picture = segment.child(named: "imageReference") {
                try writeImageReference(picture, "UISegmentInfo", of: made)
            }
            if segment["enabled"] == "NO" { draft.set("UIDisabled", true, of: made) }
            segments.append(made)
        }
        draft.set("UISegments", .object(draft.list(segments)), of: number)
    }
}

extension ElementRule {
    /// Views that are not opaque by default.
    static let seeThrough: Set<String> = [
        "label", "button", "activityIndicatorView", "progressView", "switch", "slider", "stepper", "pageControl",
        "pickerView", "segmentedControl", "textField", "stackView", "navigationBar", "tableViewCellContentView",
        "tableViewCell", "visualEffectView",
    ]
}
