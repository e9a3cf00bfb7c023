internal import WidgetNib
internal import XMLText

/// Names, hints and traits for assistive technology.
extension NibCompiler {
    /// Traits by their bits.
    private static let traits: [String: Int] = {
        let names = [
            "button", "link", "image", "selected", "playsSound", "keyboardKey", "staticText", "summaryElement",
            "notEnabled", "updatesFrequently", "searchField", "startsMediaSession", "adjustable",
            "allowsDirectInteraction", "causesPageTurn", "tabBar", "header",
        ]
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, 1 << $0) })
    }()

    private static let texts = [
        "label": "UIAccessibilityLabel", "hint": "UIAccessibilityHint", "identifier": "UIAccessibilityIdentifier",
    ]

    /// Writes an object beside the one that it is for.
    mutating func writeAccessibility(
        _ element: XMLElement, of number: Int, _ owner: XMLElement
    ) throws(BuildError) {
        let object = draft.add("UIRuntimeAccessibilityConfiguration")
        draft.set("UIAccessibileObject", .object(number), of: object)
        for attribute in element.attributes where attribute.name != "key" {
            guard let key = Self.texts[attribute.name] else {
                try notes.leaveOut(attribute, of: element, knowing: Self.texts.keys, path: source.path)
                continue
            }
            try writeAccessibleText(attribute.value, attribute.name, key, of: object, owner)
        }
        for child in element.children {
            let key = child["key"] ?? ""
            switch child.name {
            case "accessibilityTraits" where key == "traits": try writeTraits(child, ofConfiguration: object)
            case "bool" where key == "isElement":
                draft.set(
                    "UIIsAccessibilityElement", .object(draft.integer(child["value"] == "YES" ? 1 : 0)), of: object)
            case "string" where Self.texts[key] != nil, "mutableString" where Self.texts[key] != nil:
                try writeAccessibleText(try text(of: child), key, Self.texts[key] ?? "", of: object, owner)
            default: try notes.leaveOut(child, of: element, knowing: Self.texts.keys, path: source.path)
            }
        }
        accessibility.append(object)
    }

    private mutating func writeAccessibleText(
        _ text: String, _ name: String, _ key: String, of object: Int, _ owner: XMLElement
    ) throws(BuildError) {
        if name == "identifier" {
            draft.set(key, text: text, of: object)
        } else {
            let property = "accessibility\(name.prefix(1).uppercased())\(name.dropFirst())"
            draft.set(key, .object(try translatable(text, property, of: owner)), of: object)
        }
    }

    private mutating func writeTraits(_ element: XMLElement, ofConfiguration object: Int) throws(BuildError) {
        var bits = 0
        for attribute in element.attributes where attribute.name != "key" && attribute.name != "none" {
            if let bit = Self.traits[attribute.name] {
                if attribute.value == "YES" { bits |= bit }
            } else {
                try notes.leaveOut(attribute, of: element, knowing: Self.traits.keys, path: source.path)
            }
        }
        for child in element.children { try notes.leaveOut(child, of: element, knowing: [], path: source.path) }
        draft.set("UIAccessibilityTraits", .object(draft.integer(bits)), of: object)
    }
}
