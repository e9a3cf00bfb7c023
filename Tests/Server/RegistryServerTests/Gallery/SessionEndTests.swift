import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a person who sends a form too late learns why, and types nothing twice. Method: browsers' forms to a service whose
/// clock and tokens the test changes.
@Suite struct `A form that is sent when the session is over` {
    private static let bundle = "/manage/w/com.example.Sample"
    private static let rollout = "act=promote&channel=stable&release=1.1~1&share=25"

    /// The fields of a page's forms, as a browser would send them.
    private static func fields(_ page: WireAnswer) -> String {
        page.text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map { match in
            "\(text(match.1))=\(text(match.2))"
        }.joined(separator: "&")
    }

    private static func text(_ escaped: Substring) -> String {
        var text = String(escaped)
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        return PercentEncoding.segment(text)
    }

    private static func origin(_ page: String) -> String {
        "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\nReferer: http://test\(page)\r\n"
    }

    private static func publish(_ service: Service, _ versions: String...) throws {
        for version in versions {
            let answer = try service.send(
                "POST", "/v1/bundles?channel=\(version == "1.0" ? "stable" : "beta")",
                TestBundle(version: version).archive, "Content-Type: application/zip\r\n")
            try #require(answer.status == 201, "\(answer.text)")
        }
    }

    @Test func `It is kept through the sign-in, and sent again with one press`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = Visitor(service)
        try visitor.signIn()
        let page = "\(Self.bundle)/confirm?\(Self.rollout)"
        let form = Self.fields(try visitor.get(page))
        #expect(form.contains("sequence="))
        service.clock.advance(by: .seconds(DeskLimits.idleTime))
        let asked = try visitor.post(Self.bundle, form, from: Self.origin(page))
        #expect(asked.status == 401 && asked.value("WWW-Authenticate") != nil && asked.value("Location") == nil)
        #expect(asked.value("Cache-Control") == "no-store")
        #expect(asked.text.contains("not used for two hours") && asked.text.contains("Nothing was changed"))
        #expect(asked.text.contains("action=\"/sign-in\""))
        // A wrong token loses nothing of it.
        let wrong = try visitor.post("/sign-in", "\(Self.fields(asked))&token=wrong", from: Self.origin(Self.bundle))
        #expect(wrong.status == 401 && Self.fields(wrong) == Self.fields(asked))
        let ready = try visitor.post(
            "/sign-in", "\(Self.fields(wrong))&token=\(Service.admin)", from: Self.origin("/sign-in"))
        #expect(ready.status == 200 && ready.value("Set-Cookie") != nil && !ready.text.contains(Service.admin))
        #expect(ready.text.contains("action=\"\(Self.bundle)\""))
        #expect(ready.text.contains("href=\"\(page.replacing("&", with: "&amp;"))\""))
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.0~1")
        #expect(Self.fields(ready) == form)
        let done = try visitor.post(Self.bundle, Self.fields(ready), from: Self.origin("/sign-in"))
        #expect(done.status == 303 && done.value("Location")?.hasPrefix("\(Self.bundle)?done=") == true, "\(done.text)")
        let channel = try service.registry.channel("com.example.Sample", "stable")
        #expect(channel.release == "1.1~1" && channel.rollout == 2_500)
    }

    @Test func `It says why the session is over, where that is known`() throws {
        let rights = try RightsService()
        let service = rights.service
        func said(_ visitor: Visitor) throws -> String { try visitor.post(Self.bundle, "act=x").text }
        let (idle, old, late, out) = (Visitor(service), Visitor(service), Visitor(service), Visitor(service))
        let token = try rights.token("desk", "promote")
        for visitor in [old, idle, out] { try visitor.signIn() }
        try late.signIn(token)
        let cookie = try #require(out.cookies["session"])
        try out.post("/sign-out")
        #expect(try said(out).contains("You are not signed in."))
        out.set("session", cookie)
        #expect(try said(out).contains("it was signed out"))
        _ = try service.send("DELETE", "/v1/tokens/desk")
        #expect(try said(late).contains("its token was revoked or has expired"))
        for _ in 0..<12 {
            service.clock.advance(by: .seconds(3_600))
            _ = try old.get("/manage")
        }
        #expect(try said(old).contains("it began twelve hours ago"))
        // Twelve hours are longer than two.
        #expect(try said(idle).contains("twelve hours"))
        // Pages say the same on the way to them.
        let invited = try old.get("/manage/tokens?after=x")
        let place = try #require(invited.value("Location"))
        #expect(invited.status == 303 && place == "/sign-in?next=%2Fmanage%2Ftokens%3Fafter%3Dx")
        #expect(try old.get(place).text.contains("it began twelve hours ago"))
        // Nothing of the kind is on the page of a person who is signed in, or never was.
        try old.signIn()
        #expect(try !old.get(place).text.contains("is over"))
        #expect(try !Visitor(service).get(place).text.contains("is over"))
    }

    @Test func `A token that is revoked while the form is on its way loses nothing of it`() throws {
        let rights = try RightsService()
        let visitor = Visitor(rights.service)
        try visitor.signIn(try rights.token("desk", "promote"))
        let cookie = try #require(visitor.cookies["session"])
        let form = "act=rollback&channel=stable"
        let conversation = Conversation(try rights.service.connect())
        conversation.connection.send(
            "POST \(Self.bundle) HTTP/1.1\r\nHost: test\r\nAccept: text/html\r\nContent-Length: \(form.utf8.count)\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n"
                + "\(Self.origin("/manage"))Cookie: session=\(cookie)\r\n\r\n")
        #expect(try conversation.next().status == 100)
        _ = try rights.service.send("DELETE", "/v1/tokens/desk")
        conversation.connection.send(form)
        let answer = try conversation.next()
        #expect(answer.status == 401 && answer.text.contains("its token was revoked"))
        #expect(Self.fields(answer).contains("typed.channel=stable"))
    }

    @Test func `Text in it is never markup, and tokens and secrets are not kept`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        visitor.set("session", String(repeating: "a", count: 64))
        let nasty = "\"><script>alert(1)</script>"
        let form =
            "note=\(PercentEncoding.segment(nasty))&token=t0&newSecret=t1&passWord=t2&why=\(Service.admin.prefix(3))wdg_t3"
            + "&\(PercentEncoding.segment("a\"b"))=1"
        let asked = try visitor.post(Self.bundle, form)
        #expect(asked.status == 401 && !asked.text.contains("<script>alert"))
        for secret in ["t0", "t1", "t2", "wdg_t3"] { #expect(!Self.fields(asked).contains(secret)) }
        let ready = try visitor.post("/sign-in", "\(Self.fields(asked))&token=\(Service.admin)")
        #expect(ready.status == 200 && !ready.text.contains("<script>alert"))
        #expect(Self.fields(ready) == "note=\(PercentEncoding.segment(nasty))&a%22b=1")
    }

    @Test(arguments: [
        "note=\(String(repeating: "x", count: TypedForm.byteLimit))",
        "note=\(String(repeating: "%C3%A9", count: TypedForm.byteLimit / 6 + 1))",
        (0...TypedForm.mostFields).map { "n\($0)=" }.joined(separator: "&"),
    ]) func `One that is too long is not kept in part`(_ form: String) throws {
        let service = try Service()
        let visitor = Visitor(service)
        let asked = try visitor.post(Self.bundle, form)
        #expect(asked.status == 401 && asked.text.contains("too long to be kept"))
        #expect(!Self.fields(asked).contains("typed"))
        let answer = try visitor.post("/sign-in", "\(Self.fields(asked))&token=\(Service.admin)")
        #expect(answer.status == 303 && answer.value("Location") == "/manage")
    }

    @Test func `The longest that is kept fits the request to sign in`() throws {
        let visitor = Visitor(try Service())
        let note = String(repeating: "%C3%A9", count: TypedForm.byteLimit / 6 - 1)
        let page = "/manage?channel=\(String(repeating: "%C3%A9", count: 165))"
        let asked = try visitor.post(Self.bundle, "note=\(note)", from: Self.origin(page))
        let token = String(repeating: "x", count: 400)
        #expect(try visitor.post("/sign-in", "\(Self.fields(asked))&token=\(token)").status == 401)
        #expect(try visitor.post("/sign-in", "\(Self.fields(asked))&token=\(Service.admin)").status == 200)
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example/", "/v1/bundles", "/sign-out", "/w/a.b", "/manage//evil.example",
        "/manage?a=b", "javascript:alert(1)", "",
    ]) func `Only forms of pages for people are sent again`(_ act: String) throws {
        let visitor = Visitor(try Service())
        let answer = try visitor.post(
            "/sign-in", "typed-act=\(PercentEncoding.segment(act))&typed.a=b&token=\(Service.admin)")
        #expect(answer.status == 303 && answer.value("Location") == "/manage")
    }

    @Test func `An archive is not kept, and the answer says so`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        visitor.set("session", String(repeating: "a", count: 64))
        let answer = try visitor.upload(TestBundle().archive, [("channel", "beta")])
        #expect(answer.status == 401 && answer.text.contains("choose the archive once more"))
        #expect(answer.text.contains("<h1>Sign in</h1><p>Your session is not known here:"))
        #expect(service.stagedNames == 0)
    }

    @Test func `A form of another site is refused as before`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        visitor.set("session", String(repeating: "a", count: 64))
        let answer = try visitor.post(Self.bundle, Self.rollout, from: "Origin: http://evil.example\r\n")
        #expect(answer.status == 403 && !answer.text.contains("typed"))
    }
}
