private import FoundationEssentials

/// A JSON value, read by Foundation, so that a test does not trust the parser of the product.
package enum PlainJSON: Decodable, Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([PlainJSON])
    case object([String: PlainJSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([PlainJSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: PlainJSON].self))
        }
    }

    package init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(PlainJSON.self, from: Data(bytes)) }

    package subscript(_ name: String) -> PlainJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var array: [PlainJSON]? { if case .array(let array) = self { array } else { nil } }
    package var members: [String: PlainJSON]? { if case .object(let members) = self { members } else { nil } }
    package var texts: [String] { array?.compactMap(\.text) ?? [] }

    fileprivate var kinds: Set<String> {
        switch self {
        case .null: ["null"]
        case .boolean: ["boolean"]
        case .number(let number): number.rounded() == number ? ["number", "integer"] : ["number"]
        case .text: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}

/// Checks values against a JSON Schema of draft 7, with the keywords that the schemas of the product use. Any other
/// keyword is a complaint about the schema.
package struct DraftSevenCheck {
    private let document: PlainJSON

    private static let remarks: Set<String> = [
        "$schema", "title", "description", "default", "examples", "definitions", "then",
    ]

    package init(_ document: PlainJSON) { self.document = document }

    /// The rules that a value breaks, each with the JSON Pointer of the broken part.
    package func complaints(_ value: PlainJSON) -> [String] { complaints(value, document, at: "") }

    private func complaints(_ value: PlainJSON, _ schema: PlainJSON, at path: String) -> [String] {
        if case .boolean(let isAllowed) = schema { return isAllowed ? [] : ["\(path): is not allowed"] }
        guard let rules = schema.members else { return ["\(path): the schema is not an object"] }
        if let reference = rules["$ref"] {
            // Draft 7 ignores the other keywords beside a reference.
            let name = reference.text?.replacing("#/definitions/", with: "") ?? ""
            guard let target = document["definitions"]?[name] else { return ["\(path): nothing is called \(name)"] }
            return complaints(value, target, at: path)
        }
        return rules.sorted { $0.key < $1.key }.flatMap { name, rule in
            check(value, name, rule, schema, path)
        }
    }

    private func check(
        _ value: PlainJSON, _ name: String, _ rule: PlainJSON, _ schema: PlainJSON, _ path: String
    ) -> [String] {
        func fits(_ schema: PlainJSON) -> Bool { complaints(value, schema, at: path).isEmpty }
        func unless(_ isFine: Bool, _ message: String) -> [String] { isFine ? [] : ["\(path): \(message)"] }
        switch name {
        case _ where Self.remarks.contains(name): return []
        case "type":
            let kinds = rule.text.map { [$0] } ?? rule.texts
            return unless(!value.kinds.isDisjoint(with: kinds), "is not \(kinds.joined(separator: " or "))")
        case "enum": return unless(rule.array?.contains(value) ?? false, "is not one of the values")
        case "const": return unless(value == rule, "is not the value")
        case "anyOf": return unless(rule.array?.contains(where: fits) ?? false, "fits none of the schemas")
        case "oneOf": return unless(rule.array?.count(where: fits) == 1, "fits none of the schemas, or several")
        case "allOf": return (rule.array ?? []).flatMap { complaints(value, $0, at: path) }
        case "if": return fits(rule) ? schema["then"].map { complaints(value, $0, at: path) } ?? [] : []
        case "pattern", "maxLength": return text(value.text, name, rule, path)
        case "minimum", "maximum":
            guard let number = value.number, let limit = rule.number else { return [] }
            return unless(name == "minimum" ? number >= limit : number <= limit, "is out of range")
        case "items":
            return (value.array ?? []).enumerated().flatMap { complaints($1, rule, at: "\(path)/\($0)") }
        case "properties", "patternProperties", "additionalProperties", "required", "dependencies":
            return value.members.map { object($0, name, rule, schema, path) } ?? []
        default: return ["\(path): the schema has an unknown keyword \(name)"]
        }
    }

    private func text(_ text: String?, _ name: String, _ rule: PlainJSON, _ path: String) -> [String] {
        guard let text else { return [] }
        if name == "maxLength" {
            return Double(text.unicodeScalars.count) <= rule.number ?? 0 ? [] : ["\(path): is too long"]
        }
        return Self.matches(text, rule.text) ? [] : ["\(path): is not like \(rule.text ?? "")"]
    }

    private static func matches(_ text: String, _ pattern: String?) -> Bool {
        guard let pattern, let expression = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
        return ((try? expression.firstMatch(in: text)) ?? nil) != nil
    }

    private func object(
        _ members: [String: PlainJSON], _ name: String, _ rule: PlainJSON, _ schema: PlainJSON, _ path: String
    ) -> [String] {
        let patterns = schema["patternProperties"]?.members ?? [:]
        return members.sorted { $0.key < $1.key }.flatMap { member, value -> [String] in
            let place = "\(path)/\(member.replacing("~", with: "~0").replacing("/", with: "~1"))"
            switch name {
            case "properties": return rule[member].map { complaints(value, $0, at: place) } ?? []
            case "patternProperties":
                return patterns.filter { Self.matches(member, $0.key) }.flatMap { complaints(value, $1, at: place) }
            case "additionalProperties":
                let isNamed = schema["properties"]?[member] != nil
                if isNamed || patterns.keys.contains(where: { Self.matches(member, $0) }) { return [] }
                return complaints(value, rule, at: place)
            case "dependencies":
                let missing = (rule[member]?.texts ?? []).filter { members[$0] == nil }
                return missing.map { "\(path): has no \($0) beside \(member)" }
            default: return []
            }
        } + (name == "required" ? rule.texts.filter { members[$0] == nil }.map { "\(path): has no \($0)" } : [])
    }
}
