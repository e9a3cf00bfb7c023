import Bytes
import Plist
import Testing

@Suite struct `A property list cursor` {
    private func root() throws -> PlistDictionary {
        let text =
            "<plist><dict><key>CFBundleIdentifier</key><string>com.example.feed</string><key>count</key><integer>3</integer>"
            + "<key>large</key><integer>18446744073709551615</integer><key>ratio</key><real>0.5</real><key>flag</key><true/>"
            + "<key>date</key><date>2001-01-01T00:00:00Z</date><key>list</key><array><dict><key>a b</key><string>x</string></dict>"
            + "<dict><key>a b</key><integer>1</integer></dict></array></dict></plist>"
        return try #require(try PlistValue(parsing: Array(text.utf8)).dictionary)
    }

    @Test func `decodes values to the types asked for`() throws {
        let root = try root()
        #expect(try root.require("CFBundleIdentifier", as: String.self) == "com.example.feed")
        #expect(try root.require("count", as: Int.self) == 3)
        #expect(try root.require("count", as: Double.self) == 3)
        #expect(try root.require("ratio", as: Double.self) == 0.5)
        #expect(try root.require("flag", as: Bool.self))
        #expect(try root.require("date", as: PlistDate.self).secondsSince2001 == 0)
        #expect(try root.require("list", as: [PlistDictionary].self).count == 2)
        #expect(try root.require("large", as: PlistValue.self) == .largeInteger(.max))
        #expect(try root.optional("absent", as: String.self) == nil)
        #expect(try root.optional("count", as: Int64.self) == 3)
    }

    @Test(arguments: [
        ("CFBundleIdentifier", PlistError.Reason.wrongType(expected: .integer, found: .string)),
        ("ratio", .wrongType(expected: .integer, found: .real)),
        ("large", .numberNotRepresentable), ("flag", .wrongType(expected: .integer, found: .boolean)),
        ("list", .wrongType(expected: .integer, found: .array)),
    ])
    func `says which value is not what it should be`(_ key: String, _ reason: PlistError.Reason) throws {
        let root = try root()
        let error = #expect(throws: PlistError.self) { try root.require(key, as: Int.self) }
        #expect(error == PlistError(reason, path: ValuePath([.key(key)])))
    }

    @Test func `says the whole way, and which key is missing where`() throws {
        let elements = try #require(try PlistCursor(.dictionary(try root())).member("list")).elements()
        let error = #expect(throws: PlistError.self) { try elements[1].require("a b", as: String.self) }
        #expect(error?.path.description == "list[1][\"a b\"]")
        #expect(error?.description == "list[1][\"a b\"]: expected string, found integer")
        let missing = #expect(throws: PlistError.self) { try elements[0].require("kind", as: String.self) }
        #expect(missing?.reason == .missingMember("kind"))
        #expect(missing?.path.description == "list[0]")
        #expect(throws: PlistError.self) { try elements[0].elements() }
        #expect(try elements[0].members().map(\.key) == ["a b"])
    }
}
