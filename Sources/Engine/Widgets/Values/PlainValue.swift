internal import FoundationEssentials
internal import JSONText

/// Values of Swift as values of documents, and back.
enum PlainValue {
    /// The longest list of values that is decoded in one piece.
    private static let depth = 64

    /// - Returns: the value as documents have it; `nil` if it cannot be encoded, as numbers that are not finite.
    static func json(_ value: some Encodable) -> JSONValue? {
        switch value {
        case let text as String: return JSONValue(.string(text))
        case let flag as Bool: return JSONValue(.boolean(flag))
        case let number as Int: return JSONValue(.number(JSONNumber(Int64(number))))
        case let number as Double: return number.isFinite ? .number(number) : nil
        default: break
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return nil }
        return try? JSONDocument(parsing: Array(data), limits: limits(data.count)).root
    }

    /// - Returns: the value; `nil` if the type has none like it.
    static func value<Value: Decodable>(_ json: JSONValue, as type: Value.Type) -> Value? {
        switch type {
        case is String.Type: if let text = json.string { return text as? Value }
        case is Bool.Type: if let flag = json.boolean { return flag as? Value }
        case is Int.Type: if let number = json.number?.whole { return Int(exactly: number) as? Value }
        case is Double.Type: if let number = json.double { return number as? Value }
        default: break
        }
        var writer = JSONWriter()
        writer.value(json)
        return try? decoder().decode(type, from: Data(writer.finish()))
    }

    /// Reads dates as documents have them: seconds since 1970, or the text of ISO 8601 that services answer with.
    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try decoder.singleValueContainer()
            guard let text = try? value.decode(String.self) else {
                return Date(timeIntervalSince1970: try value.decode(Double.self))
            }
            guard let date = date(text) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "a date is written as 2018-06-20T19:52:00Z")
            }
            return date
        }
        return decoder
    }

    private static func date(_ text: String) -> Date? {
        let moment = Date.ISO8601FormatStyle.iso8601
        return try? (text.utf8.count == 10 ? moment.year().month().day() : moment).parse(text)
    }

    /// The reason that a value does not fit a type: "tiles[2].value is a text, and Int is expected".
    static func fault<Value: Decodable>(of json: JSONValue, as type: Value.Type) -> String {
        var writer = JSONWriter()
        writer.value(json)
        do {
            _ = try decoder().decode(type, from: Data(writer.finish()))
            return "it is \(kind(of: json))"
        } catch let error as DecodingError {
            return sentence(error, json)
        } catch {
            return "it is \(kind(of: json)), and \(type) is expected"
        }
    }

    /// A type with the reason that a value does not fit it, as in "Array<Walk>: [0] has no hint"; `nil` for one that does.
    static func mismatch<Value: Decodable>(_ json: JSONValue, as type: Value.Type) -> String? {
        value(json, as: type) == nil ? "\(type): \(fault(of: json, as: type))" : nil
    }

    private static func sentence(_ error: DecodingError, _ json: JSONValue) -> String {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return
                "\(name(context.codingPath)) is \(kind(of: value(at: context.codingPath, in: json))), and \(type) is expected"
        case .keyNotFound(let key, let context):
            return "\(name(context.codingPath)) has no \(key.stringValue)"
        case .dataCorrupted(let context):
            return "\(name(context.codingPath)) cannot be read: \(context.debugDescription)"
        @unknown default: return "it cannot be read"
        }
    }

    /// The way to a part of a value; `it` for the whole value.
    private static func name(_ path: [any CodingKey]) -> String {
        let text = path.reduce("") { text, key in
            key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
        }
        return text.isEmpty ? "it" : text
    }

    private static func value(at path: [any CodingKey], in json: JSONValue) -> JSONValue {
        path.reduce(json) { value, key in
            if let place = key.intValue, let elements = value.array {
                return elements.indices.contains(place) ? elements[place] : JSONValue(.null)
            }
            return value[key.stringValue] ?? JSONValue(.null)
        }
    }

    private static func kind(of json: JSONValue) -> String {
        switch json.typeName {
        case .null: "missing"
        case .boolean: "true or false"
        case .number, .integer: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    private static func limits(_ byteCount: Int) -> JSONLimits {
        JSONLimits(byteCount: byteCount, depth: depth, valueCount: byteCount)
    }
}

extension JSONValue {
    static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }

    static func flag(_ flag: Bool) -> JSONValue { JSONValue(.boolean(flag)) }

    /// A number as people write it: without a fraction that is zero.
    static func number(_ value: Double) -> JSONValue {
        if let whole = Int64(exactly: value) { return JSONValue(.number(JSONNumber(whole))) }
        return JSONNumber(value).map { JSONValue(.number($0)) } ?? JSONValue(.null)
    }

    /// An object with these members; a name that comes again replaces the one before.
    static func record(_ members: [(String, JSONValue)]) -> JSONValue {
        var last: [String: JSONValue] = [:]
        var names: [String] = []
        for (name, value) in members {
            if last.updateValue(value, forKey: name) == nil { names.append(name) }
        }
        let unique = names.compactMap { name in last[name].map { JSONObject.Member(name, $0) } }
        return JSONObject(unique).map { JSONValue(.object($0)) } ?? JSONValue(.null)
    }

    static func list(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }
}
