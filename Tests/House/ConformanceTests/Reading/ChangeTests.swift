import ConformanceSupport
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// §2: the feed of changes, as pages.
@Suite struct `The feed of changes` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    /// The few changes of this case's bundle.
    private func changes(since tag: String? = nil) throws -> [JSONValue] {
        var all: [JSONValue] = []
        var target: String? = "/v1/changes?limit=200" + (tag.map { "&since=\($0)" } ?? "")
        while let present = target {
            let answer = try registry.get(present)
            guard answer.status == 200 else { throw Registry.NotPublished(description: answer.text) }
            all += answer["items"]?.array ?? []
            target = answer.text("next").map { "/v1/changes?limit=200&since=\($0)" }
        }
        return all.filter { $0["bundleIdentifier"]?.string == identifier }
    }

    @Test func `The feed has every change in its order`() throws {
        try registry.publish(identifier, releases: 2)
        #expect(try registry.promote(identifier, "1.0~1").status == 200)
        #expect(try registry.rollback(identifier).status == 200)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        #expect(try registry.restore(identifier, "1.0~1").status == 200)
        let changes = try changes()
        #expect(
            changes.compactMap { $0["kind"]?.string } == [
                "publish", "publish", "promote", "rollback", "withdraw", "restore",
            ])
        #expect(
            changes.compactMap { $0["release"]?.string } == ["1.0~1", "1.1~1", "1.0~1", "1.1~1", "1.0~1", "1.0~1"])
        let tags = changes.compactMap { $0["tag"]?.number?.text ?? $0["tag"]?.string }.compactMap(Int.init)
        #expect(tags.count == changes.count && tags == tags.sorted() && Set(tags).count == tags.count)
    }

    @Test func `Changes have the members of the contract`() throws {
        try registry.publish(BundleForge(identifier))
        let change = try #require(try changes().first)
        #expect(
            change.object?.members.map(\.name) == [
                "tag", "at", "kind", "bundleIdentifier", "release", "channel", "sequence", "by",
            ])
        #expect(change["channel"]?.string == "stable")
        #expect(change["sequence"]?.integer == Int64(try registry.channel(identifier).number("sequence") ?? 0))
        #expect(change["at"]?.string?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        #expect(change["by"]?.string?.isEmpty == false)
    }

    @Test func `The feed begins with the first change without a tag and with 0`() throws {
        try registry.publish(BundleForge(identifier))
        let bare = try registry.get("/v1/changes?limit=1")
        let zero = try registry.get("/v1/changes?since=0&limit=1")
        #expect(bare["items"]?.array?.count == 1)
        #expect(bare.body == zero.body)
    }

    @Test func `The feed begins behind the given tag`() throws {
        try registry.publish(identifier, releases: 1)
        let tag = try #require(try changes().last?["tag"])
        try registry.publish(BundleForge(identifier, "1.1"))
        let more = try changes(since: tag.number?.text ?? tag.string)
        #expect(more.compactMap { $0["release"]?.string } == ["1.1~1"])
    }

    @Test(arguments: ["x", "-1", "1.5", "99999999999999999999"])
    func `A malformed tag is refused`(_ tag: String) throws {
        let answer = try registry.get("/v1/changes?since=\(tag)")
        #expect(answer.status == 400)
    }

    @Test(arguments: ["application/json", "text/event-stream"])
    func `A tag beyond the last change is refused, with what to do`(_ type: String) throws {
        try registry.publish(BundleForge(identifier))
        for (query, field) in [("?since=9000000000000", "Accept: \(type)"), ("", "Last-Event-ID: 9000000000000")] {
            let answer = try registry.get("/v1/changes\(query)", "Accept: \(type)", field)
            #expect(answer.status == 400 && answer.problemCode == "malformed-request", "\(answer.text)")
            #expect(answer.text.contains("put back to an older copy"))
            #expect(answer.text.contains("begin again without since and Last-Event-ID"))
        }
    }

    @Test func `The newest tag is a page away, and what follows is behind it`() throws {
        try registry.publish(BundleForge(identifier))
        let latest = try registry.get("/v1/changes?since=latest")
        let tag = try #require(latest.text("next"))
        #expect(latest.status == 200 && latest["items"]?.array?.isEmpty == true)
        #expect(latest.value("Link")?.contains("since=\(tag)>") == true)
        try registry.publish(BundleForge(identifier, "1.1"))
        #expect(try changes(since: tag).compactMap { $0["release"]?.string } == ["1.1~1"])
        #expect(try Int(#require(registry.get("/v1/changes?since=latest").text("next"))) ?? 0 > Int(tag) ?? 0)
    }

    @Test func `The newest tag of an empty registry is 0`() throws {
        let registry = try Registry()
        #expect(try registry.get("/v1/changes?since=latest").text("next") == "0")
        #expect(try registry.get("/v1/changes?since=0").status == 200)
    }

    @Test func `The feed can be narrowed to the bundles of some widgets`() throws {
        let other = fresh()
        let tag = try #require(try registry.get("/v1/changes?since=latest").text("next"))
        for name in [identifier, other, fresh()] { try registry.publish(BundleForge(name)) }
        func bundles(_ query: String) throws -> [String] {
            let page = try registry.get("/v1/changes?since=\(tag)&limit=1000\(query)")
            return (page["items"]?.array ?? []).compactMap { $0["bundleIdentifier"]?.string }
        }
        #expect(try bundles("&widget=\(identifier)-1") == [identifier])
        #expect(try bundles("&widget=\(identifier)") == [identifier])
        #expect(try bundles("&widget=\(other)_x&widget=\(identifier)-7") == [identifier, other])
        #expect(try bundles("&widget=\(identifier.dropLast())").isEmpty)
        let many = (0..<101).map { "&widget=com.example.x\($0)" }
        #expect(try bundles(many.prefix(100).joined()).isEmpty)
        #expect(try Set(bundles(many.joined())).isSuperset(of: [identifier, other]))
        let answer = try registry.get("/v1/changes?widget=a%20b")
        #expect(answer.status == 400 && answer.text.contains("a widget identifier"), "\(answer.text)")
    }

    @Test func `A narrowed page leads to the next with the same widgets`() throws {
        for version in ["1.0", "1.1"] { try registry.publish(BundleForge(identifier, version)) }
        let page = try registry.get("/v1/changes?limit=1&widget=\(identifier)-1&widget=com.example.x")
        let link = try #require(page.value("Link"))
        #expect(link.contains("widget=\(identifier)-1") && link.contains("widget=com.example.x"), "\(link)")
        // Its items alone are left out: the tag to continue from is that of the whole feed.
        #expect(page.text("next") != nil)
    }

    @Test func `A page for more than ten widgets has a next and no link, which would be too long`() throws {
        for version in ["1.0", "1.1"] { try registry.publish(BundleForge(identifier, version)) }
        for (count, isLinked) in [(10, true), (11, false), (99, false)] {
            let widgets = (0..<count).map { "&widget=\(identifier)-\($0)" }.joined()
            let page = try registry.get("/v1/changes?limit=1\(widgets)")
            #expect(page.text("next") != nil && (page.value("Link") != nil) == isLinked, "\(count)")
        }
    }

    @Test func `The feed has no entry for an act that changed nothing`() throws {
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier))
        _ = try registry.post(BundleForge(identifier, "1.1").archive, "dryRun=true")
        _ = try registry.post(BundleForge(identifier, text: "Other").archive)
        #expect(try changes().count == 1)
    }
}

/// §2: the feed of changes, as server-sent events.
@Suite struct `The stream of changes` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    /// The newest tag.
    private func latestTag() throws -> String {
        try registry.publish(BundleForge(identifier, "0.1"))
        var last = "0"
        while true {
            let answer = try registry.get("/v1/changes?limit=200&since=\(last)")
            guard let tag = answer["items"]?.array?.last?["tag"] else { return last }
            last = tag.number?.text ?? tag.string ?? "0"
            if answer["next"] == nil { return last }
        }
    }

    /// The next event about this case's bundle.
    private func next(_ stream: EventStream) throws -> (event: EventStream.Event, json: JSONValue) {
        while let event = stream.next() {
            let json = try JSONValue(parsing: Array(event.data.utf8))
            if json["bundleIdentifier"]?.string == identifier { return (event, json) }
        }
        throw Conversation.NoAnswer(description: "no event")
    }

    @Test func `The stream is an event stream that caches and proxies do not hold back`() throws {
        let stream = try EventStream(port: registry.port, "/v1/changes?since=\(try latestTag())")
        #expect(stream.status == 200)
        let head = stream.head.lowercased()
        #expect(head.contains("\r\ncontent-type: text/event-stream"))
        #expect(head.contains("\r\ncache-control: no-store") || head.contains("\r\ncache-control: no-cache"))
        #expect(head.contains("\r\nx-accel-buffering: no\r\n"))
        #expect(head.contains("\r\naccess-control-allow-origin: *\r\n"))
    }

    @Test func `The stream sends a change as it happens`() throws {
        let stream = try EventStream(port: registry.port, "/v1/changes?since=\(try latestTag())")
        try registry.publish(BundleForge(identifier, "1.0"))
        let (event, json) = try next(stream)
        #expect(json["kind"]?.string == "publish")
        #expect(json["release"]?.string == "1.0~1")
        #expect(event.id == json["tag"]?.number?.text || event.id == json["tag"]?.string)
    }

    @Test func `The stream begins with the changes since the tag`() throws {
        let tag = try latestTag()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(BundleForge(identifier, version)) }
        let stream = try EventStream(port: registry.port, "/v1/changes?since=\(tag)")
        let releases = try (0..<3).map { _ in try next(stream).json["release"]?.string }
        #expect(releases == ["1.0~1", "1.1~1", "1.2~1"])
    }

    @Test func `The stream resumes behind the last event that the client has seen`() throws {
        let tag = try latestTag()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(BundleForge(identifier, version)) }
        let first = try EventStream(port: registry.port, "/v1/changes?since=\(tag)")
        let seen = try #require(try next(first).event.id)
        let second = try EventStream(port: registry.port, "/v1/changes?since=\(tag)", ["Last-Event-ID: \(seen)"])
        #expect(try next(second).json["release"]?.string == "1.1~1")
    }

    @Test func `The stream has the same changes as the page`() throws {
        let tag = try latestTag()
        try registry.publish(BundleForge(identifier, "1.0"))
        let stream = try EventStream(port: registry.port, "/v1/changes?since=\(tag)")
        let (_, json) = try next(stream)
        let page = try registry.get("/v1/changes?since=\(tag)&limit=200")["items"]?.array ?? []
        let item = try #require(page.first { $0["bundleIdentifier"]?.string == identifier })
        #expect(item.object?.members.map(\.name) == json.object?.members.map(\.name))
        #expect(item["tag"]?.number?.text == json["tag"]?.number?.text)
    }

    @Test func `The stream reaches every client`() throws {
        let tag = try latestTag()
        let streams = try (0..<20).map { _ in try EventStream(port: registry.port, "/v1/changes?since=\(tag)") }
        try registry.publish(BundleForge(identifier, "1.0"))
        for stream in streams { #expect(try next(stream).json["release"]?.string == "1.0~1") }
    }

    @Test func `The stream sends comments while nothing changes`() async throws {
        let clock = ManualClock.today
        let registry = try Registry(clock: clock)
        // Nothing else that the server has set is for fifteen seconds after this odd moment.
        registry.passes(.milliseconds(1_234))
        let moment = clock.now + .seconds(15)
        let stream = try EventStream(port: registry.port, "/v1/changes?since=0")
        for number in 0..<2 {
            let next = moment + .seconds(15 * number)
            await clock.waits { $0.contains(next) }
            registry.passes(.seconds(15))
            #expect(stream.hearsComment())
        }
    }

    @Test func `A stream from the newest change names its place, from which a client that comes back continues`() throws
    {
        let tag = try latestTag()
        let stream = try EventStream(port: registry.port, "/v1/changes?since=latest&widget=\(identifier)-1")
        try registry.publish(BundleForge(fresh()))
        for version in ["1.0", "1.1"] { try registry.publish(BundleForge(identifier, version)) }
        let first = try #require(stream.next())
        #expect(try JSONValue(parsing: Array(first.data.utf8))["release"]?.string == "1.0~1")
        let place = try #require(stream.places.first)
        #expect(try #require(Int(place)) >= #require(Int(tag)))
        let again = try EventStream(
            port: registry.port, "/v1/changes?since=latest&widget=\(identifier)-1", ["Last-Event-ID: \(place)"])
        #expect(try JSONValue(parsing: Array(#require(again.next()).data.utf8))["release"]?.string == "1.0~1")
    }

    @Test func `A client that wants JSON gets no stream`() throws {
        let answer = try registry.get("/v1/changes?limit=1", "Accept: application/json")
        #expect(answer.value("Content-Type") == "application/json")
    }
}
