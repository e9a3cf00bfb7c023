import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

/// Attack A4: a token with `publish` alone moves no channel in a way that its hosts do not expect. Attacks A5 and A14 have
/// their share in it: channels without end, and versions that nothing follows.
@Suite("A4: publishing without the scope promote") struct PublishRightsTests {
    private let rights: RightsService
    private let ci: String
    private let desk: String

    init() throws {
        rights = try RightsService()
        ci = try rights.token("ci", "publish")
        desk = try rights.token("desk", "publish", "promote")
    }

    private let wanted = ["wants the scope promote", "the token ci does not have"]

    @Test func `A4: publishing alone puts a first release on a protected channel, also as a share or by force`()
        throws
    {
        let answer = try rights.publish("1.0", "rollout=2500&promote=force", token: ci)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try rights.shown("stable") == "1.0~1")
        // The same again changes nothing, so a client that lost the answer just sends it again.
        #expect(try rights.publish("1.0", token: ci).status == 200)
    }

    @Test func `A4: publishing alone is refused on a protected channel from the second release on`() throws {
        #expect(try rights.publish("1.0", token: ci).status == 201)
        for version in ["1.1", "0.9"] {
            try rights.expectRefusal(
                version, token: ci, wanted[0], wanted[1], "“stable” is protected", "?channel=beta")
        }
        #expect(try rights.shown("stable") == "1.0~1")
        #expect(try rights.publish("1.1", "channel=beta", token: ci).status == 201)
        // What is stored already does not get there by being sent again.
        #expect(try rights.publish("1.1", token: ci).status == 403)
        #expect(try rights.publish("1.1", token: desk).status == 200)
        #expect(try rights.shown("stable") == "1.1~1")
    }

    @Test func `A4: publishing alone is refused if it would make a protected channel of an existing bundle`() throws {
        #expect(try rights.publish("1.0", "channel=beta", token: ci).status == 201)
        try rights.expectRefusal("1.1", token: ci, wanted[0], "protected")
        #expect(try rights.shown("stable") == nil)
    }

    @Test func `A4: publishing alone follows the operator's list of protected channels`() throws {
        rights.service.knobs.withLock { $0.channels.protected = ["live"] }
        #expect(try rights.publish("1.0", token: ci).status == 201)
        #expect(try rights.publish("1.1", token: ci).status == 201)
        try rights.expectRefusal("1.2", "channel=live", token: ci, "“live” is protected")
        rights.service.knobs.withLock { $0.channels.protected = [] }
        #expect(try rights.publish("1.2", "channel=live", token: ci).status == 201)
    }

    @Test func `A4: publishing alone takes no channel down by promote=force`() throws {
        _ = try rights.publish("1.0")
        #expect(try rights.publish("2.0", "channel=beta", token: ci).status == 201)
        #expect(try rights.publish("1.5", "channel=beta", token: ci).status == 201)
        #expect(try rights.shown("beta") == "2.0~1")
        #expect(try rights.publish("1.5", "channel=beta&promote=force", token: ci).status == 403)
        try rights.expectRefusal("1.6", "channel=beta&promote=force", token: ci, wanted[0], wanted[1], "promote=force")
        #expect(try rights.shown("beta") == "2.0~1")
        #expect(try rights.publish("1.5", "channel=beta&promote=force", token: desk).status == 200)
        #expect(try rights.shown("beta") == "1.5~1")
    }

    @Test func `A4: publishing alone begins and ends no rollout on a channel that shows a release`() throws {
        _ = try rights.publish("1.0", "channel=beta")
        for share in ["0", "2500", "9999"] {
            try rights.expectRefusal("1.1", "channel=beta&rollout=\(share)", token: ci, wanted[0], "rollout")
        }
        #expect(try rights.publish("1.1", "channel=beta&rollout=2500", token: desk).status == 201)
        try rights.expectRefusal("1.2", "channel=beta", token: ci, wanted[0], "1.1~1 to a part of its hosts")
        #expect(try rights.channel("beta").text.contains("\"rollout\":2500"))
        // A new channel begins with any share.
        #expect(try rights.publish("1.2", "channel=trial&rollout=100", token: ci).status == 201)
    }

    @Test func `A4: publishing alone is allowed on a channel whose releases were all withdrawn`() throws {
        _ = try rights.publish("2.0", "channel=beta")
        #expect(try rights.withdraw("2.0~1").status == 200)
        #expect(try rights.publish("2.0.1", "channel=beta&rollout=100", token: ci).status == 201)
        #expect(try rights.shown("beta") == "2.0.1~1")
    }

    @Test(arguments: [
        ("1.0", "99999.0"), ("1.4.0", "103"), ("1.0", "2026.1"), ("0.9", "101.0"), ("v1", "v2026"),
        ("2026.11.22", "202611.22"), ("20261122", "202611221200"), ("7", String(repeating: "9", count: 64)),
    ])
    func `A14: publishing alone is refused for a leap of versions, which would hide later ones`(
        _ pair: (String, String)
    ) throws {
        _ = try rights.publish(pair.0, "channel=beta")
        try rights.expectRefusal(pair.1, "channel=beta", token: ci, wanted[0], "is a leap from \(pair.0)~1")
        #expect(try rights.shown("beta") == "\(pair.0)~1")
        #expect(try rights.publish(pair.1, "channel=beta", token: desk).status == 201)
    }

    @Test(arguments: [
        ("1.0", "2.0"), ("1.4.0", "102"), ("9.9", "10.0"), ("2026.11.22", "2027.1.1"), ("20261231", "20270101"),
        ("261231", "270101"), ("2612", "2701"), ("1.0", "1.20261122"), ("1.0.1", "1.0.99999"), ("1523", "3100"),
        ("0", "100"), ("1.0-beta", "1.0"), ("word", "1.0"), ("202612312359", "202701010000"),
    ])
    func `A14: publishing alone is allowed for versions that continue the count`(_ pair: (String, String)) throws {
        _ = try rights.publish(pair.0, "channel=beta")
        #expect(try rights.publish(pair.1, "channel=beta", token: ci).status == 201)
        #expect(try rights.shown("beta") == "\(pair.1)~1")
    }

    @Test func `A5: publishing alone fills only a part of a bundle's channels`() throws {
        rights.service.knobs.withLock { $0.channels = ChannelPolicy(limit: 4, publisherLimit: 3) }
        _ = try rights.publish("1.0")
        for name in ["a", "b"] { #expect(try rights.publish("1.0", "channel=\(name)", token: ci).status == 200) }
        try rights.expectRefusal("1.1", "channel=c", token: ci, wanted[0], "has 3 channels", "“c” is not one of them")
        // Existing channels continue, new bundles begin with one, and the rest is for tokens that promote.
        #expect(try rights.publish("1.1", "channel=a", token: ci).status == 201)
        rights.service.knobs.withLock { $0.channels.publisherLimit = 0 }
        #expect(try rights.publish("1.0", "channel=x", token: ci, of: "com.acme.Other").status == 201)
        #expect(try rights.publish("1.1", "channel=c", token: desk).status == 200)
        let full = try rights.publish("1.1", "channel=d", token: desk)
        #expect(full.status == 409 && full.problemCode == "too-many-channels")
    }

    @Test func `A4: a token made before the rights were distinguished keeps all of them`() throws {
        let old = try rights.earlierToken("old", [.publish])
        #expect(try rights.publish("2.0", token: old).status == 201)
        #expect(try rights.publish("1.0", "promote=force&rollout=100", token: old).status == 201)
        #expect(try rights.publish("99999.0", token: old).status == 201)
        #expect(try rights.shown("stable") == "99999.0~1")
        // And gets none that it did not have.
        #expect(try rights.change("PUT", "stable", #"{"release": "1.0~1"}"#, token: old).status == 403)
        #expect(try rights.change("DELETE", "stable", token: old).status == 403)
        #expect(try rights.withdraw("1.0~1", token: old).status == 403)
        let list = try rights.service.send("GET", "/v1/tokens").text
        #expect(list.count(of: "\"keepsEarlierRights\":true") == 1)
    }
}

@Suite("A6: restoring") struct RestoreRightsTests {
    private let rights: RightsService

    init() throws {
        rights = try RightsService()
        _ = try rights.publish("1.0")
        #expect(try rights.withdraw("1.0~1").status == 200)
    }

    @Test func `A6: restoring wants the scope promote, and withdraw is not enough`() throws {
        let guardian = try rights.token("guardian", "withdraw")
        let refused = try rights.restore("1.0~1", token: guardian)
        #expect(refused.status == 403)
        #expect(refused.text.contains("The token guardian does not have the scope promote, which"), "\(refused.text)")
        #expect(refused.text.contains("restores what was withdrawn"))
        #expect(try rights.service.get("/v1/widgets/\(RightsService.bundle)").status == 410)
        let desk = try rights.token("desk", "promote")
        #expect(try rights.restore("1.0~1", token: desk).status == 200)
        #expect(try rights.shown("stable") == "1.0~1")
        // Taking back is what the scope is for, from a protected channel too.
        #expect(try rights.withdraw("1.0~1", token: guardian).status == 200)
    }

    @Test func `A6: a token made before can still restore with withdraw`() throws {
        let old = try rights.earlierToken("old", [.withdraw])
        #expect(try rights.restore("1.0~1", token: old).status == 200)
        #expect(try rights.publish("1.1", token: old).status == 403)
    }
}

extension String {
    /// The number of times it holds a text.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
