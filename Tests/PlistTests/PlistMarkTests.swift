import Plist
import TestSupport
import Testing

@Suite struct `A property list with many combining marks on one letter` {
    private static let marks = String(repeating: "\u{301}\u{323}", count: 33)
    private static let refusal = PlistError.Reason.limitReached(.markCount, limit: 64)

    @Test func `is refused in the XML form, with its place`() {
        RefusedText.inside("<string>e\(Self.marks)</string>", Self.refusal, 0).check()
        RefusedText.inside("<string><![CDATA[\(Self.marks)]]></string>", Self.refusal, 0).check()
        let references = String(repeating: "&#x301;", count: 65)
        RefusedText.inside("<string>\(references)</string>", Self.refusal, 0).check()
        RefusedText.inside("<dict><key>\(Self.marks)</key><true/></dict>", Self.refusal, 6).check()
        #expect(throws: PlistError.self) {
            try PlistFile(parsing: Array("<plist><string>\(Self.marks)</string></plist>".utf8).span)
        }
    }

    @Test func `is refused in the binary form`() {
        let units = Array(repeating: [0x03, 0x01] as [UInt8], count: 65).flatMap { $0 }
        let bytes = PlistForge(objects: [[0x6F, 0x10, 65] + units]).bytes
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: bytes) }
        #expect(error?.reason == Self.refusal && error?.offset == 8 + 3 + 128)
        let file = #expect(throws: PlistError.self) { try PlistFile(parsing: bytes.span) }
        #expect(file?.reason == Self.refusal)
    }

    @Test func `is refused as a strings file`() {
        RefusedText("\"\(Self.marks)\" = \"a\";", Self.refusal, 0).check(asStrings: true)
        RefusedText("\"a\" = \"\(Self.marks)\";", Self.refusal, 6, path: "a").check(asStrings: true)
        let escaped = String(repeating: #"\U0301"#, count: 65)
        RefusedText("\"a\" = \"\(escaped)\";", Self.refusal, 6, path: "a").check(asStrings: true)
    }

    @Test func `is read where there are no more than any writing needs`() throws {
        let text = "e" + Self.marks.unicodeScalars.prefix(64).reduce(into: "") { $0.unicodeScalars.append($1) }
        #expect(try PlistValue(parsing: Array("<plist><string>\(text)</string></plist>".utf8)).string == text)
        #expect(try PlistValue(parsingStrings: Array("\"a\" = \"\(text)\";".utf8))["a"]?.string == text)
    }
}
