package import JSONText
internal import WidgetBytes
package import WidgetPredicates

/// A value of the expression language: of a property, a source's item or an event.
package typealias Value = PredicateValue

extension PredicateValue {
    /// The value of a document, in its order. The parser limits its depth.
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

    /// Reads a document without building its tree first, because answers and data can be large.
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

    /// The most elements and members of a value that are shown; an ellipsis replaces the others.
    package static let shownCount = 100

    /// The value for people: its description, or the descriptions of its parts.
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

    /// The value as a switch reads it: true for numbers other than zero, and for texts that begin like a yes.
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

    /// The finite number that the value or its text is. Infinities and NaN give `nil`.
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

    /// True if arrays and dictionaries are nested deeper than `depth`, or if there are more values than `count`.
    ///
    /// Shared parts are counted each time they are met: a value that contains itself twice, level by level, is small in
    /// memory but doubles with each level.
    package func isLarger(depth: Int, count: Int) -> Bool {
        guard elements != nil else { return false }
        let extent = ValueExtent(of: self, upTo: count)
        return extent.count > count || extent.depth > depth
    }

    /// The value of one key. A missing key has no value and is not an error.
    package func member(_ key: String) -> Value {
        switch self {
        case .dictionary(let dictionary): dictionary[key] ?? .null
        case .object(let object): object.value(forKey: key) ?? .null
        case .array(let elements): Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        default: .null
        }
    }

    /// The value of a path of keys.
    package func member(at path: [String]) -> Value {
        var value = self
        for key in path { value = value.member(key) }
        return value
    }
}

/// The beginning of a list of names, for people, with a mark where there are more.
package struct NameList: CustomStringConvertible {
    package static let shownCount = 20
    private let shown: String
    private let moreCount: Int

    package init(_ names: some Collection<String>) {
        shown = names.prefix(NameList.shownCount).map { $0.excerpt }.joined(separator: ", ")
        moreCount = names.count - NameList.shownCount
    }

    package var description: String { shown + (moreCount > 0 ? ", …" : "") }

    /// The names shown, with the number of the others.
    package var counted: String { shown + (moreCount > 0 ? " and \(moreCount) more" : "") }
}

extension String {
    /// The whole text, or its beginning with a mark where it has more bytes than these.
    package func shortened(toByteCount count: Int) -> String {
        guard utf8.count > count else { return self }
        // An index within a letter is rounded down to the letter's beginning.
        return self[..<utf8.index(startIndex, offsetBy: count)] + "…"
    }

    /// Bytes of a name or a value within a sentence: authored ones may be long, and there are thousands of rows.
    package static let excerptByteCount = 200

    /// The beginning of a name or a value, as sentences have it: with characters that are not shown as escapes.
    package var excerpt: String { ShownText.plain(shortened(toByteCount: String.excerptByteCount)) }

    /// The name of a kind with its article, at the beginning of a sentence: `An image`.
    package var withArticle: String { utf8.first.map("aeio".utf8.contains) ?? false ? "An \(self)" : "A \(self)" }
}
