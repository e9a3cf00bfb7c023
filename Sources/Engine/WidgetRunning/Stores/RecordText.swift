package import JSONText
internal import WidgetBytes
package import WidgetCore
internal import WidgetPredicates

/// Records as they are kept: one JSON object each, with the names of properties, so that a model may grow.
package enum RecordText {
    package static func text(of record: Record, _ entity: EntityModel.Entity) -> String {
        var writer = JSONWriter()
        write(record, entity, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    package static func write(_ record: Record, _ entity: EntityModel.Entity, to writer: inout JSONWriter) {
        writer.object { writer in
            for (slot, property) in entity.properties.enumerated() where record.fields.indices.contains(slot) {
                switch record.fields[slot] {
                case .value(.null), .one(nil): continue
                case .value(let value):
                    writer.key(property.name)
                    write(value, to: &writer)
                case .one(let id?): writer.member(property.name, id)
                case .many(let ids):
                    writer.key(property.name)
                    writer.array { for id in ids { $0.number(id) } }
                }
            }
        }
    }

    package static func text(of value: Value) -> String {
        var writer = JSONWriter()
        write(value, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Records are bounded when they are written, and not again when they are read: a value lies up to 80 deep in
    /// itself, and each dictionary on the way is an object in an object.
    private static let limits = JSONLimits(byteCount: .max, depth: 200, valueCount: .max)

    /// `nil` for a text that no version of this store has written.
    package static func value(of text: String) -> Value? {
        (try? JSONValue(parsing: Array(text.utf8), limits: limits)).map { value($0) }
    }

    /// `nil` for a text that no version of this store has written.
    package static func fields(_ text: String, of entity: EntityModel.Entity) -> [Record.Field]? {
        (try? JSONValue(parsing: Array(text.utf8), limits: limits)).flatMap { fields(of: $0, entity) }
    }

    /// `nil` for a value that no version of this store has written.
    package static func fields(of json: JSONValue, _ entity: EntityModel.Entity) -> [Record.Field]? {
        guard let object = json.object else { return nil }
        return entity.properties.map { property in
            let found = object[property.name]
            switch property {
            case .attribute(let attribute):
                let value = found.map { RecordText.value($0) } ?? Value.null
                return .value(attribute.kind.fitting(value) ?? attribute.initial)
            case .relationship(let relationship):
                guard relationship.isToMany else { return .one(found?.integer.map { Int(clamping: $0) }) }
                return .many((found?.array ?? []).compactMap { $0.integer.map { Int(clamping: $0) } })
            }
        }
    }

    /// Writes a value that JSON cannot express as an object of one member.
    package static func write(_ value: Value, to writer: inout JSONWriter) {
        switch value {
        case .null, .object: writer.null()
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.number(number)
        case .double(let number): writer.object { write(number, as: "real", to: &$0) }
        case .decimal: writer.object { $0.member("decimal", value.shown) }
        case .string(let text): writer.string(text)
        case .date(let seconds): writer.object { write(seconds, as: "date", to: &$0) }
        case .data(let bytes): writer.object { $0.member("data", Base64.string(bytes)) }
        case .array(let elements), .set(let elements):
            writer.array { for element in elements { write(element, to: &$0) } }
        case .dictionary(let dictionary):
            writer.object { writer in
                writer.key("members")
                writer.object { writer in
                    for (key, value) in zip(dictionary.keys, dictionary.values) {
                        writer.key(key)
                        write(value, to: &writer)
                    }
                }
            }
        }
    }

    /// JSON has no numbers but finite ones, so the others are texts.
    private static func write(_ number: Double, as name: String, to writer: inout JSONWriter) {
        if number.isFinite { writer.member(name, number) } else { writer.member(name, number.description) }
    }

    private static func number(_ json: JSONValue) -> Double? {
        json.double ?? json.string.flatMap { Double($0) }
    }

    package static func value(_ json: JSONValue) -> Value {
        switch json.kind {
        case .object(let object):
            // Earlier versions wrote `null` for all numbers that are not finite.
            if let real = object["real"] { return number(real).map { .double($0) } ?? .null }
            if let date = object["date"] { return number(date).map { .date($0) } ?? .null }
            if let text = object["decimal"]?.string { return DecimalNumber(text).map { .decimal($0) } ?? .null }
            if let text = object["data"]?.string { return (try? .data(Base64.decode(Array(text.utf8)))) ?? .null }
            let members = object["members"]?.object?.members ?? []
            return .dictionary(PredicateDictionary(members.map { ($0.name, value($0.value)) }))
        case .array(let elements): return .array(elements.map { value($0) })
        default: return Value(json)
        }
    }
}
