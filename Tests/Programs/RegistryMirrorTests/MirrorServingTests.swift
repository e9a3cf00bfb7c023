import ConformanceSupport
import Foundation
import HostileServer
import Testing
import WidgetTestSupport

@Suite(.serialized) struct `A mirror beside its origin` {
    private static func paths(_ bundle: String, _ keys: [String]) -> [String] {
        let own = "/v1/bundles/\(bundle)"
        return [
            "/v1/bundles", own, "\(own)/channels", "\(own)/channels/stable", "\(own)/channels/beta", "\(own)/releases",
        ]
            + keys.flatMap { key in
                ["", "/report", "/files", "/files/Info.plist", "/diff/\(keys[0])"].map { "\(own)/releases/\(key)\($0)" }
            }
            + ["", "/bundle", "/Sample.zip", "?channel=beta", "?os=1&host=1"].map { "/v1/widgets/\(bundle)-1\($0)" }
    }

    @Test func `A mirror gives hosts the bytes and entity tags of its origin`() throws {
        let origin = try Registry()
        let bundle = "com.example.Same"
        try origin.publish(bundle, releases: 4)
        try origin.publish(
            BundleForge(bundle, "2.0").with { $0.info = [("MinimumOSVersion", "17.0")] }, "channel=beta&note=Hi")
        try origin.publish(BundleForge(bundle, "2.1", text: "Other"), "channel=dev")
        #expect(try origin.promote(bundle, "1.1~1", rollout: 2_500, mandatory: true).status == 200)
        #expect(try origin.withdraw(bundle, "1.3~1").status == 200)
        #expect(
            try origin.write(
                "DELETE", "/v1/bundles/\(bundle)/releases/1.2~1", "{\"reason\": \"burns\", \"directive\": \"builtIn\"}"
            ).status == 200)
        let mirror = try startMirror(of: origin.url)
        let paths = Self.paths(bundle, ["1.0~1", "1.1~1", "1.2~1", "1.3~1", "2.0~1"])
        #expect(try mirror.becomesLike(origin, paths))
        for path in paths { #expect(try mirror.seen(path) == origin.seen(path), "\(path)") }

        // Each act is followed.
        #expect(try origin.restore(bundle, "1.3~1").status == 200)
        #expect(try mirror.becomesLike(origin, paths))
        #expect(try origin.rollback(bundle).status == 200)
        #expect(try origin.promote(bundle, "2.0~1", channel: "beta", rollout: 0).status == 200)
        #expect(try mirror.becomesLike(origin, paths))
        #expect(try origin.write("DELETE", "/v1/bundles/\(bundle)/channels/beta", nil, "If-Match: *").status == 204)
        #expect(try origin.withdraw(bundle, "1.0~1").status == 200)
        #expect(try mirror.becomesLike(origin, paths))
        try origin.publish(BundleForge(bundle, "3.0"), "promote=force")
        try origin.publish(BundleForge("com.example.SameAgain", "1.0"))
        #expect(try mirror.becomesLike(origin, paths + Self.paths("com.example.SameAgain", ["1.0~1"])))
        for path in paths { #expect(try mirror.seen(path) == origin.seen(path), "\(path)") }
        #expect(try mirror.get("/readyz").text.contains("\"mirror\":\"ok\""))
    }

    @Test func `A mirror shows a release within two seconds of its publication`() throws {
        let origin = try Registry()
        try origin.publish(BundleForge("com.example.Soon"))
        let relay = try Relay(to: origin)
        let mirror = try startMirror(of: relay.url, ["WIDGETD_MIRROR_INTERVAL": Registry.none])
        #expect(try mirror.becomesLike(origin, ["/v1/widgets/com.example.Soon-1"]))
        for number in 1...3 {
            try origin.publish(BundleForge("com.example.Soon", "1.\(number)").large(seed: number))
            let before = relay.requests.count
            let path = "/v1/widgets/com.example.Soon-1/bundle"
            let expected = try origin.seen(path)
            #expect(try mirror.becomes { try mirror.seen(path) == expected })
            // It looks at the feed once a second. The first look may have begun before, and the fetch with it.
            let asked = relay.requests[before...]
            if let fetch = asked.firstIndex(where: { $0.target.hasPrefix("/v1/blobs/") }) {
                #expect(asked[..<fetch].count { $0.target.hasPrefix("/v1/changes") } <= 2)
            }
        }
    }

    @Test func `A mirror serves while its origin is away, says so, and continues when it is back`() throws {
        let first = try Registry()
        let relay = try Relay(to: first)
        let bundle = "com.example.Away"
        try first.publish(bundle, releases: 2)
        let mirror = try startMirror(of: relay.url)
        #expect(try mirror.becomesLike(first, Self.paths(bundle, ["1.0~1", "1.1~1"])))
        let expected = try first.seen("/v1/widgets/\(bundle)-1")
        let home = first.home
        first.killAtOnce()
        relay.lead(to: nil)
        #expect(try mirror.becomes { try mirror.get("/readyz").text.contains("behind \(relay.url)") })
        #expect(try mirror.get("/readyz").status == 200)
        #expect(try mirror.seen("/v1/widgets/\(bundle)-1") == expected)
        #expect(try mirror.get("/v1/widgets/\(bundle)-1/bundle").status == 200)
        #expect(try mirror.metrics()["widgetd_mirror_failures_total", default: 0] > 0)
        #expect(mirror.logs("mirror.unreachable"))

        // It is restarted meanwhile, and has everything.
        let mirrorHome = mirror.home
        mirror.killAtOnce()
        let again = try startMirror(of: relay.url, home: mirrorHome)
        #expect(try again.seen("/v1/widgets/\(bundle)-1") == expected)

        let second = try Registry(home: home)
        try second.publish(BundleForge(bundle, "1.2"))
        relay.lead(to: second)
        #expect(try again.becomesLike(second, Self.paths(bundle, ["1.0~1", "1.1~1", "1.2~1"])))
        #expect(try again.becomes { try again.get("/readyz").text.contains("\"mirror\":\"ok\"") })
    }

    @Test func `A mirror of prefixes has their bundles and no others`() throws {
        let origin = try Registry()
        for bundle in ["com.acme.Clock", "com.acmeous.Clock", "org.other.Thing", "com.acme.Clock.More"] {
            try origin.publish(BundleForge(bundle))
        }
        let mirror = try startMirror(of: origin.url, ["WIDGETD_MIRROR_PREFIXES": "com.acme, org.nothing"])
        #expect(try mirror.becomes { try mirror.get("/v1/widgets/com.acme.Clock.More-1").status == 200 })
        #expect(try mirror.becomes { try mirror.get("/readyz").text.contains("\"mirror\":\"ok\"") })
        #expect(try mirror.seen("/v1/widgets/com.acme.Clock-1") == origin.seen("/v1/widgets/com.acme.Clock-1"))
        for bundle in ["com.acmeous.Clock", "org.other.Thing"] {
            #expect(try mirror.get("/v1/bundles/\(bundle)").status == 404)
        }
        // The lines of its feed have the tags that they have at the origin.
        #expect(try mirror.get("/v1/changes?since=1").text.contains("\"tag\":4"))
        // With more prefixes it compares; with fewer it would keep bundles that it does not follow.
        let home = mirror.home
        mirror.killAtOnce()
        #expect(throws: Registry.DidNotStart.self) {
            try startMirror(of: origin.url, home: home, ["WIDGETD_MIRROR_PREFIXES": "com.acme.Clock"])
        }
        let wider = try startMirror(of: origin.url, home: home)
        #expect(try wider.becomes { try wider.get("/v1/widgets/org.other.Thing-1").status == 200 })
    }

    @Test func `A mirror refuses every change and names its origin`() throws {
        let origin = try Registry()
        try origin.publish(BundleForge("com.example.Fixed"))
        let mirror = try startMirror(of: origin.url)
        #expect(try mirror.becomes { try mirror.get("/v1/bundles/com.example.Fixed").status == 200 })
        let own = "/v1/bundles/com.example.Fixed"
        let acts = [
            ("POST", "/v1/bundles"), ("PUT", "/v1/bundles/"), ("PUT", "\(own)"), ("PUT", "\(own)/releases/1.0~1"),
            ("DELETE", "\(own)/releases/1.0~1"), ("POST", "\(own)/releases/1.0~1/restore"),
            ("PUT", "\(own)/channels/stable"), ("DELETE", "\(own)/channels/stable"),
            ("POST", "\(own)/channels/stable/rollback"), ("POST", "/v1/tokens"), ("DELETE", "/v1/tokens/ci"),
        ]
        for (method, path) in acts {
            let answer = try mirror.ask(
                method, path, ["Content-Type: application/zip"], body: [1, 2, 3], token: Registry.adminToken)
            #expect(answer.status == 403, "\(method) \(path)")
            #expect(answer.problemCode == "read-only")
            #expect(answer.text.contains(origin.url))
        }
        for page in ["/manage", "/manage/w/com.example.Fixed", "/sign-in"] {
            let answer = try mirror.get(page)
            #expect(answer.status == 403)
            #expect(answer.text.contains(origin.url) && answer.value("Content-Type")?.hasPrefix("text/html") == true)
        }
        #expect(try mirror.get("/").status == 200 && mirror.get("/w/com.example.Fixed").status == 200)
        #expect(try mirror.seen(own) == origin.seen(own))
    }

    @Test func `A mirror shows its token to its origin alone`() throws {
        let origin = try Registry(["WIDGETD_ACCESS_READ": "token"])
        try origin.publish(BundleForge("com.example.Closed"))
        let home = try Home()
        let file = try home.file("token", Array("\(Registry.adminToken)\n".utf8))
        let mirror = try startMirror(
            of: origin.url, home: home, ["WIDGETD_MIRROR_TOKEN_FILE": file, "WIDGETD_LOG_LEVEL": "debug"])
        #expect(try mirror.becomes { try mirror.get("/v1/widgets/com.example.Closed-1").status == 200 })
        #expect(!mirror.log.contains(Registry.adminToken))
        // Without it nothing is copied, and the reason is shown.
        let other = try startMirror(of: origin.url)
        #expect(try other.becomes { try other.get("/readyz").text.contains("A token is needed") })
        #expect(try other.get("/v1/bundles/com.example.Closed").status == 404)
    }

    @Test func `A mirror leaves a directory alone that holds another registry`() throws {
        let origin = try Registry()
        try origin.publish(BundleForge("com.example.Mine"))
        let other = try Registry()
        try other.publish(BundleForge("com.example.Yours"))
        let home = other.home
        other.killAtOnce()
        #expect(throws: Registry.DidNotStart.self) { try startMirror(of: origin.url, home: home) }
        let mirror = try startMirror(of: origin.url)
        #expect(try mirror.becomes { try mirror.get("/v1/bundles/com.example.Mine").status == 200 })
        let copy = mirror.home
        mirror.killAtOnce()
        let second = try Registry(home: home)
        #expect(throws: Registry.DidNotStart.self) { try startMirror(of: second.url, home: copy) }
    }

    @Test func `A mirror compares everything when its origin is put back to an older state`() throws {
        let first = try Registry()
        let relay = try Relay(to: first)
        try first.publish(BundleForge("com.example.Back", "1.0"))
        try first.publish(BundleForge("com.example.Back", "1.1"))
        let mirror = try startMirror(of: relay.url)
        #expect(try mirror.becomesLike(first, ["/v1/widgets/com.example.Back-1"]))
        let second = try Registry()
        try second.publish(BundleForge("com.example.Back", "1.0"))
        relay.lead(to: second)
        let paths = ["/v1/bundles/com.example.Back/channels", "/v1/widgets/com.example.Back-1"]
        #expect(
            try mirror.becomes {
                for path in paths where try mirror.seen(path) != second.seen(path) { return false }
                return true
            })
        #expect(mirror.logs("compared anew"))
        // What the origin lost is not shown any more, and its key is not given to anything else.
        #expect(try mirror.release("com.example.Back", "1.1~1").status == 410)
        try second.publish(BundleForge("com.example.Back", "1.2"))
        #expect(try mirror.becomes { try mirror.seen(paths[1]) == second.seen(paths[1]) })
    }
}
