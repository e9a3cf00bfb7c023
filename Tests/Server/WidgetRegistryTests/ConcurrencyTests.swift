import Dispatch
import Foundation
import Glibc
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@Suite struct `Many at once` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    /// Runs the body on a number of threads at once, and returns their errors.
    private func race(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
        let failures: Guarded<[String]> = Guarded([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do {
                try body(index)
            } catch {
                failures.withLock { $0.append("\(index): \(error)") }
            }
        }
        return failures.withLock { $0 }
    }

    @Test func `Many publishers of the same content make one release`() throws {
        let registry = registry
        let outcomes: Guarded<[Publication.Outcome]> = Guarded([])
        #expect(
            race(16) { _ in
                let result = try registry.publish("1.0")
                outcomes.withLock { $0.append(result.outcome) }
            }.isEmpty)
        let counted = outcomes.withLock { $0 }
        #expect(counted.count == 16 && counted.filter { $0 == .created }.count == 1)
        #expect(registry.latestTag == 1)
        let release = try registry.release(sample, "1.0~1")
        #expect(try fixture.shard(of: release.digest).count == 2)
    }

    @Test func `Many publishers of different content under one key leave one of it, whole`() throws {
        let registry = registry
        let winners: Guarded<[Release]> = Guarded([])
        _ = race(12) { index in
            do {
                let result = try registry.publish("1.0", content: "[\(index)]")
                winners.withLock { $0.append(result.release) }
            } catch RegistryError.releaseExists {
            }
        }
        let won = winners.withLock { $0 }
        #expect(won.count == 1)
        #expect(try registry.release(sample, "1.0~1") == won.first)
        // Nothing is left of the others.
        var zips = 0
        for shard in try fixture.names("blobs") {
            zips += try fixture.names("blobs", shard).filter { $0.hasSuffix(".zip") }.count
        }
        #expect(zips == 1)
        #expect(try fixture.names("staging").isEmpty)
    }

    @Test func `Many publishers of versions in any order have the result of one after the other`() throws {
        let registry = registry
        let seen = Seen()
        registry.observe { seen.add("\($0.tag)") }
        let versions = (0..<48).map { ($0 * 29) % 48 }
        #expect(
            race(8) { worker in
                for version in versions where version % 8 == worker {
                    let result = try registry.publish("1.\(version)")
                    // An acknowledged release is there at once.
                    _ = try registry.openBlob(result.release.digest)
                }
            }.isEmpty)
        let changes = try registry.changes(since: 0, limit: 100).items
        #expect(changes.map(\.tag) == Array(1...48))
        #expect(seen.lines == changes.map { "\($0.tag)" })
        // The model: each, in the order of the feed, moves the channel if it is not lower.
        var shown = -1
        var sequence: Int64 = 0
        for change in changes {
            let version = try #require(Int(change.release.dropFirst(2).prefix { $0 != "~" }))
            if version >= shown {
                shown = version
                sequence += 1
                #expect(change.channel == "stable" && change.sequence == sequence)
            } else {
                #expect(change.channel == nil && change.sequence == nil)
            }
        }
        #expect(try registry.channel(sample, "stable").sequence == sequence)
        #expect(try registry.shown() == ["1.47~1 0-10000"])
        #expect(try registry.bundle(sample).latest == "1.47~1")
        #expect(try registry.bundle(sample).releaseCount == 48)
    }

    @Test func `Readers beside all kinds of writers never see half a change, nor a lower sequence`() throws {
        let registry = registry
        for version in 0..<4 { try registry.publish("1.\(version)") }
        let isOver = Guarded(false)
        let failures = race(6) { worker in
            if worker < 3 {
                defer { if worker == 0 { isOver.withLock { $0 = true } } }
                var random = SeededGenerator(seed: UInt64(worker) + 40)
                for step in 0..<60 {
                    let key = "1.\(Int.random(in: 0..<6, using: &random))~1"
                    do {
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0: _ = try registry.withdraw(sample, key, reason: "r", by: "x")
                        case 1: _ = try registry.restore(sample, key, by: "x")
                        case 2: _ = try registry.rollback(sample, "stable", to: nil, by: "x")
                        case 3:
                            let setting = ChannelSetting(
                                release: key, rollout: Int.random(in: 0...10_000, using: &random))
                            _ = try registry.setChannel(sample, "stable", setting, by: "x")
                        default:
                            try registry.publish(
                                "1.\(Int.random(in: 0..<6, using: &random))",
                                rollout: step % 2 == 0 ? 10_000 : 2_500, force: step % 3 == 0)
                        }
                    } catch let error as RegistryError {
                        switch error {
                        case .withdrawn, .noSuchRelease, .noEarlierRelease, .keyWithdrawn, .notWithdrawn: break
                        default: throw error
                        }
                    }
                }
            } else {
                var sequence: Int64 = 0
                var tag: Int64 = 0
                while !isOver.withLock({ $0 }) {
                    do {
                        let resolution = try registry.resolve(ResolveQuery(widgetIdentifier: sample))
                        guard resolution.sequence >= sequence else { throw Went(back: sequence, resolution.sequence) }
                        sequence = resolution.sequence
                        for candidate in resolution.candidates {
                            let blob = try registry.openBlob(candidate.release.digest)
                            guard blob.byteCount == candidate.release.byteCount, candidate.release.withdrawal == nil
                            else { throw Went(back: 0, 0) }
                        }
                    } catch RegistryError.withdrawn, RegistryError.noCompatibleRelease {
                    }
                    let page = try registry.changes(since: tag, limit: 50)
                    for change in page.items {
                        guard change.tag == tag + 1 else { throw Went(back: tag, change.tag) }
                        tag = change.tag
                    }
                }
            }
        }
        #expect(failures.isEmpty)
        let changes = try registry.changes(since: 0, limit: 10_000).items
        let sequences = changes.filter { $0.channel == "stable" }.compactMap(\.sequence)
        #expect(sequences == Array(1...Int64(sequences.count)))
        #expect(try registry.channel(sample, "stable").sequence == Int64(sequences.count))
    }

    private struct Went: Error {
        var from: Int64
        var to: Int64
        init(back from: Int64, _ to: Int64) {
            self.from = from
            self.to = to
        }
    }
}

/// While gc removes an archive, a client may publish it again.
@Suite struct `Collecting garbage while the same bytes come back` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        // Files are as old as the system says: by this clock, all of them are old.
        let now = Int64(time(nil))
        fixture.clock.setDate(to: now + 1_000_000)
    }

    private func isSound(_ registry: Registry) throws -> Bool {
        try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound
    }

    /// As many files as it takes gc a while to remove, before the one in the same folder that it comes to last.
    private func litter(besides digest: Digest, count: Int) throws {
        let shard = String(digest.hex.prefix(2))
        let folder = try Directory(opening: "\(fixture.path)/blobs/\(shard)")
        for number in 0..<count {
            let digits = String(number, radix: 16)
            let name = shard + String(repeating: "0", count: 62 - digits.count) + digits + ".zip"
            try folder.createFile(name).close()
        }
    }

    /// The number of its files that are left.
    private func litter(besides digest: Digest) throws -> Int {
        let shard = String(digest.hex.prefix(2))
        return try fixture.names("blobs", shard).count { $0.hasPrefix("\(shard)00000000") }
    }

    /// The folder is listed and compared with the catalog; then, while what lies before it is removed, the archive
    /// gets a release again. Neither the archive nor its note may go.
    @Test func `An archive that is published after its folder was listed is kept`() throws {
        let registry = try fixture.open { $0.snapshotsKept = 1 }
        var isMet = false
        for round in 0..<6 where !isMet {
            // A snapshot whose place another has taken, and whose files stand for removal.
            let mine = "[\(round), 1]"
            let digest = try registry.publish("1.0", to: "dev", content: mine).release.digest
            try registry.publish("1.0", to: "dev", content: "[\(round), 2]")
            _ = try registry.collect(grace: 3_600, isDryRun: false) { _, _ in }
            fixture.pass(seconds: 10_000)
            let litter = 600
            try self.litter(besides: digest, count: litter)
            let group = DispatchGroup()
            let (isOver, isDone) = (Guarded(false), Guarded(false))
            DispatchQueue(label: "test.gc").async(group: group) {
                let report = try? registry.collect(grace: 0, isDryRun: false) { _, _ in }
                isDone.withLock { $0 = report != nil }
                isOver.withLock { $0 = true }
            }
            // Once it has begun with the folder, and before it has come to the end of it.
            while try self.litter(besides: digest) == litter, !isOver.withLock({ $0 }) {}
            let again = try registry.publish("1.0", to: "dev", content: mine)
            isMet = try self.litter(besides: digest) > 0
            group.wait()
            #expect(again.release.digest == digest && again.outcome == .created)
            #expect(isDone.withLock { $0 })
            _ = try registry.openBlob(digest)
            #expect(try fixture.shard(of: digest).contains("\(digest.hex).zip"))
            #expect(try fixture.shard(of: digest).contains { $0.hasSuffix(".json") })
            #expect(try isSound(registry))
        }
        #expect(isMet, "gc was always done before the archive came back")
    }

    /// Publishers withdraw and restore their archives, as fast as they can, while gc runs all the time.
    @Test func `Every acknowledged release is kept while many publish and collect at once`() throws {
        let registry = try fixture.open { $0.snapshotsKept = 1 }
        let (complaints, isOver, collections) = (Guarded<[String]>([]), Guarded(false), Guarded(0))
        let fixture = fixture
        let keepers = DispatchGroup()
        for _ in 0..<2 {
            keepers.enter()
            // Dedicated threads: those of the queues are shared with all other tests.
            Thread.detachNewThread {
                defer { keepers.leave() }
                while !isOver.withLock({ $0 }) {
                    fixture.pass(seconds: 1)
                    do throws(RegistryError) {
                        _ = try registry.collect(grace: 0, isDryRun: false) { _, _ in }
                        collections.withLock { $0 += 1 }
                    } catch {
                        // Of two at a time, one is refused.
                        if case .underWay = error { continue }
                        complaints.withLock { $0.append("gc: \(error)") }
                    }
                }
            }
        }
        DispatchQueue.concurrentPerform(iterations: 6) { publisher in
            let upload = { (content: Int) in
                Upload(identifier: "com.example.P\(publisher)", content: "[\(publisher), \(content)]")
            }
            for step in 0..<60 {
                do {
                    // Three take turns: each has been retired, and perhaps collected, when it comes back.
                    let release = try registry.publish(
                        upload(step % 3), PublishRequest(.to("dev"), by: "tester")
                    ).release
                    _ = try registry.openBlob(release.digest)
                    let names = try fixture.shard(of: release.digest)
                    if !names.contains(where: { $0.hasPrefix(release.digest.hex) && $0.hasSuffix(".json") }) {
                        complaints.withLock { $0.append("\(publisher), \(step): its note is gone") }
                    }
                } catch {
                    complaints.withLock { $0.append("\(publisher), \(step): \(error)") }
                }
            }
        }
        isOver.withLock { $0 = true }
        keepers.wait()
        #expect(complaints.withLock { $0 }.isEmpty, "\(complaints.withLock { $0.prefix(5) })")
        #expect(collections.withLock { $0 } > 3)
        #expect(try isSound(registry))
    }
}
