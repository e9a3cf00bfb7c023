/// The rules of `style` elements, by simple selectors: a name, classes and an id, alone or together.
struct SVGStyleSheet {
    struct Declaration {
        var name: String
        var value: String
        var isImportant: Bool
    }

    private struct Rule {
        var element: String?
        var classes: Set<String>
        var id: String?
        var declarations: [Declaration]

        /// The order of rules for one element: ids, then classes, then names.
        var weight: Int { (id == nil ? 0 : 10_000) + classes.count * 100 + (element == nil ? 0 : 1) }
    }

    /// The most rules; a sheet with more of them is not simple.
    private static let mostRules = 1_000

    private var rules: [Rule] = []
    private var ofClass: [String: [Int]] = [:]
    private var others: [Int] = []
    /// False if a rule is not one of these.
    private(set) var isSimple = true

    mutating func add(_ text: String) {
        var rest = SVGStyleSheet.withoutComments(text)[...]
        while let open = rest.firstIndex(of: "{") {
            let head = rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else { return }
            let body = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            guard !head.contains("@"), !body.contains("{") else {
                isSimple = false
                return
            }
            let declarations = SVGStyleSheet.declarations(String(body))
            for selector in head.split(separator: ",") {
                guard var rule = SVGStyleSheet.rule(selector.trimmed) else {
                    isSimple = false
                    continue
                }
                rule.declarations = declarations
                if rule.classes.isEmpty {
                    others.append(rules.count)
                } else {
                    for name in rule.classes.prefix(1) { ofClass[name, default: []].append(rules.count) }
                }
                rules.append(rule)
                guard rules.count <= SVGStyleSheet.mostRules else {
                    isSimple = false
                    return
                }
            }
        }
        if rest.contains("@") { isSimple = false }
    }

    private static func withoutComments(_ text: String) -> String {
        var kept: [UInt8] = []
        let bytes = Array(text.utf8)
        var position = 0
        while position < bytes.count {
            if bytes[position...].starts(with: "/*".utf8) {
                position += 2
                while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                position += 2
            } else {
                kept.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func rule(_ selector: Substring) -> Rule? {
        var rule = Rule(element: nil, classes: [], id: nil, declarations: [])
        var part: Substring = ""
        var mark: Character?
        func isName(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "-" || character == "_"
        }
        func finish() -> Bool {
            switch mark {
            case nil: if !part.isEmpty { rule.element = String(part) }
            case ".": rule.classes.insert(String(part))
            default: rule.id = String(part)
            }
            return mark == nil || !part.isEmpty
        }
        guard !selector.isEmpty else { return nil }
        if selector == "*" { return rule }
        for character in selector {
            if character == "." || character == "#" {
                guard finish() else { return nil }
                (part, mark) = ("", character)
            } else {
                guard isName(character) else { return nil }
                part.append(character)
            }
        }
        return finish() ? rule : nil
    }

    /// The properties of a block or of a `style` attribute, in order.
    static func declarations(_ text: String) -> [Declaration] {
        withoutComments(text).split(separator: ";").compactMap { declaration in
            guard let colon = declaration.firstIndex(of: ":") else { return nil }
            let name = declaration[..<colon].trimmed.lowercased()
            var value = declaration[declaration.index(after: colon)...].trimmed
            var isImportant = false
            if let mark = value.lastIndex(of: "!"), value[mark...].lowercased().hasSuffix("important") {
                isImportant = true
                value = value[..<mark].trimmed
            }
            return name.isEmpty ? nil : Declaration(name: name, value: String(value), isImportant: isImportant)
        }
    }

    /// The declarations for an element, later ones above earlier ones.
    func declarations(element: String, id: String?, classes: [Substring]) -> [Declaration] {
        guard !rules.isEmpty else { return [] }
        let candidates = others + classes.flatMap { ofClass[String($0)] ?? [] }
        let names = Set(classes.map { String($0) })
        let matching = Set(candidates).filter { number in
            let rule = rules[number]
            return (rule.element ?? element) == element && rule.classes.isSubset(of: names)
                && (rule.id == nil || rule.id == id)
        }
        return matching.sorted { (rules[$0].weight, $0) < (rules[$1].weight, $1) }.flatMap { rules[$0].declarations }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
