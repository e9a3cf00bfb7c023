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

        /// A part of the selector that each matching element has.
        var key: String { id.map { "#\($0)" } ?? classes.first.map { ".\($0)" } ?? element ?? "*" }

        /// The steps of applying it.
        var work: Int {
            declarations.reduce(0) { $0 + 32 + ($1.name.utf8.count + $1.value.utf8.count) * SVGReader.workOfByte }
        }
    }

    /// The most rules; a sheet with more of them is not simple.
    private static let mostRules = 1_000

    private var rules: [Rule] = []
    /// The numbers of rules by their keys.
    private var keyed: [String: [Int]] = [:]
    /// False if a rule is not one of these.
    private(set) var isSimple = true

    /// Adds the rules of a `style` element.
    ///
    /// - Parameters:
    ///   - media: the screens that they are for.
    ///   - type: the language that they are in.
    mutating func add(_ text: String, media: String?, type: String?) {
        guard ["", "all", "screen"].contains((media ?? "").trimmed.lowercased()),
            ["", "text/css"].contains((type ?? "").trimmed.lowercased())
        else {
            isSimple = false
            return
        }
        var rest = SVGStyleSheet.withoutComments(text)[...]
        while let open = rest.firstIndex(of: "{") {
            let head = rest[..<open]
            // The end of the sheet ends its last block too.
            let close = rest[open...].firstIndex(of: "}") ?? rest.endIndex
            let body = rest[rest.index(after: open)..<close]
            rest = close < rest.endIndex ? rest[rest.index(after: close)...] : ""
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
                keyed[rule.key, default: []].append(rules.count)
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
            // An element has one id, so a selector of two is refused as not simple.
            default:
                guard rule.id == nil else { return false }
                rule.id = String(part)
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
    func declarations(
        element: String, id: String?, classes: Set<String>, counting work: inout DrawingWork
    ) throws(DrawingError) -> [Declaration] {
        guard !rules.isEmpty else { return [] }
        let keys = ["*", element] + (id.map { ["#\($0)"] } ?? []) + classes.map { ".\($0)" }
        let candidates = keys.flatMap { keyed[$0] ?? [] }
        try work.spend(candidates.reduce(0) { $0 + 16 + rules[$1].classes.count })
        let matching = candidates.filter { number in
            let rule = rules[number]
            return (rule.element ?? element) == element && rule.classes.isSubset(of: classes)
                && (rule.id == nil || rule.id == id)
        }
        try work.spend(matching.reduce(0) { $0 + rules[$1].work })
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
