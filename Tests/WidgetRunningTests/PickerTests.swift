import Predicates
import Testing
import WidgetBuild
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: a picker and a page on the web go all the way from a storyboard to what is shown. Method: a screen that has both,
/// compiled, loaded and used.
@Suite struct `A picker and a page on the web` {
    private typealias S = TestStoryboard

    private static let configuration = """
        <wkWebViewConfiguration key="configuration">
        <audiovisualMediaTypes key="mediaTypesRequiringUserActionForPlayback" none="YES"/>
        <wkPreferences key="preferences"/></wkWebViewConfiguration>
        """

    private static func widget() throws -> DrivenWidget {
        try S.widget(
            S.element("pickerView", "planet", height: 100) + S.label("chosen", y: 120)
                + S.element("wkWebView", "page", y: 150, inside: configuration)
                + S.element("webView", "old", y: 180, attributes: #"scalesPageToFit="YES""#)
                + S.button("next", "Next", y: 210),
            #"""
            "elements": {
                "@self": {"attrs": {"content": {"address": "https://example.com/moons", "start": 1}}},
                "planet": {"attrs": {"titles": ["Mercury", "Venus", "Earth"]}, "bindings": [{"from": "content.start"}]},
                "chosen": {"bindings": [{"from": "planet.wx_value"}]},
                "page": {"bindings": [{"from": "content.address"}]}
            }
            """#
        ).started()
    }

    @Test func `are shown as text and as JSON`() throws {
        let widget = try Self.widget()
        #expect(widget.diagnostics.isEmpty)
        #expect(widget.text().contains("<Venus>\n1\n[web page: https://example.com/moons]\n[web page]\n"))
        let json = String(decoding: ViewJSON.document(widget.view(), size: (375, 667)), as: UTF8.self)
        #expect(json.contains(#""id":"planet","role":"combobox","value":"Venus""#))
        #expect(json.contains(#""id":"page","role":"document","value":"https://example.com/moons""#))
        #expect(widget.driver.waiting.isEmpty, "nothing is fetched")
    }

    @Test func `take titles and places, keep them, and tell who reads them`() throws {
        let widget = try Self.widget()
        try widget.type("Earth", into: "planet")
        #expect(widget.shows("<Earth>\n2\n"), "what is bound to it follows")
        try widget.type("0", into: "planet")
        #expect(widget.shows("<Mercury>\n0\n"))
        let key = try widget.key("planet")
        #expect(widget.send(.input(key, .string("Pluto"))) == "Pluto is not a value for a picker")
        #expect(
            widget.send(.input(try widget.key("page"), .string("x")))
                == "the element has no value that could be changed")
        widget.advance(by: 60)
        #expect(widget.shows("<Mercury>"), "what a person chose stays until the screen is refreshed")
    }
}
