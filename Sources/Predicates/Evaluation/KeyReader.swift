/// What values have behind their keys.
enum KeyReader {
    /// A key of a collection is read from each of its elements, which may be collections again.
    private static let nesting = 100
    /// Steps that asking an object takes, beside the one for the key.
    private static let lookUp = 5

    static func value(
        along components: ArraySlice<KeyPath.Component>, from start: PredicateValue, _ run: inout Run,
        _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        var value = start
        for place in components.indices {
            try run.spend(1, span)
            switch components[place] {
            case .key(let key): value = try self.value(of: key, in: value, &run, span)
            case .operation(let operation):
                return try operation.applied(to: value, components[(place + 1)...], &run, span)
            }
        }
        return value
    }

    static func value(
        of key: String, in value: PredicateValue, _ run: inout Run, _ span: SourceSpan, depth: Int = 0
    ) throws(PredicateError) -> PredicateValue {
        switch value {
        case .null: return .null
        case .dictionary(let dictionary): return dictionary[key] ?? (isItself(key) ? value : .null)
        case .object(let object):
            // Whatever it is, it looks the key up, and makes what it finds.
            try run.spend(KeyReader.lookUp, span)
            if let value = object.value(forKey: key) { return value }
            if isItself(key) { return value }
        case .array(let elements):
            if isItself(key) { return value }
            return .array(try values(of: key, in: elements, &run, span, depth))
        case .set(let elements):
            if isItself(key) { return value }
            return .set(of: try values(of: key, in: elements, &run, span, depth).filter { !$0.isNull })
        default:
            if isItself(key) { return value }
            if case .string(let text) = value {
                // Letters that change are looked at one by one, those at the beginning of words twice.
                let share = key == "capitalizedString" ? 1 : key.hasSuffix("caseString") ? 2 : 16
                try run.spend(text.utf8.count / share, span)
                try run.allocate(text.utf8.count, span)
            }
            if let property = property(key, of: value) { return property }
        }
        throw PredicateError(
            .unknownKey, at: span, "\(value.kindName) has no key \(Quotation.of(key))".capitalizingFirst,
            found: Quotation.of(key))
    }

    private static func isItself(_ key: String) -> Bool { key == "self" || key == "SELF" }

    private static func values(
        of key: String, in elements: [PredicateValue], _ run: inout Run, _ span: SourceSpan, _ depth: Int
    ) throws(PredicateError) -> [PredicateValue] {
        guard depth < nesting else {
            throw PredicateError(.nestingLimit, at: span, "Collections lie more than \(nesting) deep in each other")
        }
        try run.allocate(elements: elements.count, span)
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try value(of: key, in: element, &run, span, depth: depth + 1)) }
        return values
    }

    /// The keys that texts, numbers and dates answer to everywhere.
    private static func property(_ key: String, of value: PredicateValue) -> PredicateValue? {
        switch (key, value) {
        case ("description", _): value.text.map { .string($0) }
        case ("length", .string(let text)): .integer(Int64(text.utf16.count))
        case ("uppercaseString", .string(let text)): .string(text.uppercased())
        case ("lowercaseString", .string(let text)): .string(text.lowercased())
        case ("capitalizedString", .string(let text)): .string(capitalized(text))
        case ("length", .data(let bytes)): .integer(Int64(bytes.count))
        case ("timeIntervalSinceReferenceDate", .date(let seconds)): .double(seconds)
        case ("timeIntervalSince1970", .date(let seconds)): .double(seconds + 978_307_200)
        case ("stringValue", _): value.double == nil ? nil : value.text.map { .string($0) }
        case ("intValue", _), ("integerValue", _), ("longLongValue", _): number(value).map { .integer(whole($0)) }
        case ("doubleValue", _), ("floatValue", _): number(value).map { .double($0) }
        case ("boolValue", .string(let text)): .boolean(truth(text))
        case ("boolValue", _): number(value).map { .boolean($0 != 0) }
        default: nil
        }
    }

    /// The keys of ``property(_:of:)`` by what has them.
    static func properties(of kind: PredicateSchema.Kind) -> Set<String> {
        let numbers: Set<String> = [
            "intValue", "integerValue", "longLongValue", "doubleValue", "floatValue", "boolValue", "description",
        ]
        switch kind {
        case .string:
            return numbers.union(["length", "uppercaseString", "lowercaseString", "capitalizedString"])
        case .number, .boolean: return numbers.union(["stringValue"])
        case .date: return ["description", "timeIntervalSinceReferenceDate", "timeIntervalSince1970"]
        case .data: return ["length"]
        case .any, .collection, .record: return []
        }
    }

    /// The most bytes of a text that are looked at for its leading number.
    private static let longestNumber = 40

    /// A text's leading number, zero when it has none.
    private static func number(_ value: PredicateValue) -> Double? {
        guard case .string(let text) = value else { return value.double }
        var end = text.utf8.count
        let bytes = Array(text.utf8.prefix(longestNumber))
        end = bytes.count
        while end > 0 {
            if let value = NumberText.number(String(decoding: bytes[..<end], as: UTF8.self))?.double { return value }
            end -= 1
        }
        return 0
    }

    private static func whole(_ value: Double) -> Int64 {
        value >= 0x1p63 ? .max : value < -0x1p63 ? .min : value.isNaN ? 0 : Int64(value)
    }

    private static func truth(_ text: String) -> Bool {
        let bytes = text.utf8.drop { Tokenizer.isBlank($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        guard let first = bytes.drop(while: { $0 == 0x30 }).first else { return false }
        return "YyTt".utf8.contains(first) || 0x31...0x39 ~= first
    }

    private static func capitalized(_ text: String) -> String {
        var result = ""
        var isInsideWord = false
        for character in text {
            result += isInsideWord ? character.lowercased() : character.uppercased()
            isInsideWord = character.isLetter || character == "'" || character == "\u{2019}"
        }
        return result
    }
}
