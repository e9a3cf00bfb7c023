import LocalStore
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

private let day: Int64 = 86_400

/// Goal: what others write while a collection lets releases expire counts, whichever comes first. Method: two registries over
/// one store, as two replicas have it; the other acts between any two writes of the first.
@Suite(.also(.cluster)) struct `Expiry beside other replicas` {
    /// A store with four releases, of which the first three are to expire.
    private struct Pair {
        let storage: Storage
        let between: InterruptedCatalog
        /// The one whose writes are interrupted.
        let first: Registry
        let other: Registry

        init(_ kind: StorageKind, rollbacks: Int = 0) throws {
            let storage = try Storage(kind)
            self.storage = storage
            storage.fixture.clock.setDate(to: SystemClock().seconds)
            between = InterruptedCatalog(storage.catalog)
            var options = Registry.Options(in: World(clock: storage.fixture.clock))
            options.retention = { .all(last: 1, rollbacks: rollbacks) }
            first = try Registry(catalog: between, blobs: storage.blobs, options: options)
            other = try Registry(catalog: storage.catalog, blobs: storage.blobs, options: options)
            for version in ["1.0", "1.1", "1.2", "1.3"] {
                try other.publish(version)
                storage.fixture.pass(seconds: 2 * day)
            }
        }

        func note(_ item: StoredItem) throws -> String? {
            try storage.blobs.note(item).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// More than the writes of a collection.
    private static let mostWrites = 40

    @Test(arguments: StorageKind.allCases)
    func `A withdrawal in the middle of an expiry keeps its note, and hosts stop`(_ kind: StorageKind) throws {
        for count in 0..<Self.mostWrites {
            let pair = try Pair(kind)
            defer { pair.storage.end() }
            let other = pair.other
            pair.between.interrupt(after: count) { _ in
            } then: { () throws(RegistryError) in
                _ = try other.withdraw(sample, "1.0~1", reason: "leaks", directive: .stop, by: "x")
            }
            _ = try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
            if pair.between.isWaiting {
                // The last has come between all writes.
                #expect(count > 4)
                return
            }
            let release = try other.release(sample, "1.0~1")
            #expect(release.withdrawal?.reason == "leaks", "\(count)")
            #expect(try other.resolve(ResolveQuery(widgetIdentifier: sample)).withdrawn.map(\.key) == ["1.0~1"])
            let words = try #require(try pair.note(.tombstone(release.digest, key: release.key)), "\(count)")
            #expect(words.contains("\"withdrawn\":{") && words.contains("leaks"), "\(count): \(words)")
            #expect(try (pair.note(.expiry(release.digest, key: release.key)) != nil) == (release.expiry != nil))
            #expect(try other.release(sample, "1.1~1").expiry != nil)
            #expect(try other.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound, "\(count)")
        }
        Issue.record("a collection has more writes than this test looks at")
    }

    @Test(arguments: StorageKind.allCases)
    func `An expiry in the middle of a withdrawal does not take the place of its note`(_ kind: StorageKind) throws {
        let pair = try Pair(kind)
        defer { pair.storage.end() }
        let other = pair.other
        pair.between.interrupt { _ in
        } then: { () throws(RegistryError) in
            // Files are as old as the system says, and the clock is ahead of it.
            _ = try other.collect(grace: 30 * day, isDryRun: false, isConfirmed: true) { _, _ in }
        }
        let release = try pair.first.withdraw(sample, "1.0~1", reason: "leaks", directive: .stop, by: "x")
        #expect(release.withdrawal != nil && release.expiry != nil && !pair.between.isWaiting)
        #expect(try pair.note(.tombstone(release.digest, key: release.key))?.contains("leaks") == true)
        #expect(try pair.note(.expiry(release.digest, key: release.key))?.contains("\"expired\":{") == true)
        #expect(try other.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test func `A catalog that is made anew has the withdrawal of a release that had expired`() throws {
        let storage = try Fixture()
        storage.clock.setDate(to: SystemClock().seconds)
        func end() throws {
            let registry = try storage.open { $0.retention = { .all(last: 1, rollbacks: 0) } }
            for version in ["1.0", "1.1", "1.2"] {
                try registry.publish(version)
                storage.pass(seconds: 2 * day)
            }
            _ = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
            _ = try registry.withdraw(sample, "1.0~1", reason: "leaks", directive: .stop, by: "x")
        }
        try end()
        let options = Registry.Options(in: World(clock: storage.clock))
        let report = try Registry.rebuild(storage.path, options: options, policy: .init()) { _, _ in }
        #expect(report.withdrawn == 1 && report.expired == 2 && report.skipped.isEmpty, "\(report)")
        let registry = try storage.open()
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).withdrawn.map(\.key) == ["1.0~1"])
        let both = try registry.release(sample, "1.0~1")
        #expect(both.withdrawal?.directive == .stop && both.expiry?.rule == "* last=1")
        #expect(try registry.release(sample, "1.1~1").withdrawal == nil)
    }

    @Test func `A catalog that is made anew has both ends of releases, and leaves out an expiry that cannot be read`()
        throws
    {
        let storage = try Fixture()
        storage.clock.setDate(to: SystemClock().seconds)
        let count = 8
        func end() throws -> [Release] {
            let registry = try storage.open { $0.retention = { .all(last: 1, rollbacks: 0) } }
            for number in 0...count {
                try registry.publish("1.\(number)")
                storage.pass(seconds: 2 * day)
            }
            let report = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
            #expect(report.expired.amount.count == count)
            // All but the last are withdrawn as well.
            for number in 0..<count - 1 {
                _ = try registry.withdraw(sample, "1.\(number)~1", reason: "leaks", directive: .stop, by: "x")
            }
            return try (0..<count).map { try registry.release(sample, "1.\($0)~1") }
        }
        let gone = try end()
        for release in [gone[0], gone[count - 1]] {
            try Directory(opening: "\(storage.path)/blobs/\(release.digest.hex.prefix(2))")
                .replaceFile("\(release.digest.hex).\(release.key)~expired.json", with: Array("{}".utf8))
        }
        let options = Registry.Options(in: World(clock: storage.clock))
        let report = try Registry.rebuild(storage.path, options: options, policy: .init()) { _, _ in }
        #expect(report.withdrawn == count - 1 && report.expired == count - 2, "\(report)")
        #expect(report.skipped.count == 2, "\(report)")
        #expect(report.skipped.allSatisfy { $0.hasSuffix("speaks of an expiry and cannot be read") }, "\(report)")
        let registry = try storage.open()
        for release in gone[1..<count - 1] {
            let known = try registry.release(sample, release.key)
            #expect(known.expiry == release.expiry && known.withdrawal?.reason == "leaks", "\(release.key)")
        }
        // Of one the withdrawal is left, and of the other nothing.
        let first = try registry.release(sample, gone[0].key)
        #expect(first.expiry == nil && first.withdrawal?.directive == .stop)
        guard case .noSuchRelease = try refusal({ try registry.release(sample, gone[count - 1].key) }) else {
            Issue.record("a note that cannot be read made a release")
            return
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A withdrawal while an expired snapshot is published again keeps its note`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let blobs = InterruptedBlobs(storage.blobs)
        var options = Registry.Options(in: World(clock: storage.fixture.clock))
        options.retention = { .all(last: 1, rollbacks: 0) }
        let first = try Registry(catalog: storage.catalog, blobs: blobs, options: options)
        let other = try Registry(catalog: storage.catalog, blobs: storage.blobs, options: options)
        let snapshot = try other.publish("1.0", to: "dev", content: "[1]").release
        storage.fixture.pass(seconds: 2 * day)
        try other.publish("1.0", to: "dev", content: "[2]")
        storage.fixture.pass(seconds: 2 * day)
        _ = try other.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
        #expect(try other.release(sample, snapshot.key).expiry != nil)
        // Its archive is placed again by then, and its transaction is to come.
        blobs.interrupt { () throws(RegistryError) in
            _ = try other.withdraw(sample, snapshot.key, reason: "leaks", directive: .stop, by: "x")
        }
        guard case .keyWithdrawn = try refusal({ try first.publish("1.0", to: "dev", content: "[1]") }) else {
            Issue.record("a withdrawn key was given again")
            return
        }
        let note = try #require(try storage.blobs.note(.tombstone(snapshot.digest, key: snapshot.key)))
        #expect(String(decoding: note, as: UTF8.self).contains("leaks"))
        #expect(try other.release(sample, snapshot.key).withdrawal?.directive == .stop)
    }

    @Test(arguments: StorageKind.allCases)
    func `A release that a channel shows by then stays, and the others expire`(_ kind: StorageKind) throws {
        for count in 0..<Self.mostWrites {
            let pair = try Pair(kind)
            defer { pair.storage.end() }
            let other = pair.other
            let isShown = Guarded(false)
            pair.between.interrupt(after: count) { _ in
            } then: { () throws(RegistryError) in
                do throws(RegistryError) {
                    let setting = ChannelSetting(release: "1.0~1", rollout: 10_000)
                    _ = try other.setChannel(sample, "beta", setting, by: "x")
                    isShown.withLock { $0 = true }
                } catch {
                    // It has expired before.
                    guard case .expired = error else { throw error }
                }
            }
            let report = try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
            if pair.between.isWaiting { return }
            let stays = isShown.withLock { $0 }
            #expect(try other.release(sample, "1.0~1").isGone != stays, "\(count)")
            #expect(try other.release(sample, "1.1~1").isGone && other.release(sample, "1.2~1").isGone, "\(count)")
            #expect(report.expired.amount.count == (stays ? 2 : 3), "\(count)")
            let note = try pair.note(.expiry(other.release(sample, "1.0~1").digest, key: "1.0~1"))
            #expect((note == nil) == stays, "\(count)")
        }
        Issue.record("a collection has more writes than this test looks at")
    }

    /// Another replica that acts before each write of a collection.
    private final class Neighbour: Sendable {
        private let between: InterruptedCatalog
        private let act: @Sendable (Int) throws(RegistryError) -> Void
        private let count = Guarded(0)

        /// - Parameter act: takes the number of the act, from 1 on.
        init(_ between: InterruptedCatalog, _ act: @escaping @Sendable (Int) throws(RegistryError) -> Void) {
            self.between = between
            self.act = act
            wait()
        }

        var acts: Int { count.withLock { $0 } }

        private func wait() {
            between.interrupt { _ in
            } then: { [self] () throws(RegistryError) in
                let number = count.withLock { count -> Int in
                    count += 1
                    return count
                }
                try act(number)
                wait()
            }
        }

        /// A publisher who moves a channel back and forth.
        static func moving(_ pair: Pair) -> Neighbour {
            let other = pair.other
            return Neighbour(pair.between) { number throws(RegistryError) in
                let setting = ChannelSetting(release: number.isMultiple(of: 2) ? "1.3~1" : "1.2~1")
                _ = try other.setChannel(sample, "beta", setting, by: "x")
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A bundle that changes before each write expires at the last look`(_ kind: StorageKind) throws {
        let pair = try Pair(kind)
        defer { pair.storage.end() }
        let publisher = Neighbour.moving(pair)
        let report = try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }.expired
        #expect(publisher.acts > Expiring.mostLooks && report.left == 0)
        // The channel shows 1.2, or did so a moment ago.
        #expect(report.items.map(\.key) == ["1.0~1", "1.1~1"])
        let alive = try pair.other.releases(sample, limit: 9, after: nil).items.filter { !$0.isGone }.map(\.key)
        #expect(alive == ["1.3~1", "1.2~1"])
        #expect(try pair.other.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test(arguments: StorageKind.allCases)
    func `A release that a channel shows during any of several looks and batches stays`(_ kind: StorageKind) throws {
        // Until one write the other moves a channel before each, so that the bundle is looked at again; before that one it shows
        // the last release of three batches, and then it is quiet.
        var looks = 0
        for turn in 1...Expiring.mostLooks + 5 {
            let pair = try Pair(kind)
            defer { pair.storage.end() }
            try pair.storage.catalog.write { editor, _ throws(RegistryError) in
                for number in 0..<70 { _ = try editor.add("0.\(number)") }
            }
            let other = pair.other
            let isShown = Guarded(false)
            let publisher = Neighbour(pair.between) { number throws(RegistryError) in
                guard number != turn else {
                    _ = try other.setChannel(sample, "beta", ChannelSetting(release: "1.2~1"), by: "x")
                    return isShown.withLock { $0 = true }
                }
                guard number < turn else { return }
                let release = number.isMultiple(of: 2) ? "1.3~1" : "1.1~1"
                _ = try other.setChannel(sample, "gamma", ChannelSetting(release: release), by: "x")
            }
            let report = try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }.expired
            #expect(isShown.withLock { $0 } && report.left == 0, "\(turn)")
            #expect(report.amount.count >= 70 && !report.items.map(\.key).contains("1.2~1"), "\(turn)")
            #expect(try !other.release(sample, "1.2~1").isGone, "\(turn)")
            looks = max(looks, publisher.acts)
        }
        // Three batches of the last look came after three looks that a change had ended.
        #expect(looks >= Expiring.mostLooks - 1 + 3)
    }

    @Test func `A bundle that changes before each write and has too long a history is left, and counted`() throws {
        // Two rollbacks are looked for from the channel's last step to its first, and one is found.
        let pair = try Pair(.local, rollbacks: 2)
        defer { pair.storage.end() }
        _ = try pair.other.setChannel(sample, "beta", ChannelSetting(release: "1.3~1"), by: "x")
        let id = try #require(try pair.storage.catalog.ask { try $0.bundle(sample).map(\.id) })
        let shown = try #require(try pair.storage.catalog.ask { try $0.channel("beta", ofBundle: id) })
        func collect() throws -> ExpiryReport {
            try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }.expired
        }
        try pair.storage.catalog.write { editor, _ throws(RegistryError) in
            for number in 1...Expiring.mostSteps {
                _ = try editor.insert(
                    ChannelStep(
                        bundle: id, channel: "beta", sequence: shown.sequence + Int64(number), at: 1_000,
                        kind: .promote, state: shown.state))
            }
        }
        let publisher = Neighbour.moving(pair)
        let report = try collect()
        #expect(publisher.acts > Expiring.mostLooks && report.left == 1 && report.amount.count == 0)
        #expect(try pair.other.release(sample, "1.0~1").expiry == nil)
    }

    @Test func `Where more changes came than are looked through, the bundle counts as changed`() throws {
        /// - Returns: the number of writes.
        func writes(besides changes: Int) throws -> Int {
            let pair = try Pair(.local)
            defer { pair.storage.end() }
            let catalog = pair.storage.catalog
            let others = Neighbour(pair.between) { _ throws(RegistryError) in
                try catalog.write { editor, _ throws(RegistryError) in
                    for _ in 0..<changes { _ = try editor.tell("com.acme.Other") }
                }
            }
            let report = try pair.first.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }.expired
            #expect(report.amount.count == 3 && report.left == 0, "\(changes)")
            return others.acts
        }
        #expect(
            try writes(besides: Going.mostChanges) == writes(besides: Going.mostChanges - 1) + Expiring.mostLooks - 1)
    }

    @Test(arguments: StorageKind.allCases)
    func `Of two releases with one archive, the one that stays keeps it`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let registry = try storage.registry { $0.retention = { .all(last: 1, rollbacks: 0) } }
        // A release and a snapshot of the same bytes. The last snapshot stays, and of releases another one.
        let release = try registry.publish("1.0").release
        let snapshot = try registry.publish("1.0", to: "dev").release
        storage.fixture.pass(seconds: 2 * day)
        try registry.publish("1.1")
        storage.fixture.pass(seconds: 2 * day)
        #expect(release.digest == snapshot.digest && release.key != snapshot.key)
        let foretold = try registry.collect(grace: 3_600, isDryRun: true, isConfirmed: true) { _, _ in }
        let report = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
        for found in [foretold, report] {
            #expect(found.expired.items.map(\.key) == [release.key], "\(found)")
            // It frees nothing: neither by its words nor of the archives.
            #expect(found.expired.amount.byteCount == 0 && found.archives.count == 0, "\(found)")
        }
        #expect(try storage.item(.blob(release.digest)) != nil)
        #expect(try registry.files(sample, snapshot.key).files.count > 0)
        // Both go, and the archive is counted once and removed.
        try registry.publish("1.2", to: "dev")
        storage.fixture.pass(seconds: 2 * day)
        let last = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
        #expect(last.expired.items.map(\.key) == [snapshot.key], "\(last.expired)")
        #expect(last.expired.amount.byteCount == release.byteCount && last.archives.count == 1)
        #expect(try storage.item(.blob(release.digest)) == nil)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test(arguments: StorageKind.allCases)
    func `A bundle with a long history expires in steps of a few releases`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let between = InterruptedCatalog(storage.catalog)
        var options = Registry.Options(in: World(clock: storage.fixture.clock))
        options.retention = { .all(last: 3, rollbacks: 1) }
        let registry = try Registry(catalog: between, blobs: storage.blobs, options: options)
        let count = 520
        try storage.catalog.write { editor, _ throws(RegistryError) in
            for number in 0..<count { _ = try editor.add("1.\(number)", isSnapshot: number % 2 == 0) }
        }
        let foretold = try registry.collect(grace: 3_600, isDryRun: true, isConfirmed: true) { _, _ in }.expired
        let before = between.writes
        let done = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }.expired
        #expect(foretold.amount == done.amount && foretold.items == done.items)
        #expect(done.amount.count == count - 6 && done.amount.byteCount == (count - 6) * 100)
        // Releases come before snapshots, each in the order in which they were published.
        #expect(done.items.first?.key == "1.1~1" && done.items.last?.key == "1.\(count - 8)~1")
        let kept = try registry.releases(sample, limit: count, after: nil).items.filter { !$0.isGone }.map(\.key)
        #expect(Set(kept) == Set((count - 6..<count).map { "1.\($0)~1" }))
        #expect(between.writes - before >= (count - 6) / 32)
        #expect(try registry.usage(of: .all).stored.releases == 6)
    }
}

/// A store in which another replica acts once an archive was placed.
private final class InterruptedBlobs: BlobStore {
    private typealias Act = @Sendable () throws(RegistryError) -> Void

    private let blobs: any BlobStore
    private let next: Guarded<Act?> = Guarded(nil)

    init(_ blobs: any BlobStore) { self.blobs = blobs }

    func interrupt(_ act: @escaping @Sendable () throws(RegistryError) -> Void) { next.withLock { $0 = act } }

    func place(
        _ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?
    ) throws(RegistryError) {
        try blobs.place(archive, as: digest, with: note)
        let act = next.withLock { next -> Act? in
            defer { next = nil }
            return next
        }
        if let act { try act() }
    }

    func stage() throws(RegistryError) -> StagedFile { try blobs.stage() }
    func open(_ digest: Digest) throws(RegistryError) -> StoredFile? { try blobs.open(digest) }
    func holds(_ digest: Digest) throws(RegistryError) -> Bool { try blobs.holds(digest) }
    func check(_ digest: Digest) throws(RegistryError) -> BlobCondition { try blobs.check(digest) }
    func quarantine(_ digest: Digest, _ file: StoredFile?) { blobs.quarantine(digest, file) }
    func distrust(_ digest: Digest) { blobs.distrust(digest) }
    func put(_ note: StoredNote) throws(RegistryError) { try blobs.put(note) }
    func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError) { try blobs.put(file, as: item) }
    func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]? { try blobs.note(item) }
    func remove(_ item: StoredItem) throws(RegistryError) { try blobs.remove(item) }
    func takeBack(_ items: [StoredItem]) { blobs.takeBack(items) }
    func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem] { try blobs.items(beginning: byte) }
    func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem? { try blobs.detach(item) }
    func discard(_ item: DetachedItem) throws(RegistryError) { try blobs.discard(item) }
    func sweep() throws(RegistryError) { try blobs.sweep() }
    func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool {
        try blobs.holds(items, in: catalog)
    }
    func quarantined() throws(RegistryError) -> ItemShare { try blobs.quarantined() }
    var availableByteCount: Int { get throws(RegistryError) { try blobs.availableByteCount } }
    var remote: RemoteBlobs? { blobs.remote }
}
