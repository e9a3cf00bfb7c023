import JSONText
import Testing
import WidgetFindings

/// Goal: every program says the same of a finding, on one line for each kind and file. Method: findings with and without each
/// part, and their lines and JSON.
@Suite struct `A finding for an author` {
    private static let full = Finding(
        .warning, .unknownKey, "A binding has no use for placehoder",
        at: Place(file: "Notes.json", line: 20, column: 64, path: "titleLabel"), value: "placehoder",
        nearest: "placeholder")
    private static let bare = Finding(.error, .badFile, "the widget does not run", hint: "begin anew; or stop")

    @Test func `Its nearest name is its remedy, and without one its hint`() {
        #expect(Self.full.hint == "did you mean placeholder?")
        #expect(Finding(.warning, .badValue, "x", nearest: "y", hint: "z").hint == "did you mean y?")
        #expect(Finding(.warning, .badValue, "x", hint: "z").hint == "z")
        #expect(Finding(.warning, .badValue, "x").hint == nil)
    }

    @Test func `Its line has place, severity, sentence, code and remedy`() {
        #expect(
            "\(Self.full)"
                == "Notes.json:20:64 (titleLabel): warning: A binding has no use for placehoder [unknown-key]; did you mean placeholder?"
        )
        #expect(Self.full.located == "Notes.json:20:64 (titleLabel): A binding has no use for placehoder [unknown-key]")
        #expect("\(Self.bare)" == "error: the widget does not run [bad-file]; begin anew; or stop")
        #expect(Self.bare.detail == "the widget does not run; begin anew; or stop")
    }

    @Test(arguments: [
        full, bare, Finding(.warning, Finding.Code(rawValue: "of-a-later-program"), "é", at: Place(file: "a")),
    ])
    func `It is the same after its way through a report`(_ finding: Finding) throws {
        var writer = JSONWriter(reservingBytes: 64)
        finding.write(to: &writer)
        let document = try JSONDocument(parsing: writer.finish())
        #expect(try Finding(json: document.cursor) == finding)
    }

    @Test func `One of an older program has its remedy in the sentence`() throws {
        let text = #"{"code":"plain-http","severity":"warning","path":"","line":0,"column":0,"detail":"a; b"}"#
        let finding = try Finding(json: try JSONDocument(parsing: Array(text.utf8)).cursor)
        #expect(finding == Finding(.warning, .plainHTTP, "a; b"))
        let other = text.replacing("warning", with: "fatal")
        #expect(throws: JSONError.self) { try Finding(json: try JSONDocument(parsing: Array(other.utf8)).cursor) }
    }

    // MARK: - Lines

    private static func key(_ value: String, _ file: String, _ line: Int, path: String = "") -> Finding {
        Finding(
            .warning, .unknownKey, "no \(value)", at: Place(file: file, line: line, column: 1, path: path), value: value
        )
    }

    @Test func `Findings of one kind in one file share a line, errors first`() {
        let lines = FindingLine.of([
            Self.key("a", "A.json", 1), Self.key("b", "A.json", 2, path: "x"), Self.key("a", "B.json", 1), Self.bare,
            Self.key("a", "A.json", 1),
        ])
        #expect(lines.map(\.count) == [1, 2, 1])
        #expect(lines.map(\.severity) == [.error, .warning, .warning])
        #expect(lines[1].text == "A.json:1:1: no a [unknown-key], and 1 more there: 2:1 (x) b")
        #expect(lines[0].text == Self.bare.located && lines[0].hints == ["begin anew; or stop"])
    }

    @Test func `A line of very many findings names the places of the first`() {
        let lines = FindingLine.of((1...100).map { Self.key("k\($0)", "A.json", $0) })
        #expect(lines.count == 1 && lines[0].count == 100)
        #expect(
            lines[0].text.hasSuffix(
                ", and 99 more there: 2:1 k2, 3:1 k3, 4:1 k4, 5:1 k5, 6:1 k6, 7:1 k7, 8:1 k8, 9:1 k9, …"))
        #expect(FindingLine.counts(of: [Self.bare] + lines.map(\.first)) == "1 error, 1 warning")
        #expect(FindingLine.counts(of: []).isEmpty)
    }

    @Test func `The codes that refuse a bundle are nine, and none of them is about looks`() {
        #expect(Finding.Code.refused.count == 9)
        #expect(Finding.Code.refused.isDisjoint(with: Finding.Code.aboutLooks))
    }
}
