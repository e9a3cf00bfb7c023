internal import WidgetNib
internal import XMLText

/// Fonts, text input, and attributes that are set when the interface is loaded.
extension NibCompiler {
    // MARK: Fonts

    private static let weights = [
        "ultraLight": "Ultralight", "thin": "Thin", "light": "Light", "regular": "", "medium": "Medium",
        "semibold": "Semibold", "bold": "Bold", "heavy": "Heavy", "black": "Black",
    ]

    private static let usages = [
        "ultraLight": "CTFontUltraLightUsage", "thin": "CTFontThinUsage", "light": "CTFontLightUsage",
        "regular": "CTFontRegularUsage", "medium": "CTFontMediumUsage", "semibold": "CTFontDemiUsage",
        "bold": "CTFontBoldUsage", "heavy": "CTFontHeavyUsage", "black": "CTFontBlackUsage",
    ]

    private static let styleSizes = [
        "UICTFontTextStyleBody": 17.0, "UICTFontTextStyleCallout": 16, "UICTFontTextStyleCaption1": 12,
        "UICTFontTextStyleCaption2": 11, "UICTFontTextStyleFootnote": 13, "UICTFontTextStyleHeadline": 17,
        "UICTFontTextStyleSubhead": 15, "UICTFontTextStyleTitle0": 34, "UICTFontTextStyleTitle1": 28,
        "UICTFontTextStyleTitle2": 22, "UICTFontTextStyleTitle3": 20,
    ]

    private static let fontAttributes: Set<String> = [
        "key", "type", "pointSize", "weight", "name", "family", "style",
    ]

    mutating func font(_ element: XMLElement) throws(BuildError) -> Int {
        for attribute in element.attributes where !Self.fontAttributes.contains(attribute.name) {
            try notes.leaveOut(attribute, of: element, knowing: Self.fontAttributes, path: source.path)
        }
        for child in element.children { try notes.leaveOut(child, of: element, knowing: [], path: source.path) }
        if let style = element["style"] {
            let known = Self.styleSizes[style]
            if known == nil { notes.add("the text style \(style) has the size of the body: it is not known", element) }
            let size = known ?? 17
            let isBold = style == "UICTFontTextStyleHeadline"
            return addFont(
                systemName(isBold ? "semibold" : "regular", size), size, traits: isBold ? 2 : 0, isSystem: true,
                descriptor: [("NSCTFontUIUsageAttribute", .text(style))], style: style)
        }
        let size = element["pointSize"] == nil ? 17 : try number("pointSize", of: element)
        if let name = element["name"] {
            return font(named: name, size)
        }
        var weight = element["weight"] ?? "regular"
        var traits = 0
        var usage = Self.usages[weight]
        switch element["type"] {
        case "system", nil: break
        case "boldSystem": (weight, usage) = ("bold", "CTFontEmphasizedUsage")
        case "italicSystem": (traits, usage) = (1, "CTFontObliqueUsage")
        case let other?: notes.add("the font is the system's: the type \(other) is not known", element)
        }
        if usage == nil {
            notes.add("the font has the usual weight: the weight \(weight) is not known", element)
            (weight, usage) = ("regular", Self.usages["regular"])
        }
        if ["semibold", "bold", "heavy", "black"].contains(weight) { traits |= 2 }
        return addFont(
            systemName(traits & 1 == 1 ? "italic" : weight, size), size, traits: traits, isSystem: true,
            descriptor: [("NSCTFontUIUsageAttribute", .text(usage ?? "")), ("NSFontSizeAttribute", .number(size))])
    }

    mutating func font(named name: String, _ size: Double) -> Int {
        addFont(
            name, size, traits: 0, isSystem: false,
            descriptor: [("NSFontSizeAttribute", .number(size)), ("NSFontNameAttribute", .text(name))])
    }

    mutating func systemFont(_ weight: String, _ size: Double) -> Int {
        addFont(
            systemName(weight, size), size, traits: weight == "bold" ? 2 : 0, isSystem: true,
            descriptor: [
                ("NSCTFontUIUsageAttribute", .text(Self.usages[weight] ?? "")), ("NSFontSizeAttribute", .number(size)),
            ])
    }

    private func systemName(_ weight: String, _ size: Double) -> String {
        let family = size < 20 ? ".SFUIText" : ".SFUIDisplay"
        let suffix = weight == "italic" ? "Italic" : Self.weights[weight] ?? ""
        return suffix.isEmpty ? family : "\(family)-\(suffix)"
    }

    private enum DescriptorValue {
        case text(String)
        case number(Double)
    }

    private mutating func addFont(
        _ name: String, _ size: Double, traits: Int, isSystem: Bool, descriptor: [(String, DescriptorValue)],
        style: String? = nil
    ) -> Int {
        draft.sharing("font \(name) \(size) \(traits) \(isSystem) \(descriptor)") { draft in
            let described = draft.add("UIFontDescriptor")
            let pairs = descriptor.map { key, value in
                switch value {
                case .text(let text): (draft.text(key), draft.text(text))
                case .number(let number):
                    (draft.text(key), Int(exactly: number).map { draft.integer($0) } ?? draft.number(number))
                }
            }
            draft.set(
                "UIFontDescriptorAttributes", .object(draft.dictionary(pairs, "NSMutableDictionary")), of: described)
            let font = draft.add("UIFont", fallbacks: ["NSFont"])
            draft.set("UIFontName", text: name, of: font)
            draft.set("UIFontDescriptor", .object(described), of: font)
            draft.set("UIFontPointSize", .content(.double(size)), of: font)
            if let style { draft.set("UIIBTextStyle", text: style, of: font) }
            draft.set("UIFontTextStyleForScaling", .content(.null), of: font)
            draft.set("UIFontPointSizeForScaling", .content(.double(0)), of: font)
            draft.set("UIFontMaximumPointSizeAfterScaling", .content(.double(0)), of: font)
            draft.set("UIFontTraits", integer: traits, of: font)
            draft.set("UISystemFont", isSystem, of: font)
            draft.set("NSName", text: name, of: font)
            draft.set("NSSize", .content(.double(size)), of: font)
            return font
        }
    }

    // MARK: Text input

    mutating func writeTraits(_ element: XMLElement, of number: Int) throws(BuildError) {
        for attribute in element.attributes {
            guard let rule = ElementRule.textTraits[attribute.name] else {
                try notes.leaveOut(attribute, of: element, knowing: ElementRule.textTraits.keys, path: source.path)
                continue
            }
            switch rule {
            case .choice(let key, let names):
                guard let choice = names[attribute.value] else {
                    try notes.leaveOut(value: attribute, of: element, knowing: names.keys, path: source.path)
                    continue
                }
                draft.set(key, integer: choice, of: number)
            case .truth(let key, _):
                guard let flag = NibCompiler.truth(attribute.value) else {
                    throw source.fault("\(attribute.name) has to be YES or NO", element)
                }
                draft.set(key, flag, of: number)
            case .text(let key): draft.set(key, text: attribute.value, of: number)
            default: break
            }
        }
        for child in element.children { try notes.leaveOut(child, of: element, knowing: [], path: source.path) }
    }

    // MARK: Attributes set when loaded

    mutating func writeAttributes(_ list: XMLElement, of object: Int) throws(BuildError) {
        for attribute in list.children {
            do throws(BuildError) {
                try writeAttribute(attribute, of: object)
            } catch { try source.errors.record(error) }
        }
    }

    private mutating func writeAttribute(_ element: XMLElement, of object: Int) throws(BuildError) {
        guard element.name == "userDefinedRuntimeAttribute", let keyPath = element["keyPath"],
            let type = element["type"]
        else { throw source.fault("a runtime attribute needs a keyPath and a type", element) }
        let pair = draft.add("UINibKeyValuePair")
        draft.set("UIObject", .object(object), of: pair)
        if let value = try attributeValue(element, type) { draft.set("UIValue", .object(value), of: pair) }
        draft.set("UIKeyPath", text: keyPath, of: pair)
        attributes.append(pair)
    }

    private mutating func attributeValue(_ element: XMLElement, _ type: String) throws(BuildError) -> Int? {
        let child = element.children.first
        if child?.name == "nil" { return nil }
        switch type {
        case "nil": return nil
        case "string", "localizedString":
            var text = element["value"] ?? ""
            if element["value"] == nil, let child { text = try self.text(of: child) }
            let isLocalized = type == "localizedString" || element["localized"] == "YES" || child?["localized"] == "YES"
            guard isLocalized, source.isTranslatable, let keyPath = element["keyPath"],
                let owner = source.attributed[element.number]
            else { return draft.text(text) }
            return draft.translatable(text, key: "\(owner).\(keyPath)")
        case "boolean":
            guard let flag = element["value"].flatMap({ NibCompiler.truth($0) }) else {
                throw source.fault("the value of a boolean has to be YES or NO", element)
            }
            return draft.truth(flag)
        case "number":
            guard let child, ["integer", "real"].contains(child.name) else {
                throw source.fault("a number needs an integer or a real in it", element)
            }
            if child.name == "integer", let whole = child["value"].flatMap({ Int($0) }) { return draft.integer(whole) }
            let real = try number("value", of: child)
            return Int(exactly: real).map { draft.integer($0) } ?? draft.number(real)
        case "color":
            guard let child, child.name == "color" else { throw source.fault("a colour needs a color in it", element) }
            return try color(child)
        case "image": return image(element["value"] ?? child?["image"] ?? "")
        case "point", "size", "rect":
            guard let child, child.name == type else { throw source.fault("a \(type) needs a \(type) in it", element) }
            let names = ["point": ["x", "y"], "size": ["width", "height"], "rect": ["x", "y", "width", "height"]]
            var numbers: [Double] = []
            for name in names[type] ?? [] { numbers.append(try number(name, of: child)) }
            let value = draft.add("NSValue")
            draft.set("NS.\(type)val", numbers: numbers, of: value)
            draft.set("NS.special", integer: ["point": 1, "size": 2, "rect": 3][type] ?? 0, of: value)
            return value
        case "range":
            guard let child, child.name == "range" else { throw source.fault("a range needs a range in it", element) }
            let value = draft.add("NSValue")
            for name in ["location", "length"] {
                guard let whole = Int(exactly: try number(name, of: child)) else {
                    throw source.fault("\(name) has to be a whole number", child)
                }
                draft.set("NS.rangeval.\(name)", integer: whole, of: value)
            }
            draft.set("NS.special", integer: 4, of: value)
            return value
        default:
            throw source.fault("a runtime attribute of type \(type) cannot be compiled", element)
        }
    }
}
