import RegistryClient
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTransfers

/// Goal: a host stays at its registry, does not wait for one that drips, and says what happened. Method: a scripted
/// registry of which some answers come from elsewhere.
@Suite struct `A host whose registry answers otherwise` {
    private static func host() throws -> Host {
        let host = try Host()
        host.registry.offer(try Offer.first.get())
        return host
    }

    private static let widget = Result { try WidgetIdentifier("com.example.Sample-1") }

    // MARK: A13

    @Test(
        arguments: [
            ("/v1/widgets/", "http://10.0.0.1"), ("/v1/widgets/", "http://registry.test:8080"),
            ("/v1/widgets/", "https://evil.test"), ("/v1/blobs/", "http://10.0.0.1"),
            ("/v1/blobs/", "https://localhost"), ("/v1/blobs/", "http://[fd00::1]"),
        ])
    func `A13: a redirect of a document to another origin is refused, with its target and the option to allow it`(
        _ prefix: String, _ origin: String
    ) async throws {
        let host = try Self.host()
        let elsewhere = Elsewhere(registry: host.registry, prefix: prefix, manner: .redirect(to: origin))
        let result = try await elsewhere.fetcher(host).update(try Self.widget.get())
        let error = try #require(result.error)
        guard case .transfer(let failure) = error.reason, case .redirectedElsewhere(let target) = failure.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(target.hasPrefix(origin) && "\(error)".contains(target))
        #expect(error.hints.contains { $0.contains("--follow-elsewhere") && $0.contains(target) })
        #expect(elsewhere.asked.withLock { $0 }.allSatisfy { $0.url.host == "registry.test" && $0.url.port == 80 })
    }

    @Test(arguments: ["/v1/widgets/", "/v1/blobs/"])
    func `A13: an allowed redirect is followed without the token`(_ prefix: String) async throws {
        let host = try Self.host()
        let elsewhere = Elsewhere(
            registry: host.registry, prefix: prefix, manner: .redirect(to: "http://mirror.test"))
        let fetcher = try elsewhere.fetcher(host) {
            $0.followsElsewhere = true
            $0.token = "secret"
        }
        #expect(await fetcher.update(try Self.widget.get()).isNew)
        let asked = elsewhere.asked.withLock { $0 }
        #expect(asked.contains { $0.url.host == "mirror.test" })
        #expect(asked.allSatisfy { ($0.token == nil) == ($0.url.host == "mirror.test") })
    }

    @Test func `An archive is taken from the store that the registry names, without the token, and is still compared`()
        async throws
    {
        let host = try Self.host()
        let store = Elsewhere(
            registry: host.registry, prefix: "/v1/blobs/", manner: .redirect(to: "https://store.test", status: 307))
        let result = try await store.fetcher(host) { $0.token = "secret" }.update(try Self.widget.get())
        #expect(result.isNew)
        let asked = store.asked.withLock { $0 }
        #expect(asked.contains { $0.url.host == "store.test" })
        #expect(asked.allSatisfy { ($0.token == nil) == ($0.url.host == "store.test") })
        let remote = RemoteRegistry(
            host.fetcher.registry, token: "secret", client: TransferClient(transport: store, in: .skipping()))
        _ = try await remote.archive(for: try Self.widget.get())
        // Another archive of the same size in its place, for every request.
        let other = try Self.host()
        let liar = Elsewhere(
            registry: other.registry, prefix: "/v1/blobs/", manner: .redirect(to: "https://store.test", status: 307),
            spoils: true)
        let refused = try #require(try await liar.fetcher(other).update(try Self.widget.get()).error)
        guard case .wrongDigest = refused.reason else {
            Issue.record("\(refused)")
            return
        }
        // The answer to the second request is the reason.
        var refusing = liar
        (refusing.refusal, refusing.refusesConditionsOnly) = (403, true)
        let reason = try #require(try await refusing.fetcher(other).update(try Self.widget.get()).error).reason
        #expect(reason == .unexpectedStatus(403))
        // The registry itself has the right one.
        var damaged = liar
        damaged.isAtHomeUnderConditions = true
        #expect(try await damaged.fetcher(other).update(try Self.widget.get()).isNew)
    }

    @Test(arguments: ["http://10.0.0.1", "https://store.test"])
    func `An archive that the store does not give comes from the registry itself`(_ origin: String) async throws {
        let host = try Self.host()
        var store = Elsewhere(
            registry: host.registry, prefix: "/v1/blobs/", manner: .redirect(to: origin, status: 307))
        store.isAtHomeUnderConditions = true
        store.refusal = 403
        #expect(try await store.fetcher(host).update(try Self.widget.get()).isNew)
        let asked = store.asked.withLock { $0.filter { $0.url.path.hasPrefix("/v1/blobs/") } }
        #expect(asked.last?.url.host == "registry.test")
        #expect(asked.contains { $0.url.description.hasPrefix(origin) } == (origin == "https://store.test"))
        // Mirrors and commands ask in the same way.
        let remote = RemoteRegistry(
            host.fetcher.registry, token: nil, client: TransferClient(transport: store, in: .skipping()))
        _ = try await remote.archive(for: try Self.widget.get())
        // One that gives it neither way: the store's own answer is the error.
        let other = try Self.host()
        var away = Elsewhere(registry: other.registry, prefix: "/v1/blobs/", manner: store.manner)
        away.refusal = 403
        let error = try #require(try await away.fetcher(other).update(try Self.widget.get()).error)
        #expect(origin == "http://10.0.0.1" || error.reason == .unexpectedStatus(403), "\(error)")
    }

    @Test func `A13: a redirect to https at the same host is followed`() async throws {
        let host = try Self.host()
        let elsewhere = Elsewhere(
            registry: host.registry, prefix: "/v1/", manner: .redirect(to: "https://registry.test"))
        #expect(try await elsewhere.fetcher(host).update(try Self.widget.get()).isNew)
    }

    @Test func `A13: the command line reads no document and sends no archive at another origin either`() async throws {
        let host = try Self.host()
        for follows in [false, true] {
            let elsewhere = Elsewhere(
                registry: host.registry, prefix: "/v1/", manner: .redirect(to: "http://mirror.test"))
            let remote = RemoteRegistry(
                host.fetcher.registry, client: TransferClient(transport: elsewhere, in: .skipping()),
                followsElsewhere: follows)
            let file = try? await remote.archive(for: try Self.widget.get())
            #expect((file != nil) == follows)
            #expect(elsewhere.asked.withLock { $0.contains { $0.url.host == "mirror.test" } } == follows)
        }
    }

    /// A POST is sent on by 307 and 308 only, and with it its body.
    @Test(arguments: [302, 307, 308])
    func `A13: the command line sends no archive to another origin, and none by a redirect that changes the method`(
        _ status: Int
    ) async throws {
        let host = try Self.host()
        for follows in [false, true] {
            let elsewhere = Elsewhere(
                registry: host.registry, prefix: "/v1/",
                manner: .redirect(to: "http://mirror.test", status: status))
            let remote = RemoteRegistry(
                host.fetcher.registry, token: "secret",
                client: TransferClient(transport: elsewhere, in: .skipping()), followsElsewhere: follows)
            let file = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
            try file.write([1, 2, 3].span, at: 0)
            let archive = FileRegion(SharedFile(file), byteCount: 3)
            await #expect(throws: FetchError.self) {
                try await remote.publish(
                    archive, of: "com.example.Sample", digest: Digest(repeating: 1), PublishOptions())
            }
            let sent = elsewhere.asked.withLock { $0.filter { $0.url.host == "mirror.test" } }
            #expect(sent.count == (follows && status != 302 ? 1 : 0), "\(status), \(follows)")
            #expect(sent.allSatisfy { $0.token == nil && $0.method == .post && $0.body != nil })
        }
    }

    // MARK: A12

    @Test func `A12: an archive that drips is given up, and the next call continues it`() async throws {
        let host = try Self.host()
        let dripping = Elsewhere(registry: host.registry, prefix: "/v1/blobs/", manner: .drip(byteCount: 5_000))
        let result = try await dripping.fetcher(host).update(try Self.widget.get())
        let error = try #require(result.error)
        #expect("\(error)".contains("1024 bytes a second"))
        #expect(error.isTransient && !error.isRefusal)
        #expect(error.hints.contains { $0.contains("what came is kept") })
        let blobs = dripping.asked.withLock { $0.filter { $0.url.path.hasPrefix("/v1/blobs/") } }
        #expect(blobs.count == 1, "it would drip the next time too")
        #expect(blobs.map(\.limits.leastRate) == [LeastRate(bytesPerSecond: 1_024, window: .seconds(30))])
        host.registry.forget()
        let next = try await host.update()
        #expect(next.cost?.reusedByteCount == 5_000)
    }

    // MARK: Sentences

    @Test(arguments: [
        (404, "it does not have it", "ask again"), (410, "it does not have it", "ask again"),
        (503, "it is down or busy", "try again later"), (502, "a proxy does not reach it", "try again later"),
        (500, "it has failed", "try again later"), (418, "does not say why", "widget doctor"),
    ])
    func `The error about an archive says what happened and what to do`(
        _ status: Int, _ sentence: String, _ hint: String
    ) async throws {
        let host = try Self.host()
        let elsewhere = Elsewhere(registry: host.registry, prefix: "/v1/blobs/", manner: .status(status))
        let error = try #require(try await elsewhere.fetcher(host).update(try Self.widget.get()).error)
        #expect("\(error)".contains(sentence) && "\(error)".contains("\(status)"), "\(error)")
        #expect(error.hints.contains { $0.contains(hint) }, "\(error.hints)")
    }

    @Test(arguments: [401, 403, 404, 413, 429, 500, 502, 503, 504, 200, 302])
    func `No meaningless error is ever shown`(_ status: Int) {
        let error = FetchError(.unexpectedStatus(status))
        #expect("\(error)".hasPrefix("the registry answers \(status): "))
        #expect(!error.hints.isEmpty)
    }

    @Test func `The error says how long the registry asks to wait`() async throws {
        let host = try Self.host()
        let elsewhere = Elsewhere(
            registry: host.registry, prefix: "/v1/", manner: .status(503, [TransferField("Retry-After", "120")]))
        let error = try #require(try await elsewhere.fetcher(host).update(try Self.widget.get()).error)
        #expect(error.reason == .unexpectedStatus(503, retryAfter: 120))
        #expect(error.hints.contains { $0.contains("120 s") })
        #expect(elsewhere.asked.withLock(\.count) == 1, "two minutes are too long to wait for")
    }
}
