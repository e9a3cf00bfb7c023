package import JSONText
internal import WidgetBytes
package import WidgetCore
internal import WidgetPredicates

/// Values of the engine as native code has them, and back.
package enum NativeValues {
    /// The JSON of a value. A date is its seconds since 1970, bytes are Base64, and numbers that JSON lacks are `null`.
    ///
    /// Values are no deeper than their budget allows.
    package static func json(_ value: Value) -> JSONValue {
        switch value {
        case .null: return JSONValue(.null)
        case .boolean(let flag): return JSONValue(.boolean(flag))
        case .integer(let number): return JSONValue(.number(JSONNumber(number)))
        case .double(let number): return json(number)
        case .decimal: return json(value.number ?? .nan)
        case .string(let text): return JSONValue(.string(text))
        case .date(let seconds): return json(seconds + secondsTo2001)
        case .data(let bytes): return JSONValue(.string(Base64.string(bytes)))
        case .object: return JSONValue(.string(value.shown))
        case .array(let elements), .set(let elements): return JSONValue(.array(elements.map(json)))
        case .dictionary(let dictionary):
            let members = zip(dictionary.keys, dictionary.values).map { JSONObject.Member($0, json($1)) }
            return JSONObject(members).map { JSONValue(.object($0)) } ?? JSONValue(.null)
        }
    }

    private static func json(_ number: Double) -> JSONValue {
        JSONNumber(number).map { JSONValue(.number($0)) } ?? JSONValue(.null)
    }

    /// Seconds from the first moment of 1970 to that of 2001, by which the engine counts.
    private static let secondsTo2001 = 978_307_200.0

    /// The value of JSON; `nil` for one that is larger or deeper than a stored value may be.
    static func value(_ json: JSONValue, _ budget: Budget) -> Value? {
        fits(json, budget) ? Value(json) : nil
    }

    /// Looks at the depth first: what reads values goes as deep as they are.
    private static func fits(_ json: JSONValue, _ budget: Budget) -> Bool {
        var pending = [(json, 0)]
        var count = 0
        while let (value, depth) = pending.popLast() {
            count += 1
            guard depth <= budget.valueDepth, count <= budget.valueCount else { return false }
            switch value.kind {
            case .array(let elements):
                guard elements.count <= budget.valueCount else { return false }
                pending += elements.map { ($0, depth + 1) }
            case .object(let object):
                guard object.count <= budget.valueCount else { return false }
                pending += object.members.map { ($0.value, depth + 1) }
            case .string(let text): guard text.utf8.count <= budget.textByteCount else { return false }
            case .null, .boolean, .number: continue
            }
        }
        return true
    }
}
