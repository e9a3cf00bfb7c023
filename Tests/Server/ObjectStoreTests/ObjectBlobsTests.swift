import Dispatch
import MemoryStore
import ObjectPeer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import ObjectStore

/// Goal: no fault of a store, and no end of a process, loses what was acknowledged or leaves what is not known. Method: a
/// store in memory with faults, rows in memory, and several owners of both, each in the place of a process.
@Suite final class `Archives in a store of objects`: Sendable {
    private let double = ObjectDouble(pageCount: 3)
    private let catalog = MemoryCatalog()
    private let clock = ManualClock(date: .seconds(1_000_000))
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory(in: TemporaryPlace.path) }

    /// A process: its own copies, the shared store and catalog.
    private func process(
        _ name: String = "one", copyByteLimit: Int = 1 << 30, redirects: Bool = false
    ) throws -> ObjectBlobs {
        let client = ObjectClient(
            try ObjectPlace("s3://widgets/p?endpoint=http://store.test"),
            ObjectCredentials(accessKey: "key", secret: "secret"), transport: double, in: .skipping())
        let clock = clock
        var options = ObjectBlobs.Options(folder: "\(scratch.path)/\(name)", in: World(clock: clock))
        options.copyByteLimit = copyByteLimit
        options.redirects = redirects
        return try ObjectBlobs(client, catalog: catalog, options: options)
    }

    private func place(_ text: String, in blobs: ObjectBlobs) throws -> Digest {
        let digest = try #require(Digest.sha256(Array(text.utf8)))
        let staged = try blobs.stage()
        try staged.file.write(Array(text.utf8), at: 0)
        try blobs.place(staged, as: digest, with: StoredNote(.sidecar(digest, key: "1~1"), Array("{}".utf8)))
        return digest
    }

    private func states() throws -> [ObjectRecord.State: Int] {
        var counts: [ObjectRecord.State: Int] = [:]
        for state in ObjectRecord.State.allCases {
            let count = try catalog.read { catalog throws(RegistryError) in
                try ObjectBlobs.rows(catalog).share(state).count
            }
            if count > 0 { counts[state] = count }
        }
        return counts
    }

    private func listed(_ digest: Digest, in blobs: ObjectBlobs) throws -> ListedItem? {
        try blobs.items(beginning: digest.bytes[0]).first { $0.item == .blob(digest) }
    }

    @Test func `have names that are used once, and are there for every process`() throws {
        let (one, two) = (try process(), try process("two"))
        let digest = try place("hello", in: one)
        #expect(try two.open(digest)?.read(at: 0, count: 9) == Array("hello".utf8))
        #expect(try two.note(.sidecar(digest, key: "1~1")) == Array("{}".utf8))
        for _ in 0..<3 { _ = try place("hello", in: two) }
        try one.remove(.blob(digest))
        _ = try place("hello", in: one)
        #expect(double.namesUsedTwice.isEmpty)
        #expect(double.paths.allSatisfy { $0.hasPrefix("/widgets/p/\(digest.hex.prefix(2))/\(digest.hex).") })
    }

    @Test func `are opened by many threads at once, and each opening is counted`() throws {
        let (one, two) = (try process(), try process("two"))
        let digest = try place("hello", in: one)
        DispatchQueue.concurrentPerform(iterations: 400) { _ in
            #expect(throws: Never.self) { try two.open(digest) }
        }
        let state = try #require(two.remote)
        #expect(state.misses > 0 && state.hits + state.misses == 400)
    }

    @Test func `are announced by a row before their first byte`() throws {
        let blobs = try process()
        let seen = Guarded<[ObjectRecord.State: Int]>([:])
        double.fail { [catalog] asked in
            guard asked.method == .put else { return nil }
            let counts = try? catalog.read { catalog throws(RegistryError) in
                try ObjectBlobs.rows(catalog).share(.announced).count
            }
            seen.withLock { $0[.announced] = counts ?? 0 }
            return nil
        }
        _ = try place("hello", in: blobs)
        #expect(seen.withLock { $0[.announced] } == 2)
        #expect(try states() == [.present: 2])
    }

    @Test func `leave nothing behind when they cannot be sent`() throws {
        let blobs = try process()
        double.fail { $0.method == .put ? .noConnection : nil }
        #expect(throws: RegistryError.self) { try place("hello", in: blobs) }
        #expect(try states() == [.condemned: 2])
        double.fail(each: nil)
        try blobs.sweep()
        clock.advance(by: .seconds(3_600))
        try blobs.sweep()
        #expect(try states().isEmpty && double.paths.isEmpty)
    }

    @Test func `of a process that ended are swept by another, once their time is over`() throws {
        // As a process leaves it that was killed after its first byte.
        try catalog.write { catalog, _ throws(RegistryError) in
            guard let digest = Digest.sha256([1]) else { throw .outOfMemory }
            try ObjectBlobs.rows(catalog).insert(
                ObjectRecord(
                    generation: 77, item: .blob(digest), byteCount: 1, state: .announced, changed: 1_000_000,
                    until: 1_003_600))
        }
        let blobs = try process()
        let record = try #require(
            try catalog.read { catalog throws(RegistryError) in try ObjectBlobs.rows(catalog).record(77) })
        let path = "/widgets/\(blobs.key(record))"
        double[path] = [1]
        try blobs.sweep()
        #expect(double.paths == [path])
        clock.advance(by: .seconds(3_600))
        try blobs.sweep()
        #expect(double.paths.isEmpty)
        // A byte that was still on its way arrives now.
        double[path] = [1]
        clock.advance(by: .seconds(3_600))
        try blobs.sweep()
        #expect(try double.paths.isEmpty && states().isEmpty)
    }

    @Test func `that were swept while they were sent are not there, and their sender hears of it`() throws {
        let (slow, other) = (try process(), try process("two"))
        let clock = clock
        double.fail { asked in
            guard asked.method == .put else { return nil }
            // Its clock, or its line, is much slower than the lease.
            clock.advance(by: .seconds(4_000))
            try? other.sweep()
            return nil
        }
        #expect(throws: RegistryError.self) { try place("hello", in: slow) }
        double.fail(each: nil)
        let digest = try #require(Digest.sha256(Array("hello".utf8)))
        #expect(try slow.open(digest) == nil && other.open(digest) == nil)
        _ = try place("hello", in: slow)
        #expect(try other.open(digest) != nil)
    }

    @Test func `survive a deletion that takes effect late`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        let old = try #require(try listed(digest, in: blobs))
        let path = try #require(double.paths.first { $0.contains(".zip.") })
        let detached = try #require(try blobs.detach(old))
        double.fail(.lostAnswer)
        try blobs.discard(detached)
        _ = try place("hello", in: blobs)
        // The store carries the deletion out once more.
        double[path] = nil
        blobs.copies.remove(digest)
        #expect(try blobs.open(digest) != nil)
    }

    @Test func `are not taken by a collector that listed them before they were placed anew, or that a release has`()
        throws
    {
        let (publisher, collector) = (try process(), try process("two"))
        let digest = try place("hello", in: publisher)
        let old = try #require(try listed(digest, in: collector))
        _ = try place("hello", in: publisher)
        #expect(try collector.detach(old) == nil)
        let present = try #require(try listed(digest, in: collector))
        // A release of another process refers to it between the collector's look and its act.
        try catalog.write { editor, _ throws(RegistryError) in
            let bundle = try editor.insertBundle("com.example.Sample", name: "Sample")
            let release = Release(
                bundleIdentifier: "com.example.Sample", key: "1~1", shortVersion: "1", build: "1", name: "Sample",
                digest: digest, contentDigest: digest, byteCount: 5, published: 1, publishedBy: "x", isSnapshot: false)
            _ = try editor.insert(
                ReleaseRecord(release, ofBundle: bundle),
                ReleaseDocuments(files: Array("[]".utf8), report: Array("{}".utf8)))
        }
        #expect(try collector.detach(present) == nil)
        #expect(try publisher.open(digest) != nil)
    }

    @Test func `cannot be referred to by a release once they are collected`() throws {
        let (publisher, collector) = (try process(), try process("two"))
        let digest = try place("hello", in: publisher)
        #expect(try catalog.read { catalog throws(RegistryError) in try publisher.holds([.blob(digest)], in: catalog) })
        let listed = try #require(try listed(digest, in: collector))
        #expect(try collector.detach(listed) != nil)
        #expect(
            try !catalog.read { catalog throws(RegistryError) in try publisher.holds([.blob(digest)], in: catalog) })
    }

    @Test func `with a wrong byte from the store are got once more, and then set aside`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        double.fail(.wrongByte)
        #expect(try blobs.open(digest)?.byteCount == 5)
        blobs.copies.remove(digest)
        double.fail(.truncated, .wrongByte)
        #expect(try blobs.open(digest) == nil)
        #expect(try blobs.quarantined().count == 1)
        // The object stays for operators, also when everything else is swept.
        clock.advance(by: .seconds(10_000_000))
        try blobs.sweep()
        #expect(double.paths.contains { $0.contains(".zip.") })
        _ = try place("hello", in: blobs)
        #expect(try blobs.open(digest) != nil)
    }

    @Test func `that the store has lost or damaged are sent again from a copy on this machine`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        _ = try blobs.open(digest)
        let path = try #require(double.paths.first { $0.contains(".zip.") })
        for damage in [nil, [1, 2]] as [[UInt8]?] {
            let present = double.paths.first { $0.contains(".zip.") } ?? path
            double[present] = damage
            guard case .intact = try blobs.check(digest) else { throw RegistryError.damagedBlob(digest) }
            let other = try process("other \(damage?.count ?? 0)")
            #expect(try other.open(digest)?.byteCount == 5)
        }
        double[path] = nil
    }

    @Test func `are served from copies while the store is away; the others are not said to be missing`() throws {
        let blobs = try process()
        let (here, elsewhere) = (try place("hello", in: blobs), try place("there", in: blobs))
        _ = try blobs.open(here)
        double.fail { _ in .noConnection }
        #expect(try blobs.open(here)?.byteCount == 5)
        guard case .unreachable? = #expect(throws: RegistryError.self, performing: { try blobs.open(elsewhere) }) else {
            return
        }
        #expect(throws: RegistryError.self) { try blobs.holds(here) }
        #expect(throws: RegistryError.self) { try place("more", in: blobs) }
    }

    @Test func `are not missed because a listing lacks them`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        double.hide { _ in true }
        #expect(try listed(digest, in: blobs) != nil && blobs.open(digest) != nil)
        clock.advance(by: .seconds(10_000_000))
        try blobs.sweep()
        #expect(double.paths.count == 2)
    }

    @Test func `have copies within a limit, the one used longest ago first, which a kill does not spoil`() throws {
        var blobs: ObjectBlobs? = try process(copyByteLimit: 12)
        var digests: [Digest] = []
        for text in ["aaaaa", "bbbbb", "ccccc"] {
            if let blobs { digests.append(try place(text, in: blobs)) }
            if text == "ccccc" { _ = try blobs?.open(digests[0]) }
            _ = try blobs?.open(digests.last ?? digests[0])
        }
        #expect(blobs?.copies.share.count == 2 && blobs?.copies.share.byteCount == 10)
        double.fail { _ in .noConnection }
        #expect(try blobs?.open(digests[0]) != nil && blobs?.open(digests[2]) != nil)
        #expect(throws: RegistryError.self) { try blobs?.open(digests[1]) }
        // A process that is killed leaves files in the making, and a copy may be spoilt meanwhile.
        blobs = nil
        try Directory(opening: "\(scratch.path)/one/incoming").replaceFile(".staged-left", with: [1])
        try FileDescriptor.creating("\(scratch.path)/one/copies/\(digests[0].hex)").write([0], at: 2)
        let next = try process(copyByteLimit: 12)
        #expect(try Directory(opening: "\(scratch.path)/one/incoming").items(limit: 9)?.isEmpty == true)
        #expect(try next.open(digests[2])?.read(at: 0, count: 9) == Array("ccccc".utf8))
        #expect(throws: RegistryError.self) { try next.open(digests[0]) }
        double.fail(each: nil)
        next.client.breaker.succeeded()
        #expect(try next.open(digests[0])?.read(at: 0, count: 9) == Array("aaaaa".utf8))
    }

    @Test func `are found again by the bucket alone when all rows are lost, the last of each`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        let other = try place("there", in: blobs)
        double["/widgets/p/\(digest.hex.prefix(2))/stranger"] = [1]
        double["/widgets/p/\(digest.hex.prefix(2))/\(digest.hex).zip.00ab"] = [1]
        double["/widgets/elsewhere"] = [1]
        let sound = try blobs.survey(adopting: true) { _, _ in }
        #expect(sound.known.count == 4 && sound.unknown.count == 0 && sound.foreign == 2 && sound.unlisted == 0)

        let empty = MemoryCatalog()
        let clock = clock
        let fresh = try ObjectBlobs(
            blobs.client, catalog: empty,
            options: ObjectBlobs.Options(folder: "\(scratch.path)/fresh", in: World(clock: clock)))
        #expect(try fresh.open(digest) == nil)
        #expect(try fresh.survey(adopting: false) { _, _ in }.unknown.count == 4)
        #expect(try fresh.open(digest) == nil)
        let survey = try fresh.survey(adopting: true) { _, _ in }
        #expect(survey.adopted.count == 4 && survey.adopted.byteCount == survey.unknown.byteCount)
        #expect(try fresh.open(digest)?.byteCount == 5 && fresh.open(other)?.byteCount == 5)
        #expect(try fresh.note(.sidecar(digest, key: "1~1")) == Array("{}".utf8))
        #expect(try fresh.survey(adopting: true) { _, _ in }.adopted.count == 0)
    }

    @Test func `that were condemned do not come back by a survey, and a listing that lies changes nothing`() throws {
        let blobs = try process()
        let digest = try place("hello", in: blobs)
        double.fail(.noConnection, .noConnection, .noConnection, .noConnection)
        try blobs.remove(.blob(digest))
        #expect(double.paths.contains { $0.contains(".zip.") })
        #expect(try blobs.survey(adopting: true) { _, _ in }.adopted.count == 0)
        #expect(try blobs.open(digest) == nil)
        _ = try place("hello", in: blobs)
        double.hide { _ in true }
        let survey = try blobs.survey(adopting: true) { _, _ in }
        #expect(survey.unlisted == 2 && survey.known.count == 0)
        #expect(try blobs.open(digest) != nil)
    }

    @Test func `are opened by an address and a key, and refused with a reason that has no secret`() throws {
        func open(_ address: String, _ file: String?, _ environment: [String: String] = [:]) throws -> ObjectBlobs {
            try ObjectBlobs(
                ObjectClient(at: address, credentials: file, environment: environment), catalog: catalog,
                options: ObjectBlobs.Options(
                    folder: "\(scratch.path)/opened", in: World(clock: ManualClock(date: .seconds(1)))))
        }
        let address = "s3://widgets/p?endpoint=http://127.0.0.1:1"
        let blobs = try open(address, "aws_access_key_id=A\naws_secret_access_key=B")
        #expect(blobs.remote?.trouble == nil && blobs.remote?.copies.count == 0)
        for (address, file) in [("s3://x", nil), (address, nil), (address, "aws_secret_access_key=hidden")] {
            guard
                case .invalidValue("--blobs", let reason)? = #expect(
                    throws: RegistryError.self, performing: { try open(address, file) })
            else { return }
            #expect(!reason.contains("hidden"))
        }
        for _ in 0..<Breaker.mostFailures { blobs.client.breaker.failed(at: blobs.client.world.clock.now, chance: 0.5) }
        #expect(blobs.remote?.trouble != nil)
    }

    @Test func `are at an address of the store for those who may be sent there, and only while it is well`() throws {
        let plain = try process()
        let digest = try place("an archive", in: plain)
        #expect(try !plain.redirects && plain.redirect(digest, as: "attachment") == nil)
        let blobs = try process("two", redirects: true)
        let count = double.asked.count
        let address = try #require(try blobs.redirect(digest, as: "attachment"))
        let object = try #require(double.paths.first { $0.contains("\(digest.hex).zip.") })
        #expect(
            address.hasPrefix("http://store.test\(object)?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=key%2F"))
        #expect(address.contains("&X-Amz-Expires=300&") && !address.contains("secret"))
        #expect(try blobs.redirect(Digest(repeating: 7), as: "attachment") == nil)
        #expect(double.asked.count == count, "the store is not asked")
        for _ in 0..<Breaker.mostFailures { blobs.client.breaker.failed(at: blobs.client.world.clock.now, chance: 0.5) }
        #expect(try blobs.redirect(digest, as: "attachment") == nil)
        blobs.client.breaker.succeeded()
        #expect(try blobs.redirect(digest, as: "attachment") != nil)
        try plain.remove(.blob(digest))
        #expect(try blobs.redirect(digest, as: "attachment") == nil)
    }

    @Test func `have a folder of copies that one process uses at a time`() throws {
        let first = try process()
        #expect(throws: RegistryError.self) { try process() }
        #expect(try first.quarantined().count == 0)
    }
}
