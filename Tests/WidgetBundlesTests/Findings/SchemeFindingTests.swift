import JSONText
import TestSupport
import Testing
import WidgetBundles

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
    func `are found out`(_ sample: FindingCase) throws {
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
            FindingCase(path: "data.json", marked: "{\"predicateFormat\": \"FUNCTION(a,'b')\", \"url\": \"file:///\"}"),
            FindingCase(path: "table.json", marked: "{\"page\": {\"elements\": {\"h\": {\"number\": 1}}}}"),
            FindingCase(path: "list.json", marked: "[{\"type\": \"NSTask\"}]"),
        ] as [FindingCase])
    func `are let pass when they are sound, or only data`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test func `may name the transformers of the bundle's services`() throws {
        let scheme = FindingCase.binding("\"transformer\": \"strToDate\"")
        let service = FindingCase.service("\"options\": {\"transformers\": {\"date\": {\"strToDate\": {}}}}")
        #expect(try FindingCase.findings(in: [service, scheme]).isEmpty)
        #expect(try scheme.findings().map(\.code) == ["unknown-transformer"])
    }

    @Test func `have findings with everything a publisher needs`() throws {
        let finding = try FindingCase(
            path: "Base.lproj/Feed.json",
            marked:
                "{\"Feed\": {\r\n  \"elements\": {\"a\": {\"bindings\": [{\"predicateFormat\":\r\n \"CAST(a, 'NSTask') = 1\"}]}}}}"
        ).findings()
        #expect(
            finding == [
                Finding(
                    code: "predicate-cast", severity: .error, path: "Base.lproj/Feed.json", line: 3, column: 3,
                    detail:
                        "CAST to `NSTask` would look up a class; found `NSTask`; expected 'NSString' or 'NSNumber' or 'NSDecimalNumber' or 'NSDate'"
                )
            ])
    }

    @Test func `never lose an error among warnings`() throws {
        let warnings = (0..<1_000).map { "\"a\($0)\": {\"type\": \"X\"}" }.joined(separator: ",")
        let findings = try FindingCase.object(
            "\"type\": \"ItemsCollection\"}, \(warnings), \"z\": {\"attrs\": {\"predicateFormat\": \"a = %@\"}"
        ).findings()
        #expect(findings.count == 201)
        #expect(findings.last?.code == "predicate-argument")
    }

    @Test(
        .enabled(if: Samples.exist),
        arguments: ["FeedViewController.json", "NewPostViewController.json", "StubService.json"])
    func `of the demo archive have no finding`(_ name: String) throws {
        let contents = try Opened.contents(try Samples.bytes("WidgetDemo.zip"))
        let bytes = try #require(contents["WidgetDemo.bundle/\(name)"])
        #expect(try FindingCase.findings(in: name, bytes).isEmpty)
    }
}
