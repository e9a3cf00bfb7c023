import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// Behind nginx, as most registries will be, without other programs: what `make test` has of the two suites below.
@Suite(.enabled(if: ReverseProxy.isInstalled, "needs nginx")) struct `A registry behind nginx` {
    private static let pair = Result {
        let registry = try Registry(["WIDGETD_PROXY_TRUSTED": "127.0.0.1"])
        return (registry: registry, proxy: try ReverseProxy(to: registry))
    }

    let registry: Registry
    let proxy: ReverseProxy
    let bundle = BundleForge(fresh(), text: Noise.text(4_000))

    init() throws { (registry, proxy) = try Self.pair.get() }

    private func ask(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) throws -> WireAnswer {
        let connection = try RawConnection(port: proxy.port)
        connection.send(
            Registry.request(method, target, fields + ["Connection: close"], body: body, token: token))
        // The rules of the registry's own answers are not those of nginx.
        var reader = AnswerReader(hasEnded: true)
        reader.append(connection.receiveToEnd().bytes)
        guard case .answer(let answer) = reader.next(isHead: method == "HEAD") else { throw NoAnswer() }
        return answer
    }

    private struct NoAnswer: Error {}

    @Test func `Uploads, downloads, ranges, conditions and refusals come through nginx whole`() throws {
        let bundles = "/v1/bundles"
        let published = try ask("POST", bundles, body: bundle.archive, token: Registry.adminToken)
        #expect(published.status == 201)
        let (digest, path) = (try #require(published.text("sha256")), try #require(published.text("url")))
        let whole = try ask("GET", path)
        #expect(whole.status == 200 && BundleForge.sha256(whole.body) == digest)
        let part = try ask("GET", path, ["Range: bytes=1000-"])
        #expect(part.status == 206 && part.body == Array(whole.body[1_000...]))
        let tag = try #require(whole.value("ETag"))
        #expect(try ask("GET", path, ["If-None-Match: \(tag)"]).status == 304)
        let refused = try ask("POST", bundles, body: bundle.archive)
        #expect(refused.status == 401 && refused.text.contains("/problems/unauthorized"))
    }

    @Test func `validators and digests come through unchanged`() throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let direct = try registry.get(url)
        let conversation = Conversation(try RawConnection(port: proxy.port))
        conversation.connection.send("HEAD \(url) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let head = String(decoding: conversation.connection.receiveToEnd().bytes, as: UTF8.self)
        for name in ["ETag", "Repr-Digest", "Cache-Control", "Content-Length", "Last-Modified", "Accept-Ranges"] {
            #expect(head.contains("\(name): \(try #require(direct.value(name)))\r\n"), "\(name)")
        }
    }

    @Test func `events come at once, not in blocks`() throws {
        try registry.publish(BundleForge(bundle.identifier, "0.1"))
        let stream = try EventStream(port: proxy.port, "/v1/changes")
        #expect(stream.status == 200)
        while let event = stream.next() { if event.data.contains(bundle.identifier) { break } }
        // A proxy that collected a block first would wait for more events, which do not come.
        try registry.publish(BundleForge(bundle.identifier, "1.0"))
        var seen = false
        while !seen, let event = stream.next() { seen = event.data.contains("\"1.0~1\"") }
        #expect(seen)
    }
}

/// Behind nginx, with curl from addresses that differ.
@Suite(
    .serialized, .part(.contract), .enabled(if: ReverseProxy.isInstalled && Shell.has("curl"), "needs nginx and curl"))
struct `Behind a reverse proxy` {
    private static let pair = Result {
        let registry = try Registry([
            "WIDGETD_RATE_LIMIT": "on", "WIDGETD_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE": "5",
            "WIDGETD_LIMITS_WRITES_PER_MINUTE": "1000", "WIDGETD_PROXY_TRUSTED": "127.0.0.1",
            "WIDGETD_PUBLIC_URL": "https://widgets.example",
        ])
        return (registry: registry, proxy: try ReverseProxy(to: registry))
    }

    let registry: Registry
    let proxy: ReverseProxy
    let bundle = BundleForge(fresh(), text: Noise.text(4_000))
    let file: String

    init() throws {
        (registry, proxy) = try Self.pair.get()
        file = try registry.home.file("\(bundle.identifier).zip", bundle.archive)
    }

    private let authorization = "-H 'Authorization: Bearer \(Registry.adminToken)'"

    /// - Parameter address: the client's apparent address, one of loopback.
    private func curl(_ arguments: String, from address: String = "127.0.0.9") -> String {
        Shell.run("curl -sS -m 60 --interface \(address) \(arguments)").output
    }

    private func status(_ arguments: String, from address: String = "127.0.0.9") -> String {
        curl("-o /dev/null -w '%{http_code}' \(arguments)", from: address)
    }

    @Test func `an upload arrives and a download comes back whole`() throws {
        #expect(status("\(authorization) -T '\(file)' \(proxy.url)/v1/bundles/") == "201")
        let target = "\(file).fetched"
        #expect(curl("-o '\(target)' -w '%{http_code}' \(proxy.url)/v1/widgets/\(bundle.identifier)/bundle") == "200")
        let digest = try #require(try registry.resolve(bundle.identifier).text("candidates.0.sha256"))
        #expect(Shell.run("sha256sum '\(target)'").output.hasPrefix(digest))
    }

    @Test func `Clients behind the proxy are counted separately`() throws {
        let wrong = "-H 'Authorization: Bearer wrong' -T '\(file)' \(proxy.url)/v1/bundles/"
        Registries.expectLimit(5, of: 401) { _ in Int(status(wrong, from: "127.0.0.2")) }
        #expect(status(wrong, from: "127.0.0.3") == "401")
    }

    @Test func `a client cannot pass for another by naming it`() throws {
        let wrong = "-H 'Authorization: Bearer wrong' -T '\(file)' \(proxy.url)/v1/bundles/"
        Registries.expectLimit(5, of: 401) {
            Int(status("-H 'X-Forwarded-For: 203.0.113.\($0)' \(wrong)", from: "127.0.0.4"))
        }
    }

    @Test func `an early refusal comes through with its problem`() throws {
        let large = try registry.home.file("large.zip", Array(repeating: 0, count: 4 << 20))
        let answer = curl("-w '\\n%{http_code}' -T '\(large)' \(proxy.url)/v1/bundles/", from: "127.0.0.5")
        #expect(answer.hasSuffix("\n401"))
        #expect(answer.contains("/problems/unauthorized"))
    }

    @Test func `An upload that is too large is refused by the registry, not the proxy`() throws {
        let output = Shell.run(
            "F=$(mktemp) && truncate -s 70M $F && curl -sS -m 60 -w '\\n%{http_code}' \(authorization) -T $F "
                + "\(proxy.url)/v1/bundles/Large.zip; rm $F"
        ).output
        #expect(output.hasSuffix("\n413"))
        #expect(output.contains("/problems/too-large"))
    }

    @Test func `ranges come through`() throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let whole = try registry.get(url).body
        let part = try registry.home.file("\(bundle.identifier).part", Array(whole[..<1_000]))
        #expect(curl("-C - -o '\(part)' -w '%{http_code}' \(proxy.url)\(url)") == "206")
        #expect(Shell.run("sha256sum '\(part)'").output.hasPrefix(BundleForge.sha256(whole)))
    }

    @Test func `conditions come through`() throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        #expect(status("-H 'If-None-Match: \"sha256-\(url.suffix(64))\"' \(proxy.url)\(url)") == "304")
        #expect(status("-H 'If-Match: \"x\"' \(proxy.url)\(url)") == "412")
    }

    @Test func `Addresses in answers are under the public URL`() throws {
        let head = curl("-D - -o /dev/null \(authorization) -T '\(file)' '\(proxy.url)/v1/bundles/'")
        #expect(
            head.contains(
                "Location: https://widgets.example/v1/bundles/\(bundle.identifier)/releases/1.0~1\r\n"))
    }

    @Test func `A compressed answer stays compressed`() throws {
        try registry.publish((0..<50).reduce(BundleForge(bundle.identifier)) { $0.adding("f\($1).json", "{}") })
        let path = "\(proxy.url)/v1/widgets/\(bundle.identifier)"
        #expect(curl("--compressed \(path)") == curl(path))
        #expect(curl("-D - -o /dev/null --compressed \(path)").contains("Content-Encoding: gzip"))
    }
}

/// Goal: pages work behind a proxy as operators write it, or say what to change. Method: nginx with the lines that differ, and
/// requests as browsers make them.
@Suite(.part(.contract), .enabled(if: ReverseProxy.isInstalled && Shell.has("curl"), "needs nginx and curl"))
struct `Pages behind a reverse proxy` {
    /// A registry behind nginx.
    ///
    /// - Parameter path: that of `publicURL`; `nil` if the setting is left out.
    private static func pair(_ way: ReverseProxy.Way, publicPath path: String?) throws -> (Registry, ReverseProxy) {
        let port = try HeldPort()
        var settings = ["WIDGETD_PROXY_TRUSTED": "127.0.0.1"]
        if let path { settings["WIDGETD_PUBLIC_URL"] = "http://127.0.0.1:\(port.number)\(path)" }
        let registry = try Registry(settings)
        return (registry, try ReverseProxy(to: registry, by: way, on: port))
    }

    /// Sends a form as a page of the registry does, with the port in its origin.
    private static func signIn(_ proxy: ReverseProxy, below root: String = "") -> String {
        Shell.run(
            "curl -sS -m 60 -i -H 'Accept: text/html' -H 'Origin: \(proxy.url)' -H 'Sec-Fetch-Site: same-origin' "
                + "-H 'Referer: \(proxy.url)\(root)/sign-in' -d 'token=\(Registry.adminToken)&next=/manage' "
                + "\(proxy.url)\(root)/sign-in"
        ).output
    }

    @Test(arguments: [nil, "$host", "$http_host", "other.example"])
    func `A form is taken at the public address, by any name that the proxy asks for`(_ host: String?) throws {
        var way = ReverseProxy.Way()
        way.host = host
        let (registry, proxy) = try Self.pair(way, publicPath: "")
        withExtendedLifetime((registry, proxy)) {
            let answer = Self.signIn(proxy)
            #expect(answer.hasPrefix("HTTP/1.1 303") && answer.contains("Location: /manage\r\n"), "\(answer)")
        }
    }

    @Test(arguments: [(nil, false), ("$host", false), ("$http_host", true)])
    func `Without a public address, the proxy has to pass the host on with its port`(
        _ host: String?, _ isTaken: Bool
    ) throws {
        var way = ReverseProxy.Way()
        way.host = host
        let (registry, proxy) = try Self.pair(way, publicPath: nil)
        withExtendedLifetime((registry, proxy)) {
            let answer = Self.signIn(proxy)
            #expect(answer.hasPrefix(isTaken ? "HTTP/1.1 303" : "HTTP/1.1 403"), "\(answer)")
            #expect(answer.contains("proxy_set_header Host $http_host;") == !isTaken)
            #expect(answer.contains("or set publicURL to") == !isTaken)
        }
    }

    @Test(arguments: [true, false])
    func `Below a path, pages work whether the proxy removes the path or not`(_ removesPath: Bool) throws {
        var way = ReverseProxy.Way()
        (way.path, way.removesPath, way.scheme) = ("/registry", removesPath, "https")
        let (registry, proxy) = try Self.pair(way, publicPath: "/registry")
        try registry.publish(BundleForge("com.acme.Clock"))
        withExtendedLifetime((registry, proxy)) {
            let page = Shell.run("curl -sS -m 60 -H 'Accept: text/html' \(proxy.url)/registry/").output
            let addresses = page.matches(of: /(?:href|src|action)="([^"#]+)"/).map { String($0.1) }
            #expect(addresses.contains("/registry/w/com.acme.Clock"))
            for address in Set(addresses) {
                #expect(address.hasPrefix("/registry/"), "\(address)")
                let status = Shell.run("curl -sS -m 60 -o /dev/null -w '%{http_code}' '\(proxy.url)\(address)'").output
                #expect(["200", "303"].contains(status), "\(address) is \(status)")
            }
            let answer = Self.signIn(proxy, below: "/registry")
            #expect(answer.hasPrefix("HTTP/1.1 303") && answer.contains("Location: /registry/manage\r\n"), "\(answer)")
            #expect(answer.contains("Set-Cookie: __Secure-session=") && answer.contains("; Path=/registry;"))
            let feed = Shell.run("curl -sS -m 60 \(proxy.url)/registry/feed.atom").output
            #expect(feed.contains("href=\"\(proxy.url)/registry/w/com.acme.Clock/1.0~1\""))
        }
    }
}

/// The framework's original demo bundle, on machines that have it beside the repository.
@Suite(.enabled(if: Samples.exist, "needs the original samples")) struct `The demo bundle` {
    let registry: Registry

    init() throws {
        registry = try Registries.demo()
    }

    private func resolve() throws -> WireAnswer {
        #expect([200, 201].contains(try registry.post(try Samples.bytes("WidgetDemo.zip"), "strict=true").status))
        return try registry.resolve("mobi.favio.WidgetDemo-1")
    }

    @Test func `The demo bundle is accepted strictly, and found by a widget's identifier`() throws {
        let answer = try resolve()
        #expect(answer.status == 200)
        #expect(answer.text("bundleIdentifier") == "mobi.favio.WidgetDemo")
        #expect(answer.text("candidates.0.name") == "WidgetDemo")
        #expect(try registry.get("/v1/widgets/mobi.favio.WidgetDemo-1/WidgetDemo.zip").status == 200)
    }

    @Test func `Each file of the demo lies where the document says`() throws {
        let answer = try resolve()
        let whole = try registry.get(try #require(answer.text("candidates.0.url"))).body
        let files = try #require(answer["candidates.0.files"]?.array)
        #expect(files.count > 10)
        for file in files {
            let offset = Int(try #require(file["offset"]?.integer))
            let count = Int(try #require(file["compressedSize"]?.integer))
            let size = Int(try #require(file["size"]?.integer))
            let data = Array(whole[offset..<(offset + count)])
            let content = file["method"]?.string == "deflate" ? ZipForge.inflate(data, byteCount: size) : data
            #expect(content.map(BundleForge.sha256) == file["sha256"]?.string, "\(file["path"]?.string ?? "")")
        }
    }

    /// `make test` has the archives that we write unpacked by these (`unanimity.py`).
    @Test(.part(.contract), arguments: ["unzip -tqq", "7z t -bso0", "bsdtar -tf", "python3 -m zipfile -t"])
    func `The demo bundle is served so that other programs can open it`(_ tool: String) throws {
        let program = String(tool.prefix { $0 != " " })
        guard Shell.has(program) else { return }
        let url = try #require(try resolve().text("candidates.0.url"))
        let file = try registry.home.file("demo-\(program).zip", try registry.get(url).body)
        #expect(Shell.run("\(tool) '\(file)' >/dev/null 2>&1").status == 0)
    }
}
