import ConformanceSupport
import Testing
import WidgetTestSupport

/// §3: every write may safely be repeated, and a release never changes.
@Suite struct `Publishing again` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    @Test func `Publishing the same upload again is 200 and changes nothing at all`() throws {
        let bundle = BundleForge(identifier)
        try registry.publish(bundle)
        let (channel, release) = (try registry.channel(identifier), try registry.release(identifier, "1.0~1"))
        let answer = try registry.post(bundle.archive)
        #expect(answer.status == 200)
        #expect(answer.flag("changed") == false)
        #expect(answer.text("release") == "1.0~1")
        #expect(answer.text("published") == release.text("published"))
        #expect(try registry.channel(identifier).body == channel.body)
        #expect(try registry.channel(identifier).value("ETag") == channel.value("ETag"))
        #expect(try registry.release(identifier, "1.0~1").body == release.body)
        #expect(try registry.get("/v1/bundles/\(identifier)").number("releases") == 1)
    }

    @Test(arguments: ["stored", "reversed", "renamed upload"])
    func `Publishing the same files packed differently is the same`(_ way: String) throws {
        let bundle = BundleForge(identifier).adding("a.json", "[1]").adding("b.json", "[2]")
        let first = try registry.publish(bundle)
        let archive =
            switch way {
            case "stored": bundle.with { $0.isStored = true }.archive
            case "reversed": bundle.archive { $0.reversed() }
            default: ForgedArchive.of(bundle.contents.map { ("Sample.app/\($0.path)", $0.bytes) })
            }
        let answer = try registry.post(archive)
        #expect(answer.status == 200)
        #expect(answer.flag("changed") == false)
        #expect(answer.text("sha256") == first.text("sha256"))
    }

    @Test func `Other content under the same key is a conflict that names both digests and both ways out`() throws {
        let (one, two) = (BundleForge(identifier, text: "One"), BundleForge(identifier, text: "Two"))
        try registry.publish(one)
        let answer = try registry.post(two.archive)
        #expect(answer.status == 409)
        #expect(answer.problemCode == "release-exists")
        let text = answer.text
        #expect(text.contains(one.contentDigest) && text.contains(two.contentDigest))
        let detail = try #require(answer.text("detail"))
        #expect(detail.contains("CFBundleVersion") && detail.contains("dev"))
    }

    @Test func `Other content leaves the first release as it was`() throws {
        let first = try registry.publish(BundleForge(identifier, text: "One"))
        _ = try registry.post(BundleForge(identifier, text: "Two").archive)
        #expect(try registry.release(identifier, "1.0~1").text("sha256") == first.text("sha256"))
        #expect(try registry.get(try #require(first.text("url"))).status == 200)
    }

    @Test func `The content of a withdrawn key is 410, and the answer names the way back`() throws {
        try registry.publish(BundleForge(identifier))
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let answer = try registry.post(BundleForge(identifier).archive)
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
        #expect(answer.text("detail")?.contains("restore") == true)
    }

    @Test func `Other content under a withdrawn key is a conflict`() throws {
        try registry.publish(BundleForge(identifier))
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        #expect(try registry.post(BundleForge(identifier, text: "Other").archive).status == 409)
    }

    @Test func `Publishing the same at once gives one release and consistent answers`() throws {
        let registry = try Registries.roomy()
        let archive = BundleForge(identifier).archive
        let conversations = try (0..<8).map { _ in try registry.connect() }
        let request = Registry.request("POST", "/v1/bundles", [], body: archive, token: Registry.adminToken)
        for conversation in conversations { conversation.connection.send(request) }
        let answers = try conversations.map { try $0.next() }
        #expect(answers.count { $0.status == 201 } == 1)
        #expect(answers.count { $0.status == 200 } == 7, "\(answers.map(\.status))")
        #expect(Set(answers.compactMap { $0.text("sha256") }).count == 1)
        #expect(try registry.get("/v1/bundles/\(identifier)").number("releases") == 1)
    }

    @Test func `Of two contents under one key at once, one is kept and the other refused`() throws {
        let registry = try Registries.roomy()
        let archives = (0..<8).map { BundleForge(identifier, text: "Content \($0 % 2)").archive }
        let conversations = try archives.map { archive in
            let conversation = try registry.connect()
            conversation.connection.send(
                Registry.request("POST", "/v1/bundles", [], body: archive, token: Registry.adminToken))
            return conversation
        }
        let statuses = try conversations.map { try $0.next().status }
        #expect(statuses.count { $0 == 201 } == 1)
        #expect(statuses.count { $0 == 409 } == 4)
        #expect(statuses.count { $0 == 200 } == 3)
    }

    @Test func `An interrupted upload leaves no trace`() throws {
        let archive = BundleForge(identifier).archive
        let connection = try RawConnection(port: registry.port)
        connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Content-Length: \(archive.count)"], token: Registry.adminToken)
                + archive.prefix(archive.count / 2))
        connection.close()
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
        #expect(try registry.post(archive).status == 201)
    }
}

/// §1 and §3: the channel of a development loop.
@Suite struct `A snapshot` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private func publish(_ text: String) throws -> WireAnswer {
        try registry.post(BundleForge(identifier, text: text).archive, "channel=dev")
    }

    @Test func `A snapshot has the beginning of its content digest in its key`() throws {
        let answer = try publish("One")
        #expect(answer.status == 201)
        let digest = BundleForge(identifier, text: "One").contentDigest
        #expect(answer.text("release") == "1.0~1+\(digest.prefix(12))")
        #expect(answer.value("Location")?.hasSuffix("\(digest.prefix(12))") == true)
        #expect(try registry.get(try #require(answer.value("Location"))).status == 200)
    }

    @Test func `A snapshot of other content under the same version is another release`() throws {
        let (one, two) = (try publish("One"), try publish("Two"))
        #expect(two.status == 201)
        #expect(one.text("release") != two.text("release"))
        #expect(try registry.channel(identifier, "dev").text("release") == two.text("release"))
    }

    @Test func `A snapshot of the same content changes nothing`() throws {
        _ = try publish("One")
        let before = try registry.channel(identifier, "dev")
        let answer = try publish("One")
        #expect(answer.status == 200)
        #expect(answer.flag("changed") == false)
        #expect(try registry.channel(identifier, "dev").body == before.body)
    }

    @Test func `A snapshot of older content returns to the channel when it is published again`() throws {
        let one = try publish("One")
        _ = try publish("Two")
        #expect(try publish("One").status == 200)
        #expect(try registry.channel(identifier, "dev").text("release") == one.text("release"))
    }

    @Test func `A snapshot is found by its key with the plus sign in either spelling`() throws {
        let key = try #require(try publish("One").text("release"))
        for spelling in [key, key.replacing("+", with: "%2B")] {
            #expect(try registry.get("/v1/bundles/\(identifier)/releases/\(spelling)").status == 200)
        }
    }

    @Test func `A snapshot never becomes the latest release`() throws {
        try registry.publish(BundleForge(identifier, "0.9"))
        _ = try publish("One")
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "0.9~1")
    }

    @Test func `A snapshot can be published on a channel under its own key`() throws {
        let bundle = BundleForge(identifier)
        let key = "1.0~1+\(bundle.contentDigest.prefix(12))".replacing("+", with: "%2B")
        let answer = try registry.ask(
            "PUT", "/v1/bundles/\(identifier)/releases/\(key)?channel=dev", body: bundle.archive,
            token: Registry.adminToken)
        #expect(answer.status == 201)
    }

    @Test func `A snapshot of the same files as a release is a release beside it`() throws {
        let released = try registry.publish(BundleForge(identifier, text: "One"))
        let snapshot = try publish("One")
        #expect(snapshot.status == 201)
        #expect(snapshot.text("sha256") == released.text("sha256"))
        #expect(snapshot.text("release") != released.text("release"))
    }
}
