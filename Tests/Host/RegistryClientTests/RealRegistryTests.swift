import ConformanceSupport
import Foundation
import HostileServer
import RegistryClient
import RegistryContract
import Testing
import WidgetTestSupport
import WidgetTransfers

/// Goal: host and registry, as they are built, understand each other. Method: a built widgetd and real connections.
@Suite struct `A host and a real registry` {
    private static func fetcher(
        _ url: String, _ folder: Folder, _ change: (inout FetchOptions) -> Void = { _ in }
    ) throws -> WidgetFetcher {
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 2, firstPause: .milliseconds(10), longestPause: .milliseconds(50))
        change(&options)
        return WidgetFetcher(
            registry: try RegistryAddress(url), cache: try WidgetCache(at: "\(folder.path)/cache"), options: options)
    }

    /// Bytes of answers' contents, as the server has counted them.
    private static func sentByteCount(_ registry: Registry) throws -> Int {
        let conversation = Conversation(try RawConnection(port: registry.adminPort))
        conversation.connection.send(Registry.request("GET", "/metrics"))
        let text = try conversation.next(isHead: false).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("widgetd_http_sent_bytes_total") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    /// The demo, unpacked, one word of a text changed, and packed anew by another program.
    private static let repack = """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                data = old.read(name)
                new.writestr(name, data.replace(b"WidgetKit", b"Widgetkit") if name.endswith("StubService.json") else data)
        """

    @Test(.enabled(if: Samples.exist, "needs the original samples"))
    func `A changed text transfers a fiftieth of the demo`() async throws {
        let folder = try Folder()
        let registry = try Registry()
        #expect(try registry.post(try Samples.bytes("WidgetDemo.zip"), "channel=dev").status == 201)
        let fetcher = try Self.fetcher(registry.url, folder) { $0.channel = "dev" }
        let widget = try WidgetIdentifier("mobi.favio.WidgetDemo-1")
        let size = try #require(await fetcher.update(widget).release?.record.byteCount)
        try Data(Self.repack.utf8).write(to: URL(filePath: "\(folder.path)/repack.py"))
        let changed = "\(folder.path)/changed.zip"
        let line = "exec \(Tool.python) '\(folder.path)/repack.py' '\(Samples.directory)/WidgetDemo.zip' '\(changed)'"
        try #require(Shell.run(line).status == 0)
        #expect(try registry.post([UInt8](Data(contentsOf: URL(filePath: changed))), "channel=dev").status == 201)
        let before = try Self.sentByteCount(registry)
        let result = await fetcher.update(widget)
        let sent = try Self.sentByteCount(registry) - before
        #expect(result.isNew, "\(String(describing: result.error))")
        #expect(sent > 0 && sent * 50 <= size, "\(sent) of \(size)")
    }

    @Test func `A host gets a release as it is published`() async throws {
        let registry = try Registry()
        let folder = try Folder()
        try registry.publish(.sample(text: "one"))
        let fetcher = try Self.fetcher(registry.url, folder)
        var seen: [Int] = []
        for await event in fetcher.events(of: try WidgetIdentifier("com.example.Sample-1")) {
            if case .attention(.notified) = event {
                try registry.publish(.sample("com.example.Sample", "2", text: "two"))
            }
            guard case .revision(let number, .release(let release), let changes) = event else { continue }
            seen.append(number)
            if number == 2 {
                #expect(release.record.release == "1.0~2")
                #expect(changes.changed == ["Info.plist", "Scheme.json", "en.lproj/Localizable.strings"])
                break
            }
        }
        #expect(seen == [1, 2])
    }

    @Test func `A host loses a deleted channel, and finds it again when it is made anew`() async throws {
        let registry = try Registry()
        let folder = try Folder()
        try registry.publish(.sample(text: "one"), "channel=beta")
        let fetcher = try Self.fetcher(registry.url, folder) { $0.channel = "beta" }
        let widget = try WidgetIdentifier("com.example.Sample-1")
        var seen: [String] = []
        for await event in fetcher.events(of: widget) {
            switch event {
            case .attention(.notified):
                let path = "/v1/bundles/com.example.Sample/channels/beta"
                #expect(try registry.write("DELETE", path, "", "If-Match: *").status == 204)
                continue
            case .failed(let error):
                guard case .problem(let problem) = error.reason else { break }
                // Asked again before the channel is there anew, it says the same.
                if seen.last != problem.code {
                    seen.append(problem.code)
                    // The release from before stays, and comes with the failure.
                    let held = await fetcher.update(widget)
                    #expect(held.release?.record.release == "1.0~1", "\(held)")
                }
                try registry.publish(.sample("com.example.Sample", "2", text: "two"), "channel=beta")
                continue
            case .revision(_, .release(let release), _):
                seen.append(release.record.release)
                if seen.count < 3 { continue }
            default: continue
            }
            break
        }
        #expect(seen == ["1.0~1", "no-such-channel", "1.0~2"])
    }

    @Test func `A host loses a stopped registry, and finds it again when it is back`() async throws {
        let home = try Home()
        let folder = try Folder()
        var registry: Registry? = try Registry(home: home)
        try registry?.publish(.sample(text: "one"))
        let port = try #require(registry?.port)
        var timing = WatchTiming()
        timing.poll = .milliseconds(100)
        timing.firstPause = .milliseconds(50)
        timing.longestPause = .milliseconds(200)
        let fetcher = try Self.fetcher("http://127.0.0.1:\(port)", folder)
        var hasFailed = false
        for await event in fetcher.events(of: try WidgetIdentifier("com.example.Sample-1"), timing: timing) {
            switch event {
            case .attention(.notified) where !hasFailed:
                registry?.killAtOnce()
                registry = nil
            case .failed where !hasFailed:
                hasFailed = true
                registry = try Registry(
                    home: home, ["WIDGETD_LISTEN": ""], arguments: ["--listen", "127.0.0.1:\(port)"])
                try registry?.publish(.sample("com.example.Sample", "2", text: "two"))
            case .revision(2, _, _):
                #expect(hasFailed)
                return
            default: break
            }
        }
    }

    @Test func `A host notices a silent feed`() async throws {
        let folder = try Folder()
        let server = try HostileServer { visit in
            guard visit.request.target.hasPrefix("/v1/changes") else { return visit.answer(404, body: []) }
            visit.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: still here\n\n")
            visit.hold()
        }
        var timing = WatchTiming()
        timing.silence = .milliseconds(300)
        timing.firstPause = .milliseconds(10)
        timing.longestPause = .milliseconds(20)
        let fetcher = try Self.fetcher(server.url, folder)
        for await event in fetcher.events(of: try WidgetIdentifier("com.example.Sample-1"), timing: timing) {
            guard case .attention = event else { continue }
            if server.requests.filter({ $0.target.hasPrefix("/v1/changes") }).count > 2 { break }
        }
    }

    @Test func `A host ends an archive that never ends`() async throws {
        let folder = try Folder()
        let registry = try Registry()
        try registry.publish(.sample(text: "one"))
        let document = try registry.resolve("com.example.Sample-1").text
        let server = try HostileServer { visit in
            if visit.request.target.hasPrefix("/v1/widgets/") { return visit.answer(text: document) }
            visit.send("HTTP/1.1 200 OK\r\nETag: \"sha256-\(visit.request.target.suffix(64))\"\r\n\r\n")
            visit.sendForever([UInt8](repeating: 0x50, count: 65_536))
        }
        let result = await (try Self.fetcher(server.url, folder)).update(try WidgetIdentifier("com.example.Sample-1"))
        guard case .transfer(let error)? = result.reason, case .limitReached(.body, _) = error.reason else {
            Issue.record("\(String(describing: result.reason))")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/cache/partial").isEmpty)
    }

    @Test func `A host follows no redirect to a file, nor in circles`() async throws {
        for target in ["file:///etc/passwd", "/v1/widgets/again", "ftp://127.0.0.1/"] {
            let folder = try Folder()
            let server = try HostileServer { $0.answer(302, ["Location: \(target)"]) }
            let result = await (try Self.fetcher(server.url, folder)).update(
                try WidgetIdentifier("com.example.Sample-1"))
            guard case .transfer? = result.reason else {
                Issue.record("\(target): \(String(describing: result.reason))")
                continue
            }
        }
    }

    @Test func `A host takes part in a rollout as the contract says`() async throws {
        let registry = try Registry()
        try registry.publish(.sample(text: "one"))
        try registry.publish(.sample("com.example.Sample", "2", text: "two"), "rollout=5000")
        let document = try registry.resolve("com.example.Sample-1").text
        let salt = try #require(document.firstMatch(of: /"salt":"([^"]*)"/).map { String($0.1) })
        let widget = try WidgetIdentifier("com.example.Sample-1")
        for _ in 0..<8 {
            let folder = try Folder()
            let fetcher = try Self.fetcher(registry.url, folder)
            let bucket = Rollout.bucket(
                installation: fetcher.cache.installation, bundleIdentifier: "com.example.Sample", salt: salt)
            let release = await fetcher.update(widget).release?.record.release
            #expect(release == (bucket < 5_000 ? "1.0~2" : "1.0~1"), "bucket \(bucket)")
        }
    }

    @Test func `A host outside a first rollout is offered nothing`() async throws {
        let registry = try Registry()
        try registry.publish(.sample(text: "one"), "rollout=1")
        let folder = try Folder()
        let result = await (try Self.fetcher(registry.url, folder)).update(
            try WidgetIdentifier("com.example.Sample-1"))
        // One host in ten thousand gets it.
        #expect(result.reason == .nothingOffered || result.isNew)
    }

    @Test func `A host without time ends at once`() async throws {
        let folder = try Folder()
        let registry = try Registry()
        try registry.publish(.sample(text: "one"))
        let document = try registry.resolve("com.example.Sample-1").text
        let archive = try registry.get(try #require(document.firstMatch(of: /"url":"([^"]*)"/).map { String($0.1) }))
        let server = try HostileServer { visit in
            if visit.request.target.hasPrefix("/v1/widgets/") { return visit.answer(text: document) }
            visit.send(
                "HTTP/1.1 200 OK\r\nETag: \"sha256-\(visit.request.target.suffix(64))\"\r\n"
                    + "Content-Length: \(archive.body.count)\r\n\r\n")
            visit.send(Array(archive.body.prefix(archive.body.count / 2)))
            visit.hold()
        }
        let fetcher = try Self.fetcher(server.url, folder)
        let here = Observed(0)
        let task = Task {
            await fetcher.update(try WidgetIdentifier("com.example.Sample-1")) { done, _ in here.change { $0 = done } }
        }
        await here.becomes { $0 > 0 }
        task.cancel()
        guard case .transfer(let error)? = try await task.value.reason else {
            Issue.record("it was not cancelled")
            return
        }
        #expect(error.reason == .cancelled)
        // The same host continues with the half that is here.
        let result = await (try Self.fetcher(registry.url, folder)).update(
            try WidgetIdentifier("com.example.Sample-1"))
        #expect(result.cost?.reusedByteCount ?? 0 > 0)
    }
}

/// Goal: a host does not talk to a registry that cannot prove its name, and says so. Method: OpenSSL's server with a
/// certificate made by the test.
@Suite(.ownThreads, .enabled(if: Shell.has("openssl"), "needs openssl"))
struct `A registry with a self-signed certificate` {
    @Test func `A registry with a self-signed certificate is refused with a sentence that says so`() async throws {
        let server = try EncryptedServer(name: "localhost")
        let folder = try Folder()
        let fetcher = WidgetFetcher(
            registry: try RegistryAddress("https://localhost:\(server.port)"),
            cache: try WidgetCache(at: "\(folder.path)/cache"))
        let error = try #require(await fetcher.update(try WidgetIdentifier("com.example.Sample-1")).error)
        guard case .transfer(let failure) = error.reason else { throw error }
        #expect(failure.reason == .tls && !error.isTransient)
        #expect("\(error)".contains("could not prove that it is the one asked for"), "\(error)")
        #expect("\(error)".contains(/self[- ]signed certificate/), "\(error)")
        #expect(error.hints.contains { $0.contains("among the machine's authorities") }, "\(error.hints)")
    }

    @Test func `A registry with a certificate of a trusted authority is asked`() async throws {
        let server = try EncryptedServer(name: "localhost")
        let folder = try Folder()
        let fetcher = WidgetFetcher(
            registry: try RegistryAddress("https://localhost:\(server.port)"),
            cache: try WidgetCache(at: "\(folder.path)/cache"),
            client: TransferClient(transport: CurlTransport(authorities: server.certificate)))
        // OpenSSL's page is not a resolve document, and it has arrived.
        let error = try #require(await fetcher.update(try WidgetIdentifier("com.example.Sample-1")).error)
        guard case .malformedDocument = error.reason else { throw error }
    }
}

/// Goal: hosts within this package need ten lines. Method: the lines, run here. Those of docs/hosting.md are for other
/// packages, and PublicSurfaceTests compiles them.
@Suite struct `Ten lines of a host` {
    private final class Shown {
        var paths: [String] = []
        var releases: [InstalledRelease] = []
        var complaints: [String] = []
    }

    @Test func `Ten lines keep a widget up to date`() async throws {
        let server = try Registry()
        try server.publish(.sample())
        let folder = try Folder()
        let shown = Shown()
        func show(_ release: InstalledRelease) {
            shown.paths.append(release.path)
            shown.releases.append(release)
        }
        func log(_ text: String) { shown.complaints.append(text) }
        let (place, address, name) = ("\(folder.path)/widgets", server.url, "com.example.Sample-1")

        let cache = try WidgetCache(at: place)
        let host = WidgetFetcher(registry: try RegistryAddress(address), cache: cache)
        let widget = try WidgetIdentifier(name)

        switch await host.update(widget) {
        case .newData(let release, _), .noData(let release): show(release)
        case .failed(let reason, let release):
            log("\(reason)")
            if let release, !release.mustUpdate { show(release) }
        }
        #expect(shown.paths.count == 1 && shown.complaints.isEmpty)

        for await event in host.events(of: widget) {
            switch event {
            case .revision(_, .release(let release), _): show(release)
            case .failed(let reason): log("\(reason)")
            default: break
            }
            if shown.paths.count == 2 { break }
        }
        #expect(shown.paths.count == 2 && shown.paths[0] == shown.paths[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: shown.paths[0]).contains("Info.plist"))
    }
}
