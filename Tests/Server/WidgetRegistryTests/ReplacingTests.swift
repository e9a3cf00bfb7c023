import LocalStore
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetRegistry

extension Fixture {
    func rebuild() throws(RegistryError) -> RebuildReport {
        try Registry.rebuild(path, options: options, policy: BundlePolicy()) { _, _ in }
    }

    func restore(_ file: String) throws -> RestoreReport {
        try Registry.restore(path, from: .reading(file), options: options) { _, _ in }
    }

    /// Writes a backup and answers where.
    func backUp(_ registry: Registry) throws -> String {
        let file = path + ".backup-\(UInt64.random(in: 0 ... .max)).tar"
        var written: [UInt8] = []
        _ = try registry.backUp(server: "test", begin: { _ in }) { written += $0 }
        try FileDescriptor.creating(file).write(written, at: 0)
        return file
    }

    private var options: Registry.Options {
        let clock = clock
        return Registry.Options(in: World(clock: clock))
    }
}

@Suite struct `A catalog that is made anew` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func fill() throws {
        let registry = try fixture.open()
        for version in ["1.0", "1.1", "1.2"] {
            try registry.publish(version)
            fixture.pass(seconds: 10)
        }
        try registry.publish("2.0", to: "beta")
        try registry.publish("0.1", to: "dev")
        try registry.publish(Upload(identifier: "com.example.Other", name: "Other"))
        _ = try registry.withdraw(sample, "1.2~1", reason: "crashes", by: "x")
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "1.0~1"), by: "x")
        try registry.createToken(
            Token(name: "a", prefix: "", scopes: [.admin], created: 1), digest: try #require(.sha256([1])),
            by: "x")
    }

    @Test(arguments: [false, true])
    func `A rebuilt catalog has every release, with the highest on each channel`(_ isCatalogGone: Bool) throws {
        try fill()
        var before: [Release] = []
        var sequence: Int64 = 0
        var tag: Int64 = 0
        do {
            let registry = try fixture.open()
            before = try registry.releases(sample, limit: 20, after: nil).items
            sequence = try registry.channel(sample, "stable").sequence
            tag = registry.latestTag
        }
        if isCatalogGone { try FileWork.remove(in: fixture.path, startingWith: "catalog.sqlite") }
        let report = try fixture.rebuild()
        #expect(report.bundles == 2 && report.releases == 6 && report.withdrawn == 1 && report.channels == 4)
        #expect(report.damaged.isEmpty && report.lost.isEmpty && report.skipped.isEmpty && report.recovered.isEmpty)
        let registry = try fixture.open()
        let after = try registry.releases(sample, limit: 20, after: nil).items
        #expect(after.map { $0.key } == before.map { $0.key })
        for (one, other) in zip(before, after) {
            #expect(one.digest == other.digest && one.contentDigest == other.contentDigest)
            #expect(one.published == other.published && one.publishedBy == other.publishedBy)
            #expect(one.withdrawal == other.withdrawal && one.isSnapshot == other.isSnapshot)
            let files = try? registry.files(sample, one.key).files
            #expect(files?.isEmpty == false)
            _ = try registry.openBlob(one.digest)
        }
        // Channels that were set explicitly are no longer known.
        #expect(try registry.shown() == ["1.1~1 0-10000"])
        #expect(try registry.shown("beta") == ["2.0~1 0-10000"])
        #expect(try registry.channel(sample, "stable").sequence > sequence && registry.latestTag > tag)
        #expect(try registry.tokens().isEmpty && !registry.isEmpty)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        // And the registry works.
        #expect(try registry.rollback(sample, "stable", to: nil, by: "x").release == "1.0~1")
        try registry.publish("3.0")
        #expect(try registry.shown() == ["3.0~1 0-10000"])
        guard case .keyWithdrawn = try refusal({ try registry.publish("1.2") }) else {
            Issue.record("a withdrawn key was given again")
            return
        }
    }

    /// Times of publishing are seconds; the order within a busy second must not be decided by digests.
    @Test func `A rebuilt catalog shows the last of the releases published within one second`() throws {
        var keys: [String] = []
        do {
            let registry = try fixture.open()
            for number in 0..<8 {
                let release = try registry.publish("1.0", to: "dev", content: "[\(number)]").release
                keys.append(release.key)
                // The clock by which files are dated goes in steps of some milliseconds.
                let note = fixture.blob(release.digest).replacing(".zip", with: ".\(release.key).json")
                try FileWork.date(note, nanoseconds: number, after: 1_000_000)
            }
            #expect(try registry.channel(sample, "dev").release == keys.last)
        }
        // Else the order of the keys would do.
        try #require(keys.last != keys.max())
        _ = try fixture.rebuild()
        #expect(try fixture.open().channel(sample, "dev").release == keys.last)
    }

    @Test func `Each rebuild raises the numbers`() throws {
        try fill()
        let first = try fixture.rebuild().sequence
        let second = try fixture.rebuild().sequence
        #expect(second > first)
        try FileWork.remove(in: fixture.path, startingWith: "catalog.sqlite")
        #expect(try fixture.rebuild().sequence > second)
    }

    @Test func `A damaged number is not taken for a high one`() throws {
        try fill()
        try Directory(opening: fixture.path).replaceFile("mark", with: Array("9223372036854775807".utf8))
        let note = try #require(FileWork.files(below: "\(fixture.path)/blobs", endingWith: ".1.1~1.json").first)
        try FileWork.replace(#/"published":[0-9]*/#, with: "\"published\":9223372036854775807", in: note)
        let report = try fixture.rebuild()
        #expect(report.sequence < 1 << 40 && report.releases == 6)
        #expect(try fixture.open().channel(sample, "stable").sequence == report.sequence)
    }

    @Test func `A rebuild knows an archive without a note from its content`() throws {
        try fill()
        let blobs = "\(fixture.path)/blobs"
        try FileWork.remove(try #require(FileWork.files(below: blobs, endingWith: ".1.1~1.json").first))
        try FileWork.write("{\n", to: try #require(FileWork.files(below: blobs, endingWith: ".2.0~1.json").first))
        let report = try fixture.rebuild()
        #expect(Set(report.recovered) == ["\(sample) 1.1~1", "\(sample) 2.0~1"])
        let registry = try fixture.open()
        #expect(try registry.release(sample, "1.1~1").publishedBy.isEmpty)
        #expect(try registry.files(sample, "1.1~1").files.count == 2)
    }

    @Test func `A rebuild leaves out damaged and missing archives, and reports them`() throws {
        try fill()
        let digest = try fixture.open().release(sample, "1.1~1").digest
        let other = try fixture.open().release(sample, "1.0~1").digest
        try FileWork.append("x\n", to: fixture.blob(digest))
        try FileWork.remove(fixture.blob(other))
        let report = try fixture.rebuild()
        #expect(report.damaged == [digest] && Set(report.lost) == ["\(sample) 1.1~1", "\(sample) 1.0~1"])
        let registry = try fixture.open()
        #expect(try registry.release(sample, "1.1~1").channels.isEmpty)
        #expect(try refusal { try registry.publish("1.1", content: "[9]") } != nil)
        try registry.publish("1.1")
        _ = try registry.openBlob(digest)
    }

    @Test func `A rebuild keeps the key of a release whose files are gone`() throws {
        fixture.clock.setDate(to: SystemClock().seconds)
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            try registry.publish("1.1")
            _ = try registry.withdraw(sample, "1.1~1", reason: "r", by: "x")
            fixture.pass(seconds: 31 * 86_400)
            _ = try registry.collect(grace: 0, isDryRun: false) { _, _ in }
        }
        let report = try fixture.rebuild()
        #expect(report.releases == 2 && report.withdrawn == 1)
        let registry = try fixture.open()
        let ended = try registry.release(sample, "1.1~1")
        #expect(ended.withdrawal?.reason == "r" && ended.name == "Sample" && ended.shortVersion == "1.1")
        guard case .keyWithdrawn = try refusal({ try registry.publish("1.1") }) else {
            Issue.record("its key was given again")
            return
        }
    }

    /// Keeps a file of the old catalog from being moved away, which ends the command between the old catalog and the
    /// new one, as a power cut would.
    ///
    /// - Returns: the obstacle.
    private func obstruct(_ file: String) throws -> String {
        let number = try Directory(opening: fixture.path).status(of: "catalog.sqlite").inode
        // The clock does not move.
        let name = "replaced-\(fixture.clock.seconds)-\(number)-\(file)"
        let old = "\(fixture.path)/quarantine/\(name)"
        try FileWork.makeFolder("\(old)/in the way")
        try FileWork.touch("\(fixture.path)/\(file)")
        return old
    }

    @Test(arguments: ["catalog.sqlite", "catalog.sqlite-journal"])
    func `A rebuilt catalog is never half in place`(_ file: String) throws {
        try fill()
        let obstacle = try obstruct(file)
        guard case .storage = try refusal({ try fixture.rebuild() }) else {
            Issue.record("nothing was in the way")
            return
        }
        // Neither the old catalog nor an empty one is served until it is done.
        #expect(try refusal { try fixture.open() } == .unfinished("reindex"))
        #expect(try refusal { try fixture.open() } == .unfinished("reindex"))
        try FileWork.remove(obstacle)
        #expect(try fixture.rebuild().releases == 6)
        #expect(try fixture.open().shown() == ["1.1~1 0-10000"])
        #expect(try !fixture.names().contains("unfinished"))
    }

    @Test(arguments: ["catalog.sqlite", "catalog.sqlite-journal"])
    func `A restored catalog is never half in place`(_ file: String) throws {
        try fill()
        let backup: String
        do { backup = try fixture.backUp(try fixture.open()) }
        defer { try? FileWork.remove(backup) }
        let obstacle = try obstruct(file)
        guard case .storage = try refusal({ try fixture.restore(backup) }) else {
            Issue.record("nothing was in the way")
            return
        }
        #expect(try refusal { try fixture.open() } == .unfinished("restore"))
        try FileWork.remove(obstacle)
        #expect(try fixture.restore(backup).releases == 6)
        #expect(try !fixture.open().shown().isEmpty)
    }

    @Test func `A rebuild needs exclusive access to the store`() throws {
        try fill()
        let registry = try fixture.open()
        #expect(try refusal { try fixture.rebuild() } == .locked(by: "the test"))
        #expect(try !registry.isEmpty)
    }
}

@Suite struct `A backup` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `A backup can be unpacked and checked with common tools`() throws {
        let registry = try fixture.open()
        for version in ["1.0", "1.1"] { try registry.publish(version) }
        let file = try fixture.backUp(registry)
        let out = fixture.path + "/unpacked"
        let result = Shell.run(
            "mkdir '\(out)' && cd '\(out)' && tar xf '\(file)' && sha256sum -c --quiet SHA256SUMS 2>&1")
        #expect(result.status == 0, "\(result.output)")
        #expect(FileWork.files(below: out, endingWith: ".zip").count == 2)
    }

    @Test func `A restored backup brings everything back, under numbers that continue`() throws {
        var file = ""
        var before: [Release] = []
        let (first, second) = (try #require(Digest.sha256([1])), try #require(Digest.sha256([2])))
        do {
            let registry = try fixture.open()
            for version in ["1.0", "1.1"] { try registry.publish(version) }
            _ = try registry.withdraw(sample, "1.0~1", reason: "r", by: "x")
            let token = try registry.createToken(
                Token(name: "a", prefix: "", scopes: [.admin], created: 1), digest: first, by: "x")
            _ = try registry.rotateToken(token.identity, from: first, to: second, keptUntil: 9, by: "x")
            before = try registry.releases(sample, limit: 9, after: nil).items
            file = try fixture.backUp(registry)
            for version in ["1.2", "1.3"] { try registry.publish(version) }
        }
        var tag: Int64 = 0
        var sequence: Int64 = 0
        do {
            let registry = try fixture.open()
            (tag, sequence) = (registry.latestTag, try registry.channel(sample, "stable").sequence)
        }
        let report = try fixture.restore(file)
        #expect(report.archives == 2 && report.releases == 2 && report.tokens == 1 && report.unknown == 2)
        #expect(report.missing.isEmpty && report.sequence > sequence)
        let registry = try fixture.open()
        #expect(try registry.releases(sample, limit: 9, after: nil).items == before)
        #expect(try registry.shown() == ["1.1~1 0-10000"])
        let secrets = try registry.tokensByDigest()
        #expect(secrets.mapValues(\.isFoundByEarlierSecret) == [first: true, second: false])
        #expect(secrets.values.allSatisfy { $0.earlierSecretEnds == 9 })
        #expect(registry.latestTag > tag)
        #expect(try registry.changes(since: tag, limit: 9).items.map(\.release) == ["1.1~1"])
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        _ = try registry.restore(sample, "1.0~1", by: "x")
        try registry.publish("1.2")
        #expect(try registry.shown() == ["1.2~1 0-10000"])
    }

    @Test func `A restored backup brings publishers' notes back, as a restart and a rebuilt catalog do`() throws {
        func expectNotes(_ fixture: Fixture) throws {
            let registry = try fixture.open()
            let releases = try registry.releases(sample, limit: 9, after: nil).items
            #expect(releases.map(\.remarks.note) == [nil, "Works \"on\" Sundays \u{2014} again", "Shows the time"])
            #expect(releases.map { $0.withdrawal != nil } == [false, false, true])
            #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        }
        let file: String
        do {
            let registry = try fixture.open()
            for (version, note) in [
                ("1.0", "Shows the time"), ("1.1", "Works \"on\" Sundays \u{2014} again"), ("1.2", nil),
            ] {
                try registry.publish(Upload(version: version), PublishRequest(.to(note: note), by: "tester"))
            }
            _ = try registry.withdraw(sample, "1.0~1", reason: "crashes", by: "x")
            file = try fixture.backUp(registry)
        }
        try expectNotes(fixture)
        try FileWork.remove(in: fixture.path, startingWith: "catalog.sqlite")
        #expect(try fixture.rebuild().releases == 3)
        try expectNotes(fixture)
        let other = try Fixture()
        #expect(try other.restore(file).releases == 3)
        try expectNotes(other)
    }

    @Test func `A backup can be restored into an empty directory`() throws {
        let file: String
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            file = try fixture.backUp(registry)
        }
        let other = try Fixture()
        #expect(try other.restore(file).releases == 1)
        let registry = try other.open()
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        _ = try registry.openBlob(try registry.release(sample, "1.0~1").digest)
    }

    @Test func `A backup is a snapshot of one moment, while others write`() throws {
        let registry = try fixture.open()
        for version in ["1.0", "1.1"] { try registry.publish(version) }
        var isFirst = true
        var bytes: [UInt8] = []
        _ = try registry.backUp(server: "test", begin: { _ in }) { piece throws(RegistryError) in
            bytes += piece
            guard isFirst else { return }
            isFirst = false
            do {
                try registry.publish("1.2")
            } catch {
                throw .interrupted
            }
        }
        try Directory(opening: fixture.path).replaceFile("b.tar", with: bytes)
        let other = try Fixture()
        #expect(try other.restore(fixture.path + "/b.tar").releases == 2)
        #expect(try other.open().shown() == ["1.1~1 0-10000"])
    }

    @Test func `A backup reports the archives that it lacks`() throws {
        let registry = try fixture.open()
        let gone = try registry.publish("1.0").release.digest
        try registry.publish("1.1")
        try FileWork.remove(fixture.blob(gone))
        let report = try registry.backUp(server: "test", begin: { _ in }) { _ in }
        #expect(report.missing == [gone] && report.archives == 1)
        let file = try fixture.backUp(registry)
        #expect(try Fixture().restore(file).missing == [gone])
    }

    @Test func `A backup with a changed byte is refused, and the store is not touched`() throws {
        let file: String
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            file = try fixture.backUp(registry)
            try registry.publish("1.1")
        }
        let bytes = try FileDescriptor.reading(file).read(at: 0, count: 1 << 22)
        let root = try Directory(opening: fixture.path)
        // In steps that meet headers and contents; each end of the file as well.
        for offset in stride(from: 0, to: bytes.count - 1_025, by: 4_001) {
            var changed = bytes
            changed[offset] ^= 0x41
            try root.replaceFile("changed.tar", with: changed)
            guard case .invalidBackup = try refusal({ try fixture.restore(fixture.path + "/changed.tar") }) else {
                // Owner, group and date of a member mean nothing to us, but the header's sum covers them.
                Issue.record("a change at \(offset) went unnoticed")
                return
            }
        }
        for count in [0, 1, 511, 512, 5_000, bytes.count - 1_024, bytes.count - 1] {
            try root.replaceFile("changed.tar", with: Array(bytes.prefix(count)))
            guard case .invalidBackup = try refusal({ try fixture.restore(fixture.path + "/changed.tar") }) else {
                Issue.record("an end after \(count) bytes went unnoticed")
                return
            }
        }
        let registry = try fixture.open()
        #expect(try registry.shown() == ["1.1~1 0-10000"])
        #expect(try fixture.names("staging").isEmpty)
    }
}

@Suite struct `An old catalog in the place of a newer one` {
    @Test func `An old catalog is not served, and a new one is rebuilt from the store`() throws {
        let fixture = try Fixture()
        do { try fixture.open().publish("1.0") }
        try FileWork.copy("\(fixture.path)/catalog.sqlite", to: "\(fixture.path)/old")
        do { try fixture.open().publish("1.1") }
        try FileWork.move("\(fixture.path)/old", to: "\(fixture.path)/catalog.sqlite")
        try? FileWork.remove("\(fixture.path)/catalog.sqlite-wal")
        #expect(try refusal { try fixture.open() } == .staleCatalog(latest: 1, shown: 2))
        #expect(try fixture.rebuild().releases == 2)
        #expect(try fixture.open().shown() == ["1.1~1 0-10000"])
    }
}

@Suite struct `A member of a backup` {
    private static let sizes = [0, 1, 1 << 33 - 1, 1 << 33, 9_876_543_210_987]

    /// As Python's reader of tar archives sees it.
    @Test func `A member of a backup has the size and the name that other programs read from it`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        var (files, lines) = ([String](), [String]())
        for name in ["catalog.sqlite", String(repeating: "a", count: 180)] {
            for size in Self.sizes {
                files.append("\(scratch.path)/\(files.count).tar")
                lines.append("\(name) \(size)")
                let header = TarHeader(name: name, byteCount: size, modified: 1_000)
                try FileDescriptor.creating(files[files.count - 1]).write(header.bytes, at: 0)
            }
        }
        let script = """
            import sys, tarfile
            for path in sys.argv[1:]:
                member = tarfile.open(path).next()
                print(member.name, member.size)
            """
        let seen = try Tool.run("python3", ["-c", script] + files)
        #expect(seen.output.split(separator: "\n").map(String.init) == lines, "\(seen.output)")
    }

    @Test(arguments: sizes) func `A member of a backup is read as it was written`(_ size: Int) throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let file = try FileDescriptor.creating(scratch.path + "/a.tar")
        let header = TarHeader(name: String(repeating: "b", count: 150), byteCount: size, modified: 1_000)
        try file.write(header.bytes, at: 0)
        // A hole of that size: the reader compares what is announced with what is there.
        try file.truncate(to: header.bytes.count + size)
        var reader = TarReader(try StoredFile(file))
        #expect(try reader.next() == header)
    }

    @Test(arguments: [
        "11 size=1\n", "20 size=99999999999\n", "12 size=-5\n", "9 path=\n", "99 path=x\n", "x", "11 mode=1\n",
        "0 path=x\n", "-1 path=x\n",
    ])
    func `A member of a backup with records that we do not write is refused`(_ record: String) throws {
        let header = TarHeader(name: "a", byteCount: 5)
        #expect(header.extended(by: Array(record.utf8)) == nil)
    }
}
