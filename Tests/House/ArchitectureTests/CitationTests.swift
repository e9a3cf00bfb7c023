import Testing

/// Goal: a reader can look up what a test cites. Method: the citations in tests are compared with the headings and rows
/// of the documents, both ways.
@Suite struct `Citations of documents` {
    @Test func `A test cites only what the documents have`() {
        #expect(Citations.all.count > 200)
        for (document, cited) in Dictionary(grouping: Citations.all, by: \.document).sorted(by: { $0.key < $1.key }) {
            let defined = Citations.definitions(in: document)
            for citation in cited where !defined.contains(citation.name) {
                Issue.record(
                    """
                    \(citation.path):\(citation.line) cites \(citation.name), which \(document) does not have: \
                    add it there, or correct the citation
                    """)
            }
        }
    }

    @Test func `A test cites no list that is kept elsewhere`() {
        let foreign = /(?i)\b(?:(?:friction|finding|issue) #?\d+|trial §|attack\.md|house-review)/
        let places = Repository.tests.flatMap { file in
            Citations.prose(of: file.text).filter { $0.text.contains(foreign) }.map {
                "\(file.path):\($0.line): \($0.text)"
            }
        }
        #expect(places.isEmpty)
    }

    @Test(arguments: [Citations.framework, Citations.threats, Citations.updates])
    func `A numbered case, defect or threat has a test that cites it`(document: String) {
        let cited = Set(Citations.all.filter { $0.document == document }.map(\.name))
        let numbered = Citations.definitions(in: document).filter { !$0.hasPrefix("§") }
        #expect(numbered.count >= 6)
        #expect(numbered.subtracting(cited).sorted().isEmpty, "\(document) numbers what no test cites")
    }

    @Test(
        arguments: [
            ("/// §5 and §6: how often.", ["http §5", "http §6"]), ("/// RFC 9112 §6.3, §7 and §9.", []),
            ("/// see RFC 9112\n/// §6.3; here it is §99", ["http §99"]),
            ("/// As widgetkit.md §3.1 has it.", ["widgetkit §3.1"]),
            ("func `case 14 and 15: sorts both ways`() {", ["widgetkit case 14", "widgetkit case 15"]),
            ("switch n {\n    case 20: break\n}", []), ("#expect(a.hasPrefix(\"I3\"))", ["faults I3"]),
            ("@Suite(\"A4: publishing\") struct X {", ["threats A4"]),
            ("@Test func `C6: A failed update`() {", ["updates C6"]), ("/// The C6 of a key.", []),
            (
                "/// Defects 3 to 5 (A1, D31).",
                [
                    "widgetkit defect 3", "widgetkit defect 5", "threats A1", "faults D31",
                ]
            ),
        ] as [(String, [String])])
    func `A citation is found in names and comments, and public standards are left out`(text: String, found: [String]) {
        let citations = Citations.citations(in: Citations.prose(of: text), "Text.swift")
        #expect(citations.map { "\($0.document.dropFirst(5).dropLast(3)) \($0.name)" } == found)
    }
}
