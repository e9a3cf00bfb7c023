/// A JSON Schema of draft 7, the version that editors complete from.
///
/// Schemas are values that are written; nothing here checks documents against them.
package struct JSONSchema: Sendable {
    package enum Kind: String, Sendable { case object, array, string, number, integer, boolean, null }

    /// A value without members.
    package enum Scalar: Sendable {
        case text(String)
        case number(Int)
        case fraction(Double)
        case flag(Bool)
        case null
    }

    package indirect enum Rule: Sendable {
        /// The value is of one of these kinds.
        case kinds([Kind])
        /// The value is one of these words, or `null` where it is among the kinds.
        case words([String], orNull: Bool = false)
        case constant(Scalar)
        /// The value that is used when the member is left out.
        case initial(Scalar)
        /// Values that editors offer; others are as good.
        case suggestions([String])
        case pattern(String)
        case length(atMost: Int)
        case range(atLeast: Int?, atMost: Int? = nil)
        case positive
        case elements(JSONSchema)
        case count(atLeast: Int)
        case members([Member])
        /// The members with names that match a regular expression.
        case membersLike(String, JSONSchema)
        /// The members that no other rule names.
        case others(JSONSchema)
        /// Members that no other rule names are refused.
        case closed
        case required([String])
        /// Members that others need beside them.
        case companions([String: [String]])
        case anyOf([JSONSchema])
        case oneOf([JSONSchema])
        case allOf([JSONSchema])
        case when(JSONSchema, then: JSONSchema)
        /// The definition of this name.
        case reference(String)
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let schema: JSONSchema

        package init(_ name: String, _ schema: JSONSchema, _ about: String? = nil) {
            self.name = name
            self.schema = about.map(schema.described) ?? schema
        }
    }

    package var about: String?
    package var rules: [Rule]

    package init(_ rules: Rule..., about: String? = nil) {
        self.rules = rules
        self.about = about
    }

    package func described(_ about: String) -> JSONSchema {
        var schema = self
        schema.about = about
        return schema
    }

    package func with(_ rules: Rule...) -> JSONSchema {
        var schema = self
        schema.rules += rules
        return schema
    }

    // MARK: - Common schemas

    package static let anything = JSONSchema()
    package static let text = JSONSchema(.kinds([.string]))
    package static let flag = JSONSchema(.kinds([.boolean]))
    package static let number = JSONSchema(.kinds([.number]))
    package static let object = JSONSchema(.kinds([.object]))

    package static func text(offering words: [String]) -> JSONSchema { text.with(.suggestions(words)) }

    package static func words(_ words: [String]) -> JSONSchema { JSONSchema(.kinds([.string]), .words(words)) }

    package static func list(of element: JSONSchema) -> JSONSchema { JSONSchema(.kinds([.array]), .elements(element)) }

    /// An object with members of one kind.
    package static func map(of value: JSONSchema) -> JSONSchema { JSONSchema(.kinds([.object]), .others(value)) }

    package static func reference(_ name: String) -> JSONSchema { JSONSchema(.reference(name)) }

    package static func object(_ members: [Member], isClosed: Bool = false) -> JSONSchema {
        isClosed ? object.with(.members(members), .closed) : object.with(.members(members))
    }
}

/// A whole document: a schema with a title and with definitions that it refers to.
package struct JSONSchemaDocument: Sendable {
    package var title: String
    package var schema: JSONSchema
    package var definitions: [JSONSchema.Member]

    package init(_ title: String, _ schema: JSONSchema, definitions: [JSONSchema.Member] = []) {
        self.title = title
        self.schema = schema
        self.definitions = definitions
    }

    /// The document's text. Equal descriptions give equal bytes.
    package var json: [UInt8] {
        var writer = JSONWriter(reservingBytes: 1 << 16)
        writer.object { writer in
            writer.member("$schema", "http://json-schema.org/draft-07/schema#")
            writer.member("title", title)
            schema.writeKeywords(to: &writer)
            guard !definitions.isEmpty else { return }
            writer.key("definitions")
            JSONSchema.write(definitions, to: &writer)
        }
        return JSONLayout.indented(writer.finish())
    }
}

extension JSONSchema {
    func write(to writer: inout JSONWriter) { writer.object { writeKeywords(to: &$0) } }

    fileprivate func writeKeywords(to writer: inout JSONWriter) {
        if let about { writer.member("description", about) }
        for rule in rules { rule.write(to: &writer) }
        // An object takes one list of members that match patterns.
        let patterns = rules.compactMap { rule in
            if case .membersLike(let pattern, let schema) = rule { Member(pattern, schema) } else { nil }
        }
        guard !patterns.isEmpty else { return }
        writer.key("patternProperties")
        JSONSchema.write(patterns, to: &writer)
    }

    fileprivate static func write(_ members: [Member], to writer: inout JSONWriter) {
        writer.object { writer in
            for member in members {
                writer.key(member.name)
                member.schema.write(to: &writer)
            }
        }
    }
}

extension JSONSchema.Rule {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .kinds(let kinds):
            if kinds.count == 1 {
                writer.member("type", kinds[0].rawValue)
            } else {
                JSONSchema.Rule.write("type", kinds.map { $0.rawValue }, to: &writer)
            }
        case .words(let words, let orNull):
            writer.key("enum")
            writer.array { writer in
                for word in words { writer.string(word) }
                if orNull { writer.null() }
            }
        case .constant(let value): JSONSchema.Rule.write("const", value, to: &writer)
        case .initial(let value): JSONSchema.Rule.write("default", value, to: &writer)
        case .suggestions(let words): JSONSchema.Rule.write("examples", words, to: &writer)
        case .pattern(let pattern): writer.member("pattern", pattern)
        case .length(let most): writer.member("maxLength", most)
        case .range(let least, let most):
            if let least { writer.member("minimum", least) }
            if let most { writer.member("maximum", most) }
        case .positive: writer.member("exclusiveMinimum", 0)
        case .elements(let schema): JSONSchema.Rule.write("items", schema, to: &writer)
        case .count(let least): writer.member("minItems", least)
        case .members(let members):
            writer.key("properties")
            JSONSchema.write(members, to: &writer)
        case .membersLike: break
        case .others(let schema): JSONSchema.Rule.write("additionalProperties", schema, to: &writer)
        case .closed: writer.member("additionalProperties", false)
        case .required(let names): JSONSchema.Rule.write("required", names, to: &writer)
        case .companions(let companions):
            writer.key("dependencies")
            writer.object { writer in
                for (name, needed) in companions.sorted(by: { $0.key < $1.key }) {
                    JSONSchema.Rule.write(name, needed, to: &writer)
                }
            }
        case .anyOf(let schemas): JSONSchema.Rule.write("anyOf", schemas, to: &writer)
        case .oneOf(let schemas): JSONSchema.Rule.write("oneOf", schemas, to: &writer)
        case .allOf(let schemas): JSONSchema.Rule.write("allOf", schemas, to: &writer)
        case .when(let condition, let consequence):
            JSONSchema.Rule.write("if", condition, to: &writer)
            JSONSchema.Rule.write("then", consequence, to: &writer)
        case .reference(let name): writer.member("$ref", "#/definitions/\(name)")
        }
    }

    private static func write(_ name: String, _ schema: JSONSchema, to writer: inout JSONWriter) {
        writer.key(name)
        schema.write(to: &writer)
    }

    private static func write(_ name: String, _ schemas: [JSONSchema], to writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for schema in schemas { schema.write(to: &writer) } }
    }

    private static func write(_ name: String, _ words: [String], to writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for word in words { writer.string(word) } }
    }

    private static func write(_ name: String, _ value: JSONSchema.Scalar, to writer: inout JSONWriter) {
        writer.key(name)
        switch value {
        case .text(let text): writer.string(text)
        case .number(let number): writer.number(number)
        case .fraction(let number): writer.number(number)
        case .flag(let flag): writer.boolean(flag)
        case .null: writer.null()
        }
    }
}
