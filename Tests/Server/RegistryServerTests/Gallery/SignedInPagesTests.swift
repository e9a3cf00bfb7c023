import HTTPWire
import Testing
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a person sees on every page as whom they act, and ends it from there; and a page of one person reaches no other.
/// Method: every kind of page, by the same server, for two people and for a stranger, in turns.
@Suite struct `The header of pages` {
    private static let bundle = "/w/\(TestBundle.identifier)"

    private static let pages = [
        "/", "/api", "/docs", "/docs/hosting", "/problems/", "/problems/not-found", bundle, "\(bundle)/1.0~1",
        "\(bundle)/compare/1.0~1/1.1~1", "\(bundle)/1.0~1/files/Info.plist?page=1", "/manage", "/w/not.there",
        "/manage/not.there", "/nowhere", "/w/not%20a%20name",
    ]

    private let rights: RightsService
    private var service: Service { rights.service }

    init() throws {
        rights = try RightsService()
        for version in ["1.0", "1.1"] {
            let answer = try service.send(
                "POST", "/v1/bundles?channel=beta", TestBundle(version: version).archive,
                "Content-Type: application/zip\r\n")
            #expect(answer.status == 201)
        }
    }

    @Test(arguments: pages) func `Each page names the token that is signed in, and has the way out`(_ path: String)
        throws
    {
        let (owner, desk, stranger) = (Visitor(service), Visitor(service), Visitor(service))
        try owner.signIn()
        try desk.signIn(try rights.token("desk", "read"))
        for _ in 1...2 {
            for (visitor, name) in [(owner, "admin"), (desk, "desk")] {
                let page = try visitor.get(path)
                let other = name == "desk" ? "admin" : "desk"
                #expect(page.text.contains("Token <strong>\(name)</strong>"), "\(page.text.prefix(1_500))")
                #expect(
                    page.text.contains("action=\"/sign-out\"")
                        && !page.text.contains("<strong>\(other)</strong></span>"))
                #expect(page.value("Cache-Control") == "no-store" && page.value("ETag") == nil)
                #expect(page.value("Content-Security-Policy") != nil)
            }
            let page = try stranger.get(path)
            #expect(!page.text.contains("class=\"identity\"") && !page.text.contains("/sign-out"))
            // A copy from before the sign-in is not taken for the page of a person.
            if let tag = page.value("ETag") {
                #expect(try owner.get(path, "If-None-Match: \(tag)\r\n").status == 200)
                #expect(try stranger.get(path, "If-None-Match: \(tag)\r\n").status == 304)
            }
        }
        try owner.post("/sign-out")
        #expect(try !owner.get(path).text.contains("class=\"identity\""))
    }

    @Test func `What programs read is the same for a person`() throws {
        let person = Visitor(service)
        try person.signIn()
        let cookie = try #require(person.cookies["session"])
        for path in [
            "/v1/bundles", "/openapi.json", "/v1/widgets/\(TestBundle.identifier)?channel=beta",
            "\(Self.bundle)/feed.atom",
        ] {
            let answer = try service.get(path, "Cookie: session=\(cookie)\r\n")
            #expect(answer.status == 200 && answer.value("ETag") != nil && !answer.text.contains("class=\"identity\""))
        }
    }
}
