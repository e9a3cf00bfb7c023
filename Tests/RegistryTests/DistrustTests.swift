import Bytes
import Database
import Files
import Registry
import TestSupport
import Testing

extension Fixture {
    /// Writes into the catalog of a store that nobody has open.
    func meddle(_ sql: StaticString) throws {
        try DatabaseConnection(opening: "\(path)/catalog.sqlite", for: .writing).script(sql)
    }
}

/// What disks, clocks and people change behind the registry's back.
@Suite struct `A store that is not as it was written` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `keeps a sound archive whose size the catalog has wrong`() throws {
        let digest = try fixture.open().publish("1.0").release.digest
        try fixture.meddle("UPDATE release SET byte_count = byte_count + 1")
        do {
            let registry = try fixture.open()
            guard case .damaged? = try refusal({ try registry.openBlob(digest) }) else {
                Issue.record("a wrong size went unnoticed")
                return
            }
            let report = try registry.scrub(rate: nil, pause: { _ in }) { _, _ in }
            #expect(!report.isSound && report.damaged.isEmpty)
            #expect(report.catalog.contains { $0.contains(digest.hex) })
            #expect(try fixture.names("quarantine").isEmpty)
        }
        #expect(try fixture.rebuild().lost.isEmpty)
        #expect(try fixture.open().openBlob(digest).digest == digest)
    }

    @Test func `is refused with a schema older than the first`() throws {
        _ = try fixture.open().publish("1.0")
        try fixture.meddle("PRAGMA user_version = -1")
        guard case .damaged? = try refusal({ try fixture.open() }) else {
            Issue.record("a negative version was accepted")
            return
        }
    }

    @Test func `has a channel whose sequence cannot rise`() throws {
        _ = try fixture.open().publish("1.0")
        try fixture.meddle("UPDATE channel SET sequence = 9223372036854775807")
        let registry = try fixture.open()
        guard case .damaged? = try refusal({ try registry.publish("1.1") }) else {
            Issue.record("a sequence went past the highest number")
            return
        }
        #expect(try registry.shown() == ["1.0~1 0-10000"])
    }

    @Test(arguments: [true, false])
    func `keeps a release withdrawn whose note of that is damaged`(_ isCatalogGone: Bool) throws {
        do {
            let registry = try fixture.open()
            for version in ["1.0", "1.1"] { try registry.publish(version) }
            _ = try registry.withdraw(sample, "1.1~1", reason: "leaks tokens", by: "x")
        }
        #expect(
            Shell.run("cd '\(fixture.path)/blobs' && for f in */*.withdrawn.json; do echo '{' > $f; done").status == 0)
        if isCatalogGone { #expect(Shell.run("rm '\(fixture.path)'/catalog.sqlite*").status == 0) }
        let report = try fixture.rebuild()
        #expect(report.withdrawn == 1 && report.skipped.contains { $0.contains("stays withdrawn") })
        let registry = try fixture.open()
        #expect(try registry.release(sample, "1.1~1").withdrawal != nil)
        #expect(try registry.shown() == ["1.0~1 0-10000"])
    }

    @Test func `shows of two contents under one key the one that was acknowledged`() throws {
        let acknowledged: Digest
        do {
            let registry = try fixture.open()
            acknowledged = try registry.publish("1.0", content: "[1]").release.digest
        }
        // Somebody published other content under that key at the same time, and was killed before its refusal took
        // back what had been placed: as another registry would have stored it.
        let other = try Fixture()
        other.pass(seconds: 100)
        let refused = try other.open().publish("1.0", content: "[2]").release.digest
        let (from, to) = (
            "\(other.path)/blobs/\(refused.hex.prefix(2))", "\(fixture.path)/blobs/\(refused.hex.prefix(2))"
        )
        #expect(Shell.run("cp '\(from)'/\(refused.hex).* '\(to)'/").status == 0)
        let report = try fixture.rebuild()
        #expect(report.skipped.contains { $0.contains("two contents") })
        #expect(try fixture.open().release(sample, "1.0~1").digest == acknowledged)
    }

    @Test func `is swept of files alone, and starts`() throws {
        _ = try fixture.open().publish("1.0")
        _ = try Directory(opening: fixture.path).createDirectory(".staged-folder", mode: 0o700)
        #expect(try fixture.open().shown() == ["1.0~1 0-10000"])
        #expect(try fixture.names().contains(".staged-folder"))
    }
}

@Suite struct `Replacing the catalog` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `keeps every one that was replaced`() throws {
        _ = try fixture.open().publish("1.0")
        // The clock stands still between the first two.
        for pause: Int64 in [0, 60, 0] {
            _ = try fixture.rebuild()
            fixture.pass(seconds: pause)
        }
        let kept = try fixture.names("quarantine").filter { $0.hasSuffix("-catalog.sqlite") }
        #expect(kept.count == 3)
        #expect(kept.count { $0.hasPrefix("replaced-1000000-") } == 2)
    }

    @Test func `puts the next collection of garbage off, so that nothing goes before it can be taken in`() throws {
        let file: String
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            registry.noteRun(of: .gc, at: 1)
            file = try fixture.backUp(registry)
        }
        fixture.pass(seconds: 500)
        _ = try fixture.restore(file)
        #expect(try fixture.open().lastRun(of: .gc) == fixture.clock.withLock { $0 })
    }
}

extension `A store that is not as it was written` {
    @Test func `is not copied where the copy would take the reserve`() throws {
        let registry = try fixture.open()
        try registry.publish("1.0")
        let refused = try refusal { try registry.backUp(server: "test", reserve: .max, begin: { _ in }) { _ in } }
        #expect(refused == .outOfSpace)
        _ = try registry.backUp(server: "test", reserve: 1, begin: { _ in }) { _ in }
    }

    @Test func `gives up a backup whose archive went bad, and the next goes on without it`() throws {
        let registry = try fixture.open()
        let digest = try registry.publish("1.0").release.digest
        try registry.publish("1.1")
        _ = try registry.openBlob(digest)
        // As rot changes it: the system sees no change of the file.
        let file = fixture.blob(digest)
        #expect(
            Shell.run(
                """
                touch -r '\(file)' '\(file).time'
                printf 'X' | dd of='\(file)' bs=1 seek=60 conv=notrunc 2>/dev/null
                """
            ).status == 0)
        let report = try registry.backUp(server: "test", begin: { _ in }) { _ in }
        #expect(report.missing == [digest] && report.archives == 1)
    }
}
