import ConformanceSupport
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: no reason to ask makes a host ask its registry more than once a second. Method: a registry that is not a network, a
/// clock whose time passes when it is waited for, and the moments of all questions.
@Suite struct `A host's questions to its registry` {
    /// A registry that notes when it is asked.
    private final class Asked: Transport {
        let registry = ScriptedRegistry()
        let clock = SkippingClock()
        private let scratch: Folder
        private let moments = Guarded([Duration]())
        /// In place of archives.
        private let archive: (@Sendable (TransferRequest) -> TransferAnswer)?

        init(archive: (@Sendable (TransferRequest) -> TransferAnswer)? = nil) throws {
            scratch = try Folder()
            self.archive = archive
        }

        func fetcher() throws -> WidgetFetcher {
            let world = World(clock: clock, chance: FixedChance(0))
            return WidgetFetcher(
                registry: try RegistryAddress("http://registry.test"),
                cache: try WidgetCache(at: "\(scratch.path)/cache", in: world),
                client: TransferClient(transport: self, in: world))
        }

        var pauses: [Duration] {
            let moments = moments.withLock { $0 }
            return zip(moments, moments.dropFirst()).map { $1 - $0 }
        }

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            if request.url.path.hasPrefix("/v1/widgets/") { moments.withLock { $0.append(clock.passed) } }
            if let archive, request.url.path.hasPrefix("/v1/blobs/") { return archive(request) }
            return try await registry.exchange(request)
        }
    }

    private static let widget = Result { try WidgetIdentifier("com.example.Sample-1") }

    @Test func `A host that begins a new watch after each event asks once a second`() async throws {
        let asked = try Asked()
        let (fetcher, widget) = (try asked.fetcher(), try Self.widget.get())
        asked.registry.offer(try Offer.first.get())
        for _ in 0..<20 { for await _ in fetcher.events(of: widget) { break } }
        #expect(asked.pauses.count >= 19 && asked.pauses.allSatisfy { $0 >= .seconds(1) }, "\(asked.pauses)")
    }

    @Test(arguments: [nil, 503, 500, 410]) func `A host that updates after each error asks once a second`(
        status: Int?
    ) async throws {
        let asked = try Asked()
        let (fetcher, widget) = (try asked.fetcher(), try Self.widget.get())
        asked.registry.offer(try Offer.first.get())
        if let status { asked.registry.change { $0.refusal = (status, "{}") } }
        for _ in 0..<10 {
            _ = await fetcher.update(widget)
            _ = try? await fetcher.check(widget)
        }
        #expect(asked.pauses.count >= 19 && asked.pauses.allSatisfy { $0 >= .seconds(1) }, "\(asked.pauses)")
    }

    @Test func `Questions at the same time wait for each other, and those about other widgets do not`() async throws {
        let asked = try Asked()
        let (fetcher, widget) = (try asked.fetcher(), try Self.widget.get())
        asked.registry.offer(try Offer.first.get())
        await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { _ = await fetcher.update(widget) } }
        }
        #expect(asked.clock.passed >= .seconds(4))
        let before = asked.clock.passed
        for number in 2..<20 { _ = await fetcher.update(try WidgetIdentifier("com.example.Sample-\(number)")) }
        // Locks of the cache may take a moment.
        #expect(asked.clock.passed < before + .seconds(1))
    }

    @Test func `Questions that are cancelled while they wait take no turn from others`() async throws {
        let (pace, clock, widget) = (QuestionPace(), ManualClock(), try Self.widget.get())
        try await pace.wait(about: widget, pause: .seconds(1), on: clock)
        let others = (0..<60).map { _ in Task { try await pace.wait(about: widget, pause: .seconds(1), on: clock) } }
        await clock.waits(for: 60)
        for other in others {
            other.cancel()
            if case .success = await other.result { Issue.record("a question was not cancelled") }
        }
        try await clock.moving { try await pace.wait(about: widget, pause: .seconds(1), on: clock) }
        #expect(clock.passed == .seconds(1))
    }

    @Test func `A release that may be shown again is an event`() async throws {
        let asked = try Asked()
        let (fetcher, widget) = (try asked.fetcher(), try Self.widget.get())
        let offer = try Offer.first.get()
        asked.registry.offer(offer)
        let body = """
            {"type":"/problems/withdrawn","title":"Withdrawn","status":410,"detail":"bad",
             "bundleIdentifier":"com.example.Sample","withdrawn":[{"release":"1.0~1",
             "content":"\(offer.bundle.contentDigest.hex)","directive":"builtIn"}]}
            """
        var seen: [String] = []
        for await event in fetcher.events(of: widget) {
            switch event {
            case .revision:
                seen.append("release")
                if seen.count > 2 { break }
                asked.registry.change { $0.refusal = (410, body) }
                continue
            case .failed:
                seen.append("failed")
                asked.registry.change { $0.refusal = nil }
                continue
            default: continue
            }
            break
        }
        #expect(seen == ["release", "failed", "release"])
    }

    @Test func `B16: an archive that is damaged in its store is said at once`() async throws {
        let problem = """
            {"type":"/problems/blob-damaged","title":"The stored archive is damaged","status":503,"detail":"taken aside"}
            """
        let asked = try Asked(archive: { request in
            TransferAnswer(
                TransferHead(
                    status: 503,
                    fields: [
                        TransferField("Retry-After", "60"), TransferField("Content-Type", "application/problem+json"),
                    ], url: request.url), body: ResponseBody(Pieces(Array(problem.utf8), ending: nil)))
        })
        asked.registry.offer(try Offer.first.get())
        let result = try await asked.fetcher().update(try Self.widget.get())
        guard case .problem(let found)? = result.reason else {
            Issue.record("\(result)")
            return
        }
        #expect(found.code == "blob-damaged" && asked.clock.passed < .seconds(5), "\(asked.clock.passed)")
        #expect(result.error?.hints.first?.contains("publishing the same release again") == true)
    }

    @Test func `B5: a state of a channel gives one release, also after an update assembled from parts`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        #expect(try await host.update().isNew)
        // Another packer has written the archive, so that the assembled one has other bytes.
        let second = try Offer(.sample(text: "Changed"))
        host.registry.change { script in
            script.sequence = 11
            script.offer = second
            script.document = { $0.replacing(second.digest.hex, with: String(repeating: "ab", count: 32)) }
            script.archive = { $0 }
        }
        let assembled = try await host.update()
        let release = try #require(assembled.release)
        #expect(assembled.isNew && release.record.keptDigest != release.record.digest, "\(assembled)")
        for lie in [Offer.first, Offer.other] {
            let lie = try lie.get()
            host.registry.change { script in
                script.offer = lie
                script.document = { $0 }
            }
            let result = try await host.update()
            #expect(result.reason == .sequenceRewritten(11), "\(result)")
            #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        }
    }
}
