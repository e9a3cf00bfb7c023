import JSONText
import Testing

@Suite struct `A JSON string` {
    @Test(arguments: [
        Refused("\"", .truncated, 1), Refused("[\"", .truncated, 2, path: "[0]"),
        Refused("[\"a", .truncated, 3, path: "[0]"), Refused("\"\\", .truncated, 2),
        Refused("\"\\u", .truncated, 3), Refused("\"\\u00", .truncated, 5), Refused("\"\\\"", .truncated, 3),
        Refused("[\"\\]", .unknownEscape(UInt8(ascii: "]")), 2, path: "[0]"),
        Refused("[\"\\x00\"]", .unknownEscape(UInt8(ascii: "x")), 2, path: "[0]"),
        Refused("[\"\\a\"]", .unknownEscape(UInt8(ascii: "a")), 2, path: "[0]"),
        Refused("[\"\\v\"]", .unknownEscape(UInt8(ascii: "v")), 2, path: "[0]"),
        Refused("[\"\\0\"]", .unknownEscape(UInt8(ascii: "0")), 2, path: "[0]"),
        Refused("[\"\\'\"]", .unknownEscape(UInt8(ascii: "'")), 2, path: "[0]"),
        Refused("[\"\\N\"]", .unknownEscape(UInt8(ascii: "N")), 2, path: "[0]"),
        Refused("[\"\\U0041\"]", .unknownEscape(UInt8(ascii: "U")), 2, path: "[0]"),
        Refused("[\"\\ \"]", .unknownEscape(0x20), 2, path: "[0]"),
        Refused("[\"\\\n\"]", .unknownEscape(0x0A), 2, path: "[0]"),
        Refused("[\"\\\u{0}\"]", .unknownEscape(0), 2, path: "[0]"),
        Refused("[\"\\🌀\"]", .unknownEscape(0xF0), 2, path: "[0]"),
        Refused("[\"a\\u\"]", .invalidUnicodeEscape, 3, path: "[0]"),
        Refused("[\"\\u00g0\"]", .invalidUnicodeEscape, 2, path: "[0]"),
        Refused("[\"\\u12\"]", .invalidUnicodeEscape, 2, path: "[0]"),
        Refused("[\"\\u+041\"]", .invalidUnicodeEscape, 2, path: "[0]"),
        Refused("[\"\\u 041\"]", .invalidUnicodeEscape, 2, path: "[0]"),
        Refused("[\"\\u{41}\"]", .invalidUnicodeEscape, 2, path: "[0]"),
        Refused("[\"\\uD83D\\u\"]", .invalidUnicodeEscape, 8, path: "[0]"),
        Refused("[\"\\uD83D\\uXXXX\"]", .invalidUnicodeEscape, 8, path: "[0]"),
    ])
    func `A JSON string is refused for a broken escape`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("[\"\\uD800\"]", .loneSurrogate(0xD800), 2, path: "[0]"),
        Refused("[\"\\uDBFFx\"]", .loneSurrogate(0xDBFF), 2, path: "[0]"),
        Refused("[\"\\uDC00\"]", .loneSurrogate(0xDC00), 2, path: "[0]"),
        Refused("[\"\\udfff\"]", .loneSurrogate(0xDFFF), 2, path: "[0]"),
        Refused("[\"\\uD800\\n\"]", .loneSurrogate(0xD800), 2, path: "[0]"),
        Refused("[\"\\uD800\\uD800\"]", .loneSurrogate(0xD800), 2, path: "[0]"),
        Refused("[\"\\uD800\\u0041\"]", .loneSurrogate(0xD800), 2, path: "[0]"),
        Refused("[\"\\uDC00\\uD800\"]", .loneSurrogate(0xDC00), 2, path: "[0]"),
        Refused("[\"\\uD834\\uDD1E\\uDD1E\"]", .loneSurrogate(0xDD1E), 14, path: "[0]"),
        Refused("[\"\\uD834 \\uDD1E\"]", .loneSurrogate(0xD834), 2, path: "[0]"),
        Refused("{\"\\uD800\":1}", .loneSurrogate(0xD800), 2),
        Refused("\"\\uD834\\uDD", .truncated, 11), Refused("\"\\uD834", .truncated, 7),
        Refused("\"\\uD834\\", .truncated, 8),
    ])
    func `A JSON string is refused for half of a surrogate pair`(_ refused: Refused) { refused.check() }

    @Test(
        arguments: (0..<0x20).map {
            Refused(String.quoted([0x61, UInt8($0)]), .controlCharacter(UInt8($0)), 3, path: "[0]")
        })
    func `A JSON string is refused with a control character in it`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused(String.quoted([0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC0, 0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC0, 0xAF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC1, 0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC3]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC3, 0x28]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xE0, 0x80, 0xAF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xE0, 0x9F, 0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xE2, 0x82]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xE2, 0x28, 0xA1]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xED, 0xA0, 0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xED, 0xA0, 0xBD, 0xED, 0xB2, 0xA9]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xED, 0xBF, 0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF0, 0x80, 0x80, 0xAF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF0, 0x8F, 0xBF, 0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF0, 0x28, 0x8C, 0xBC]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF0, 0x90, 0x28, 0xBC]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF4, 0x90, 0x80, 0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF5, 0x80, 0x80, 0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xF8, 0x88, 0x80, 0x80, 0x80]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xFE]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xFF]), .invalidUTF8, 2, path: "[0]"),
        Refused(String.quoted([0xC3, 0xA4, 0xE9]), .invalidUTF8, 4, column: 4, path: "[0]"),
        Refused(String.quoted([0x5C, 0x6E, 0xE9]), .invalidUTF8, 4, path: "[0]"),
        Refused(String.quoted([0x5C, 0xE5]), .unknownEscape(0xE5), 2, path: "[0]"),
        Refused(String.quoted([0x5C, 0x75, 0xE5]), .invalidUnicodeEscape, 2, path: "[0]"),
        Refused([0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x30, 0x7D], .invalidUTF8, 2),
        Refused([0x22, 0xE2, 0x82], .truncated, 3, column: 3),
        Refused([0x22, 0xF0, 0x9F], .truncated, 3, column: 3),
        Refused([0x22, 0xC3], .truncated, 2, column: 3),
    ])
    func `A JSON string is refused when it is not UTF-8`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041""#, "A"),
        (#""\u00e4\u00E4""#, "ää"), (#""\uD834\uDD1E""#, "\u{1D11E}"), (#""\ud83d\udca9!""#, "💩!"),
        (#""\u0000""#, "\u{0}"), (#""\uFFFF\uFFFE""#, "\u{FFFF}\u{FFFE}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
        (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"), ("\"\u{7F}\"", "\u{7F}"), ("\"ä€😀\"", "ä€😀"),
        ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("\"\u{FEFF}\"", "\u{FEFF}"), ("\"\u{10FFFF}\"", "\u{10FFFF}"),
        (#""\\u0041""#, "\\u0041"), (#""a\u0020b""#, "a b"), ("\"ä\\nä\"", "ä\nä"), (#""\/*x*\/ //""#, "/*x*/ //"),
        ("\"e\u{301}\"", "e\u{301}"),
        (#""a string that is longer than fits in line""#, "a string that is longer than fits in line"),
    ])
    func `A JSON string is read as the text that it spells`(_ text: String, _ expected: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        let string = try #require(value.string)
        #expect(string.utf8.elementsEqual(expected.utf8))
        #expect(value.span.range == 0..<text.utf8.count)
        var writer = JSONWriter()
        writer.value(value)
        #expect(try JSONValue(parsing: writer.bytes) == value)
    }
}

/// Goal: no string that is read takes long to be compared or hashed. Without the limit, each of these would.
@Suite struct `A letter with many combining marks` {
    private static let pair = "\u{301}\u{323}"
    private static let refusal = JSONError.Reason.limitReached(.markCount, limit: 64)

    @Test func `A letter with many combining marks is refused in strings and in names, with its place`() {
        let marks = String(repeating: Self.pair, count: 100_000)
        Refused("[1, \"e\(marks)\"]", Self.refusal, 134, column: 71, path: "[1]").check()
        Refused("{\"a\": \"e\(marks)\"}", Self.refusal, 136, column: 73, path: "a").check()
        Refused("{\"e\(marks)\": 1}", Self.refusal, 131, column: 68).check()
        Refused("{\"e\(marks)\": 1}", Self.refusal, 131, column: 68).check(root: .container)
    }

    @Test func `A letter with many combining marks is refused however its marks are written`() {
        let escaped = String(repeating: #"\u0301"#, count: 65)
        Refused("[\"\(escaped)\"]", Self.refusal, 2 + 64 * 6, path: "[0]").check()
        let both = String(repeating: "\u{301}" + #"\u0323"#, count: 33)
        Refused("[\"\(both)\"]", Self.refusal, 2 + 32 * 8, column: 3 + 32 * 7, path: "[0]").check()
        let above = String(repeating: #"\uD834\uDD65"#, count: 65)
        Refused("[\"\(above)\"]", Self.refusal, 2 + 64 * 12, path: "[0]").check()
    }

    @Test func `A letter with as many combining marks as writing needs is read`() throws {
        let most = "e" + String(repeating: Self.pair, count: 32)
        for text in [most, most + most, most + #"\n"# + most.dropFirst(), most + "x" + Self.pair] {
            #expect(throws: Never.self) { try JSONValue(parsing: Array("{\"\(text)\": \"\(text)\"}".utf8)) }
        }
        Refused("[\"e\(Self.pair)\"]", .limitReached(.markCount, limit: 1), 5, column: 5, path: "[0]")
            .check(limits: JSONLimits(markCount: 1))
    }

    @Test func `The refusal of many combining marks is a sentence`() {
        #expect("\(Self.refusal)" == "more than 64 combining marks stand on one letter")
    }
}
