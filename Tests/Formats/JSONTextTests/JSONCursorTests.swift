import JSONText
import Testing
import WidgetBytes

@Suite struct `A JSON cursor` {
    private static let document = """
        {"name": "Feed", "count": 3, "ratio": 0.5, "big": 1e400, "huge": 99999999999999999999, "flag": true,
         "none": null, "tags": ["a", "b"],
         "objects": {"list": {"attrs": [{"x": "1"}, {"x": 2}]}}}
        """

    private func root() throws -> JSONCursor { try JSONDocument(parsing: Array(Self.document.utf8)).cursor }

    @Test func `A JSON cursor decodes members to the types asked for`() throws {
        let root = try root()
        #expect(try root.require("name", as: String.self) == "Feed")
        #expect(try root.require("count", as: Int.self) == 3)
        #expect(try root.require("count", as: Int64.self) == 3)
        #expect(try root.require("count", as: Double.self) == 3)
        #expect(try root.require("ratio", as: Double.self) == 0.5)
        #expect(try root.require("flag", as: Bool.self))
        #expect(try root.require("tags", as: [String].self) == ["a", "b"])
        #expect(try root.require("none", as: JSONValue.self).isNull)
        #expect(try root.optional("none", as: String.self) == nil)
        #expect(try root.optional("absent", as: String.self) == nil)
        #expect(try root.optional("name", as: String.self) == "Feed")
        #expect(try root.members().map(\.name).first == "name")
        #expect(try root.member("tags")?.decode(as: [String].self) == ["a", "b"])
    }

    @Test(arguments: [
        ("name", JSONError.Reason.wrongType(expected: .integer, found: .string), 9, 1, 10),
        ("ratio", .numberNotRepresentable("0.5"), 38, 1, 39),
        ("huge", .numberNotRepresentable("99999999999999999999"), 65, 1, 66),
        ("tags", .wrongType(expected: .integer, found: .array), 124, 2, 24),
        ("none", .wrongType(expected: .integer, found: .null), 110, 2, 10),
    ])
    func `A JSON cursor names the place of a member of the wrong type`(
        _ name: String, _ reason: JSONError.Reason, _ offset: Int, _ line: Int, _ column: Int
    ) throws {
        let root = try root()
        let error = #expect(throws: JSONError.self) { try root.require(name, as: Int.self) }
        let expected = JSONError(
            reason, offset: offset, position: TextPosition(line: line, column: column), path: ValuePath([.key(name)]))
        #expect(error == expected)
    }

    @Test func `A JSON cursor names the whole path of a value deep inside`() throws {
        let root = try root()
        let attributes = try root.require("objects", as: Objects.self)
        #expect(attributes.first == "1")
        let list = try #require(try root.member("objects")?.member("list")?.member("attrs"))
        let error = #expect(throws: JSONError.self) { try list.decode(as: [Entry].self) }
        #expect(error?.path.description == "objects.list.attrs[1].x")
        #expect(error?.reason == .wrongType(expected: .string, found: .number))
        #expect(error?.line == 3)
        #expect(error?.column == 51)
    }

    @Test func `A JSON cursor names the missing member, at the object that lacks it`() throws {
        let object = try #require(try root().member("objects"))
        let error = #expect(throws: JSONError.self) { try object.require("kind", as: String.self) }
        #expect(error?.reason == .missingMember("kind"))
        #expect(error?.path.description == "objects")
        #expect(error?.line == 3)
        #expect(error?.column == 13)
    }

    @Test func `A JSON cursor does not look for members or elements in other values`() throws {
        let name = try #require(try root().member("name"))
        #expect(throws: JSONError.self) { try name.member("x") }
        #expect(throws: JSONError.self) { try name.members() }
        #expect(throws: JSONError.self) { try name.elements() }
        #expect(throws: JSONError.self) { try name.decode(as: Bool.self) }
        let big = try #require(try root().member("big"))
        #expect(throws: JSONError.self) { try big.decode(as: Double.self) }
    }

    private struct Entry: JSONDecodable {
        var x: String

        init(json: JSONCursor) throws(JSONError) { x = try json.require("x") }
    }

    private struct Objects: JSONDecodable {
        var first: String

        init(json: JSONCursor) throws(JSONError) {
            guard let attributes = try json.member("list")?.member("attrs") else {
                throw json.error(.missingMember("list"))
            }
            first = try attributes.elements()[0].require("x")
        }
    }
}

@Suite struct `A JSON table` {
    /// A value as a table's views say it, made into one of the other kind to compare them.
    private static func value(_ item: JSONItem, like other: JSONValue) throws -> Bool {
        #expect(item.span.offset == other.span.offset)
        switch other.kind {
        case .array(let elements):
            let items = Array(try #require(item.array))
            return try items.count == elements.count && zip(items, elements).allSatisfy { try value($0, like: $1) }
        case .object(let object):
            let members = Array(try #require(item.object).members)
            return try members.map(\.name) == object.members.map(\.name)
                && zip(members, object.members).allSatisfy { member, other in
                    try member.nameSpan == other.nameSpan && value(member.value, like: other.value)
                        && item[other.name]?.span == member.value.span
                }
        case .string(let text): return item.string == text && item.span == other.span
        default: return item.string == nil && item.object == nil && item.array == nil && item.span == other.span
        }
    }

    @Test(arguments: [
        JSONDocumentSample.text, "[]", "{}", "[[],{},[[]],{\"a\":{}}]", "{\"a\\u0062\":1,\"\\\"\":\"\\ud83d\\ude00\"}",
        "[\"\\b\\f\\n\\r\\t\\/\\\\\",\"é\",\"plain text longer than a word\"]", "\"only\"", "-0.5e3", "null",
        "{\"a\":{\"a\":{\"a\":[1,[2],{\"b\":3}]}},\"c\":[{\"d\":\"e\"},{\"d\":\"f\"}]}",
    ])
    func `A JSON table agrees with the values made of it`(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try Self.value(JSONTable(parsing: bytes).root, like: JSONValue(parsing: bytes)))
    }

    @Test func `A JSON table finds a member by its name in any spelling`() throws {
        let root = try JSONTable(parsing: Array("{\"a\\u0062c\":1,\"\\ud83d\\ude00\":[2],\"\":{}}".utf8)).root
        #expect(root["abc"]?.span.offset == 12)
        #expect(root["😀"]?.array != nil)
        #expect(root[""]?.object != nil)
        #expect(root["a\\u0062c"] == nil && root["ab"] == nil && root["abcd"] == nil)
        #expect(root["abc"]?["x"] == nil)
        #expect(Array(root["abc"].members).isEmpty)
    }

    @Test func `A JSON table refuses the documents that a value refuses, at the same place`() throws {
        for text in ["", "[", "[1,]", "{\"a\":1,\"a\":2}", "{\"a\":[1,{\"b\":tru}]}", "[\"\\ud800\"]", "[01]"] {
            let bytes = Array(text.utf8)
            let table = #expect(throws: JSONError.self) { try JSONTable(parsing: bytes) }
            let value = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
            #expect(table == value)
        }
    }

    @Test func `A JSON table refuses one name in two spellings, among few members and among many`() {
        for count in [0, 40] {
            let others = (0..<count).map { "\"k\($0)\":0," }.joined()
            let text = "{\"key\":0,\(others)\"k\\u0065y\":1}"
            let error = #expect(throws: JSONError.self) { try JSONTable(parsing: Array(text.utf8)) }
            #expect(error?.reason == .duplicateName("key"))
            #expect(error?.offset == 9 + others.utf8.count)
        }
    }
}
