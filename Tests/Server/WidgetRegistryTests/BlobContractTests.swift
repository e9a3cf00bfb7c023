import Dispatch
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Goal: every store of blobs keeps the promises of `BlobStore`. Method: the same tests over each implementation.
@Suite(.also(.cluster)) struct `The contract of a blob store` {
    private static let bytes = Array("an archive".utf8)

    private static func note(_ digest: Digest, _ text: String = "{}") -> StoredNote {
        StoredNote(.sidecar(digest, key: "1.0~1"), Array(text.utf8))
    }

    @Test(arguments: StorageKind.allCases)
    func `durable: a placed archive is whole after a restart`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try #require(Digest.sha256(Self.bytes))
        #expect(try storage.place(Self.bytes, with: Self.note(digest)) == digest)
        try storage.blobs.put(StoredNote(.tombstone(digest, key: "1.0~1"), [1]))
        try storage.reopen()
        let file = try #require(try storage.blobs.open(digest))
        #expect(file.byteCount == Self.bytes.count)
        #expect(try file.read(at: 3, count: 4) == Array(Self.bytes[3..<7]))
        #expect(try storage.blobs.note(.sidecar(digest, key: "1.0~1")) == Array("{}".utf8))
        #expect(try storage.blobs.note(.tombstone(digest, key: "1.0~1")) == [1])
        #expect(try storage.blobs.items(beginning: digest.bytes[0]).count == 3)
        #expect(try storage.blobs.items(beginning: ~digest.bytes[0]).isEmpty)
    }

    /// Keys have one tilde, and a part of one can be a word that ends the name of a note.
    @Test func `The name of an item denotes it and no other, also where its key ends like a note's`() throws {
        let digest = try #require(Digest.sha256(Self.bytes))
        let keys = ["1.0~1", "1.0~expired", "expired~expired", "1.0~withdrawn", "1.0~1+0123456789ab"]
        var names: Set<String> = []
        for key in keys {
            for item in [StoredItem.sidecar(digest, key: key), .tombstone(digest, key: key), .expiry(digest, key: key)]
            {
                #expect(StoredItem(name: item.name) == item, "\(item.name)")
                #expect(names.insert(item.name).inserted, "\(item.name)")
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A registry knows whether its storage has any archive`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        #expect(try !registry.hasArchives)
        let digest = try storage.place(Self.bytes)
        #expect(try registry.hasArchives)
        try storage.blobs.remove(.blob(digest))
        #expect(try !registry.hasArchives)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `whole: a staged file that is not placed is invisible`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try #require(Digest.sha256(Self.bytes))
        do {
            let staged = try storage.blobs.stage()
            try staged.file.write(Self.bytes, at: 0)
        }
        #expect(try storage.blobs.open(digest) == nil && !storage.blobs.holds(digest))
        #expect(try storage.blobs.items(beginning: digest.bytes[0]).isEmpty)
        #expect(try storage.blobs.availableByteCount > 0)
    }

    @Test(arguments: StorageKind.allCases)
    func `whole: bytes that do not match the digest are never served, and the right bytes heal the archive`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        let digest = try storage.place(Self.bytes)
        _ = try storage.blobs.open(digest)
        try storage.damage(digest)
        guard case .damaged = try storage.blobs.check(digest) else {
            Issue.record("a damaged archive was not noticed")
            return
        }
        #expect(try storage.blobs.open(digest) == nil)
        #expect(try storage.blobs.quarantined().count == 1)
        guard case .missing = try storage.blobs.check(digest) else {
            Issue.record("a damaged archive is still there")
            return
        }
        _ = try storage.place(Self.bytes)
        #expect(try storage.blobs.open(digest)?.byteCount == Self.bytes.count)
    }

    @Test(arguments: StorageKind.allCases)
    func `honest: a missing archive is nil, and can be removed`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let blobs = storage.blobs
        let digest = try #require(Digest.sha256(Self.bytes))
        #expect(try blobs.open(digest) == nil && !blobs.holds(digest))
        #expect(try blobs.note(.sidecar(digest, key: "k")) == nil)
        for item in [StoredItem.blob(digest), .sidecar(digest, key: "k"), .tombstone(digest, key: "k")] {
            try blobs.remove(item)
        }
        blobs.takeBack([.blob(digest)])
        blobs.quarantine(digest, nil)
        #expect(try blobs.quarantined().count == 0)
    }

    @Test(arguments: StorageKind.allCases)
    func `undisturbed: an open archive does not change while it is replaced and removed`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try storage.place(Self.bytes)
        let file = try #require(try storage.blobs.open(digest))
        _ = try storage.place(Self.bytes)
        try storage.blobs.remove(.blob(digest))
        #expect(try file.read(at: 0, count: 99) == Self.bytes)
        #expect(try storage.blobs.open(digest) == nil)
    }

    @Test(arguments: StorageKind.allCases)
    func `undisturbed: collecting takes only listed items, and leaves those placed since`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try storage.place(Self.bytes)
        let listed = try #require(try storage.item(.blob(digest)))
        #expect(listed.byteCount == Self.bytes.count)
        _ = try storage.place(Self.bytes)
        #expect(try storage.blobs.detach(listed) == nil)
        #expect(try storage.blobs.open(digest) != nil)
        let present = try #require(try storage.item(.blob(digest)))
        let detached = try #require(try storage.blobs.detach(present))
        #expect(try storage.blobs.open(digest) == nil && storage.item(.blob(digest)) == nil)
        // Placed while the bytes of the one before are still to be freed.
        _ = try storage.place(Self.bytes)
        try storage.blobs.discard(detached)
        #expect(try storage.blobs.open(digest) != nil)
    }

    @Test func `undisturbed: collecting leaves a file alone that was written again in its place`() throws {
        let storage = try Storage(.local)
        let digest = try storage.place(Self.bytes)
        let listed = try #require(try storage.item(.blob(digest)))
        // The same inode and the same size; only the times tell.
        let file = try FileDescriptor.creating(storage.fixture.blob(digest))
        var marked = listed
        repeat {
            try file.write(Self.bytes, at: 0)
            marked = try #require(try storage.item(.blob(digest)))
        } while marked.changed == listed.changed
        #expect(marked.mark == listed.mark && marked.byteCount == listed.byteCount)
        #expect(try storage.blobs.detach(listed) == nil)
        #expect(try storage.blobs.open(digest) != nil)
        #expect(try storage.blobs.detach(marked) != nil)
    }

    @Test(arguments: StorageKind.allCases)
    func `repeatable: a note put again replaces the one before`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try storage.place(Self.bytes)
        try storage.blobs.put(Self.note(digest, "1"))
        try storage.blobs.put(Self.note(digest, "2"))
        #expect(try storage.blobs.note(Self.note(digest).item) == Array("2".utf8))
        let staged = try storage.blobs.stage()
        try staged.file.write([3], at: 0)
        try storage.blobs.put(staged, as: Self.note(digest).item)
        #expect(try storage.blobs.note(Self.note(digest).item) == [3])
        storage.blobs.takeBack([Self.note(digest).item, .blob(digest)])
        #expect(try storage.blobs.items(beginning: digest.bytes[0]).isEmpty)
    }
}

/// Goal: a registry decides alike over any storage. Method: the same life of a bundle over each, in names.
@Suite(.also(.cluster)) struct `A registry over any storage` {
    @Test(arguments: StorageKind.allCases)
    func `A registry over any storage publishes, rolls out, withdraws, restores and rolls back`(_ kind: StorageKind)
        throws
    {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        #expect(try registry.isEmpty)
        for version in ["1.0", "1.1"] { try registry.publish(version) }
        #expect(try registry.publish("1.1").outcome == .unchanged)
        try registry.publish("2.0", rollout: 1_000)
        #expect(try registry.shown() == ["2.0~1 0-1000", "1.1~1 1000-10000"])
        _ = try registry.withdraw(sample, "1.1~1", reason: "r", by: "x")
        #expect(try registry.shown() == ["2.0~1 0-1000", "1.0~1 1000-10000"])
        #expect(try refusal { try registry.publish("1.1") } != nil)
        _ = try registry.restore(sample, "1.1~1", by: "x")
        #expect(try registry.shown() == ["2.0~1 0-1000", "1.1~1 1000-10000"])
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "2.0~1"), by: "x")
        #expect(try registry.shown() == ["2.0~1 0-10000"])
        #expect(try registry.rollback(sample, "stable", to: nil, by: "x").release == "1.1~1")
        #expect(registry.latestTag == 7)
        #expect(try registry.changes(since: 0, limit: 99).items.map(\.tag) == Array(1...7))
        for release in try registry.releases(sample, limit: 9, after: nil).items {
            #expect(try registry.openBlob(release.digest).byteCount == release.byteCount)
            #expect(try registry.files(sample, release.key).files.count == 2)
        }
        #expect(try registry.bundles(BundleQuery(text: "SAMP", channel: "stable", limit: 9)).items.count == 1)
        #expect(try registry.bundles(BundleQuery(channel: "beta", limit: 9)).items.isEmpty)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test(arguments: StorageKind.allCases)
    func `A release that became new during its publication gets its files stored`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = InterruptedCatalog(storage.catalog)
        let registry = try Registry(
            catalog: catalog, blobs: storage.blobs,
            options: Registry.Options(in: World(clock: ManualClock(date: .seconds(1_000)))))
        let upload = Upload(version: "1.0", content: "[1]")
        let request = PublishRequest(.to("dev"), by: "tester")
        let digest = try registry.publish(upload, request).release.digest
        // Retention takes the snapshot and its files between the decision and the transaction.
        let keys = Guarded<[String]>([])
        catalog.interrupt { editor throws(RegistryError) in
            for release in try editor.releases(withDigest: digest, limit: 9) {
                try editor.setWithdrawal(Withdrawal(at: 1_000, reason: "beyond"), by: Retention.author, of: release.id)
                try editor.removeDocuments(of: release.id, at: 1)
                keys.withLock { $0.append(release.key) }
            }
        } then: { [blobs = storage.blobs] () throws(RegistryError) in
            for key in keys.withLock({ $0 }) { try blobs.remove(.sidecar(digest, key: key)) }
            try blobs.remove(.blob(digest))
        }
        #expect(try registry.publish(upload, request).outcome == .created)
        #expect(catalog.writes == 4)
        #expect(try registry.openBlob(digest).byteCount > 0)
        let key = try #require(try registry.releases(sample, limit: 1, after: nil).items.first?.key)
        #expect(try registry.files(sample, key).files.count == 2)
    }

    @Test(arguments: StorageKind.allCases)
    func `Bundles are listed in pages beyond the number that is asked for at once`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        for number in 100..<250 {
            _ = try storage.catalog.write { editor, _ throws(RegistryError) in
                try editor.add("1.0", of: "com.example.n\(number)")
            }
        }
        var found: [String] = []
        var after: String?
        repeat {
            let page = try registry.bundles(
                BundleQuery(limit: 7, after: after, isVisible: { $0.hasSuffix("1") || $0.hasSuffix("9") }))
            found += page.items.map(\.identifier)
            after = page.next
        } while after != nil
        #expect(found == (100..<250).map { "com.example.n\($0)" }.filter { $0.hasSuffix("1") || $0.hasSuffix("9") })
    }

    @Test(arguments: StorageKind.allCases)
    func `Garbage is collected beside publishers, and no release loses its archive`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry { $0.snapshotsKept = 1 }
        let isDone = Guarded(false)
        let group = DispatchGroup()
        let removed = Guarded(0)
        DispatchQueue(label: "test.collector").async(group: group) {
            while !isDone.withLock({ $0 }) {
                // Everything is old enough: only items of a release are safe.
                let report = try? registry.collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
                removed.withLock { $0 += report?.archives.count ?? 0 }
            }
        }
        DispatchQueue.concurrentPerform(iterations: 3) { publisher in
            for round in 0..<8 {
                _ = try? registry.publish("1.0", to: "dev", content: "[\(publisher), \(round % 3)]")
            }
        }
        isDone.withLock { $0 = true }
        group.wait()
        // A snapshot that one collection retires is removed by the next.
        for _ in 0..<2 {
            let report = try registry.collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
            removed.withLock { $0 += report.archives.count }
        }
        let live = try registry.releases(sample, limit: 99, after: nil).items.filter { $0.withdrawal == nil }
        #expect(!live.isEmpty)
        for release in live { _ = try registry.openBlob(release.digest) }
        #expect(removed.withLock { $0 } > 0)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }
}

/// Goal: any replica collects garbage while all publish. Method: registries that share catalog and store and nothing else, in
/// the place of replicas; everything is old enough to be collected at once.
@Suite(.also(.cluster)) struct `Registries that share a storage` {
    private static let shared = StorageKind.allCases.filter { ![.memory, .local, .postgres].contains($0) }

    @Test(arguments: shared)
    func `place an archive anew that another collected between its last byte and its transaction`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let another = try #require(storage.another)
        let options = Registry.Options(in: World(clock: ManualClock(date: .seconds(1_000))))
        let catalog = InterruptedCatalog(storage.catalog)
        let publisher = try Registry(catalog: catalog, blobs: storage.blobs, options: options)
        let collector = try Registry(catalog: storage.catalog, blobs: another(), options: options)
        let report = Guarded<CollectReport?>(nil)
        catalog.interrupt { _ throws(RegistryError) in
        } then: { () throws(RegistryError) in
            let done = try collector.collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
            report.withLock { $0 = done }
        }
        let release = try publisher.publish("1.0").release
        #expect(report.withLock { $0?.archives.count } == 1)
        #expect(try collector.openBlob(release.digest).byteCount == release.byteCount)
        #expect(try collector.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        // The note of a withdrawal, likewise: refused, and nothing is withdrawn.
        catalog.interrupt { _ throws(RegistryError) in
        } then: { () throws(RegistryError) in
            _ = try collector.collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
        }
        guard
            case .unreachable? = try refusal({ try publisher.withdraw(sample, "1.0~1", reason: "r", by: "x") })
        else {
            Issue.record("the withdrawal was not refused")
            return
        }
        #expect(try publisher.shown() == ["1.0~1 0-10000"])
        #expect(try publisher.withdraw(sample, "1.0~1", reason: "r", by: "x").withdrawal != nil)
    }

    @Test(arguments: shared)
    func `collect garbage beside publishing on all of them, and no release loses its archive`(_ kind: StorageKind)
        throws
    {
        let storage = try Storage(kind)
        defer { storage.end() }
        let another = try #require(storage.another)
        func registry() throws -> Registry {
            let clock = storage.fixture.clock
            var options = Registry.Options(in: World(clock: clock))
            options.snapshotsKept = 1
            return try Registry(catalog: storage.catalog, blobs: another(), options: options)
        }
        let registries = try (0..<4).map { _ in try registry() }
        let isDone = Guarded(false)
        let (removed, published, failures) = (Guarded(0), Guarded(0), Guarded<[String]>([]))
        let group = DispatchGroup()
        for collector in registries.suffix(2) {
            DispatchQueue(label: "test.collector").async(group: group) {
                while !isDone.withLock({ $0 }) {
                    let report = try? collector.collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
                    removed.withLock { $0 += report?.archives.count ?? 0 }
                }
            }
        }
        // The same few contents again and again, so that each is collected and published many times.
        DispatchQueue.concurrentPerform(iterations: 3) { publisher in
            for round in 0..<10 {
                do {
                    let registry = registries[publisher]
                    let release = try registry.publish("1.0", to: "dev", content: "[\(round % 3)]").release
                    published.withLock { $0 += 1 }
                    // Acknowledged, and not replaced yet or already: if it is live, its bytes are there.
                    let present = try registry.releaseOfBlob(release.digest)
                    if present.lastGone == nil { _ = try registry.openBlob(release.digest) }
                } catch RegistryError.unreachable {
                    // Collected as it was made, again and again: refused, which is not acknowledged.
                } catch RegistryError.damagedBlob(let digest) {
                    // It may have been withdrawn and collected between the two questions.
                    let owner = try? registries[publisher].releaseOfBlob(digest)
                    if owner?.lastGone == nil, (try? registries[publisher].openBlob(digest)) == nil {
                        failures.withLock { $0.append("\(digest)") }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        isDone.withLock { $0 = true }
        group.wait()
        // A snapshot that one collection retires is removed by the next, also where the store is slow.
        for _ in 0..<2 {
            let report = try registries[3].collect(grace: -10_000_000_000, isDryRun: false) { _, _ in }
            removed.withLock { $0 += report.archives.count }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(published.withLock { $0 } > 0 && removed.withLock { $0 } > 0)
        let fresh = try registry()
        let live = try fresh.releases(sample, limit: 99, after: nil).items.filter { $0.withdrawal == nil }
        #expect(!live.isEmpty)
        for release in live { _ = try fresh.openBlob(release.digest) }
        #expect(try fresh.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }
}

@Suite struct `A blob` {
    let registry: Registry
    let release: Release
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
        release = try registry.publish("1.0").release
    }

    func bytes(_ blob: Blob) throws -> [UInt8] { try blob.file.descriptor.read(at: 0, count: 1 << 20) }

    func change(_ damage: (inout [UInt8]) -> Void) throws {
        let file = try FileDescriptor.creating(fixture.blob(release.digest))
        var bytes = try file.read(at: 0, count: 1 << 20)
        damage(&bytes)
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
    }

    @Test func `A digest that was never published is not found`() throws {
        let digest = try #require(Digest.sha256([1]))
        #expect(try refusal { try registry.openBlob(digest) } == .noSuchBlob(digest))
        #expect(try refusal { try registry.releaseOfBlob(digest) } == .noSuchBlob(digest))
    }

    @Test func `An open blob can be opened again, and stays open when its name is removed or replaced`() throws {
        let first = try registry.openBlob(release.digest)
        #expect(first.byteCount == release.byteCount && first.modified == release.published)
        let again = try registry.openBlob(release.digest)
        #expect(first.status == again.status)
        let copy = try first.file.descriptor.duplicate()
        try Directory(opening: fixture.path + "/blobs/" + release.digest.hex.prefix(2))
            .removeFile("\(release.digest.hex).zip")
        #expect(try Digest.sha256(bytes(first)) == release.digest)
        #expect(try Digest.sha256(copy.read(at: 0, count: 1 << 20)) == release.digest)
    }

    static let damages: [(String, @Sendable (inout [UInt8]) -> Void)] = [
        ("a flipped bit", { $0[$0.count / 2] ^= 1 }),
        ("a flipped last bit", { $0[$0.count - 1] ^= 0x80 }),
        ("a lost byte", { $0.removeLast() }),
        ("nothing", { $0 = [] }),
        ("a byte more", { $0.append(0) }),
        ("zeros", { $0 = Array(repeating: 0, count: $0.count) }),
    ]

    @Test(arguments: damages.indices, [false, true])
    func `A damaged blob is moved to quarantine and never served`(_ index: Int, wasOpened: Bool) throws {
        if wasOpened { _ = try registry.openBlob(release.digest) }
        try change(Self.damages[index].1)
        for _ in 0..<2 {
            #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
        }
        #expect(try fixture.names("quarantine") == ["\(release.digest.hex).zip"])
        #expect(try !fixture.shard(of: release.digest).contains("\(release.digest.hex).zip"))
        // Other requests work, and the same bundle heals it.
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        #expect(try registry.publish("1.0").outcome == .unchanged)
        #expect(try Digest.sha256(bytes(registry.openBlob(release.digest))) == release.digest)
        #expect(registry.latestTag == 1)
    }

    @Test func `A blob swapped with another is moved to quarantine`() throws {
        let other = try registry.publish("2.0").release
        let (one, two) = (fixture.blob(release.digest), fixture.blob(other.digest))
        try FileWork.move(one, to: "\(fixture.path)/x")
        try FileWork.move(two, to: one)
        try FileWork.move("\(fixture.path)/x", to: two)
        for digest in [release.digest, other.digest] {
            #expect(try refusal { try registry.openBlob(digest) } == .damagedBlob(digest))
        }
        #expect(try fixture.names("quarantine").count == 2)
    }

    @Test func `A missing blob is reported as damaged`() throws {
        try Directory(opening: fixture.path + "/blobs/" + release.digest.hex.prefix(2))
            .removeFile("\(release.digest.hex).zip")
        #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
    }

    @Test func `A blob behind a link is not served`() throws {
        let path = fixture.blob(release.digest)
        try FileWork.move(path, to: "\(fixture.path)/x")
        try FileWork.link(path, to: "\(fixture.path)/x")
        #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
        #expect(try fixture.names("quarantine") == ["\(release.digest.hex).zip"])
    }

    @Test func `A blob with new times and the same bytes is compared again and served`() throws {
        let before = try registry.openBlob(release.digest)
        try change { _ in }
        let after = try registry.openBlob(release.digest)
        #expect(before.status != after.status)
        #expect(try Digest.sha256(bytes(after)) == release.digest)
    }
}
