import ConformanceSupport
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: one stream of changes for a client, however many widgets it watches, and no change that one of them misses. Method:
/// a feed that the test writes, and what the registry is asked for.
@Suite struct `The feed of a client` {
    private let host: Host
    private let feed = Feed()

    init() throws {
        host = try Host()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { [feed] in $0.feed = feed }
    }

    private func widgets(_ numbers: Range<Int>) throws -> [WidgetIdentifier] {
        try numbers.map { try WidgetIdentifier("com.example.Sample-\($0)") }
    }

    private var streams: [ScriptedRegistry.Asked] { host.registry.asked.filter { $0.path == "/v1/changes" } }

    private func names(_ asked: ScriptedRegistry.Asked) -> Set<String> {
        Set((asked.query ?? "").split(separator: "&").map(String.init))
    }

    /// Watches widgets until each has heard as many revisions as it should.
    private func revisions(
        of widgets: [WidgetIdentifier], each count: Int, whenNotified: @escaping @Sendable (Int) -> Void
    ) async -> [Int] {
        let notified = Guarded(0)
        return await withTaskGroup(of: Int.self) { group in
            for widget in widgets {
                group.addTask { [host] in
                    var revision = 0
                    for await event in host.fetcher.events(of: widget, timing: WatchTiming.brief()) {
                        switch event {
                        case .attention(.notified):
                            whenNotified(
                                notified.withLock {
                                    $0 += 1; return $0
                                })
                        case .revision(let number, _, _): revision = number
                        default: break
                        }
                        if revision == count { break }
                    }
                    return revision
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `A hundred watches have one stream at a time, from the newest change, for all of them`() async throws {
        let widgets = try widgets(0..<100)
        let changed = try Offer(.sample(text: "Changed"))
        let revisions = await revisions(of: widgets, each: 2) { [host, feed] number in
            guard number == widgets.count else { return }
            host.registry.offer(changed)
            feed.send(change: 3)
        }
        #expect(revisions == [Int](repeating: 2, count: 100))
        // Watches that came while the stream was opened are gathered into the next.
        #expect(streams.count < 40, "\(streams.count)")
        #expect(streams.count >= 1 && feed.mostAtOnce == 1, "\(feed.mostAtOnce) at once")
        let last = try #require(streams.last)
        #expect(names(last).isSuperset(of: widgets.map { "widget=\($0.text)" }))
        #expect(names(streams[0]).contains("since=latest"))
    }

    @Test func `More than a hundred widgets have one stream of all changes`() async throws {
        let revisions = await revisions(of: try widgets(0..<101), each: 1) { _ in }
        #expect(revisions.count == 101)
        _ = await self.revisions(of: try widgets(0..<130), each: 1) { _ in }
        #expect(feed.mostAtOnce <= 1)
    }

    @Test func `A widget that joins later is in the stream that follows, which continues`() async throws {
        let (first, second) = (try widgets(1..<2)[0], try widgets(2..<3)[0])
        var events = host.fetcher.events(of: first, timing: WatchTiming.brief()).makeAsyncIterator()
        await notified(&events)
        feed.send(change: 7)
        // At the start, at the opening, and for the change: then it has been read.
        await host.registry.isAsked(where: { $0.path.hasPrefix("/v1/widgets/") }, 3)
        var others = host.fetcher.events(of: second, timing: WatchTiming.brief()).makeAsyncIterator()
        await notified(&others)
        #expect(streams.count == 2)
        #expect(names(streams[0]) == ["since=latest", "widget=\(first.text)"])
        #expect(names(streams[1]) == ["widget=\(first.text)", "widget=\(second.text)"])
        #expect(streams[1].condition == "7")
        // The first has lost nothing, so it does not ask because of that.
        host.registry.forget()
        host.registry.offer(try Offer(.sample(text: "Changed")))
        feed.send(change: 8)
        #expect(await revision(&events) == 2)
        #expect(await revision(&others) == 2)
    }

    @Test func `A registry that refuses to begin at the newest change is followed from the beginning`() async throws {
        host.registry.change { $0.refusesLatest = true }
        var events = host.fetcher.events(of: try widgets(1..<2)[0], timing: WatchTiming.brief()).makeAsyncIterator()
        await notified(&events)
        feed.end()
        await host.registry.isAsked(where: { $0.path == "/v1/changes" }, 3)
        #expect(streams.prefix(3).map { names($0).contains("since=latest") } == [true, false, false])
    }

    @Test func `A watch asks again if its stream is replaced by another one before it had a place to continue from`()
        async throws
    {
        let (first, second) = (try widgets(1..<2)[0], try widgets(2..<3)[0])
        var events = host.fetcher.events(of: first, timing: WatchTiming.brief()).makeAsyncIterator()
        await notified(&events)
        // No stream has this change.
        host.registry.offer(try Offer(.sample(text: "Changed")))
        var others = host.fetcher.events(of: second, timing: WatchTiming.brief()).makeAsyncIterator()
        #expect(await revision(&events) == 2)
        #expect(await revision(&others) == 1)
        #expect(streams.allSatisfy { names($0).contains("since=latest") })
    }

    @Test func `A refusal to begin at the newest change is forgotten after a while`() async throws {
        let clock = SkippingClock()
        let fetcher = WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"), cache: host.cache,
            client: TransferClient(transport: host.registry, in: .skipping(clock)), options: host.fetcher.options)
        let widget = try widgets(1..<2)[0]
        host.registry.change { $0.refusesLatest = true }
        var seat = fetcher.feed.join(fetcher, widget, WatchTiming.brief())
        guard case .opened? = await seat.next() else { return #expect(Bool(false), "it was not opened") }
        fetcher.feed.leave(seat)
        host.registry.change { $0.refusesLatest = false }
        clock.advance(by: SharedFeed.refusalTime)
        seat = fetcher.feed.join(fetcher, widget, WatchTiming.brief())
        guard case .opened? = await seat.next() else { return #expect(Bool(false), "it was not opened") }
        fetcher.feed.leave(seat)
        #expect(streams.map { names($0).contains("since=latest") } == [true, false, true])
    }

    @Test func `All watches ask again after a registry was put back to an older copy`() async throws {
        let widgets = try widgets(1..<3)
        var first = host.fetcher.events(of: widgets[0], timing: WatchTiming.brief()).makeAsyncIterator()
        await notified(&first)
        feed.send(change: 9)
        // At the start, at the opening, and for the change: then it has been read.
        await host.registry.isAsked(where: { $0.path.hasPrefix("/v1/widgets/") }, 3)
        host.registry.change { $0.lastTag = 5 }
        // The stream is opened again for the second, and the place of the first is unknown to the registry.
        host.registry.offer(try Offer(.sample(text: "Put back")))
        var second = host.fetcher.events(of: widgets[1], timing: WatchTiming.brief()).makeAsyncIterator()
        #expect(await revision(&first) == 2)
        #expect(await revision(&second) == 1)
    }

    @Test func `A watch that does not look makes no other one wait, and keeps little`() async throws {
        let feed = SharedFeed()
        let widgets = try widgets(1..<3)
        let busy = feed.join(host.fetcher, widgets[0], WatchTiming.brief())
        let other = feed.join(host.fetcher, widgets[1], WatchTiming.brief())
        defer {
            feed.leave(busy)
            feed.leave(other)
        }
        guard case .opened? = await other.next() else { return #expect(Bool(false), "it was not opened") }
        for number in 1...500 { self.feed.send(change: number) }
        var seen = 0
        while seen < 500 {
            guard case .read(let changes, let isFlooded)? = await other.next() else { break }
            if changes.contains(where: { $0.sequence == 500 }) || isFlooded { seen = 500 }
        }
        #expect(seen == 500)
        guard case .opened? = await busy.next() else { return #expect(Bool(false), "it was not opened") }
        guard case .read(let kept, let isFlooded)? = await busy.next() else { return #expect(Bool(false), "not read") }
        #expect(kept.count <= 64 && (isFlooded || kept.count == 64), "\(kept.count)")
    }

    @Test(arguments: [23, 24]) func `Identifiers that make a long address are left out of it`(count: Int) async throws {
        let feed = SharedFeed()
        let padding = String(repeating: "x", count: 228)
        let widgets = try (100..<100 + count).map { try WidgetIdentifier("com.example.Sample-\($0)\(padding)") }
        let seats = widgets.map { feed.join(host.fetcher, $0, WatchTiming.brief()) }
        defer { for seat in seats { feed.leave(seat) } }
        // The stream for all of them is the last that is opened.
        let named = count == 23 ? 23 : 0
        await host.registry.isAsked(
            where: {
                let names = ($0.query ?? "").split(separator: "&").count { $0.hasPrefix("widget=") }
                return $0.path == "/v1/changes" && names == named
            }, 1)
        await self.feed.isOpened(streams.count)
        let query = try #require(streams.last?.query)
        #expect(query.split(separator: "&").count { $0.hasPrefix("widget=") } == (count == 23 ? 23 : 0))
        #expect(query.utf8.count < 6_200, "every registry takes addresses of 8 KiB")
        self.feed.send(change: 3)
        for seat in seats {
            var notice = await seat.next()
            // Openings of the streams before it, and of this.
            while case .opened? = notice { notice = await seat.next() }
            guard case .read(let changes, _)? = notice else { return #expect(Bool(false), "not read") }
            #expect(changes.map(\.sequence) == [3])
        }
    }

    @Test func `A hundred watches that begin together are gathered within a second, into three streams at most`()
        async throws
    {
        let (feed, clock, timing) = (SharedFeed(), ManualClock(), WatchTiming())
        let host = try Host(self.host.registry, clock: clock, isOnItsClock: true)
        let widgets = try widgets(0..<100)
        let first = feed.join(host.fetcher, widgets[0], timing)
        await self.host.registry.isAsked(where: { $0.path == "/v1/changes" }, 1)
        let seats = [first] + widgets.dropFirst().map { feed.join(host.fetcher, $0, timing) }
        defer { for seat in seats { feed.leave(seat) } }
        await clock.moving {
            for seat in seats { if case .opened? = await seat.next() { continue } }
        }
        #expect(clock.passed == timing.leastPause)
        #expect((2...3).contains(streams.count), "\(streams.count)")
        #expect(names(try #require(streams.last)).isSuperset(of: widgets.map { "widget=\($0.text)" }))
        #expect(self.feed.mostAtOnce == 1)
    }

    @Test func `The seat of a watch that has left is kept by nothing`() async throws {
        let feed = SharedFeed()
        weak var left: SharedFeed.Seat?
        let stays = feed.join(host.fetcher, try widgets(1..<2)[0], WatchTiming.brief())
        for number in 2..<50 {
            let seat = feed.join(host.fetcher, try widgets(number..<number + 1)[0], WatchTiming.brief())
            guard case .opened? = await seat.next() else { return #expect(Bool(false), "it was not opened") }
            feed.leave(seat)
            left = seat
        }
        guard case .opened? = await stays.next() else { return #expect(Bool(false), "it was not opened") }
        #expect(left == nil)
        feed.leave(stays)
        await self.feed.ends()
    }

    @Test func `The stream ends with its last watch`() async throws {
        let task = Task { [host] in
            for await event in host.fetcher.events(of: try widgets(1..<2)[0], timing: WatchTiming.brief()) {
                if case .attention(.notified) = event { return }
            }
        }
        try await task.value
        await feed.ends()
    }

    private func notified(_ events: inout AsyncStream<WatchEvent>.Iterator) async {
        while let event = await events.next() {
            if case .attention(.notified) = event { return }
        }
    }

    private func revision(_ events: inout AsyncStream<WatchEvent>.Iterator) async -> Int? {
        while let event = await events.next() {
            if case .revision(let number, _, _) = event, number > 0 { return number }
        }
        return nil
    }
}
