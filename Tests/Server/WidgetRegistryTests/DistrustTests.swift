import LocalStore
import Testing
import WidgetBundles
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

extension Fixture {
    /// Writes into the catalog of a store that is closed.
    func meddle(_ sql: StaticString) throws {
        try DatabaseConnection(opening: "\(path)/catalog.sqlite", for: .writing).script(sql)
    }
}

/// Changes that disks, clocks and people make behind the registry's back.
@Suite struct `A store that is not as it was written` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `A sound archive is kept although the catalog has its size wrong`() throws {
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

    @Test func `A schema older than the first is refused`() throws {
        _ = try fixture.open().publish("1.0")
        try fixture.meddle("PRAGMA user_version = -1")
        guard case .damaged? = try refusal({ try fixture.open() }) else {
            Issue.record("a negative version was accepted")
            return
        }
    }

    @Test func `A channel whose sequence is at the highest number cannot change`() throws {
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
    func `A withdrawn release with a damaged tombstone stays withdrawn`(_ isCatalogGone: Bool) throws {
        do {
            let registry = try fixture.open()
            for version in ["1.0", "1.1"] { try registry.publish(version) }
            _ = try registry.withdraw(sample, "1.1~1", reason: "leaks tokens", by: "x")
        }
        let note = try #require(FileWork.files(below: "\(fixture.path)/blobs", endingWith: ".withdrawn.json").first)
        try FileWork.write("{\n", to: note)
        if isCatalogGone { try FileWork.remove(in: fixture.path, startingWith: "catalog.sqlite") }
        let report = try fixture.rebuild()
        #expect(report.withdrawn == 1 && report.skipped.contains { $0.contains("stays withdrawn") })
        let registry = try fixture.open()
        #expect(try registry.release(sample, "1.1~1").withdrawal != nil)
        #expect(try registry.shown() == ["1.0~1 0-10000"])
    }

    @Test func `Of two contents under one key the acknowledged one is shown`() throws {
        let acknowledged: Digest
        do {
            let registry = try fixture.open()
            acknowledged = try registry.publish("1.0", content: "[1]").release.digest
        }
        // Another process published other content under that key at the same time, and was killed before its refusal
        // removed the placed files: as another registry would have stored it.
        let other = try Fixture()
        other.pass(seconds: 100)
        let refused = try other.open().publish("1.0", content: "[2]").release.digest
        let (from, to) = (
            "\(other.path)/blobs/\(refused.hex.prefix(2))", "\(fixture.path)/blobs/\(refused.hex.prefix(2))"
        )
        let files = FileWork.files(below: from).filter { $0.contains("/\(refused.hex).") }
        #expect(files.count == 2)
        for file in files { try FileWork.copy(file, to: file.replacing(from, with: to)) }
        let report = try fixture.rebuild()
        #expect(report.skipped.contains { $0.contains("two contents") })
        #expect(try fixture.open().release(sample, "1.0~1").digest == acknowledged)
    }

    @Test func `The sweep at the start removes files only, and leaves a folder alone`() throws {
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

    @Test func `Every replaced catalog is kept`() throws {
        _ = try fixture.open().publish("1.0")
        // The clock does not move between the first two.
        for pause: Int64 in [0, 60, 0] {
            _ = try fixture.rebuild()
            fixture.pass(seconds: pause)
        }
        let kept = try fixture.names("quarantine").filter { $0.hasSuffix("-catalog.sqlite") }
        #expect(kept.count == 3)
        #expect(kept.count { $0.hasPrefix("replaced-1000000-") } == 2)
    }

    @Test func `The next collection of garbage waits, so that archives can be taken into the catalog first`() throws {
        let file: String
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            registry.noteRun(of: .gc, at: 1)
            file = try fixture.backUp(registry)
        }
        fixture.pass(seconds: 500)
        _ = try fixture.restore(file)
        #expect(try fixture.open().lastRun(of: .gc) == fixture.clock.seconds)
    }
}

extension `A store that is not as it was written` {
    @Test func `A store is not copied where the copy would use up the reserve`() throws {
        let registry = try fixture.open()
        try registry.publish("1.0")
        let refused = try refusal { try registry.backUp(server: "test", reserve: .max, begin: { _ in }) { _ in } }
        #expect(refused == .outOfSpace)
        _ = try registry.backUp(server: "test", reserve: 1, begin: { _ in }) { _ in }
    }

    @Test func `A backup with a damaged archive fails, and the next continues without it`() throws {
        let registry = try fixture.open()
        let digest = try registry.publish("1.0").release.digest
        try registry.publish("1.1")
        _ = try registry.openBlob(digest)
        // As rot changes it: the system sees no change of the file.
        let file = fixture.blob(digest)
        try FileWork.overwrite(file, at: 60)
        let report = try registry.backUp(server: "test", begin: { _ in }) { _ in }
        #expect(report.missing == [digest] && report.archives == 1)
    }
}

/// Goal: a full disk refuses, cleans up, and passes. Method: a file system of two megabytes, where one can be mounted.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
struct `A full disk` {
    @Test func `A full disk refuses a bundle, keeps nothing of it, and accepts it when there is room`() throws {
        let disk = try SmallDisk(kilobytes: 2_400)
        let registry = try Registry(
            opening: disk.path + "/data", options: Registry.Options(in: World(clock: ManualClock(date: .seconds(1)))),
            holder: "the test")
        // What is written does not compress, and the room left shrinks to nothing in steps: each publish meets the
        // end of the disk at another place.
        var stored: [Release] = []
        var refused = 0
        var random = SeededGenerator(seed: 5)
        for round in 0..<40 {
            let noise = (0..<20_000).map { _ in String(UInt32.random(in: .min ... .max, using: &random), radix: 36) }
            let content = "[\"\(noise.prefix(round % 4 == 0 ? 20_000 : 300).joined())\"]"
            do {
                stored.append(try registry.publish("1.\(round)", content: content).release)
            } catch RegistryError.outOfSpace {
                refused += 1
            } catch let error as BundleError {
                // The archive did not fit; that is met before the registry is asked.
                #expect("\(error)".contains("No space left"), "\(error)")
                refused += 1
            }
            // Only acknowledged releases are there, and reads continue.
            #expect(try registry.bundle(sample).releaseCount == stored.count)
            let latest = try #require(stored.last)
            _ = try registry.openBlob(latest.digest)
            #expect(try Directory(opening: disk.path + "/data/staging").items(limit: 9)?.isEmpty == true)
        }
        #expect(refused > 0 && !stored.isEmpty)
        #expect(FileWork.files(below: disk.path + "/data/blobs", endingWith: ".zip").count == stored.count)
        // Room again.
        #expect(disk.grow(megabytes: 64))
        try registry.publish("2.0")
        #expect(try registry.shown() == ["2.0~1 0-10000"])
        for release in stored { _ = try registry.openBlob(release.digest) }
    }
}
