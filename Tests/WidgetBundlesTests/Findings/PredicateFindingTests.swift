import Testing
import WidgetBundles

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
            .predicate("‹predicate-syntax›(a = 1"),
            .predicate(
                String(repeating: "(", count: 64) + "‹predicate-syntax›(a = 1" + String(repeating: ")", count: 65)),
            .predicate("a = 1‹predicate-syntax›)"),
            .predicate("a IN ‹predicate-syntax›{1, 2‹predicate-syntax›)"),
            .predicate("a = 1 ‹predicate-syntax›; b = 2"),
            .predicate("a ‹predicate-syntax›=="),
            .predicate("‹predicate-syntax›== a"),
            .predicate("a = 1 ‹predicate-syntax›AND"),
            .predicate("‹predicate-syntax›OR a = 1"),
            .predicate("a ‹predicate-syntax›b = 1"),
            .predicate("a = 1‹predicate-syntax›, b = 2"),
            .predicate("‹predicate-syntax›content.isMine"),
            .predicate("content.‹key-path›superview.tag = 1"),
            .predicate("label.‹key-path›parent.x = 1"),
            .predicate("SELF.‹key-path›class = 'x'"),
            .predicate("name MATCHES '‹slow-pattern›(a+)+'"),
            .predicate("name MATCHES[c] '‹slow-pattern›^([a-z]+)*$'"),
            .predicate("name MATCHES '‹slow-pattern›(x|(y*))+'"),
            .predicate("name MATCHES '‹slow-pattern›(.*,)+'"),
            .predicate("name MATCHES '‹slow-pattern›(?:\\\\\\\\w+\\\\\\\\s?){2,}'"),
            .attributes("\"predicateFormat\": \"‹predicate-cast›CAST(a, 'NSURL') = 1\""),
            .attributes("\"filterFormat\": \"‹predicate-function›FUNCTION(a, 'x') = $input\""),
            .object(
                "\"type\": \"TableDisplayController\", \"evals\": {\"cellIdentifier\": {\"predicateFormat\": \"a = ‹predicate-argument›%@\"}}"
            ),
            .element("\"attrs\": {\"wx.addBinding\": ‹predicate-argument›\"\\\"predicateFormat\\\": \\\"a = %@\\\"\"}"),
        ] as [FindingCase])
    func `are found out`(_ sample: FindingCase) throws {
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
    func `are let pass when they are sound`(_ text: String) throws {
        try expectMarks(.predicate(text))
    }

    @Test func `are read in time that grows with their length alone`() throws {
        let depth = 50_000
        let nested = String(repeating: "CAST(", count: depth) + "a" + String(repeating: ", 'NSDate')", count: depth)
        #expect(try FindingCase.predicate(nested + " > 1").findings().map(\.code) == ["predicate-syntax"])
    }
}

func expectMarks(_ sample: FindingCase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let places = try sample.findings().map { FindingCase.Place(code: $0.code, line: $0.line, column: $0.column) }
    #expect(places == sample.unmarked.places, sourceLocation: sourceLocation)
}
