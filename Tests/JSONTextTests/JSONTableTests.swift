import JSONText
import Testing

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
    func `says the same as the values made of it`(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try Self.value(JSONTable(parsing: bytes).root, like: JSONValue(parsing: bytes)))
    }

    @Test func `finds a member by what its name says, however it is written`() throws {
        let root = try JSONTable(parsing: Array("{\"a\\u0062c\":1,\"\\ud83d\\ude00\":[2],\"\":{}}".utf8)).root
        #expect(root["abc"]?.span.offset == 12)
        #expect(root["😀"]?.array != nil)
        #expect(root[""]?.object != nil)
        #expect(root["a\\u0062c"] == nil && root["ab"] == nil && root["abcd"] == nil)
        #expect(root["abc"]?["x"] == nil)
        #expect(Array(root["abc"].members).isEmpty)
    }

    @Test func `refuses what a value refuses, with the same place`() throws {
        for text in ["", "[", "[1,]", "{\"a\":1,\"a\":2}", "{\"a\":[1,{\"b\":tru}]}", "[\"\\ud800\"]", "[01]"] {
            let bytes = Array(text.utf8)
            let table = #expect(throws: JSONError.self) { try JSONTable(parsing: bytes) }
            let value = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
            #expect(table == value)
        }
    }

    @Test func `refuses names that are the same in different spellings, among few and among many`() {
        for count in [0, 40] {
            let others = (0..<count).map { "\"k\($0)\":0," }.joined()
            let text = "{\"key\":0,\(others)\"k\\u0065y\":1}"
            let error = #expect(throws: JSONError.self) { try JSONTable(parsing: Array(text.utf8)) }
            #expect(error?.reason == .duplicateName("key"))
            #expect(error?.offset == 9 + others.utf8.count)
        }
    }
}
