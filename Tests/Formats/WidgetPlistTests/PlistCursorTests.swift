import Testing
import WidgetBytes
import WidgetPlist
import WidgetTestSupport

@Suite struct `A property list cursor` {
    private func root() throws -> PlistDictionary {
        let text =
            "<plist><dict><key>CFBundleIdentifier</key><string>com.example.feed</string><key>count</key><integer>3</integer>"
            + "<key>large</key><integer>18446744073709551615</integer><key>ratio</key><real>0.5</real><key>flag</key><true/>"
            + "<key>date</key><date>2001-01-01T00:00:00Z</date><key>list</key><array><dict><key>a b</key><string>x</string></dict>"
            + "<dict><key>a b</key><integer>1</integer></dict></array></dict></plist>"
        return try #require(try PlistValue(parsing: Array(text.utf8)).dictionary)
    }

    @Test func `A property list cursor decodes values to the types asked for`() throws {
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
    func `A property list cursor names the value of the wrong type`(_ key: String, _ reason: PlistError.Reason) throws {
        let root = try root()
        let error = #expect(throws: PlistError.self) { try root.require(key, as: Int.self) }
        #expect(error == PlistError(reason, path: ValuePath([.key(key)])))
    }

    @Test func `A property list cursor names the whole path, and the missing key with its place`() throws {
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

@Suite struct `A property list with many combining marks on one letter` {
    private static let marks = String(repeating: "\u{301}\u{323}", count: 33)
    private static let refusal = PlistError.Reason.limitReached(.markCount, limit: 64)

    @Test func `A letter with many combining marks is refused in the XML form, with its place`() {
        RefusedText.inside("<string>e\(Self.marks)</string>", Self.refusal, 0).check()
        RefusedText.inside("<string><![CDATA[\(Self.marks)]]></string>", Self.refusal, 0).check()
        let references = String(repeating: "&#x301;", count: 65)
        RefusedText.inside("<string>\(references)</string>", Self.refusal, 0).check()
        RefusedText.inside("<dict><key>\(Self.marks)</key><true/></dict>", Self.refusal, 6).check()
        #expect(throws: PlistError.self) {
            try PlistFile(parsing: Array("<plist><string>\(Self.marks)</string></plist>".utf8).span)
        }
    }

    @Test func `A letter with many combining marks is refused in the binary form`() {
        let units = Array(repeating: [0x03, 0x01] as [UInt8], count: 65).flatMap { $0 }
        let bytes = PlistForge(objects: [[0x6F, 0x10, 65] + units]).bytes
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: bytes) }
        #expect(error?.reason == Self.refusal && error?.offset == 8 + 3 + 128)
        let file = #expect(throws: PlistError.self) { try PlistFile(parsing: bytes.span) }
        #expect(file?.reason == Self.refusal)
    }

    @Test func `A letter with many combining marks is refused in a strings file`() {
        RefusedText("\"\(Self.marks)\" = \"a\";", Self.refusal, 0).check(asStrings: true)
        RefusedText("\"a\" = \"\(Self.marks)\";", Self.refusal, 6, path: "a").check(asStrings: true)
        let escaped = String(repeating: #"\U0301"#, count: 65)
        RefusedText("\"a\" = \"\(escaped)\";", Self.refusal, 6, path: "a").check(asStrings: true)
    }

    @Test func `A letter with as many combining marks as writing needs is read`() throws {
        let text = "e" + Self.marks.unicodeScalars.prefix(64).reduce(into: "") { $0.unicodeScalars.append($1) }
        #expect(try PlistValue(parsing: Array("<plist><string>\(text)</string></plist>".utf8)).string == text)
        #expect(try PlistValue(parsingStrings: Array("\"a\" = \"\(text)\";".utf8))["a"]?.string == text)
    }
}
