import ConformanceSupport
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: a registry that refuses its feed, ends it or forgets its place is not asked without pauses, and nothing grows.
/// Method: registries of each manner, and the moments of all questions.
@Suite struct `A11: a feed that does not last` {
    enum Manner: CaseIterable, Sendable {
        /// Refuses each question for the feed.
        case refuses
        /// Ends each stream at once.
        case ends
        /// Ends each stream behind an event with another identifier, and does not continue from any.
        case forgets
    }

    private final class Fickle: Transport {
        private let manner: Manner
        private let registry = ScriptedRegistry()
        private let clock: any Clock
        private let start: ContinuousClock.Instant
        /// The moments of questions about widgets.
        let asked = Observed([Duration]())
        /// The moments of questions for the feed, with the identifiers to continue from.
        let opened = Observed([(moment: Duration, id: String?)]())

        init(_ manner: Manner, _ clock: any Clock) throws {
            (self.manner, self.clock, start) = (manner, clock, clock.now)
            registry.offer(try Offer.first.get())
        }

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            guard request.url.path == "/v1/changes" else {
                if request.url.path.hasPrefix("/v1/widgets/") { asked.change { $0.append(clock.now - start) } }
                return try await registry.exchange(request)
            }
            let id = request.fields.first { $0.name == "Last-Event-ID" }?.value
            let count = opened.change { opened in
                opened.append((clock.now - start, id))
                return opened.count
            }
            let isRefused = manner == .refuses || manner == .forgets && id != nil
            let event = "data: {\"bundleIdentifier\":\"com.example.Sample\"}"
            let text = manner == .forgets ? "id: \(count)\(String(repeating: "x", count: 200))\n\(event)\n\n" : ""
            return TransferAnswer(
                TransferHead(
                    status: isRefused ? 400 : 200, fields: [TransferField("Content-Type", "text/event-stream")],
                    url: request.url), body: ResponseBody(Pieces(Array(text.utf8), ending: nil)))
        }
    }

    private static func pauses(_ moments: [Duration]) -> [Duration] {
        zip(moments, moments.dropFirst()).map { $1 - $0 }
    }

    @Test(arguments: Manner.allCases)
    func `A watch asks about its widget once a second at most, and for the feed about as often`(manner: Manner)
        async throws
    {
        // All that happens does so on one thread, in one order.
        let (clock, scratch, threads) = (ManualClock(), try Folder(), SteppedThreads())
        let registry = try Fickle(manner, clock)
        let world = World(clock: clock, chance: SeededChance(seed: 1), threads: threads)
        let fetcher = WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"),
            cache: try WidgetCache(at: "\(scratch.path)/cache", in: world),
            client: TransferClient(transport: registry, in: world))
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let task = Task(executorPreference: threads.tasks) { for await _ in fetcher.events(of: widget) {} }
        threads.run()
        while clock.passed < .seconds(600), clock.advanceToNext() { threads.run() }
        task.cancel()
        threads.run()
        let (asked, opened) = (registry.asked.value, registry.opened.value)
        #expect(asked.count > 5, "it does not ask any more: \(asked)")
        #expect(Self.pauses(asked).allSatisfy { $0 >= .seconds(1) }, "\(Self.pauses(asked).min() ?? .zero)")
        // A place that is not known costs a second question, at once and not again.
        let moments = opened.map(\.moment)
        #expect(zip(moments, moments.dropFirst(2)).allSatisfy { $1 - $0 >= .seconds(1) }, "\(moments)")
        #expect(opened.count > 5 && opened.count <= 700, "\(opened.count)")
        #expect(opened.allSatisfy { ($0.id?.utf8.count ?? 0) <= 255 })
        #expect((Set(opened.compactMap(\.id)).count > 3) == (manner == .forgets))
    }

    @Test(arguments: Manner.allCases) func `A client of many widgets opens a stream once a second at most`(
        manner: Manner
    )
        async throws
    {
        let (clock, scratch, feed, timing) = (ManualClock(), try Folder(), SharedFeed(), WatchTiming())
        let registry = try Fickle(manner, clock)
        let fetcher = WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"), cache: try WidgetCache(at: "\(scratch.path)/cache"),
            client: TransferClient(transport: registry, in: World(clock: clock)))
        let watches = try (0..<20).map { number in
            let widget = try WidgetIdentifier("com.example.Sample-\(number)")
            return Task {
                while !Task.isCancelled {
                    let seat = feed.join(fetcher, widget, timing)
                    while let notice = await seat.next() { if case .ended = notice { break } }
                    feed.leave(seat)
                    // Each at a different moment, as chance has it in a watch.
                    await clock.sleep(for: timing.leastPause + .milliseconds(40 * number))
                }
            }
        }
        await clock.moving { await registry.opened.becomes { $0.count >= 30 } }
        for watch in watches { watch.cancel() }
        for watch in watches { await watch.value }
        // The first refusal is also that of beginning at the newest change, and a place that is not known costs a question.
        let moments = registry.opened.value.map(\.moment).dropFirst(manner == .refuses ? 1 : 0)
        let later = moments.dropFirst(manner == .forgets ? 2 : 1)
        #expect(zip(moments, later).allSatisfy { $1 - $0 >= .seconds(1) }, "\(moments)")
    }
}
