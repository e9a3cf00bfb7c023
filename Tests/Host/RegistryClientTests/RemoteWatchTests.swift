import ConformanceSupport
import RegistryClient
import RegistryContract
import Testing
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: a watch shows every release, for any behaviour of the feed. Method: a feed that the test writes.
@Suite struct `Watching a registry` {
    @Test func `A watch shows the present release, then each change that the feed announces`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        var seen: [String] = []
        let widget = try WidgetIdentifier("com.example.Sample-1")
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            switch event {
            case .revision(let number, .release(let release), let changes):
                seen.append("\(number) \(host.text(release) ?? "") \(changes.changed.count)/\(changes.added.count)")
                if number == 1 { continue }
            case .attention(.notified):
                host.registry.offer(try Offer(.sample(text: "Changed")))
                feed.send(change: 3)
                continue
            default: continue
            }
            break
        }
        #expect(seen == ["1 {\"greeting\": \"Hello\"} 0/4", "2 {\"greeting\": \"Changed\"} 2/0"])
    }

    @Test(arguments: [false, true])
    func `A watch since a release shows a release that came before the watch, and not the known one`(
        isChangedBefore: Bool
    ) async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let known = try #require(await host.fetcher.update(widget).release)
        if isChangedBefore { host.registry.offer(try Offer(.sample(text: "Changed"))) }
        var seen: [String] = []
        for await event in host.fetcher.events(of: widget, since: known, timing: WatchTiming.brief()) {
            switch event {
            case .revision(let number, .release(let release), let changes):
                seen.append("\(number) \(host.text(release) ?? "") \(changes.changed.count)/\(changes.added.count)")
            case .attention(.polling):
                // The watch has asked once by now.
                host.registry.offer(try Offer(.sample(text: "Changed")))
                continue
            default: continue
            }
            break
        }
        #expect(seen == ["2 {\"greeting\": \"Changed\"} 2/0"])
    }

    @Test func `A watch retries a failure while the feed continues`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isNotified = false
        var timing = WatchTiming.brief()
        timing.firstPause = .zero
        timing.longestPause = .zero
        for await event in host.fetcher.events(of: widget, timing: timing) {
            switch event {
            case .attention(.notified) where !isNotified:
                isNotified = true
                host.registry.offer(try Offer(.sample(text: "Changed")))
                host.registry.change { $0.archive = { Array($0.dropLast()) } }
                feed.send(change: 3)
                continue
            case .failed:
                // It is there again, and nothing on the feed says so.
                host.registry.change { $0.archive = { $0 } }
                feed.send(": heartbeat\n\n")
                continue
            case .revision(2, .release(let release), _):
                #expect(host.text(release) == "{\"greeting\": \"Changed\"}")
            default: continue
            }
            break
        }
    }

    @Test func `A watch polls a registry without a feed`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        var isLooking = false
        let widget = try WidgetIdentifier("com.example.Sample-1")
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            if case .attention(.polling) = event {
                isLooking = true
                host.registry.offer(try Offer(.sample(text: "Changed")))
            }
            if case .revision(2, _, _) = event { break }
        }
        #expect(isLooking)
    }

    @Test func `A watch follows the feed again from where it broke off`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            if case .attention(.notified) = event {
                if isEnded { break }
                feed.send(change: 2)
                feed.end()
                isEnded = true
            }
        }
        let listening = host.registry.asked.filter { $0.path == "/v1/changes" }
        #expect(listening.map(\.condition) == [nil, "2"])
    }

    @Test func `A watch starts the feed anew at a registry that was restored to an older copy`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            if case .attention(.notified) = event {
                if isEnded { break }
                feed.send(change: 2)
                host.registry.change { $0.lastTag = 1 }
                feed.end()
                isEnded = true
            }
        }
        let listening = host.registry.asked.filter { $0.path == "/v1/changes" }
        #expect(listening.map(\.condition) == [nil, "2", nil])
    }

    @Test func `A watch shows the changes from the time without a feed`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            if case .attention(.notified) = event, !isEnded {
                isEnded = true
                // Nothing tells of it.
                host.registry.offer(try Offer(.sample(text: "Changed")))
                feed.end()
            }
            if case .revision(2, _, _) = event { break }
        }
        #expect(isEnded)
    }

    @Test func `A watch reports a failure once, continues, and shows the next change`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        host.registry.change { $0.refusal = (503, "{\"type\": \"/problems/overloaded\", \"detail\": \"later\"}") }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var failures = 0
        for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
            if case .failed = event {
                failures += 1
                let offer = try Offer(.sample())
                Task {
                    await host.registry.isAsked(12)
                    host.registry.offer(offer)
                    host.registry.change { $0.refusal = nil }
                }
            }
            if case .revision(1, _, _) = event { break }
        }
        #expect(failures == 1)
    }

    @Test func `A watch without a listener asks nothing`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let clock = ManualClock()
        let fetcher = WidgetFetcher(
            registry: host.fetcher.registry, cache: host.cache,
            client: TransferClient(transport: host.registry, in: World(clock: clock)), options: host.fetcher.options)
        let task = Task { for await _ in fetcher.events(of: widget, timing: WatchTiming.brief()) {} }
        for _ in 0..<5 {
            await clock.waits(for: 1)
            _ = clock.advanceToNext()
        }
        await clock.waits(for: 1)
        let count = host.registry.asked.count
        #expect(count >= 5)
        task.cancel()
        await task.value
        // The watch ends on another thread, and takes its last wait with it. Then nothing can make it ask.
        await clock.waits(forAtMost: 0)
        clock.advance(by: .seconds(3_600))
        #expect(host.registry.asked.count == count)
    }
}

/// Goal: a feed means the same however its bytes arrive. Method: the examples of the HTML standard, and every cut.
@Suite struct `A stream of events` {
    private typealias Event = EventStreamReader.Event

    static let samples: [(String, [(String?, String, String)])] = [
        ("data: a\n\n", [(nil, "message", "a")]),
        ("data: a\ndata: b\n\n", [(nil, "message", "a\nb")]),
        (": comment\n\n:\n\ndata:a\n\n", [(nil, "message", "a")]),
        ("id: 7\nevent: x\ndata: a\n\ndata: b\n\n", [("7", "x", "a"), ("7", "message", "b")]),
        ("data\n\ndata\ndata\n\ndata:", [(nil, "message", ""), (nil, "message", "\n")]),
        ("data:  a\r\n\r\ndata: b\r\r", [(nil, "message", " a"), (nil, "message", "b")]),
        ("\u{FEFF}data: a\n\n", [(nil, "message", "a")]),
        ("event: lost\n\nfoo: bar\ndata: a\n\n", [(nil, "message", "a")]),
        ("id: 1\nid\ndata: a\n\n", [("", "message", "a")]),
        ("id: \u{1}\ndata: a\n\n", [(nil, "message", "a")]),
    ]

    @Test(arguments: samples)
    func `A stream of events reads the same in any pieces`(text: String, expected: [(String?, String, String)]) throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = EventStreamReader()
            let events = try reader.add(Array(bytes[..<cut])) + reader.add(Array(bytes[cut...]))
            #expect(events == expected.map { Event(id: $0.0, kind: $0.1, data: $0.2) })
        }
    }

    @Test func `A stream of events says how long to stay away, if it is a number`() throws {
        var reader = EventStreamReader()
        _ = try reader.add(Array("retry: 3000\nretry: x\nretry: 99999999999999999999\n".utf8))
        #expect(reader.retry == .seconds(3))
    }

    @Test func `A line or an event without an end is refused`() {
        var reader = EventStreamReader()
        #expect(throws: FetchError(.endlessEvent)) {
            _ = try reader.add([UInt8](repeating: 0x61, count: EventStreamReader.lineLimit + 1))
        }
        var other = EventStreamReader()
        let line = Array("data: \(String(repeating: "x", count: 60_000))\n".utf8)
        #expect(throws: FetchError(.endlessEvent)) { for _ in 0..<6 { _ = try other.add(line) } }
    }

    @Test func `A stream of events may contain any bytes`() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("data: id\nevent:retry\r\n\n:{}1\0\u{FF}".utf8)
        for _ in 0..<2_000 {
            var reader = EventStreamReader()
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? reader.add(bytes)
        }
    }

    @Test func `An event concerns a widget when bundle and channel match and its state is new`() throws {
        let widget = try WidgetIdentifier("com.example.Sample-1")
        func concerns(_ data: String, seen: Int? = 3) -> Bool? {
            ChangeDocument(event: data)?.concerns(widget, channel: "stable", seen: seen)
        }
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":4}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":3}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"beta\",\"sequence\":4}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Samples\"}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\"}") == true)
        #expect(ChangeDocument(event: "{}") == nil && ChangeDocument(event: "[") == nil)
        // Members that a later version writes otherwise do not hide the change.
        #expect(concerns("{\"tag\":\"1-7\",\"at\":9,\"by\":[],\"bundleIdentifier\":\"com.example.Sample\"}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":\"3\"}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"beta\",\"sequence\":\"3\"}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":5}") == true)
    }
}
