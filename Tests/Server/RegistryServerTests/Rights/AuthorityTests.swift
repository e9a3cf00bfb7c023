import JSONText
import RegistryServer
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// Attack F5: the server's own words as names of tokens; and names that are numbers (F10).
@Suite("F5: names of tokens") struct TokenNameTests {
    private let rights: RightsService

    init() throws {
        rights = try RightsService()
    }

    @Test(arguments: [
        "retention", "schedule", "reindex", "restore", "admin", "owner", "seed", "Retention", "RESTORE",
    ])
    func `F5: a token cannot be called by one of the server's own words`(_ name: String) throws {
        let refused = try rights.create(name, ["withdraw"])
        #expect(refused.status == 400 && refused.problemCode == "malformed-request")
        #expect(refused.text.contains("the server's own word"), "\(refused.text)")
    }

    @Test func `F5: the server's words include every author that the server acts as`() throws {
        #expect(Author.ownNames.contains(Retention.author))
        for version in 0..<25 { _ = try rights.publish("1.\(version)", "channel=dev") }
        _ = try rights.service.registry.collect(grace: 0, isDryRun: false) { _, _ in }
        let authors = Set(try rights.service.registry.audit(AuditQuery(limit: 100)).items.map(\.author.name))
        #expect(authors == ["admin", "retention"])
        #expect(authors.isSubset(of: Author.ownNames))
    }

    @Test func `F5: an earlier token called retention works, is noted with its number, and retires nothing`() throws {
        let old = try rights.earlierToken("retention", [.publish, .withdraw])
        let key: String = try JSONDocument(parsing: rights.publish("1.0", "channel=dev", token: old).body).cursor
            .require("release")
        #expect(try rights.withdraw(key, token: old).status == 200)
        // What retention took away comes back by publishing; what a person withdrew does not.
        #expect(try rights.publish("1.0", "channel=dev", token: old).status == 410)
        let acts = try rights.service.registry.audit(AuditQuery(limit: 2)).items
        #expect(acts.map(\.author.name) == ["retention#1", "retention#1"] && acts.allSatisfy { $0.author.token == 1 })
        let listed = try rights.service.get("/v1/bundles/\(RightsService.bundle)/releases").text
        #expect(listed.contains("\"publishedBy\":\"retention#1\""), "\(listed)")
        #expect(rights.service.audits("\"action\":\"withdraw\",\"result\":\"done\",\"by\":\"retention#1\""))
    }

    @Test func `F10: a token's name has a character besides digits, so that it is not taken for a number`() throws {
        for name in ["7", "0012"] {
            let refused = try rights.create(name, ["publish"])
            #expect(refused.status == 400 && refused.text.contains("number of a token"), "\(refused.text)")
        }
        #expect(try rights.create("7a", ["publish"]).status == 201)
        // Digits in the audit's filter are a number, also where an earlier token has that name.
        _ = try rights.earlierToken("1", [.publish])
        let found = try rights.service.send("GET", "/v1/audit?token=1").text
        #expect(found.contains("\"name\":\"7a\"") && !found.contains("\"name\":\"1\""), "\(found)")
    }
}

/// Attack F10: rights that reach further together than each alone, and acts that leave too little behind.
@Suite("F10: what tokens reach") struct AuthorityTests {
    private let rights: RightsService

    init() throws {
        rights = try RightsService()
    }

    @Test func `F10: publishing and withdrawing together take a channel to no lower version`() throws {
        let both = try rights.token("both", "publish", "withdraw")
        #expect(try rights.publish("2.0", "channel=beta").status == 201)
        #expect(try rights.withdraw("2.0~1", token: both).status == 200)
        for query in ["channel=beta", "channel=beta&rollout=100", "channel=beta&dryRun=true"] {
            let refused = try rights.publish("1.0", query, token: both)
            #expect(refused.status == 403 && refused.text.contains("2.0~1, which channel"), "\(refused.text)")
            #expect(refused.text.contains("was withdrawn, and this release is lower"))
        }
        #expect(try rights.publish("99999.0", "channel=beta", token: both).status == 403)
        #expect(try rights.publish("2.0.1", "channel=beta", token: both).status == 201)
        #expect(try rights.shown("beta") == "2.0.1~1")
    }

    @Test func `F10: a token limited to channels withdraws nothing that another channel can be rolled back to`() throws
    {
        let beta = try rights.token("beta", "withdraw", channels: ["beta"])
        for version in ["1.0", "1.1"] { _ = try rights.publish(version) }
        _ = try rights.publish("1.0", "channel=beta")
        _ = try rights.publish("1.2", "channel=beta")
        for key in ["1.0~1", "1.1~1"] {
            let refused = try rights.withdraw(key, token: beta)
            #expect(refused.status == 403 && refused.problemCode == "forbidden", "\(refused.text)")
            #expect(refused.text.contains("shows \(key) or can be rolled back to it"), "\(refused.text)")
        }
        #expect(try rights.withdraw("1.2~1", token: beta).status == 200)
        #expect(try rights.change("POST", "stable/rollback", token: Service.admin).status == 200)
        // A channel that is deleted has no history to protect.
        #expect(try rights.change("DELETE", "stable", token: Service.admin).status == 204)
        #expect(try rights.withdraw("1.1~1", token: beta).status == 200)
    }

    @Test func `F10: the record of a new token has its channels and its expiry`() throws {
        _ = try rights.token("ci", "publish", "promote", channels: ["nightly", "beta"])
        let body = #"{"name": "guest", "scopes": ["read"], "expires": "2027-03-01T00:00:00Z"}"#
        #expect(try rights.service.send("POST", "/v1/tokens", body).status == 201)
        let acts = try rights.service.registry.audit(AuditQuery(limit: 2)).items
        #expect(acts.map(\.remark) == ["read, until 2027-03-01T00:00:00Z", "publish promote, on beta nightly"])
        #expect(rights.service.audits("\"token\":\"guest\"", "\"expires\":\"2027-03-01T00:00:00Z\""))
    }

    @Test func `F10: the record of a withdrawal says that a channel has nothing left to show`() throws {
        _ = try rights.publish("1.0", "rollout=5000")
        _ = try rights.withdraw("1.0~1")
        _ = try rights.restore("1.0~1", token: Service.admin)
        let acts = try rights.service.registry.audit(AuditQuery(limit: 2)).items
        let shown = AuditRecord.Shown(release: "1.0~1", rollout: 5_000, isMandatory: false)
        #expect(acts.map(\.act) == [.restore, .withdraw] && acts.allSatisfy { $0.channel == "stable" })
        #expect(acts[1].from == shown && acts[1].to == nil)
        #expect(acts[0].from == nil && acts[0].to == shown)
    }

    /// Counts the bundles that it looks at.
    private struct CountingReview: BundleReview {
        let count = Guarded(0)

        func findings(
            of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
        ) -> ReviewFindings {
            count.withLock { $0 += 1 }
            return ReviewFindings()
        }
    }

    @Test func `Screens are looked at for those alone who may publish the bundle`() throws {
        let review = CountingReview()
        let rights = try RightsService(review: review)
        let other = try rights.token("other", "publish", prefix: "com.other")
        #expect(try rights.publish("1.0", token: other).status == 403)
        #expect(review.count.withLock { $0 } == 0)
        #expect(try rights.publish("1.0", token: rights.token("own", "publish", prefix: "com.acme")).status == 201)
        #expect(review.count.withLock { $0 } == 1)
    }

    @Test func `F10: refused writes name no bundle in another case that the token has no rights to`() throws {
        _ = try rights.publish("1.0")
        let near = try rights.token("near", "publish", "promote", "withdraw", prefix: "COM.acme")
        let own = try rights.token("own", "publish", "promote", "withdraw")
        let name = "COM.acme.clock"
        for (token, isNamed) in [(near, false), (own, true)] {
            var answers = [try rights.publish("1.0", token: token, of: name)]
            #expect(answers[0].problemCode == "identifier-case-conflict")
            for (method, path, body) in [
                ("PUT", "channels/stable", #"{"release": "1.0~1"}"#), ("DELETE", "channels/stable", ""),
                ("POST", "channels/stable/rollback", ""), ("DELETE", "releases/1.0~1", ""),
                ("POST", "releases/1.0~1/restore", ""),
            ] {
                let answer = try rights.service.send(
                    method, "/v1/bundles/\(name)/\(path)", body, "If-Match: *\r\n", token: token)
                #expect(answer.status == 404 && answer.problemCode == "no-such-bundle", "\(answer.text)")
                answers.append(answer)
            }
            for answer in answers {
                #expect(answer.text.contains(RightsService.bundle) == isNamed, "\(answer.text)")
            }
        }
    }
}
