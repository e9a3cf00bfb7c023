import HTTPServer
import TestSupport
import Testing

@testable import RegistryServer

/// Goal: a process that was taken over cannot write markup into the inspector, nor stop the registry. Method: documents that no
/// process of ours sends.
@Suite struct `The inspector` {
    private static func document(_ element: String, _ log: String = "[]") -> [UInt8] {
        Array(
            """
            {"screen": "<b>S", "title": "", "budgets": [{"name": "<i>", "used": -1, "limit": 9223372036854775807}],
             "findings": ["<u>"], "logged": 5, "log": \(log), "elementCount": 2, "elements": [\(element)]}
            """.utf8)
    }

    private static let element = """
        {"depth": 9999999, "kind": "<label>", "key": "&", "name": "<a>", "frame": [1e300, -0.05, 1.25, 3], "place": "<p>",
         "events": ["<tap>"], "rules": ["<r>"],
         "values": [{"name": "<n>", "value": "<v>", "why": "<w>", "place": "<q>", "inputs": ["<in>"]}, {"name": "s", "why": "a secret"}]}
        """

    @Test func `Texts of the process show as text`() throws {
        let inspection = try #require(
            Inspection(Self.document(Self.element, #"[{"kind": "<k>", "text": "<t>"}]"#)))
        let text = Self.page(inspection)
        for word in ["b>S", "i>", "u>", "label>", "a>", "p>", "tap>", "r>", "n>", "v>", "w>", "q>", "in>", "k>", "t>"] {
            #expect(text.contains("&lt;\(word.replacing(">", with: "&gt;"))"), "\(word)")
        }
        #expect(text.contains("not shown</td>") && text.contains("class=\"level-8\""))
        #expect(text.contains("1.3 × 3") && text.contains("first 1 of 2") && text.contains("last 1 of 5 lines"))
    }

    private static func page(_ inspection: Inspection, query: String = "", viewing: String? = nil) -> String {
        let page = InspectorPage(
            bundle: "com.example.A", key: "1~1", inspection: inspection, query: query, viewing: viewing)
        return String(decoding: RootPath.filled(page.bytes(), ""), as: UTF8.self)
    }

    @Test func `A link leads back to the widget, for the same reader, or to its page while it runs`() throws {
        let inspection = try #require(Inspection(Self.document(Self.element)))
        let place = "/w/com.example.A/1~1/try"
        #expect(Self.page(inspection).contains("href=\"\(place)\" class=\"button quiet\">Back to the widget</a>"))
        #expect(Self.page(inspection, query: "?dir=rtl").contains("href=\"\(place)?dir=rtl\" class="))
        #expect(Self.page(inspection, query: "?dir=rtl", viewing: "0a").contains("href=\"/live/0a\" class="))
        #expect(InspectorPage.address(place, "") == "\(place)?inspect")
        #expect(InspectorPage.address(place, "?dir=rtl") == "\(place)?dir=rtl&inspect")
    }

    @Test(arguments: [
        "", "{}", "[]", "null", String(repeating: "[", count: 100_000), #"{"screen": 1}"#,
        "{\"screen\": \"\(String(repeating: "a", count: 300 << 10))\"}",
    ])
    func `A document of another form is refused`(text: String) {
        #expect(Inspection(Array(text.utf8)) == nil)
    }

    @Test func `A place of three numbers is not a place, and the other values are kept`() throws {
        let element = Self.element.replacing("[1e300, -0.05, 1.25, 3]", with: "[1, 2, 3]")
        let inspection = try #require(Inspection(Self.document(element)))
        #expect(inspection.elements[0].frame == nil && inspection.elements[0].values.count == 2)
    }
}
