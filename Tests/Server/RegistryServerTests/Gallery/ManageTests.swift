import Dispatch
import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: from pages alone, without script, people do what their tokens allow and see before what will change. Method: a
/// browser that fills in forms.
@Suite struct `Managing by pages` {
    private static let bundle = "/manage/w/com.example.Sample"

    private static func visitor(_ service: Service) throws -> Visitor {
        let visitor = Visitor(service)
        try visitor.signIn()
        return visitor
    }

    private static func publish(_ service: Service, _ versions: String...) throws {
        for version in versions {
            let answer = try service.send(
                "POST", "/v1/bundles", TestBundle(version: version).archive, "Content-Type: application/zip\r\n")
            try #require(answer.status == 201, "\(answer.text)")
        }
    }

    /// The form of a confirmation, with all its fields.
    private static func form(_ page: WireAnswer) -> String {
        page.text.matches(of: /<input type="hidden" name="(\w+)" value="([^"]*)">/).map { match in
            "\(match.1)=\(PercentEncoding.segment(String(match.2)))"
        }.joined(separator: "&")
    }

    @Test func `A bundle is checked, its report is shown, and it is published at a word`() throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        let archive = TestBundle(files: [("run.sh", Array("#!/bin/sh\n".utf8))]).archive
        let sent = try visitor.upload(
            archive, [("channel", "beta"), ("share", "12.5"), ("note", "Works <b>on</b> Sundays")])
        let place = try #require(sent.value("Location"))
        #expect(sent.status == 303 && place.hasPrefix("/manage/publish/"))
        let report = try visitor.get(place)
        #expect(report.text.contains("Nothing is published yet.") && report.text.contains("run.sh"))
        #expect(report.text.contains("channel beta shows 1.0~1 to 12.5 %, nothing to the others"))
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
        // Another person does not see it.
        let other = Visitor(service)
        let token = try RightsToken.make(service, "other", "publish")
        try other.signIn(token)
        #expect(try other.get(place).status == 404 && other.post(place, "word=publish").status == 404)
        let done = try visitor.post(place, "word=publish&although=true")
        #expect(done.value("Location") == "\(Self.bundle)?done=publish&channel=beta&sequence=1")
        let channel = try service.registry.channel("com.example.Sample", "beta")
        #expect(channel.release == "1.0~1" && channel.rollout == 1_250)
        let release = try service.registry.release("com.example.Sample", "1.0~1")
        #expect(release.remarks.note == "Works <b>on</b> Sundays" && release.publishedBy == "admin")
        // A person who presses again, since no answer came, is led to the same page.
        #expect(try visitor.post(place, "word=publish&although=true").value("Location") == done.value("Location"))
        #expect(try visitor.get(place).text.contains("It is published"))
        #expect(service.audits("\"action\":\"publish\"", "done"))
        #expect(service.stagedNames == 0)
    }

    @Test func `A checked bundle can be discarded, and leaves nothing`() throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        let place = try #require(try visitor.upload(TestBundle().archive).value("Location"))
        #expect(try visitor.post(place, "word=discard").value("Location") == "/manage")
        #expect(try visitor.get(place).status == 404)
        #expect(service.stagedNames == 0)
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `Checked bundles that are discarded at the same moment leave nothing`() throws {
        let service = try Service()
        let tokens = try (0..<4).map { try RightsToken.make(service, "person\($0)", "publish") }
        DispatchQueue.concurrentPerform(iterations: tokens.count) { person in
            #expect(throws: Never.self) {
                let visitor = Visitor(service)
                try visitor.signIn(tokens[person])
                for _ in 0..<3 {
                    let place = try #require(try visitor.upload(TestBundle().archive).value("Location"))
                    #expect(try visitor.post(place, "word=discard").value("Location") == "/manage")
                    #expect(try visitor.get(place).status == 404)
                }
            }
        }
        #expect(service.stagedNames == 0)
    }

    @Test(arguments: [
        ([("share", "101")], "a number of per cent"), ([("share", "1.234")], "a number of per cent"),
        ([("channel", "a b")], "channel"), ([("note", "a\nb")], "note"),
    ]) func `A form with a mistake is refused on a page that says what is wrong`(
        _ fields: [(String, String)], _ words: String
    ) throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        let answer = try visitor.upload(TestBundle().archive, fields)
        #expect(answer.status == 400 && answer.text.contains(words) && answer.text.contains("<h1>"))
        #expect(service.stagedNames == 0)
    }

    @Test func `A file that is not a bundle is refused on a page`() throws {
        let visitor = try Self.visitor(try Service())
        let answer = try visitor.upload(Array("hello".utf8))
        #expect(answer.status == 400 || answer.status == 422)
        #expect(answer.text.contains("<h1>") && answer.value("Content-Type")?.hasPrefix("text/html") == true)
        let many = (0..<20).map { ("f\($0)", "x") }
        #expect(try visitor.upload(TestBundle().archive, many).status == 400)
        #expect(
            try visitor.upload(TestBundle().archive, [("note", String(repeating: "x", count: 9_000))]).status == 400)
    }

    @Test func `A promotion is confirmed by its consequences, and carried out once`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = try Self.visitor(service)
        let page = try visitor.get(Self.bundle)
        #expect(page.text.contains("It shows 1.1~1.") && page.text.contains("<option value=\"1.0~1\">1.0~1</option>"))
        let confirm = try visitor.get("\(Self.bundle)/confirm?act=promote&channel=beta&release=1.0~1&share=25")
        #expect(confirm.text.contains("The channel beta does not exist yet; this makes it."))
        #expect(confirm.text.contains("Afterwards 25 % of the hosts get 1.0~1"))
        #expect(confirm.text.contains("It cannot be rolled back"))
        #expect(try service.registry.channels("com.example.Sample").count == 1)
        let form = Self.form(confirm)
        let done = try visitor.post(Self.bundle, form)
        #expect(done.value("Location") == "\(Self.bundle)?done=promote&channel=beta&sequence=1")
        #expect(try service.registry.channel("com.example.Sample", "beta").rollout == 2_500)
        // The confirmation was about a channel that did not exist.
        #expect(try visitor.post(Self.bundle, form).status == 412)
        #expect(service.audits("\"action\":\"promote\"", "\"channel\":\"beta\"", "done"))
        let rollback = try visitor.get("\(Self.bundle)/confirm?act=rollback&channel=stable")
        #expect(rollback.text.contains("stable shows 1.1~1."))
        #expect(rollback.text.contains("Afterwards it shows 1.0~1, to all hosts and at once."))
        #expect(try visitor.post(Self.bundle, Self.form(rollback)).status == 303)
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.0~1")
        let delete = try visitor.get("\(Self.bundle)/confirm?act=delete&channel=beta")
        #expect(try visitor.post(Self.bundle, Self.form(delete)).status == 303)
        #expect(try service.registry.channels("com.example.Sample").map(\.name) == ["stable"])
    }

    @Test func `A withdrawal asks for a reason, says what it does, and is taken back`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = try Self.visitor(service)
        #expect(try visitor.get("\(Self.bundle)/confirm?act=withdraw&release=1.1~1&reason=").status == 400)
        let confirm = try visitor.get("\(Self.bundle)/confirm?act=withdraw&release=1.1~1&reason=it%20%3Ci%3Ecrashes")
        #expect(confirm.text.contains("It is shown on stable") && confirm.text.contains("it &lt;i&gt;crashes"))
        #expect(try visitor.post(Self.bundle, "act=withdraw&release=1.1~1&reason=it+crashes").status == 303)
        #expect(try service.registry.release("com.example.Sample", "1.1~1").withdrawal?.reason == "it crashes")
        #expect(try visitor.get(Self.bundle).text.contains("withdrawn: it crashes"))
        let restore = try visitor.get("\(Self.bundle)/confirm?act=restore&release=1.1~1")
        #expect(try visitor.post(Self.bundle, Self.form(restore)).status == 303)
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.1~1")
    }

    @Test func `Pages offer and allow no more than the token does`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let token = try RightsToken.make(service, "limited", "publish", "withdraw")
        let visitor = Visitor(service)
        try visitor.signIn(token)
        let home = try visitor.get("/manage").text
        #expect(home.contains("enctype=\"multipart/form-data\"") && !home.contains("/manage/tokens"))
        let page = try visitor.get(Self.bundle).text
        #expect(!page.contains("Promote…") && page.contains("Withdraw…"))
        #expect(try visitor.get("\(Self.bundle)/confirm?act=rollback&channel=stable").status == 403)
        #expect(try visitor.post(Self.bundle, "act=rollback&channel=stable&sequence=2").status == 403)
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.1~1")
        for path in [
            "/manage/tokens", "/manage/tokens/revoke?name=admin", "/manage/tokens/rotate?name=limited", "/manage/audit",
        ] {
            #expect(try visitor.get(path).status == 403, "\(path)")
        }
        #expect(try visitor.post("/manage/tokens", "name=x&scope=admin").status == 403)
        #expect(try visitor.post("/manage/tokens/rotate", "name=limited&prefix=").status == 403)
        let elsewhere = try RightsToken.make(service, "elsewhere", "admin", prefix: "org.example")
        let other = Visitor(service)
        try other.signIn(elsewhere)
        #expect(try other.get(Self.bundle).status == 404)
        #expect(try !other.get("/manage").text.contains("com.example.Sample"))
        #expect(try other.post(Self.bundle, "act=rollback&channel=stable&sequence=2").status == 403)
    }

    @Test func `A token is made, shown once, listed and revoked`() throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        let made = try visitor.post(
            "/manage/tokens", "name=ci&prefix=com.acme&scope=publish&scope=read&channels=beta+trial&expires=90d")
        #expect(made.status == 201 && made.value("Cache-Control") == "no-store")
        let secret = try #require(made.text.firstMatch(of: /wdg_[0-9A-Za-z]{49}/)).0
        let list = try visitor.get("/manage/tokens")
        #expect(list.text.contains(">ci<") && !list.text.contains(secret))
        let token = try #require(try service.registry.tokens().first { $0.name == "ci" })
        #expect(
            token.scopes == [.publish, .read] && token.channels == ["beta", "trial"] && token.prefix == "com.acme")
        let own = Visitor(service)
        try own.signIn(String(secret))
        #expect(try own.get("/manage").text.contains("for com.acme and below"))
        #expect(try visitor.post("/manage/tokens", "name=ci&prefix=com.acme&scope=publish").status == 409)
        #expect(try visitor.post("/manage/tokens", "name=none&prefix=").status == 400)
        let offer = try visitor.get("/manage/tokens/rotate?name=ci&prefix=com.acme")
        #expect(offer.status == 200 && list.text.contains("/manage/tokens/rotate?name=ci&amp;prefix=com.acme"))
        let rotated = try visitor.post("/manage/tokens/rotate", "name=ci&prefix=com.acme&keep=24h")
        #expect(rotated.status == 200 && rotated.value("Cache-Control") == "no-store")
        let newer = try #require(rotated.text.firstMatch(of: /wdg_[0-9A-Za-z]{49}/)).0
        #expect(newer != secret && rotated.text.contains("The secret before works until "))
        #expect(try visitor.get("/manage/tokens").text.contains("earlier secret until "))
        // The earlier secret still works, and the form of a page may not keep it for longer than the interface.
        try Visitor(service).signIn(String(secret))
        // A blank and the end of a line that were copied with it do not belong to it.
        #expect(try Visitor(service).post("/sign-in", "token=+\(secret)%0D%0A").status == 303)
        #expect(try visitor.post("/manage/tokens/rotate", "name=ci&prefix=com.acme&keep=31d").status == 400)
        // People who have signed in with the token stay, also when its secret ends at once.
        #expect(try visitor.post("/manage/tokens/rotate", "name=ci&prefix=com.acme&keep=").status == 200)
        #expect(try own.get("/manage").status == 200)
        #expect(try Visitor(service).post("/sign-in", "token=\(secret)").status != 303)
        #expect(try visitor.post("/manage/tokens/rotate", "name=none&prefix=&keep=").status == 404)
        let confirm = try visitor.get("/manage/tokens/revoke?name=ci&prefix=com.acme")
        #expect(confirm.text.contains("This cannot be undone"))
        #expect(try visitor.post("/manage/tokens/revoke", Self.form(confirm)).status == 303)
        #expect(try own.get("/manage").status == 303)
        let audit = try visitor.get("/manage/audit")
        #expect(
            audit.text.contains("revoke-token") && audit.text.contains("create-token")
                && audit.text.contains("rotate-token"))
    }

    @Test func `Pages that write hold no widget and no still, and no other site frames them`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = try Self.visitor(service)
        for path in [
            "/sign-in", "/manage", Self.bundle, "\(Self.bundle)/confirm?act=rollback&channel=stable", "/manage/tokens",
            "/manage/audit",
        ] {
            let page = try visitor.get(path)
            #expect(page.status == 200 && !page.text.contains("<iframe"), "\(path)")
            let policy = try #require(page.value("Content-Security-Policy"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"))
            #expect(page.value("Cache-Control") == "no-store")
            #expect(!page.text.contains(" style="))
        }
        let script = try #require(
            try visitor.get("/manage").text.firstMatch(of: /\/assets\/gallery\/manage-[0-9a-f]+\.js/)
        ).0
        #expect(try service.get(String(script)).body.count <= 4_096)
        #expect(try !service.get("/").text.contains("manage-"))
    }
}

/// A token of a service, by its scopes.
enum RightsToken {
    static func make(_ service: Service, _ name: String, _ scopes: String..., prefix: String = "") throws -> String {
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        let answer = try service.send(
            "POST", "/v1/tokens", "{\"name\": \"\(name)\", \"scopes\": [\(list)], \"prefix\": \"\(prefix)\"}")
        try #require(answer.status == 201, "\(answer.text)")
        return String(try #require(answer.text.firstMatch(of: /wdg_[0-9A-Za-z]{49}/)).0)
    }
}
