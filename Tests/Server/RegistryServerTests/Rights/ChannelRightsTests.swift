import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

/// A CI token need not be a production token.
@Suite("A token limited to channels") struct ChannelRightsTests {
    private let rights: RightsService
    private let ci: String

    init() throws {
        rights = try RightsService()
        ci = try rights.token("ci", "publish", "promote", "withdraw", channels: ["beta", "nightly"])
        _ = try rights.publish("1.0")
    }

    @Test func `A token limited to channels publishes to them alone, the first release of a bundle included`() throws {
        for query in ["", "channel=stable", "channel=third", "channel=stable&dryRun=true"] {
            let answer = try rights.publish("1.1", query, token: ci)
            #expect(answer.status == 403 && answer.problemCode == "forbidden")
            #expect(answer.text.contains("The token ci is limited to the channels beta, nightly"), "\(answer.text)")
        }
        #expect(try rights.publish("1.0", token: ci, of: "com.acme.New").status == 403)
        #expect(try rights.publish("1.1", "channel=beta", token: ci).status == 201)
        #expect(try rights.publish("1.1", "channel=nightly", token: ci).status == 200)
        #expect(try rights.shown("third") == nil && rights.shown("stable") == "1.0~1")
    }

    @Test func `A token limited to channels is refused elsewhere before a byte of the body is read`() throws {
        let conversation = Conversation(try rights.service.connect())
        conversation.connection.send(
            Array(
                "POST /v1/bundles HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\nExpect: 100-continue\r\nAuthorization: Bearer \(ci)\r\n\r\n"
                    .utf8))
        #expect(try conversation.next().status == 403)
    }

    @Test func `A token limited to channels makes, moves, rolls back and deletes them alone`() throws {
        _ = try rights.publish("1.1")
        let body = #"{"release": "1.0~1"}"#
        for name in ["stable", "third"] {
            #expect(try rights.change("PUT", name, body, token: ci).status == 403)
            #expect(try rights.change("POST", "\(name)/rollback", token: ci).status == 403)
            #expect(try rights.change("DELETE", name, token: ci).status == 403)
        }
        #expect(try rights.shown("stable") == "1.1~1")
        #expect(rights.service.audits("\"action\":\"delete-channel\",\"result\":\"forbidden\",\"by\":\"ci\""))
        _ = try rights.publish("1.1", "channel=beta")
        #expect(try rights.change("PUT", "beta", body, token: ci).status == 200)
        #expect(try rights.change("POST", "beta/rollback", token: ci).status == 200)
        #expect(try rights.change("DELETE", "beta", token: ci).status == 204)
    }

    @Test func `A token limited to channels withdraws or restores no release if that moves another`() throws {
        _ = try rights.publish("1.1", "channel=beta")
        #expect(try rights.withdraw("1.1~1", token: ci).status == 200)
        #expect(try rights.restore("1.1~1", token: ci).status == 200)
        #expect(try rights.publish("1.1").status == 200)
        let refused = try rights.withdraw("1.1~1", token: ci)
        #expect(refused.status == 403 && refused.text.contains("limited to the channels"), "\(refused.text)")
        #expect(try rights.shown("stable") == "1.1~1" && rights.shown("beta") == "1.1~1")
        #expect(try rights.withdraw("1.1~1").status == 200)
        #expect(try rights.restore("1.1~1", token: ci).status == 403)
        #expect(try rights.shown("stable") == "1.0~1")
        let release = try rights.service.get("/v1/bundles/\(RightsService.bundle)/releases/1.1~1")
        #expect(release.status == 410)
    }

    @Test func `A token limited to channels is shown with them in lists`() throws {
        let list = try rights.service.send("GET", "/v1/tokens")
        #expect(
            list.text.contains(
                "\"name\":\"ci\",\"prefix\":\"\",\"scopes\":[\"publish\",\"promote\",\"withdraw\"],\"channels\":[\"beta\",\"nightly\"]"
            ), "\(list.text)")
        #expect(
            rights.service.audits("\"action\":\"create-token\"", "\"token\":\"ci\"", "\"channels\":\"beta nightly\""))
    }

    @Test func `A token limited to channels makes no token that reaches further, and sees and revokes none`() throws {
        let lead = try rights.token("lead", "admin", channels: ["beta", "nightly"], prefix: "com.acme")
        _ = try rights.token("wide", "publish", prefix: "com.acme")
        for channels in [[], ["stable"], ["beta", "stable"]] {
            let answer = try rights.create("x", ["publish"], channels: channels, prefix: "com.acme", by: lead)
            #expect(answer.status == 403 && answer.text.contains("beta, nightly"), "\(answer.text)")
        }
        #expect(try rights.create("x", ["publish"], channels: ["beta"], prefix: "com", by: lead).status == 403)
        let made = try rights.create("below", ["admin"], channels: ["beta"], prefix: "com.acme.shop", by: lead)
        #expect(made.status == 201)
        let below: String = try JSONDocument(parsing: made.body).cursor.require("token")
        #expect(
            try rights.create("y", ["read"], channels: ["nightly"], prefix: "com.acme.shop", by: below).status == 403)
        let list = try rights.service.send("GET", "/v1/tokens", token: lead).text
        #expect(list.contains("\"below\"") && list.contains("\"lead\"") && !list.contains("\"wide\""))
        #expect(try rights.service.send("DELETE", "/v1/tokens/wide", token: lead).status == 404)
        #expect(try rights.service.send("DELETE", "/v1/tokens/below", token: lead).status == 204)
        // An administrator's own acts are limited as well.
        #expect(try rights.change("PUT", "stable", #"{"release": "1.0~1"}"#, token: lead).status == 403)
    }

    @Test(arguments: ["[]", "[\"be ta\"]", "[1]", "\"beta\""])
    func `A token cannot be made of an empty or malformed list of channels`(_ list: String) throws {
        let answer = try rights.service.send(
            "POST", "/v1/tokens", "{\"name\": \"x\", \"scopes\": [\"publish\"], \"channels\": \(list)}")
        #expect(answer.status == 400 && answer.problemCode == "malformed-request", "\(answer.text)")
    }
}

/// Attack A5: channels were for ever, so a token with `publish` could take all of a bundle's.
@Suite("A5: deleting a channel") struct ChannelDeletionTests {
    private let rights: RightsService

    init() throws {
        rights = try RightsService()
        _ = try rights.publish("1.0")
        _ = try rights.publish("1.1", "channel=beta")
    }

    @Test func `A5: deleting a channel wants the scope promote, and the channel's entity tag`() throws {
        let ci = try rights.token("ci", "publish", "withdraw")
        let desk = try rights.token("desk", "promote")
        #expect(try rights.change("DELETE", "beta", token: ci).status == 403)
        let unconditional = try rights.change("DELETE", "beta", match: "", token: desk)
        #expect(unconditional.status == 428 && unconditional.problemCode == "precondition-required")
        let tag = try #require(try rights.channel("beta").value("ETag"))
        _ = try rights.publish("1.2", "channel=beta")
        let late = try rights.change("DELETE", "beta", match: tag, token: desk)
        #expect(late.status == 412 && late.problemCode == "precondition-failed")
        #expect(try rights.shown("beta") == "1.2~1")
        let now = try #require(try rights.channel("beta").value("ETag"))
        #expect(try rights.change("DELETE", "beta", match: now, token: desk).status == 204)
        let gone = try rights.change("DELETE", "beta", token: desk)
        #expect(gone.status == 404 && gone.problemCode == "no-such-channel")
        #expect(
            rights.service.audits(
                "\"action\":\"delete-channel\",\"result\":\"done\",\"by\":\"desk\"", "\"channel\":\"beta\""))
    }

    @Test func `A5: deleting a channel removes it for hosts and readers, and keeps its releases`() throws {
        let widget = "/v1/widgets/\(RightsService.bundle)-1?channel=beta"
        #expect(try rights.service.get(widget).status == 200)
        #expect(try rights.change("DELETE", "beta", token: Service.admin).status == 204)
        let answer = try rights.service.get(widget)
        #expect(answer.status == 404 && answer.problemCode == "no-such-channel")
        #expect(try rights.service.get("/v1/bundles?channel=beta").text.contains("\"items\":[]"))
        #expect(try !rights.service.get("/v1/bundles/\(RightsService.bundle)").text.contains("\"beta\""))
        let release = try rights.service.get("/v1/bundles/\(RightsService.bundle)/releases/1.1~1")
        #expect(release.status == 200 && release.text.contains("\"channels\":[]"))
        #expect(try rights.service.registry.collect(grace: 0, isDryRun: false) { _, _ in }.archives.count == 0)
        #expect(try rights.change("PUT", "stable", #"{"release": "1.1~1"}"#, token: Service.admin).status == 200)
        let feed = try rights.service.get("/v1/changes").text
        #expect(
            feed.contains(
                #""kind":"delete","bundleIdentifier":"com.acme.Clock","release":"1.1~1","channel":"beta","sequence":2"#),
            "\(feed)")
    }

    @Test func `A5: a deleted channel comes back only under a higher sequence and with a new history`()
        throws
    {
        _ = try rights.publish("1.2", "channel=beta")
        #expect(try rights.change("DELETE", "beta", token: Service.admin).status == 204)
        let rehearsal = try rights.publish("1.1", "channel=beta&dryRun=true")
        #expect(rehearsal.status == 200)
        // A lower version than the deleted one showed is put on the new one, since that shows nothing.
        #expect(try rights.publish("1.1", "channel=beta").status == 200)
        let beta = try rights.service.registry.channel(RightsService.bundle, "beta")
        #expect(beta.release == "1.1~1" && beta.sequence == 4)
        let back = try rights.change("POST", "beta/rollback", token: Service.admin)
        #expect(back.status == 409 && back.problemCode == "no-earlier-release")
        // Nor does a withdrawal fall back to what was there before.
        #expect(try rights.withdraw("1.1~1").status == 200)
        #expect(try rights.service.get("/v1/widgets/\(RightsService.bundle)?channel=beta").status == 410)
        // Restoring 1.2, which the deleted channel showed, moves the new one no more.
        #expect(try rights.withdraw("1.2~1").status == 200)
        #expect(try rights.restore("1.2~1", token: Service.admin).status == 200)
        #expect(try rights.shown("beta") == "1.1~1")
    }

    @Test func `A5: deleting a channel makes room for another`() throws {
        rights.service.knobs.withLock { $0.channels.limit = 2 }
        #expect(try rights.publish("1.2", "channel=third").status == 409)
        #expect(try rights.change("DELETE", "beta", token: Service.admin).status == 204)
        #expect(try rights.publish("1.2", "channel=third").status == 201)
        #expect(try rights.publish("1.2", "channel=beta").status == 409)
    }

    @Test func `A5: deleting a protected channel leaves its name protected`() throws {
        let ci = try rights.token("ci", "publish")
        #expect(try rights.change("DELETE", "stable", token: Service.admin).status == 204)
        #expect(try rights.service.get("/v1/widgets/\(RightsService.bundle)").status == 404)
        #expect(try rights.publish("1.2", token: ci).status == 403)
        #expect(try rights.publish("1.2").status == 201)
    }
}
