import Foundation
import Testing
import WidgetFiles
import WidgetHosting
import WidgetRunning
import WidgetRuntime
import WidgetTestSupport

/// Goal: any number of readers follow one session. Method: readers that are quick, slow, late, and that stop.
@Suite struct `The readers of a session` {
    private static let document = #"""
        {"schema": 1, "state": {"count": 0}, "root": [
          {"kind": "label", "payload": {"text": {"$": ["Sum ", "$count"]}}},
          {"kind": "button", "id": "add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#

    private static func session(in scratch: borrowing ScratchDirectory) async throws -> WidgetSession {
        try await WidgetSession(path: try NewsBundle(["Main.widgets.json": document], in: scratch).path)
    }

    /// Reads until the screen has a text; the number of elements that it took.
    private static func read(_ changes: AsyncStream<Void>, of session: WidgetSession, until text: String) async -> Int?
    {
        var count = 0
        for await _ in changes {
            count += 1
            if await session.screen().text().contains(text) { return count }
        }
        return nil
    }

    @Test func `Each of several readers sees the last state, and none keeps it from another`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await Self.session(in: scratch)
        // One that has asked for its stream and does not read yet.
        let late = session.changes
        let readers = (0..<8).map { _ in Task { await Self.read(session.changes, of: session, until: "Sum 50") } }
        for _ in 0..<50 { try await session.tap("add") }
        for reader in readers { #expect(await reader.value != nil) }
        #expect(await Self.read(late, of: session, until: "Sum 50") == 1, "its elements are one")
        #expect(
            await Self.read(session.changes, of: session, until: "Sum 50") == 1, "a new stream has an element at once")
        await session.stop()
        #expect(await Self.read(session.changes, of: session, until: "Sum 51") == nil)
    }

    @Test func `A reader that stops frees what it held, by its own choice or when it is cancelled`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await Self.session(in: scratch)
        let watched = session.changes
        let before = session.running.viewerCount
        for _ in 0..<100 { #expect(await Self.read(session.changes, of: session, until: "Sum 0") == 1) }
        #expect(session.running.viewerCount == before)
        let isReading = Observed(false)
        let cancelled = Task {
            for await _ in session.changes { isReading.change { $0 = true } }
        }
        await isReading.becomes { $0 }
        cancelled.cancel()
        await cancelled.value
        #expect(session.running.viewerCount == before)
        try await session.tap("add")
        #expect(await Self.read(watched, of: session, until: "Sum 1") != nil)
        await session.stop()
        #expect(session.running.viewerCount == 0)
    }

    @Test func `The streams of a session end when its app has dropped it`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var session: WidgetSession? = try await Self.session(in: scratch)
        let changes = try #require(session).changes
        session = nil
        for await _ in changes {}
    }

    // MARK: - Links

    private static let links = #"""
        {"schema": 1, "state": {"events": []},
         "links": {"event": {"pattern": "acme://events/{id:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id"}},
           "person": {"pattern": "acme://people/{id}", "scene": "Person", "parameters": {"id": "who"}}},
         "on": {"appear": {"do": "after", "seconds": 3, "then": {"do": "set", "state": "events",
           "to": [{"id": 4, "name": "Fork"}, {"id": 5, "name": "Push"}]}}},
         "root": [{"kind": "table", "id": "rows", "items": {"in": "$events", "as": "event", "key": "$event.id"},
            "children": [{"kind": "cell", "payload": {"title": "$event.name"}}]}]}
        """#
    private static let person =
        #"{"schema": 1, "parameters": {"who": "?"}, "root": [{"kind": "label", "payload": {"text": "$who"}}]}"#

    private static func linked(
        _ clock: SteppedClock, in scratch: borrowing ScratchDirectory
    ) async throws -> WidgetSession {
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        let bundle = try NewsBundle(
            ["Main.widgets.json": links, "Person.widgets.json": person], in: scratch)
        return try await WidgetSession(path: bundle.path, configuration: configuration)
    }

    /// A task that follows a link which waits for its row.
    private static func pending(_ address: String, in session: WidgetSession) async -> Task<LinkEnd, Never> {
        let task = Task { await session.follow(address) }
        for await _ in session.changes where await session.screen().link == .pending { break }
        return task
    }

    @Test func `A link that waits for its row says in the end which screen has opened it, or why none has`()
        async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        let session = try await Self.linked(clock, in: scratch)
        #expect(await session.screen().link == nil)
        let push = await Self.pending("acme://events/5", in: session)
        await clock.advance(by: 5)
        let end = await push.value
        #expect(end.isOpened && end.screen == "Main" && end.widget == "com.example.News" && end.reason == nil)
        #expect(end.address == "acme://events/5")
        #expect(await session.screen().link == .handled)
        let missing = await session.follow("acme://events/9")
        #expect(!missing.isOpened && missing.screen == nil && missing.reason?.contains("no row") == true)
        let foreign = await session.follow("acme://elsewhere")
        #expect(foreign.reason?.contains("no route of the widget") == true)
        let person = await session.follow("acme://people/Ann")
        #expect(person.isOpened && person.screen == "Person")
        await session.stop()
        #expect(await session.follow("acme://people/Ann").reason == "the widget has been stopped")
    }

    @Test func `A link whose row does not come ends by another link, by its task, or with the session`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        let session = try await Self.linked(clock, in: scratch)
        let replaced = await Self.pending("acme://events/5", in: session)
        #expect(await session.open("acme://events/4") == .pending)
        #expect(await replaced.value.reason == "another link was opened before its row had come")
        let cancelled = Task { await session.follow("acme://events/5") }
        cancelled.cancel()
        #expect(await cancelled.value.reason == "the task that waited for the link was cancelled")
        let stopped = await Self.pending("acme://events/4", in: session)
        await session.stop()
        #expect(await !stopped.value.isOpened)
    }
}
