internal import Nib
internal import XMLText

/// Colours, fonts, states, and attributes that are set when the interface is loaded.
extension NibCompiler {
    // MARK: Colours

    mutating func color(_ element: XMLElement) throws(BuildError) -> Int {
        var components = element
        var name = element["systemColor"] ?? element["cocoaTouchSystemColor"]
        if let system = element["systemColor"], let known = source.systemColors[system] { components = known }
        if let resource = element["name"] {
            throw source.fault(
                "the colour \(resource) of a catalogue cannot be compiled", element, hints: ["write its components"])
        }
        let alpha = components["alpha"] == nil ? 1 : try number("alpha", of: components)
        var values: [Double] = []
        if components["white"] != nil {
            values = [try number("white", of: components)]
        } else if components["red"] != nil || components["green"] != nil || components["blue"] != nil {
            for part in ["red", "green", "blue"] { values.append(try number(part, of: components)) }
        } else if let known = name.flatMap({ NibCompiler.systemColors[$0] }) {
            return addColor(Array(known.dropLast()), alpha: known.last ?? 1, name: name)
        } else {
            throw source.fault(
                "a colour without components cannot be compiled", element,
                hints: ["say white and alpha, or red, green, blue and alpha; of a system colour in resources"])
        }
        if values.count == 1, name == nil {
            switch (values[0], alpha) {
            case (1, 1): name = "whiteColor"
            case (0, 1): name = "blackColor"
            case (0, 0): name = "clearColor"
            default: break
            }
        }
        return addColor(values, alpha: alpha, name: name)
    }

    /// White or three components, and alpha.
    private static let systemColors: [String: [Double]] = [
        "whiteColor": [1, 1], "blackColor": [0, 1], "clearColor": [0, 0], "darkGrayColor": [1.0 / 3, 1],
        "lightGrayColor": [2.0 / 3, 1], "grayColor": [0.5, 1], "darkTextColor": [0, 1], "lightTextColor": [1, 0.6],
        "groupTableViewBackgroundColor": [239.0 / 255, 239.0 / 255, 244.0 / 255, 1],
        "viewFlipsideBackgroundColor": [31.0 / 255, 33.0 / 255, 36.0 / 255, 1],
    ]

    private mutating func addColor(_ values: [Double], alpha: Double, name: String?) -> Int {
        draft.sharing("color \(values) \(alpha) \(name ?? "")") { draft in
            let color = draft.add("UIColor", fallbacks: ["NSColor"])
            if let name { draft.set("UISystemColorName", text: name, of: color) }
            draft.set("UIColorComponentCount", integer: values.count == 1 ? 2 : 4, of: color)
            let names = values.count == 1 ? ["UIWhite"] : ["UIRed", "UIGreen", "UIBlue"]
            for (key, value) in zip(names + ["UIAlpha"], values + [alpha]) {
                draft.set(key, .content(.float(Float(value))), of: color)
            }
            let shown = (alpha == 1 ? values : values + [alpha]).map { NibCompiler.short($0) }.joined(separator: " ")
            draft.set(values.count == 1 ? "NSWhite" : "NSRGB", .bytes(Array(shown.utf8)), of: color)
            draft.set("NSColorSpace", integer: values.count == 1 ? 4 : 2, of: color)
            return color
        }
    }

    /// Returns the number with three significant digits.
    private static func short(_ number: Double) -> String {
        guard number != 0, number.isFinite else { return "0" }
        var scale = 1000.0
        var size = abs(number)
        while size < 0.1, scale < 1e12 {
            size *= 10
            scale *= 10
        }
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

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
            try source.errors.record(source.unknown(attribute, of: element))
        }
        if let style = element["style"] {
            guard let size = Self.styleSizes[style] else {
                throw source.fault("there is no text style \(style)", element)
            }
            let isBold = style == "UICTFontTextStyleHeadline"
            return addFont(
                systemName(isBold ? "semibold" : "regular", size), size, traits: isBold ? 2 : 0, isSystem: true,
                descriptor: [("NSCTFontUIUsageAttribute", .text(style))], style: style)
        }
        let size = element["pointSize"] == nil ? 17 : try number("pointSize", of: element)
        if let name = element["name"] {
            return addFont(
                name, size, traits: 0, isSystem: false,
                descriptor: [("NSFontSizeAttribute", .number(size)), ("NSFontNameAttribute", .text(name))])
        }
        var weight = element["weight"] ?? "regular"
        var traits = 0
        var usage = Self.usages[weight]
        switch element["type"] {
        case "system", nil: break
        case "boldSystem": (weight, usage) = ("bold", "CTFontEmphasizedUsage")
        case "italicSystem": (traits, usage) = (1, "CTFontObliqueUsage")
        case let other?: throw source.fault("there is no font of type \(other)", element)
        }
        guard let usage else { throw source.fault("there is no weight \(weight)", element) }
        if ["semibold", "bold", "heavy", "black"].contains(weight) { traits |= 2 }
        return addFont(
            systemName(traits & 1 == 1 ? "italic" : weight, size), size, traits: traits, isSystem: true,
            descriptor: [("NSCTFontUIUsageAttribute", .text(usage)), ("NSFontSizeAttribute", .number(size))])
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
                try source.errors.record(source.unknown(attribute, of: element))
                continue
            }
            switch rule {
            case .choice(let key, let names):
                guard let choice = names[attribute.value] else {
                    throw source.fault("\(attribute.name) cannot be \(attribute.value)", element)
                }
                draft.set(key, integer: choice, of: number)
            case .truth(let key, _):
                guard let flag = NibCompiler.truth(attribute.value) else {
                    throw source.fault("\(attribute.name) has to be YES or NO", element)
                }
                draft.set(key, flag, of: number)
            default: break
            }
        }
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
        switch type {
        case "nil": return nil
        case "string", "localizedString":
            return draft.text(element["value"] ?? child?.text ?? "")
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
        case "image": return image(element["value"] ?? "")
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
