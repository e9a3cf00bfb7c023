import Dispatch
import Testing
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@Suite struct `A data directory` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `A data directory keeps everything over a restart`() throws {
        var before: [BundleSummary] = []
        var resolution: Resolution?
        do {
            let registry = try fixture.open()
            for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
            try registry.publish("2.0", rollout: 10)
            _ = try registry.withdraw(sample, "1.1~1", reason: "r", by: "x")
            try registry.createToken(
                Token(name: "a", prefix: "", scopes: [.admin], created: 1), digest: try #require(.sha256([1])),
                by: "x")
            before = try registry.bundles(BundleQuery(limit: 9)).items
            resolution = try registry.resolve(ResolveQuery(widgetIdentifier: sample))
        }
        let registry = try fixture.open()
        #expect(try registry.bundles(BundleQuery(limit: 9)).items == before)
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: sample)) == resolution)
        #expect(registry.latestTag == 5)
        #expect(try registry.tokens().map(\.name) == ["a"])
        #expect(try registry.release(sample, "1.1~1").withdrawal?.reason == "r")
        try registry.publish("3.0")
        #expect(registry.latestTag == 6)
        for release in try registry.releases(sample, limit: 9, after: nil).items {
            _ = try registry.openBlob(release.digest)
        }
    }

    @Test func `A data directory belongs to one server at a time`() throws {
        let first = try fixture.open()
        #expect(try refusal { try fixture.open() } == .locked(by: "the test"))
        #expect(try first.isEmpty)
    }

    @Test func `A data directory is free again when its server has ended`() throws {
        do { _ = try fixture.open() }
        _ = try fixture.open()
    }

    /// Until it runs its program, a child of a killed server holds the server's lock.
    @Test func `A data directory whose server was killed is waited for while a child has its lock`() throws {
        do { _ = try fixture.open() }
        let directory = try Directory(opening: fixture.path)
        var isOpen = false
        // Once more where a busy machine ends the lock too late.
        for _ in 0..<10 where !isOpen {
            let lock = try FileLock(of: directory.openOrCreateFile("lock", mode: 0o600))
            // No process has so large a number.
            try lock.file.write(Array("widgetd, process 2000000000".utf8), at: 0)
            let held = Guarded<FileLock?>(lock)
            let isReleased = DispatchSemaphore(value: 0)
            DispatchQueue(label: "test.child").asyncAfter(deadline: .now() + .milliseconds(500)) {
                held.withLock { $0 = nil }
                isReleased.signal()
            }
            isOpen = (try? fixture.open()) != nil
            #expect(isReleased.wait(timeout: .now() + 60) == .success)
        }
        #expect(isOpen)
    }

    @Test func `Leftovers of a crash are removed from a data directory, and nothing else`() throws {
        do { try fixture.open().publish("1.0") }
        let staging = try Directory(opening: fixture.path + "/staging")
        try staging.replaceFile(".staged-1234", with: [1, 2, 3])
        try staging.createDirectory(".staged-5678").replaceFile("inside", with: [1])
        try staging.replaceFile("foreign", with: [1])
        let root = try Directory(opening: fixture.path)
        try root.replaceFile(".staged-abcd", with: [1])
        try root.replaceFile("notes.txt", with: [1])
        try root.openDirectory("blobs").replaceFile("lost+found", with: [1])
        try root.openDirectory("blobs").openDirectory("00").replaceFile("nonsense.zip", with: [1])
        let registry = try fixture.open()
        #expect(try fixture.names("staging") == ["foreign"])
        #expect(try fixture.names().contains("notes.txt") && !fixture.names().contains(".staged-abcd"))
        #expect(try registry.shown() == ["1.0~1 0-10000"])
    }

    @Test func `A crash between files and catalog leaves a harmless leftover`() throws {
        do { try fixture.open().publish("1.0") }
        try FileWork.copy("\(fixture.path)/catalog.sqlite", to: "\(fixture.path)/before")
        var lost: Release?
        do { lost = try fixture.open().publish("1.1").release }
        // The files of 1.1 are there, and the catalog has never heard of it.
        try FileWork.move("\(fixture.path)/before", to: "\(fixture.path)/catalog.sqlite")
        for name in ["catalog.sqlite-wal", "mark"] { try? FileWork.remove("\(fixture.path)/\(name)") }
        let registry = try fixture.open()
        let release = try #require(lost)
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        #expect(try refusal { try registry.openBlob(release.digest) } == .noSuchBlob(release.digest))
        #expect(try registry.publish("1.1").outcome == .created)
        #expect(
            try Digest.sha256(registry.openBlob(release.digest).file.descriptor.read(at: 0, count: 1 << 20))
                == release.digest)
    }

    @Test func `The contents of a data directory are readable by their owner alone, in any surrounding folder`() throws
    {
        let fixture = try Fixture()
        try FileWork.makeFolder(fixture.path)
        try FileWork.permit(fixture.path, 0o755)
        try fixture.open().publish("1.0")
        let directory = try Directory(opening: fixture.path)
        let names = try fixture.names()
        #expect(names.contains("catalog.sqlite") && names.contains("blobs"))
        for name in names { #expect(try directory.status(of: name).mode & 0o077 == 0, "\(name)") }
    }

    @Test func `A link in the place of a folder, the lock or the catalog is not followed`() throws {
        for name in [
            "blobs", "staging", "quarantine", "lock", "catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm",
            "catalog.sqlite-journal",
        ] {
            let fixture = try Fixture()
            let outside = try Fixture()
            for folder in [fixture.path, outside.path] { try FileWork.makeFolder(folder) }
            try FileWork.link("\(fixture.path)/\(name)", to: "\(outside.path)/x")
            if ["blobs", "staging", "quarantine"].contains(name) { try FileWork.makeFolder("\(outside.path)/x") }
            #expect(try refusal { try fixture.open() } != nil, "\(name)")
            #expect(FileWork.files(below: outside.path).isEmpty, "\(name)")
        }
        // Nor a link in the place of a single shard.
        let registry = try fixture.open()
        let outside = try Fixture()
        let digest = try registry.judge(Upload()).release.digest
        let shard = "\(fixture.path)/blobs/\(digest.hex.prefix(2))"
        try FileWork.makeFolder(outside.path)
        try FileWork.link(shard, to: outside.path)
        #expect(try refusal { try registry.publish(Upload()) } != nil)
        #expect(try outside.names().isEmpty && registry.isEmpty)
    }

    @Test func `A data directory of a newer version is left alone`() throws {
        do { try fixture.open().publish("1.0") }
        do {
            let connection = try DatabaseConnection(opening: fixture.path + "/catalog.sqlite", for: .writing)
            try connection.script("PRAGMA user_version = 99;")
        }
        #expect(try refusal { try fixture.open() } == .newerStore(version: 99))
    }

    @Test(arguments: [
        "not a database at all, but long enough to be read as one, and then some more text",
        "SQLite format 3\0 and nothing that follows",
    ])
    func `A data directory with something else in the place of its catalog is damaged`(_ text: String) throws {
        do { try fixture.open().publish("1.0") }
        let root = try Directory(opening: fixture.path)
        try root.replaceFile("catalog.sqlite", with: Array(repeating: Array(text.utf8), count: 100).flatMap { $0 })
        guard case .damaged = try refusal({ try fixture.open() }) else {
            Issue.record("\(String(describing: try refusal { try fixture.open() }))")
            return
        }
    }

    @Test func `A data directory without its catalog is not taken for a new one`() throws {
        do { try fixture.open().publish("1.0") }
        try Directory(opening: fixture.path).removeFile("catalog.sqlite")
        for _ in 0..<2 {
            guard case .damaged(let detail) = try refusal({ try fixture.open() }) else {
                Issue.record("started anew over archives")
                return
            }
            #expect(detail.contains("rebuild"))
        }
    }

    /// SQLite notices damage to its own structure, and rows notice values that cannot be; none of it may trap.
    @Test func `A damaged catalog is either served correctly or reported as damaged`() throws {
        do {
            let registry = try fixture.open()
            for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        }
        let sound = try Directory(opening: fixture.path).openFile("catalog.sqlite").read(at: 0, count: 1 << 22)
        let other = try Fixture()
        let copy = try Directory(creating: other.path)
        var random = SeededGenerator(seed: 11)
        var refused = 0
        for _ in 0..<40 {
            var bytes = sound
            for _ in 0..<40 {
                let page = Int.random(in: 0..<(bytes.count / 4_096), using: &random) * 4_096
                bytes[page + Int.random(in: 0..<200, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for name in ["catalog.sqlite-wal", "catalog.sqlite-shm"] { try? copy.removeFile(name) }
            try copy.replaceFile("catalog.sqlite", with: bytes)
            let error = try refusal {
                let registry = try other.open()
                for key in ["1.0~1", "1.1~1", "1.2~1"] { _ = try registry.report(sample, key) }
                _ = try registry.files(sample, "1.2~1")
                _ = try registry.shown()
                _ = try registry.changes(since: 0, limit: 10)
                _ = try registry.rollback(sample, "stable", to: nil, by: "x")
            }
            if error != nil { refused += 1 }
        }
        #expect(refused > 20)
    }
}
