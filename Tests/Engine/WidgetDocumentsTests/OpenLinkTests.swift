import Testing
import WidgetContract
import WidgetCore

@testable import WidgetDocuments

/// Goal: no link with a hole leaves a widget. Method: a button that opens a link, with values of every kind.
@Suite struct OpenLinkTests {
    private static let links =
        #""links": {"event": {"pattern": "acme://events/{id:integer}?tab={tab}", "scene": "Main"}}"#

    private static func bench(_ action: String, state: String = #"{"id": 5, "tab": "all of it"}"#) throws
        -> DocumentBench
    {
        try DocumentBench(
            #"{"schema": 1, "state": \#(state), \#(links), "root": {"kind": "button", "payload": {"text": "Go"}, "on": {"tap": \#(action)}}}"#
        )
    }

    private static let byName = #"{"do": "open", "link": "event", "with": {"id": "$id", "tab": "$tab"}}"#

    @Test(arguments: [
        byName,
        #"{"do": "open", "url": "acme://events/{id:integer}?tab={tab}", "with": {"id": "$id", "tab": {"$": "tab"}}}"#,
    ]) func `C18: A template is opened with its parts typed and percent-encoded`(action: String) throws {
        var bench = try Self.bench(action)
        #expect(bench.program.diagnostics.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("Go") == nil)
        #expect(bench.opened == ["acme://events/5?tab=all%20of%20it"] && bench.notice == nil)
        // It leads back into the widget with the same values.
        let destination = try bench.program.terms.router.destination(of: bench.opened[0]).get()
        #expect(destination.content.member("id").shown == "5" && destination.content.member("tab").shown == "all of it")
    }

    @Test(arguments: [
        (#"{"tab": "a"}"#, "the link is not opened, because its part id has no value"),
        (#"{"id": null, "tab": "a"}"#, "the link is not opened, because its part id has no value"),
        (
            #"{"id": "five", "tab": "a"}"#,
            "the link is not opened, because the value of its part id is not of the type integer"
        ),
    ]) func `U4: A link with a part that is null or of another type is not opened, and a notice says why`(
        state: String, notice: String
    ) throws {
        var bench = try Self.bench(Self.byName, state: state)
        #expect(try bench.tap("Go") == nil)
        #expect(bench.opened.isEmpty && bench.notice == notice)
    }

    @Test(arguments: [
        (#"{"do": "open", "link": "evnt"}"#, "No link is called evnt [dead-link]; did you mean event?"),
        (
            #"{"do": "open", "link": "event", "with": {"id": 5}}"#,
            "The link is never opened, because its part tab has no value [dead-link]"
        ),
        (
            #"{"do": "open", "link": "event", "with": {"id": "x", "tab": "a"}}"#,
            "The link is never opened, because x is not of the type integer of its part id [dead-link]"
        ),
        (
            #"{"do": "open", "link": "event", "with": {"id": 5, "tab": "a", "tap": 1}}"#,
            "The link has no part tap [unknown-key]; did you mean tab?"
        ),
        (#"{"do": "open"}"#, "The open has neither url nor link [bad-payload]"),
        (#"{"do": "open", "url": "a://b", "link": "event"}"#, "The open has a link and a url [bad-payload]"),
        (#"{"do": "open", "url": "a://b/{c"}"#, "[bad-value]; parts are written {name} or {name:type}"),
        (#"{"do": "open", "url": "a://b/{c}"}"#, "its part c has no value [dead-link]"),
    ]) func `A link that can never be opened is found before the widget runs`(action: String, message: String) throws {
        let messages = try Self.bench(action).messages
        #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
        #expect(messages.allSatisfy { $0.hasPrefix("Main.widgets.json:1:") })
    }
}
