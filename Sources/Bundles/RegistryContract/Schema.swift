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
    /// A number, or a word in its place.
    case numberOr(ClosedRange<Int>, String)
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

        static func optional(_ name: String, _ schema: Schema, _ about: String? = nil) -> Member {
            Member(name: name, schema: schema, about: about, isOptional: true)
        }
    }

    static let count = Schema.number(0...Int.max)
    static let anyNumber = Schema.number(Int.min...Int.max)
    static let time = Schema.format("date-time")
    /// Text as a query can spell it: escapes of control characters are refused.
    static func spelled(atMost limit: Int) -> Schema { .pattern(#"^[^\u0000-\u001f\u007f]*$"#, atMost: limit) }
    /// The same, and not empty.
    static func spelledWord(atMost limit: Int) -> Schema { .pattern(#"^[^\u0000-\u001f\u007f]+$"#, atMost: limit) }
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
    /// A name for a new token: digits alone could be taken for a number.
    static let newTokenName = Schema.pattern(
        "^(?:[A-Za-z][0-9A-Za-z._-]{0,63}|[0-9]{1,63}[A-Za-z._-][0-9A-Za-z._-]{0,62})$", atMost: 64)
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
        case .numberOr(let range, let word):
            writer.key("anyOf")
            writer.array { writer in
                Schema.number(range).write(to: &writer)
                Schema.word([word]).write(to: &writer)
            }
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
        // References and unions have no type; the property is not read for them.
        case .orNull, .document, .numberOr: "null"
        }
    }

    private func writeRules(to writer: inout JSONWriter) {
        switch self {
        case .text, .boolean, .orNull, .document, .numberOr: break
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

/// A parameter of a request as the OpenAPI document describes it.
package struct ParameterDescription: Sendable {
    package enum Place: String, Sendable { case path, query, header }

    package let name: String
    package let place: Place
    package let schema: Schema
    package let about: String
    package var isRequired = false
    /// True for a parameter of a query that may be given more than once, each time with such a value.
    package var isRepeatable = false

    package init(
        name: String, place: Place, schema: Schema, about: String, isRequired: Bool = false, isRepeatable: Bool = false
    ) {
        self.name = name
        self.place = place
        self.schema = schema
        self.about = about
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
    }

    private static func header(_ name: String, _ about: String, _ schema: Schema = .text) -> ParameterDescription {
        ParameterDescription(name: name, place: .header, schema: schema, about: about)
    }

    package static let range = header("Range", "Up to eight ranges of bytes.")
    package static let ifRange = header("If-Range", "The entity tag or date of the bytes the client has part of.")
    package static let lastEventID = header(
        "Last-Event-ID", "The tag of the last event that was seen; it wins over since.")
    package static let ifMatch = header("If-Match", "The channel's entity tag when it was last seen.")
    package static let ifNoneMatch = header(
        "If-None-Match", "* if the channel must not exist yet; other tags are ignored here.")
    private static let digests = Schema.pattern("^sha-256=:[0-9A-Za-z+/]{43}=:$")
    package static let contentDigest = header(
        "Content-Digest",
        "sha-256 of the content (RFC 9530), compared with what arrives; other algorithms beside it are not compared.",
        digests)
    package static let reprDigest = header("Repr-Digest", "The same, of the representation.", digests)

    /// The last part of the address that `curl -T` makes of a folder and a file: in the place of the bundle's identifier
    /// in the routes for reading.
    package static let fileName = ParameterDescription(
        name: "id", place: .path, schema: .segment(), about: "Any name; what is inside decides.", isRequired: true)

    /// A variable part of a path, by its name in the route's template.
    package static func path(_ name: String) -> ParameterDescription? {
        let (schema, about): (Schema, String)
        switch name {
        case "widgetIdentifier": (schema, about) = (.widgetIdentifier, "The name a host asks for.")
        case "id": (schema, about) = (.bundleIdentifier, "A bundle's identifier.")
        case "key", "otherKey": (schema, about) = (.releaseKey, "A release's key: short version, tilde, build.")
        case "channel": (schema, about) = (.channelName, "A channel's name.")
        case "hex": (schema, about) = (.digest, "The SHA-256 of an archive.")
        case "Name": (schema, about) = (.segment(), "The name of the archive's top folder without its ending.")
        case "path": (schema, about) = (.segments, "The file's path inside the bundle's folder, slashes as they are.")
        case "part": (schema, about) = (.segment(), "The name of a still, as the release's page has it.")
        case "code": (schema, about) = (.pattern("^[a-z-]+$"), "The last part of a problem's type.")
        case "document": (schema, about) = (.pattern("^[a-z-]+$"), "The name of a document, as the list has it.")
        case "name": (schema, about) = (.tokenName, "A token's name.")
        default: return nil
        }
        return ParameterDescription(name: name, place: .path, schema: schema, about: about, isRequired: true)
    }

    /// The parameter as an object of the OpenAPI document.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("in", place.rawValue)
            if isRequired { writer.member("required", true) }
            writer.member("description", about)
            writer.key("schema")
            (isRepeatable ? .list(schema) : schema).write(to: &writer)
        }
    }
}
