internal import WidgetNib
internal import XMLText

/// Parts of controllers besides attributes: their segues, their views in another file, contained controllers.
extension NibCompiler {
    /// - Parameter views: the name of the file with the views, and the objects that it needs from this one.
    mutating func finishController(
        _ element: XMLElement, parent: XMLElement?, views: (name: String, external: [String])?
    ) throws(BuildError) {
        let id = try source.id(of: element)
        let number = try object(id, for: element)
        let templates = try segueTemplates(of: id, controller: number)
        if !templates.isEmpty {
            draft.set("UIStoryboardSegueTemplates", .object(draft.list(templates)), of: number)
        }
        try writePeeks(of: id, controller: number)
        if let views {
            var pairs: [(Int, Int)] = []
            for id in views.external {
                pairs.append((draft.text("UpstreamPlaceholder-\(id)"), try object(id, for: element)))
            }
            draft.set("UIExternalObjectsTableForViewLoading", .object(draft.dictionary(pairs)), of: number)
            draft.set("UINibName", text: views.name, of: number)
        }
        if let parent {
            let around = try object(try source.id(of: parent), for: parent)
            draft.set("UIParentViewController", .object(around), of: number)
        }
    }

    /// Puts controllers into the one that contains them.
    mutating func nest(_ children: [XMLElement], in element: XMLElement) throws(BuildError) {
        guard ElementRule.holders.contains(element.name) else { return }
        let number = try object(try source.id(of: element), for: element)
        var controllers: [Int] = []
        var items: [Int] = []
        for child in children {
            controllers.append(try object(try source.id(of: child), for: child))
            if !InterfaceSource.isReference(child),
                let item = child.children.first(where: { $0["key"] == "navigationItem" })
            {
                items.append(try object(try source.id(of: item), for: item))
            }
        }
        if !controllers.isEmpty {
            for key in ["UIChildViewControllers", "UIViewControllers"] {
                draft.set(key, .object(draft.list(controllers, "NSMutableArray")), of: number)
            }
        }
        guard element.name == "navigationController" else { return }
        let bar: Int
        if let own = element.children.first(where: { $0["key"] == "navigationBar" }) {
            bar = try object(try source.id(of: own), for: own)
        } else {
            bar = draft.add("UINavigationBar")
            objects.append(bar)
            draft.set("UIBounds", numbers: [0, 0, 0, 44], of: bar)
            draft.set("UICenter", numbers: [0, 42], of: bar)
            draft.set("UIAutoresizeSubviews", true, of: bar)
            draft.set("UIAutoresizingMask", integer: 2, of: bar)
            draft.set("UIBarTranslucence", integer: 1, of: bar)
            draft.set("UINavigationBar", .object(bar), of: number)
        }
        if !items.isEmpty { draft.set("UIItems", .object(draft.list(items)), of: bar) }
        draft.set("UIDelegate", .object(number), of: bar)
        draft.set("UIBarPosition", integer: 2, of: bar)
        for item in items { draft.set("UINavigationBar", .object(bar), of: item) }
    }

    // MARK: Segues

    private static let segueAttributes: Set<String> = [
        "id", "destination", "kind", "identifier", "trigger", "relationship", "customClass", "customModule",
        "customModuleProvider", "modalPresentationStyle", "modalTransitionStyle", "animates", "unwindAction", "action",
        "userLabel", "popoverAnchorView", "popoverAnchorBarButtonItem", "splitViewControllerTargetIndex",
        "destinationCreationSelector",
    ]

    private mutating func segueTemplates(of id: String, controller: Int) throws(BuildError) -> [Int] {
        var templates: [Int] = []
        for segue in source.segues[id] ?? [] {
            let element = segue.element
            for attribute in element.attributes where !Self.segueAttributes.contains(attribute.name) {
                try notes.leaveOut(attribute, of: element, knowing: Self.segueAttributes, path: source.path)
            }
            for child in element.children where !Self.segueParts.contains(child.name) {
                try notes.leaveOut(child, of: element, knowing: [], path: source.path)
            }
            if element["kind"] == "relationship" { continue }
            let template: Int
            do throws(BuildError) {
                template = try object(segue.id, for: element)
                finish(template)
                objects.append(template)
                try writeSegue(element, template) { name in element[name] }
            } catch {
                try source.errors.record(error)
                continue
            }
            addOutlet("viewController", from: template, to: controller)
            templates.append(template)
        }
        return templates
    }

    /// Returns the name of the screen that a segue leads to.
    func sceneName(_ destination: String?, _ segue: XMLElement) throws(BuildError) -> String {
        guard let id = destination, let screen = source.elements[id], source.isScreen(screen)
        else { throw source.lostSegue(segue) }
        return try source.sceneName(screen)
    }

    /// - Parameter attribute: returns the value of an attribute, which a segue can have from another.
    mutating func writeSegue(
        _ element: XMLElement, _ template: Int, _ attribute: (String) -> String?
    ) throws(BuildError) {
        if let identifier = element["identifier"] { draft.set("UIIdentifier", text: identifier, of: template) }
        if attribute("kind") != "unwind" {
            let name = try sceneName(attribute("destination"), element)
            draft.set("UIDestinationViewControllerIdentifier", text: name, of: template)
        }
        if element["destinationCreationSelector"] != nil {
            notes.add(
                "destinationCreationSelector of segue was left out: the screen is made without the method", element)
        }
        switch attribute("kind") {
        case "show":
            draft.setClass("UIStoryboardShowSegueTemplate", of: template)
            draft.set("UIActionName", text: "showViewController:sender:", of: template)
        case "showDetail":
            draft.setClass("UIStoryboardShowSegueTemplate", of: template)
            draft.set("UIActionName", text: "showDetailViewController:sender:", of: template)
        case "push":
            draft.setClass("UIStoryboardPushSegueTemplate", of: template)
            draft.set("UIDestinationContainmentContext", integer: 0, of: template)
            draft.set("UISplitViewControllerIndex", integer: try splitIndex(element), of: template)
        case "replace":
            draft.setClass("UIStoryboardReplaceSegueTemplate", of: template)
            draft.set("UIDestinationContainmentContext", integer: 1, of: template)
            draft.set("UISplitViewControllerIndex", integer: try splitIndex(element), of: template)
        case "popover", "popoverPresentation":
            let isOld = element["kind"] == "popover"
            draft.setClass(
                isOld ? "UIStoryboardPopoverSegueTemplate" : "UIStoryboardPopoverPresentationSegueTemplate",
                of: template)
            draft.set("UIPermittedArrowDirections", integer: arrows(element), of: template)
            if element["animates"] == "NO" { draft.set("UIAnimates", false, of: template) }
        case "presentation", "modal":
            let isModal = attribute("kind") == "modal"
            draft.setClass(
                isModal ? "UIStoryboardModalSegueTemplate" : "UIStoryboardPresentationSegueTemplate", of: template)
            try writeStyle(
                "UIModalPresentationStyle", "modalPresentationStyle", ElementRule.presentations, element, template)
            try writeStyle("UIModalTransitionStyle", "modalTransitionStyle", ElementRule.transitions, element, template)
            if element["animates"] == "NO" { draft.set("UIAnimates", false, of: template) }
        case "embed": draft.setClass("UIStoryboardEmbedSegueTemplate", of: template)
        case "custom":
            guard let name = attribute("customClass") else {
                throw source.fault("a custom segue needs a class", element)
            }
            draft.setClass("UIStoryboardSegueTemplate", of: template)
            draft.set(
                "UISegueClassName", text: NibCompiler.archivedName(name, module: attribute("customModule")),
                of: template)
        case "unwind":
            guard let action = element["unwindAction"] else {
                throw source.fault("a segue back needs an unwindAction", element)
            }
            draft.setClass("UIStoryboardUnwindSegueTemplate", of: template)
            draft.set("UIAction", text: action, of: template)
        case let kind: throw source.fault("a segue of kind \(kind ?? "none") cannot be compiled", element)
        }
    }

    private mutating func writeStyle(
        _ key: String, _ name: String, _ styles: [String: Int], _ element: XMLElement, _ template: Int
    ) throws(BuildError) {
        guard let value = element[name] else { return }
        guard let style = styles[value] else {
            notes.add("\(name)=\"\(value)\" of segue was left out: the value is not known", element)
            return
        }
        draft.set(key, integer: style, of: template)
    }

    /// Adds the triggers of a controller's segues that are objects of that file.
    mutating func addTriggers(in nib: Int, of controller: String) throws(BuildError) {
        for (owner, segue) in source.triggered[nib] ?? [] where owner == controller {
            guard segue.source != controller, segue.element["kind"] != "relationship",
                let origin = source.elements[segue.source]
            else { continue }
            let template = try object(segue.id, for: segue.element)
            let number = try object(segue.source, for: segue.element)
            try writePeekStorage(of: segue, in: controller)
            switch origin.name {
            case "tableViewCell", "collectionViewCell":
                let isAccessory = segue.element["trigger"] == "accessoryAction"
                addOutlet(
                    isAccessory ? "accessoryActionSegueTemplate" : "selectionSegueTemplate", from: number, to: template)
            case "barButtonItem": addEvent("perform:", from: number, to: template, mask: nil)
            case "button": addEvent("perform:", from: number, to: template, mask: 1 << 6)
            case "switch", "slider", "stepper", "segmentedControl", "pageControl", "datePicker", "refreshControl":
                addEvent("perform:", from: number, to: template, mask: 1 << 12)
            case let name where ElementRule.gestures[name] != nil:
                addEvent("perform:", from: number, to: template, mask: nil)
            case "containerView" where segue.element["kind"] == "embed":
                addOutlet("containerView", from: template, to: number)
            case "textField", "control", "colorWell":
                addEvent("perform:", from: number, to: template, mask: 1 << 13)
            default: try source.errors.record(source.fault("\(origin.name) cannot begin a segue", segue.element))
            }
        }
    }

    // MARK: Guides

    /// Adds the guides for a controller's bars, and the constraints that hold them in place until there are bars.
    mutating func addGuides(of controller: XMLElement, in view: Int) throws(BuildError) {
        for element in controller.child(named: "layoutGuides")?.children ?? [] {
            guard element.name == "viewControllerLayoutGuide", let type = element["type"],
                ["top", "bottom"].contains(type)
            else { throw source.fault("this layout guide cannot be compiled", element) }
            let guide = try object(try source.id(of: element), for: element)
            finish(guide)
            objects.append(guide)
            draft.setClass("_UILayoutGuide", fallbacks: ["UIView"], of: guide)
            for key in [
                "UIDeepDrawRect", "UIOpaque", "UIHidden", "UIAutoresizeSubviews",
                "UIViewDoesNotTranslateAutoresizingMaskIntoConstraints",
            ] { draft.set(key, true, of: guide) }
            let width = draft.add("_UILayoutSupportConstraint", fallbacks: ["NSLayoutConstraint"])
            writeRule(width, guide, 7, nil, nil)
            draft.set("NSPriority", integer: 999, of: width)
            draft.set("UIViewAutolayoutConstraints", .object(draft.list([width], "NSMutableArray")), of: guide)
            draft.set(
                "_UILayoutGuideIdentifier", text: "_UIViewController\(type == "top" ? "Top" : "Bottom")", of: guide)
            var rules: [Int] = []
            for (first, side, second, other) in [
                (guide, 5, Optional(view), Optional(5)),
                type == "top" ? (guide, 3, Optional(view), Optional(3)) : (guide, 8, nil, nil),
                type == "top" ? (guide, 8, nil, nil) : (view, 4, Optional(guide), Optional(4)),
            ] {
                let rule = draft.add("NSLayoutConstraint")
                writeRule(rule, first, side, second, other)
                rules.append(rule)
            }
            draft.set("_UILayoutGuideConstraintsToRemove", .object(draft.list(rules)), of: guide)
            guideConstraints[view, default: []] += rules
            guides[view, default: []].append(guide)
        }
    }

    private mutating func writeRule(_ rule: Int, _ first: Int, _ side: Int, _ second: Int?, _ other: Int?) {
        draft.set("NSFirstItem", .object(first), of: rule)
        draft.set("NSFirstAttributeV2", integer: side, of: rule)
        draft.set("NSFirstAttribute", integer: side, of: rule)
        if let second, let other {
            draft.set("NSSecondItem", .object(second), of: rule)
            draft.set("NSSecondAttributeV2", integer: other, of: rule)
            draft.set("NSSecondAttribute", integer: other, of: rule)
        }
        draft.set("NSShouldBeArchived", true, of: rule)
    }
}
