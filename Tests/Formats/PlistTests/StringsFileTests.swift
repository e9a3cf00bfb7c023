import Plist
import TestSupport
import Testing

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
            ("\"a\" = \"\\U00e4\\u20AC\\UD83D\\UDE00\";", ["a", "ä€😀"]), ("\"a\" = \"\\101\\0\";", ["a", "A\0"]),
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
        RefusedText("\"\\q\" = \"b\";", .unknownEscape(0x71), 1), RefusedText("\"\\8\";", .unknownEscape(0x38), 1),
        RefusedText("\"\\377\";", .unknownEscape(0x33), 1), RefusedText("\"\\U00g0\";", .unknownEscape(0x55), 1),
        RefusedText("\"\\UD800\";", .loneSurrogate(0xD800), 1),
        RefusedText("\"\\UDC00\";", .loneSurrogate(0xDC00), 1),
        RefusedText("\"\\UD800\\n\";", .loneSurrogate(0xD800), 1),
        RefusedText("\"\\UD800\\U0041\";", .loneSurrogate(0xD800), 1),
        RefusedText("\"a\" = \"1\";\n \"a\" = \"2\";", .duplicateKey("a"), 12, line: 2, column: 2),
        RefusedText(
            "\"ä\" = \"ö\";\r\n\"x\" y", .unexpectedCharacter(0x79, expected: .equalsOrSemicolon), 18, line: 2,
            column: 5, path: "x"),
        RefusedText([0x22, 0xE9, 0x22], .invalidUTF8, 1), RefusedText([0x22, 0x00, 0x61, 0x00], .truncated, 4),
        RefusedText([0xFE, 0xFF, 0x00], .invalidUTF16, 2),
        RefusedText([0xFE, 0xFF, 0xD8, 0x00], .loneSurrogate(0xD800), 2, column: 3),
        RefusedText([0xFF, 0xFE, 0x00, 0xDC, 0x22, 0x00], .loneSurrogate(0xDC00), 2, column: 3),
        RefusedText([0xFE, 0xFF, 0x00, 0x22, 0x00, 0x61], .truncated, 6, column: 3),
        RefusedText(
            [0xFF, 0xFE, 0x0A, 0x00, 0x3D, 0x00], .unexpectedCharacter(0x3D, expected: .key), 4, line: 2, column: 1),
    ])
    func `A malformed strings file is refused at its first wrong character`(_ refused: RefusedText) {
        refused.check(asStrings: true)
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
