internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Cached values as JSON that apps read too: texts, numbers, lists and objects are themselves. A value of a type that JSON
/// lacks is an object of one member whose name begins with a sign.
enum CachedJSON {
    private static let sign = "$"
    private static let date = "$date"
    private static let data = "$data"
    private static let decimal = "$decimal"
    private static let number = "$number"
    private static let object = "$object"

    /// Values are no deeper than their budget allows.
    static func json(_ value: Value) -> JSONValue {
        switch value {
        case .null: return JSONValue(.null)
        case .boolean(let flag): return JSONValue(.boolean(flag))
        case .integer(let number): return JSONValue(.number(JSONNumber(number)))
        case .double(let number): return json(number) ?? one(CachedJSON.number, text("\(number)"))
        case .decimal: return one(decimal, text(value.shown))
        case .string(let string): return text(string)
        case .date(let seconds): return one(date, json(seconds) ?? text("\(seconds)"))
        case .data(let bytes): return one(data, text(Base64.string(bytes)))
        case .object: return text(value.shown)
        case .array(let elements), .set(let elements): return JSONValue(.array(elements.map(json)))
        case .dictionary(let dictionary):
            let members = zip(dictionary.keys, dictionary.values).map { JSONObject.Member($0, json($1)) }
            guard let object = JSONObject(members) else { return JSONValue(.null) }
            let plain = JSONValue(.object(object))
            // An object that looks like one of ours is put into one.
            return isMarked(plain) ? one(CachedJSON.object, plain) : plain
        }
    }

    static func value(_ json: JSONValue) -> Value {
        switch json.kind {
        case .array(let elements): return .array(elements.map(value))
        case .object(let object):
            if isMarked(json), let member = object.members.first {
                let given = member.value
                switch member.name {
                case date: return seconds(given).map { .date($0) } ?? .null
                case number: return seconds(given).map { .double($0) } ?? .null
                case decimal: return given.string.flatMap { DecimalNumber($0) }.map { .decimal($0) } ?? .null
                case data: return given.string.flatMap { try? Base64.decode(Array($0.utf8)) }.map { .data($0) } ?? .null
                case CachedJSON.object: return members(given.object)
                default: return members(object)
                }
            }
            return members(object)
        case .null, .boolean, .number, .string: return Value(json)
        }
    }

    private static func members(_ object: JSONObject?) -> Value {
        .dictionary(PredicateDictionary((object?.members ?? []).map { ($0.name, value($0.value)) }))
    }

    private static func isMarked(_ json: JSONValue) -> Bool {
        json.object.map { $0.count == 1 && $0.members[0].name.hasPrefix(sign) } ?? false
    }

    private static func seconds(_ json: JSONValue) -> Double? { json.double ?? json.string.flatMap { Double($0) } }

    private static func json(_ number: Double) -> JSONValue? { JSONNumber(number).map { JSONValue(.number($0)) } }

    private static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }

    private static func one(_ name: String, _ value: JSONValue) -> JSONValue {
        JSONObject([JSONObject.Member(name, value)]).map { JSONValue(.object($0)) } ?? JSONValue(.null)
    }
}
