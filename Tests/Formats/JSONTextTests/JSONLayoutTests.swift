import Testing

@testable import JSONText

/// Goal: documents that people read are laid out, and mean the same. Method: small documents, read again.
@Suite struct `A laid out document` {
    private static func laidOut(_ text: String) throws -> String {
        var writer = JSONWriter()
        writer.value(try JSONValue(parsing: Array(text.utf8)))
        return String(decoding: JSONLayout.indented(writer.finish()), as: UTF8.self)
    }

    @Test func `A laid out document has short values in one line`() throws {
        #expect(try Self.laidOut(#"{"a":[1,2,{}],"b":{"c":null}}"#) == "{\"a\": [1, 2, {}], \"b\": {\"c\": null}}\n")
    }

    @Test func `A laid out document has one member in each line of a long value`() throws {
        let word = String(repeating: "w", count: 60)
        let text = try Self.laidOut(#"{"first":"\#(word)","second":["\#(word)","\#(word)"],"third":[true]}"#)
        #expect(
            text == """
                {
                  "first": "\(word)",
                  "second": [
                    "\(word)",
                    "\(word)"
                  ],
                  "third": [true]
                }

                """)
    }

    @Test func `A laid out document keeps brackets, commas, colons and quotation marks of its texts`() throws {
        let word = String(repeating: "w", count: 60)
        let json = #"{"a{[,:\"\\":"\\\",:[{ \#(word)","b":["}\#(word)\\",["]\""]]}"#
        let laidOut = try Self.laidOut(json)
        #expect(laidOut.contains("\n"))
        var writer = JSONWriter()
        writer.value(try JSONValue(parsing: Array(laidOut.utf8)))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
    }
}

@Suite struct `A JSON Schema` {
    @Test func `A JSON Schema is written with the keywords of its rules`() throws {
        let schema = JSONSchema.object(
            [
                .init("a", .words(["x", "y"]).with(.initial(.text("x"))), "the first"),
                .init("b", JSONSchema(.kinds([.integer, .null]), .range(atLeast: 0, atMost: 9))),
                .init("c", .list(of: .reference("d"))),
            ], isClosed: true
        ).with(.required(["a"]), .companions(["b": ["a"]]), .membersLike("^x", .flag), .membersLike("^y", .number))
        let document = JSONSchemaDocument("T", schema, definitions: [.init("d", JSONSchema(.constant(.flag(true))))])
        let written = try JSONValue(parsing: document.json)
        let expected = try JSONValue(
            parsing: Array(
                #"""
                {"$schema": "http://json-schema.org/draft-07/schema#", "title": "T", "type": "object",
                "properties": {"a": {"description": "the first", "type": "string", "enum": ["x", "y"], "default": "x"},
                "b": {"type": ["integer", "null"], "minimum": 0, "maximum": 9},
                "c": {"type": "array", "items": {"$ref": "#/definitions/d"}}},
                "additionalProperties": false, "required": ["a"], "dependencies": {"b": ["a"]},
                "patternProperties": {"^x": {"type": "boolean"}, "^y": {"type": "number"}},
                "definitions": {"d": {"const": true}}}
                """#.utf8))
        func text(_ value: JSONValue) -> String {
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(text(written) == text(expected))
    }
}
