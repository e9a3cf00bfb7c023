import JSONText
import Testing
import WidgetBytes

@Suite struct `A JSON document with a broken structure` {
    @Test(arguments: [
        Refused("", .emptyDocument, 0),
        Refused(" ", .emptyDocument, 1),
        Refused("\n\n\t", .emptyDocument, 3, line: 3, column: 2),
        Refused([0xEF, 0xBB, 0xBF], .byteOrderMark, 0),
        Refused([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark, 0),
        Refused([0xEF, 0xBB, 0x7B], .unexpectedByte(0xEF, expected: .value), 0),
        Refused([0xFE, 0xFF, 0x00, 0x5B, 0x00, 0x5D], .utf16, 0),
        Refused([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], .utf16, 0),
        Refused([0x5B, 0x00, 0x5D, 0x00], .utf16, 0), Refused([0x00, 0x5B, 0x00, 0x5D], .utf16, 0),
        Refused([0x5B, 0x20, 0x00], .unexpectedByte(0, expected: .value), 2, path: "[0]"),
        Refused([0x5B, 0xEF, 0xBB, 0xBF, 0x5D], .unexpectedByte(0xEF, expected: .value), 1, path: "[0]"),
        Refused([0xE2, 0x81, 0xA0, 0x5B, 0x5D], .unexpectedByte(0xE2, expected: .value), 0),
        Refused("\u{A0}[]", .unexpectedByte(0xC2, expected: .value), 0),
        Refused("[\u{C}]", .unexpectedByte(0x0C, expected: .value), 1, path: "[0]"),
        Refused("[\u{B}1]", .unexpectedByte(0x0B, expected: .value), 1, path: "[0]"),
        Refused("[1\u{A0}]", .unexpectedByte(0xC2, expected: .commaOrArrayEnd), 2),
        Refused("[1\u{2028}]", .unexpectedByte(0xE2, expected: .commaOrArrayEnd), 2),
    ])
    func `A JSON document is refused where it does not begin or space out as JSON does`(_ refused: Refused) {
        refused.check()
    }

    @Test(arguments: [
        Refused("[]x", .trailingContent, 2),
        Refused("[] []", .trailingContent, 3),
        Refused("{}{}", .trailingContent, 2),
        Refused("{},", .trailingContent, 2),
        Refused("[]]", .trailingContent, 2),
        Refused("{}}", .trailingContent, 2),
        Refused("1 2", .trailingContent, 2),
        Refused("\"a\" \"b\"", .trailingContent, 4),
        Refused("null,", .trailingContent, 4),
        Refused("truefalse", .trailingContent, 4),
        Refused("[]\u{0}", .trailingContent, 2),
        Refused("[]\n#", .trailingContent, 3, line: 2, column: 1),
        Refused("{} // end", .trailingContent, 3),
        Refused("{}/**/", .trailingContent, 2),
        Refused([0x5B, 0x5D, 0xEF, 0xBB, 0xBF], .trailingContent, 2),
        Refused("123\u{0}", .trailingContent, 3),
        Refused("2@", .trailingContent, 1),
    ])
    func `A JSON document is refused when something follows its value`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("[,1]", .unexpectedByte(UInt8(ascii: ","), expected: .value), 1, path: "[0]"),
        Refused("[,]", .unexpectedByte(UInt8(ascii: ","), expected: .value), 1, path: "[0]"),
        Refused("[1,,2]", .unexpectedByte(UInt8(ascii: ","), expected: .value), 3, path: "[1]"),
        Refused("[1,]", .trailingComma, 2),
        Refused("[1 , ]", .trailingComma, 3),
        Refused("[1,\n]", .trailingComma, 2),
        Refused("[[1],]", .trailingComma, 4),
        Refused("[1 true]", .unexpectedByte(UInt8(ascii: "t"), expected: .commaOrArrayEnd), 3),
        Refused("[1:2]", .unexpectedByte(UInt8(ascii: ":"), expected: .commaOrArrayEnd), 2),
        Refused("[\"a\" \"b\"]", .unexpectedByte(UInt8(ascii: "\""), expected: .commaOrArrayEnd), 5),
        Refused("[1}", .unexpectedByte(UInt8(ascii: "}"), expected: .commaOrArrayEnd), 2),
        Refused("[}", .unexpectedByte(UInt8(ascii: "}"), expected: .value), 1, path: "[0]"),
        Refused("[3[4]]", .unexpectedByte(UInt8(ascii: "["), expected: .commaOrArrayEnd), 2),
        Refused("]", .unexpectedByte(UInt8(ascii: "]"), expected: .value), 0),
        Refused("[*]", .unexpectedByte(UInt8(ascii: "*"), expected: .value), 1, path: "[0]"),
        Refused("[a", .unexpectedByte(UInt8(ascii: "a"), expected: .value), 1, path: "[0]"),
        Refused("['a']", .unexpectedByte(UInt8(ascii: "'"), expected: .value), 1, path: "[0]"),
        Refused("[\\u0020]", .unexpectedByte(UInt8(ascii: "\\"), expected: .value), 1, path: "[0]"),
        Refused("<null>", .unexpectedByte(UInt8(ascii: "<"), expected: .value), 0),
        Refused("[<null>]", .unexpectedByte(UInt8(ascii: "<"), expected: .value), 1, path: "[0]"),
        Refused("[1,\n2,\n3 x]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 9, line: 3, column: 3),
        Refused(
            "[\"ä\",\r\n x]", .unexpectedByte(UInt8(ascii: "x"), expected: .value), 9, line: 2, column: 2, path: "[1]"),
        Refused("[\"ää\" x]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 8, column: 7),
        Refused("[\r\r\"\"x]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 5, line: 3, column: 3),
        Refused("/* c */ []", .unexpectedByte(UInt8(ascii: "/"), expected: .value), 0),
        Refused("# c\n[]", .unexpectedByte(UInt8(ascii: "#"), expected: .value), 0),
        Refused("[1 /* c */]", .unexpectedByte(UInt8(ascii: "/"), expected: .commaOrArrayEnd), 3),
        Refused("å", .unexpectedByte(0xC3, expected: .value), 0),
        Refused("[å]", .unexpectedByte(0xC3, expected: .value), 1, path: "[0]"),
    ])
    func `A broken array of a JSON document is refused`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("{,}", .unexpectedByte(UInt8(ascii: ","), expected: .memberNameOrEnd), 1),
        Refused("{]", .unexpectedByte(UInt8(ascii: "]"), expected: .memberNameOrEnd), 1),
        Refused("{a:1}", .unexpectedByte(UInt8(ascii: "a"), expected: .memberNameOrEnd), 1),
        Refused("{'a':1}", .unexpectedByte(UInt8(ascii: "'"), expected: .memberNameOrEnd), 1),
        Refused("{1:1}", .unexpectedByte(UInt8(ascii: "1"), expected: .memberNameOrEnd), 1),
        Refused("{null:null}", .unexpectedByte(UInt8(ascii: "n"), expected: .memberNameOrEnd), 1),
        Refused("{[:1}", .unexpectedByte(UInt8(ascii: "["), expected: .memberNameOrEnd), 1),
        Refused("{\"a\" 1}", .unexpectedByte(UInt8(ascii: "1"), expected: .colon), 5, path: "a"),
        Refused("{\"a\"}", .unexpectedByte(UInt8(ascii: "}"), expected: .colon), 4, path: "a"),
        Refused("{\"a\",1}", .unexpectedByte(UInt8(ascii: ","), expected: .colon), 4, path: "a"),
        Refused("{\"a\"=1}", .unexpectedByte(UInt8(ascii: "="), expected: .colon), 4, path: "a"),
        Refused("{\"a\"::1}", .unexpectedByte(UInt8(ascii: ":"), expected: .value), 5, path: "a"),
        Refused("{\"a\":}", .unexpectedByte(UInt8(ascii: "}"), expected: .value), 5, path: "a"),
        Refused("{\"a\":,}", .unexpectedByte(UInt8(ascii: ","), expected: .value), 5, path: "a"),
        Refused("{\"a\":1,}", .trailingComma, 6),
        Refused("{\"a\":1,\n\n}", .trailingComma, 6),
        Refused("{\"a\":1,,}", .unexpectedByte(UInt8(ascii: ","), expected: .memberName), 7),
        Refused("{\"a\":1,b}", .unexpectedByte(UInt8(ascii: "b"), expected: .memberName), 7),
        Refused("{\"a\":1 \"b\":2}", .unexpectedByte(UInt8(ascii: "\""), expected: .commaOrObjectEnd), 7),
        Refused("{\"a\":1]", .unexpectedByte(UInt8(ascii: "]"), expected: .commaOrObjectEnd), 6),
        Refused("{\"a\":1;\"b\":2}", .unexpectedByte(UInt8(ascii: ";"), expected: .commaOrObjectEnd), 6),
        Refused("{\"a\":/**/1}", .unexpectedByte(UInt8(ascii: "/"), expected: .value), 5, path: "a"),
        Refused("{\"a\":b}", .unexpectedByte(UInt8(ascii: "b"), expected: .value), 5, path: "a"),
        Refused("{{}}", .unexpectedByte(UInt8(ascii: "{"), expected: .memberNameOrEnd), 1),
        Refused("{\"a\":[1,{\"b\":x}]}", .unexpectedByte(UInt8(ascii: "x"), expected: .value), 13, path: "a[1].b"),
        Refused(
            "{\"o\":{\"l\":{\"a b\":x}}}", .unexpectedByte(UInt8(ascii: "x"), expected: .value), 17,
            path: "o.l[\"a b\"]"),
        Refused(
            "{\"o\":{\"l\":{\"a\":1}x}}", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrObjectEnd), 17, path: "o"
        ),
        Refused("}", .unexpectedByte(UInt8(ascii: "}"), expected: .value), 0),
    ])
    func `A broken object of a JSON document is refused`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("nul", .truncated, 3), Refused("tru", .truncated, 3), Refused("fals", .truncated, 4),
        Refused("[nul]", .invalidLiteral, 1, path: "[0]"), Refused("[tru]", .invalidLiteral, 1, path: "[0]"),
        Refused("[fals]", .invalidLiteral, 1, path: "[0]"),
        Refused("[True]", .unexpectedByte(UInt8(ascii: "T"), expected: .value), 1, path: "[0]"),
        Refused("[NULL]", .unexpectedByte(UInt8(ascii: "N"), expected: .value), 1, path: "[0]"),
        Refused("[tRue]", .invalidLiteral, 1, path: "[0]"),
        Refused("[nuLL]", .invalidLiteral, 1, path: "[0]"),
        Refused("[undefined]", .unexpectedByte(UInt8(ascii: "u"), expected: .value), 1, path: "[0]"),
        Refused("[nullx]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 5),
        Refused("[true false]", .unexpectedByte(UInt8(ascii: "f"), expected: .commaOrArrayEnd), 6),
        Refused("truth", .invalidLiteral, 0),
    ])
    func `A JSON document is refused for a word that JSON does not have`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("1", .rootNotContainer, 0), Refused(" \"a\"", .rootNotContainer, 1),
        Refused("\nnull", .rootNotContainer, 1, line: 2, column: 1), Refused("true", .rootNotContainer, 0),
        Refused("", .emptyDocument, 0), Refused([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], .utf16, 0),
    ])
    func `A JSON document is refused if a container is wanted and its root is a scalar`(_ refused: Refused) {
        refused.check(root: .container)
    }
}

/// A document that must be refused: its bytes, the reason, and the place.
///
/// Unless a row says otherwise its document is one line of ASCII up to the fault, so line and column
/// follow from the offset.
struct Refused: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var reason: JSONError.Reason
    var offset: Int
    var line: Int
    var column: Int
    var path: String

    init(
        _ text: String, _ reason: JSONError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil, path: String = ""
    ) {
        self.init(Array(text.utf8), reason, offset, line: line, column: column, path: path)
    }

    init(
        _ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil,
        path: String = ""
    ) {
        self.bytes = bytes
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column ?? offset + 1
        self.path = path
    }

    var testDescription: String { "\(String(decoding: bytes.prefix(60), as: UTF8.self)) at \(offset)" }

    func check(
        limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = JSONError(
            reason, offset: offset, position: TextPosition(line: line, column: column), path: ValuePath())
        do {
            let document = try JSONDocument(parsing: bytes, limits: limits, root: root)
            Issue.record("accepted as \(document.root.kind)", sourceLocation: sourceLocation)
        } catch {
            var found = error
            found.path = ValuePath()
            #expect(found == expected, sourceLocation: sourceLocation)
            #expect(error.path.description == path, sourceLocation: sourceLocation)
        }
    }
}

extension String {
    /// The bytes of this text in quotes, in an array: `["…"]`, with the raw bytes in the middle.
    static func quoted(_ bytes: [UInt8]) -> [UInt8] { Array("[\"".utf8) + bytes + Array("\"]".utf8) }
}
