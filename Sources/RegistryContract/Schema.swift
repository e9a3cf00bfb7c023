package import JSONText

/// The values that a JSON value may have, in the words of JSON Schema that OpenAPI 3.1 uses.
package indirect enum Schema: Sendable {
    case text
    /// Text in a form that a regular expression describes from beginning to end, of so many characters at most.
    case pattern(String, atMost: Int? = nil)
    /// Text in a form that has a name, such as `date-time`.
    case format(String)
    case word([String])
    case number(ClosedRange<Int>)
    case boolean
    case list(Schema, atLeast: Int = 0)
    /// A list of a fixed length.
    case row(Schema, count: Int)
    /// - isClosed: whether members with other names are refused, as in documents that requests bring. In these, `null`
    ///   says the same as leaving a member out.
    case object([Member], isClosed: Bool = false)
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
    /// Text as a query can spell it: escapes of control characters are refused.
    static func spelled(atMost limit: Int) -> Schema { .pattern(#"^[^\u0000-\u001f\u007f]*$"#, atMost: limit) }
    /// A segment of a path, in which escapes of slashes, backslashes and control characters are refused, with an ending.
    static func segment(_ ending: String = "") -> Schema { .pattern(#"^[^\u0000-\u001f\u007f/\\]+"# + ending + "$") }
    /// Segments with slashes between them.
    static let segments = Schema.pattern(#"^[^\u0000-\u001f\u007f/\\]+(?:/[^\u0000-\u001f\u007f/\\]+)*$"#)
    static let digest = Schema.pattern("^[0-9a-f]{64}$")
    static let version = Schema.pattern("^[0-9A-Za-z._+-]{1,64}$")
    static let releaseKey = Schema.pattern("^[0-9A-Za-z._+-]{1,64}~[0-9A-Za-z._+-]{1,77}$")
    static let channelName = Schema.pattern("^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$")
    /// The law of tokens' names is that of channels'.
    static let tokenName = channelName
    static let channelNames = Schema.list(channelName)
    static let bundleIdentifier = Schema.pattern("^\(label)(?:\\.\(label))+$", atMost: BundleIdentifier.longest)
    /// The first labels of identifiers, or none.
    static let prefix = Schema.pattern("^(?:\(label)(?:\\.\(label))*)?$", atMost: BundleIdentifier.longest)
    private static let label = "[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?"
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
        case .pattern(let pattern, let most):
            writer.member("pattern", pattern)
            if let most { writer.member("maxLength", most) }
        case .format(let format): writer.member("format", format)
        case .word(let words):
            writer.key("enum")
            writer.array { writer in for word in words { writer.string(word) } }
        case .number(let range):
            if range.lowerBound > .min { writer.member("minimum", range.lowerBound) }
            if range != Int.min...Int.max { writer.member("maximum", range.upperBound) }
        case .list(let element, let least):
            writer.key("items")
            element.write(to: &writer)
            if least > 0 { writer.member("minItems", least) }
        case .row(let element, let count):
            writer.key("items")
            element.write(to: &writer)
            writer.member("minItems", count)
            writer.member("maxItems", count)
        case .record(let value):
            writer.key("additionalProperties")
            value.write(to: &writer)
        case .object(let members, let isClosed):
            writer.key("properties")
            writer.object { writer in
                for member in members {
                    writer.key(member.name)
                    let schema = isClosed && member.isOptional ? .orNull(member.schema) : member.schema
                    schema.write(about: member.about, to: &writer)
                }
            }
            if isClosed { writer.member("additionalProperties", false) }
            let required = members.filter { !$0.isOptional }
            guard !required.isEmpty else { return }
            writer.key("required")
            writer.array { writer in for member in required { writer.string(member.name) } }
        }
    }
}
