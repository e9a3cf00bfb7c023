import Bytes
import Dispatch
import Files
import Registry
import TestSupport
import Testing

@Suite struct `Many at once` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    /// Runs the body on so many threads at once, and returns what they could not do.
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

    @Test func `publishing the same thing make one release`() throws {
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

    @Test func `publishing other content under one key leave one of them whole`() throws {
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

    @Test func `publishing versions in any order leave what one after the other would`() throws {
        let registry = registry
        let seen = Seen()
        registry.observe { seen.add("\($0.tag)") }
        let versions = (0..<48).map { ($0 * 29) % 48 }
        #expect(
            race(8) { worker in
                for version in versions where version % 8 == worker {
                    let result = try registry.publish("1.\(version)")
                    // What was acknowledged is there at once.
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

    @Test func `writing all kinds of things never show half of one, nor a lower sequence`() throws {
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
