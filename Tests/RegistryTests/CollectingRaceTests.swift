import Bytes
import Dispatch
import Files
import Foundation
import Glibc
import Registry
import TestSupport
import Testing

/// What gc takes away, somebody may publish again at that moment.
@Suite struct `Collecting garbage while the same bytes come back` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        // Files are as old as the system says: by this clock, all of them are old.
        let now = Int64(time(nil))
        fixture.clock.withLock { $0 = now + 1_000_000 }
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

    /// How much of it is left.
    private func litter(besides digest: Digest) throws -> Int {
        let shard = String(digest.hex.prefix(2))
        return try fixture.names("blobs", shard).count { $0.hasPrefix("\(shard)00000000") }
    }

    /// The folder is listed and compared with the catalog; then, while what lies before it is removed, the archive
    /// becomes somebody's again. Neither it nor what lies beside it may go.
    @Test func `keeps an archive that became somebody's after its folder was listed`() throws {
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

    /// Publishers that let go of their archives and take them back, as fast as they can, while gc runs all the time.
    @Test func `keeps whatever was acknowledged, however many publish and collect at once`() throws {
        let registry = try fixture.open { $0.snapshotsKept = 1 }
        let (complaints, isOver, collections) = (Guarded<[String]>([]), Guarded(false), Guarded(0))
        let fixture = fixture
        let keepers = DispatchGroup()
        for _ in 0..<2 {
            keepers.enter()
            // Threads of their own: those of the queues are shared with all other tests.
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
