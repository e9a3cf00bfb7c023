import JSONText
import Testing
import WidgetBundles
import WidgetFindings
import WidgetTestSupport

@Suite struct `Scheme files` {
    @Test(
        arguments: [
            .object("\"type\": ‹unknown-class›\"NSTask\""),
            .object("\"type\": ‹unknown-class›\"WidgetView\""),
            .object("\"type\": \"ItemsCollection\", ‹unknown-key›\"bindings\": []"),
            .object("‹unknown-key›\"action\": {}, ‹unknown-key›\"kind\": 1"),
            .element("\"attrs\": {\"serviceProviderClassName\": ‹unknown-class›\"EvilProvider\"}", id: "@self"),
            .element("\"action\": {\"target\": \"x\", \"selector\": ‹unknown-selector›\"terminate:\"}"),
            .attributes("\"resultChain\": [\"wx_first\", \"‹unknown-selector›makeObjectsPerformSelector:\"]"),
            .attributes("\"resultChain\": [\"x‹result-chain›','y\"]"),
            .attributes("\"resultChain\": [\"wx_first‹result-chain›\\\\\"]"),
            .attributes("\"resultChain\": [\"wx_joinedBy:\"], \"resultChainArgs\": [\"it‹result-chain›'s\"]"),
            .attributes("\"resultChainArgs\": [\"a\", \"\\u0041‹result-chain›\\u0027\"]"),
            .attributes("\"resultChainTxt\": \"wx_first | ‹unknown-selector›description|wx_count\""),
            .attributes("\"resultChainArgsTxt\": \"4|‹result-chain›')\""),
            .attributes("\"resultChain\": [\"wx_map:\"], \"resultChainArgs\": [\"‹key-path›managedObjectContext.x\"]"),
            .attributes("\"sortByFields\": \"name, owner.‹key-path›managedObjectContext\""),
            .attributes("\"masterKeyPath\": \"‹key-path›class\""),
            .attributes("\"‹key-path›viewController.title\": \"x\""),
            .element("\"attrs\": {\"‹key-path›superview.hidden\": true}"),
            .element("\"attrs\": {\"wx_imageUrl\": \"‹service-url›file:///etc/passwd\"}"),
            .binding("\"to\": \"‹key-path›window.rootViewController\""),
            .binding("\"to\": \"imageView.‹key-path›superview.alpha\""),
            .binding("\"from\": \"content.‹key-path›managedObjectContext.name\""),
            .binding("\"from\": \"table.‹key-path›delegate\""),
            .binding("\"transformer\": ‹unknown-transformer›\"NSUnarchiveFromData\""),
            .binding("\"format\": \"by $content.‹key-path›superview.tag\""),
            .binding("\"ifTrue\": \"$label.‹key-path›nextResponder.x\", \"ifFalse\": \"\""),
            .binding("\"format\": \"%@ of ‹format-argument›%@\""),
            .binding("\"format\": \"‹format-argument›%s\""),
            .binding("\"format\": \"‹format-argument›%n\""),
            .binding("\"ifFalse\": \"%@ ‹format-argument›%d\""),
            FindingCase(
                path: "Feed.json",
                marked: "{\n‹scheme-name›\"Other\": {\"objects\": {\"a\": {\"type\": \"ItemsCollection\"}}}}"),
            FindingCase(
                path: "feed.json",
                marked:
                    "{‹scheme-name›\"Feed\": {\"elements\": {\"a\": {\"action\": {\"selector\": ‹unknown-selector›\"x\"}}}}}"
            ),
        ] as [FindingCase])
    func `a fault in a scheme file is found`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test(
        arguments: [
            .object(
                "\"type\": \"SearchActionController\", \"alias\": \"search\", \"outlets\": {}, \"***\": [\"note\"]"),
            .object("\"attrs\": {\"allowDeletion\": true}"),
            .attributes(
                "\"resultChain\": [\"wx_takeFirst:\", \"wx_joinedBy:\"], \"resultChainArgs\": [\"4\", \", \\\"|\\\" \"]"
            ),
            .attributes("\"resultChainTxt\": \"wx_takeFirst:|wx_count\", \"resultChainArgsTxt\": \"4|\""),
            .attributes("\"sortByFields\": \"author.name, parent.next\""),
            .element("\"action\": {\"target\": \"x\", \"selector\": \"performAction\"}, \"anything\": {}"),
            .element("\"attrs\": {\"hidden\": true, \"delegate\": \"x\", \"wx.addBinding\": \"not json\"}"),
            .binding(
                "\"to\": \"refreshControl.wx_value\", \"from\": \"content.parent.title\", \"placeholder\": \"100% %@%@\""
            ),
            .binding("\"transformer\": \"ago\", \"format\": \"%@ (100%%)\""),
            .binding("\"format\": \"$content.name %@ %@\", \"ifTrue\": null, \"ifFalse\": 3"),
            .binding("\"from\": \"window.title\", \"format\": \"100% reusable, 5 % off\""),
            FindingCase(path: "Feed.json", marked: "{\"Feed\": {\"objects\": {\"***\": [\"a\"]}}, \"***\": \"x\"}"),
            FindingCase(
                path: "Feed.json", marked: "{\"$schema\": \"file:///x\", \"Feed\": {\"objects\": {\"***\": [\"a\"]}}}"),
            FindingCase(path: "data.json", marked: "{\"predicateFormat\": \"FUNCTION(a,'b')\", \"url\": \"file:///\"}"),
            FindingCase(path: "table.json", marked: "{\"page\": {\"elements\": {\"h\": {\"number\": 1}}}}"),
            FindingCase(path: "list.json", marked: "[{\"type\": \"NSTask\"}]"),
        ] as [FindingCase])
    func `a sound scheme file, or one of data, is accepted`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test func `a scheme may name the transformers of the bundle's services`() throws {
        let scheme = FindingCase.binding("\"transformer\": \"strToDate\"")
        let service = FindingCase.service("\"options\": {\"transformers\": {\"date\": {\"strToDate\": {}}}}")
        #expect(try FindingCase.findings(in: [service, scheme]).isEmpty)
        #expect(try scheme.findings().map(\.code.rawValue) == ["unknown-transformer"])
    }

    @Test func `a finding has everything that a publisher needs`() throws {
        let finding = try FindingCase(
            path: "Base.lproj/Feed.json",
            marked:
                "{\"Feed\": {\r\n  \"elements\": {\"a\": {\"bindings\": [{\"predicateFormat\":\r\n \"CAST(a, 'NSTask') = 1\"}]}}}}"
        ).findings()
        #expect(
            finding == [
                Finding(
                    .error, .predicateCast,
                    "CAST to `NSTask` would look up a class; found `NSTask`; expected 'NSString' or 'NSNumber' or 'NSDecimalNumber' or 'NSDate'",
                    at: Place(file: "Base.lproj/Feed.json", line: 3, column: 3)
                )
            ])
    }

    @Test func `an error is listed even among many warnings`() throws {
        let warnings = (0..<1_000).map { "\"a\($0)\": {\"type\": \"X\"}" }.joined(separator: ",")
        let findings = try FindingCase.object(
            "\"type\": \"ItemsCollection\"}, \(warnings), \"z\": {\"attrs\": {\"predicateFormat\": \"a = %@\"}"
        ).findings()
        #expect(findings.count == 201)
        #expect(findings.last?.code == .predicateArgument)
    }

    @Test(
        .enabled(if: Samples.exist, "needs the original samples"),
        arguments: ["FeedViewController.json", "NewPostViewController.json", "StubService.json"])
    func `the demo archive's scheme files have no finding`(_ name: String) throws {
        let contents = try Opened.contents(try Samples.bytes("WidgetDemo.zip"))
        let bytes = try #require(contents["WidgetDemo.bundle/\(name)"])
        #expect(try FindingCase.findings(in: name, bytes).isEmpty)
    }
}

@Suite struct `Service descriptions` {
    @Test(
        arguments: [
            .baseURL("‹service-url›file:///etc/passwd"),
            .baseURL("‹service-url›FILE:/etc"),
            .baseURL("‹service-url›ftp://example.com"),
            .baseURL("‹service-url›javascript:alert"),
            .baseURL("‹service-url›data:text/plain,x"),
            .baseURL("https://‹url-credentials›user:secret@example.com"),
            .baseURL("https://‹url-credentials›$user@example.com"),
            .baseURL("https:\\\\\\\\‹url-credentials›user@example.com"),
            .baseURL("‹plain-http›http://example.com"),
            .baseURL("‹plain-http›HTTP://example.com"),
            .baseURL("‹plain-http›http://‹private-address›localhost:8080"),
            .baseURL("https://‹private-address›127.0.0.1"),
            .baseURL("https://‹private-address›127.1"),
            .baseURL("https://‹private-address›2130706433/x"),
            .baseURL("https://‹private-address›0x7f.0.0.1"),
            .baseURL("https://‹private-address›0177.0.0.1"),
            .baseURL("https://‹private-address›10.1.2.3:8443/api"),
            .baseURL("https://‹private-address›172.31.0.1"),
            .baseURL("https://‹private-address›192.168.0.1"),
            .baseURL("https://‹private-address›169.254.169.254"),
            .baseURL("https://‹private-address›[::1]:8080"),
            .baseURL("https://‹private-address›[fe80::1]"),
            .baseURL("https://‹private-address›[fd00::1]"),
            .baseURL("https://‹private-address›[::ffff:10.0.0.1]"),
            .baseURL("https://‹private-address›printer.local"),
            .baseURL("https://‹private-address›Api.LocalHost."),
            .baseURL("https://‹url-credentials›example.com@‹private-address›10.0.0.1"),
            .service("\"defaults\": {\"socket\": \"‹plain-http›ws://example.com\"}"),
            .service("\"auth\": {\"tokenUrl\": \"‹service-url›file:///x\", \"secret\": \"‹service-url›file:///y\"}"),
            .service("\"auth\": {\"accessTokenPath\": \"‹service-url›file:///etc/passwd\"}"),
            .service("\"auth\": {\"twitter\": {\"tokenUrl\": \"‹service-url›file:///x\"}}"),
            .service("\"auth\": {\"twitter\": {\"tokenUrl\": \"‹app-address›demo://x\"}}"),
            .service("\"auth\": {\"response\": \"‹service-url›javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url› javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›java\\nscript:alert(1)\"}"),
            .service("\"defaults\": {\"baseUrl\": \"‹service-url›\\tfile:///x\"}"),
            .service("\"actions\": {\"a\": {\"parameters\": {\"u\": [{\"v\": [\"‹service-url›data:text/html,x\"]}]}}}"),
            .service("\"extra\": \"‹service-url›vbscript:x\""),
            .service("\"auth\": {\"authorizeUrl\": \"‹app-address›twitterdemo://oauth\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›JavaScript://x\"}"),
            .service("\"auth\": {\"redirectURL\": \"‹service-url›data:text/html,x\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›file:///x\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹plain-http›http://example.com/back\"}"),
            .service("\"auth\": {\"callbackUrl\": \"https://‹private-address›127.0.0.1/back\"}"),
            .service("\"defaults\": {\"baseUrl\": \"‹service-url›twitterdemo://oauth\"}"),
            .service("\"defaults\": {\"path\": \"‹service-url›twitterdemo://oauth\"}"),
            .service("\"actions\": {\"a\": {\"path\": \"‹service-url›twitterdemo://oauth\"}}"),
            .service("\"actions\": {\"a\": {\"url\": \"‹service-url›twitterdemo://oauth\"}}"),
            .service(
                "\"actions\": {\"a\": {\"path\": \"‹plain-http›http://example.com/a\"}}", name: "StubService.json"),
            .service("\"actions\": {\"a\": {\"path\": \"‹service-url›file:///a\"}}", name: "Service.dev.json"),
            .service(
                "\"actions\": {\"a\": {\"path\": \"‹plain-http›http://example.com/a\"}}", name: "services/Feed.json"),
            .service("\"defaults\": {\"headers\": {\"X\": \"a‹line-break›\\r\\nHost: b\"}}"),
            .service("\"defaults\": {\"headers\": {\"X‹line-break›\\n\": \"a\"}}"),
            .service("\"actions\": {\"a\": {\"headers\": {\"X\": \"‹line-break›\\u000a\"}}}"),
            .service("\"actions\": {\"a\": {\"httpMethod\": \"GET‹line-break›\\n/ HTTP/1.1\"}}"),
            .service("\"actions\": {\"a\": {\"set\": {\"‹key-path›managedObjectContext.name\": 1}}}"),
            .service("\"actions\": {\"a\": {\"multipart\": {\"p\": \"‹key-path›superview.image\"}}}"),
        ] as [FindingCase])
    func `a fault in a service description is found`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test(
        arguments: [
            .baseURL("https://test"), .baseURL(""), .baseURL("https://api.example.com:8443/v1/@me?x=a@b"),
            .baseURL("https://8.8.8.8"), .baseURL("https://172.32.0.1"), .baseURL("https://[2606:4700::1111]"),
            .baseURL("https://localhost.example.com"), .baseURL("https://10.example.com"),
            .baseURL("https://256.1.1.1.1"),
            .baseURL("example.com:8080/api"),
            .service(
                "\"defaults\": {\"socket\": \"wss://example.com\", \"headers\": {\"X\": \"a\", \"***\": \"a\\nb\"}}"),
            .service("\"actions\": {\"a\": {\"path\": \"posts/$id.json\", \"set\": {\"parent\": null}, \"more\": 1}}"),
            .service("\"actions\": {\"***\": {\"path\": \"file:///x\"}, \"a\": {\"response\": \"http://localhost\"}}"),
            .service("\"$schema\": \"../schemas/service.json\", \"actions\": {}"),
            .service("\"defaults\": 1, \"actions\": [], \"auth\": null"),
            .service("\"actions\": {\"a\": {\"response\": {\"icon\": \"data:image/png;base64,AA\"}}}"),
            .service("\"actions\": {\"a\": {\"parameters\": {\"t\": \"data: 5\", \"f\": \"file:\"}}}"),
            .service("\"auth\": {\"accessTokenPath\": \"oauth/access_token\", \"***\": \"file:///x\"}"),
            .service(
                "\"auth\": {\"callbackUrl\": \"twitterdemo://oauth\", \"requestTokenUrl\": \"https://example.com/t\"}"),
            .service("\"auth\": {\"oauthRedirectURL\": \"com.example.app:/back\", \"tokenUrl\": \"oauth/token\"}"),
            .service("\"defaults\": {\"baseUrl\": \"file:///x\"}", name: "services.json"),
        ] as [FindingCase])
    func `a sound service description is accepted`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }
}
