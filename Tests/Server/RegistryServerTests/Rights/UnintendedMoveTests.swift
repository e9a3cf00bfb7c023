import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Attack F1: the longest bundle identifier that a widget identifier begins with wins, so a new bundle can take widgets.
@Suite("F1: new bundles beside published ones") struct BundleTakeoverTests {
    private let rights: RightsService
    private let ci: String

    init() throws {
        rights = try RightsService()
        ci = try rights.token("ci", "publish")
        #expect(try rights.publish("1.0", token: ci).status == 201)
    }

    private func bundle(of widget: String) throws -> String? {
        try JSONValue(parsing: rights.service.get("/v1/widgets/\(widget)").body)["bundleIdentifier"]?.string
    }

    @Test(arguments: ["com.acme.Clock-1", "com.acme.Clock.Face", "com.acme.Clockwork"])
    func `F1: publishing a bundle whose name begins like another's widget wants the scope promote`(
        _ taking: String
    ) throws {
        for query in ["", "channel=beta", "dryRun=true"] {
            let refused = try rights.publish("1.0", query, token: ci, of: taking)
            #expect(refused.status == 403 && refused.problemCode == "forbidden", "\(refused.text)")
            for words in ["continues that of com.acme.Clock", "would be taken from", "wants the scope promote"] {
                #expect(refused.text.contains(words), "\(refused.text)")
            }
        }
        #expect(try bundle(of: taking) == "com.acme.Clock")
        let desk = try rights.token("desk", "publish", "promote")
        #expect(try rights.publish("1.0", token: desk, of: taking).status == 201)
        #expect(try bundle(of: taking) == taking)
        // From then on it is a bundle like others.
        #expect(try rights.publish("1.1", "channel=beta", token: ci, of: taking).status == 201)
    }

    @Test func `F1: a bundle with a shorter name takes no widget, so publishing it wants no further scope`() throws {
        for name in ["com.acme.Cloc", "com.acme"] {
            #expect(try rights.publish("1.0", token: ci, of: name).status == 201)
        }
        for widget in ["com.acme.Clock", "com.acme.Clock-1", "com.acme.Clock.Face"] {
            #expect(try bundle(of: widget) == "com.acme.Clock")
        }
        #expect(try bundle(of: "com.acme.Clo") == "com.acme" && bundle(of: "com.acme.Clocs") == "com.acme.Cloc")
    }

    @Test func `F1: a bundle with another beginning is published as before`() throws {
        for name in ["com.acme.Other", "com.acme.clock-1", "org.acme.Clock"] {
            #expect(try rights.publish("1.0", token: ci, of: name).status == 201)
        }
    }

    @Test func `F1: the refusal names no bundle that the token does not cover`() throws {
        let near = try rights.token("near", "publish", prefix: "com.acme.Clock.Face")
        let refused = try rights.publish("1.0", token: near, of: "com.acme.Clock.Face")
        #expect(refused.status == 403 && refused.text.contains("another published one"), "\(refused.text)")
        #expect(!refused.text.replacing("com.acme.Clock.Face", with: "").contains("com.acme.Clock"))
    }

    @Test func `F1: a token made before the rights were distinguished publishes such a bundle`() throws {
        let old = try rights.earlierToken("old", [.publish])
        #expect(try rights.publish("1.0", token: old, of: "com.acme.Clock-1").status == 201)
    }
}

/// Attack F2: a job that runs again undoes a rollback, and its answer says that nothing changed.
@Suite("F2: publishing again") struct RepeatedPublishingTests {
    private let rights: RightsService
    private let ci: String
    private let desk: String

    init() throws {
        rights = try RightsService()
        ci = try rights.token("ci", "publish")
        desk = try rights.token("desk", "publish", "promote")
        for version in ["1.0", "1.1"] { #expect(try rights.publish(version, "channel=beta", token: ci).status == 201) }
    }

    private func changed(_ answer: WireAnswer) throws -> Bool? {
        try JSONValue(parsing: answer.body)["changed"]?.boolean
    }

    @Test(arguments: ["ci", "desk"])
    func `F2: publishing the same archive after a rollback leaves the channel as it is, with a warning`(
        _ name: String
    ) throws {
        #expect(try rights.change("POST", "beta/rollback", token: desk).status == 200)
        let before = try rights.channel("beta").text
        for query in ["channel=beta", "channel=beta&dryRun=true"] {
            let again = try rights.publish("1.1", query, token: name == "ci" ? ci : desk)
            #expect(again.status == 200 && again.text.contains("older-than-channel"), "\(again.text)")
            #expect(again.text.contains("continues to show 1.0~1") && again.text.contains("taken back from it"))
            #expect(try changed(again) == false)
        }
        #expect(try rights.channel("beta").text == before)
        let strict = try rights.publish("1.2", "channel=beta", token: ci)
        #expect(strict.status == 201 && !strict.text.contains("older-than-channel"))
    }

    @Test func `F2: promote=force shows the same archive again after a rollback, with the scope promote`() throws {
        #expect(try rights.change("POST", "beta/rollback", token: desk).status == 200)
        #expect(try rights.publish("1.1", "channel=beta&promote=force", token: ci).status == 403)
        let forced = try rights.publish("1.1", "channel=beta&promote=force", token: desk)
        #expect(try forced.status == 200 && changed(forced) == true, "\(forced.text)")
        #expect(try rights.shown("beta") == "1.1~1")
        let audit = try rights.service.registry.audit(AuditQuery(limit: 1)).items
        #expect(audit.first?.isForced == true && audit.first?.to?.release == "1.1~1")
    }

    @Test func `F2: publishing a stored archive to another channel moves that channel and says so`() throws {
        for query in ["channel=nightly&dryRun=true", "channel=nightly"] {
            let moved = try rights.publish("1.1", query, token: ci)
            #expect(try moved.status == 200 && changed(moved) == true, "\(moved.text)")
        }
        #expect(try rights.shown("nightly") == "1.1~1")
        let repeated = try rights.publish("1.1", "channel=nightly", token: ci)
        #expect(try repeated.status == 200 && changed(repeated) == false)
    }

    @Test func `F2: an edit that is undone is shown again on a snapshot channel`() throws {
        for content in ["1", "2", "1"] {
            let answer = try rights.service.send(
                "POST", "/v1/bundles?channel=dev",
                TestBundle(identifier: RightsService.bundle, version: "3.0", content: "[\(content)]").archive,
                token: ci)
            #expect(try answer.status < 300 && changed(answer) == true, "\(answer.text)")
        }
    }

    @Test func `F7: publishing keeps a mandatory floor for the releases above it`() throws {
        #expect(
            try rights.change("PUT", "beta", #"{"release": "1.1~1", "mandatory": true}"#, token: desk).status == 200)
        #expect(try rights.publish("1.2", "channel=beta", token: ci).status == 201)
        #expect(try rights.channel("beta").text.contains("\"mandatory\":true"))
        #expect(try rights.publish("1.3", "channel=beta&rollout=100", token: desk).status == 201)
        #expect(try rights.channel("beta").text.contains("\"mandatory\":true"))
        // Lowering it is a decision: a lower version by force, a rollback, or another setting.
        #expect(try rights.publish("1.0", "channel=beta&promote=force", token: desk).status == 200)
        #expect(try rights.channel("beta").text.contains("\"mandatory\":false"))
    }

    @Test func `F7: a mandatory release that was withdrawn does not bind later ones`() throws {
        _ = try rights.publish("1.0", "channel=new")
        #expect(try rights.change("PUT", "new", #"{"release": "1.0~1", "mandatory": true}"#, token: desk).status == 200)
        #expect(try rights.withdraw("1.0~1").status == 200)
        #expect(try rights.publish("1.4", "channel=new", token: ci).status == 201)
        #expect(try rights.channel("new").text.contains("\"mandatory\":false"))
    }

    @Test func `F8: a rollback to a release that the channel has never shown is refused`() throws {
        #expect(try rights.publish("0.9", "channel=other").status == 201)
        let refused = try rights.change("POST", "beta/rollback", #"{"to": "0.9~1"}"#, token: desk)
        #expect(refused.status == 409 && refused.problemCode == "no-earlier-release", "\(refused.text)")
        #expect(refused.text.contains("has never shown") && refused.text.contains("PUT /v1/bundles/com.acme.Clock"))
        #expect(try rights.shown("beta") == "1.1~1")
        #expect(try rights.change("POST", "beta/rollback", #"{"to": "1.0~1"}"#, token: desk).status == 200)
        #expect(try rights.shown("beta") == "1.0~1")
        #expect(try rights.change("PUT", "beta", #"{"release": "0.9~1"}"#, token: desk).status == 200)
    }
}

/// Attack F6: the leap of A14 in many steps, or in a number that was not looked at.
@Suite("F6: versions that grow in steps") struct VersionGrowthTests {
    private let rights: RightsService
    private let ci: String

    init() throws {
        rights = try RightsService()
        ci = try rights.token("ci", "publish")
    }

    private func pass(days: Int64) { rights.service.clock.advance(by: .seconds(days * 86_400)) }

    private func publish(_ version: String, _ build: String = "1") throws -> WireAnswer {
        try rights.publish(version, "channel=beta", token: ci, build: build)
    }

    @Test(arguments: [["1", "102", "304"], ["1.0", "1.100", "1.250"], ["1", "60", "120"]])
    func `F6: a leap of versions in steps wants the scope promote within a week`(_ versions: [String]) throws {
        for version in versions.dropLast() { #expect(try publish(version).status == 201) }
        let refused = try publish(versions[2])
        #expect(refused.status == 403, "\(refused.text)")
        #expect(refused.text.contains("\(versions[2])~1 is a leap from \(versions[0])~1"), "\(refused.text)")
        #expect(refused.text.contains("within a week") && refused.text.contains("wants the scope promote"))
        pass(days: 6)
        #expect(try publish(versions[2]).status == 403)
        pass(days: 1)
        #expect(try publish(versions[2]).status == 201)
    }

    @Test(arguments: [
        ("1.0", "1", "1.103", "1"), ("1.4", "1", "1.99999", "1"), ("1.0", "1", "2.99999", "1"),
        ("1.0.1", "1", "1.0.100001", "1"), ("1.0", "1", "1.0", "100001"), ("1.0", "200000", "1.0", "500000"),
        ("1.0", "1", "1.0", "20991231"), ("1.0", "20261123.4", "1.0", "202611231200"),
        ("1.0", "1", "1.20991231", "1"), ("2026.11.23", "1", "2026.1123", "1"),
        ("1.0", "1", "1.0", "9999999999"), ("1.0", "1", "1.0", String(repeating: "9", count: 60)),
    ])
    func `F6: a leap in any number of a version or a build wants the scope promote`(
        _ versions: (String, String, String, String)
    ) throws {
        #expect(try publish(versions.0, versions.1).status == 201)
        let refused = try publish(versions.2, versions.3)
        #expect(refused.status == 403 && refused.text.contains("is a leap from"), "\(refused.text)")
        let desk = try rights.token("desk", "publish", "promote")
        let meant = try rights.publish(versions.2, "channel=beta", token: desk, build: versions.3)
        #expect(meant.status == 201)
    }

    @Test(arguments: [
        [("1.0", "1"), ("1.1", "1"), ("2.0", "1"), ("2.0.523", "1"), ("3.0", "1"), ("100.0", "1")],
        [("1.0", "1"), ("1.1", "5321"), ("1.1", "5322"), ("1.1.1", "20261123"), ("1.1.1", "20261123.4"), ("2.0", "7")],
        [("1.0", "1"), ("1.0", "1799999999"), ("1.1", "1800000002.7")], [("1.0", "1"), ("1.0", "1800000000123")],
        [("1.0", "1"), ("1.0", "261123"), ("1.0", "261124.1")], [("1.0", "1"), ("1.0", "2701011200")],
        [("2026.11.23", "1"), ("2026.11.24", "99"), ("2027.1.1", "1")],
        [("2.0", "1"), ("2.20270110", "1"), ("2.20270111", "1"), ("2.20270111.12", "1")],
    ])
    func `F6: usual versions, dates and counters of builds are published without the scope promote`(
        _ releases: [(String, String)]
    ) throws {
        for (version, build) in releases {
            let answer = try publish(version, build)
            #expect(answer.status == 201, "\(version)~\(build): \(answer.text)")
            #expect(try rights.shown("beta") == "\(version)~\(build)")
        }
    }

    @Test func `F6: after a leap that was meant, versions continue from there at once`() throws {
        #expect(try publish("1.4").status == 201)
        #expect(try rights.publish("2026.1", "channel=beta").status == 201)
        #expect(try publish("2026.2").status == 201)
        #expect(try publish("2027.1").status == 201)
    }

    @Test func `F6: a version is measured against the one shown too, after a way back from a leap`() throws {
        #expect(try publish("1.4").status == 201)
        #expect(try rights.publish("2026.1", "channel=beta").status == 201)
        let back = try rights.change("PUT", "beta", #"{"release": "1.4~1"}"#, token: Service.admin)
        #expect(back.status == 200)
        #expect(try publish("2030.1").status == 403)
        #expect(try publish("1.5").status == 201)
    }
}
