import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a widget alone is a page that its operator's pages can hold in a frame, and no others. Method: requests as browsers
/// send them, to a service with one bundle.
@Suite struct `The page of a widget alone` {
    private static let path = "/embed/\(TestBundle.identifier)-1"
    private static let frame = "Accept: text/html\r\nSec-Fetch-Dest: iframe\r\nSec-Fetch-Site: cross-site\r\n"
    private static let window = "Accept: text/html\r\nSec-Fetch-Dest: document\r\n"

    private let service: Service

    init() throws {
        service = try Service()
        let staged = try service.registry.stage()
        let taken = try TestBundle().take(into: staged.file)
        var facts = ReleaseFacts()
        facts.screens = [.init(name: "Feed", title: "Feed", still: "screen-1.html")]
        let still = ReleasePart(
            name: "screen-1.html", mediaType: "text/html; charset=utf-8", content: Array("<p>Hello</p>".utf8))
        _ = try service.registry.publish(
            taken, archive: staged, PublishRequest(by: "tester"), parts: [facts.part, still])
    }

    private func policy(_ path: String = path) throws -> [String: String] {
        let text = try #require(try service.get(path, Self.frame).value("Content-Security-Policy"))
        let parts = text.split(separator: ";").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(parts.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    @Test func `It has the element, the two scripts and nothing that is inline`() throws {
        let answer = try service.get(Self.path, Self.frame)
        #expect(answer.status == 200 && answer.value("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.value("Cache-Control")?.hasPrefix("public, max-age=30") == true && answer.value("ETag") != nil)
        #expect(answer.text.contains("src=\"/v1/widgets/\(TestBundle.identifier)-1\""))
        #expect(
            answer.text.contains("<widget-view sandbox grant=\"*\"")
                && answer.text.contains("data-frames=\"&#39;self&#39;\""))
        #expect(answer.text.contains("<script type=\"module\" src=\"/widget-view.js\">"))
        #expect(!answer.text.contains("style=") && !answer.text.contains("<style") && !answer.text.contains("<header"))
        let script = try #require(answer.text.firstMatch(of: /src="(\/assets\/gallery\/embed-[0-9a-f]{16}\.js)"/))
        let file = try service.get(String(script.1))
        #expect(file.status == 200 && file.value("Cache-Control")?.contains("immutable") == true)
    }

    @Test func `Its policy names the pages that may hold it, and lets it do what the element does`() throws {
        var policy = try policy()
        #expect(policy["frame-ancestors"] == "'self'" && policy["default-src"] == "'none'")
        #expect(policy["script-src"] == "'self' 'wasm-unsafe-eval'" && policy["connect-src"] == "'self'")
        #expect(policy["require-trusted-types-for"] == "'script'" && policy["trusted-types"] == "page")
        #expect(policy["base-uri"] == "'none'" && policy["form-action"] == "'none'")
        // A reload of the settings shows in the next answer.
        service.knobs.withLock { $0.ancestors = FrameAncestors(["'self'", "https://app.example"]) }
        policy = try self.policy()
        #expect(policy["frame-ancestors"] == "'self' https://app.example")
        let answer = try service.get(Self.path, Self.frame)
        #expect(answer.text.contains("data-frames=\"&#39;self&#39; https://app.example\""))
        #expect(
            answer.value("Cross-Origin-Resource-Policy") == "cross-origin" && answer.value("X-Frame-Options") == nil)
        let refused = try self.policy("/embed/com.example.None")
        #expect(refused["frame-ancestors"] == "'self' https://app.example")
    }

    @Test(arguments: [
        (["'none'"], "'self'"), (["*"], "*"), (["https://app.example"], "'self' https://app.example"),
        (["'self'", "https://*.app.example"], "'self' https://*.app.example"),
    ]) func `A still is shown by the registry itself and wherever its widget is`(_ sources: [String], _ text: String)
        throws
    {
        service.knobs.withLock { $0.ancestors = FrameAncestors(sources) }
        #expect(try policy("/w/\(TestBundle.identifier)/1.0~1/still/screen-1.html")["frame-ancestors"] == text)
    }

    @Test func `No other page of the registry can be held by pages that are named`() throws {
        service.knobs.withLock { $0.ancestors = FrameAncestors(["*"]) }
        for path in ["/", "/w/\(TestBundle.identifier)", "/sign-in", "/api"] {
            #expect(try policy(path)["frame-ancestors"] == "'none'", "\(path)")
        }
    }

    @Test func `The address chooses the channel and the place`() throws {
        let bundle = TestBundle(version: "2.0")
        _ = try service.send("POST", "/v1/bundles?channel=beta", bundle.archive, "Content-Type: application/zip\r\n")
        let answer = try service.get(
            "\(Self.path)?channel=beta&scheme=dark&dir=rtl&text=XXL&locale=ar_EG&open=acme%3A%2F%2Fevents%2F5%22",
            Self.frame)
        for part in [
            " channel=\"beta\"", " scheme=\"dark\"", " dir=\"rtl\"", " text-size=\"XXL\"", " locale=\"ar_EG\"",
            " link=\"acme://events/5&quot;\"",
            "name=\"color-scheme\" content=\"dark\"",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        // Pages of two addresses are two.
        #expect(try !service.get(Self.path, Self.frame).text.contains("beta"))
    }

    @Test(arguments: [
        ("/embed/com.example.None", 404, "no-such-widget"), ("\(path)?channel=gamma", 404, "no-such-channel"),
        ("/embed/-", 404, "no-such-widget"), ("\(path)?scheme=blue", 400, "malformed-request"),
        ("\(path)?open=a%C2%85b", 400, "malformed-request"),
        ("\(path)?chanel=beta", 400, "malformed-request"), ("\(path)?channel=a&channel=b", 400, "malformed-request"),
    ]) func `What is not there is said on a page, and to the page around it`(
        _ path: String, _ status: Int, _ code: String
    ) throws {
        let answer = try service.get(path, Self.frame)
        #expect(answer.status == status && answer.text.contains("<div class=\"said\" data-code=\"\(code)\">"))
        #expect(answer.text.contains("/assets/gallery/embed-") && !answer.text.contains("<widget-view"))
        // Programs get the problem.
        #expect(try service.get(path).value("Content-Type") == "application/problem+json")
    }

    @Test func `A name with markup stays a text`() throws {
        let answer = try service.get("/embed/%22%3E%3Cscript%3E", Self.frame)
        #expect(answer.status == 404 && !answer.text.contains("<script>"))
    }

    @Test func `A withdrawn release is gone from the page at once`() throws {
        #expect(try service.get(Self.path, Self.frame).status == 200)
        _ = try service.send("DELETE", "/v1/bundles/\(TestBundle.identifier)/releases/1.0~1?reason=x")
        #expect(try service.get(Self.path, Self.frame).status == 410)
    }

    @Test func `A new bundle with a longer identifier takes over`() throws {
        #expect(try service.get(Self.path, Self.frame).text.contains("<title>Sample</title>"))
        let bundle = TestBundle(identifier: "\(TestBundle.identifier)-1", version: "7.0", name: "Other")
        _ = try service.send("POST", "/v1/bundles", bundle.archive, "Content-Type: application/zip\r\n")
        let answer = try service.get(Self.path, Self.frame)
        #expect(answer.status == 200 && answer.text.contains("<title>Other</title>"))
        #expect(!answer.text.contains("<title>Sample</title>"))
    }

    @Test func `Without an engine it has a sentence with what to do, and the first still`() throws {
        service.knobs.withLock { $0.running = RunningPage.off }
        var answer = try service.get(Self.path, Self.frame)
        #expect(answer.status == 200 && answer.text.contains("The engine is missing here."))
        #expect(answer.text.contains("/w/\(TestBundle.identifier)/1.0~1/still/screen-1.html"))
        #expect(answer.text.contains("data-code=\"engine\"") && !answer.text.contains("widget-view"))
        // It is found while the server runs.
        // The owner may want stills alone.
        service.knobs.withLock { $0.running = .off("The owner wants stills.") }
        answer = try service.get(Self.path, Self.frame)
        #expect(answer.text.contains("The owner wants stills.") && !answer.text.contains("is missing here"))
        service.knobs.withLock { $0.running = .on }
        answer = try service.get(Self.path, Self.frame)
        #expect(answer.text.contains("<widget-view") && !answer.text.contains("is missing here"))
        #expect(answer.text.contains("<noscript><div class=\"said\"><h1>"))
    }

    /// Its policy lets it ask no other server.
    @Test func `Its script gets archives from here, also where readers are sent to a store`() throws {
        let service = try Service(on: SharedStore(redirectingTo: "https://store.example/"))
        _ = try service.send("POST", "/v1/bundles", TestBundle().archive, "Content-Type: application/zip\r\n")
        let path = "/v1/widgets/\(TestBundle.identifier)-1"
        let blob = try #require(try service.get(path).text.firstMatch(of: /\/v1\/blobs\/sha256\/[0-9a-f]{64}/)).0
        for path in [String(blob), "\(path)/bundle"] {
            let own = "Sec-Fetch-Site: same-origin\r\n"
            #expect(try service.get(path, "\(own)Sec-Fetch-Dest: empty\r\n").status == 200, "\(path)")
            for fields in [
                "", "\(own)Sec-Fetch-Dest: document\r\n", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: empty\r\n",
            ] {
                let answer = try service.get(path, fields)
                #expect(answer.status == 307 && answer.value("Location")?.hasPrefix("https://store.example/") == true)
            }
        }
    }

    @Test func `Where reading is closed, a window leads to the form and a frame says so`() throws {
        service.knobs.withLock { $0.closesReads = true }
        let invited = try service.get("\(Self.path)?scheme=dark", Self.window)
        #expect(invited.status == 303)
        #expect(invited.value("Location") == "/sign-in?next=\(PercentEncoding.segment("\(Self.path)?scheme=dark"))")
        let framed = try service.get(Self.path, Self.frame)
        #expect(framed.status == 401 && framed.value("WWW-Authenticate") != nil)
        #expect(framed.text.contains("data-code=\"unauthorized\"") && framed.text.contains("target=\"_blank\""))
        #expect(!framed.text.contains("<title>Sample</title>") && !framed.text.contains("still"))
        let hidden = try service.get("/embed/com.example.None", Self.frame)
        #expect(hidden.status == 401)
        let visitor = Visitor(service)
        try visitor.signIn(to: PercentEncoding.segment(Self.path))
        let page = try visitor.get(Self.path, "Sec-Fetch-Site: none\r\n")
        #expect(page.status == 200 && page.text.contains("<widget-view"))
        #expect(page.value("Cache-Control") == "private, no-cache")
    }
}
