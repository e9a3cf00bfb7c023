import JSONText
import Testing
import WidgetPredicates

@testable import WidgetCore

/// Goal: both ways of reading a document give the same value. Method: documents read both ways.
@Suite struct `A value of a document` {
    @Test(arguments: [
        "null", "true", "[false, 0, -1, 9223372036854775807, 9223372036854775808, 1.5, 1e400, \"\", \"é\\n\"]", "{}",
        "[[], {}, [[]]]",
        "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}, {\"b\": 5, \"a\": 6}, {\"a\": 7}, {\"a\": {\"a\": 8, \"b\": {\"a\": 9}}}]",
    ])
    func `A document's value is the same without a tree between`(text: String) throws {
        let bytes = Array(text.utf8)
        let made = Value(try JSONTable(parsing: bytes).root)
        #expect(made.isIdentical(to: Value(try JSONValue(parsing: bytes))))
    }

    @Test func `A document's value finds its members among few and among many, similar ones and others`() throws {
        for count in [1, 12, 13, 40] {
            let members = { (round: Int) in
                "{" + (0..<count).map { "\"k\($0)\": \(round * 1_000 + $0)" }.joined(separator: ",") + "}"
            }
            let text = "[" + (0..<20).map(members).joined(separator: ",") + "]"
            let rows = try #require(Value(try JSONTable(parsing: Array(text.utf8)).root).elements)
            for (round, row) in rows.enumerated() {
                for place in 0..<count {
                    #expect(row.member("k\(place)").isIdentical(to: .integer(Int64(round * 1_000 + place))))
                }
                #expect(row.member("k\(count)").isNull)
            }
        }
    }
}

/// Goal: the places of a template are filled in, and everything else stays as it is. Method: templates and their
/// results.
@Suite struct `A template` {
    private static let root = SampleModel.object([
        "a": .string("A"), "größe": .integer(7), "b": SampleModel.object(["c": .string("C")]), "n": .double(2.5),
        "_x1": .boolean(true),
    ])

    private static func text(_ text: String, _ style: Template.Style) -> String {
        Template(text, style).text(root: root, environment: PredicateEnvironment())
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("$a", "A"), ("x$a.y", "x"), ("$a$a", "AA"), ("$b.c!", "C!"), ("$a.", "A."),
        ("$a...", "A..."), ("$", "$"), ("$$a", "$A"), ("$.a", "$.a"), ("$ a", "$ a"), ("é$größe€", "é7€"),
        ("$größe.x", ""), ("$_x1", "1"), ("$missing-", "-"), ("%@", "%@"), ("100 %", "100 %"),
        ("$a\u{301}", ""),
        ("$b..c", "C"), ("漢$a漢", "漢"),
    ])
    func `A template reads along key paths`(template: String, expected: String) {
        #expect(Self.text(template, .keyPaths) == expected)
    }

    @Test(arguments: [("/$a.json", "/A.json"), ("/$b.c", "/{c: C}.c"), ("$a/$a?q=$a&x", "A/A?q=A&x")])
    func `A template reads one key in the path of a request, where a dot is a dot`(template: String, expected: String) {
        #expect(Self.text(template, .keys) == expected)
    }

    @Test(arguments: [
        ("%@", "2.5"), ("%.1f", "2.5"), ("%.3f|", "2.500|"), ("%f", "2.500000"), ("%d", "2"), ("%ld%%", "2%"),
        ("%5.2f", "2.50"),
        ("%", "%"), ("50 % of %@", "50 % of 2.5"), ("%x", "%x"), ("%%@", "%@"), ("%.99999999999999999999f", "2.500000"),
    ])
    func `A template writes its root where a format asks for it`(template: String, expected: String) {
        let shown = Template(template, .format).text(root: .double(2.5), environment: PredicateEnvironment())
        #expect(shown == expected)
    }

    @Test func `A template of one place alone gives the value itself, not a text`() {
        let value = Template("$größe", .keyPaths).value(root: Self.root, environment: PredicateEnvironment())
        #expect(value.isIdentical(to: .integer(7)))
        let text = Template("$größe ", .keyPaths).value(root: Self.root, environment: PredicateEnvironment())
        #expect(text.isIdentical(to: .string("7 ")))
    }

    @Test func `A template never joins pieces to a letter with too many marks`() {
        let root = SampleModel.object(["m": .string(String(repeating: "\u{301}", count: 60))])
        func text(_ count: Int) -> String {
            let template = Template("e" + String(repeating: "$m", count: count), .keyPaths)
            return template.text(root: root, environment: PredicateEnvironment())
        }
        #expect(text(4).unicodeScalars.count == 241)
        #expect(text(5).isEmpty && text(1_000).isEmpty)
    }

    @Test func `A template in data fills texts in, and leaves the rest as it was`() {
        let data = SampleModel.object([
            "fixed": .array([.string("x"), .integer(1)]),
            "mixed": .array([.string("x"), .string("$a"), .null, SampleModel.object(["deep": .string("$b.c")])]),
        ])
        let filled = StructuredTemplate(data).filled(from: Self.root, environment: PredicateEnvironment())
        let expected = SampleModel.object([
            "fixed": .array([.string("x"), .integer(1)]),
            "mixed": .array([.string("x"), .string("A"), .null, SampleModel.object(["deep": .string("C")])]),
        ])
        #expect(filled.isIdentical(to: expected))
        let written = StructuredTemplate(data).filled(from: nil, environment: PredicateEnvironment())
        #expect(written.isIdentical(to: data))
    }
}
