import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// An hour, which is the grace that these tests give.
private let grace: Int64 = 3_600
private let day: Int64 = 86_400

@Suite struct `Collecting garbage` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @discardableResult
    private func collect(_ registry: Registry, isDryRun: Bool = false) throws -> CollectReport {
        try registry.collect(grace: grace, isDryRun: isDryRun) { _, _ in }
    }

    /// Files are as old as the system says, so the clock is set by that.
    private func atPresent() throws {
        fixture.clock.setDate(to: SystemClock().seconds)
    }

    private func exists(_ digest: Digest) throws -> Bool {
        try fixture.shard(of: digest).contains("\(digest.hex).zip")
    }

    @Test func `Collecting in a healthy store removes nothing`() throws {
        try atPresent()
        let registry = try fixture.open()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        _ = try registry.withdraw(sample, "1.1~1", reason: "r", by: "x")
        fixture.pass(seconds: 2 * grace)
        let report = try collect(registry)
        #expect(report.archives.count == 0 && report.notes.count == 0 && report.endedReleases == 0)
        _ = try registry.restore(sample, "1.1~1", by: "x")
        #expect(try registry.shown() == ["1.2~1 0-10000"])
    }

    @Test func `A withdrawn release's files go once it cannot be restored, and its key stays taken`() throws {
        try atPresent()
        let registry = try fixture.open()
        try registry.publish("1.0")
        let gone = try registry.publish("1.1").release
        _ = try registry.withdraw(sample, "1.1~1", reason: "r", by: "x")
        fixture.pass(seconds: 30 * day + 1)
        let foretold = try collect(registry, isDryRun: true)
        #expect(foretold.endedReleases == 1 && foretold.archives.count == 1 && foretold.notes.count == 1)
        #expect(foretold.archives.byteCount == gone.byteCount)
        #expect(try exists(gone.digest))
        let done = try collect(registry)
        #expect(done.archives == foretold.archives && done.notes == foretold.notes)
        #expect(try fixture.shard(of: gone.digest) == ["\(gone.digest.hex).1.1~1.withdrawn.json"])
        #expect(try registry.release(sample, "1.1~1").withdrawal?.reason == "r")
        for refused in [
            try refusal { try registry.report(sample, "1.1~1") }, try refusal { try registry.files(sample, "1.1~1") },
        ] {
            guard case .withdrawn = refused else {
                Issue.record("\(String(describing: refused))")
                continue
            }
        }
        guard case .restoreTooLate = try refusal({ try registry.restore(sample, "1.1~1", by: "x") }) else {
            Issue.record("it could be restored")
            return
        }
        guard case .keyWithdrawn = try refusal({ try registry.publish("1.1") }) else {
            Issue.record("its key was given again")
            return
        }
        #expect(try collect(registry).removedByteCount == 0)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test func `A release published during the collection is kept`() throws {
        try atPresent()
        let registry = try fixture.open()
        let release = try registry.publish("1.0").release
        // A crash came between files and catalog.
        let other = try #require(Digest.sha256([7]))
        let stray = fixture.blob(other)
        try FileWork.copy(fixture.blob(release.digest), to: stray)
        let young = try collect(registry)
        #expect(young.archives.count == 0 && young.waiting.count == 1)
        fixture.pass(seconds: grace + 5)
        let old = try collect(registry)
        #expect(old.archives.count == 1 && old.notes.count == 0 && old.waiting.count == 0)
        #expect(try !exists(other) && exists(release.digest))
    }

    @Test func `Foreign files are left alone`() throws {
        try atPresent()
        let registry = try fixture.open()
        try registry.publish("1.0")
        let blobs = try Directory(opening: fixture.path + "/blobs")
        try blobs.openDirectory("00").replaceFile("nonsense.zip", with: [1])
        try blobs.openDirectory("00").replaceFile("notes.json", with: [1])
        fixture.pass(seconds: 10 * grace)
        try collect(registry)
        #expect(try fixture.names("blobs", "00") == ["nonsense.zip", "notes.json"])
    }

    @Test func `Snapshots beyond the channel's number are retired`() throws {
        try atPresent()
        let registry = try fixture.open { $0.snapshotsKept = 3 }
        var digests: [Digest] = []
        for number in 0..<6 {
            digests.append(try registry.publish("1.0", to: "dev", content: "[\(number)]").release.digest)
        }
        // The first is shown elsewhere, so it stays.
        let keys = try registry.releases(sample, limit: 9, after: nil).items.reversed().map(\.key)
        _ = try registry.setChannel(sample, "beta", ChannelSetting(release: keys[0]), by: "x")
        #expect(try collect(registry, isDryRun: true).retiredSnapshots == 2)
        #expect(try collect(registry).retiredSnapshots == 2)
        let withdrawn = try registry.releases(sample, limit: 9, after: nil).items.filter { $0.withdrawal != nil }
        #expect(Set(withdrawn.map(\.key)) == [keys[1], keys[2]])
        #expect(try exists(digests[1]))
        fixture.pass(seconds: grace + 5)
        #expect(try collect(registry).archives.count == 2)
        #expect(try !exists(digests[1]) && !exists(digests[2]) && exists(digests[0]) && exists(digests[3]))
        #expect(try registry.shown("dev") == ["\(keys[5]) 0-10000"])
        #expect(try registry.shown("beta") == ["\(keys[0]) 0-10000"])
    }

    @Test func `A retired snapshot can be published again`() throws {
        try atPresent()
        let registry = try fixture.open { $0.snapshotsKept = 1 }
        func request(_ note: String) -> PublishRequest { PublishRequest(.to("dev", note: note), by: "tester") }
        let first = try registry.publish(Upload(content: "[1]"), request("Once")).release
        try registry.publish("1.0", to: "dev", content: "[2]")
        try collect(registry)
        fixture.pass(seconds: grace + 5)
        try collect(registry)
        #expect(try !exists(first.digest))
        let again = try registry.publish(Upload(content: "[1]"), request("Twice"))
        // It comes back as it is published now.
        #expect(again.release.remarks.note == "Twice")
        #expect(try registry.release(sample, first.key).remarks.note == "Twice")
        #expect(again.outcome == .created && again.release.key == first.key && again.release.withdrawal == nil)
        #expect(try registry.shown("dev") == ["\(first.key) 0-10000"])
        #expect(try registry.bundle(sample).releaseCount == 2)
        _ = try registry.openBlob(first.digest)
        #expect(try fixture.shard(of: first.digest).allSatisfy { !$0.hasSuffix(".withdrawn.json") })
    }

    @Test func `A tombstone without a withdrawal is removed`() throws {
        try atPresent()
        let registry = try fixture.open()
        let release = try registry.publish("1.0").release
        try Directory(opening: "\(fixture.path)/blobs/\(release.digest.hex.prefix(2))")
            .replaceFile("\(release.digest.hex).1.0~1.withdrawn.json", with: Array("{}".utf8))
        fixture.pass(seconds: grace + 5)
        #expect(try collect(registry).notes.count == 1)
        #expect(try fixture.shard(of: release.digest).count == 2)
    }

    @Test func `Collecting is refused during a backup, and during another collection`() throws {
        let registry = try fixture.open()
        try registry.publish("1.0")
        var inner: [RegistryError] = []
        func attempt(_ work: () throws(RegistryError) -> Void) {
            do throws(RegistryError) { try work() } catch { inner.append(error) }
        }
        _ = try registry.backUp(server: "test", begin: { _ in }) { _ throws(RegistryError) in
            guard inner.isEmpty else { return }
            attempt { () throws(RegistryError) in
                _ = try registry.collect(grace: 0, isDryRun: true) { _, _ in }
            }
        }
        #expect(inner == [.underWay(.backup)])
        _ = try registry.collect(grace: 0, isDryRun: true) { _, _ throws(RegistryError) in
            guard inner.count == 1 else { return }
            attempt { () throws(RegistryError) in
                _ = try registry.collect(grace: 0, isDryRun: true) { _, _ in }
            }
        }
        #expect(inner == [.underWay(.backup), .underWay(.gc)])
        try collect(registry)
    }

    @Test func `Collecting runs beside a scrub, which may take a day`() throws {
        let registry = try fixture.open()
        try registry.publish("1.0")
        var runs = 0
        _ = try registry.scrub(rate: nil, pause: { _ in }) { _, _ throws(RegistryError) in
            _ = try registry.collect(grace: 0, isDryRun: false) { _, _ in }
            _ = try registry.backUp(server: "test", begin: { _ in }) { _ in }
            runs += 1
        }
        #expect(runs > 0)
    }
}

@Suite struct `Scrubbing` {
    private let fixture: Fixture
    private let registry: Registry

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
    }

    private func scrub() throws -> ScrubReport {
        try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in })
    }

    private func digest(_ key: String) throws -> Digest { try registry.release(sample, key).digest }

    @Test func `A scrub finds nothing wrong in a sound store`() throws {
        let report = try scrub()
        #expect(report.isSound && report.archives == 3 && report.healed == 0 && report.byteCount > 0)
    }

    @Test func `A scrub moves damaged archives to quarantine, and publishing heals them`() throws {
        let digest = try digest("1.1~1")
        let file = fixture.blob(digest)
        try FileWork.overwrite(file, at: 60)
        let report = try scrub()
        #expect(report.damaged == [digest] && report.missing.isEmpty && !report.isSound)
        #expect(try fixture.names("quarantine") == ["\(digest.hex).zip"])
        #expect(try refusal { try registry.openBlob(digest) } == .damagedBlob(digest))
        #expect(try scrub().missing == [digest])
        try registry.publish("1.1")
        #expect(try scrub().isSound)
    }

    @Test func `A scrub names a missing archive`() throws {
        let digest = try digest("1.1~1")
        try FileWork.remove(fixture.blob(digest))
        #expect(try scrub().missing == [digest])
    }

    @Test func `A scrub writes missing and wrong notes anew`() throws {
        let digest = try digest("1.1~1")
        _ = try registry.withdraw(sample, "1.2~1", reason: "r", by: "x")
        let withdrawn = try self.digest("1.2~1")
        try FileWork.remove("\(fixture.path)/blobs/\(digest.hex.prefix(2))/\(digest.hex).1.1~1.json")
        let note = "\(withdrawn.hex).1.2~1.withdrawn.json"
        try FileWork.write("nonsense\n", to: "\(fixture.path)/blobs/\(withdrawn.hex.prefix(2))/\(note)")
        #expect(try scrub().healed == 2)
        #expect(try scrub().healed == 0)
        #expect(try fixture.shard(of: digest).count == 2)
    }

    @Test func `A scrub reports a contradiction between catalog and note, and changes neither`() throws {
        let digest = try digest("1.1~1")
        let note = "\(fixture.path)/blobs/\(digest.hex.prefix(2))/\(digest.hex).1.1~1.json"
        try FileWork.replace(#/"publishedBy":"tester"/#, with: "\"publishedBy\":\"other\"", in: note)
        let report = try scrub()
        #expect(!report.isSound && report.catalog.count == 1 && report.healed == 0)
        #expect(try FileWork.text(note).contains("\"publishedBy\":\"other\""))
    }

    @Test func `A scrub keeps to its rate`() throws {
        var waited = Duration.zero
        let report = try registry.scrub(rate: 100, pause: { waited += $0 }, progress: { _, _ in })
        // Each pause is the whole remaining time, because the clock does not move during a pause of this test.
        #expect(waited >= .seconds(Double(report.byteCount) / 100))
    }

    @Test func `A scrub ends when its caller cancels`() throws {
        #expect(
            try refusal {
                try registry.scrub(rate: nil, pause: { _ in }) { _, _ throws(RegistryError) in throw .interrupted }
            } == .interrupted)
        #expect(try scrub().isSound)
    }
}
