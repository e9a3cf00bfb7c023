import Testing
import WidgetBytes
import XMLText

@Suite struct `An XML document` {
    private func read(_ text: String, limits: XMLLimits = XMLLimits()) throws -> XMLElement {
        try XMLDocument(parsing: Array(text.utf8), limits: limits).root
    }

    @Test func `An XML document keeps elements, attributes and text in order`() throws {
        let root = try read(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <!-- a comment --><a b="1" c='two &quot;&#x41;&#66;&#10;'><d/>x &lt; y<![CDATA[ & <z>]]><!-- no --><e f="ä"/></a>
            """)
        #expect(root.name == "a")
        #expect(root.attributes.map(\.name) == ["b", "c"])
        #expect(root["c"] == "two \"AB\n")
        #expect(root["missing"] == nil)
        #expect(root.children.map(\.name) == ["d", "e"])
        #expect(root.text == "x < y & <z>")
        #expect(root.child(named: "e")?["f"] == "ä")
        #expect(root.position == TextPosition(line: 2, column: 19))
        #expect(root.children[1].position.line == 2)
        #expect(root.position(of: root.attributes[1]).column == 28)
    }

    @Test func `An XML document nests children under the element around them`() throws {
        let root = try read("<a><b><c/><d><e/></d></b><f/></a>")
        #expect(root.children.map(\.name) == ["b", "f"])
        #expect(root.children[0].children.map(\.name) == ["c", "d"])
        #expect(root.children[0].children[1].children.map(\.name) == ["e"])
        #expect(root.document.elementCount == 6)
    }

    @Test func `An XML document reads every line end as one, and white space in attributes as blanks`() throws {
        let root = try read("<a b='1\r\n2\t3\n4'>x\r\ny\rz\n</a>")
        #expect(root["b"] == "1 2 3 4")
        #expect(root.text == "x\ny\nz\n")
    }

    static let refusals: [(String, XMLError.Reason, Int)] = [
        ("", .emptyDocument, 0), ("text", .unexpectedText, 0), ("<a>", .truncated, 3), ("<a", .truncated, 2),
        ("<a></b>", .mismatchedEnd(expected: "a", found: "b"), 3), ("<a/><b/>", .trailingContent, 4),
        ("<a b=1/>", .invalidTag, 5), ("<a b='1'c='2'/>", .invalidTag, 0),
        ("<a b='1' b='2'/>", .duplicateAttribute("b"), 9),
        ("<a>&nbsp;</a>", .unknownEntity("nbsp"), 3), ("<a>&#0;</a>", .invalidCharacterReference, 3),
        ("<a>&#xD800;</a>", .invalidCharacterReference, 3), ("<a>&#+65;</a>", .invalidCharacterReference, 3),
        ("<a>]]></a>", .sectionEndInText, 3), ("<a><!-- -- --></a>", .invalidComment, 8),
        ("<!DOCTYPE a><a/>", .documentType, 0), ("<a><!ENTITY x 'y'></a>", .markupDeclaration, 3),
        ("<a><?php ?></a>", .processingInstruction, 3), ("<?xml version='1.1'?><a/>", .xmlDeclaration, 0),
        ("<?xml version='1.0' encoding='latin1'?><a/>", .unsupportedEncoding, 0),
        ("<a>\u{1}</a>", .invalidCharacter(1), 3),
        ("<a b='<'/>", .invalidTag, 6), ("<1/>", .invalidTag, 1), ("< a/>", .invalidTag, 1),
    ]

    @Test(arguments: refusals)
    func `A malformed XML document is refused with its place`(_ text: String, _ reason: XMLError.Reason, _ offset: Int)
    {
        let error = #expect(throws: XMLError.self) { try read(text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.description.isEmpty == false)
    }

    @Test func `An XML document is refused exactly above each limit`() throws {
        let text = "<a x='1' y='2'><b><c/></b></a>"
        for (name, good) in [
            ("byteCount", XMLLimits(byteCount: 30)), ("depth", XMLLimits(depth: 3)),
            ("elementCount", XMLLimits(elementCount: 3)), ("attributeCount", XMLLimits(attributeCount: 2)),
        ] {
            #expect(throws: Never.self) { try read(text, limits: good) }
            let tight = XMLLimits(
                byteCount: name == "byteCount" ? 29 : 100, depth: name == "depth" ? 2 : 100,
                elementCount: name == "elementCount" ? 2 : 100, attributeCount: name == "attributeCount" ? 1 : 100)
            let error = #expect(throws: XMLError.self) { try read(text, limits: tight) }
            guard case .limitReached(let reached, _)? = error?.reason else {
                Issue.record("no limit was reached")
                continue
            }
            #expect(reached.rawValue == name)
        }
    }

    @Test func `An XML document is refused without recursion when nested without end`() {
        let error = #expect(throws: XMLError.self) { try read(String(repeating: "<a>", count: 100_000)) }
        #expect(error?.reason == .limitReached(.depth, limit: 256))
    }

    @Test func `An XML document is refused when it is cut at any byte`() throws {
        let text = Array("<?xml version=\"1.0\"?><a b='&amp;ä'><!-- c --><d>x</d><![CDATA[y]]></a>".utf8)
        #expect(throws: Never.self) { try XMLDocument(parsing: text) }
        for count in text.indices {
            let error = #expect(throws: XMLError.self) { try XMLDocument(parsing: Array(text[..<count])) }
            #expect((0...count).contains(error?.offset ?? -1))
        }
    }
}
