import JSONText
import Testing
import WidgetBundles
import WidgetFindings
import WidgetTestSupport

@Suite struct `Scheme files` {
    @Test(
        arguments: [
            .attributes("\"resultChain\": [\"x‹result-chain›','y\"]"),
            .attributes("\"resultChain\": [\"wx_first‹result-chain›\\\\\"]"),
            .attributes("\"resultChain\": [\"wx_joinedBy:\"], \"resultChainArgs\": [\"it‹result-chain›'s\"]"),
            .attributes("\"resultChainArgs\": [\"a\", \"\\u0041‹result-chain›\\u0027\"]"),
            .attributes("\"resultChainArgsTxt\": \"4|‹result-chain›')\""),
            .element("\"attrs\": {\"wx_imageUrl\": \"‹service-url›file:///etc/passwd\"}"),
            .binding("\"format\": \"%@ of ‹format-argument›%@\""),
            .binding("\"format\": \"‹format-argument›%s\""),
            .binding("\"format\": \"‹format-argument›%n\""),
            .binding("\"ifFalse\": \"%@ ‹format-argument›%d\""),
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

    @Test func `so many faults of a file are listed, and no more`() throws {
        let many = (0..<1_000).map { "\"a\($0)\": {\"attrs\": {\"predicateFormat\": \"a = %@\"}}" }
        let findings = try FindingCase.object("}, \(many.joined(separator: ",")), \"z\": {").findings()
        #expect(findings.count == 200 && findings.allSatisfy { $0.code == .predicateArgument })
    }

    @Test func `the rules judge nothing that a host may know or do`() throws {
        let scheme = FindingCase.object("\"type\": \"Unheard\", \"kind\": 1, \"attrs\": {\"superview.x\": 1}")
        #expect(try scheme.findings().isEmpty)
        #expect(try FindingCase.baseURL("http://10.0.0.1").findings().isEmpty)
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
            .baseURL("https://‹url-credentials›example.com@10.0.0.1"),
            .service("\"auth\": {\"tokenUrl\": \"‹service-url›file:///x\", \"secret\": \"‹service-url›file:///y\"}"),
            .service("\"auth\": {\"accessTokenPath\": \"‹service-url›file:///etc/passwd\"}"),
            .service("\"auth\": {\"twitter\": {\"tokenUrl\": \"‹service-url›file:///x\"}}"),
            .service("\"auth\": {\"response\": \"‹service-url›javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url› javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›java\\nscript:alert(1)\"}"),
            .service("\"defaults\": {\"baseUrl\": \"‹service-url›\\tfile:///x\"}"),
            .service("\"actions\": {\"a\": {\"parameters\": {\"u\": [{\"v\": [\"‹service-url›data:text/html,x\"]}]}}}"),
            .service("\"extra\": \"‹service-url›vbscript:x\""),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›javascript:alert(1)\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›JavaScript://x\"}"),
            .service("\"auth\": {\"redirectURL\": \"‹service-url›data:text/html,x\"}"),
            .service("\"auth\": {\"callbackUrl\": \"‹service-url›file:///x\"}"),
            .service("\"defaults\": {\"baseUrl\": \"‹service-url›twitterdemo://oauth\"}"),
            .service("\"defaults\": {\"path\": \"‹service-url›twitterdemo://oauth\"}"),
            .service("\"actions\": {\"a\": {\"path\": \"‹service-url›twitterdemo://oauth\"}}"),
            .service("\"actions\": {\"a\": {\"url\": \"‹service-url›twitterdemo://oauth\"}}"),
            .service("\"actions\": {\"a\": {\"path\": \"‹service-url›file:///a\"}}", name: "Service.dev.json"),
            .service("\"defaults\": {\"headers\": {\"X\": \"a‹line-break›\\r\\nHost: b\"}}"),
            .service("\"defaults\": {\"headers\": {\"X‹line-break›\\n\": \"a\"}}"),
            .service("\"actions\": {\"a\": {\"headers\": {\"X\": \"‹line-break›\\u000a\"}}}"),
            .service("\"actions\": {\"a\": {\"httpMethod\": \"GET‹line-break›\\n/ HTTP/1.1\"}}"),
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
