import Testing
import WidgetFiles
import WidgetTestSupport

@testable import WidgetHosting
@testable import WidgetRunning
@testable import WidgetRuntime

/// Goal: an app can do all that a script can. Method: each verb of scripts beside the act of sessions that does the same, on
/// one document; the list is a `switch`, so that a verb without an act does not compile.
@Suite struct `The verbs of scripts` {
    private static let document = #"""
        {"schema": 1, "state": {"said": "nothing", "name": "Ann", "list": ["ann", "ben", "cem"]},
         "on": {"load": {"do": "after", "seconds": 100, "then": {"do": "set", "state": "said", "to": "late"}}},
         "root": [
          {"kind": "label", "payload": {"text": {"$": ["Guests of ", "$name", ": ", "$said"]}}},
          {"kind": "textfield", "id": "name", "payload": {"value": "$name"},
           "on": {"submit": {"do": "set", "state": "said", "to": "submitted"}}},
          {"kind": "button", "id": "add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "append", "state": "list", "item": "new"}}},
          {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "on": {"tap": {"do": "alert", "title": "Sure?",
           "actions": [{"title": "Yes", "actions": {"do": "set", "state": "said", "to": "yes"}}]}}},
          {"kind": "button", "id": "more", "payload": {"text": "More"}, "on": {"tap": {"do": "push", "scene": "More"}}},
          {"kind": "table", "id": "guests", "items": {"in": "$list", "as": "n", "key": "$n"},
           "on": {"refresh": {"do": "set", "state": "said", "to": "refreshed"}}, "children": [
            {"kind": "cell", "payload": {"title": "$n"}, "on": {
              "select": {"do": "set", "state": "said", "to": "$n"},
              "delete": {"do": "remove", "state": "list", "is": "$n"}}}]}]}
        """#
    private static let more = #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": "More"}}]}"#
    private static let gull = "\(Corpus.repositoryRoot)/Bundles/HarbourLog/gull.png"

    /// A step of a script and the act of a session that does the same.
    private struct Pair {
        /// The element that is tapped before.
        var first: String?
        let step: String
        /// True if the step changes the screen of the document.
        var changes = true
        let act: @Sendable (WidgetSession, SteppedClock) async throws -> Void
    }

    private static func pair(_ verb: ScriptVerb) -> Pair {
        switch verb {
        case .tap: Pair(step: #"{"tap": "add"}"#) { session, _ in try await session.tap("add") }
        case .input:
            Pair(step: #"{"input": "name", "value": "Bo"}"#) { session, _ in
                try await session.type("Bo", into: "name")
            }
        case .submit: Pair(step: #"{"submit": "name"}"#) { session, _ in try await session.submit("name") }
        case .select:
            Pair(step: #"{"select": "guests", "row": 1}"#) { session, _ in
                try await session.select(row: 1, of: "guests")
            }
        case .delete:
            Pair(step: #"{"delete": "guests", "row": 1}"#) { session, _ in
                try await session.delete(row: 1, of: "guests")
            }
        case .scroll:
            Pair(step: #"{"scroll": "guests", "to": "start"}"#, changes: false) { session, _ in
                try await session.scroll("guests", toEnd: false)
            }
        case .refresh: Pair(step: #"{"refresh": "guests"}"#) { session, _ in try await session.refresh("guests") }
        case .pick:
            Pair(step: #"{"pick": "add", "file": "\#(gull)"}"#, changes: false) { session, _ in
                // Documents have no element that takes media, which both say.
                do throws(RuntimeError) {
                    try await session.pick(try PickedMedia(path: gull), for: "add")
                } catch {
                    if error.code != .refused { throw error }
                }
            }
        case .back:
            Pair(first: "more", step: #"{"back": true}"#, changes: false) { session, _ in try await session.back() }
        case .answer: Pair(first: "ask", step: #"{"answer": "Yes"}"#) { session, _ in try await session.tap("Yes") }
        case .link:
            Pair(step: #"{"link": "https://x.example/"}"#, changes: false) { session, _ in
                #expect(await session.open("https://x.example/") != .handled)
            }
        case .wait: Pair(step: #"{"wait": 120}"#) { _, clock in await clock.advance(by: 120) }
        case .expect:
            Pair(step: #"{"expect": "Guests of Ann"}"#, changes: false) { session, _ in
                #expect(await session.screen().text().contains("Guests of Ann"))
            }
        case .expectNot:
            Pair(step: #"{"expectNot": "Hosts"}"#, changes: false) { session, _ in
                #expect(await !session.screen().text().contains("Hosts"))
            }
        case .snapshot:
            Pair(step: #"{"snapshot": "end"}"#, changes: false) { session, _ in
                #expect(await !session.screen().text().isEmpty)
            }
        }
    }

    @Test(arguments: ScriptVerb.allCases)
    func `Each verb of scripts has an act of sessions that leads to the same screen`(
        verb: ScriptVerb
    ) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let bundle = try NewsBundle(
            ["Main.widgets.json": Self.document, "More.widgets.json": Self.more], in: scratch)
        let pair = Self.pair(verb)
        #expect(pair.step.hasPrefix("{\"\(verb.rawValue)\""))
        let first = pair.first.map { "{\"tap\": \"\($0)\"}, " } ?? ""
        let clock = SteppedClock(at: 1_529_524_800)
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        let session = try await WidgetSession(path: bundle.path, configuration: configuration)
        let before = await session.screen().text()
        if let name = pair.first { try await session.tap(name) }
        try await pair.act(session, clock)
        let after = await session.screen().text()
        #expect((after != before) == pair.changes, "\(after)")
        do throws(RuntimeError) {
            let played = try await WidgetScript("[\(first)\(pair.step)]").play(
                path: bundle.path, configuration: configuration)
            #expect(played.text == after && verb != .pick)
        } catch {
            #expect(verb == .pick, "\(error)")
        }
        await session.stop()
    }
}
