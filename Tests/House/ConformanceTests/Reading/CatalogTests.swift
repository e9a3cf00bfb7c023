import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §2: pages of bundles.
@Suite struct `The list of bundles` {
    let registry: Registry
    /// The prefix of every identifier of one case.
    let prefix = fresh("List")

    init() throws { registry = try Registries.open() }

    private func publish(_ names: String...) throws {
        for name in names { try registry.publish(BundleForge("\(prefix).\(name)")) }
    }

    private func list(_ query: String) throws -> WireAnswer { try registry.get("/v1/bundles?\(query)") }

    @Test func `The list has each bundle with its members in order`() throws {
        try publish("a")
        try registry.publish(BundleForge("\(prefix).a", "1.1").with { $0.name = "Renamed" })
        let answer = try list("prefix=\(prefix)")
        #expect(answer.names() == ["items"])
        #expect(answer.names("items.0") == ["bundleIdentifier", "name", "latest", "releases", "channels"])
        #expect(answer.text("items.0.bundleIdentifier") == "\(prefix).a")
        #expect(answer.text("items.0.name") == "Renamed")
        #expect(answer.text("items.0.latest") == "1.1~1")
        #expect(answer.number("items.0.releases") == 2)
        #expect(answer.text("items.0.channels.0.channel") == "stable")
        #expect(answer.text("items.0.channels.0.release") == "1.1~1")
    }

    @Test func `The list can be limited to a prefix`() throws {
        try publish("a.1", "a.2", "b.1")
        #expect(
            try list("prefix=\(prefix).a").texts("items", "bundleIdentifier") == ["\(prefix).a.1", "\(prefix).a.2"])
    }

    @Test func `The list of an unknown prefix is empty, not 404`() throws {
        let answer = try list("prefix=\(prefix)")
        #expect(answer.status == 200)
        #expect(answer["items"]?.array?.isEmpty == true)
        #expect(answer["next"] == nil)
    }

    @Test func `A search finds words inside identifiers in any case`() throws {
        try publish("Weather", "News")
        #expect(
            try list("q=weather&prefix=\(prefix)").texts("items", "bundleIdentifier") == ["\(prefix).Weather"])
    }

    @Test func `The list can be limited to a channel`() throws {
        try publish("a")
        try registry.publish(BundleForge("\(prefix).b"), "channel=beta")
        #expect(
            try list("prefix=\(prefix)&channel=beta").texts("items", "bundleIdentifier") == ["\(prefix).b"])
    }

    @Test func `The pages of the list together have each bundle once, in order`() throws {
        let names = (1...7).map { "w\($0)" }
        for name in names { try publish(name) }
        var seen: [String] = []
        var pages = 0
        var query: String? = "prefix=\(prefix)&limit=3"
        while let present = query {
            let answer = try list(present)
            #expect(answer.status == 200)
            let items = answer.texts("items", "bundleIdentifier")
            #expect(items.count <= 3)
            seen += items
            pages += 1
            query = answer.text("next").map { "prefix=\(prefix)&limit=3&cursor=\($0)" }
        }
        #expect(seen == names.map { "\(prefix).\($0)" })
        #expect(pages == 3)
    }

    @Test func `The list links to its next page if there is one`() throws {
        try publish("a", "b", "c")
        let first = try list("prefix=\(prefix)&limit=2")
        let link = try #require(first.value("Link"))
        let target = try #require(link.firstMatch(of: /<([^>]+)>; rel="next"/)?.1)
        let second = try registry.get(String(target))
        #expect(second.texts("items", "bundleIdentifier") == ["\(prefix).c"])
        #expect(second.value("Link") == nil)
        #expect(second["next"] == nil)
    }

    @Test func `A page has at most 200 bundles`() throws {
        let answer = try list("limit=201")
        #expect(answer.status == 400 || (answer["items"]?.array?.count ?? 201) <= 200)
    }

    @Test(arguments: ["limit=0", "limit=-1", "limit=x", "limit=99999999999999999999", "cursor=%00", "cursor=nonsense!"])
    func `Invalid parameters of the list are refused`(_ query: String) throws {
        let answer = try list(query)
        #expect(answer.status == 400)
        #expect(answer.problemCode == "malformed-request")
    }

    @Test func `A cursor stays valid when a bundle is added in between`() throws {
        try publish("a", "c")
        let next = try #require(try list("prefix=\(prefix)&limit=1").text("next"))
        try publish("b")
        let answer = try list("prefix=\(prefix)&limit=5&cursor=\(next)")
        #expect(answer.texts("items", "bundleIdentifier") == ["\(prefix).b", "\(prefix).c"])
    }
}

/// §2: one bundle.
@Suite struct `A bundle` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    @Test func `A bundle has its members in order`() throws {
        try registry.publish(identifier, releases: 2)
        try registry.publish(BundleForge(identifier, "2.0"), "channel=beta")
        let answer = try registry.get("/v1/bundles/\(identifier)")
        #expect(answer.names() == ["bundleIdentifier", "name", "latest", "releases", "channels"])
        #expect(answer.text("bundleIdentifier") == identifier)
        #expect(answer.text("name") == "Sample")
        #expect(answer.text("latest") == "2.0~1")
        #expect(answer.number("releases") == 3)
        #expect(Set(answer.texts("channels", "channel")) == ["beta", "stable"])
    }

    @Test(arguments: ["", "/channels", "/releases", "/channels/stable", "/releases/1.0~1"])
    func `An unpublished bundle is 404`(_ path: String) throws {
        let answer = try registry.get("/v1/bundles/\(identifier)\(path)")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-bundle")
    }

    @Test func `A prefix of a bundle's identifier is 404`() throws {
        try registry.publish(BundleForge(identifier))
        #expect(try registry.get("/v1/bundles/\(identifier)-1").status == 404)
    }

    @Test func `A bundle's identifier in another case is 404`() throws {
        try registry.publish(BundleForge(identifier))
        #expect(try registry.get("/v1/bundles/\(identifier.uppercased())").status == 404)
    }

    // MARK: Channels

    @Test func `A bundle has all its channels in one list`() throws {
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier, "1.1"), "channel=beta")
        let answer = try registry.get("/v1/bundles/\(identifier)/channels")
        #expect(answer.status == 200)
        #expect(Set(answer.texts("items", "channel")) == ["beta", "stable"])
    }

    @Test func `Channels have the members of the contract`() throws {
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(BundleForge(identifier, "1.1"), "rollout=2500")
        let answer = try registry.channel(identifier)
        #expect(
            answer.names() == [
                "channel", "release", "rollout", "base", "mandatory", "sequence", "salt", "changedAt",
            ])
        #expect(answer.text("channel") == "stable")
        #expect(answer.text("release") == "1.1~1")
        #expect(answer.number("rollout") == 2_500)
        #expect(answer.text("base") == "1.0~1")
        #expect(answer.flag("mandatory") == false)
        #expect(answer.text("changedAt")?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        let resolved = try registry.resolve(identifier)
        #expect(answer.text("salt") == resolved.text("salt"))
        #expect(answer.number("sequence") == resolved.number("sequence"))
    }

    @Test func `Channels have no base when no release lies under them`() throws {
        try registry.publish(BundleForge(identifier))
        let answer = try registry.channel(identifier)
        #expect(answer.names() == ["channel", "release", "rollout", "mandatory", "sequence", "salt", "changedAt"])
    }

    @Test func `Each channel has a tag that changes with it`() throws {
        try registry.publish(BundleForge(identifier))
        let tag = try registry.channel(identifier).value("ETag")
        #expect(tag?.hasPrefix("\"") == true)
        #expect(try registry.channel(identifier).value("ETag") == tag)
        try registry.publish(BundleForge(identifier, "1.1"))
        #expect(try registry.channel(identifier).value("ETag") != tag)
    }

    @Test(arguments: ["gamma", "Stable", "x%20y", "..%2Fstable"])
    func `An unknown channel is 404`(_ name: String) throws {
        try registry.publish(BundleForge(identifier))
        let answer = try registry.channel(identifier, name)
        #expect(answer.status == 404 || answer.status == 400)
    }

    // MARK: Releases

    @Test func `Releases have the members of the contract`() throws {
        let published = try registry.publish(BundleForge(identifier))
        let members = [
            "bundleIdentifier", "release", "shortVersion", "build", "name", "sha256", "content", "size", "published",
            "publishedBy", "channels", "url",
        ]
        let answer = try registry.release(identifier, "1.0~1")
        #expect(answer.names() == members)
        #expect(try registry.get("/v1/bundles/\(identifier)/releases").names("items.0") == members)
        for member in members where answer.text(member) != nil {
            #expect(answer.text(member) == published.text(member), "\(member)")
        }
        #expect(answer["channels"]?.array?.compactMap(\.string) == ["stable"])
        #expect(answer.text("publishedBy")?.isEmpty == false)
        #expect(answer.text("publishedBy")?.contains(Registry.adminToken) == false)
    }

    @Test func `A bundle lists its releases newest first`() throws {
        for version in ["1.2", "1.10", "1.1"] { try registry.publish(BundleForge(identifier, version)) }
        #expect(
            try registry.get("/v1/bundles/\(identifier)/releases").texts("items", "release")
                == ["1.10~1", "1.2~1", "1.1~1"])
    }

    @Test func `A bundle lists its releases in pages`() throws {
        try registry.publish(identifier, releases: 5)
        var seen: [String] = []
        var target: String? = "/v1/bundles/\(identifier)/releases?limit=2"
        while let present = target {
            let answer = try registry.get(present)
            seen += answer.texts("items", "release")
            target = answer.text("next").map { "/v1/bundles/\(identifier)/releases?limit=2&cursor=\($0)" }
        }
        #expect(seen == ["1.4~1", "1.3~1", "1.2~1", "1.1~1", "1.0~1"])
    }

    @Test(arguments: ["1.0~2", "1.0", "~", "1.0~1~1", "stable", "latest"])
    func `An unknown release is 404`(_ key: String) throws {
        try registry.publish(BundleForge(identifier))
        let answer = try registry.release(identifier, key)
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-release" || answer.problemCode == "not-found")
    }

    @Test func `A release lists the channels that show it`() throws {
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier), "channel=beta")
        let channels = try registry.release(identifier, "1.0~1")["channels"]?.array?.compactMap(\.string)
        #expect(channels.map(Set.init) == ["beta", "stable"])
    }
}
