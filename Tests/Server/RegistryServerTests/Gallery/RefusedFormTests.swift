import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetFindings
import WidgetHTTPServer
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Facts about a program with one screen.
private enum Facts {
    static func part(_ change: (inout ReleaseFacts) -> Void) -> ReleasePart {
        var facts = ReleaseFacts()
        facts.screens = [ReleaseFacts.Screen(name: "Main", title: "Main")]
        change(&facts)
        return facts.part
    }
}

/// Goal: a person whose form is refused learns why in words of the task, finds the form as it was sent, and the way back.
/// Method: a browser that sends what people send by mistake.
@Suite struct `A form that is refused` {
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

    /// The value of an input of a page, by its name.
    private static func value(_ name: String, in page: String) -> String? {
        page.matches(of: /<input [^>]*>/).map { String($0.0) }
            .first { $0.contains(" name=\"\(name)\"") && !$0.contains("type=\"hidden\"") }
            .flatMap { $0.firstMatch(of: #/ value="([^"]*)"/#).map { String($0.1) } }
    }

    /// The tag of the input or choice of a name.
    private static func tag(_ name: String, in page: String) -> String {
        page.matches(of: /<(?:input|select) [^>]*>/).map { String($0.0) }
            .first { $0.contains(" name=\"\(name)\"") && !$0.contains("type=\"hidden\"") } ?? ""
    }

    // MARK: Publishing

    @Test func `The form for publishing begins with no channel and no share, and asks for both`() throws {
        let service = try Service()
        let home = try Self.visitor(service).get("/manage").text
        #expect(Self.value("channel", in: home) == "" && Self.tag("channel", in: home).contains(" required"))
        #expect(Self.value("share", in: home) == "" && Self.tag("share", in: home).contains(" required"))
    }

    @Test func `The form for publishing has the one channel of a token, and lets people choose among several`() throws {
        let service = try Service()
        for (name, channels) in [("one", ["beta"]), ("two", ["beta", "trial"])] {
            let list = channels.map { "\"\($0)\"" }.joined(separator: ", ")
            let made = try service.send(
                "POST", "/v1/tokens", "{\"name\": \"\(name)\", \"scopes\": [\"publish\"], \"channels\": [\(list)]}")
            let visitor = Visitor(service)
            try visitor.signIn(String(try #require(made.text.firstMatch(of: /wdg_[0-9A-Za-z]{49}/)).0))
            let home = try visitor.get("/manage").text
            if channels.count == 1 {
                #expect(Self.value("channel", in: home) == "beta")
            } else {
                #expect(Self.tag("channel", in: home).hasPrefix("<select") && home.contains("<option value=\"\">"))
                #expect(home.contains("<option value=\"trial\">trial</option>") && !home.contains(" selected"))
            }
        }
    }

    @Test(arguments: [
        ("channel", "Be ta", "“Be ta” is not a channel&#39;s name"), ("channel", "", "Say which channel is to show it"),
        ("share", "250", "a number of per cent from 0 to 100"), ("share", "", "Say which share of the hosts"),
    ])
    func `An upload with a mistake in a field is refused with everything that was typed`(
        _ name: String, _ value: String, _ words: String
    ) throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        var fields = [("channel", "beta"), ("share", "12.5"), ("note", "Works on Sundays"), ("force", "true")]
        fields = fields.map { $0.0 == name ? (name, value) : $0 }
        let page = try visitor.upload(TestBundle().archive, fields)
        #expect(page.status == 400 && page.text.contains("<h1>Nothing was published</h1>"))
        let plain = page.text.replacing("\u{201C}", with: "“").replacing("\u{201D}", with: "”")
        #expect(plain.contains(words), "\(plain)")
        for (field, typed) in fields where field != "force" { #expect(Self.value(field, in: page.text) == typed) }
        #expect(Self.tag("force", in: page.text).contains(" checked"))
        #expect(Self.tag(name, in: page.text).contains("aria-invalid=\"true\""))
        #expect(Self.tag("note", in: page.text).contains("aria-invalid") == false)
        #expect(page.text.contains("href=\"/manage\"") && page.text.contains("role=\"alert\""))
        #expect(service.stagedNames == 0)
    }

    @Test func `Content that does not begin like an archive is refused in words for people who choose files`() throws {
        let service = try Service()
        let visitor = try Self.visitor(service)
        for content in [Array("hello".utf8), [], [0x1F, 0x8B, 8, 0]] {
            let page = try visitor.upload(content, [("channel", "beta")])
            #expect(page.status == 400 && !page.text.contains("curl") && Self.value("channel", in: page.text) == "beta")
        }
    }

    /// The head and the beginning of an upload by a form, up to the first bytes of its file.
    private static func beginning(_ visitor: Visitor, announcing count: Int, accept: String) -> [UInt8] {
        let form =
            "--xyz\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nbeta\r\n"
            + "--xyz\r\nContent-Disposition: form-data; name=\"share\"\r\n\r\n25\r\n"
            + "--xyz\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a.zip\"\r\n\r\nPK\u{3}\u{4}"
        let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        return Array(
            ("POST /manage/publish HTTP/1.1\r\nHost: test\r\nAccept: \(accept)\r\nContent-Length: \(count)\r\n"
                + "Content-Type: multipart/form-data; boundary=xyz\r\nOrigin: http://test\r\nCookie: \(cookies)\r\n\r\n"
                + form).utf8)
    }

    @Test func `A file over the limit is refused while it comes, on a page with what was typed`() throws {
        let service = try Service()
        service.knobs.withLock { $0.publishing.bundles.limits.archiveByteCount = 100_000 }
        let visitor = try Self.visitor(service)
        let conversation = Conversation(try service.connect())
        conversation.connection.send(Self.beginning(visitor, announcing: 70_000_000, accept: "text/html"))
        let page = try conversation.next()
        #expect(page.status == 413 && page.value("Content-Type")?.hasPrefix("text/html") == true)
        #expect(page.text.contains("<h1>Nothing was published</h1>") && page.text.contains("The file is larger than "))
        #expect(Self.value("channel", in: page.text) == "beta" && Self.value("share", in: page.text) == "25")
        #expect(service.stagedNames == 0)
    }

    @Test func `A program that sends the form is refused by a document, from the head alone`() throws {
        let service = try Service()
        service.knobs.withLock { $0.publishing.bundles.limits.archiveByteCount = 100_000 }
        let visitor = try Self.visitor(service)
        let conversation = Conversation(try service.connect())
        conversation.connection.send(Self.beginning(visitor, announcing: 70_000_000, accept: "*/*"))
        let answer = try conversation.next()
        #expect(answer.status == 413 && answer.value("Content-Type") == "application/problem+json")
    }

    @Test func `A form whose parts never begin a file is cut off at the limit`() throws {
        let service = try Service()
        service.knobs.withLock { $0.publishing.bundles.limits.archiveByteCount = 10_000 }
        let visitor = try Self.visitor(service)
        let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let conversation = Conversation(try service.connect())
        conversation.connection.send(
            Array(
                ("POST /manage/publish HTTP/1.1\r\nHost: test\r\nAccept: text/html\r\nTransfer-Encoding: chunked\r\n"
                    + "Content-Type: multipart/form-data; boundary=xyz\r\nOrigin: http://test\r\nCookie: \(cookies)\r\n\r\n"
                    + "20000\r\n\(String(repeating: "x", count: 0x20000))\r\n").utf8))
        let page = try conversation.next()
        #expect(page.status == 413 && page.text.contains("<h1>Nothing was published</h1>"))
    }

    @Test func `An upload that is not there any more is asked for again`() throws {
        let visitor = try Self.visitor(try Service())
        let page = try visitor.get("/manage/publish/none")
        #expect(page.status == 404 && page.text.contains("<h1>This upload is not here any more</h1>"))
        #expect(page.text.contains("enctype=\"multipart/form-data\""))
    }

    // MARK: Doubts

    /// A review that finds what it is given.
    private struct Found: BundleReview {
        var parts: [ReleasePart] = []

        func findings(
            of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
        ) -> ReviewFindings {
            ReviewFindings(parts: parts)
        }
    }

    /// A bundle with a document, so that its files name a screen to begin with.
    private static var whole: [UInt8] {
        TestBundle(files: [("Main.widgets.json", Array(#"[{"kind": "label", "text": "Hello"}]"#.utf8))]).archive
    }

    @Test(arguments: [
        ("although it shows nothing", ReleaseFacts().part),
        (
            "although it does not run",
            Facts.part {
                $0.obstacles = [
                    Finding(.error, .badFile, "broken", at: Place(file: "a", line: 1, column: 1))
                ]
            }
        ), ("although it has errors", Facts.part { $0.errorCount = 2 }),
    ])
    func `A bundle that shows nothing or has errors is published by another button, with a box that is ticked`(
        _ words: String, _ part: ReleasePart
    ) throws {
        let service = try Service(review: Found(parts: [part]))
        let visitor = try Self.visitor(service)
        let place = try #require(try visitor.upload(Self.whole).value("Location"))
        let page = try visitor.get(place).text
        #expect(page.contains("<button class=\"danger\">Publish 1.0~1 on stable to all hosts \(words)</button>"))
        #expect(Self.tag("although", in: page).contains(" required"))
        let again = try visitor.post(place, "word=publish")
        #expect(again.status == 400 && again.text.contains("Tick the box") && again.text.contains(words))
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
        #expect(try visitor.post(place, "word=publish&although=true").status == 303)
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.0~1")
    }

    @Test func `The button for a bundle without a fault says what it publishes, where and to how many`() throws {
        let service = try Service(review: Found(parts: [Facts.part { _ in }]))
        let visitor = try Self.visitor(service)
        let place = try #require(
            try visitor.upload(Self.whole, [("channel", "beta"), ("share", "12.5")]).value("Location"))
        let page = try visitor.get(place).text
        #expect(page.contains("<button>Publish 1.0~1 on beta to 12.5 % of the hosts</button>"), "\(page)")
        #expect(!page.contains("name=\"although\""))
        #expect(try visitor.post(place, "word=publish").status == 303)
    }

    // MARK: Acts

    @Test func `A promotion with a mistake is refused with the form as it was sent`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = try Self.visitor(service)
        for (query, words, field) in [
            ("channel=Be+ta&release=1.0~1&share=25", "is not a channel&#39;s name", "channel"),
            ("channel=beta&release=1.0~1&share=250", "a number of per cent from 0 to 100", "share"),
            ("channel=beta&release=1.0~1&share=", "Say which share", "share"),
        ] {
            let page = try visitor.get("\(Self.bundle)/confirm?act=promote&\(query)&mandatory=true")
            #expect(page.status == 400 && page.text.contains("<h1>Nothing was changed</h1>"))
            #expect(page.text.contains(words), "\(page.text)")
            #expect(Self.tag(field, in: page.text).contains("aria-invalid=\"true\""))
            #expect(page.text.contains("<option value=\"1.0~1\" selected>") && page.text.contains(" checked"))
            #expect(page.text.contains("href=\"\(Self.bundle)\""))
        }
        let page = try visitor.get("\(Self.bundle)/confirm?act=promote&channel=Be+ta&release=1.0~1&share=25").text
        #expect(Self.value("channel", in: page) == "Be ta" && Self.value("share", in: page) == "25")
    }

    @Test func `A reason with blanks stays as it was typed, and one that is missing is asked for`() throws {
        let service = try Service()
        try Self.publish(service, "1.0")
        let visitor = try Self.visitor(service)
        let confirm = try visitor.get("\(Self.bundle)/confirm?act=withdraw&release=1.0~1&reason=bad+prices+%2B+dates")
        #expect(confirm.text.contains("The reason is shown: bad prices + dates"))
        let page = try visitor.get("\(Self.bundle)/confirm?act=withdraw&release=1.0~1&reason=++")
        #expect(page.status == 400 && page.text.contains("Say why"))
        #expect(page.text.contains("name=\"reason\"") && page.text.contains("href=\"\(Self.bundle)\""))
    }

    @Test func `A confirmation that someone was faster than shows the channel of now, and asks again`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1", "1.2")
        let visitor = try Self.visitor(service)
        let asked = "act=promote&channel=stable&release=1.1~1&share=100"
        let sequence = try service.registry.channel("com.example.Sample", "stable").sequence
        _ = try service.registry.rollback("com.example.Sample", "stable", to: "1.0~1", by: "other")
        let page = try visitor.post(Self.bundle, "\(asked)&sequence=\(sequence)")
        #expect(page.status == 412 && !page.text.contains("entity tag"))
        #expect(page.text.contains("Someone else has made a change since this page asked. stable shows 1.0~1 now."))
        #expect(page.text.contains("It can be undone: roll stable back to 1.0~1."))
        let again = page.text.matches(of: /<input type="hidden" name="(\w+)" value="([^"]*)">/).map {
            "\($0.1)=\(PercentEncoding.segment(String($0.2)))"
        }.joined(separator: "&")
        #expect(try visitor.post(Self.bundle, again).status == 303)
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.1~1")
    }

    @Test func `A rollback whose goal has gone meanwhile is not carried out to another`() throws {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1", "1.2")
        let visitor = try Self.visitor(service)
        let confirm = try visitor.get("\(Self.bundle)/confirm?act=rollback&channel=stable").text
        #expect(
            confirm.contains("<h1>Roll stable back to 1.1~1?</h1>") && confirm.contains(">Roll back to 1.1~1</button>"))
        _ = try service.registry.withdraw("com.example.Sample", "1.1~1", reason: "", by: "other")
        let sequence = try service.registry.channel("com.example.Sample", "stable").sequence
        let page = try visitor.post(Self.bundle, "act=rollback&channel=stable&release=1.1~1&sequence=\(sequence)")
        #expect(page.status == 412 && page.text.contains("Afterwards it shows 1.0~1, to all hosts and at once."))
        #expect(try service.registry.channel("com.example.Sample", "stable").release == "1.2~1")
    }

    @Test func `A channel that has shown nothing before offers no rollback, and says why where it is asked for`() throws
    {
        let service = try Service()
        try Self.publish(service, "1.0")
        let visitor = try Self.visitor(service)
        let page = try visitor.get("\(Self.bundle)?done=publish&channel=stable&sequence=1").text
        #expect(!page.contains("Undo") && !page.contains("Roll back"))
        let refused = try visitor.get("\(Self.bundle)/confirm?act=rollback&channel=stable")
        #expect(refused.status == 409 && refused.text.contains("There is nothing to roll stable back to"))
        #expect(!refused.text.contains("{&quot;to") && refused.text.contains("href=\"\(Self.bundle)\""))
    }

    @Test func `Undoing is offered after an act that a rollback undoes, until something else has changed the channel`()
        throws
    {
        let service = try Service()
        try Self.publish(service, "1.0", "1.1")
        let visitor = try Self.visitor(service)
        let place = "\(Self.bundle)?done=promote&channel=stable"
        #expect(try visitor.get("\(place)&sequence=2").text.contains("Undo: roll stable back to 1.0~1"))
        #expect(try !visitor.get("\(place)&sequence=1").text.contains("Undo"))
        // A share that grows is not taken back by a rollback.
        for share in [25, 50] {
            _ = try service.registry.setChannel(
                "com.example.Sample", "stable", ChannelSetting(release: "1.1~1", rollout: share * 100), by: "other")
        }
        #expect(try !visitor.get("\(place)&sequence=4").text.contains("Undo"))
        let grow = try visitor.get("\(Self.bundle)/confirm?act=promote&channel=stable&release=1.1~1&share=100").text
        #expect(grow.contains("It can be undone: promote 1.1~1 again, to 50 %."))
        let publisher = Visitor(service)
        try publisher.signIn(try RightsToken.make(service, "publisher", "publish"))
        #expect(try !publisher.get("\(Self.bundle)?done=publish&channel=stable&sequence=4").text.contains("Undo"))
    }

    @Test func `A withdrawal offers no undoing to a token that cannot restore`() throws {
        let service = try Service()
        try Self.publish(service, "1.0")
        let visitor = Visitor(service)
        try visitor.signIn(try RightsToken.make(service, "taker", "withdraw"))
        let page = try visitor.get("\(Self.bundle)/confirm?act=withdraw&release=1.0~1&reason=x").text
        #expect(
            page.contains("Restoring it wants a token with the scope promote.") && !page.contains("It can be undone"))
    }

    @Test func `A body that is too large for a form is refused on a page of the task`() throws {
        let service = try Service()
        try Self.publish(service, "1.0")
        let visitor = try Self.visitor(service)
        let page = try visitor.post(Self.bundle, "act=withdraw&reason=\(String(repeating: "x", count: 20_000))")
        #expect(page.status == 413 && page.text.contains("<h1>Nothing was changed</h1>"))
        #expect(page.text.contains("href=\"\(Self.bundle)\""))
    }

    // MARK: Tokens and identity

    @Test func `A token that cannot be made leaves its form as it was sent`() throws {
        let visitor = try Self.visitor(try Service())
        let page = try visitor.post(
            "/manage/tokens", "name=ci+1&prefix=com.acme&scope=read&scope=withdraw&channels=a+b&expires=tomorrow")
        #expect(page.status == 400 && page.text.contains("<h1>No token was made</h1>"))
        for (name, value) in [("name", "ci 1"), ("prefix", "com.acme"), ("channels", "a b"), ("expires", "tomorrow")] {
            #expect(Self.value(name, in: page.text) == value)
        }
        let ticked = page.text.matches(of: /<input [^>]*value="(\w+)"[^>]* checked>/).map { String($0.1) }
        #expect(ticked == ["read", "withdraw"])
        #expect(page.text.contains("href=\"/manage/tokens\""))
    }

    @Test func `The header of each page names the token that is signed in, beside the way out`() throws {
        let service = try Service()
        try Self.publish(service, "1.0")
        let visitor = Visitor(service)
        try visitor.signIn(try RightsToken.make(service, "desk", "admin"))
        for path in [
            "/manage", Self.bundle, "\(Self.bundle)/confirm?act=delete&channel=stable", "/manage/tokens",
            "/manage/audit",
            "\(Self.bundle)/confirm?act=none", "/manage/w/com.example.Missing", "/manage/publish/none",
        ] {
            let header = try visitor.get(path).text.firstMatch(of: /<header.*<\/header>/.dotMatchesNewlines())
            let text = String(try #require(header, "\(path)").0)
            #expect(text.contains("<strong>desk</strong>") && text.contains("action=\"/sign-out\""), "\(path)")
        }
        #expect(try !service.get("/", "Accept: text/html\r\n").text.contains("/sign-out"))
    }
}
