import Testing
import WidgetBytes

@testable import WidgetBytes

/// Goal: text from elsewhere cannot command a terminal, forge a line or hide. Method: each hazard by its number.
@Suite struct `Text that is shown` {
    /// Controls, ends of lines, signs of direction, invisible signs, private and unassigned characters.
    static let hazards: [UInt32] = [
        0x00, 0x09, 0x0A, 0x0D, 0x1B, 0x7F, 0x80, 0x9B, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200D, 0x200E,
        0x2028,
        0x2029, 0x202E, 0x2060, 0x2066, 0x3164, 0xE000, 0xFE0F, 0xFEFF, 0xFFF9, 0xFFFE, 0x1D173, 0xE0001, 0xF0000,
        0x10FFFF,
    ]

    private func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "?" }

    @Test(arguments: hazards)
    func `Shown text has an escape for each invisible character`(_ value: UInt32) {
        let text = "a\(scalar(value))b"
        let escape = "\\u{\(String(value, radix: 16))}"
        #expect(ShownText.plain(text) == "a\(escape)b")
        #expect(ShownText.quoted(text) == "\"a\(escape)b\"")
        #expect(ShownText.quoted(text, by: "`") == "`a\(escape)b`")
    }

    @Test func `Shown text keeps letters, marks and pictures of any script`() {
        let text = "naïve – Grüße, Ωμέγα, 漢字, हिन्दी, e\u{301}, 🙂"
        #expect(ShownText.plain(text) == text)
        #expect(ShownText.quoted(text) == "\"\(text)\"")
    }

    @Test func `Shown text has escapes for its own quotes and for nothing else that is drawn`() {
        #expect(ShownText.quoted("a\"b\\c`d") == "\"a\\\"b\\\\c`d\"")
        #expect(ShownText.quoted("a\"b\\d`e", by: "`") == "`a\"b\\d\\`e`")
        #expect(ShownText.plain("a\"b\\c") == "a\"b\\c")
    }

    @Test func `Shown text is cut after its limit, and says so`() {
        #expect(ShownText.plain("abc", limit: 3) == "abc")
        #expect(ShownText.plain("abcd", limit: 3) == "abc…")
        #expect(ShownText.plain("äbcd", limit: 3) == "äbc…")
        #expect(ShownText.quoted(String(repeating: "x", count: 121)).unicodeScalars.count == 123)
    }
}

@Suite struct `The inside of a JSON string` {
    private func minimal(_ text: String) -> String {
        var output: [UInt8] = []
        JSONEscaping.append(text.utf8.span, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func shown(_ bytes: [UInt8], limit: Int = 1_000) -> String {
        var output: [UInt8] = []
        JSONEscaping.appendShown(bytes.span, limit: limit, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `The inside of a JSON string has escapes for quotes, backslashes and controls`() {
        #expect(
            minimal("a\"b\\c\n\r\t\0\u{1F}\u{7F}é🙂\u{202E}") == "a\\\"b\\\\c\\n\\r\\t\\u0000\\u001f\\u007fé🙂\u{202E}")
    }

    @Test(arguments: `Text that is shown`.hazards)
    func `The inside of a JSON string for people has escapes for invisible characters`(_ value: UInt32) {
        let text = Unicode.Scalar(value).map { String($0) } ?? "?"
        let output = shown(Array("é\(text)".utf8))
        #expect(output.dropFirst().first == "\\")
        #expect(output.utf8.dropFirst(2).allSatisfy { $0 < 0x7F })
    }

    @Test func `The inside of a JSON string writes characters beyond the basic plane as two escapes`() {
        #expect(shown(Array("\u{E0001}\u{10FFFF}".utf8)) == "\\udb40\\udc01\\udbff\\udfff")
    }

    @Test func `The inside of a JSON string replaces invalid bytes, and is cut between characters`() {
        #expect(shown([0x61, 0xFF, 0xC3, 0x61, 0xE2, 0x82]) == "a\u{FFFD}\u{FFFD}a\u{FFFD}\u{FFFD}")
        #expect(shown(Array("aéb".utf8), limit: 4) == "aéb")
        #expect(shown(Array("aéb".utf8), limit: 3) == "aé…")
        #expect(shown(Array("aéb".utf8), limit: 2) == "a…")
    }

    @Test func `The inside of a JSON string of a finished document keeps its structure`() {
        let document = Array("{\n  \"a\u{202E}\": \"é\\n\u{E0001}\"\n}\n".utf8)
        #expect(
            String(decoding: JSONEscaping.shown(document: document), as: UTF8.self)
                == "{\n  \"a\\u202e\": \"é\\n\\udb40\\udc01\"\n}\n")
        #expect(JSONEscaping.shown(document: Array("[1]\n".utf8)) == Array("[1]\n".utf8))
    }
}

@Suite struct `The nearest name` {
    private let names = ["listen", "limits.upload", "limits.file", "rateLimit", "log.level", "data"]

    @Test(arguments: [
        ("lisen", "listen"), ("lsiten", "listen"), ("LISTEN", "listen"), ("limits.uplod", "limits.upload"),
        ("limit.upload", "limits.upload"), ("ratelimit", "rateLimit"), ("rate_limit", "rateLimit"), ("dta", "data"),
        ("log.levle", "log.level"), ("limits.flie", "limits.file"),
    ])
    func `The nearest name is the one a slip of the finger away`(_ typed: String, _ meant: String) {
        #expect(NearestName.of(typed, in: names) == meant)
    }

    @Test(arguments: ["", "x", "database", "limits", "qwertz", String(repeating: "listen", count: 10_000)])
    func `A name without a near one has no nearest name`(_ typed: String) {
        #expect(NearestName.of(typed, in: names) == nil)
    }

    @Test func `The nearest name is the first of equally near ones`() {
        #expect(NearestName.of("bat", in: ["cat", "rat"]) == "cat")
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("ab", "abc", 1), ("abc", "xbc", 1),
        ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func `The distance of names counts each insertion, deletion, substitution and swap as one`(
        _ first: String, _ second: String, _ distance: Int
    ) {
        #expect(NearestName.distance(Array(first.utf8), Array(second.utf8), limit: 9) == distance)
        #expect(NearestName.distance(Array(second.utf8), Array(first.utf8), limit: distance) == distance)
        if distance > 0 {
            #expect(NearestName.distance(Array(first.utf8), Array(second.utf8), limit: distance - 1) == nil)
        }
    }
}
