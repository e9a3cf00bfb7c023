import JSONText
import Testing
import WidgetBundles
import WidgetFindings
import WidgetTestSupport

/// A document in which each expected finding is marked with its code: `‹predicate-cast›`.
struct FindingCase: Sendable, CustomTestStringConvertible {
    struct Place: Hashable, CustomStringConvertible {
        var code: String
        var line: Int
        var column: Int

        var description: String { "\(line):\(column) \(code)" }
    }

    var path: String
    var marked: String

    var testDescription: String { marked.split(separator: "\n").joined(separator: " ") }

    /// The text without its marks, and the places of the marks.
    var unmarked: (text: String, places: [Place]) {
        var text = ""
        var places: [Place] = []
        var (line, column) = (1, 1)
        var code: String?
        for character in marked.unicodeScalars {
            switch character {
            case "‹": code = ""
            case "›":
                places.append(Place(code: code ?? "", line: line, column: column))
                code = nil
            default:
                if code != nil {
                    code?.unicodeScalars.append(character)
                    continue
                }
                text.unicodeScalars.append(character)
                column += 1
                if character == "\n" { (line, column) = (line + 1, 1) }
            }
        }
        return (text, places)
    }

    func findings() throws -> [Finding] {
        try FindingCase.findings(in: [self])
    }

    static func findings(in cases: [FindingCase]) throws -> [Finding] {
        var scan = FindingScan()
        for file in cases { scan.read(file.path, try JSONTable(parsing: Array(file.unmarked.text.utf8))) }
        return scan.findings
    }

    static func findings(in path: String, _ bytes: [UInt8]) throws -> [Finding] {
        var scan = FindingScan()
        scan.read(path, try JSONTable(parsing: bytes))
        return scan.findings
    }
}

extension FindingCase {
    /// A binding of a label.
    static func binding(_ members: String) -> FindingCase {
        FindingCase(
            path: "Feed.json", marked: "{\"Feed\": {\"elements\": {\"label\": {\"bindings\": [\n  {\(members)}\n]}}}}")
    }

    static func predicate(_ text: String) -> FindingCase { binding("\"predicateFormat\": \"\(text)\"") }

    /// The attributes of a mediator.
    static func attributes(_ members: String) -> FindingCase {
        object("\"type\": \"ManagedObjectsProvider\",\n \"attrs\": {\(members)}")
    }

    static func object(_ members: String) -> FindingCase {
        FindingCase(path: "Base.lproj/Feed.json", marked: "{\"Feed\": {\n\"objects\": {\"posts\": {\(members)}}}}")
    }

    static func element(_ members: String, id: String = "label") -> FindingCase {
        FindingCase(path: "Feed.json", marked: "{\"Feed\": {\"elements\": {\"\(id)\":\n{\(members)}}}}")
    }

    static func service(_ members: String, name: String = "Service.json") -> FindingCase {
        FindingCase(path: name, marked: "{\n  \(members)\n}")
    }

    static func baseURL(_ text: String) -> FindingCase { service("\"defaults\": {\"baseUrl\": \"\(text)\"}") }
}

@Suite struct `Predicates in scheme files` {
    @Test(
        arguments: [
            .predicate("‹predicate-function›FUNCTION(SELF, 'terminate') = 1"),
            .predicate("a = 1 AND ‹predicate-function›function ( SELF , \\\"performSelector:\\\" , 'x') = 1"),
            .predicate("‹predicate-function›FUNCTION(SELF, name) = 1"),
            .predicate("‹predicate-function›FUNCTION(SELF, $selector) = 1"),
            .predicate("‹predicate-function›FUNCTION(SELF, 'sum:' + 'x') = 1"),
            .predicate("‹predicate-function›FUNCTION(SELF) = 1"),
            .predicate("(1 + ‹predicate-function›FUNCTION(‹predicate-function›FUNCTION(a, 'x'), 'y')) > 2"),
            .predicate("‹predicate-function›fetch(a, b) = 1"),
            .predicate("‹predicate-cast›CAST(a, 'NSTask') = 1"),
            .predicate("a = ‹predicate-cast›cast('x', \\\"NSInvocation\\\")"),
            .predicate("‹predicate-cast›CAST(a, type) = 1"),
            .predicate("‹predicate-cast›CAST(a) = 1"),
            .predicate("x = 'é' AND ‹predicate-cast›CAST(a, 'Class') = 1"),
            .predicate("name = ‹predicate-argument›%@"),
            .predicate("‹predicate-argument›%K = 1"),
            .predicate("count > ‹predicate-argument›%d"),
            .predicate("count > ‹predicate-argument›%ld AND ‹predicate-argument›%K = 2"),
            .predicate("\\u00e9 = ‹predicate-argument›%@"),
            .predicate("\\ud83d\\ude00 = ‹predicate-argument›%@"),
            .predicate("\\\"\\\\n\\\" = ‹predicate-argument›%@"),
            .predicate("a = ‹predicate-syntax›'b"),
            .predicate("a = ‹predicate-syntax›\\\"b"),
            .predicate("a = ‹predicate-syntax›'b\\\\'"),
            .predicate("(a = 1‹predicate-syntax›"),
            .predicate("a = 1‹predicate-syntax›)"),
            .predicate("a IN {1, 2‹predicate-syntax›)"),
            .predicate("a = 1 ‹predicate-syntax›; b = 2"),
            .predicate("a ==‹predicate-syntax›"),
            .predicate("‹predicate-syntax›== a"),
            .predicate("a = 1 AND‹predicate-syntax›"),
            .predicate("‹predicate-syntax›OR a = 1"),
            .predicate("a ‹predicate-syntax›b = 1"),
            .predicate("a = 1‹predicate-syntax›, b = 2"),
            .predicate("‹predicate-syntax›content.isMine"),
            .attributes("\"predicateFormat\": \"‹predicate-cast›CAST(a, 'NSURL') = 1\""),
            .attributes("\"filterFormat\": \"‹predicate-function›FUNCTION(a, 'x') = $input\""),
            .object(
                "\"type\": \"TableDisplayController\", \"evals\": {\"cellIdentifier\": {\"predicateFormat\": \"a = ‹predicate-argument›%@\"}}"
            ),
            .element("\"attrs\": {\"wx.addBinding\": ‹predicate-argument›\"\\\"predicateFormat\\\": \\\"a = %@\\\"\"}"),
        ] as [FindingCase])
    func `a dangerous predicate in a scheme file is found`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test(arguments: [
        "favoritesCount > 0", "text CONTAINS[cd] $input", "content == nil", "a = 1 OR b.c == 1", "a = '%@ 100%'",
        "FUNCTION(a, 'uppercase:') = 'A'", "CAST(a, 'NSNumber') > 1", "CAST(CAST(a, 'NSDate'), \\\"NSNumber\\\") > 1",
        "sum:(a.b) > 1 AND length(a) < 3", "a IN {1, 2, 'x'}", "NOT (a = 1) AND !(b = 2)", "ANY a.b LIKE[c] 'x*'",
        "SUBQUERY(items, $x, $x.price > 10).@count > 0", "a[FIRST].b = 1 OR a[0] = 2", "TRUEPREDICATE", "",
        "a BETWEEN {1, 10}", "name UTI-CONFORMS-TO 'public.image'", "a ** 2 - -1 <= 1e-5", "content.next.parent.x = 1",
        "name = 'it\\\\'s; (unbalanced'", "a != \\\"CAST(x,'NSTask')\\\"", "functional = 1 AND castle = 2", "#size = 2",
        "name MATCHES '[a-z]+(-[a-z]+)*'", "name MATCHES '(\\\\\\\\w+\\\\\\\\s)*x'", "name MATCHES '(ab|cd)+'",
        "name MATCHES '(a++)+'", "name MATCHES '([+*]x)+'", "name LIKE '(a+)+'", "@count > 2 && yes == TRUE",
    ])
    func `a sound predicate in a scheme file is accepted`(_ text: String) throws {
        try expectMarks(.predicate(text))
    }

    @Test func `a predicate that is nested too deeply is refused`() throws {
        let depth = 50_000
        let nested = String(repeating: "CAST(", count: depth) + "a" + String(repeating: ", 'NSDate')", count: depth)
        let findings = try FindingCase.predicate(nested + " > 1").findings()
        #expect(findings.map(\.code.rawValue) == ["predicate-syntax"])
    }
}

func expectMarks(_ sample: FindingCase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let places = try sample.findings().map {
        FindingCase.Place(code: $0.code.rawValue, line: $0.place?.line ?? 0, column: $0.place?.column ?? 0)
    }
    #expect(places == sample.unmarked.places, sourceLocation: sourceLocation)
}

/// Goal: a bundle that shows nothing, or that was not built, is not published in silence. Method: uploads with sources
/// at various places.
@Suite struct `A bundle as a whole` {
    private static let text: [UInt8] = Array("<document/>".utf8)

    private func codes(_ files: [(String, [UInt8])]) throws -> [String] {
        try Intake.take(Intake.archive(files)).report.findings.map(\.code.rawValue)
    }

    @Test func `a bundle without a first screen is a finding that strict refuses`() throws {
        let bytes = Intake.archive([("a.json", Media.json)])
        let findings = try Intake.take(bytes).report.findings
        #expect(findings.map(\.code.rawValue) == ["no-interface"] && findings[0].severity == .warning)
        #expect(findings[0].place == Place(file: "Main.storyboardc"))
        #expect(try Intake.refusal(bytes, strict: true)?.details.first?.code == "no-interface")
    }

    @Test func `a bundle with a first screen has no finding`() throws {
        #expect(try codes(FirstScreenFiles.all).isEmpty)
        #expect(try codes(FirstScreenFiles.all(in: "Base.lproj/")).isEmpty)
        #expect(try codes(FirstScreenFiles.all(in: "en.lproj/")).isEmpty)
        #expect(try Intake.refusal(Intake.archive(FirstScreenFiles.all), strict: true) == nil)
    }

    @Test(arguments: [
        ("Main.storyboard", "Main.storyboard"), ("Main.screens", "Main.screens"), ("Cells/Row.xib", "Cells/Row.xib"),
        ("MAIN.STORYBOARD", "MAIN.STORYBOARD"),
        ("Model.xcdatamodeld/Model.xcdatamodel/contents", "Model.xcdatamodeld"),
        ("Art.xcassets/Lamp.imageset/Contents.json", "Art.xcassets"),
    ])
    func `a source in a bundle is a finding at the source`(_ path: String, _ source: String) throws {
        let file = path.hasSuffix(".json") ? Media.json : Self.text
        let bytes = Intake.archive(FirstScreenFiles.all + [(path, file)])
        let report = try Intake.take(bytes).report
        #expect(report.findings.map(\.code) == [.sources] && report.findings[0].place?.file == source)
        #expect(try Intake.refusal(bytes, strict: true)?.details.first?.code == "sources")
    }

    @Test func `each source in a bundle is listed once, and twenty at most`() throws {
        let assets = (0..<9).map { ("Art.xcassets/\($0).json", Media.json) }
        #expect(try codes(FirstScreenFiles.all + assets) == ["sources"])
        let screens = (0..<30).map { ("\($0).xib", Self.text) }
        #expect(try codes(FirstScreenFiles.all + screens).count == 20)
    }

    @Test func `files that a desktop left behind are not findings`() throws {
        #expect(try codes(FirstScreenFiles.all + [("__MACOSX/._Main.storyboard", Self.text)]).isEmpty)
    }

    @Test func `findings about the bundle come before findings about a file`() throws {
        let strings = Array("'a' = \"b\";".utf8)
        let codes = try codes([("de.lproj/A.strings", strings), ("Main.storyboard", Self.text)])
        #expect(codes == ["no-interface", "sources", "single-quotes"])
    }
}
