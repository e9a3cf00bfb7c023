import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: people find what was published, and publishers' texts stay texts. Method: the catalogue of a served registry.
@Suite struct `The catalogue` {
    static let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"

    @Test func `The catalogue has a card for each bundle with its latest release and its channels`() throws {
        let served = try ServedRegistry()
        try served.publish()
        try served.publish(TestBundle(version: "1.1"), rollout: 2_550)
        let answer = try served.get("/", Self.browser)
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type") == "text/html; charset=utf-8")
        // Programs get a list at the same address.
        #expect(answer.value("Vary")?.contains("Accept") == true)
        #expect(answer.text.contains("<a href=\"/w/com.example.Sample\">Sample</a>"))
        #expect(answer.text.contains("<strong>1.1~1</strong>") && answer.text.contains("2 releases"))
        #expect(answer.text.contains("stable<span class=\"key soft\">1.1~1</span>25.5 %"))
    }

    @Test(arguments: [
        ("/manage/com.acme.Depot", 404), ("/nowhere", 404), ("/docs/http/more", 404), ("/w/not%20a%20name", 404),
        ("/v2/bundles", 404), ("/problems/not-there", 404), ("/w/com.example.Sample/x", 404), ("/sign-out", 405),
    ])
    func `An address that is not there is a page for browsers, and a problem for programs`(
        _ path: String, _ status: Int
    ) throws {
        let service = try Service()
        for method in ["GET", "HEAD"] {
            let page = try service.get(path, Self.browser, method: method)
            #expect(page.status == status && page.value("Content-Type") == "text/html; charset=utf-8", "\(page.text)")
            #expect(page.text.contains(">All bundles</a>") == (method == "GET"))
            #expect(page.value("Content-Security-Policy") != nil && page.value("Cache-Control") == "no-store")
            #expect(page.value("Allow") == (status == 405 ? "POST, OPTIONS" : nil))
        }
        for accept in ["", "Accept: */*\r\n"] {
            let answer = try service.get(path, accept)
            #expect(answer.status == status && answer.value("Content-Type") == "application/problem+json")
        }
    }

    @Test func `After a rollback the card and the page of a bundle show the release that hosts get`() throws {
        let served = try ServedRegistry()
        for version in ["1.0", "1.1"] { try served.publish(TestBundle(version: version)) }
        #expect(try served.get("/", Self.browser).text.contains("<strong>1.1~1</strong>"))
        _ = try served.registry.rollback("com.example.Sample", "stable", to: nil, by: "tester")
        #expect(try served.get("/", Self.browser).text.contains("<strong>1.0~1</strong>"))
        let page = try served.get("/w/com.example.Sample", Self.browser).text
        let facts = try #require(page.split(separator: "Release on stable").last?.split(separator: "</section>").first)
        #expect(facts.contains("1.0~1") && !facts.contains("1.1~1"))
        #expect(page.contains(">Release <a href=\"/w/com.example.Sample/1.0~1\">"))
    }

    @Test func `A page of the registry runs nothing of a publisher's and has no styles in its markup`() throws {
        let served = try ServedRegistry()
        try served.publish()
        for path in [
            "/", "/w/com.example.Sample", "/w/com.example.Sample/1.0~1", "/api", "/w/com.example.Sample/9.9~1",
        ] {
            let answer = try served.get(path, Self.browser)
            let policy = try #require(answer.value("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'"))
            #expect(
                policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe") && !policy.contains("data:"))
            #expect(answer.value("X-Content-Type-Options") == "nosniff")
            for word in [" style=", " onclick", "javascript:", "<style", "http-equiv"] {
                #expect(!answer.text.lowercased().contains(word), "\(word) at \(path)")
            }
            // The one script is the registry's, and the catalogue alone has it.
            let scripts = answer.text.matches(of: /<script src="([^"]*)" defer><\/script>/).map { String($0.1) }
            #expect(answer.text.matches(of: /<script/).count == scripts.count)
            #expect(scripts.count == (path == "/" ? 1 : 0) && policy.contains("script-src") == (path == "/"))
            for script in scripts {
                #expect(try served.get(script).value("Cache-Control")?.contains("immutable") == true)
            }
        }
    }

    @Test func `The catalogue escapes the texts of publishers`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(name: "A&B 'quoted' $(x)"))
        let text = try served.get("/").text
        #expect(text.contains("A&amp;B &#39;quoted&#39; $(x)"))
        #expect(!text.contains("A&B"))
        let search = try served.get("/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&prefix=%3Cb%3E&finding=%27").text
        #expect(!search.contains("<script>alert") && !search.contains("<b>"))
        #expect(search.contains("Nothing is found"))
    }

    @Test func `An empty catalogue teaches the first publish with a line to copy`() throws {
        let text = try ServedRegistry().get("/").text
        #expect(text.contains("Nothing is published yet"))
        #expect(text.contains("curl -H &quot;Authorization: Bearer $(cat data/admin-token)&quot; -T WidgetDemo.zip"))
        #expect(text.contains("data-since=\"0\""))
    }

    @Test func `The catalogue leads from page to page of twenty-four, also within a search`() throws {
        let served = try ServedRegistry()
        for index in 10..<36 { try served.publish(TestBundle(identifier: "com.example.b\(index)")) }
        for path in ["/", "/?q=sample"] {
            let first = try served.get(path).text
            #expect(first.matches(of: /<li class="card">/).count == 24)
            let next = try #require(first.firstMatch(of: /<a href="(\/\?[^"]*cursor=[0-9a-f]+)"/)).1
            let second = try served.get(String(next).replacing("&amp;", with: "&")).text
            #expect(second.matches(of: /<li class="card">/).count == 2)
            #expect(second.contains("com.example.b35") && !second.contains("com.example.b33"))
            #expect(second.contains("value=\"sample\"") == path.contains("sample"))
        }
    }

    @Test func `A search for words, a prefix or a finding shows those bundles alone`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(identifier: "com.acme.Clock", name: "Clock"))
        try served.publish(TestBundle(identifier: "org.example.Timer", name: "Timer"))
        for path in ["/?q=clo", "/?prefix=com.acme", "/?q=acme%20clock&prefix=com."] {
            let text = try served.get(path).text
            #expect(text.contains("com.acme.Clock") && !text.contains("org.example.Timer"), "\(path)")
        }
        #expect(try served.get("/?finding=no-such-finding").text.contains("Nothing is found"))
        #expect(try served.get("/?q=").text.matches(of: /<li class="card">/).count == 2)
        #expect(try served.get("/?cursor=zz").status == 400)
        #expect(try served.get("/?limit=1").text.matches(of: /<li class="card">/).count == 1)
        #expect(try served.get("/?cursor=zz", Self.browser).text.contains("<h1>"))
    }

    @Test func `The catalogue is cached until something is published`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let first = try served.get("/")
        let tag = try #require(first.value("ETag"))
        #expect(try served.get("/", "If-None-Match: \(tag)\r\n").status == 304)
        #expect(first.value("Cache-Control")?.hasPrefix("public, max-age=30") == true)
        try served.publish(TestBundle(version: "1.1"))
        #expect(try served.get("/", "If-None-Match: \(tag)\r\n").status == 200)
    }

    @Test func `The feeds name new releases with addresses that work elsewhere`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(name: "A&B"))
        try served.publish(TestBundle(version: "1.1", name: "A&B"))
        let withdrawn = try served.publish(TestBundle(version: "1.2", name: "A&B"))
        try served.withdraw(withdrawn)
        for path in ["/feed.atom", "/w/com.example.Sample/feed.atom"] {
            let answer = try served.get(path)
            #expect(answer.value("Content-Type") == "application/atom+xml; charset=utf-8")
            #expect(answer.text.hasPrefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns="))
            #expect(answer.text.contains("<id>http://registry.test/w/com.example.Sample/1.1~1</id>"))
            #expect(!answer.text.contains("A&B"))
        }
        #expect(try !served.get("/w/com.example.Sample/feed.atom").text.contains("1.2~1"))
    }
}
