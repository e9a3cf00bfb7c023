import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry

@Suite struct `A channel` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    func set(_ release: String, _ rollout: Int = 10_000, mandatory: Bool = false) throws -> Channel {
        try registry.setChannel(
            sample, "stable", ChannelSetting(release: release, rollout: rollout, isMandatory: mandatory), by: "x")
    }

    func back(_ key: String? = nil) throws -> Channel { try registry.rollback(sample, "stable", to: key, by: "x") }

    @Test func `A channel gives a new release its share, and the rest to the one before`() throws {
        try registry.publish("1.0")
        let before = try registry.channel(sample, "stable")
        let during = try #require(try registry.publish("1.1", rollout: 2_500).channel)
        #expect(during.base == "1.0~1" && during.rollout == 2_500 && during.sequence == 2)
        #expect(during.salt != before.salt)
        #expect(try registry.shown() == ["1.1~1 0-2500", "1.0~1 2500-10000"])
        #expect(try registry.release(sample, "1.0~1").channels == ["stable"])
        let grown = try set("1.1~1", 5_000)
        #expect(grown.salt == during.salt && grown.base == "1.0~1" && grown.sequence == 3)
        let shrunk = try set("1.1~1", 100)
        #expect(shrunk.salt == during.salt && shrunk.base == "1.0~1" && shrunk.sequence == 4)
        let full = try set("1.1~1")
        #expect(full.base == nil && full.salt == during.salt)
        #expect(try registry.shown() == ["1.1~1 0-10000"])
        #expect(try registry.release(sample, "1.0~1").channels.isEmpty)
        // Given up again, the buckets go back to where a rollback would lead.
        #expect(try set("1.1~1", 3_000).base == "1.0~1")
    }

    @Test func `A channel beyond the limit of a bundle is not created`() throws {
        let few = try Fixture()
        let registry = try few.open {
            $0.channels = {
                var policy = ChannelPolicy()
                policy.limit = 2
                return policy
            }
        }
        try registry.publish("1.0")
        try registry.publish("1.1", to: "beta")
        let refused = RegistryError.tooManyChannels(bundle: sample, limit: 2)
        #expect(try refusal { try registry.publish("1.2", to: "third") } == refused)
        #expect(try refusal { try registry.release(sample, "1.2~1") } != nil)
        #expect(
            try refusal { try registry.setChannel(sample, "third", ChannelSetting(release: "1.0~1"), by: "x") }
                == refused)
        // Existing channels still work, and so do other bundles.
        try registry.publish("1.3", to: "beta")
        try registry.publish(Upload(identifier: "com.example.Other", name: "Other"))
    }

    @Test func `A third release during a rollout leaves the channel's base`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1", rollout: 2_500)
        try registry.publish("1.2", rollout: 100)
        #expect(try registry.shown() == ["1.2~1 0-100", "1.0~1 100-10000"])
        // The base over itself is everything.
        let channel = try set("1.0~1", 5_000)
        #expect(channel.rollout == 10_000 && channel.base == nil)
    }

    @Test func `A partial first release offers nothing to the other buckets`() throws {
        try registry.publish("1.0", rollout: 1_000)
        #expect(try registry.shown() == ["1.0~1 0-1000"])
        try registry.publish("1.1", rollout: 0)
        #expect(try refusal { try registry.shown() } == .noCompatibleRelease(bundle: sample, channel: "stable"))
    }

    @Test func `Setting a channel creates it`() throws {
        try registry.publish("1.0", to: "beta")
        let channel = try set("1.0~1", mandatory: true)
        #expect(channel.sequence == 1 && channel.isMandatory)
        #expect(try registry.channels(sample).map(\.name) == ["beta", "stable"])
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).isMandatory)
        #expect(try registry.changes(since: 1, limit: 5).items.map(\.kind) == [.promote])
    }

    @Test func `Setting a channel to its present state changes nothing`() throws {
        try registry.publish("1.0")
        let before = try registry.channel(sample, "stable")
        #expect(try set("1.0~1") == before)
        #expect(registry.latestTag == 1)
        let mandatory = try set("1.0~1", mandatory: true)
        #expect(mandatory.sequence == 2 && mandatory.isMandatory && mandatory.salt == before.salt)
    }

    @Test func `A channel can be set only to a release that exists`() throws {
        #expect(try refusal { try set("1.0~1") } == .noSuchBundle(sample, spelling: nil))
        try registry.publish("1.0")
        #expect(try refusal { try set("2.0~1") } == .noSuchRelease(bundle: sample, key: "2.0~1"))
        #expect(try refusal { try set("1.0~1", 10_001) } == .invalidRollout(10_001))
        #expect(
            try refusal { try registry.setChannel(sample, "", ChannelSetting(release: "1.0~1"), by: "x") }
                == .invalidChannelName(""))
        #expect(
            try refusal { try registry.setChannel("com.example.sample", "a", ChannelSetting(release: "1"), by: "x") }
                == .noSuchBundle("com.example.sample", spelling: sample))
        let withdrawn = try registry.withdraw(sample, "1.0~1", reason: "bad", by: "x")
        #expect(
            try refusal { try set("1.0~1") }
                == .withdrawn(bundle: sample, key: "1.0~1", try #require(withdrawn.withdrawal)))
    }

    @Test func `B18: A new channel that differs from a protected one or another in case alone is refused`() throws {
        func conflict(_ existing: String, _ offered: String) -> RegistryError {
            .channelCaseConflict(existing: existing, offered: offered)
        }
        // Before anything is published, too.
        #expect(try refusal { try registry.publish("1.0", to: "STABLE") } == conflict("stable", "STABLE"))
        try registry.publish("1.0", to: "beta")
        for name in ["Stable", "STABLE"] {
            #expect(try refusal { try registry.publish("1.1", to: name) } == conflict("stable", name))
            #expect(
                try refusal { try registry.setChannel(sample, name, ChannelSetting(release: "1.0~1"), by: "x") }
                    == conflict("stable", name))
        }
        #expect(try refusal { try registry.publish("1.1", to: "BETA") } == conflict("beta", "BETA"))
        #expect(
            try refusal { try registry.judge(Upload(version: "1.1"), PublishRequest(.to("BETA"), by: "x")) }
                == conflict("beta", "BETA"))
        // Another bundle has other channels.
        try registry.publish(
            Upload(identifier: "com.example.Other", name: "Other"), PublishRequest(.to("BETA"), by: "x"))
    }

    @Test func `B18: Channels that differ in case already work as before, and a protected one can be made beside them`()
        throws
    {
        let policy = Guarded(ChannelPolicy(protected: []))
        let place = try Fixture()
        let registry = try place.open { $0.channels = { policy.withLock { $0 } } }
        try registry.publish("1.0", to: "Stable")
        policy.withLock { $0 = ChannelPolicy() }
        try registry.publish("1.1", to: "Stable")
        #expect(try registry.channel(sample, "Stable").release == "1.1~1")
        try registry.publish("1.2", to: "stable")
        #expect(try refusal { try registry.publish("1.3", to: "STABLE") } != nil)
        _ = try registry.setChannel(sample, "Stable", ChannelSetting(release: "1.2~1"), by: "x")
    }

    @Test func `A channel changes only when the condition holds`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1")
        let seen = Seen()
        for roll in [true, false] {
            let error = try refusal {
                let when: @Sendable (Channel?) throws(RegistryError) -> Void = { channel throws(RegistryError) in
                    seen.add(channel?.release ?? "none")
                    throw .preconditionFailed(channel)
                }
                if roll {
                    _ = try registry.rollback(sample, "stable", to: nil, by: "x", when: when)
                } else {
                    _ = try registry.setChannel(
                        sample, "stable", ChannelSetting(release: "1.0~1"), by: "x", when: when)
                }
            }
            #expect(error == .preconditionFailed(try registry.channel(sample, "stable")))
        }
        #expect(seen.lines == ["1.1~1", "1.1~1"])
        #expect(try registry.channel(sample, "stable").sequence == 2 && registry.latestTag == 2)
    }

    @Test func `Repeated rollbacks go further back, never to and fro`() throws {
        for version in ["1.0", "1.1", "1.2", "1.3"] { try registry.publish(version) }
        var channel = try registry.channel(sample, "stable")
        for expected in ["1.2~1", "1.1~1", "1.0~1"] {
            let next = try back()
            #expect(next.release == expected && next.sequence == channel.sequence + 1)
            #expect(next.rollout == 10_000 && next.base == nil && next.salt != channel.salt)
            channel = next
        }
        #expect(try refusal { try back() } == .noEarlierRelease(bundle: sample, channel: "stable"))
        #expect(try registry.changes(since: 4, limit: 9).items.map(\.kind) == [.rollback, .rollback, .rollback])
        // Forward again, and back to where it was.
        _ = try set("1.3~1")
        #expect(try back().release == "1.0~1")
    }

    @Test func `A rollback skips withdrawn releases and the present one`() throws {
        for version in ["1.0", "1.1", "1.2", "1.3"] { try registry.publish(version) }
        _ = try registry.withdraw(sample, "1.2~1", reason: "", by: "x")
        _ = try registry.withdraw(sample, "1.1~1", reason: "", by: "x")
        #expect(try back().release == "1.0~1")
    }

    @Test func `A rollback during a rollout returns to the base`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1", rollout: 100)
        _ = try set("1.1~1", 200)
        #expect(try back().release == "1.0~1")
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        #expect(try refusal { try back() } == .noEarlierRelease(bundle: sample, channel: "stable"))
    }

    @Test func `A rollback to a named release continues from its place in the history`() throws {
        for version in ["1.0", "1.1", "1.2", "1.3"] { try registry.publish(version) }
        try registry.publish("0.5", to: "beta")
        #expect(try back("1.1~1").release == "1.1~1")
        #expect(try back().release == "1.0~1")
        _ = try set("1.3~1")
        #expect(
            try refusal { try back("0.5~1") } == .neverShown(bundle: sample, channel: "stable", key: "0.5~1"))
        #expect(try back().release == "1.0~1")
        #expect(try refusal { try back("9~9") } == .noSuchRelease(bundle: sample, key: "9~9"))
        #expect(
            try refusal { try registry.rollback(sample, "none", to: nil, by: "x") }
                == .noSuchChannel(bundle: sample, channel: "none"))
    }

    @Test func `A rollback that is only judged names its goal, changes nothing, and has the refusals of a real one`()
        throws
    {
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        let present = try registry.channel(sample, "stable")
        let judged = try registry.judgeRollback(sample, "stable")
        #expect(judged.channel.release == "1.1~1" && judged.channel.sequence == present.sequence + 1)
        #expect(judged.channel.rollout == 10_000 && judged.channel.base == nil)
        #expect(try registry.judgeRollback(sample, "stable", to: "1.0~1").channel.release == "1.0~1")
        #expect(try registry.channel(sample, "stable") == present && registry.latestTag == 3)
        #expect(
            try refusal { try registry.judgeRollback(sample, "stable", to: "9~9") }
                == .noSuchRelease(bundle: sample, key: "9~9"))
        #expect(
            try refusal { try registry.judgeRollback(sample, "none") }
                == .noSuchChannel(bundle: sample, channel: "none"))
        let when: @Sendable (Channel?) throws(RegistryError) -> Void = { channel throws(RegistryError) in
            throw .preconditionFailed(channel)
        }
        #expect(
            try refusal { try registry.judgeRollback(sample, "stable", when: when) } == .preconditionFailed(present))
        // What is carried out is what was judged.
        #expect(try back().release == judged.channel.release)
        _ = try back()
        #expect(
            try refusal { try registry.judgeRollback(sample, "stable") }
                == .noEarlierRelease(bundle: sample, channel: "stable"))
    }

    @Test func `A rollback undoes the last change only where that replaced a release for all hosts`() throws {
        func undoes() throws -> Bool { try registry.judgeRollback(sample, "stable").undoesLastChange }
        for version in ["1.0", "1.1"] { try registry.publish(version) }
        #expect(try undoes())
        _ = try set("1.1~1", 2_500)
        #expect(try !undoes())
        // A share is not brought back.
        try registry.publish("1.2")
        #expect(try !undoes())
        _ = try set("1.0~1")
        #expect(try undoes())
        // The release that it would bring back is gone.
        _ = try registry.withdraw(sample, "1.2~1", reason: "", by: "x")
        #expect(try !undoes())
        // A further rollback goes further back.
        _ = try back()
        #expect(try !undoes())
    }

    @Test func `A rollback that expects another goal than there is changes nothing`() throws {
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        let present = try registry.channel(sample, "stable")
        _ = try registry.withdraw(sample, "1.1~1", reason: "", by: "x")
        #expect(
            try refusal { try registry.rollback(sample, "stable", to: nil, expecting: "1.1~1", by: "x") }
                == .preconditionFailed(present))
        #expect(
            try registry.rollback(sample, "stable", to: nil, expecting: "1.0~1", by: "x").release == "1.0~1")
    }
}

@Suite struct `A channel's name` {
    @Test(arguments: ["stable", "a", "0", "Beta.2_x-y", String(repeating: "a", count: 64)])
    func `A channel's name may contain letters, digits, dots, hyphens and underscores`(_ name: String) {
        #expect(ChannelName.isName(name))
    }

    @Test(arguments: ["", ".a", "-a", "_a", "a b", "a/b", "é", String(repeating: "a", count: 65)])
    func `A channel's name that is empty, too long or has other characters is refused`(_ name: String) {
        #expect(!ChannelName.isName(name))
    }
}
