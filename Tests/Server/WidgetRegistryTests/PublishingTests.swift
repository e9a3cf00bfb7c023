import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@Suite struct `Publishing` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    @Test func `Publishing makes a release that is shown, listed and announced`() throws {
        #expect(try registry.isEmpty)
        let result = try registry.publish("1.0", "3")
        #expect(result.outcome == .created)
        #expect(result.warnings.isEmpty)
        let release = try registry.release(sample, "1.0~3")
        #expect(result.release == release)
        #expect(release.channels == ["stable"])
        #expect(release.published == 1_000_000 && release.publishedBy == "tester")
        #expect(release.name == "Sample" && release.shortVersion == "1.0" && release.build == "3")
        let channel = try registry.channel(sample, "stable")
        #expect(result.channel == channel)
        #expect(channel.sequence == 1 && channel.rollout == 10_000 && channel.base == nil && !channel.isMandatory)
        #expect(channel.salt.utf8.count == 4)
        let resolution = try registry.resolve(ResolveQuery(widgetIdentifier: "com.example.Sample-1"))
        #expect(resolution.bundleIdentifier == sample && resolution.sequence == 1)
        #expect(resolution.candidates.map(\.release) == [release])
        let files = try registry.files(sample, "1.0~3").files
        #expect(files.map(\.path) == ["Info.plist", "a.json"])
        let blob = try registry.openBlob(release.digest)
        let bytes = try blob.file.descriptor.read(at: 0, count: 1 << 20)
        #expect(Digest.sha256(bytes) == release.digest && bytes.count == release.byteCount)
        for file in files {
            #expect(file.method == "deflate" || file.compressedByteCount == file.byteCount)
            #expect(file.offset + file.compressedByteCount < bytes.count)
        }
        let changes = try registry.changes(since: 0, limit: 10)
        let change = try #require(changes.items.first)
        #expect(changes.items.count == 1 && changes.next == nil)
        #expect(change.tag == 1 && change.at == 1_000_000 && change.kind == .publish && change.by == "tester")
        #expect(change.bundleIdentifier == sample && change.release == "1.0~3")
        #expect(change.channel == "stable" && change.sequence == 1)
        #expect(registry.latestTag == 1)
        #expect(try !registry.isEmpty)
        #expect(try fixture.names("staging").isEmpty)
        #expect(
            try fixture.shard(of: release.digest) == [
                "\(release.digest.hex).1.0~3.json", "\(release.digest.hex).zip",
            ])
    }

    @Test func `Publishing the same content again changes nothing`() throws {
        let first = try registry.publish("1.0", rollout: 2_500)
        let before = try registry.channel(sample, "stable")
        let again = try registry.publish("1.0", rollout: 10_000)
        #expect(again.outcome == .unchanged)
        #expect(again.release == first.release)
        #expect(try registry.channel(sample, "stable") == before)
        #expect(try registry.changes(since: 0, limit: 10).items.count == 1)
        // Nor when it is forced.
        try registry.publish("1.0", force: true)
        #expect(try registry.channel(sample, "stable") == before)
    }

    @Test func `Publishing the same content to another channel moves that channel`() throws {
        try registry.publish("1.0", to: "beta")
        let result = try registry.publish("1.0", to: "stable")
        #expect(result.outcome == .unchanged)
        #expect(result.release.channels == ["beta", "stable"])
        #expect(try registry.changes(since: 1, limit: 10).items.map(\.kind) == [.promote])
        #expect(try registry.shown("stable") == ["1.0~1 0-10000"])
        #expect(try registry.bundle(sample).releaseCount == 1)
    }

    @Test func `Publishing other content under the same key is refused, and both are named`() throws {
        let first = try registry.publish("1.0")
        let offered = Upload(content: "{\"other\": 1}")
        let wanted = try registry.judge(offered, PublishRequest(.to("dev"), by: "x")).release
        let error = try refusal { try registry.publish(offered) }
        #expect(
            error
                == .releaseExists(
                    bundle: sample, key: "1.0~1", stored: first.release.contentDigest, offered: wanted.contentDigest))
        #expect(try refusal { try registry.judge(offered) } == error)
        #expect(try fixture.shard(of: wanted.digest).allSatisfy { !$0.contains(wanted.digest.hex) })
        #expect(try fixture.names("staging").isEmpty)
    }

    @Test func `Publishing a lower version stores it, and shows it only by force`() throws {
        try registry.publish("1.10")
        let late = try registry.publish("1.9")
        #expect(late.outcome == .created)
        #expect(late.warnings.map(\.code) == [.olderThanChannel])
        #expect(late.release.channels.isEmpty)
        #expect(late.channel?.release == "1.10~1" && late.channel?.sequence == 1)
        #expect(try registry.changes(since: 1, limit: 9).items.map(\.channel) == [nil])
        #expect(try registry.publish("1.9").warnings.map(\.code) == [.olderThanChannel])
        #expect(try registry.shown() == ["1.10~1 0-10000"])
        let forced = try registry.publish("1.9", force: true)
        #expect(forced.warnings.isEmpty && forced.outcome == .unchanged)
        #expect(try registry.shown() == ["1.9~1 0-10000"])
        #expect(try registry.changes(since: 2, limit: 9).items.map(\.kind) == [.promote])
        #expect(try registry.bundle(sample).latest == "1.10~1")
    }

    @Test func `Publishing an equal version shows it`() throws {
        try registry.publish("1.0")
        #expect(try registry.publish("1.0.0").warnings.isEmpty)
        #expect(try registry.shown() == ["1.0.0~1 0-10000"])
        // Of equal versions, the later one is the latest.
        #expect(try registry.bundle(sample).latest == "1.0.0~1")
    }

    @Test func `Publishing to a snapshot channel needs no new version`() throws {
        let one = try registry.publish("1.0", to: "dev", content: "[1]").release
        let two = try registry.publish("1.0", to: "dev", content: "[2]").release
        #expect(one.key == "1.0~1+\(one.contentDigest.hex.prefix(12))" && one.isSnapshot)
        #expect(one.key != two.key)
        #expect(try registry.shown("dev") == ["\(two.key) 0-10000"])
        // The same archive under another key.
        let stable = try registry.publish("1.0", content: "[1]").release
        #expect(stable.key == "1.0~1" && stable.digest == one.digest && !stable.isSnapshot)
        let owner = try registry.releaseOfBlob(one.digest)
        #expect(owner.releases.map(\.key) == [one.key, "1.0~1"] && owner.bundleIdentifier == sample)
        #expect(owner.lastGone == nil)
        // A snapshot is the latest only when there is nothing else.
        try registry.publish("2.0", to: "dev")
        #expect(try registry.bundle(sample).latest == "1.0~1")
    }

    @Test func `Publishing checks the asserted identifier and key`() throws {
        func publish(_ identifier: String?, _ key: String?, channel: String = "stable") throws -> RegistryError? {
            var request = PublishRequest(.to(channel), by: "x")
            request.assertedIdentifier = identifier
            request.assertedKey = key
            return try refusal { try registry.publish(Upload(), request) }
        }
        #expect(
            try publish("com.example.Other", nil) == .identityMismatch(expected: "com.example.Other", found: sample))
        #expect(try publish(sample, "1.0~2") == .identityMismatch(expected: "1.0~2", found: "1.0~1"))
        #expect(try registry.isEmpty)
        #expect(try publish(sample, "1.0~1") == nil)
        #expect(try publish(sample, "1.0~1", channel: "dev") == nil)
        #expect(try publish(nil, "1.0~1+0123456789ab", channel: "dev") != nil)
    }

    @Test func `Publishing refuses a second spelling of an identifier`() throws {
        try registry.publish("1.0")
        let error = try refusal { try registry.publish(Upload(identifier: "com.example.SAMPLE")) }
        #expect(error == .identifierCaseConflict(existing: sample, offered: "com.example.SAMPLE"))
    }

    @Test func `Publishing refuses an invalid channel or rollout`() throws {
        #expect(try refusal { try registry.publish("1", to: "a/b") } == .invalidChannelName("a/b"))
        #expect(try refusal { try registry.publish("1", rollout: 10_001) } == .invalidRollout(10_001))
        #expect(try refusal { try registry.publish("1", rollout: -1) } == .invalidRollout(-1))
        #expect(try registry.isEmpty)
    }

    @Test func `A dry run of publishing answers the same and stores nothing`() throws {
        let judged = try registry.judge(Upload())
        #expect(try registry.isEmpty && registry.latestTag == 0)
        #expect(try fixture.names("staging").isEmpty)
        let published = try registry.publish(Upload())
        func same(_ one: Publication, _ other: Publication) -> Bool {
            var one = one
            one.channel?.salt = other.channel?.salt ?? ""
            return one == other
        }
        #expect(same(judged, published))
        try registry.publish("2.0", rollout: 100)
        let next = Upload(version: "3.0")
        let request = PublishRequest(.to(rollout: 5_000), by: "tester")
        #expect(same(try registry.judge(next, request), try registry.publish(next, request)))
        #expect(try registry.judge(next, request).outcome == .unchanged)
    }

    @Test func `Publishing keeps the report of the release and returns that of the upload`() throws {
        let result = try registry.publish("1.0")
        let stored = try registry.report(sample, "1.0~1")
        #expect(stored.report == result.report && stored.release == result.release)
        #expect(stored.report.first == UInt8(ascii: "{") && stored.report.last == UInt8(ascii: "}"))
    }

    @Test func `Publishing keeps the first note of a release when the same content comes with another`() throws {
        func request(_ note: String?) -> PublishRequest { PublishRequest(.to(note: note), by: "tester") }
        #expect(try registry.judge(Upload(), request("First")).release.remarks.note == "First")
        #expect(try registry.publish(Upload(), request("First")).release.remarks.note == "First")
        for note in ["Second", nil] {
            let again = try registry.publish(Upload(), request(note))
            #expect(again.outcome == .unchanged && again.release.remarks.note == "First")
        }
        try registry.publish("2.0")
        #expect(try registry.release(sample, "1.0~1").remarks.note == "First")
        #expect(try registry.report(sample, "1.0~1").release.remarks.note == "First")
        #expect(try registry.releases(sample, limit: 9, after: nil).items.map(\.remarks.note) == [nil, "First"])
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test func `Publishing notifies observers in order, with the changes`() throws {
        let seen = Seen()
        registry.observe { seen.add("\($0.tag) \($0.kind) \($0.release) \($0.isNewBundle)") }
        try registry.publish("1.0")
        try registry.publish("2.0")
        try registry.publish("2.0")
        _ = try registry.rollback(sample, "stable", to: nil, by: "x")
        #expect(
            seen.lines == ["1 publish 1.0~1 true", "2 publish 2.0~1 false", "3 rollback 1.0~1 false"])
    }
}

@Suite struct `The order of versions` {
    @Test func `Versions compare part by part as numbers, with stages before their final version`() {
        let ascending = [
            "0", "0.0.1", "0.1-alpha", "0.1", "0.9", "1.0-alpha.1", "1.0-alpha.2", "1.0-alpha.10", "1.0-beta", "1.0a1",
            "1.0b2", "1.0b10", "1.0rc1", "1.0", "1.0.1", "1.0.9", "1.0.10", "1.1-x", "1.1", "1.9", "1.10", "1.10.0.1",
            "2", "10", "100000000000000000000000000000000000001", "100000000000000000000000000000000000002",
        ]
        // Words rank by letters: `a` before `alpha` before `b`.
        let expected = ascending.sorted {
            VersionOrder.key($0).lexicographicallyPrecedes(VersionOrder.key($1))
        }
        let words = ["1.0-alpha.1", "1.0-alpha.2", "1.0-alpha.10", "1.0-beta", "1.0a1", "1.0b2", "1.0b10", "1.0rc1"]
        #expect(ascending.filter { !words.contains($0) } == expected.filter { !words.contains($0) })
        for (lower, higher) in [
            ("1.0a1", "1.0-alpha.1"), ("1.0-alpha.1", "1.0-alpha.2"), ("1.0-alpha.2", "1.0-alpha.10"),
            ("1.0-alpha.10", "1.0b2"), ("1.0b2", "1.0b10"), ("1.0b10", "1.0-beta"), ("1.0-beta", "1.0rc1"),
            ("1.0rc1", "1.0"), ("1.0-beta", "1.0-beta.1"),
        ] {
            #expect(VersionOrder.precedes(VersionOrder.key(lower), VersionOrder.key(higher)), "\(lower) < \(higher)")
            #expect(!VersionOrder.precedes(VersionOrder.key(higher), VersionOrder.key(lower)), "\(lower) < \(higher)")
        }
    }

    @Test(arguments: [
        ("1.0", "1"), ("1.0.0", "1.0"), ("01.002", "1.2"), ("1.0-beta", "1-BETA"), ("1.0b2", "1.0.b.2"), ("1_2", "1.2"),
        ("0.0", "0"), ("...", "0"), ("1+5", "1.5"),
    ])
    func `Some spellings of a version are equal`(_ first: String, _ second: String) {
        #expect(VersionOrder.key(first) == VersionOrder.key(second))
    }

    @Test func `The short version decides before the build`() {
        func key(_ short: String, _ build: String) -> [UInt8] { VersionOrder.key(shortVersion: short, build: build) }
        #expect(VersionOrder.precedes(key("1.9", "500"), key("1.10", "1")))
        #expect(VersionOrder.precedes(key("1.0", "9"), key("1.0.0", "10")))
        #expect(key("1.0", "3") == key("1", "3.0"))
        // The end of a version must not be taken for the beginning of the next.
        #expect(VersionOrder.precedes(key("1", "2"), key("1.1", "0")))
        #expect(VersionOrder.precedes(key("1-beta", "9"), key("1", "0")))
    }

    @Test func `The order of versions is total for any text`() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("0019ab.-_+")
        let keys = (0..<300).map { _ in
            VersionOrder.key(
                String((0..<Int.random(in: 1...8, using: &random)).map { _ in letters.randomElement(using: &random)! }))
        }
        let sorted = keys.sorted(by: VersionOrder.precedes)
        for (left, right) in zip(sorted, sorted.dropFirst()) { #expect(!VersionOrder.precedes(right, left)) }
        // No key is the beginning of another, so keys may be joined.
        for (left, right) in zip(sorted, sorted.dropFirst()) where left != right { #expect(!right.starts(with: left)) }
    }
}
