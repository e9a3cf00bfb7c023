import Testing

@testable import WidgetConfiguration

@Suite struct `A JSON5 file` {
    private func scalar(_ text: String) throws -> FoundValue? {
        if case .scalar(let found) = try JSON5Reader.read(Array(text.utf8)).value { return found }
        return nil
    }

    private func error(_ bytes: [UInt8]) -> JSON5Error? {
        do throws(JSON5Error) {
            _ = try JSON5Reader.read(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A JSON5 file keeps members in order with their lines`() throws {
        let text = """
            // A comment.
            {
              /* Another,
                 longer one. */
              a: 1, 'b': [true, null,],
              "c": {$d_1: 'x',},
            }
            """
        guard case .object(let members) = try JSON5Reader.read(Array(text.utf8)).value else {
            Issue.record("no object"); return
        }
        #expect(members.map(\.key) == ["a", "b", "c"])
        #expect(members.map(\.line) == [5, 5, 6])
        #expect(members[1].node.found == .array([.boolean(true), .null]))
        guard case .object(let inner) = members[2].node.value else { Issue.record("no object"); return }
        #expect(inner.map(\.key) == ["$d_1"])
    }

    @Test(
        arguments: [
            ("1", .integer(1)), ("-0", .integer(0)), ("+5", .integer(5)), ("0x1F", .integer(31)),
            ("-0xa", .integer(-10)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("1e3", .number(1_000)),
            (".5", .number(0.5)), ("5.", .number(5)), ("-1.5E-1", .number(-0.15)), ("Infinity", .number(.infinity)),
            ("-Infinity", .number(-.infinity)), ("true", .boolean(true)), ("null", .null),
            ("\u{FEFF} 1 \u{A0}\u{2028}\u{FEFF}", .integer(1)),
            ("1//", .integer(1)), ("1/**/", .integer(1)),
        ] as [(String, FoundValue)])
    func `A JSON5 file holds numbers and words`(_ text: String, _ expected: FoundValue) throws {
        #expect(try scalar(text) == expected)
    }

    @Test(arguments: [
        (#"'it''"#.dropLast().description, "it"), (#""a'b""#, "a'b"),
        (#"'\x41\u00e9\ud83d\ude00\0\n\q\''"#, "A\u{E9}\u{1F600}\0\nq'"),
        ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"), ("'日本'", "日本"),
    ])
    func `A JSON5 file holds text with escapes`(_ text: String, _ expected: String) throws {
        #expect(try scalar(text) == .string(expected))
    }

    @Test(arguments: [
        ("", 1, 1, "a value"), ("{", 1, 2, "a key"), ("{a", 1, 3, "a colon after the key"), ("{a:", 1, 4, "a value"),
        ("{a:1", 1, 5, "a comma or a closing brace"), ("{a:1 b:2}", 1, 6, "a comma or a closing brace"),
        ("[1 2]", 1, 4, "a comma or a closing bracket"),
        ("[,]", 1, 2, "a value"), ("{,}", 1, 2, "a key"), ("{1a:1}", 1, 2, "a key"), ("{a-b:1}", 1, 2, "a key"),
        ("{é:1}", 1, 2, "a key"),
        ("{\n\n  a: blah\n}", 3, 6, "a value; text needs quotes"), ("1 2", 1, 3, "nothing after the last brace"),
        ("01", 1, 1, "a value; text needs quotes"),
        ("1e", 1, 1, "a value; text needs quotes"), (".", 1, 1, "a value; text needs quotes"),
        ("--1", 1, 1, "a value; text needs quotes"),
        ("0x", 1, 1, "a value; text needs quotes"), ("0x-1", 1, 1, "a value; text needs quotes"),
        ("1.2.3", 1, 1, "a value; text needs quotes"),
        ("0xFFFFFFFFFFFFFFFFFF", 1, 1, "a value; text needs quotes"),
        ("{a:1}}", 1, 6, "nothing after the last brace"), ("é'x", 1, 1, "a value"),
        ("'x", 1, 1, "a string that ends"), ("\n 'é\n'", 2, 2, "a string that ends on its line"),
        ("'\\u12'", 1, 6, "4 hexadecimal digits"),
        ("'\\ud800'", 1, 8, "a character, not half of one"),
        ("'\\ud800\\u0041'", 1, 14, "the second half of a surrogate pair"),
        ("'\\1'", 1, 4, "an escape other than a digit"), ("'\\", 1, 3, "an escape"),
        ("/* x", 1, 1, "a comment that ends"), ("/x", 1, 1, "a comment"),
        ("// only", 1, 8, "a value"), (String(repeating: "[", count: 100_000), 1, 9, "at most 8 levels"),
        (String(repeating: "{a:", count: 100_000), 1, 25, "at most 8 levels"),
    ])
    func `A JSON5 file is refused where it stops being JSON5`(
        _ text: String, _ line: Int, _ column: Int, _ expectation: String
    ) {
        #expect(error(Array(text.utf8)) == JSON5Error(line: line, column: column, expectation: expectation))
    }

    @Test func `A JSON5 file is refused when it is not UTF-8`() {
        #expect(error([0x7B, 0x61, 0x3A, 0x22, 0xFF, 0x22, 0x7D])?.expectation == "text in UTF-8")
    }

    @Test func `A JSON5 file never traps, wherever it is cut or changed`() {
        let text = Array("{ a: 'x\\u00e9', /* c */ b: [1.5e3, 0x1F, -Infinity, true,], \"c\": {d: null}, // e\n}".utf8)
        for count in 0..<text.count { #expect(error(Array(text[..<count])) != nil) }
        for index in text.indices {
            for byte in [0x00, 0x0A, 0x22, 0x27, 0x2F, 0x5C, 0x7B, 0x7D, 0x80, 0xE2, 0xFF] as [UInt8] {
                var changed = text
                changed[index] = byte
                if let error = error(changed) { #expect(error.line >= 1 && error.column >= 1) }
            }
        }
    }
}
