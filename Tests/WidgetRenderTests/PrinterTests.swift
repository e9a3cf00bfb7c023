import Predicates
import Testing
import WidgetCore
import WidgetRender

/// Goal: a printer that is added is a row of one list. Method: each of the list, with a view that has something of all.
@Suite struct `The list of printers` {
    private static let view = Text.view([
        Text.node(.label, [(.text, .string("Planets"))]),
        Text.node(.picker, [(.titles, .array([.string("Mercury"), .string("Venus")])), (.value, .integer(1))], id: 2),
    ])

    @Test func `has each under a name of its own`() {
        #expect(ViewPrinters.all.map { $0.name } == ["text", "json"] && ViewPrinters.choice == "text or json")
        #expect(Set(ViewPrinters.all.map { $0.mediaType }).count == ViewPrinters.all.count)
        for printer in ViewPrinters.all { #expect(ViewPrinters.named(printer.name) == printer) }
        #expect(ViewPrinters.named("html") == nil)
    }

    @Test func `prints what the printers themselves would`() throws {
        func printed(_ name: String) throws -> String {
            let printer = try #require(ViewPrinters.named(name)).init(PrintOptions(columns: 40, size: (1, 2)))
            return String(decoding: printer.print(Self.view, NoAssets()), as: UTF8.self)
        }
        #expect(try printed("text") == ViewText(width: 40).text(Self.view))
        #expect(try printed("json").utf8.elementsEqual(ViewJSON.document(Self.view, size: (1, 2))))
        #expect(try printed("text") == "Planets\n<Venus>\n")
    }

    @Test func `names pages on the web by their address, without asking for them`() {
        func web(_ address: Value) -> String {
            ViewText().text(Text.view([Text.node(.web, [(.value, address)])]))
        }
        #expect(web(.null) == "[web page]\n")
        #expect(web(.string("https://example.com/")) == "[web page: https://example.com/]\n")
        #expect(web(.string("a\u{1B}[31mb")) == "[web page: a[31mb]\n")
        let node = AccessibleNode(Text.node(.web, [(.value, .string("https://example.com/"))]))
        #expect(node.role == "document" && node.value == "https://example.com/")
    }
}
