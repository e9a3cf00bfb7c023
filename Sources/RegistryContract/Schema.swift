package import JSONText

/// The values that a JSON value may have, in the words of JSON Schema that OpenAPI 3.1 uses.
package indirect enum Schema: Sendable {
    case text
    /// Text in a form that a regular expression describes from beginning to end.
    case pattern(String)
    /// Text in a form that has a name, such as `date-time`.
    case format(String)
    case word([String])
    case number(ClosedRange<Int>)
    case boolean
    case list(Schema)
    /// A list of a fixed length.
    case row(Schema, count: Int)
    case object([Member])
    /// An object whose members all have the same kind of value.
    case record(Schema)
    case orNull(Schema)
    /// A document with a name, described once among the components.
    case document(String)

    package struct Member: Sendable {
        package let name: String
        package let schema: Schema
        package let about: String?
        package let isOptional: Bool

        static func member(_ name: String, _ schema: Schema, _ about: String? = nil) -> Member {
            Member(name: name, schema: schema, about: about, isOptional: false)
        }
    }

    static let count = Schema.number(0...Int.max)
    static let anyNumber = Schema.number(Int.min...Int.max)
    static let time = Schema.format("date-time")
    static let digest = Schema.pattern("^[0-9a-f]{64}$")
    static let version = Schema.pattern("^[0-9A-Za-z._+-]{1,64}$")
    static let releaseKey = Schema.pattern("^[0-9A-Za-z._+-]{1,64}~[0-9A-Za-z._+-]{1,77}$")
    static let channelName = Schema.pattern("^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$")
    static let channelNames = Schema.list(channelName)
    static let bundleIdentifier = Schema.pattern("^[0-9A-Za-z][0-9A-Za-z-]*(\\.[0-9A-Za-z][0-9A-Za-z-]*)+$")
    static let widgetIdentifier = Schema.pattern("^[0-9A-Za-z][0-9A-Za-z._-]{0,254}$")
    static let basisPoints = Schema.number(0...Rollout.bucketCount)

    /// - Parameter about: the meaning of the value in its place.
    package func write(about: String? = nil, to writer: inout JSONWriter) {
        writer.object { writer in
            writeKeywords(to: &writer)
            if let about { writer.member("description", about) }
        }
    }

    /// Writes the members of the schema's object.
    package func writeKeywords(to writer: inout JSONWriter) {
        switch self {
        case .document(let name): writer.member("$ref", "#/components/schemas/\(name)")
        case .orNull(let schema):
            writer.key("type")
            writer.array { writer in
                writer.string(schema.type)
                writer.string("null")
            }
            schema.writeRules(to: &writer)
        case .text, .pattern, .format, .word, .number, .boolean, .list, .row, .object, .record:
            writer.member("type", type)
            writeRules(to: &writer)
        }
    }

    private var type: String {
        switch self {
        case .text, .pattern, .format, .word: "string"
        case .number: "integer"
        case .boolean: "boolean"
        case .list, .row: "array"
        case .object, .record: "object"
        // References and unions have no type of their own; neither is asked for one.
        case .orNull, .document: "null"
        }
    }

    private func writeRules(to writer: inout JSONWriter) {
        switch self {
        case .text, .boolean, .orNull, .document: break
        case .pattern(let pattern): writer.member("pattern", pattern)
        case .format(let format): writer.member("format", format)
        case .word(let words):
            writer.key("enum")
            writer.array { writer in for word in words { writer.string(word) } }
        case .number(let range):
            if range.lowerBound > .min { writer.member("minimum", range.lowerBound) }
            if range.upperBound < .max { writer.member("maximum", range.upperBound) }
        case .list(let element):
            writer.key("items")
            element.write(to: &writer)
        case .row(let element, let count):
            writer.key("items")
            element.write(to: &writer)
            writer.member("minItems", count)
            writer.member("maxItems", count)
        case .record(let value):
            writer.key("additionalProperties")
            value.write(to: &writer)
        case .object(let members):
            writer.key("properties")
            writer.object { writer in
                for member in members {
                    writer.key(member.name)
                    member.schema.write(about: member.about, to: &writer)
                }
            }
            let required = members.filter { !$0.isOptional }
            guard !required.isEmpty else { return }
            writer.key("required")
            writer.array { writer in for member in required { writer.string(member.name) } }
        }
    }
}
