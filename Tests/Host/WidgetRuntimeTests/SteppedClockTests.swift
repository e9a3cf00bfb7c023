import Testing
import WidgetFiles
import WidgetRuntime

/// Goal: an app's own tests need no pauses for its widgets. Method: sessions under a clock that the test moves. A session
/// whose time passed by itself would fail each of them, or take hours.
@Suite struct `A clock that the app moves` {
    /// An egg that is done after five minutes, and news that are asked for every ten.
    private static let document = """
        { "schema": 1, "state": { "egg": "raw", "asked": 0 },
          "sources": { "news": { "action": "news", "every": 600 } },
          "root": [
            { "kind": "label", "id": "egg", "payload": { "text": { "$": ["The egg is ", "$egg"] } } },
            { "kind": "label", "id": "news", "payload": { "text": { "$": ["News: ", "$news.title"] } } },
            { "kind": "button", "id": "cook", "payload": { "text": "Cook" },
              "on": { "tap": [ { "do": "set", "state": "egg", "to": "cooking" },
                { "do": "after", "seconds": 300, "then": { "do": "set", "state": "egg", "to": "done" } } ] } } ] }
        """

    private static let services = """
        { "defaults": { "baseUrl": "https://api.example.com" }, "actions": { "news": { "path": "news" } } }
        """

    private static func bundle(in scratch: borrowing ScratchDirectory) throws -> String {
        try NewsBundle(["Main.widgets.json": document, "Service.json": services], in: scratch).path
    }

    private static func configuration(_ clock: SteppedClock) -> WidgetConfiguration {
        var configuration = WidgetConfiguration()
        configuration.clock = clock
        configuration.network = .scripted(["https://api.example.com/news": .response(body: ["title": "Rain"])])
        return configuration
    }

    @Test func `A timer fires when the clock comes to it, and not before`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 1_529_524_800)
        let session = try await WidgetSession(
            path: try Self.bundle(in: scratch), configuration: Self.configuration(clock))
        try await session.tap("cook")
        #expect(await session.screen().text().contains("The egg is cooking"))
        await clock.advance(by: 299)
        #expect(await session.screen().text().contains("The egg is cooking"))
        await clock.advance(by: 1)
        #expect(await session.screen().text().contains("The egg is done"))
        #expect(clock.moment == 1_529_525_100)
        await session.stop()
    }

    @Test func `Answers of servers are there when a step is over, and take no time`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        let session = try await WidgetSession(
            path: try Self.bundle(in: scratch), configuration: Self.configuration(clock))
        await clock.settle()
        let screen = await session.screen()
        #expect(screen.text().contains("News: Rain"))
        #expect(screen.data.state == .fresh && screen.data.seconds == 0 && clock.moment == 0)
        await clock.advance(by: 1_800)
        #expect(await session.screen().data.seconds == 1_800)
        await session.stop()
    }

    @Test func `Updates of data come at their interval, each at its own moment`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let clock = SteppedClock(at: 0)
        var configuration = Self.configuration(clock)
        configuration.updateInterval = 3_600
        let session = try await WidgetSession(path: try Self.bundle(in: scratch), configuration: configuration)
        // The interval is up to a tenth longer by chance, so the last of ten updates is less than that and an hour ago.
        await clock.advance(by: 36_000)
        let seconds = try #require(await session.screen().data.seconds)
        #expect(seconds < 3_960, "\(seconds)")
        await session.stop()
    }

    @Test func `Sessions of one clock have one time, and one that has ended is not waited for`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch)
        let clock = SteppedClock(at: 0)
        let first = try await WidgetSession(path: path, configuration: Self.configuration(clock))
        let second = try await WidgetSession(path: path, configuration: Self.configuration(clock))
        try await first.tap("cook")
        await clock.advance(by: 200)
        try await second.tap("cook")
        await clock.advance(by: 100)
        #expect(await first.screen().text().contains("The egg is done"))
        #expect(await second.screen().text().contains("The egg is cooking"))
        await first.stop()
        await clock.advance(by: 200)
        #expect(await second.screen().text().contains("The egg is done"))
        await second.stop()
    }

    @Test(arguments: [0, -60, -Double.infinity, .nan])
    func `A clock does not go back`(seconds: Double) async {
        let clock = SteppedClock(at: 1_000)
        await clock.advance(by: seconds)
        #expect(clock.moment == 1_000)
    }

    @Test func `A step has an end, however long it is and wherever the clock begins`() async {
        let clock = SteppedClock(at: 0)
        await clock.advance(by: .infinity)
        #expect(clock.moment == SteppedClock.longestStep)
        #expect(SteppedClock(at: .infinity).moment == 253_402_300_799)
        #expect(SteppedClock(at: -.infinity).moment == -62_135_596_800)
        #expect(SteppedClock(at: .nan).moment == 0)
    }
}
