import Foundation
import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: a host whose app wants it says once what becomes of a release, and behaves as before otherwise. Method: a registry that
/// the test scripts, a clock that the test moves, and every call by which a host learns something.
@Suite struct `Outcomes that a host reports` {
    /// The scripted registry, and what was posted to it.
    private final class Post: Transport {
        let registry: ScriptedRegistry
        private let bodies = Observed<[String]>([])
        /// True if reports are lost on their way.
        let isLossy = Guarded(false)

        init(_ registry: ScriptedRegistry) { self.registry = registry }

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            guard request.method == .post, request.url.path.hasSuffix("/outcomes") else {
                return try await registry.exchange(request)
            }
            if case .bytes(let bytes)? = request.body {
                bodies.change { $0.append(String(decoding: bytes, as: UTF8.self)) }
            }
            if isLossy.withLock({ $0 }) { throw TransferError(.connectionLost) }
            return TransferAnswer(
                TransferHead(status: 202, fields: [], url: request.url), body: ResponseBody(Pieces([])))
        }

        /// The outcomes that were sent, as `outcome release channel reason`, of all requests in their order.
        func sent() throws -> [String] {
            try bodies.value.flatMap { body in
                try #require(JSONValue(parsing: Array(body.utf8))["outcomes"]?.array).map { one in
                    ["outcome", "release", "channel", "reason"].compactMap { one[$0]?.string }.joined(separator: " ")
                }
            }
        }

        func isSent(_ count: Int) async { await bodies.becomes { $0.count >= count } }
    }

    /// A body in pieces.
    private final class Pieces: BodySource {
        private let left: Guarded<[[UInt8]]>

        init(_ pieces: [[UInt8]]) { left = Guarded(pieces) }

        func next() async throws(TransferError) -> [UInt8]? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

        func cancel() {}
    }

    private static let widget = "com.example.Sample-1"

    private let folder: Folder
    private let registry = ScriptedRegistry()
    private let post: Post
    private let clock = ManualClock(date: .seconds(1_800_000_000), start: .now)

    init() throws {
        folder = try Folder()
        post = Post(registry)
    }

    /// A host as a new process has it.
    private func fetcher(reports: Bool = true, soon: Bool = false, wait: Double = 0.5) throws -> WidgetFetcher {
        let world = World(clock: clock, chance: FixedChance(wait))
        var options = FetchOptions()
        options.reportsOutcomes = soon
        options.leastPause = .zero
        options.retries = RetryPolicy(attempts: 1)
        return WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"),
            cache: try WidgetCache(at: "\(folder.path)/cache", notesOutcomes: reports, in: world),
            client: TransferClient(transport: post, in: world), options: options)
    }

    private func identifier() throws -> WidgetIdentifier { try WidgetIdentifier(Self.widget) }

    private func state() throws -> String {
        try String(contentsOfFile: "\(folder.path)/cache/widgets/\(Self.widget)/state.json", encoding: .utf8)
    }

    @Test func `The rows about outcomes are noted and taken alike`() throws {
        for row in try #require(Vector.json("rules/outcomes")["rows"]?.array) {
            var memory = OutcomeMemory()
            for step in try #require(row["steps"]?.array) {
                if let taken = step["take"]?.array {
                    let wanted = try taken.map { one in
                        var writer = JSONWriter()
                        writer.value(one)
                        return try OutcomeReport(json: JSONDocument(parsing: writer.finish()).cursor)
                    }
                    #expect(memory.take(for: "r") == wanted, "\(row["about"]?.string ?? "")")
                } else if let count = step["count"]?.integer {
                    #expect(memory.take(for: "r").count == Int(count), "\(row["about"]?.string ?? "")")
                } else {
                    try Self.note(step, in: &memory)
                }
                // A state file brings back the same.
                var writer = JSONWriter()
                memory.write(to: &writer)
                #expect(try OutcomeMemory(json: JSONDocument(parsing: writer.finish()).cursor) == memory)
            }
        }
    }

    private static func note(_ step: JSONValue, in memory: inout OutcomeMemory) throws {
        let day = Int(try #require(step["day"]?.integer))
        let name = try #require(step["content"]?.string)
        let outcome = try #require(step["note"]?.string.flatMap(DeviceOutcome.init(rawValue:)))
        for today in day...(step["until"]?.integer.map { Int($0) } ?? day) {
            for number in 0..<(step["contents"]?.integer.map { Int($0) } ?? 1) {
                let content = step["contents"] == nil ? name : "\(name)\(number)"
                memory.note(
                    outcome, of: try #require(step["release"]?.string),
                    content: try #require(Digest.sha256(Array(content.utf8))), on: "stable", from: "r",
                    because: step["reason"]?.string.flatMap(OutcomeReason.init(rawValue:)), day: today)
            }
        }
    }

    @Test func `A release that is installed, started and confirmed is reported once, with its channel`() async throws {
        registry.offer(try Offer.first.get())
        let (host, widget) = (try fetcher(), try identifier())
        #expect(await host.update(widget).isNew)
        for _ in 0..<3 {
            guard case .trial(let release) = try await host.start(widget) else { break }
            try await host.confirmStart(of: release)
        }
        await host.reportOutcomes(of: widget)
        #expect(
            try post.sent() == ["installed 1.0~1 stable", "started 1.0~1 stable", "confirmed 1.0~1 stable"])
        // On the next day it is started again.
        clock.advance(by: .seconds(86_400))
        let next = try fetcher()
        _ = try await next.start(widget)
        _ = await next.update(widget)
        await next.reportOutcomes(of: widget)
        #expect(try post.sent().dropFirst(3) == ["started 1.0~1 stable"])
    }

    @Test func `What is lost on its way is not sent again`() async throws {
        registry.offer(try Offer.first.get())
        let (host, widget) = (try fetcher(), try identifier())
        _ = await host.update(widget)
        post.isLossy.withLock { $0 = true }
        await host.reportOutcomes(of: widget)
        post.isLossy.withLock { $0 = false }
        await host.reportOutcomes(of: widget)
        await (try fetcher()).reportOutcomes(of: widget)
        #expect(try post.sent() == ["installed 1.0~1 stable"])
        #expect(try !state().contains("waiting"))
    }

    @Test func `A start that was never confirmed is reported by the next one, as what the process before has left`()
        async throws
    {
        registry.offer(try Offer.first.get())
        let widget = try identifier()
        let host = try fetcher(soon: true)
        _ = await host.update(widget)
        var held: ReleaseStart? = try await host.start(widget)
        #expect(held?.release != nil)
        // A start sends what is waiting by then.
        await post.isSent(1)
        #expect(try post.sent() == ["installed 1.0~1 stable"])
        // The process ends within its random wait, before it was sure of the release.
        held = nil
        let next = try fetcher(soon: true)
        #expect(try await next.start(widget).release == nil)
        await post.isSent(2)
        #expect(try post.sent() == ["installed 1.0~1 stable", "started 1.0~1 stable"])
        await clock.moving { await post.isSent(3) }
        #expect(
            try post.sent() == [
                "installed 1.0~1 stable", "started 1.0~1 stable", "went-back 1.0~1 stable unconfirmed",
            ])
    }

    @Test func `Outcomes wait for a random part of a minute`() async throws {
        registry.offer(try Offer.first.get())
        let (host, widget) = (try fetcher(soon: true, wait: 0.75), try identifier())
        _ = await host.update(widget)
        await clock.waits(for: 1)
        clock.advance(by: .seconds(44))
        #expect(try post.sent().isEmpty)
        clock.advance(by: .seconds(2))
        await post.isSent(1)
        #expect(try post.sent() == ["installed 1.0~1 stable"])
    }

    @Test func `The first failure of a release is reported, with its reason`() async throws {
        registry.offer(try Offer.first.get())
        registry.change { $0.archive = { $0.map { $0 ^ 1 } } }
        let (host, widget) = (try fetcher(), try identifier())
        for _ in 0..<3 { _ = await host.update(widget) }
        registry.change { $0.archive = { $0 } }
        _ = await host.update(widget)
        let release = try #require(try await host.start(widget).release)
        try await host.rejectStart(of: release, because: .unusable)
        await host.reportOutcomes(of: widget)
        #expect(
            try post.sent() == [
                "not-installed 1.0~1 stable wrongDigest", "installed 1.0~1 stable", "started 1.0~1 stable",
            ])
    }

    @Test func `A lost connection is not a failure of the release`() async throws {
        registry.offer(try Offer.first.get())
        registry.change {
            $0.cut = 100
            $0.isCutForGood = true
        }
        let (host, widget) = (try fetcher(), try identifier())
        #expect(await host.update(widget).error != nil)
        await host.reportOutcomes(of: widget)
        #expect(try post.sent().isEmpty)
    }

    @Test func `A host whose app does not want it notes and sends nothing`() async throws {
        registry.offer(try Offer.first.get())
        let (host, widget) = (try fetcher(reports: false), try identifier())
        _ = await host.update(widget)
        let release = try #require(try await host.start(widget).release)
        try await host.confirmStart(of: release)
        try await host.rejectStart(of: release)
        await host.reportOutcomes(of: widget)
        #expect(try post.sent().isEmpty)
        #expect(try !state().contains("outcomes"))
    }

    @Test func `Nothing is sent to another registry than the one that the release is from`() async throws {
        registry.offer(try Offer.first.get())
        let (host, widget) = (try fetcher(), try identifier())
        _ = await host.update(widget)
        let other = WidgetFetcher(
            registry: try RegistryAddress("http://other.test"), cache: host.cache,
            client: TransferClient(transport: post, in: .skipping()))
        await other.reportOutcomes(of: widget)
        #expect(try post.sent().isEmpty)
        await host.reportOutcomes(of: widget)
        #expect(try post.sent().count == 1)
    }
}
