package import JSONText
package import Predicates

/// What a property holds, a source gives and an event carries: the values of the one expression language.
package typealias Value = PredicateValue

extension PredicateValue {
    /// What a document says, in its order. Its depth is bounded by the parser.
    package init(_ json: JSONValue) {
        switch json.kind {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .number(let number):
            if let whole = number.integer {
                self = .integer(whole)
            } else {
                self = number.double.map { .double($0) } ?? .null
            }
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { Value($0) })
        case .object(let object):
            self = .dictionary(PredicateDictionary(object.members.map { ($0.name, Value($0.value)) }))
        }
    }

    /// The same of a document that is not kept: answers and data, of which there can be much.
    package init(_ item: JSONItem) {
        var maker = PredicateDictionaryMaker()
        self = Value.read(item, &maker)
    }

    private static func read(_ item: JSONItem, _ maker: inout PredicateDictionaryMaker) -> Value {
        switch item.kind {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .number(let number):
            if let whole = number.integer { return .integer(whole) }
            return number.double.map { .double($0) } ?? .null
        case .string(let text): return .string(text)
        case .array(let elements):
            var values: [Value] = []
            for element in elements { values.append(read(element, &maker)) }
            return .array(values)
        case .object(let object):
            var keys: [String] = []
            var values: [Value] = []
            for member in object.members {
                keys.append(member.name)
                values.append(read(member.value, &maker))
            }
            return .dictionary(maker.dictionary(keys, values))
        }
    }

    /// Elements and members of a value that are shown; a mark stands for the others.
    package static let shownCount = 100

    /// As a person would read it: the description of what has one, and the parts of what has none.
    package var shown: String {
        if let text { return text }
        switch self {
        case .array(let elements), .set(let elements):
            let shown = elements.prefix(Value.shownCount).map { $0.text ?? "…" }
            return "(" + shown.joined(separator: ", ") + (elements.count > shown.count ? ", …)" : ")")
        case .dictionary(let dictionary):
            let members = zip(dictionary.keys, dictionary.values).prefix(Value.shownCount)
                .map { "\($0): \($1.text ?? "…")" }
            return "{" + members.joined(separator: ", ") + (dictionary.keys.count > members.count ? ", …}" : "}")
        case .data(let bytes): return "\(bytes.count) bytes"
        case .object(let object): return object.value(forKey: "description")?.text ?? ""
        default: return ""
        }
    }

    /// What a switch makes of a value: numbers other than zero, and texts that begin like a yes.
    package var truth: Bool {
        switch self {
        case .boolean(let flag): flag
        case .integer(let value): value != 0
        case .double(let value): value != 0
        case .decimal: text != "0"
        case .string(let text): Value.truth(ofText: text)
        default: false
        }
    }

    private static func truth(ofText text: String) -> Bool {
        let rest = text.utf8.drop { $0 == 0x20 || $0 == 0x2B || $0 == 0x2D }.drop { $0 == 0x30 }
        guard let first = rest.first else { return false }
        return "YyTt".utf8.contains(first) || 0x31...0x39 ~= first
    }

    /// A number, or a text that is one. What is infinite, or no number though it is written like one, is none.
    package var number: Double? {
        switch self {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value.isFinite ? value : nil
        case .decimal, .string: text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Whether there are more arrays and dictionaries around some value in it, or more values in all than may be.
    ///
    /// Parts that are shared are counted as often as they are met: a value that has itself in it twice, again and again,
    /// takes hardly any room and has no end.
    package func isLarger(depth: Int, count: Int) -> Bool {
        guard elements != nil else { return false }
        let extent = ValueExtent(of: self, upTo: count)
        return extent.count > count || extent.depth > depth
    }

    /// What is behind one key, for data that knows no errors: a missing key has no value.
    package func member(_ key: String) -> Value {
        switch self {
        case .dictionary(let dictionary): dictionary[key] ?? .null
        case .object(let object): object.value(forKey: key) ?? .null
        case .array(let elements): Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        default: .null
        }
    }

    /// What is behind several keys, one after the other.
    package func member(at path: [String]) -> Value {
        var value = self
        for key in path { value = value.member(key) }
        return value
    }
}
