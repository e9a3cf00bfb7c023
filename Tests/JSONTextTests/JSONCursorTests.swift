import Bytes
import JSONText
import Testing

@Suite struct `A JSON cursor` {
    private static let document = """
        {"name": "Feed", "count": 3, "ratio": 0.5, "big": 1e400, "huge": 99999999999999999999, "flag": true,
         "none": null, "tags": ["a", "b"],
         "objects": {"list": {"attrs": [{"x": "1"}, {"x": 2}]}}}
        """

    private func root() throws -> JSONCursor { try JSONDocument(parsing: Array(Self.document.utf8)).cursor }

    @Test func `decodes members to the types asked for`() throws {
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
    func `says where a member is not what it should be`(
        _ name: String, _ reason: JSONError.Reason, _ offset: Int, _ line: Int, _ column: Int
    ) throws {
        let root = try root()
        let error = #expect(throws: JSONError.self) { try root.require(name, as: Int.self) }
        let expected = JSONError(
            reason, offset: offset, position: TextPosition(line: line, column: column), path: ValuePath([.key(name)]))
        #expect(error == expected)
    }

    @Test func `says the whole way to a value deep inside`() throws {
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

    @Test func `says which member is missing, at the object that lacks it`() throws {
        let object = try #require(try root().member("objects"))
        let error = #expect(throws: JSONError.self) { try object.require("kind", as: String.self) }
        #expect(error?.reason == .missingMember("kind"))
        #expect(error?.path.description == "objects")
        #expect(error?.line == 3)
        #expect(error?.column == 13)
    }

    @Test func `does not look for members or elements in something else`() throws {
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
