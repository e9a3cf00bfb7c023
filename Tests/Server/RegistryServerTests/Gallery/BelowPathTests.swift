import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: below a path of its host, every way from a page leads to another page of the registry. Method: a crawl over all that
/// pages of a registry at `https://x.example/registry` name, with the path and without it.
@Suite struct `A registry below a path` {
    private static let root = "/registry"
    private static let origin = "https://x.example"

    /// A registry with releases that have all kinds of pages, some of them on a second page of their list.
    private static func service(_ url: String? = origin + root) throws -> Service {
        let service = try Service(isBehindProxy: true, publicURL: url)
        for number in 0..<CataloguePage.length + 2 {
            let bundle = TestBundle(identifier: "com.example.Sample\(number)", content: "{\"number\": \(number)}")
            try publish(bundle, in: service)
        }
        for version in ["1.1", "1.2"] {
            try publish(TestBundle(identifier: "com.example.Sample1", version: version), in: service)
        }
        _ = try service.registry.withdraw("com.example.Sample1", "1.1~1", reason: "bad", by: Author("tester"))
        return service
    }

    private static func publish(_ bundle: TestBundle, in service: Service) throws {
        let staged = try service.registry.stage()
        let taken = try bundle.take(into: staged.file)
        var facts = ReleaseFacts()
        facts.screens = [.init(name: "Feed", title: "Feed", still: "screen-1.html", ways: [])]
        let still = ReleasePart(
            name: "screen-1.html", mediaType: "text/html; charset=utf-8",
            content: Array("<html><body>x</body></html>".utf8))
        _ = try service.registry.publish(
            taken, archive: staged, PublishRequest(by: "tester"), parts: [facts.part, still])
    }

    /// The addresses that a page names, escapes undone.
    private static func addresses(_ answer: WireAnswer) -> [String] {
        let names = /(?:href|src|action|srcset|poster|formaction|data-[a-z]+)="([\/a-z#?][^"]*)"/
        let named = answer.text.matches(of: names).map { String($0.1) }
            .filter { !$0.contains(" ") && ($0.hasPrefix("/") || $0.hasPrefix("http") || $0.hasPrefix("?")) }
        let led = answer.value("Location").map { [$0] } ?? []
        let next = answer.values("Link").flatMap { $0.matches(of: /<([^>]*)>/).map { String($0.1) } }
        return (named + led + next).map { $0.replacing("&amp;", with: "&") }
    }

    @Test(arguments: [true, false])
    func `Every address of every page begins with the path, and leads somewhere`(_ isRemoved: Bool) throws {
        let service = try Self.service()
        let visitor = Visitor(service)
        visitor.fields = "X-Forwarded-Proto: https\r\n"
        let signedIn = try visitor.post(
            isRemoved ? "/sign-in" : "\(Self.root)/sign-in", "token=\(Service.admin)&next=/manage",
            from:
                "Origin: \(Self.origin)\r\nSec-Fetch-Site: same-origin\r\nReferer: \(Self.origin)\(Self.root)/sign-in\r\n"
        )
        #expect(signedIn.value("Location") == "\(Self.root)/manage")
        var left = ["\(Self.root)/", "\(Self.root)/manage", "\(Self.root)/manage/tokens", "\(Self.root)/problems"]
        var seen = Set(left)
        var pages = 0
        while let address = left.popLast(), pages < 1_000 {
            pages += 1
            let path = isRemoved ? String(address.dropFirst(Self.root.utf8.count)) : address
            var answer = try visitor.get(path.isEmpty ? "/" : path)
            // Documents and files are not asked for as pages.
            if answer.status == 406 { answer = try service.get(path) }
            #expect(answer.status < 400 || address.contains("1.1~1"), "\(address) is \(answer.status)")
            guard answer.value("Content-Type")?.hasPrefix("text/html") == true || answer.status == 303 else { continue }
            #expect(!answer.body.contains(0x1A), "\(address) has a mark")
            for found in Self.addresses(answer) where !found.hasPrefix("https://") || found.hasPrefix(Self.origin) {
                let place = found.hasPrefix("?") ? "\(Self.root)/\(found)" : found.replacing(Self.origin, with: "")
                #expect(place == Self.root || place.hasPrefix("\(Self.root)/"), "\(found) at \(address)")
                let target = String(place.prefix { $0 != "#" })
                // Forms are filled in by people, and a feed of events has no end.
                let isForm = answer.text.contains("method=\"post\" action=\"\(found)\"") || found.hasSuffix("/confirm")
                // Choices of devices and readers can be combined in any way; one at a time is followed.
                let isCombined = target.contains("/w/") && target.contains("&")
                if !isForm, !isCombined, !target.hasSuffix("/v1/changes"), seen.insert(target).inserted {
                    left.append(target)
                }
            }
        }
        #expect(pages > 100 && left.isEmpty)
        for part in [
            "/docs/operating", "/w/com.example.Sample1", "/manage/w/com.example.Sample1", "/feed.atom", "/manage/audit",
        ] {
            #expect(seen.contains(Self.root + part), "\(part)")
        }
        #expect(seen.contains { $0.contains("/still/") } && seen.contains { $0.contains("/compare/") })
        #expect(
            seen.contains { $0.contains("cursor=") } && seen.contains { $0.hasPrefix("\(Self.root)/assets/gallery/") })
    }

    @Test func `Lists, feeds and the description of the interface have the path in their addresses`() throws {
        let service = try Self.service()
        let list = try service.get("/v1/bundles?limit=1")
        #expect(list.value("Link")?.hasPrefix("</registry/v1/bundles?") == true)
        #expect(try service.get("/v1/changes?limit=1").value("Link")?.hasPrefix("</registry/v1/changes?") == true)
        let releases = try service.get("/v1/bundles/com.example.Sample1/releases?limit=1").value("Link")
        #expect(releases?.hasPrefix("</registry/v1/bundles/com.example.Sample1/releases?") == true)
        let feed = try service.get("/feed.atom").text
        for match in feed.matches(of: /href="([^"]*)"/) { #expect(match.1.hasPrefix("https://x.example/registry/")) }
        #expect(
            try service.get("/openapi.json").text.contains("\"servers\":[{\"url\":\"https://x.example/registry\"}]"))
        #expect(
            try service.get("/.well-known/widget-registry").text.contains(
                "\"publicURL\":\"https://x.example/registry\""))
        #expect(try !Service().get("/openapi.json").text.contains("\"servers\""))
    }

    @Test func `Scripts and sheets of pages name no address`() throws {
        let service = try Self.service()
        let shared = GalleryAssets.shared
        for path in [shared.sheet, shared.catalogueScript, shared.manageScript, shared.runningScript] {
            let text = try service.get(path).text
            #expect(!text.contains("url("), "\(path)")
            #expect(text.matches(of: /["'`]\/[a-z]/).isEmpty, "\(path)")
        }
    }

    @Test func `The cookie of a session is for the path alone`() throws {
        let service = try Self.service()
        let visitor = Visitor(service)
        let origin =
            "Origin: \(Self.origin)\r\nSec-Fetch-Site: same-origin\r\nReferer: \(Self.origin)\(Self.root)/sign-in\r\n"
        visitor.fields = "X-Forwarded-Proto: https\r\n"
        let cookie = try #require(
            try visitor.post("/sign-in", "token=\(Service.admin)", from: origin).value("Set-Cookie"))
        #expect(cookie.hasPrefix("__Secure-session=") && cookie.contains("; Path=/registry;"))
        #expect(cookie.contains("; Secure") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(try visitor.get("/manage").status == 200)
        let ended = try visitor.post("/registry/sign-out", from: origin)
        #expect(
            ended.value("Location") == "/registry/" && ended.value("Set-Cookie")?.contains("Path=/registry;") == true)
        #expect(try visitor.get("/registry/manage").value("Location") == "/registry/sign-in?next=%2Fmanage")
        let plain = Visitor(service)
        let field = try #require(try plain.post("/sign-in", "token=\(Service.admin)", from: origin).value("Set-Cookie"))
        #expect(field.hasPrefix("session=") && field.contains("; Path=/registry;"))
    }
}

/// Goal: behind a proxy that asks for another host, forms of the registry's own pages are taken, and no others. Method: all
/// that browsers say of where a form is from, by turns.
@Suite struct `The origin of a form` {
    private static func status(_ fields: String, publicURL: String?) throws -> WireAnswer {
        let service = try Service(publicURL: publicURL)
        return try Visitor(service).post("/sign-in", "token=\(Service.admin)", from: fields)
    }

    @Test(arguments: ["https://x.example", "https://x.example/registry", "https://X.example:443/registry/"])
    func `A form of a page at the public address is taken, by any name that a proxy asks for`(_ url: String) throws {
        let root = url.contains("registry") ? "/registry" : ""
        let page = "Referer: https://x.example\(root)/sign-in\r\n"
        for fields in [
            "Origin: https://x.example\r\n", "Origin: https://x.example\r\nSec-Fetch-Site: same-origin\r\n\(page)",
            "Sec-Fetch-Site: same-origin\r\n\(page)", "Origin: null\r\nSec-Fetch-Site: same-origin\r\n\(page)",
        ] {
            #expect(try Self.status(fields, publicURL: url).status == 303, "\(fields)")
        }
    }

    /// Origins, beginnings of the address of the page, and words about the site.
    private static let origins = ["https://x.example", "https://evil.example", "null"]
    private static let sites = ["same-origin", "same-site", "cross-site"]
    private static let pages = [
        "https://x.example/registry/manage", "https://x.example/registry/live/0a",
        "https://evil.example/registry/manage",
    ]

    @Test func `Of 27 combinations one is taken whole, and one without an origin`() throws {
        let service = try Service(publicURL: "https://x.example/registry")
        for origin in Self.origins {
            for site in Self.sites {
                for page in Self.pages {
                    let answer = try Visitor(service).post(
                        "/sign-in", "token=\(Service.admin)",
                        from: "Origin: \(origin)\r\nSec-Fetch-Site: \(site)\r\nReferer: \(page)\r\n")
                    let isTaken = origin != Self.origins[1] && site == Self.sites[0] && page == Self.pages[0]
                    #expect(answer.status == (isTaken ? 303 : 403), "\(origin) \(site) \(page)")
                }
            }
        }
    }

    @Test(arguments: [
        "/registry/live/0a", "/registry/%6Cive/0a", "/registry/l%69ve/0a", "/live/0a", "/registry/w/a.b/1.0~1/try",
        "/registry/w/a.b/1.0~1/%74ry?frame=1", "/registry/w/a.b/1.0~1/still/screen-1.html", "/other/manage", "/", "",
        "/registry2/manage", "/registry/../manage", "/registry/%2e%2e/manage", "/%72egistry/live/0a",
    ])
    func `Pages that show widgets, and other programs of the host, send no forms`(_ path: String) throws {
        let fields = "Origin: https://x.example\r\nSec-Fetch-Site: same-origin\r\nReferer: https://x.example\(path)\r\n"
        #expect(try Self.status(fields, publicURL: "https://x.example/registry").status == 403)
    }

    /// A page can hide its path, and spell it otherwise.
    @Test(arguments: ["/", "/w/a.b/1.0~1/%74ry", "/%6Cive/0a", "/w/a.b", "/docs/operating", "", "/live/0a"])
    func `Pages without forms send none at the top of a host, with and without words about the site`(
        _ path: String
    ) throws {
        for site in ["Sec-Fetch-Site: same-origin\r\n", ""] {
            let fields = "Origin: http://test\r\n\(site)Referer: http://test\(path)\r\n"
            #expect(try Self.status(fields, publicURL: nil).status == 403, "\(site)")
        }
        #expect(
            try Self.status("Origin: http://test\r\nReferer: http://test/sign-in\r\n", publicURL: nil).status == 303)
    }

    @Test func `A refused form names what the operator has to change`() throws {
        let own =
            "Origin: https://x.example:8443\r\nSec-Fetch-Site: same-origin\r\nReferer: https://x.example:8443/sign-in\r\n"
        let unset = try Self.status(own, publicURL: nil)
        #expect(unset.status == 403 && unset.text.contains("https://x.example:8443"))
        #expect(unset.text.contains("the host test") && unset.text.contains("proxy_set_header Host $http_host;"))
        #expect(unset.text.contains("or set publicURL to"))
        let other = try Self.status(own, publicURL: "https://y.example")
        #expect(other.text.contains("correct publicURL, which is https://y.example"))
        #expect(try Self.status(own, publicURL: "https://x.example:8443").status == 303)
        // Another site learns nothing of it.
        let foreign = try Self.status("Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n", publicURL: nil)
        #expect(foreign.text.contains("Open the page itself") && !foreign.text.contains("publicURL"))
    }
}

/// Goal: what people type is published as they typed it. Method: forms and queries as browsers and curl write them.
@Suite struct `A plus sign` {
    @Test func `A plus sign is a blank in a note, a reason and a search, and stays one in keys and versions`() throws {
        let service = try Service()
        let archive = TestBundle(version: "1.0+5").archive
        let published = try service.send(
            "POST", "/v1/bundles?note=two+words%2Bplus", archive, "Content-Type: application/zip\r\n")
        #expect(published.status == 201 && published.text.contains("\"note\":\"two words+plus\""), "\(published.text)")
        let visitor = Visitor(service)
        try visitor.signIn()
        let key = "1.0+5~1"
        let page = try visitor.get(
            "/manage/w/com.example.Sample/confirm?act=withdraw&release=\(key)&reason=bad+prices")
        #expect(page.text.contains("The reason is shown: bad prices"), "\(page.text)")
        let withdrawn = try visitor.post(
            "/manage/w/com.example.Sample", "act=withdraw&release=\(key)&reason=bad+prices%2Bmore")
        #expect(withdrawn.status == 303)
        #expect(try service.registry.release("com.example.Sample", key).withdrawal?.reason == "bad prices+more")
        _ = try service.send("POST", "/v1/bundles/com.example.Sample/releases/\(key)/restore")
        _ = try service.send("DELETE", "/v1/bundles/com.example.Sample/releases/\(key)?reason=worse+prices")
        #expect(try service.registry.release("com.example.Sample", key).withdrawal?.reason == "worse prices")
        #expect(try service.get("/v1/bundles?q=Sam+ple").text.contains("\"items\":[]"))
        #expect(try service.get("/?q=sample+x", "Accept: text/html\r\n").text.contains("value=\"sample x\""))
        #expect(try service.get("/v1/widgets/com.example.Sample-1?os=1.0+2").status != 400)
    }
}
