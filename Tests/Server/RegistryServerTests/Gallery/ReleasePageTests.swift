import Foundation
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: the pages of bundles and releases say what was published, and show nothing of it that could act. Method: pages of a
/// served registry whose releases have parts.
@Suite struct `The pages of releases` {
    private static let page = "/w/com.example.Sample"

    /// A registry with a release that has a still which says a text.
    private static func served(_ texts: [String]) throws -> ServedRegistry {
        let served = try ServedRegistry()
        for (place, text) in texts.enumerated() {
            let staged = try served.registry.stage()
            let bundle = TestBundle(version: "1.\(place)", content: "{\"text\": \"\(place)\"}")
            let taken = try bundle.take(into: staged.file)
            var facts = ReleaseFacts()
            facts.screens = [
                .init(name: "Feed", title: "Feed", still: "screen-1.html", ways: ["Details"]),
                .init(name: "Details", title: "<i>Details</i>"),
            ]
            facts.hosts = ["https://api.example.com"]
            facts.records = ["Person"]
            let html = "<html><head><title>x</title></head><body><p>\(text)</p><p>Always</p></body></html>"
            let parts = [
                facts.part,
                ReleasePart(name: "screen-1.html", mediaType: "text/html; charset=utf-8", content: Array(html.utf8)),
            ]
            _ = try served.registry.publish(taken, archive: staged, PublishRequest(by: "tester"), parts: parts)
        }
        return served
    }

    @Test func `The page of a bundle has its still, its channels, its needs and lines to copy`() throws {
        let served = try Self.served(["Hello", "Good day"])
        let text = try served.get(Self.page, `The catalogue`.browser).text
        #expect(text.contains("src=\"\(Self.page)/1.1~1/still/screen-1.html\""))
        #expect(text.contains("sandbox=\"allow-same-origin\"") && text.contains("inert"))
        #expect(text.contains("https://api.example.com") && text.contains("records on the device: Person"))
        #expect(text.contains("curl -LOJ &#39;http://registry.test/v1/widgets/com.example.Sample-1/bundle&#39;"))
        #expect(text.contains("widget run com.example.Sample-1 --server http://registry.test"))
        #expect(text.contains("href=\"\(Self.page)/compare/1.0~1/1.1~1\""))
        #expect(text.contains("This registry shows stills, and runs no widgets on its pages."))
    }

    @Test(arguments: ["stable", "beta"])
    func `The lines in Swift on the page of a bundle are listings of docs/hosting.md, which are compiled`(
        _ channel: String
    ) throws {
        let served = try ServedRegistry()
        try served.publish(to: channel)
        let page = try served.get(Self.page, `The catalogue`.browser).text
        let part = try #require(page.split(separator: "Show it in an app in Swift</h3>").last)
        let code = try #require(part.firstMatch(of: /<code class="copy">(.*?)<\/code>/.dotMatchesNewlines())?.1)
        let lines = code.replacing("&quot;", with: "\"").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            .replacing("http://registry.test", with: "https://widgets.example")
            .replacing("com.example.Sample-1", with: "com.acme.Clock-1")
        let listings = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/hosting.md", encoding: .utf8)
            .matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        let whole = try #require(listings.first { $0.hasPrefix("import WidgetRegistryClient\n") })
        let ofChannel = try #require(listings.first { $0.contains("options.channel = \"beta\"") })
        let client = try #require(whole.split(separator: "\n").first { $0.hasPrefix("let client") })
        let expected = channel == "stable" ? whole : whole.replacing("\(client)\n", with: ofChannel)
        #expect("\(lines)\n" == expected)
    }

    @Test func `A still can do nothing, and no other site can frame it`() throws {
        let served = try Self.served(["Hello"])
        let still = try served.get("\(Self.page)/1.0~1/still/screen-1.html")
        #expect(still.status == 200 && still.text.contains("<p>Hello</p>"))
        let policy = try #require(still.value("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("sandbox allow-same-origin"))
        #expect(policy.contains("form-action 'none'") && policy.contains("frame-ancestors 'self'"))
        #expect(!policy.contains("script-src") && !policy.contains("allow-scripts"))
        #expect(try served.get("\(Self.page)/1.0~1/still/other").status == 404)
        #expect(try served.get("\(Self.page)/1.0~1/still/%2e%2e").status >= 400)
    }

    @Test func `The page of a release has its screens with their ways, its report, its files and its digests`() throws {
        let served = try Self.served(["Hello"])
        let release = try served.registry.release("com.example.Sample", "1.0~1")
        let text = try served.get("\(Self.page)/1.0~1", `The catalogue`.browser).text
        #expect(text.contains("<a href=\"#screen-Details\">&lt;i&gt;Details&lt;/i&gt;</a>"))
        #expect(text.contains("no still of this screen"))
        #expect(text.contains(release.digest.hex) && text.contains(release.contentDigest.hex))
        #expect(text.contains("href=\"\(Self.page)/1.0~1/files/content.json\""))
        #expect(text.contains("by tester") && text.contains("2 files kept"))
        #expect(text.contains("; 2 files, ") && text.contains(" unpacked"))
        let line =
            "curl -Lo &#39;com.example.Sample-1.0~1.zip&#39; &#39;http://registry.test/v1/blobs/sha256/\(release.digest.hex)&#39;\n"
            + "echo &#39;\(release.digest.hex)  com.example.Sample-1.0~1.zip&#39; | sha256sum -c"
        #expect(text.contains(line))
    }

    @Test func `A card has the size and the note of the latest release`() throws {
        let served = try ServedRegistry()
        let staged = try served.registry.stage()
        let taken = try TestBundle().take(into: staged.file)
        var options = PublishOptions()
        options.remarks.note = "Works <b>on</b> Sundays"
        let release = try served.registry.publish(
            taken, archive: staged, PublishRequest(options, by: "tester")
        ).release
        let text = try served.get("/", `The catalogue`.browser).text
        #expect(text.contains("<p class=\"small clamp\">Works &lt;b&gt;on&lt;/b&gt; Sundays</p>"))
        #expect(text.contains(" · \(ByteCountText.of(release.byteCount)) · 1 release"))
    }

    @Test func `The page of a file shows text as text`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(content: "{\"a\": \"<script>alert(1)</script>\"}"))
        let answer = try served.get("\(Self.page)/1.0~1/files/content.json", `The catalogue`.browser)
        #expect(answer.status == 200 && answer.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!answer.text.contains("<script>"))
        #expect(try served.get("\(Self.page)/1.0~1/files/other.json").status == 404)
        #expect(try served.get("\(Self.page)/1.0~1/files/../content.json").status != 200)
    }

    @Test func `The page that compares two releases names the changed text, the changed file and the bytes to fetch`()
        throws
    {
        let served = try Self.served(["Hello <b>you", "Good day"])
        let text = try served.get("\(Self.page)/compare/1.0~1/1.1~1", `The catalogue`.browser).text
        #expect(text.contains("<del class=\"old\">Hello</del>") && text.contains("<ins class=\"new\">Good day</ins>"))
        #expect(!text.contains(">Always<"))
        #expect(text.contains("content.json") && text.contains("2 changed, 0 added, 0 removed, 0 the same."))
        #expect(text.contains("It fetches these, or the whole archive where that costs less."))
        #expect(try served.get("\(Self.page)/compare/1.0~1/9~9").status == 404)
    }

    @Test func `A withdrawn release has a page that says so, and shows nothing of it`() throws {
        let served = try Self.served(["Hello", "Good day"])
        try served.withdraw(try served.registry.release("com.example.Sample", "1.1~1"), reason: "it <crashes>")
        let answer = try served.get("\(Self.page)/1.1~1", `The catalogue`.browser)
        #expect(answer.status == 410 && answer.value("Content-Type")?.hasPrefix("text/html") == true)
        #expect(answer.text.contains("it &lt;crashes&gt;") && !answer.text.contains("<iframe"))
        for path in ["/1.1~1/still/screen-1.html", "/1.1~1/files/content.json", "/compare/1.0~1/1.1~1"] {
            #expect(try served.get(Self.page + path).status >= 400, "\(path)")
        }
        // The bundle's page shows the one before, and lists the other as withdrawn.
        let bundle = try served.get(Self.page).text
        #expect(bundle.contains("1.0~1/still/screen-1.html") && bundle.contains("<del>1.1~1</del>"))
        try served.withdraw(try served.registry.release("com.example.Sample", "1.0~1"))
        let gone = try served.get(Self.page).text
        #expect(gone.contains("All releases of this bundle are withdrawn") && !gone.contains("<iframe"))
    }

    @Test func `A refusal is a page for browsers and a document for programs`() throws {
        let served = try ServedRegistry()
        let page = try served.get("/w/com.example.None", `The catalogue`.browser)
        #expect(page.status == 404 && page.text.contains("<h1>"))
        let document = try served.get("/w/com.example.None")
        #expect(document.status == 404 && document.value("Content-Type") == "application/problem+json")
    }

    @Test func `Facts are read as they were written, and those of a later program are left out`() throws {
        var facts = ReleaseFacts()
        facts.screens = [.init(name: "a", title: "A \"b\"", still: "s", ways: ["c"])]
        facts.hosts = ["https://x"]
        facts.needs = ["media"]
        facts.picksMedia = true
        #expect(ReleaseFacts(facts.part) == facts)
        #expect(ReleaseFacts(ReleasePart(name: "facts.json", mediaType: "", content: Array("{}".utf8))) == nil)
        let deep = String(repeating: "[", count: 10_000)
        #expect(ReleaseFacts(ReleasePart(name: "facts.json", mediaType: "", content: Array(deep.utf8))) == nil)
    }
}
