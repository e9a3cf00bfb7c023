internal import Nib
internal import XMLText

/// Attributes and parts that one kind of object alone has.
extension NibCompiler {
    mutating func writeSpecials(_ element: XMLElement, _ number: Int) throws(BuildError) {
        switch element.name {
        case "button": try writeButton(element, number)
        case "segmentedControl": try writeSegments(element, number)
        case "activityIndicatorView":
            if element["hidesWhenStopped"] == "NO" {
                draft.set("UIHidesWhenStopped", false, of: number)
            } else if element["hidesWhenStopped"] == "YES", element["animating"] != "YES", element["hidden"] != "YES" {
                // It would hide as soon as it is there.
                draft.set("UIHidden", true, of: number)
            }
        case "scrollView", "textView", "tableView", "collectionView":
            try checkMode(element)
            if element.name == "tableView", element["contentViewInsetsToSafeArea"] != "NO" {
                draft.set("UIInsetsContentViewsToSafeArea", true, of: number)
            }
            if element["bouncesZoom"] != "NO" { draft.set("UIBouncesZoom", true, of: number) }
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
        case "viewController", "tableViewController", "collectionViewController", "navigationController",
            "tabBarController":
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

    /// Where the cells of a table or a collection come from has to be where they stand.
    private func checkMode(_ element: XMLElement) throws(BuildError) {
        guard let mode = element["dataMode"] else { return }
        let places = [
            "static": "sections", "prototypes": element.name == "tableView" ? "prototypes" : "cells", "none": "",
        ]
        guard let place = places[mode] else { throw source.fault("there is no dataMode \(mode)", element) }
        for name in places.values where name != place {
            if let list = element.child(named: name) {
                throw source.fault("\(list.name) in a \(element.name) with the dataMode \(mode)", list)
            }
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

    private static let states = ["normal": 0, "highlighted": 1, "disabled": 2, "selected": 4]
    private static let stateAttributes: Set<String> = ["key", "title", "image", "backgroundImage"]

    private mutating func writeButton(_ element: XMLElement, _ number: Int) throws(BuildError) {
        draft.set("UIAdjustsImageWhenHighlighted", element["adjustsImageWhenHighlighted"] != "NO", of: number)
        draft.set("UIAdjustsImageWhenDisabled", element["adjustsImageWhenDisabled"] != "NO", of: number)
        var contents: [(Int, Int)] = []
        for state in element.children(named: "state") {
            guard let bits = Self.states[state["key"] ?? ""] else {
                throw source.fault("there is no state \(state["key"] ?? "without a key")", state)
            }
            let content = draft.add("UIButtonContent")
            for attribute in state.attributes {
                switch attribute.name {
                case "key": break
                case "title":
                    let key = "\(state["key"] ?? "")Title"
                    draft.set("UITitle", .object(try translatable(attribute.value, key, of: element)), of: content)
                case "image": draft.set("UIImage", .object(image(attribute.value)), of: content)
                case "backgroundImage": draft.set("UIBackgroundImage", .object(image(attribute.value)), of: content)
                default:
                    throw BuildError(
                        "the attribute \(attribute.name) of state cannot be compiled", path: source.path,
                        at: state.position(of: attribute))
                }
            }
            for child in state.children {
                switch (child.name, child["key"]) {
                case ("color", "titleColor"): draft.set("UITitleColor", .object(try color(child)), of: content)
                case ("color", "titleShadowColor"): draft.set("UIShadowColor", .object(try color(child)), of: content)
                case ("string", "title"):
                    let key = "\(state["key"] ?? "")Title"
                    draft.set("UITitle", .object(try translatable(child.text, key, of: element)), of: content)
                default: throw source.fault("\(child.name) in state cannot be compiled", child)
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
            for attribute in segment.attributes where !["title", "image", "enabled"].contains(attribute.name) {
                throw BuildError(
                    "the attribute \(attribute.name) of segment cannot be compiled", path: source.path,
                    at: segment.position(of: attribute))
            }
            let made = draft.add("UISegment")
            draft.set("UISegmentPosition", integer: position, of: made)
            if let title = segment["title"] {
                let key = "segmentTitles[\(position)]"
                draft.set("UISegmentInfo", .object(try translatable(title, key, of: element)), of: made)
            } else if let name = segment["image"] {
                draft.set("UISegmentInfo", .object(image(name)), of: made)
            }
            if segment["enabled"] == "NO" { draft.set("UIDisabled", true, of: made) }
            segments.append(made)
        }
        draft.set("UISegments", .object(draft.list(segments)), of: number)
    }
}
