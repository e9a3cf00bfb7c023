import ConformanceSupport
import Foundation
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTransfers

@testable import RegistryClient

/// Goal: a feed decides when a host asks, and never how often. Method: feeds that lie, a clock whose time passes when
/// it is waited for, and a look at the moments of all questions.
@Suite struct `A11: a host that watches` {
    /// A host that reads a sixteenth of what others read in a second, of feeds with a sixteenth of the pieces: the same happens,
    /// and most of the time went into reading.
    private static let timing: WatchTiming = {
        var timing = WatchTiming()
        timing.feedByteRate /= 16
        return timing
    }()
    private static let many = 20_000 / 16

    /// A flood: the same piece again and again, so many times, then the end.
    private static func flood(_ piece: String, _ count: Int) -> @Sendable () -> any BodySource {
        { Flood(Array(piece.utf8), count) }
    }

    private static func event(_ sequence: Int?, channel: String? = "stable", id: String = "1") -> String {
        let more = (channel.map { ",\"channel\":\"\($0)\"" } ?? "") + (sequence.map { ",\"sequence\":\($0)" } ?? "")
        return "id: \(id)\ndata: {\"bundleIdentifier\":\"com.example.Sample\"\(more)}\n\n"
    }

    static let feeds: [(String, @Sendable () -> any BodySource)] = [
        ("events without a channel", flood(event(nil, channel: nil), many)),
        ("states without an end", flood(event(1 << 40), many)),
        ("many events at once", flood(String(repeating: event(1 << 40), count: 200), 500 / 16)),
        ("events of other bundles", flood("data: {\"bundleIdentifier\":\"com.example.Other\"}\n\n", many)),
        ("noise", flood("\u{1}\u{2}\n\nx: y\n", many)), ("heartbeats", flood(": heartbeat\n\n", many)),
        ("an endless line", flood("data: " + String(repeating: "x", count: 10_000), many)),
        ("an endless event", flood("data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", many)),
        (
            "bad ids",
            flood(
                "id: \u{1}\r\nid: \(String(repeating: "9", count: 5_000))\n\n" + event(nil, channel: nil, id: ""),
                many)
        ),
        ("a wish for no pause", flood("retry: 0\n\n" + event(nil, channel: nil), 1)),
        ("a wish for an endless pause", flood("retry: 999999999\n\n", 1)),
        ("nothing", flood("", 0)),
    ]

    @Test(arguments: feeds.indices)
    func `A watching host asks at most once a second, for any feed`(number: Int) async throws {
        let (name, feed) = Self.feeds[number]
        let watched = try Watched(feed)
        let moments = try watched.moments(until: .seconds(600))
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(moments.count > 2, "\(name): it does not ask any more")
        #expect(pauses.allSatisfy { $0 >= .seconds(1) }, "\(name): \(pauses.min() ?? .zero)")
        // It is listened to less and less, or as little as a feed that is not there.
        #expect(moments.count < 200, "\(name): \(moments.count)")
        #expect(watched.opened < 400, "\(name): \(watched.opened) times in ten minutes")
        // What is read in that time is bounded too, and with it what reading costs.
        #expect(watched.readByteCount < 601 * (Self.timing.feedByteRate + (64 << 10)), "\(name)")
    }

    @Test func `A watching host asks once for a burst, and finds the change`() async throws {
        let burst = (3...60).map { Self.event($0) }.joined()
        let watched = try Watched { watched in Burst(watched.clock, Array(burst.utf8)) { try watched.publish() } }
        let moments = try watched.moments(until: .seconds(20))
        // The state at the start, the state once the feed is open, and the one question that the burst causes. A host
        // without a feed asks again after half a minute.
        #expect(moments.count == 3, "\(moments)")
        #expect(moments.count { $0 > Burst.moment } == 1 && moments.allSatisfy { $0 < Burst.moment + .seconds(4) })
        #expect(watched.revisionCount == 2, "the change was not found")
    }

    @Test func `Watching hosts ask at different moments`() async throws {
        var all: Set<Duration> = []
        for seed in 1...10 {
            let moments = try Watched(Self.flood(Self.event(1 << 40), 1), seed: UInt64(seed)).moments(
                until: .seconds(3))
            all.insert(try #require(moments.dropFirst().first))
        }
        #expect(all.count == 10, "\(all)")
        #expect(all.allSatisfy { $0 >= .seconds(1) && $0 < .seconds(2) }, "\(all)")
    }

    @Test func `A watching host waits a second at least before it repeats a question that was not answered`()
        async throws
    {
        let watched = try Watched(Self.flood(Self.event(nil, channel: nil), Self.many), refusal: 503)
        let moments = try watched.moments(until: .seconds(120))
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= .seconds(1) }, "\(pauses.min() ?? .zero)")
        #expect(moments.count > 3 && moments.count <= 121)
    }

    /// A registry with one release and a feed, and the moments in which it is asked for the release.
    private final class Watched: Transport {
        private let registry = ScriptedRegistry()
        let clock = ManualClock()
        private let chance: SeededChance
        private let feed: @Sendable (Watched) -> any BodySource
        private let revisions = Guarded(0)
        private let scratch: Folder
        private let asked = Guarded([Duration]())
        private let feeds = Guarded([Flood]())

        convenience init(
            _ feed: @escaping @Sendable () -> any BodySource, refusal: Int? = nil, seed: UInt64 = 1
        ) throws {
            try self.init(refusal: refusal, seed: seed) { _ in feed() }
        }

        init(
            refusal: Int? = nil, seed: UInt64 = 1, _ feed: @escaping @Sendable (Watched) -> any BodySource
        ) throws {
            self.feed = feed
            chance = SeededChance(seed: seed)
            scratch = try Folder()
            registry.offer(try Offer.first.get())
            if let refusal { registry.change { $0.refusal = (refusal, "") } }
        }

        /// The revisions that the host has shown.
        var revisionCount: Int { revisions.withLock { $0 } }

        /// Offers a release that is not the first.
        func publish() throws { registry.offer(try Offer.changed.get()) }

        var opened: Int { feeds.withLock { $0.count } }
        var readByteCount: Int { feeds.withLock { $0.reduce(0) { $0 + $1.readByteCount } } }

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            guard request.url.path == "/v1/changes" else {
                if request.url.path.hasPrefix("/v1/widgets/") { asked.withLock { $0.append(clock.passed) } }
                return try await registry.exchange(request)
            }
            let source = feed(self)
            if let flood = source as? Flood { feeds.withLock { $0.append(flood) } }
            return TransferAnswer(
                TransferHead(
                    status: 200, fields: [TransferField("content-type", "text/event-stream")], url: request.url),
                body: ResponseBody(source))
        }

        /// The moments of all questions up to a time. All that happens does so on one thread, in one order.
        func moments(until end: Duration) throws -> [Duration] {
            let threads = SteppedThreads()
            let world = World(clock: clock, chance: chance, threads: threads)
            let fetcher = WidgetFetcher(
                registry: try RegistryAddress("http://registry.test"),
                cache: try WidgetCache(at: "\(scratch.path)/cache", in: world),
                client: TransferClient(transport: self, in: world))
            let widget = try WidgetIdentifier("com.example.Sample-1")
            let task = Task(executorPreference: threads.tasks) { [revisions] in
                for await event in fetcher.events(of: widget, timing: timing) {
                    if case .revision = event { revisions.withLock { $0 += 1 } }
                }
            }
            threads.run()
            while clock.passed < end, clock.advanceToNext() { threads.run() }
            task.cancel()
            threads.run()
            return asked.withLock { $0 }.filter { $0 <= end }
        }
    }

    private final class Flood: BodySource {
        private let piece: [UInt8]
        private let left: Guarded<Int>
        private let count: Int

        init(_ piece: [UInt8], _ count: Int) {
            (self.piece, self.count) = (piece, count)
            left = Guarded(count)
        }

        var readByteCount: Int { (count - left.withLock { $0 }) * piece.count }

        func next() async throws(TransferError) -> [UInt8]? {
            left.withLock { left in
                guard left > 0 else { return nil }
                left -= 1
                return piece
            }
        }

        func cancel() {}
    }

    /// A quiet feed with one burst of events, which tell of a release that was published in that moment.
    private final class Burst: BodySource {
        static let moment = Duration.seconds(10)

        private let clock: ManualClock
        private let events: [UInt8]
        private let publish: @Sendable () throws -> Void
        private let isDone = Guarded(false)

        init(_ clock: ManualClock, _ events: [UInt8], publish: @escaping @Sendable () throws -> Void) {
            (self.clock, self.events, self.publish) = (clock, events, publish)
        }

        func next() async throws(TransferError) -> [UInt8]? {
            guard !Task.isCancelled else { return nil }
            guard clock.passed >= Burst.moment, !isDone.withLock({ $0 }) else {
                await clock.sleep(for: .milliseconds(500))
                return Array(":\n\n".utf8)
            }
            isDone.withLock { $0 = true }
            #expect(throws: Never.self) { try publish() }
            return events
        }

        func cancel() {}
    }
}
