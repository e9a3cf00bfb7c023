internal import WidgetBytes

/// One key of the subject, the most common of all expressions.
final class KeyNode: ValueNode {
    let key: MemberKey
    let span: SourceSpan

    init(_ key: String, _ span: SourceSpan) {
        self.key = MemberKey(key)
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        try run.spend(1, span)
        if let member = PredicateDictionary.member(key, of: subject) { return member }
        return try KeyReader.value(of: key.text, in: subject, &run, span)
    }
}

/// One key of another value, such as a variable.
final class MemberNode: ValueNode {
    let base: any ValueNode
    let key: MemberKey
    let span: SourceSpan

    init(_ base: any ValueNode, _ key: String, _ span: SourceSpan) {
        self.base = base
        self.key = MemberKey(key)
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try base.value(subject, &run)
        try run.spend(1, span)
        if let member = PredicateDictionary.member(key, of: value) { return member }
        return try KeyReader.value(of: key.text, in: value, &run, span)
    }
}

/// A path of several components, from the subject or from another value.
final class PathNode: ValueNode {
    let base: (any ValueNode)?
    let components: [KeyPath.Component]
    let span: SourceSpan

    init(_ base: (any ValueNode)?, _ path: KeyPath, _ span: SourceSpan) {
        self.base = base
        components = path.components
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let start = try base?.value(subject, &run) ?? subject
        return try KeyReader.value(along: components[...], from: start, &run, span)
    }
}

final class IndexNode: ValueNode {
    let part: any ValueNode
    let index: any ValueNode
    let span: SourceSpan

    init(_ part: any ValueNode, _ index: any ValueNode, _ span: SourceSpan) {
        self.part = part
        self.index = index
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let (value, place) = (try part.value(subject, &run), try index.value(subject, &run))
        try run.spend(1, span)
        switch (value, place) {
        case (.null, _), (_, .null): return .null
        case (.array(let elements), .integer(let index)):
            // An index out of bounds has no value, like a missing key.
            return Int(exactly: index).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        case (.dictionary(let dictionary), .string(let key)): return dictionary[key] ?? .null
        case (.dictionary(let dictionary), .integer(let key)): return dictionary[String(key)] ?? .null
        case (.object, .string(let key)): return try KeyReader.value(of: key, in: value, &run, span)
        case (.array, .double(let real)) where real.rounded() == real:
            guard case .array(let elements) = value, let index = Int(exactly: real) else { return .null }
            return elements.indices.contains(index) ? elements[index] : .null
        default:
            throw PredicateError(
                .operandType, at: span, "\(place.kindName) cannot be an index of \(value.kindName)".capitalizingFirst,
                expected: ["an array and a whole number", "a dictionary and a key"])
        }
    }
}

/// `[FIRST]`, `[LAST]` and `[SIZE]`.
final class PlaceNode: ValueNode {
    let part: any ValueNode
    let place: CollectionPlace
    let span: SourceSpan

    init(_ part: any ValueNode, _ place: CollectionPlace, _ span: SourceSpan) {
        self.part = part
        self.place = place
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try part.value(subject, &run)
        try run.spend(1, span)
        if value.isNull { return .null }
        guard let elements = value.elements else {
            throw PredicateError(
                .collectionExpected, at: span, "[\(place.rawValue)] belongs to a collection, not to \(value.kindName)")
        }
        switch place {
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .size: return .integer(Int64(elements.count))
        }
    }
}

/// Reads the values of keys.
enum KeyReader {
    /// A key of a collection is read from each of its elements, which may be collections again.
    private static let nesting = 100
    /// The steps for a lookup in an object, besides the key's step.
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
            // The object looks the key up and may create the value; both cost the same, whatever it finds.
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
                // Changing letters are visited one by one, and those at the beginning of words twice.
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

    /// The keys of every text, number and date.
    private static func property(_ key: String, of value: PredicateValue) -> PredicateValue? {
        switch (key, value) {
        case ("description", _): value.text.map { .string($0) }
        case ("length", .string(let text)): .integer(Int64(text.utf16.count))
        case ("uppercaseString", .string(let text)): .string(text.uppercased())
        case ("lowercaseString", .string(let text)): .string(text.lowercased())
        case ("capitalizedString", .string(let text)): .string(capitalized(text))
        case ("length", .data(let bytes)): .integer(Int64(bytes.count))
        case ("timeIntervalSinceReferenceDate", .date(let seconds)): .double(seconds)
        case ("timeIntervalSince1970", .date(let seconds)): .double(seconds + CivilDate.secondsTo2001)
        case ("stringValue", _): value.double == nil ? nil : value.text.map { .string($0) }
        case ("intValue", _), ("integerValue", _), ("longLongValue", _): number(value).map { .integer(whole($0)) }
        case ("doubleValue", _), ("floatValue", _): number(value).map { .double($0) }
        case ("boolValue", .string(let text)): .boolean(truth(text))
        case ("boolValue", _): number(value).map { .boolean($0 != 0) }
        default: nil
        }
    }

    /// The keys of ``property(_:of:)``, by kind of value.
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
