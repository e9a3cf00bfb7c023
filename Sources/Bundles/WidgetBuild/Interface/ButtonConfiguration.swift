internal import WidgetNib
internal import XMLText

/// Configurations of buttons, which Xcode 13 and later write beside or in place of titles for states.
extension NibCompiler {
    private static let choices: [String: (key: String, names: [String: Int])] = [
        "style": (
            "UIButtonConfigurationButtonStyle",
            [
                "plain": 0, "gray": 1, "tinted": 2, "filled": 3, "borderless": 4, "bordered": 5, "borderedTinted": 6,
                "borderedProminent": 7,
            ]
        ),
        "cornerStyle": (
            "UIButtonConfigurationCornerStyle",
            ["fixed": -1, "dynamic": 0, "small": 1, "medium": 2, "large": 3, "capsule": 4]
        ),
        "buttonSize": ("UIButtonConfigurationButtonSize", ["medium": 0, "small": 1, "mini": 2, "large": 3]),
        "macIdiomStyle": (
            "UIButtonConfigurationMacIdiomStyle",
            ["automatic": 0, "bordered": 1, "borderless": 2, "borderlessTinted": 3]
        ),
        "imagePlacement": (
            "UIButtonConfigurationImagePlacement", ["none": 0, "top": 1, "leading": 2, "bottom": 4, "trailing": 8]
        ),
        "titleAlignment": (
            "UIButtonConfigurationTitleAlignment", ["automatic": 0, "leading": 1, "center": 2, "trailing": 3]
        ),
        "titleLineBreakMode": ("UIButtonConfigurationTitleLineBreakMode", ElementRule.lineBreakModes),
        "subtitleLineBreakMode": ("UIButtonConfigurationSubtitleLineBreakMode", ElementRule.lineBreakModes),
        "indicator": ("UIButtonConfigurationIndicator", ["automatic": 0, "none": 1, "popup": 2]),
    ]

    private static let floats = [
        "imagePadding": "UIButtonConfigurationImagePadding", "titlePadding": "UIButtonConfigurationTitlePadding",
    ]

    private static let truths = [
        "showsActivityIndicator": "UIButtonConfigurationShowsActivityIndicator",
        "automaticallyUpdateForSelection": "UIButtonConfigurationAutomaticallyUpdateForSelection",
    ]

    private static let colors = [
        "baseForegroundColor": "UIButtonConfigurationBaseForegroundColor",
        "baseBackgroundColor": "UIButtonConfigurationBaseBackgroundColor",
    ]

    private static let texts = [
        "title": "UIButtonConfigurationTitle", "subtitle": "UIButtonConfigurationSubtitle",
        "attributedTitle": "UIButtonConfigurationTitle", "attributedSubtitle": "UIButtonConfigurationSubtitle",
    ]

    /// Attributes that other places of a configuration use.
    private static let handled: Set<String> = ["key", "title", "subtitle", "image", "catalog"]

    mutating func writeButtonConfiguration(
        _ element: XMLElement, of button: Int, _ owner: XMLElement
    ) throws(BuildError) {
        let object = draft.add("UIButtonConfiguration")
        for attribute in element.attributes where !Self.handled.contains(attribute.name) {
            try writeConfiguration(attribute, of: element, object)
        }
        try writeTitles(element, object, owner)
        for child in element.children { try writeConfiguration(child, of: element, object) }
        draft.set("UIButtonConfiguration", .object(object), of: button)
    }

    private mutating func writeConfiguration(
        _ attribute: XMLAttribute, of element: XMLElement, _ object: Int
    ) throws(BuildError) {
        if let (key, names) = Self.choices[attribute.name] {
            guard let choice = names[attribute.value] else {
                try notes.leaveOut(value: attribute, of: element, knowing: names.keys, path: source.path)
                return
            }
            draft.set(key, integer: choice, of: object)
        } else if let key = Self.floats[attribute.name] {
            draft.set(key, .content(.float(Float(try number(attribute.name, of: element)))), of: object)
        } else if let key = Self.truths[attribute.name] {
            draft.set(key, try truth(attribute, of: element), of: object)
        } else {
            let known = Self.handled.union(Self.choices.keys).union(Self.floats.keys).union(Self.truths.keys)
            try leaveOut(attribute, ofImageIn: element, knowing: known)
        }
    }

    /// Writes the plain titles, in the fonts that parts of the configuration say.
    private mutating func writeTitles(_ element: XMLElement, _ object: Int, _ owner: XMLElement) throws(BuildError) {
        for name in ["title", "subtitle"] {
            let part = element.children.first { $0["key"] == name && $0.name != "attributedString" }
            var title = element[name]
            if title == nil, let part { title = try text(of: part) }
            guard let title else { continue }
            var attributes: [(Int, Int)] = []
            if let description = element.children.first(where: { $0["key"] == "\(name)FontDescription" }) {
                attributes.append((draft.text("NSFont"), try font(description)))
            }
            let shown = try translatable(title, "configuration.\(name)", of: owner)
            draft.set(Self.texts[name] ?? "", .object(attributedText(shown, attributes)), of: object)
        }
        if let name = element["image"] {
            draft.set("UIButtonConfigurationImage", .object(image(name, catalog: element["catalog"])), of: object)
        }
    }

    private mutating func writeConfiguration(
        _ child: XMLElement, of element: XMLElement, _ object: Int
    ) throws(BuildError) {
        let key = child["key"] ?? ""
        switch child.name {
        case "string" where Self.texts[key] != nil, "mutableString" where Self.texts[key] != nil: break
        case "fontDescription" where ["titleFontDescription", "subtitleFontDescription"].contains(key): break
        case "attributedString" where Self.texts[key] != nil:
            draft.set(Self.texts[key] ?? "", .object(try attributedText(child)), of: object)
        case "color" where Self.colors[key] != nil:
            draft.set(Self.colors[key] ?? "", .object(try color(child)), of: object)
        case "directionalEdgeInsets" where key == "contentInsets":
            draft.set("UIButtonConfigurationContentInset", numbers: try insets(child), of: object)
        case "imageReference" where key == "image":
            try writeImageReference(child, "UIButtonConfigurationImage", of: object)
        case "backgroundConfiguration", "preferredSymbolConfiguration":
            notes.leaveOut(look: child.name, of: element, at: child.position)
        default: try notes.leaveOut(child, of: element, knowing: Self.colors.keys, path: source.path)
        }
    }
}
