import RegistryClient
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: a watch of a registry says what it meets, and shows releases alone. Method: a registry behind a proxy that changes
/// its answers.
@Suite struct `Watching a registry in trouble` {
    /// A proxy before a registry.
    private final class Proxy: Transport {
        struct State: Sendable {
            /// Changes the fields of answers.
            var fields: @Sendable ([TransferField]) -> [TransferField] = { $0 }
            /// In place of every answer about the widget.
            var page: (status: Int, text: String, fields: [TransferField])?
            /// Questions about the widget are never answered.
            var isSilent = false
            var underWay = 0
            var mostUnderWay = 0
            var cancelled = 0
            /// The conditions of the questions about the widget, in their order.
            var conditions: [String?] = []
            /// The moments of the questions about the widget.
            var moments: [ContinuousClock.Instant] = []
        }

        let registry: ScriptedRegistry
        let clock = SkippingClock()
        private let state = Observed(State())

        init(_ registry: ScriptedRegistry) { self.registry = registry }

        func change(_ body: (inout State) -> Void) { state.change { body(&$0) } }
        var now: State { state.value }
        func becomes(_ condition: @escaping @Sendable (State) -> Bool) async { await state.becomes(condition) }

        func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
            guard request.url.path.hasPrefix("/v1/widgets/") else { return try await registry.exchange(request) }
            let moment = clock.now
            change { state in
                state.underWay += 1
                state.mostUnderWay = max(state.mostUnderWay, state.underWay)
                state.conditions.append(request.fields.first { $0.name.lowercased() == "if-none-match" }?.value)
                state.moments.append(moment)
            }
            defer { change { $0.underWay -= 1 } }
            // The others have time to ask at the same time.
            await Task.yield()
            if now.isSilent {
                await ManualClock().sleep(for: .seconds(1))
                change { $0.cancelled += 1 }
                throw TransferError(.cancelled, request.url)
            }
            if let page = now.page {
                return TransferAnswer(
                    TransferHead(status: page.status, fields: page.fields, url: request.url),
                    body: ResponseBody(Pieces(Array(page.text.utf8), ending: nil)))
            }
            let answer = try await registry.exchange(request)
            let head = TransferHead(
                status: answer.head.status, fields: now.fields(answer.head.fields), url: answer.head.url)
            return TransferAnswer(head, body: answer.body)
        }

        func fetcher(_ host: Host) -> WidgetFetcher {
            var options = FetchOptions()
            options.retries = RetryPolicy(attempts: 1)
            return WidgetFetcher(
                registry: host.fetcher.registry, cache: host.cache,
                client: TransferClient(transport: self, in: .skipping(clock)), options: options)
        }
    }

    private static func widget() throws -> WidgetIdentifier { try WidgetIdentifier("com.example.Sample-1") }

    /// A host with a release, and a proxy before its registry.
    private static func start() throws -> (Host, Proxy) {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        return (host, Proxy(host.registry))
    }

    @Test func `W7: a registry that sends no validators is compared by the digest of its release`() async throws {
        let (host, proxy) = try Self.start()
        proxy.change { state in
            state.fields = { fields in
                fields.filter { !["etag", "last-modified"].contains($0.name.lowercased()) }
            }
        }
        var revisions: [Int] = []
        for await event in proxy.fetcher(host).events(of: try Self.widget()) {
            switch event {
            case .revision(let number, _, _):
                revisions.append(number)
                if number == 1 {
                    // Some questions have the same answer before there is another one.
                    Task {
                        await proxy.becomes { $0.moments.count >= 5 }
                        host.registry.offer(try Offer(.sample(text: "Changed")))
                    }
                    continue
                }
            case .failed(let error): Issue.record("\(error)")
            case .gone, .attention: continue
            }
            break
        }
        #expect(revisions == [1, 2])
        #expect(proxy.now.moments.count >= 5 && proxy.now.conditions.allSatisfy { $0 == nil })
    }

    @Test(arguments: [404, 410, 500, 502, 503, 429, 200])
    func `W8: a page of errors never replaces content, and a widget that is not there is gone`(status: Int) async throws
    {
        let (host, proxy) = try Self.start()
        var seen: [String] = []
        for await event in proxy.fetcher(host).events(of: try Self.widget()) {
            switch event {
            case .revision(let number, .release(let release), _):
                seen.append("revision \(number)")
                if number == 1 {
                    // A page with other validators than the release had.
                    let fields = [TransferField("ETag", "\"other\""), TransferField("Content-Type", "text/html")]
                    proxy.change { $0.page = (status, "<html>Something went wrong</html>", fields) }
                    continue
                }
                #expect(host.text(release) == "{\"greeting\": \"Changed\"}")
            case .failed:
                seen.append("failed")
                host.registry.offer(try Offer(.sample(text: "Changed")))
                Task {
                    let asked = proxy.now.moments.count
                    await proxy.becomes { $0.moments.count >= asked + 3 }
                    proxy.change { $0.page = nil }
                }
                continue
            case .gone:
                seen.append("gone")
                continue
            default: continue
            }
            break
        }
        let gone = [404, 410].contains(status) ? ["gone"] : []
        #expect(seen == ["revision 1", "failed"] + gone + ["revision 2"])
    }

    @Test(arguments: [429, 503])
    func `W8: a registry that asks for patience is not asked before`(status: Int) async throws {
        let (host, proxy) = try Self.start()
        proxy.change { $0.page = (status, "<html>", [TransferField("Retry-After", "300")]) }
        for await event in proxy.fetcher(host).events(of: try Self.widget()) {
            guard case .failed = event else { continue }
            break
        }
        // The watch has ended with the loop; another one asks twice.
        proxy.change { $0.moments = [] }
        let task = Task {
            for await _ in proxy.fetcher(host).events(of: try Self.widget()) {}
        }
        await proxy.becomes { $0.moments.count >= 4 }
        task.cancel()
        _ = await task.result
        let moments = proxy.now.moments
        for (earlier, later) in zip(moments, moments.dropFirst()) { #expect(later - earlier >= .seconds(300)) }
    }

    @Test func `W8: pauses after failures grow to a minute, and differ by chance`() {
        let timing = WatchTiming()
        let pauses = (1...12).map { timing.pause(after: $0, chance: 1) }
        #expect(pauses.first == .seconds(1) && pauses.last == .seconds(60))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(timing.pause(after: 5, chance: 0) == timing.pause(after: 5, chance: 1) / 2)
    }

    @Test func `W9: one question is under way at a time, for any number of events`() async throws {
        let (host, proxy) = try Self.start()
        let feed = Feed()
        host.registry.change { $0.feed = feed }
        var count = 0
        for await event in proxy.fetcher(host).events(of: try Self.widget()) {
            if case .attention(.notified) = event {
                for number in 3..<40 { feed.send(change: number) }
                host.registry.offer(try Offer(.sample(text: "Changed")))
                feed.send(change: 40)
            }
            guard case .revision(2, _, _) = event else { continue }
            count += 1
            break
        }
        #expect(count == 1 && proxy.now.mostUnderWay == 1)
    }

    @Test func `W9: the end of a watch cancels the question that is under way`() async throws {
        let (host, proxy) = try Self.start()
        proxy.change { $0.isSilent = true }
        let task = Task {
            for await _ in proxy.fetcher(host).events(of: try Self.widget()) {}
        }
        await proxy.becomes { $0.underWay > 0 }
        task.cancel()
        _ = await task.result
        await proxy.becomes { $0.underWay == 0 }
        #expect(proxy.now.cancelled == 1)
    }

    @Test(arguments: ["etag", "eTag", "ETAG", "Etag"])
    func `W10: a field is found in any case, so that the next question has the condition`(name: String) async throws {
        let (host, proxy) = try Self.start()
        proxy.change { state in
            state.fields = { fields in
                fields.map { $0.name.lowercased() == "etag" ? TransferField(name, $0.value) : $0 }
            }
        }
        let task = Task {
            for await _ in proxy.fetcher(host).events(of: try Self.widget()) {}
        }
        await proxy.becomes { $0.conditions.count >= 3 }
        task.cancel()
        _ = await task.result
        let conditions = proxy.now.conditions
        #expect(conditions.first == .some(nil) && conditions.dropFirst().allSatisfy { $0 != nil })
    }
}
