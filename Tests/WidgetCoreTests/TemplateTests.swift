import Predicates
import Testing

@testable import WidgetCore

/// Goal: what stands in a text is filled in, and everything else stays as it is. Method: texts and what becomes of them.
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
    func `reads along key paths`(template: String, expected: String) {
        #expect(Self.text(template, .keyPaths) == expected)
    }

    @Test(arguments: [("/$a.json", "/A.json"), ("/$b.c", "/{c: C}.c"), ("$a/$a?q=$a&x", "A/A?q=A&x")])
    func `reads one key in the path of a request, where a dot is a dot`(template: String, expected: String) {
        #expect(Self.text(template, .keys) == expected)
    }

    @Test(arguments: [
        ("%@", "2.5"), ("%.1f", "2.5"), ("%.3f|", "2.500|"), ("%f", "2.500000"), ("%d", "2"), ("%ld%%", "2%"),
        ("%5.2f", "2.50"),
        ("%", "%"), ("50 % of %@", "50 % of 2.5"), ("%x", "%x"), ("%%@", "%@"), ("%.99999999999999999999f", "2.500000"),
    ])
    func `writes its root where a format asks for it`(template: String, expected: String) {
        let shown = Template(template, .format).text(root: .double(2.5), environment: PredicateEnvironment())
        #expect(shown == expected)
    }

    @Test func `of one place alone is what stands there, and no text`() {
        let value = Template("$größe", .keyPaths).value(root: Self.root, environment: PredicateEnvironment())
        #expect(value.isIdentical(to: .integer(7)))
        let text = Template("$größe ", .keyPaths).value(root: Self.root, environment: PredicateEnvironment())
        #expect(text.isIdentical(to: .string("7 ")))
    }

    @Test func `joins no pieces to a letter with more marks than any has`() {
        let root = SampleModel.object(["m": .string(String(repeating: "\u{301}", count: 60))])
        func text(_ count: Int) -> String {
            let template = Template("e" + String(repeating: "$m", count: count), .keyPaths)
            return template.text(root: root, environment: PredicateEnvironment())
        }
        #expect(text(4).unicodeScalars.count == 241)
        #expect(text(5).isEmpty && text(1_000).isEmpty)
    }

    @Test func `in data fills texts in, and leaves the rest as it was`() {
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
