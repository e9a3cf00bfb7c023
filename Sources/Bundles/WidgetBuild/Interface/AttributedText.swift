internal import WidgetBytes
internal import WidgetNib
internal import XMLText

/// Texts whose parts have fonts, colours and paragraph styles, archived as `NSAttributedString` does it.
extension NibCompiler {
    /// Returns the text in an element. Xcode encodes those that XML cannot carry, often without padding.
    func text(of element: XMLElement) throws(BuildError) -> String {
        guard element["base64-UTF8"] == "YES" else { return element.text }
        var digits = element.text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        guard let bytes = try? Base64.decode(digits), let text = String(validating: bytes, as: UTF8.self) else {
            throw source.fault("the text of \(element.name) is not base64 of UTF-8, as base64-UTF8 says", element)
        }
        return text
    }

    /// Writes a text with attributes, and the text alone under the key of plain texts.
    mutating func writeAttributedText(_ element: XMLElement, _ key: String, of number: Int) throws(BuildError) {
        let plain = key == "UIAttributedPlaceholder" ? "UIPlaceholder" : "UIText"
        draft.set(key, .object(try attributedText(element)), of: number)
        var whole = ""
        for fragment in element.children(named: "fragment") { whole += try text(ofFragment: fragment) }
        draft.set(plain, text: whole, of: number)
    }

    /// Returns the archive of a text with attributes, with the fragments' attributes by the ranges to which they apply.
    mutating func attributedText(_ element: XMLElement) throws(BuildError) -> Int {
        var whole = ""
        var runs: [UInt8] = []
        var dictionaries: [Int] = []
        for fragment in element.children {
            guard fragment.name == "fragment" else {
                try notes.leaveOut(fragment, of: element, knowing: [], path: source.path)
                continue
            }
            let content = try text(ofFragment: fragment)
            guard !content.isEmpty else { continue }
            whole += content
            NibCompiler.append(content.utf16.count, to: &runs)
            NibCompiler.append(dictionaries.count, to: &runs)
            dictionaries.append(try attributes(of: fragment))
        }
        return archive(draft.text(whole), dictionaries, runs)
    }

    /// Returns the archive of a text with one set of attributes.
    mutating func attributedText(_ text: Int, _ attributes: [(Int, Int)]) -> Int {
        archive(text, [draft.dictionary(attributes)], [])
    }

    private mutating func archive(_ text: Int, _ dictionaries: [Int], _ runs: [UInt8]) -> Int {
        let object = draft.add("NSMutableAttributedString", fallbacks: ["NSAttributedString"])
        draft.set("NSString", .object(text), of: object)
        guard dictionaries.count > 1 else {
            draft.set("NSAttributes", .object(dictionaries.first ?? draft.dictionary([])), of: object)
            return object
        }
        draft.set("NSAttributes", .object(draft.list(dictionaries, "NSMutableArray")), of: object)
        let info = draft.add("NSMutableData")
        draft.set(NibKey.bytes, .bytes(runs), of: info)
        draft.set("NSAttributeInfo", .object(info), of: object)
        return object
    }

    /// Appends a number in groups of seven bits, the lowest first.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private func text(ofFragment fragment: XMLElement) throws(BuildError) -> String {
        if let content = fragment["content"] { return content }
        guard let content = fragment.children.first(where: { $0["key"] == "content" }) else { return "" }
        return try text(of: content)
    }

    // MARK: Attributes

    private mutating func attributes(of fragment: XMLElement) throws(BuildError) -> Int {
        var pairs: [(Int, Int)] = []
        for element in fragment.child(named: "attributes")?.children ?? [] {
            guard let key = element["key"] else {
                try notes.leaveOut(element, of: fragment, knowing: [], path: source.path)
                continue
            }
            let value: Int
            switch element.name {
            case "color": value = try color(element)
            case "font": value = try metaFont(element)
            case "fontDescription": value = try font(element)
            case "paragraphStyle": value = try paragraphStyle(element)
            case "integer":
                let real = try number("value", of: element)
                value = Int(exactly: real).map { draft.integer($0) } ?? draft.number(real)
            case "real": value = draft.number(try number("value", of: element))
            case "string", "mutableString": value = draft.text(try text(of: element))
            case "url":
                let base = draft.add("NSURL")
                draft.set("NS.relative", text: element["string"] ?? "", of: base)
                value = base
            default:
                try notes.leaveOut(element, of: fragment, knowing: [], path: source.path)
                continue
            }
            pairs.append((draft.text(key), value))
        }
        return draft.dictionary(pairs)
    }

    /// Returns the font of a fragment, which names its size and role otherwise than a label's font does.
    private mutating func metaFont(_ element: XMLElement) throws(BuildError) -> Int {
        let size = element["size"] == nil ? 13 : try number("size", of: element)
        if let name = element["name"] { return font(named: name, size) }
        let role = element["metaFont"] ?? "system"
        let isBold = role == "systemBold" || role == "emphasizedSystem"
        if !isBold, !Self.plainRoles.contains(role) {
            notes.add("the font is the system's: nothing is known about the role \(role)", element)
        }
        return systemFont(isBold ? "bold" : "regular", size)
    }

    /// Roles of fonts whose weight is the usual one.
    private static let plainRoles: Set<String> = [
        "system", "label", "smallSystem", "miniSystem", "user", "userFixedPitch", "message", "toolTip", "cellTitle",
        "titleBar", "menu", "controlContent", "systemThin", "systemLight", "systemMedium", "systemUltraLight",
    ]

    private static let paragraphNumbers = [
        "lineSpacing": "NSLineSpacing", "paragraphSpacing": "NSParagraphSpacing",
        "paragraphSpacingBefore": "NSParagraphSpacingBefore", "firstLineHeadIndent": "NSFirstLineHeadIndent",
        "headIndent": "NSHeadIndent", "tailIndent": "NSTailIndent", "minimumLineHeight": "NSMinLineHeight",
        "maximumLineHeight": "NSMaxLineHeight", "lineHeightMultiple": "NSLineHeightMultiple",
        "hyphenationFactor": "NSHyphenationFactor", "tighteningFactorForTruncation": "NSTighteningFactor",
        "defaultTabInterval": "NSDefaultTabInterval",
    ]

    private static let paragraphChoices: [String: (key: String, names: [String: Int])] = [
        "alignment": ("NSAlignment", ["left": 0, "right": 1, "center": 2, "justified": 3, "natural": 4]),
        "lineBreakMode": (
            "NSLineBreakMode",
            [
                "wordWrapping": 0, "charWrapping": 1, "clipping": 2, "truncatingHead": 3, "truncatingTail": 4,
                "truncatingMiddle": 5,
            ]
        ),
        "baseWritingDirection": ("NSWritingDirection", ["natural": -1, "leftToRight": 0, "rightToLeft": 1]),
    ]

    private mutating func paragraphStyle(_ element: XMLElement) throws(BuildError) -> Int {
        let style = draft.add("NSMutableParagraphStyle", fallbacks: ["NSParagraphStyle"])
        for attribute in element.attributes where attribute.name != "key" {
            if let key = Self.paragraphNumbers[attribute.name] {
                draft.set(key, .content(.double(try number(attribute.name, of: element))), of: style)
            } else if let (key, names) = Self.paragraphChoices[attribute.name] {
                if let choice = names[attribute.value] {
                    draft.set(key, integer: choice, of: style)
                } else {
                    try notes.leaveOut(value: attribute, of: element, knowing: names.keys, path: source.path)
                }
            } else if attribute.name == "allowsDefaultTighteningForTruncation" {
                draft.set("NSAllowsTighteningForTruncation", try truth(attribute, of: element), of: style)
            } else {
                try notes.leaveOut(
                    attribute, of: element, knowing: Self.paragraphNumbers.keys, path: source.path)
            }
        }
        guard let tabs = element.child(named: "tabStops") else { return style }
        var stops: [Int] = []
        for tab in tabs.children(named: "textTab") {
            let stop = draft.add("NSTextTab")
            if tab["location"] != nil {
                draft.set("NSLocation", .content(.double(try number("location", of: tab))), of: stop)
            }
            stops.append(stop)
        }
        draft.set("NSTabStops", .object(draft.list(stops)), of: style)
        return style
    }
}
