import JSONText
import WidgetBytes
import WidgetPredicates

/// Values of the predicate language as JSON, and back.
///
/// A value that JSON cannot express is an object of one member: `{"$date": "2018-06-20T18:00:00Z"}`,
/// `{"$decimal": "1.50"}`, `{"$data": "aGVsbG8="}`, `{"$set": [1, 2]}`.
enum PredicateJSON {
    /// - Parameter json: read with a bounded depth, which bounds the recursion here.
    static func value(_ json: JSONValue) -> PredicateValue {
        switch json.kind {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let number): value(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(value))
        case .object(let object):
            special(object) ?? .dictionary(PredicateDictionary(object.members.map { ($0.name, value($0.value)) }))
        }
    }

    /// True if a text or a name has marks that would take long to sort: see ``MarkRun``. Called before the value is
    /// used in any way, because looking up a name already sorts its marks.
    static func hasTooManyMarks(_ json: JSONValue) -> Bool {
        switch json.kind {
        case .string(let text): MarkRun.isTooLong(in: text)
        case .array(let elements): elements.contains(where: hasTooManyMarks)
        case .object(let object):
            object.members.contains { MarkRun.isTooLong(in: $0.name) || hasTooManyMarks($0.value) }
        default: false
        }
    }

    /// Whole numbers stay exact as long as decimals can hold them.
    private static func value(_ number: JSONNumber) -> PredicateValue {
        if let integer = number.integer { return .integer(integer) }
        let isWhole = !number.text.utf8.contains { "eE.".utf8.contains($0) }
        if isWhole, let decimal = DecimalNumber(number.text), decimal.description == number.text {
            return .decimal(decimal)
        }
        return .double(number.double ?? (number.text.hasPrefix("-") ? -.infinity : .infinity))
    }

    private static func special(_ object: JSONObject) -> PredicateValue? {
        guard object.count == 1, let member = object.members.first else { return nil }
        switch (member.name, member.value.kind) {
        case ("$date", .string(let text)): return DateText.seconds(text).map { .date($0) }
        case ("$date", .number(let number)): return number.double.map { .date($0) }
        case ("$decimal", .string(let text)): return DecimalNumber(text).map { .decimal($0) }
        case ("$decimal", .number(let number)): return DecimalNumber(number.text).map { .decimal($0) }
        case ("$set", .array(let elements)): return .set(of: elements.map(value))
        case ("$data", .string(let text)):
            do throws(Base64.Fault) {
                return .data(try Base64.decode(Array(text.utf8)))
            } catch {
                return nil
            }
        default: return nil
        }
    }

    /// True if writing the value takes at most the steps that are left; 16 bytes of text are one. A list that holds one
    /// large value ten thousand times is small until it is written.
    static func fits(_ value: PredicateValue, _ stepsLeft: inout Int) -> Bool {
        switch value {
        case .string(let text): stepsLeft -= 1 + text.utf8.count / 16
        case .data(let bytes): stepsLeft -= 1 + bytes.count / 16
        default: stepsLeft -= 1
        }
        guard stepsLeft >= 0 else { return false }
        if case .dictionary(let dictionary) = value {
            stepsLeft -= dictionary.keys.reduce(0) { $0 + $1.utf8.count / 16 }
        }
        for element in value.elements ?? [] where !fits(element, &stepsLeft) { return false }
        return true
    }

    /// Dates are written as texts, data as Base64, sets as arrays, and numbers that JSON does not have as `null`.
    static func write(_ value: PredicateValue, to writer: inout JSONWriter) {
        switch value {
        case .null, .object: writer.null()
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.number(number)
        case .double(let number):
            if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
                writer.number(whole)
            } else {
                writer.number(number)
            }
        case .decimal(let number): writer.value(JSONValue(.number(exactly(number))))
        case .string(let text): writer.string(text)
        case .date(let seconds): writer.string(DateText.iso(seconds))
        case .data(let bytes): writer.string(Base64.string(bytes))
        case .array(let elements), .set(let elements):
            writer.array { writer in
                for element in elements { write(element, to: &writer) }
            }
        case .dictionary(let dictionary):
            writer.object { writer in
                for (key, value) in zip(dictionary.keys, dictionary.values) {
                    writer.key(key)
                    write(value, to: &writer)
                }
            }
        }
    }

    private static func exactly(_ number: DecimalNumber) -> JSONNumber {
        do throws(JSONError) {
            let value = try JSONValue(parsing: Array(number.description.utf8))
            return value.number ?? JSONNumber(0)
        } catch {
            return JSONNumber(number.double) ?? JSONNumber(0)
        }
    }

    static func write(_ error: PredicateError, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", error.code.rawValue)
            writer.member("message", error.description)
            writer.member("offset", error.offset)
            writer.member("length", error.span.byteCount)
            if let found = error.found { writer.member("found", found) }
            if !error.expected.isEmpty {
                writer.key("expected")
                writer.array { writer in
                    for one in error.expected { writer.string(one) }
                }
            }
            if let hint = error.hint { writer.member("hint", hint) }
        }
    }
}
