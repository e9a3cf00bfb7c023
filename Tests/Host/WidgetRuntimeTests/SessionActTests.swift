import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRuntime
import WidgetSurroundings
import WidgetTestSupport

/// A service of sightings of birds in pages of four, behind the `request` function of an app.
private final class Sightings: Sendable {
    private let newest: Int
    let asked = Guarded([String]())

    init(newest: Int) { self.newest = newest }

    func decide(_ request: WidgetRequest) -> RequestDecision {
        let query = request.query.map { "?" + $0 } ?? ""
        asked.withLock { $0.append("\(request.method) \(request.path)\(query)") }
        switch (request.method, request.path) {
        case ("GET", "/1/sightings.json"):
            let before = request.query?.firstMatch(of: /before=(\d+)/).flatMap { Int($0.1) } ?? newest + 1
            let ids = (max(before - 4, 1)..<before).reversed()
            let objects = ids.map { id in
                """
                {"id": "\(id)", "text": "sighting \(id)", "place": null, "seen_at": "Wed Jun 20 \(id < 10 ? "0" : "")\(id):00:00 +0000 2018",
                 "author": {"id": "ada", "name": "Ada Wren", "handle": "ada", "picture": {"small": "https://x.example/a.png"}}}
                """
            }
            return .answer(body: Array(#"{"sightings": [\#(objects.joined(separator: ", "))]}"#.utf8))
        case ("POST", "/1/account/login.json"):
            return .answer(body: Array(#"{"account": {"id": "ada", "name": "Ada Wren", "handle": "ada"}}"#.utf8))
        case ("POST", "/1/media/upload.json"): return .answer(body: Array(#"{"media": {"id": "m1"}}"#.utf8))
        default: return .refuse("There is no \(request.path).")
        }
    }
}

/// Goal: an app can do all that a script can. Method: the samples, whose service is a function of the app, and documents.
@Suite struct `The acts of a session` {
    private static func aviary(_ service: Sightings, _ clock: SteppedClock) async throws -> WidgetSession {
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        configuration.network = try .granted(to: ["https://aviary.example.com/1"])
        configuration.request = { service.decide($0) }
        let session = try await WidgetSession(
            path: "\(Corpus.repositoryRoot)/Bundles/Aviary", configuration: configuration)
        await clock.settle()
        return session
    }

    @Test func `A list that is scrolled to its end loads more there`() async throws {
        let (service, clock) = (Sightings(newest: 20), SteppedClock(at: 1_529_524_800))
        let session = try await Self.aviary(service, clock)
        #expect(await !session.screen().text().contains("sighting 16"))
        try await session.scroll("feedTable")
        await clock.settle()
        #expect(await session.screen().text().contains("sighting 16"))
        try await session.scroll(toEnd: false)
        await clock.settle()
        #expect(
            service.asked.withLock { $0 } == [
                "GET /1/sightings.json?count=4", "GET /1/sightings.json?count=4&before=17",
            ])
        let error = await #expect(throws: RuntimeError.self) { try await session.scroll("feedTabel") }
        #expect(error?.code == .unknownElement && error?.hint == "did you mean feedTable?")
        await session.stop()
    }

    @Test func `A picture is picked for the element that wants one, and is sent`() async throws {
        let (service, clock) = (Sightings(newest: 3), SteppedClock(at: 1_529_524_800))
        let session = try await Self.aviary(service, clock)
        let gull = try PickedMedia(path: "\(Corpus.repositoryRoot)/Bundles/HarbourLog/gull.png")
        let early = await #expect(throws: RuntimeError.self) { try await session.pick(gull) }
        #expect(early?.code == .refused, "\(String(describing: early))")
        try await session.tap("sessionItem")
        await clock.settle()
        try await session.tap("writeButton")
        try await session.tap("pictureButton")
        #expect(await session.takeWishes() == [.pickMedia])
        try await session.pick(gull)
        await clock.settle()
        #expect(await session.screen().text().contains("[gull.png]"))
        #expect(service.asked.withLock { $0.last } == "POST /1/media/upload.json")
        try await session.pick(try PickedMedia(fileName: "../two.jpg", bytes: [0xFF, 0xD8]), for: "pictureButton")
        await clock.settle()
        #expect(await session.screen().text().contains("[two.jpg]"))
        await session.stop()
    }

    @Test(arguments: ["gull.svg", "gull", "", "gull.png.exe"])
    func `A file that is neither a picture nor a film is not picked`(name: String) throws {
        let error = #expect(throws: RuntimeError.self) { try PickedMedia(fileName: name, bytes: [1]) }
        #expect(error?.code == .invalidMedia)
        let missing = #expect(throws: RuntimeError.self) { try PickedMedia(path: "/nowhere/gull.png") }
        #expect(missing?.code == .invalidMedia)
        let large = #expect(throws: RuntimeError.self) {
            try PickedMedia(fileName: "large.png", bytes: [UInt8](repeating: 0, count: 8 << 20 | 1))
        }
        #expect(large?.code == .invalidMedia)
    }

    // MARK: - Rows

    private static let rows = #"""
        {"schema": 1, "state": {"list": ["ann", "ben", "cem", "dot"]}, "root": [
          {"kind": "label", "id": "title", "payload": {"text": "Guests"}},
          {"kind": "table", "id": "guests", "items": {"in": "$list", "as": "n", "key": "$n"}, "children": [
            {"kind": "cell", "payload": {"title": "$n"}, "on": {"delete": {"do": "remove", "state": "list", "is": "$n"}}}]}]}
        """#

    private static func rows(_ session: WidgetSession) async -> [(key: String, text: String)] {
        var (found, pending) = ([(key: String, text: String)](), [await session.screen().root])
        while let element = pending.popLast() {
            if element.role == "listitem" {
                found.append((element.key, element.children.compactMap(\.name).first ?? element.name ?? ""))
            }
            pending += element.children.reversed()
        }
        return found
    }

    @Test func `A row is deleted by its key or its text, wherever it has moved to`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await WidgetSession(path: try NewsBundle(["Main.widgets.json": Self.rows], in: scratch).path)
        let cem = try #require(await Self.rows(session).first { $0.text == "cem" })
        try await session.delete("ann")
        try await session.delete(cem.key)
        #expect(await Self.rows(session).map(\.text) == ["ben", "dot"])
        for (name, code) in [
            (cem.key, RuntimeError.Code.unknownElement), ("title", .unknownElement), ("guests", .unknownElement),
        ] {
            let error = await #expect(throws: RuntimeError.self) { try await session.delete(name) }
            #expect(error?.code == code, "\(name): \(String(describing: error))")
        }
        #expect(await Self.rows(session).count == 2)
        await session.stop()
    }

    // MARK: - Settling

    private static let timers = #"""
        {"schema": 1, "state": {"shown": "begun"}, "root": [
          {"kind": "label", "payload": {"text": {"$": ["It has ", "$shown"]}}},
          {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "after", "seconds": 30,
            "then": {"do": "set", "state": "shown", "to": "ended"}}}}]}
        """#

    @Test func `A session has settled when its answers have come`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let isOpen = Observed(false)
        var app = try NewsApp(granting: ["https://api.example.com"]) { _ in
            await isOpen.becomes { $0 }
            return .answer(body: Array(#"{"title": "Sun"}"#.utf8))
        }
        app.configuration.clock = nil
        let session = try await WidgetSession(
            path: try NewsBundle(asking: "https://api.example.com", in: scratch).path,
            configuration: app.configuration)
        async let isSettled = session.settle()
        isOpen.change { $0 = true }
        #expect(await isSettled)
        #expect(await session.screen().text().contains("News: Sun"))
        #expect(await session.settle(within: 0), "it has settled already")
        await session.stop()
        #expect(await !session.settle())
    }

    @Test func `A session that does not settle in time says so, and one whose timer has fired has settled`()
        async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        let session = try await WidgetSession(
            path: try NewsBundle(["Main.widgets.json": Self.timers], in: scratch).path, configuration: configuration)
        #expect(await session.settle())
        try await session.tap("go")
        let before = clock.clock.waitingCount
        async let soon = session.settle(within: 10)
        async let late = session.settle(within: 60)
        // Both have set their alarms.
        await clock.clock.waits(for: before + 2)
        await clock.advance(by: 10)
        #expect(await !soon)
        await clock.advance(by: 20)
        #expect(await late)
        #expect(await session.screen().text().contains("It has ended"))
        await session.stop()
    }

    /// True if a session has settled at a moment at which no time passes.
    private static func isSettled(_ session: WidgetSession, _ clock: ManualClock) async -> Bool {
        let end = clock.now + .seconds(60)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await session.settle() }
            group.addTask {
                // It waits.
                await clock.waits { $0.contains(end) }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    @Test(arguments: [(30.0, false), (59, false), (61, true), (3_600, true)])
    func `A timer beyond a minute is not waited for`(seconds: Double, isSettled: Bool) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        let timers = Self.timers.replacing("\"seconds\": 30", with: "\"seconds\": \(seconds)")
        let session = try await WidgetSession(
            path: try NewsBundle(["Main.widgets.json": timers], in: scratch).path, configuration: configuration)
        try await session.tap("go")
        #expect(await Self.isSettled(session, clock.clock) == isSettled)
        await clock.advance(by: seconds)
        #expect(await session.screen().text().contains("It has ended"))
        await session.stop()
    }

    @Test func `A source that is asked again and again is not waited for between its answers`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let app = try NewsApp(granting: ["https://api.example.com"]) { _ in .answer(body: Array("{}".utf8)) }
        let session = try await app.session(
            try NewsBundle(asking: "https://api.example.com", every: 5, in: scratch))
        for count in 1...3 {
            #expect(app.seen.withLock(\.count) == count)
            #expect(await Self.isSettled(session, app.clock.clock))
            await app.clock.advance(by: 5)
        }
        await session.stop()
    }

    @Test func `A wait ends with its task and with its session`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        let session = try await WidgetSession(
            path: try NewsBundle(["Main.widgets.json": Self.timers], in: scratch).path, configuration: configuration)
        try await session.tap("go")
        let before = clock.clock.waitingCount
        let cancelled = Task { await session.settle() }
        await clock.clock.waits(for: before + 1)
        cancelled.cancel()
        #expect(await !cancelled.value)
        await clock.clock.waits(forAtMost: before)
        let stopped = Task { await session.settle() }
        await clock.clock.waits(for: before + 1)
        await session.stop()
        #expect(await !stopped.value)
    }
}
