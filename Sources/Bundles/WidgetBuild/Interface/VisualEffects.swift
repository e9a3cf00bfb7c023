internal import WidgetNib
internal import XMLText

/// Blurring and vibrant backgrounds.
extension NibCompiler {
    private static let blurStyles: [String: Int] = {
        let names = [
            "extraLight", "light", "dark", "extraDark", "regular", "prominent", "systemUltraThinMaterial",
            "systemThinMaterial", "systemMaterial", "systemThickMaterial", "systemChromeMaterial",
            "systemUltraThinMaterialLight", "systemThinMaterialLight", "systemMaterialLight",
            "systemThickMaterialLight", "systemChromeMaterialLight", "systemUltraThinMaterialDark",
            "systemThinMaterialDark", "systemMaterialDark", "systemThickMaterialDark", "systemChromeMaterialDark",
        ]
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }()

    private static let vibrancyStyles: [String: Int] = {
        let names = [
            "label", "secondaryLabel", "tertiaryLabel", "quaternaryLabel", "fill", "secondaryFill", "tertiaryFill",
            "separator",
        ]
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }()

    mutating func writeEffect(_ element: XMLElement, of view: Int) throws(BuildError) {
        let isBlur = element.name == "blurEffect"
        let effect = draft.add(isBlur ? "UIBlurEffect" : "UIVibrancyEffect")
        if isBlur {
            try writeBlur("UIBlurEffect", element, of: effect)
        } else {
            if let blur = element.child(named: "blurEffect") {
                try writeBlur("UIVibrancyEffectBlur", blur, of: effect)
            }
            for attribute in element.attributes {
                if attribute.name == "style", let style = Self.vibrancyStyles[attribute.value] {
                    draft.set("UIVibrancyEffectVibrancyStyle", integer: style, of: effect)
                } else if attribute.name != "key" {
                    try notes.leaveOut(attribute, of: element, knowing: ["style"], path: source.path)
                }
            }
        }
        draft.set("UIVisualEffectViewEffect", .object(effect), of: view)
    }

    /// Writes the style of a blur, and for later styles also the one that older systems show.
    private mutating func writeBlur(_ prefix: String, _ element: XMLElement, of effect: Int) throws(BuildError) {
        for attribute in element.attributes where attribute.name != "key" {
            guard attribute.name == "style" else {
                try notes.leaveOut(attribute, of: element, knowing: ["style"], path: source.path)
                continue
            }
            guard let style = Self.blurStyles[attribute.value] else {
                try notes.leaveOut(value: attribute, of: element, knowing: Self.blurStyles.keys, path: source.path)
                continue
            }
            switch style {
            case 0...3: draft.set("\(prefix)Style", integer: style, of: effect)
            case 4, 5:
                draft.set("\(prefix)AutomaticStyle", integer: style, of: effect)
                draft.set("\(prefix)Style", integer: 1, of: effect)
            default:
                draft.set("\(prefix)MaterialStyle", integer: style, of: effect)
                draft.set("\(prefix)Style", integer: attribute.value.hasSuffix("Dark") ? 2 : 1, of: effect)
            }
        }
        for child in element.children { try notes.leaveOut(child, of: element, knowing: [], path: source.path) }
    }
}
