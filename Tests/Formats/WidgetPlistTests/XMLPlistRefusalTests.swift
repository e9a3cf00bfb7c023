import Testing
import WidgetBytes
import WidgetPlist

@Suite struct `An XML property list with a broken document` {
    private static let apple = "<!DOCTYPE plist PUBLIC \"a\" \"b\">"

    @Test(arguments: [
        RefusedText("", .emptyDocument, 0), RefusedText(" \n", .emptyDocument, 2, line: 2, column: 1),
        RefusedText("<plist/>", .emptyDocument, 8), RefusedText("<plist></plist>", .emptyDocument, 15),
        RefusedText("<plist> <!-- x --> </plist>", .emptyDocument, 27),
        RefusedText("hello", .unexpectedText, 0), RefusedText("{}", .unexpectedText, 0),
        RefusedText("<dict/>", .unexpectedElement("dict"), 0), RefusedText("</plist>", .unexpectedElement("plist"), 0),
        RefusedText("<html></html>", .unknownElement("html"), 0),
        RefusedText("<Plist><true/></Plist>", .unknownElement("Plist"), 0),
        RefusedText("<plist><true/></plist>x", .trailingContent, 22),
        RefusedText("<plist><true/></plist><plist/>", .trailingContent, 22),
        RefusedText("<plist><true/></plist>\n<true/>", .trailingContent, 23, line: 2, column: 1),
        RefusedText("<plist><true/></plist><!-- x", .truncated, 28),
        RefusedText("<plist><true/></plist><?x?>", .processingInstruction, 22),
        RefusedText("<plist version=\"2.0\"><true/></plist>", .attribute, 7),
        RefusedText("<plist version=1.0><true/></plist>", .attribute, 15),
        RefusedText("<plist id=\"1\"><true/></plist>", .attribute, 7),
        RefusedText("<plist version=\"1.0\" version=\"1.0\"><true/></plist>", .attribute, 21),
    ])
    func `An XML property list with a broken frame is refused`(_ refused: RefusedText) { refused.check() }

    @Test(arguments: [
        RefusedText([0xFF, 0xFE, 0x3C, 0x00], .unsupportedEncoding, 0),
        RefusedText([0xFE, 0xFF, 0x00, 0x3C], .unsupportedEncoding, 0),
        RefusedText([0x3C, 0x00, 0x70, 0x00], .unsupportedEncoding, 0),
        RefusedText([0x00, 0x3C, 0x00, 0x70], .unsupportedEncoding, 0),
        RefusedText([0x00, 0x00, 0x00, 0x3C], .unsupportedEncoding, 0),
        RefusedText(Array("<plist><string>".utf8) + [0xE9], .invalidUTF8, 15),
        RefusedText(Array("<plist><string>".utf8) + [0xC0, 0x80], .invalidUTF8, 15),
        RefusedText(Array("<plist><string>".utf8) + [0xED, 0xA0, 0x80], .invalidUTF8, 15),
        RefusedText("<plist><string>\u{0}</string></plist>", .invalidCharacter(0), 15),
        RefusedText("<plist><string>\u{1B}</string></plist>", .invalidCharacter(0x1B), 15),
        RefusedText("<plist><string>\u{FFFE}</string></plist>", .invalidCharacter(0xFFFE), 15),
        RefusedText("<plist>\u{B}<true/></plist>", .invalidCharacter(0xB), 7),
    ])
    func `An XML property list is refused when it is not UTF-8 or not XML text`(_ refused: RefusedText) {
        refused.check()
    }

    @Test(arguments: [
        RefusedText(" <?xml version=\"1.0\"?><plist/>", .processingInstruction, 1),
        RefusedText("<?xml?><plist/>", .xmlDeclaration, 7),
        RefusedText("<?xml encoding=\"UTF-8\"?><plist/>", .xmlDeclaration, 6),
        RefusedText("<?xml version=\"1.1\"?><plist/>", .xmlDeclaration, 6),
        RefusedText("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist/>", .unsupportedEncoding, 20),
        RefusedText("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist/>", .unsupportedEncoding, 20),
        RefusedText("<?xml version=\"1.0\" standalone=\"maybe\"?><plist/>", .xmlDeclaration, 20),
        RefusedText("<?xml version=\"1.0\" version=\"1.0\"?><plist/>", .xmlDeclaration, 20),
        RefusedText("<?xml version=\"1.0\"encoding=\"UTF-8\"?><plist/>", .xmlDeclaration, 19),
        RefusedText("<?xml version=\"1.0\">", .xmlDeclaration, 19),
        RefusedText("<?xml version=1.0?>", .xmlDeclaration, 14),
        RefusedText("<?xml version=\"1.0\" ?", .xmlDeclaration, 20), RefusedText("<?xml version=\"1.0", .truncated, 18),
        RefusedText("<?xml-stylesheet href=\"x\"?><plist/>", .xmlDeclaration, 5),
        RefusedText("<?php ?><plist/>", .processingInstruction, 0),
        RefusedText("<plist><?x y?><true/></plist>", .processingInstruction, 7),
    ])
    func `An XML property list is refused with a bad declaration or instruction`(_ refused: RefusedText) {
        refused.check()
    }

    @Test(arguments: [
        RefusedText("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>", .internalSubset, 16),
        RefusedText("<!DOCTYPE plist PUBLIC \"a\" \"b\" [<!ENTITY a \"b\">]><plist/>", .internalSubset, 31),
        RefusedText("<!DOCTYPE plist PUBLIC \"a\" \"b\"[]><plist/>", .internalSubset, 30),
        RefusedText("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist/>", .documentType, 16),
        RefusedText("<!DOCTYPE html PUBLIC \"a\" \"b\"><plist/>", .documentType, 10),
        RefusedText("<!DOCTYPE plist><plist/>", .documentType, 15),
        RefusedText("<!DOCTYPE plist PUBLIC \"a\"><plist/>", .documentType, 26),
        RefusedText("<!DOCTYPE plist PUBLIC a b><plist/>", .documentType, 23),
        RefusedText("<!DOCTYPE plist PUBLIC \"<\" \"b\"><plist/>", .documentType, 23),
        RefusedText("<!DOCTYPE plist PUBLIC \"a\" \"b\" x><plist/>", .documentType, 31),
        RefusedText("<!DOCTYPEplist PUBLIC \"a\" \"b\"><plist/>", .documentType, 9),
        RefusedText(apple + apple + "<plist/>", .documentType, 31),
        RefusedText("<!DOCTYPE plist PUBLIC \"a\" \"b\"", .truncated, 30),
        RefusedText(
            "<!DOCTYPE plist PUBLIC \"\(String(repeating: "a", count: 300))\" \"b\"><plist/>", .documentType, 23),
        RefusedText("<!doctype plist PUBLIC \"a\" \"b\"><plist/>", .markupDeclaration, 0),
        RefusedText("<!ENTITY a \"b\"><plist/>", .markupDeclaration, 0),
        RefusedText("<plist><!DOCTYPE plist PUBLIC \"a\" \"b\"><true/></plist>", .markupDeclaration, 7),
        RefusedText("<plist><!ENTITY a \"b\"><true/></plist>", .markupDeclaration, 7),
        RefusedText("<plist><![CDATA[x]]><true/></plist>", .markupDeclaration, 7),
        RefusedText("<!-- a -- b --><plist/>", .invalidComment, 0),
        RefusedText("<!-- a ---><plist/>", .invalidComment, 0),
        RefusedText("<!-- a", .truncated, 6), RefusedText("<!-- a --", .truncated, 9),
        RefusedText("<!- a --><plist/>", .markupDeclaration, 0),
    ])
    func `An XML property list is refused with a foreign document type, declarations or comments`(
        _ refused: RefusedText
    ) {
        refused.check()
    }

    @Test func `An XML property list is refused wherever it is cut`() {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(Self.apple)\n<plist version=\"1.0\"><dict><key>a</key>"
            + "<array><integer>1</integer><real>1.5</real><true/><string>ä&amp;<![CDATA[x]]></string></array></dict></plist>"
        for end in 0..<text.utf8.count {
            #expect(throws: PlistError.self, "cut at \(end)") { try PlistValue(parsing: Array(text.utf8.prefix(end))) }
        }
        #expect(throws: Never.self) { try PlistValue(parsing: Array(text.utf8)) }
    }
}

@Suite struct `An XML property list with a broken value` {
    @Test(arguments: [
        RefusedText.inside("<true/><true/>", .secondRoot, 7), .inside("<dict/><array/>", .secondRoot, 7),
        .inside("<true/>x", .unexpectedText, 7), .inside("x<true/>", .unexpectedText, 0),
        .inside("<plist><true/></plist>", .unexpectedElement("plist"), 0),
        .inside("<key>a</key>", .unexpectedElement("key"), 0),
        .inside("<array><key>a</key></array>", .unexpectedElement("key"), 7),
        .inside("<dict><true/></dict>", .missingKey, 6),
        .inside("<dict><key>a</key><true/><true/></dict>", .missingKey, 25),
        .inside("<dict><key>a</key></dict>", .missingValue(key: "a"), 18, path: "a"),
        .inside("<dict><key>a</key><key>b</key></dict>", .missingValue(key: "a"), 18, path: "a"),
        .inside("<dict><dict/></dict>", .missingKey, 6), .inside("<dict>text</dict>", .unexpectedText, 6),
        .inside("<dict><key>a</key>x<true/></dict>", .unexpectedText, 18, path: "a"),
        .inside("<array>1</array>", .unexpectedText, 7), .inside("<array>&amp;</array>", .unexpectedText, 7),
        .inside("<dict><key>a</key><true/><key>a</key><true/></dict>", .duplicateKey("a"), 25),
        .inside("<dict><key>a</key><true/><key>&#x61;</key><true/></dict>", .duplicateKey("a"), 25),
        .inside("<dict><key>a</key><true/><key><![CDATA[a]]></key><true/></dict>", .duplicateKey("a"), 25),
        .inside("<array><dict><key/><true/><key></key><true/></dict></array>", .duplicateKey(""), 26, path: "[0]"),
        .inside("<array></dict>", .mismatchedEnd(expected: "array", found: "dict"), 7),
        .inside("<dict></array>", .mismatchedEnd(expected: "dict", found: "array"), 6),
        .inside("<array>", .mismatchedEnd(expected: "array", found: "plist"), 7),
        .inside("</dict>", .mismatchedEnd(expected: "plist", found: "dict"), 0),
        .inside("<string>a</key>", .mismatchedEnd(expected: "string", found: "key"), 9),
        .inside("<string>a<true/></string>", .unexpectedElement("true"), 9),
        .inside("<string>a<!-- x --></string>", .commentInText, 9),
        .inside("<dict><key><!-- x -->a</key><true/></dict>", .commentInText, 11),
        .inside("<integer>1<!-- x --></integer>", .commentInText, 10),
        .inside("<string>a<!x></string>", .markupDeclaration, 9),
        .inside("<string>a<b>c</b></string>", .unknownElement("b"), 9),
        .inside("<true>x</true>", .unexpectedText, 6), .inside("<true> </true>", .unexpectedText, 6),
        .inside("<null/>", .unknownElement("null"), 0), .inside("<set/>", .unknownElement("set"), 0),
        .inside("<DICT/>", .unknownElement("DICT"), 0),
        .inside("<a:dict/>", .unknownElement("a:dict"), 0), .inside("< dict/>", .invalidTag, 0),
        .inside("<>", .invalidTag, 0),
        .inside("<dict x=\"1\"/>", .attribute, 6), .inside("<string xml:space=\"preserve\">a</string>", .attribute, 8),
        .inside("<dict/ >", .invalidTag, 6), .inside("<array></array x=\"1\">", .invalidTag, 15),
        .inside("<true\u{A0}/>", .invalidTag, 5),
        .inside("<array><dict><key>k</key><array><x/></array></dict></array>", .unknownElement("x"), 32, path: "[0].k"),
    ])
    func `An XML property list is refused for its structure`(_ refused: RefusedText) { refused.check() }

    @Test(arguments: [
        RefusedText.inside("<string>&nbsp;</string>", .unknownEntity("nbsp"), 8),
        .inside("<string>&AMP;</string>", .unknownEntity("AMP"), 8),
        .inside("<string>a & b</string>", .unknownEntity(""), 10),
        .inside("<string>&amp</string>", .unknownEntity("amp"), 8),
        .inside("<string>&;</string>", .unknownEntity(""), 8), .inside("<key>&x;</key>", .unexpectedElement("key"), 0),
        .inside("<string>&#0;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#x1F;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#xD800;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#xFFFE;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#x110000;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#99999999999;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#x;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#X41;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#4A;</string>", .invalidCharacterReference, 8),
        .inside("<string>&#-65;</string>", .invalidCharacterReference, 8),
        .inside("<string>&# 65;</string>", .invalidCharacterReference, 8),
        .inside("<string>a]]>b</string>", .sectionEndInText, 9),
    ])
    func `An XML property list is refused for its text`(_ refused: RefusedText) { refused.check() }

    @Test(arguments: [
        "", " ", "-", "+", "x", "1x", "1.0", "1e3", "0x", "0xG", "-0x", "--1", "+-1", "1 2", "1,000", "0b1", "\u{FF11}",
        "#FF", "$10",
    ])
    func `An XML property list is refused for a malformed integer`(_ text: String) {
        RefusedText.inside("<integer>\(text)</integer>", .invalidInteger, 9).check()
    }

    @Test(arguments: [
        "18446744073709551616", "-9223372036854775809", "0x10000000000000000", "99999999999999999999999999",
    ])
    func `An XML property list is refused for an integer of more than 64 bits`(_ text: String) {
        RefusedText.inside("<integer>\(text)</integer>", .integerOutOfRange, 9).check()
    }

    @Test(arguments: [
        "", ".", "-", "1,5", "1e", "e5", "0x1p3", "1.5.5", "1e400", "-1e400", "-nan", "infinit", "1 5", "NaN(1)", "1f",
    ])
    func `An XML property list is refused for a malformed real number`(_ text: String) {
        RefusedText.inside("<real>\(text)</real>", .invalidReal, 6).check()
    }

    @Test(arguments: [
        "", "2020", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01 00:00:00Z", "2020-1-1T0:0:0Z",
        "2020-13-01T00:00:00Z",
        "2020-00-01T00:00:00Z", "2020-02-30T00:00:00Z", "2019-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2020-04-31T00:00:00Z",
        "2020-01-00T00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z",
        "2020-01-01T00:00:00z",
        "2020-01-01T00:00:00+00:00", "2020-01-01T00:00:00.5Z", "-020-01-01T00:00:00Z", "20200-01-01T00:00:00Z", "now",
    ])
    func `An XML property list is refused for a malformed date`(_ text: String) {
        RefusedText.inside("<date>\(text)</date>", .invalidDate, 6).check()
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "A===", "AA=", "=AAA", "AA==AA==", "AB==", "AAB=", "A-A_", "AA=A", "AAAA=", "AA*A",
        "\u{E9}AAA",
    ])
    func `An XML property list is refused for data that is not base64`(_ text: String) {
        RefusedText.inside("<data>\(text)</data>", .invalidData, 6).check()
    }

    @Test func `An XML property list is refused at the depth limit, however deep the rest is`() throws {
        for count in [65, 1_000, 100_000] {
            let text = "<plist>" + String(repeating: "<array>", count: count)
            let path = String(repeating: "[0]", count: 64)
            RefusedText(text, .limitReached(.depth, limit: 64), 7 + 64 * 7, path: path).check()
        }
        let good =
            "<plist>" + String(repeating: "<array>", count: 64) + String(repeating: "</array>", count: 64) + "</plist>"
        #expect(throws: Never.self) { try PlistValue(parsing: Array(good.utf8)) }
    }

    @Test func `An XML property list is refused one above each limit`() throws {
        let text = "<plist><dict><key>a</key><true/></dict></plist>"
        #expect(throws: Never.self) {
            try PlistValue(parsing: Array(text.utf8), limits: PlistLimits(byteCount: 47, objectCount: 3))
        }
        RefusedText(text, .limitReached(.objectCount, limit: 2), 25, path: "a").check(
            limits: PlistLimits(objectCount: 2))
        RefusedText(text, .limitReached(.byteCount, limit: 46), 46).check(limits: PlistLimits(byteCount: 46))
    }

    @Test func `The refusal of an XML property list names line and column`() {
        let text = "<plist>\r\n<dict>\n\t<key>ä</key> <x/>\n</dict>\n</plist>"
        RefusedText(text, .unknownElement("x"), 31, line: 3, column: 15, path: "[\"ä\"]").check()
    }
}

/// A property list or strings file in text form that must be refused: reason, offset, place and path.
///
/// Unless a row says otherwise its text is one line of ASCII up to the fault, so line and column follow
/// from the offset.
struct RefusedText: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var reason: PlistError.Reason
    var offset: Int
    var line: Int
    var column: Int
    var path: String

    init(
        _ text: String, _ reason: PlistError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil, path: String = ""
    ) {
        self.init(Array(text.utf8), reason, offset, line: line, column: column, path: path)
    }

    init(
        _ bytes: [UInt8], _ reason: PlistError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil,
        path: String = ""
    ) {
        (self.bytes, self.reason, self.offset) = (bytes, reason, offset)
        (self.line, self.column, self.path) = (line, column ?? offset + 1, path)
    }

    /// The text between `<plist>` and `</plist>`, offsets counted from its beginning.
    static func inside(_ text: String, _ reason: PlistError.Reason, _ offset: Int, path: String = "") -> RefusedText {
        RefusedText("<plist>\(text)</plist>", reason, offset + 7, path: path)
    }

    var testDescription: String { "\(String(decoding: bytes.prefix(90), as: UTF8.self)) at \(offset)" }

    func check(asStrings: Bool = false, limits: PlistLimits = PlistLimits()) {
        let error = #expect(throws: PlistError.self) {
            asStrings
                ? try PlistValue(parsingStrings: bytes, limits: limits) : try PlistValue(parsing: bytes, limits: limits)
        }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.position == TextPosition(line: line, column: column))
        #expect(error?.path.description == path)
    }
}
