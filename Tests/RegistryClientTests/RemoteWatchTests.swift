import ConformanceSupport
import RegistryClient
import RegistryContract
import Testing
import Transfers

/// Goal: whoever watches sees every release, whatever becomes of the feed. Method: a feed that the test writes.
@Suite(.timeLimit(.minutes(20))) struct `Watching a registry` {
    private static func timing(_ change: (inout WatchTiming) -> Void = { _ in }) -> WatchTiming {
        var timing = WatchTiming()
        timing.poll = .milliseconds(20)
        timing.firstPause = .milliseconds(10)
        timing.longestPause = .milliseconds(40)
        timing.leastPause = .zero
        timing.spread = .zero
        change(&timing)
        return timing
    }

    @Test func `shows what there is, then what the feed tells of`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        var seen: [String] = []
        let widget = try WidgetIdentifier("com.example.Sample-1")
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            switch event {
            case .revision(let number, .release(let release), let changes):
                seen.append("\(number) \(host.text(release) ?? "") \(changes.changed.count)/\(changes.added.count)")
                if number == 1 { continue }
            case .attention(.told):
                host.registry.offer(try Offer(.sample(text: "Changed")))
                feed.send(change: 3)
                continue
            default: continue
            }
            break
        }
        #expect(seen == ["1 {\"greeting\": \"Hello\"} 0/4", "2 {\"greeting\": \"Changed\"} 2/0"])
    }

    @Test func `tries again what has failed while the feed goes on`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isTold = false
        var timing = Self.timing()
        timing.firstPause = .zero
        timing.longestPause = .zero
        for await event in host.fetcher.events(of: widget, timing: timing) {
            switch event {
            case .attention(.told) where !isTold:
                isTold = true
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

    @Test func `asks again and again where there is no feed`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        var isLooking = false
        let widget = try WidgetIdentifier("com.example.Sample-1")
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            if case .attention(.looking) = event {
                isLooking = true
                host.registry.offer(try Offer(.sample(text: "Changed")))
            }
            if case .revision(2, _, _) = event { break }
        }
        #expect(isLooking)
    }

    @Test func `follows the feed again from where it broke off`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            if case .attention(.told) = event {
                if isEnded { break }
                feed.send(change: 2)
                feed.end()
                isEnded = true
            }
        }
        let listening = host.registry.asked.filter { $0.path == "/v1/changes" }
        #expect(listening.map(\.condition) == [nil, "2"])
    }

    @Test func `begins the feed anew at a registry that was put back to an older copy`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            if case .attention(.told) = event {
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

    @Test func `shows what changed while the feed was away`() async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer(.sample()))
        host.registry.change { $0.feed = feed }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var isEnded = false
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            if case .attention(.told) = event, !isEnded {
                isEnded = true
                // Nothing tells of it.
                host.registry.offer(try Offer(.sample(text: "Changed")))
                feed.end()
            }
            if case .revision(2, _, _) = event { break }
        }
        #expect(isEnded)
    }

    @Test func `tells of a failure once, goes on, and shows what comes then`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        host.registry.change { $0.refusal = (503, "{\"type\": \"/problems/overloaded\", \"detail\": \"later\"}") }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var failures = 0
        for await event in host.fetcher.events(of: widget, timing: Self.timing()) {
            if case .failed = event {
                failures += 1
                Task {
                    while host.registry.asked.count < 12 { await Task.yield() }
                    host.registry.offer(try Offer(.sample()))
                    host.registry.change { $0.refusal = nil }
                }
            }
            if case .revision(1, _, _) = event { break }
        }
        #expect(failures == 1)
    }

    @Test func `asks nobody once nobody listens`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        let widget = try WidgetIdentifier("com.example.Sample-1")
        let task = Task {
            for await _ in host.fetcher.events(of: widget, timing: Self.timing()) {}
        }
        while host.registry.asked.count < 5 { await Task.yield() }
        task.cancel()
        await task.value
        // What was on its way may still arrive, and then it is quiet.
        try await Task.sleep(for: .milliseconds(200))
        let count = host.registry.asked.count
        try await Task.sleep(for: .milliseconds(200))
        #expect(host.registry.asked.count == count)
    }
}
