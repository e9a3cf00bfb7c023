import CommandSupport
import ConformanceSupport
import Foundation
import HostileServer
import Testing
import WidgetTestSupport

/// Goal: the commands withstand servers that are not registries, and follow the environment. Method: scripted servers.
@Suite(.callingThreads) struct `widget and the network` {
    private static let page = "{\"items\":[]}"

    private func list(_ environment: [String: String], _ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["list"] + arguments, environment: environment)
    }

    @Test(arguments: [
        (200, "<html>hello</html>", "the registry's answer cannot be read"),
        (200, "{\"items\":{}}", "the registry's answer cannot be read"),
        (200, String(repeating: "[", count: 5_000), "the registry's answer cannot be read"),
        (404, "<html>not found</html>", "the registry answers 404"),
        (502, "", "the registry answers 502"), (500, "{\"type\":1}", "the registry answers 500"),
    ])
    func `widget reports what is wrong with an answer`(_ status: Int, _ body: String, _ words: String) throws {
        let server = try HostileServer { $0.answer(status, text: body) }
        let result = try list(["WIDGET_SERVER": server.url])
        #expect(result.error.contains(words))
        #expect(result.error.hasPrefix("error: "))
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 1)
    }

    @Test func `widget shows everything that a problem says, harmless to a terminal`() throws {
        let problem = """
            {"type":"/problems/strange","title":"Strange","status":418,"detail":"It is\\u001b[2J odd","limit":7,\
            "nested":{"a":[1,2]},"errors":[{"code":"c1","path":"a/b","detail":"first"},{"detail":"second"}]}
            """
        let server = try HostileServer { $0.answer(418, ["Content-Type: application/problem+json"], text: problem) }
        let result = try list(["WIDGET_SERVER": server.url])
        #expect(
            result.error == """
                error: Strange: It is\\u{1b}[2J odd
                  a/b: first [c1]
                  second
                for reports: strange, status 418, limit 7, nested {"a":[1,2]}

                """)
        let json = try list(["WIDGET_SERVER": server.url], "--json")
        #expect(json.output.contains("\"errors\":[{\"code\":\"c1\""))
        #expect(json.exitCode == 1)
    }

    /// Texts that are orders to a terminal, as JSON.
    static let orders = [
        "\\u001b[2J\\u001b]0;owned\\u0007", "\\u009b2J", "\\u0007", "fine\\rerror", "fine\\nerror: none", "no\\b\\b",
        "\\u202egnorw", "\\u2066x\\u2069", "a\\u200bb", "a\\u007f", "a\\u0000b", "\\ufeffa",
    ]

    /// True when a terminal could take it for an order, or would show the following text in another direction.
    private static func commands(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    @Test(arguments: orders, [403, 200])
    func `No text of a registry reaches the terminal as an order, from any command`(_ text: String, _ status: Int)
        throws
    {
        let problem = "{\"type\":\"/problems/x\",\"title\":\"\(text)\",\"status\":403,\"detail\":\"\(text)\"}"
        let bundle = """
            {"bundleIdentifier":"\(text)","name":"\(text)","latest":"\(text)","releases":1,\
            "channels":[{"channel":"\(text)","release":"\(text)","rollout":10000,"mandatory":false,"sequence":1,"salt":"s"}]}
            """
        let server = try HostileServer { visit in
            if status == 403 {
                visit.answer(403, ["Content-Type: application/problem+json"], text: problem)
            } else if visit.request.target.hasPrefix("/v1/bundles?") {
                visit.answer(200, text: "{\"items\":[\(bundle)]}")
            } else {
                visit.answer(200, text: bundle)
            }
        }
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        for command in [
            ["list"], ["list", "--json"], ["show", "com.acme.Clock"],
            ["fetch", "com.acme.Clock-1", "--cache", folder.path("cache")],
            ["promote", "com.acme.Clock", "1~1", "--channel", "stable"],
        ] {
            let result = try Program.run(command, environment: ["WIDGET_SERVER": server.url])
            let shown = result.output + result.error
            #expect(!shown.isEmpty)
            #expect(!shown.unicodeScalars.contains(where: Self.commands), "\(command): \(shown.debugDescription)")
            // A line that the registry wrote does not look like one of ours.
            #expect(!shown.contains("\nerror: none"), "\(command): \(shown)")
        }
    }

    @Test func `widget reads all pages, each once`() throws {
        @Sendable func bundle(_ name: String) -> String {
            "{\"bundleIdentifier\":\"com.acme.\(name)\",\"name\":\"\(name)\",\"latest\":null,\"releases\":0,\"channels\":[]}"
        }
        let server = try HostileServer { visit in
            if visit.request.target.contains("cursor=two") {
                visit.answer(200, text: "{\"items\":[\(bundle("B"))],\"next\":\"two\"}")
            } else {
                visit.answer(200, text: "{\"items\":[\(bundle("A"))],\"next\":\"two\"}")
            }
        }
        let result = try list(["WIDGET_SERVER": server.url])
        #expect(result.output.contains("com.acme.A") && result.output.contains("com.acme.B"))
        #expect(server.requests.map(\.target) == ["/v1/bundles?limit=200", "/v1/bundles?limit=200&cursor=two"])
    }

    @Test func `widget finds a registry below a path`() throws {
        let server = try HostileServer { $0.answer(200, text: Self.page) }
        #expect(try list(["WIDGET_SERVER": "\(server.url)/registry/"]).exitCode == 0)
        #expect(server.requests.map(\.target) == ["/registry/v1/bundles?limit=200"])
    }

    @Test func `widget asks through the proxy that the environment names`() throws {
        let proxy = try HostileServer { $0.answer(200, text: Self.page) }
        // libcurl reads the environment of the process.
        let result = try Program.built.run(
            ["list"],
            environment: ["WIDGET_SERVER": "http://registry.test", "http_proxy": proxy.url, "WIDGET_TOKEN": "abc"])
        #expect(result.exitCode == 0)
        #expect(proxy.requests.first?.value("Host") == "registry.test")
        #expect(proxy.requests.first?.value("Authorization") == "Bearer abc")
        let server = try HostileServer { $0.answer(200, text: Self.page) }
        let direct = try Program.built.run(
            ["list"],
            environment: [
                "WIDGET_SERVER": server.url, "http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1",
            ])
        #expect(direct.exitCode == 0)
    }

    @Test func `widget sends the token to the registry only`() throws {
        let other = try HostileServer { $0.answer(200, text: Self.page) }
        let otherURL = other.url
        let server = try HostileServer { $0.answer(302, ["Location: \(otherURL)/v1/bundles"]) }
        let environment = ["WIDGET_SERVER": server.url, "WIDGET_TOKEN": "secret"]
        let refused = try list(environment)
        #expect(refused.exitCode == 1 && refused.error.contains("hint: `--follow-elsewhere` goes to \(otherURL)"))
        #expect(other.requests.isEmpty)
        #expect(try list(environment, "--follow-elsewhere").exitCode == 0)
        #expect(server.requests.first?.value("Authorization") == "Bearer secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.value("Authorization") == nil)
    }

    @Test func `widget tries again when a connection is lost`() throws {
        let server = try HostileServer { visit in
            if visit.number == 0 { visit.reset() } else { visit.answer(200, text: Self.page) }
        }
        #expect(try list(["WIDGET_SERVER": server.url]).exitCode == 0)
        #expect(server.requests.count == 2)
    }

    @Test func `widget rolls back once, even if the answer is lost`() throws {
        let server = try HostileServer { $0.reset() }
        let result = try Program.run(
            ["rollback", "com.acme.Clock", "--channel", "stable"], environment: ["WIDGET_SERVER": server.url])
        #expect(result.exitCode == 1)
        #expect(server.requests.count == 1)
    }

    @Test func `widget publishes with a digest after 100 Continue, and draws no bar without a terminal`() throws {
        let folder = try Folder()
        let archive = SampleBundle.archive()
        let server = try HostileServer { visit in
            guard visit.request.target.hasPrefix("/v1/bundles?") else { return Self.refuse(visit) }
            visit.send("HTTP/1.1 100 Continue\r\n\r\n")
            _ = visit.readBody()
            visit.answer(
                201,
                text: """
                    {"bundleIdentifier":"com.example.Sample","release":"1.0~1","name":"Sample","sha256":"a","content":"b",\
                    "size":1,"published":"2026-01-01T00:00:00Z","publishedBy":"ci","channels":["a+b","stable"],"changed":true}
                    """)
        }
        let result = try Program.called.run(
            ["publish", folder.write("a.zip", archive), "--channel", "a+b", "--rollout", "0.05"],
            environment: ["WIDGET_SERVER": server.url], clock: StridingClock())
        #expect(result.error.isEmpty)
        #expect(result.output.hasSuffix("com.example.Sample 1.0~1 is published, on a+b, stable\n"))
        // Whether a channel would be made is asked for first.
        #expect(server.requests.map(\.target).first == "/v1/bundles/com.example.Sample")
        let request = try #require(server.requests.last)
        #expect(request.target == "/v1/bundles?channel=a%2Bb&rollout=5")
        #expect(request.value("Expect") == "100-continue")
        #expect(request.value("Content-Type") == "application/zip")
        #expect(request.value("Content-Length") == "\(archive.count)")
        #expect(request.value("Content-Digest")?.wholeMatch(of: /sha-256=:[A-Za-z0-9+\/]{43}=:/) != nil)
    }

    /// The answer of a registry that has nothing yet.
    @Sendable private static func refuse(_ visit: Visit) {
        visit.answer(
            404, ["Content-Type: application/problem+json"],
            text: #"{"type":"/problems/no-such-bundle","title":"t","status":404,"detail":"d"}"#)
    }

    private static let noted = """
        {"bundleIdentifier":"com.example.Sample","release":"1.0~1","name":"Sample","sha256":"a","content":"b",\
        "size":1,"published":"2026-01-01T00:00:00Z","publishedBy":"ci","note":"Works on \u{1B}Sundays","channels":["stable"],\
        "report":{"kept":[],"stripped":[],"warnings":[],"findings":[],"source":{"sha256":null,"size":1},\
        "content":"DIGEST","sha256":"DIGEST","size":1}}
        """.replacingOccurrences(of: "\u{1B}", with: "\\u001B").replacingOccurrences(
            of: "DIGEST", with: String(repeating: "0", count: 64))

    @Test func `widget publishes with a note, which is one line`() throws {
        let folder = try Folder()
        let server = try HostileServer { visit in
            guard visit.request.target.hasPrefix("/v1/bundles?") else { return Self.refuse(visit) }
            visit.answer(201, text: Self.noted)
        }
        let archive = try folder.write("a.zip", SampleBundle.archive())
        let environment = ["WIDGET_SERVER": server.url]
        let result = try Program.run(["publish", archive, "--note", "Works on Sundays"], environment: environment)
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(server.requests.last?.target == "/v1/bundles?note=Works%20on%20Sundays")
        let refused = try Program.run(["publish", archive, "--note", "two\nlines"], environment: environment)
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("one line of 500 characters at most"))
        #expect(server.requests.count == 2)
    }

    @Test func `widget shows the note of a release with the release and with its report`() throws {
        let server = try HostileServer { $0.answer(200, text: Self.noted) }
        let environment = ["WIDGET_SERVER": server.url]
        for command in ["show", "report"] {
            let result = try Program.run([command, "com.example.Sample", "1.0~1"], environment: environment)
            #expect(result.exitCode == 0, "\(result.error)")
            let line = result.output.split(separator: "\n").first { $0.hasPrefix("note") }
            #expect(line?.contains("Works on") == true && line?.contains("Sundays") == true, "\(result.output)")
            #expect(!result.output.contains("\u{1B}"))
        }
    }
}

/// Goal: `widget doctor` approves a registry behind a common proxy. Method: nginx, configured as operators do.
@Suite(.callingThreads, .enabled(if: ReverseProxy.isInstalled, "needs nginx"))
struct `widget doctor behind a proxy` {
    @Test func `doctor finds no fault with a sound registry`() throws {
        let registry = try Registry()
        try registry.publish(BundleForge("com.acme.Clock"))
        let proxy = try ReverseProxy(to: registry)
        // Swift may release the proxy after its last use, before the program has asked it.
        let result = try withExtendedLifetime(proxy) {
            try Program.run(
                ["doctor"], environment: ["WIDGET_SERVER": proxy.url, "WIDGET_TOKEN": Registry.adminToken])
        }
        #expect(result.exitCode == 0)
        #expect(!result.output.contains("error"), "\(result.output)")
        #expect(!result.output.contains("warning"), "\(result.output)")
        #expect(result.output.contains("ok       ranges"))
    }

    /// A proxy and the setting of a registry behind it, with the finding about both.
    @Test(
        arguments: [
            ("$http_host", "", false, "ok       forms", 0), ("$host", nil, false, "error    forms", 1),
            (nil, nil, false, "error    forms", 1), (nil, "", false, "ok       forms", 0),
            ("$http_host", "/registry", true, "ok       forms", 0),
            ("$http_host", "/registry", false, "ok       forms", 0),
            ("$http_host", nil, true, "error    forms", 1), ("$http_host", "/other", true, "error    forms", 1),
        ] as [(String?, String?, Bool, String, Int32)])
    func `doctor finds a proxy that passes no host on, and pages that lead out of the path`(
        _ host: String?, _ publicPath: String?, _ removesPath: Bool, _ line: String, _ exit: Int32
    ) throws {
        let port = try HeldPort()
        let settings = publicPath.map { ["WIDGETD_PUBLIC_URL": "http://127.0.0.1:\(port.number)\($0)"] } ?? [:]
        let registry = try Registry(settings)
        var way = ReverseProxy.Way()
        way.host = host
        (way.path, way.removesPath) = (removesPath || publicPath == "/registry" ? "/registry" : "", removesPath)
        let proxy = try ReverseProxy(to: registry, by: way, on: port)
        let result = try withExtendedLifetime(proxy) {
            try Program.run(["doctor"], environment: ["WIDGET_SERVER": proxy.url + way.path])
        }
        #expect(result.exitCode == exit && result.output.contains(line), "\(result.output)")
        guard exit == 1 else { return }
        #expect(result.output.contains(removesPath ? "set publicURL to \(proxy.url)/registry" : "Host $http_host;"))
    }
}
