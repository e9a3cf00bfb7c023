import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a session is as good as its token and as short-lived as it should be, and no other site can use it. Method: a
/// browser's requests to a service, with what attackers would change.
@Suite struct `A session` {
    @Test func `A person signs in with a token and gets a cookie that scripts and other sites never see`() throws {
        let visitor = Visitor(try Service())
        #expect(try visitor.get("/manage").value("Location") == "/sign-in?next=%2Fmanage")
        let form = try visitor.get("/sign-in?next=%2Fmanage%2Ftokens")
        #expect(form.text.contains("type=\"password\"") && form.text.contains("value=\"/manage/tokens\""))
        let answer = try visitor.signIn(to: "/manage/tokens")
        #expect(answer.status == 303 && answer.value("Location") == "/manage/tokens")
        let cookie = try #require(answer.value("Set-Cookie"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/"))
        #expect(!cookie.contains(Service.admin) && !cookie.contains("Domain"))
        let page = try visitor.get("/manage")
        #expect(page.status == 200 && page.value("Cache-Control") == "no-store")
        #expect(!page.text.contains(Service.admin))
        try visitor.post("/sign-out")
        #expect(try visitor.get("/manage").status == 303)
    }

    @Test func `Behind TLS, the cookie is for TLS and for this host alone`() throws {
        let visitor = Visitor(try Service(isBehindProxy: true))
        visitor.fields = "X-Forwarded-Proto: https\r\n"
        let cookie = try #require(try visitor.signIn().value("Set-Cookie"))
        #expect(cookie.hasPrefix("__Host-session=") && cookie.contains("; Secure"))
        #expect(try visitor.get("/manage").status == 200)
        // The same cookie over plain HTTP is nothing, nor is one that was set without TLS.
        visitor.fields = ""
        #expect(try visitor.get("/manage").status == 303)
        // Only a trusted proxy says that there is TLS.
        let plain = Visitor(try Service())
        plain.fields = "X-Forwarded-Proto: https\r\n"
        #expect(try plain.signIn().value("Set-Cookie")?.contains("Secure") == false)
    }

    @Test(arguments: ["/", "/w/com.acme.Clock", "/docs", "/w/a.b/compare/1.0~1/1.1~2"])
    func `A person signs out on each page`(_ page: String) throws {
        let visitor = Visitor(try Service())
        try visitor.signIn()
        let origin = "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\nReferer: http://test\(page)\r\n"
        #expect(try visitor.post("/sign-out", "", from: origin).status == 303)
        #expect(try visitor.get("/manage").status == 303)
    }

    @Test func `A session ends with its token, its time and a sign-out`() throws {
        let rights = try RightsService()
        let token = try rights.token("desk", "promote")
        let visitor = Visitor(rights.service)
        try visitor.signIn(token)
        #expect(try visitor.get("/manage").text.contains("the token desk"))
        let copy = visitor.cookies
        _ = try rights.service.send("DELETE", "/v1/tokens/desk")
        #expect(try visitor.get("/manage").status == 303)
        #expect(try visitor.post("/manage/w/com.acme.Clock", "act=rollback&channel=stable").status == 401)
        #expect(copy == visitor.cookies)
    }

    @Test func `A session that is not used for two hours is over, and so is one of twelve hours`() throws {
        let service = try Service()
        let (clock, visitor) = (service.clock, Visitor(service))
        func isIn() throws -> Bool { try visitor.get("/manage").status == 200 }
        try visitor.signIn()
        clock.advance(by: .seconds(DeskLimits.idleTime - 1))
        #expect(try isIn())
        clock.advance(by: .seconds(DeskLimits.idleTime - 1))
        #expect(try isIn())
        clock.advance(by: .seconds(DeskLimits.idleTime))
        #expect(try !isIn())
        try visitor.signIn()
        for _ in 0..<5 {
            clock.advance(by: .seconds(DeskLimits.idleTime - 1))
            #expect(try isIn())
        }
        clock.advance(by: .seconds(DeskLimits.lifetime - 5 * (DeskLimits.idleTime - 1)))
        #expect(try !isIn())
    }

    @Test func `Signing in makes a new session, so that one set by an attacker is worth nothing`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        let planted = String(repeating: "a", count: 64)
        visitor.set("session", planted)
        try visitor.signIn()
        #expect(visitor.cookies["session"] != planted)
        let attacker = Visitor(service)
        attacker.set("session", planted)
        #expect(try attacker.get("/manage").status == 303)
        // The session before a second sign-in is over.
        let first = try #require(visitor.cookies["session"])
        try visitor.signIn()
        attacker.set("session", first)
        #expect(try attacker.get("/manage").status == 303)
        // Two cookies of one name are ambiguous.
        let second = try #require(visitor.cookies["session"])
        #expect(
            try service.get("/manage", "Cookie: session=\(second); session=\(planted)\r\n").status == 303)
    }

    @Test(arguments: [
        "Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\nOrigin: http://test\r\n",
        "Sec-Fetch-Site: same-site\r\n", "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\n",
        "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\nReferer: http://test/live/0a\r\n",
        "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\nReferer: http://test/w/a.b/1.0~1/try\r\n",
        "Origin: null\r\n", "", "Origin: http://test.evil.example\r\n",
        "Origin: http://test:81\r\n", "Referer: http://test/\r\n",
    ]) func `A form that another site sends changes nothing`(_ origin: String) throws {
        let service = try Service()
        let visitor = Visitor(service)
        #expect(try visitor.post("/sign-in", "token=\(Service.admin)", from: origin).status == 403)
        try visitor.signIn()
        for path in ["/manage/tokens", "/manage/tokens/revoke", "/manage/w/com.acme.Clock"] {
            #expect(try visitor.post(path, "name=x&scope=admin", from: origin).status == 403, "\(path)")
        }
        #expect(try service.registry.tokens().isEmpty)
        // Each page of this registry has a form to sign out, and no other page may send it.
        let isOwnPage = origin.contains("Referer: http://test/w/")
        if !isOwnPage, !origin.contains("Referer: http://test/live/") {
            #expect(try visitor.post("/sign-out", "", from: origin).status == 403)
        }
        #expect(try visitor.get("/manage").status == 200)
        // Programs have tokens, and a cookie does not replace one.
        let cookie = try #require(visitor.cookies["session"])
        let answer = try service.send(
            "POST", "/v1/tokens", "{\"name\": \"x\", \"scopes\": [\"admin\"]}", "Cookie: session=\(cookie)\r\n",
            token: nil)
        #expect(answer.status == 401)
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example/", "/\\evil.example", "/manage//evil.example", "javascript:alert(1)",
        "/w/x%0d%0aSet-Cookie:a=b", "/sign-in", "/v1/bundles", "",
        "//evil.example/?next=/manage", "/manage?a=%0d%0aSet-Cookie:a=b", "/manage?a=%250d%250aSet-Cookie%3Aa",
        "/manage?a=%25zz", "/manage?a=%25ff", "/manage?a=%5c%5cevil.example", "/manage?to=https://evil.example/",
        "/manage?a=b%23c", "/manage?a=b%3Fc", "/manage?a=b c", "/\tevil.example",
    ]) func `Signing in leads to pages of this registry alone`(_ place: String) throws {
        let answer = try Visitor(try Service()).signIn(to: place)
        #expect(answer.status == 303 && answer.value("Location") == "/manage")
    }

    @Test(arguments: [
        "/manage/w/com.acme.Clock/confirm?act=rollback&channel=stable", "/?q=clock+face",
        "/w/com.acme.Clock?channel=beta",
        "/manage/audit?token=ci&before=12", "/manage?a=%C3%A9%20b",
    ]) func `Signing in leads back to a page with its query`(_ place: String) throws {
        let service = try Service()
        service.knobs.withLock { $0.closesReads = true }
        let visitor = Visitor(service)
        let invited = try #require(try visitor.get(place).value("Location"))
        #expect(invited == "/sign-in?next=\(PercentEncoding.segment(place))")
        let form = try visitor.get(invited)
        #expect(form.text.contains("value=\"\(place.replacing("&", with: "&amp;"))\""))
        let answer = try visitor.signIn(to: PercentEncoding.segment(place))
        #expect(answer.status == 303 && answer.value("Location") == place)
    }

    @Test func `An address that is too long leads to its page without the query`() throws {
        let visitor = Visitor(try Service())
        let place = "/manage/tokens?a=\(String(repeating: "x", count: 1_024))"
        #expect(try visitor.get(place).value("Location") == "/sign-in?next=%2Fmanage%2Ftokens")
    }

    @Test func `Guessing tokens is limited, and the page repeats no token`() throws {
        let service = try Service()
        service.knobs.withLock { $0.access.failuresPerMinute = 2 }
        let visitor = Visitor(service)
        for _ in 0..<2 {
            let answer = try visitor.signIn("wdg_guess")
            #expect(answer.status == 401 && !answer.text.contains("wdg_guess"))
            #expect(answer.text.contains("role=\"alert\""))
        }
        let limited = try visitor.signIn("wdg_guess")
        #expect(limited.status == 429 && limited.value("Retry-After") != nil)
        // Who has a token is not locked out by others behind the same address.
        #expect(try visitor.signIn().status == 303)
    }

    @Test func `Where reading is closed, pages are for those who have signed in, within their token's prefix`() throws {
        let rights = try RightsService()
        let service = rights.service
        for name in ["com.acme.Clock", "com.other.Timer"] {
            let bundle = TestBundle(identifier: name)
            #expect(
                try service.send("POST", "/v1/bundles", bundle.archive, "Content-Type: application/zip\r\n").status
                    == 201)
        }
        let token = try rights.token("reader", "read", prefix: "com.acme")
        service.knobs.withLock { $0.closesReads = true }
        let visitor = Visitor(service)
        for path in ["/", "/w/com.acme.Clock", "/w/com.none.Such", "/w/com.acme.Clock/1.0~1"] {
            let answer = try visitor.get(path)
            #expect(answer.status == 303 && answer.value("Location")?.hasPrefix("/sign-in?next=") == true, "\(path)")
            #expect(!answer.text.contains("Clock"))
        }
        #expect(try service.get("/").status == 401)
        try visitor.signIn(token)
        let page = try visitor.get("/")
        #expect(page.text.contains("com.acme.Clock") && !page.text.contains("com.other.Timer"))
        #expect(page.value("Cache-Control") == "no-store")
        let (hidden, missing) = (try visitor.get("/w/com.other.Timer"), try visitor.get("/w/com.other.Tiger"))
        #expect(hidden.status == 404)
        #expect(
            hidden.text.replacing("com.other.Timer", with: "x") == missing.text.replacing("com.other.Tiger", with: "x"))
        let feed = try service.send("GET", "/feed.atom", "", "Accept: */*\r\n", token: token)
        #expect(feed.status == 200 && feed.text.contains("com.acme.Clock") && !feed.text.contains("com.other.Timer"))
        _ = try service.send("DELETE", "/v1/tokens/reader?prefix=com.acme")
        #expect(try visitor.get("/").status == 303)
    }
}
