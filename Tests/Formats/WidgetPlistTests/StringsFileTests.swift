import Testing
import WidgetBytes
import WidgetPlist
import WidgetTestSupport

@Suite struct `A strings file` {
    private func strings(_ bytes: [UInt8]) throws -> [(String, String)] {
        let dictionary = try #require(try PlistValue(parsingStrings: bytes).dictionary)
        return try dictionary.members.map { ($0, try #require($1.string)) }
    }

    private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBigEndian ? pair : pair.reversed()
        }
    }

    @Test(
        arguments: [
            ("", []), (" \n", []), ("/* only a comment */", []), ("// only a comment", []),
            ("\"a\" = \"b\";", ["a", "b"]), ("\"a\"=\"b\";\"c\"=\"d\";", ["a", "b", "c", "d"]),
            ("a = b;", ["a", "b"]), ("key.with-marks_1 = $value:2;", ["key.with-marks_1", "$value:2"]),
            ("\"alone\";", ["alone", "alone"]),
            ("/* x * / ** */ \"a\" /* y */ = // z\n \"b\" /**/ ;", ["a", "b"]), ("\"\" = \"\";", ["", ""]),
            ("\"a\\\"b\\\\\" = \"\\n\\t\\r\\a\\b\\f\\v\\'\";", ["a\"b\\", "\n\t\r\u{7}\u{8}\u{C}\u{B}'"]),
            ("\"a\" = \"\\U00e4\\U20AC\\UD83D\\UDE00\";", ["a", "ä€😀"]), ("\"a\" = \"\\101\\0\";", ["a", "A\0"]),
            ("\"a\" = \"line\nline\";", ["a", "line\nline"]),
            ("\"%d of %@\" = \"%2$@: %1$d\";", ["%d of %@", "%2$@: %1$d"]), ("\"größe\" = \"😀\";", ["größe", "😀"]),
        ] as [(String, [String])])
    func `A strings file is read in each of its encodings`(_ text: String, _ expected: [String]) throws {
        let forms = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8, utf16(text, isBigEndian: true),
            utf16(text, isBigEndian: false),
        ]
        for bytes in forms { #expect(try strings(bytes).flatMap { [$0, $1] } == expected) }
    }

    @Test func `A strings file may be a property list, as Xcode compiles it, if that is a dictionary`() throws {
        let forge = PlistForge(
            PlistForge.dictionary(keys: [1], values: [2]), PlistForge.ascii("a"), PlistForge.ascii("b"))
        #expect(try strings(forge.bytes).map(\.1) == ["b"])
        #expect(
            try strings(Array("\n<plist><dict><key>a</key><string>b</string></dict></plist>".utf8)).map(\.1) == ["b"])
        let error = #expect(throws: PlistError.self) {
            try PlistValue(parsingStrings: PlistForge(PlistForge.yes).bytes)
        }
        #expect(error?.reason == .wrongType(expected: .dictionary, found: .boolean))
    }

    @Test(arguments: [
        RefusedText("\"a\"", .truncated, 3, path: "a"), RefusedText("\"a", .truncated, 2),
        RefusedText("\"a\" =", .truncated, 5, path: "a"),
        RefusedText("\"a\" = \"b\"", .truncated, 9, path: "a"), RefusedText("\"a\" = \"b", .truncated, 8, path: "a"),
        RefusedText("/*", .truncated, 2), RefusedText("/* *", .truncated, 4),
        RefusedText("/", .truncated, 1), RefusedText("\"a\\", .truncated, 3), RefusedText("\"\\U00", .truncated, 5),
        RefusedText("= \"b\";", .unexpectedCharacter(0x3D, expected: .key), 0),
        RefusedText(";", .unexpectedCharacter(0x3B, expected: .key), 0),
        RefusedText("{\"a\" = \"b\";}", .unexpectedCharacter(0x7B, expected: .key), 0),
        RefusedText("\"a\" = {\"b\" = \"c\";};", .unexpectedCharacter(0x7B, expected: .value), 6, path: "a"),
        RefusedText("\"a\" = (b);", .unexpectedCharacter(0x28, expected: .value), 6, path: "a"),
        RefusedText("\"a\" = <00>;", .unexpectedCharacter(0x3C, expected: .value), 6, path: "a"),
        RefusedText("\"a\" = ;", .unexpectedCharacter(0x3B, expected: .value), 6, path: "a"),
        RefusedText("\"a\" \"b\";", .unexpectedCharacter(0x22, expected: .equalsOrSemicolon), 4, path: "a"),
        RefusedText("\"a\": \"b\";", .unexpectedCharacter(0x3A, expected: .equalsOrSemicolon), 3, path: "a"),
        RefusedText("\"a\" = \"b\" \"c\";", .unexpectedCharacter(0x22, expected: .semicolon), 10, path: "a"),
        RefusedText("\"a\" = \"b\",", .unexpectedCharacter(0x2C, expected: .semicolon), 9, path: "a"),
        RefusedText("/a", .unexpectedCharacter(0x61, expected: .comment), 1),
        RefusedText("# x", .unexpectedCharacter(0x23, expected: .key), 0),
        RefusedText("\"\\377\";", .unknownEscape(0x33), 1), RefusedText("\"\\Ug000\";", .unknownEscape(0x55), 1),
        RefusedText("'a\";", .truncated, 4), RefusedText("'\\UD83D\\U4';", .loneSurrogate(0xD83D), 1),
        RefusedText(
            [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], .unexpectedCharacter(0xFEFF, expected: .key), 6,
            column: 1),
        RefusedText("\"\\UD800\";", .loneSurrogate(0xD800), 1),
        RefusedText("\"\\UDC00\";", .loneSurrogate(0xDC00), 1),
        RefusedText("\"\\UD83D\\uDE00\";", .loneSurrogate(0xD83D), 1),
        RefusedText("\"\\UD800\\n\";", .loneSurrogate(0xD800), 1),
        RefusedText("\"\\UD800\\U0041\";", .loneSurrogate(0xD800), 1),
        RefusedText(
            "\"ä\" = \"ö\";\r\n\"x\" y", .unexpectedCharacter(0x79, expected: .equalsOrSemicolon), 18, line: 2,
            column: 5, path: "x"),
        RefusedText([0x22, 0xE9, 0x22], .invalidUTF8, 1), RefusedText([0x22, 0x00, 0x61, 0x00], .truncated, 4),
        RefusedText([0xFE, 0xFF, 0x00], .invalidUTF16, 2),
        RefusedText([0xFE, 0xFF, 0xFE, 0xFF, 0x00, 0x3D], .unexpectedCharacter(0x3D, expected: .key), 4, column: 1),
        RefusedText(
            [0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF], .unexpectedCharacter(0xFEFF, expected: .key), 4, column: 1),
        RefusedText([0xFE, 0xFF, 0xFF, 0xFE], .unexpectedCharacter(0xFFFE, expected: .key), 2, column: 1),
        RefusedText([0xFE, 0xFF, 0xD8, 0x00], .loneSurrogate(0xD800), 2, column: 3),
        RefusedText([0xFF, 0xFE, 0x00, 0xDC, 0x22, 0x00], .loneSurrogate(0xDC00), 2, column: 3),
        RefusedText([0xFE, 0xFF, 0x00, 0x22, 0x00, 0x61], .truncated, 6, column: 3),
        RefusedText(
            [0xFF, 0xFE, 0x0A, 0x00, 0x3D, 0x00], .unexpectedCharacter(0x3D, expected: .key), 4, line: 2, column: 1),
    ])
    func `A malformed strings file is refused at its first wrong character`(_ refused: RefusedText) {
        refused.check(asStrings: true)
    }

    struct Noted: CustomTestStringConvertible, Sendable {
        var text: String
        var strings: [String]
        var notes: [PlistNote.Subject]
        var places: [TextPosition]

        /// - Parameter place: the line and column of the only note.
        init(_ text: String, _ strings: [String], _ note: PlistNote.Subject, _ line: Int, _ column: Int) {
            (self.text, self.strings, notes) = (text, strings, [note])
            places = [TextPosition(line: line, column: column)]
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        Noted("\"a\" = \"1\";\n \"a\" = \"2\";", ["a", "2"], .repeatedKey("a", agrees: false), 2, 2),
        Noted(
            "\"a\" = \"1\";\r\n\"b\";\r\na = 1;", ["a", "1", "b", "b"], .repeatedKey("a", agrees: true), 3, 1),
        Noted("\"\\q\" = \"b\";", ["q", "b"], .needlessBackslash(0x71), 1, 2),
        Noted("\"a\" =\n\"\\(b\";", ["a", "(b"], .needlessBackslash(0x28), 2, 2),
        Noted("\"a\" = \"\\8\";", ["a", "8"], .needlessBackslash(0x38), 1, 8),
        Noted("\"a\" = \"\\\u{1F600}b\";", ["a", "\u{1F600}b"], .needlessBackslash(0x1F600), 1, 8),
        Noted("\"a\" = \"caf\\u00e9\";", ["a", "cafu00e9"], .smallU("00e9"), 1, 11),
        Noted("\"a\" = \"\\u00e\";", ["a", "u00e"], .needlessBackslash(0x75), 1, 8),
        Noted("\"a\" = \"\\U41 \\U00e9\";", ["a", "A é"], .shortNumber("41"), 1, 8),
        Noted("\"a\" = \"\\U00g0\";", ["a", "\0g0"], .shortNumber("00"), 1, 8),
        Noted("\"a\" = 'b \"c\" \\'d';", ["a", "b \"c\" 'd"], .singleQuotes, 1, 7),
        Noted("'a' =\n\"it's\";", ["a", "it's"], .singleQuotes, 1, 1),
        Noted("\"a\" = \"\\uUser\";", ["a", "uUser"], .needlessBackslash(0x75), 1, 8),
    ])
    func `A strings file is read as CoreFoundation reads it, with a note on what its author probably meant otherwise`(
        _ noted: Noted
    ) throws {
        for bytes in [
            Array(noted.text.utf8), utf16(noted.text, isBigEndian: true), utf16(noted.text, isBigEndian: false),
        ] {
            let reading = try PlistReading(parsingStrings: bytes)
            let members = try #require(reading.value.dictionary).members
            #expect(try members.flatMap { [$0, try #require($1.string)] } == noted.strings)
            #expect(reading.notes.map(\.subject) == noted.notes)
            #expect(reading.notes.map(\.position) == noted.places)
        }
    }

    @Test func `A strings file has no notes for the escapes that it needs`() throws {
        let text = "\"a\\\"b\\\\\" = \"\\n\\t\\r\\a\\b\\f\\v\\'\\/\\101\\U00e9\\\n\\\r\n\";"
        #expect(try PlistReading(parsingStrings: Array(text.utf8)).notes.isEmpty)
    }

    @Test(arguments: [false, true])
    func `A strings file of UTF-16 may begin with two marks, with a note`(_ isBigEndian: Bool) throws {
        let reading = try PlistReading(parsingStrings: utf16("\u{FEFF}\"a\" = \"b\";", isBigEndian: isBigEndian))
        #expect(reading.value["a"]?.string == "b")
        #expect(reading.notes.map(\.subject) == [.repeatedMark])
        #expect(reading.notes.map(\.position) == [TextPosition(line: 1, column: 1)])
    }

    @Test func `A strings file of UTF-8 may begin with two marks, with a note`() throws {
        let reading = try PlistReading(parsingStrings: Array("\u{FEFF}\u{FEFF}\"a\" = \"b\";".utf8))
        #expect(reading.value["a"]?.string == "b")
        #expect(reading.notes.map(\.subject) == [.repeatedMark])
        #expect(reading.notes.map(\.position) == [TextPosition(line: 1, column: 1)])
    }

    @Test(arguments: [17, 5_000])
    func `A strings file keeps the last value of each of many keys, and a limited number of notes`(
        _ count: Int
    ) throws {
        let lines = (0..<count).flatMap { ["k\($0) = a\($0);", "k\($0) = b\($0);"] }.joined(separator: "\n")
        let reading = try PlistReading(parsingStrings: Array(lines.utf8))
        let dictionary = try #require(reading.value.dictionary)
        #expect(dictionary.keys == (0..<count).map { "k\($0)" })
        for index in 0..<count { #expect(dictionary["k\(index)"]?.string == "b\(index)") }
        #expect(reading.notes.count == min(count, PlistNote.mostKept))
        #expect(reading.notes.first?.position == TextPosition(line: 2, column: 1))
    }

    @Test func `A strings file is refused one above each limit`() {
        let text = "a = b; c = d;"
        #expect(throws: Never.self) {
            try PlistValue(parsingStrings: Array(text.utf8), limits: PlistLimits(byteCount: 13, objectCount: 2))
        }
        RefusedText(text, .limitReached(.objectCount, limit: 1), 7).check(
            asStrings: true, limits: PlistLimits(objectCount: 1))
        RefusedText(text, .limitReached(.byteCount, limit: 12), 12).check(
            asStrings: true, limits: PlistLimits(byteCount: 12))
    }
}
