import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetRegistry

private let evil = "com.evil"
private let minute: Int64 = 60

private func key(_ text: String) throws -> Digest { try #require(Digest.sha256(Array(text.utf8))) }

extension Registry {
    /// Keeps bytes as an archive that waits.
    @discardableResult
    fileprivate func keep(
        _ name: String, of token: Int64 = 1, prefix: String = "", bytes: String? = nil, report: String = "page"
    ) throws -> Digest {
        let content = Array((bytes ?? "archive \(name)").utf8)
        let digest = try #require(Digest.sha256(content))
        let staged = try stage()
        try staged.file.write(content, at: 0)
        try keepUpload(
            try key(name), of: token, prefix: prefix, staged, digest: digest, request: "channel=\(name)",
            report: Array(report.utf8))
        return digest
    }

    /// Keeps a packed bundle, whose archive is published as it is.
    @discardableResult
    fileprivate func keep(packed upload: Upload, _ name: String) throws -> Digest {
        let staged = try stage()
        let digest = try upload.taken(into: staged.file).bundle.digest
        try keepUpload(
            try key(name), of: 1, prefix: "", staged, digest: digest, request: "", report: [])
        return digest
    }

    fileprivate func waits(_ name: String, of token: Int64 = 1) throws -> WaitingUpload? {
        try upload(try key(name), of: token)?.upload
    }

    fileprivate func collect() throws -> CollectReport {
        try collect(grace: 3_600, isDryRun: false) { _, _ in }
    }
}

/// Goal: all that people at the pages have begun is kept by every catalog, ends in time, and is shared fairly. Method: the
/// same tests over each implementation.
@Suite(.also(.cluster)) struct `Sessions and uploads in a catalog` {
    @Test(arguments: StorageKind.allCases)
    func `A session and an upload are there after a restart, for those who know their names`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        let session: SessionRecord
        do {
            let registry = try storage.registry()
            session = try registry.beginSession(try key("one"), of: 7, prefix: "com.acme").session
            storage.fixture.pass(seconds: minute)
            try registry.keep("a", of: 7, prefix: "com.acme")
        }
        try storage.reopen()
        let registry = try storage.registry()
        #expect(try registry.session(try key("one")) == session && registry.sessions() == [session])
        #expect(session.token == 7 && session.share.prefix == "com.acme" && session.begun == session.used)
        #expect(try registry.session(try key("other")) == nil)
        let upload = try #require(try registry.upload(try key("a"), of: 7))
        #expect(upload.upload.request == "channel=a" && upload.upload.outcome == nil)
        #expect(upload.upload.since == session.begun + minute && upload.report == Array("page".utf8))
        #expect(try registry.archive(of: upload.upload).byteCount == "archive a".utf8.count)
        // Another token's, and another name's.
        #expect(try registry.waits("a", of: 8) == nil && registry.waits("b", of: 7) == nil)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `A session ends once, and a use that is noted late takes no later one back`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        let first = try key("one")
        let begun = try registry.beginSession(first, of: 7, prefix: "").session.begun
        storage.fixture.pass(seconds: 5 * minute)
        try registry.touchSession(first)
        storage.fixture.pass(seconds: -2 * minute)
        try registry.touchSession(first)
        #expect(try registry.session(first)?.used == begun + 5 * minute)
        _ = try registry.beginSession(try key("two"), of: 7, prefix: "")
        for _ in 0..<2 { try registry.endSession(first) }
        try registry.touchSession(first)
        #expect(try registry.sessions().map(\.key) == [key("two")])
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `Sessions whose time is over go with the next that begins, and with the next collection`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        _ = try registry.beginSession(try key("idle"), of: 1, prefix: "")
        storage.fixture.pass(seconds: DeskLimits.idleTime - 1)
        _ = try registry.beginSession(try key("used"), of: 1, prefix: "")
        #expect(try registry.sessions().count == 2)
        storage.fixture.pass(seconds: 1)
        _ = try registry.beginSession(try key("new"), of: 2, prefix: "")
        #expect(try Set(registry.sessions().map(\.key)) == [key("used"), key("new")])
        storage.fixture.pass(seconds: DeskLimits.lifetime)
        _ = try registry.collect()
        #expect(try registry.sessions().isEmpty)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `An upload ends when it is discarded, published, or has waited too long, and so does its archive`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        let (a, b, c) = (try registry.keep("a"), try registry.keep("b"), try registry.keep("c"))
        try registry.discardUpload(try #require(try registry.waits("a")))
        #expect(try registry.waits("a") == nil && !storage.blobs.holds(a))
        try registry.finishUpload(try #require(try registry.waits("b")), at: "/manage/w/x")
        #expect(try registry.waits("b")?.outcome == "/manage/w/x" && !storage.blobs.holds(b))
        storage.fixture.pass(seconds: DeskLimits.uploadSeconds - 1)
        #expect(try registry.waits("c") != nil)
        storage.fixture.pass(seconds: 1)
        #expect(try registry.waits("c") == nil && storage.blobs.holds(c))
        // The next that comes makes room.
        try registry.keep("d")
        #expect(try !storage.blobs.holds(c))
        #expect(try storage.catalog.ask { try $0.uploads().map(\.key) } == [key("d")])
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `The archives that wait are known by their digests`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        let digests = try (0..<8).map { try registry.keep("\($0)") }
        let sorted = digests.sorted { $0.hex < $1.hex }
        func waiting(_ first: Digest, _ last: Digest) throws -> Set<Digest> {
            try Set(storage.catalog.ask { try $0.waitingArchives(from: first, through: last) })
        }
        #expect(try waiting(sorted[2], sorted[5]) == Set(sorted[2...5]))
        #expect(try waiting(sorted[3], sorted[3]) == [sorted[3]])
        try registry.finishUpload(try #require(try registry.waits("0")), at: "/manage")
        #expect(try waiting(sorted[0], sorted[7]) == Set(digests.dropFirst()))
        storage.end()
    }

    // MARK: Archives

    @Test(arguments: StorageKind.allCases)
    func `An archive that waits is kept until its time is over, and nothing serves it`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        // Files are as old as the system says.
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let registry = try storage.registry()
        let digest = try registry.keep("a")
        // Long before, so that its age alone would not save it.
        storage.fixture.pass(seconds: 2 * 3_600)
        try storage.catalog.write { [now = storage.fixture.clock.seconds] catalog, _ throws(RegistryError) in
            for var upload in try catalog.uploads() {
                let report = try catalog.report(ofUpload: upload.key)
                try catalog.removeUpload(upload.key)
                upload.since = now
                try catalog.insert(upload, report: report)
            }
        }
        #expect(try registry.collect().archives.count == 0)
        #expect(try storage.blobs.holds(digest) && registry.waits("a") != nil)
        #expect(throws: RegistryError.noSuchBlob(digest)) { try registry.openBlob(digest) }
        storage.fixture.pass(seconds: DeskLimits.uploadSeconds)
        #expect(try registry.collect().archives.count == 1)
        #expect(try !storage.blobs.holds(digest) && storage.catalog.ask { try $0.uploads().isEmpty })
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `An archive stays while another upload or a release has it`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        let digest = try registry.keep("a", bytes: "same")
        try registry.keep("b", of: 2, bytes: "same")
        try registry.discardUpload(try #require(try registry.waits("a")))
        let other = try #require(try registry.waits("b", of: 2))
        #expect(try storage.blobs.holds(digest) && registry.archive(of: other).byteCount == 4)
        try registry.discardUpload(other)
        #expect(try !storage.blobs.holds(digest))
        // What was sent is what is published, as packed bundles are.
        let release = try registry.publish("1.0").release
        for name in ["c", "d"] {
            #expect(try registry.keep(packed: Upload(content: "[\"1.0~1\"]"), name) == release.digest)
        }
        try registry.discardUpload(try #require(try registry.waits("c")))
        try registry.finishUpload(try #require(try registry.waits("d")), at: "/manage")
        #expect(try registry.openBlob(release.digest).byteCount == release.byteCount)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `A publication that fails leaves an archive that waits`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let catalog = InterruptedCatalog(storage.catalog)
        let registry = try Registry(
            catalog: catalog, blobs: storage.blobs, options: Registry.Options(in: World(clock: storage.fixture.clock)))
        let digest = try registry.keep(packed: Upload(), "a")
        catalog.interrupt { editor throws(RegistryError) in
            _ = try editor.insertBundle("COM.example.sample", name: "taken")
        }
        #expect(throws: RegistryError.self) { try registry.publish(Upload()) }
        let waiting = try #require(try registry.waits("a"))
        #expect(try registry.archive(of: waiting).byteCount > 0)
        // Without one that waits it goes.
        try registry.discardUpload(waiting)
        #expect(try !storage.blobs.holds(digest))
        storage.end()
    }

    @Test func `A process that takes an archive back leaves what another has published meanwhile`() throws {
        let storage = try Storage(.objects)
        let registry = try storage.registry()
        let open = try #require(storage.another)
        let other = try open()
        let release = try registry.publish("1.0").release
        let stray = try storage.place(Array("stray".utf8))
        other.takeBack([.blob(release.digest), .sidecar(release.digest, key: release.key), .blob(stray)])
        #expect(try storage.blobs.holds(release.digest) && !storage.blobs.holds(stray))
        #expect(try storage.item(.sidecar(release.digest, key: release.key)) != nil)
        storage.end()
    }

    // MARK: Shares

    @Test(arguments: StorageKind.allCases)
    func `Sign-ins of one prefix end no session of another`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        let owner = try registry.beginSession(try key("owner"), of: 1, prefix: "").session
        let good = try registry.beginSession(try key("good"), of: 2, prefix: "com.good").session
        let now = owner.begun
        try storage.catalog.write { catalog, _ throws(RegistryError) in
            for number in 0..<(64 * 64) - 2 {
                guard let name = Digest.sha256(Array("evil \(number)".utf8)) else { throw .outOfMemory }
                let token = Int64(100 + number / 64)
                try catalog.insert(
                    SessionRecord(
                        key: name, token: token, share: DeskShare(prefix: "\(evil).n\(token)", token: token),
                        begun: now,
                        used: now + 1))
            }
        }
        storage.fixture.pass(seconds: 10)
        for number in 0..<4 {
            _ = try registry.beginSession(try key("more \(number)"), of: Int64(200 + number), prefix: evil)
        }
        let left = try registry.sessions()
        #expect(left.count == DeskLimits.sessions && left.contains(owner) && left.contains(good))
        storage.end()
    }

    @Test func `A token has so many sessions, and the one that was used longest ago makes room`() throws {
        let storage = try Storage(.memory)
        let registry = try storage.registry()
        for number in 0..<DeskLimits.sessionsOfToken {
            _ = try registry.beginSession(try key("\(number)"), of: 5, prefix: "com.acme")
            storage.fixture.pass(seconds: 1)
        }
        try registry.touchSession(try key("0"))
        _ = try registry.beginSession(try key("last"), of: 5, prefix: "com.acme")
        #expect(try registry.sessions().count == DeskLimits.sessionsOfToken)
        #expect(try registry.session(try key("0")) != nil && registry.session(try key("1")) == nil)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `Uploads of one prefix push out none of another`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        try registry.keep("good", of: 2, prefix: "com.good")
        try registry.keep("owner")
        var digests: [Digest] = []
        for number in 0..<DeskLimits.uploads + 4 {
            storage.fixture.pass(seconds: 1)
            digests.append(
                try registry.keep("evil \(number)", of: Int64(10 + number % 8), prefix: "\(evil).\(number % 8)"))
        }
        #expect(try registry.waits("good", of: 2) != nil && registry.waits("owner") != nil)
        #expect(try storage.catalog.ask { try $0.uploads().count } == DeskLimits.uploads)
        // Archives go with their rows.
        #expect(try digests.filter { try storage.blobs.holds($0) }.count == DeskLimits.uploads - 2)
        storage.end()
    }

    @Test func `A token has so many uploads, and its oldest makes room`() throws {
        let storage = try Storage(.memory)
        let registry = try storage.registry()
        for number in 0...DeskLimits.uploadsOfToken {
            try registry.keep("\(number)", of: 3)
            storage.fixture.pass(seconds: 1)
        }
        #expect(try storage.catalog.ask { try $0.uploads().count } == DeskLimits.uploadsOfToken)
        #expect(try registry.waits("0", of: 3) == nil && registry.waits("1", of: 3) != nil)
        storage.end()
    }

    /// Names below a prefix, and any number of tokens, count as one branch.
    @Test(arguments: 0..<40) func `The largest branch at each level makes room`(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let labels = ["com", "org", "acme", "evil", "x"]
        let items = (0..<Int.random(in: 1...120, using: &chance)).map { _ in
            let depth = Int.random(in: 0...3, using: &chance)
            let prefix = (0..<depth).map { _ in labels.randomElement(using: &chance) ?? "" }.joined(separator: ".")
            return (prefix: prefix, token: Int64.random(in: 0...4, using: &chance))
        }
        func path(_ item: (prefix: String, token: Int64)) -> [String] {
            item.prefix.split(separator: ".").map(String.init) + ["token \(item.token)"]
        }
        let chosen = DeskShare.largest(of: items) { DeskShare(prefix: $0.prefix, token: $0.token) }
        let paths = items.map(path)
        guard let own = chosen.first.map(path) else {
            Issue.record("nothing makes room, seed \(seed)")
            return
        }
        #expect(chosen.map(path).allSatisfy { $0 == own } && chosen.count == paths.filter { $0 == own }.count)
        for depth in own.indices {
            let siblings = paths.filter { $0.count > depth && $0.prefix(depth) == own.prefix(depth) }
            let counts = Dictionary(grouping: siblings) { $0[depth] }.mapValues(\.count)
            #expect(counts[own[depth]] == counts.values.max(), "level \(depth), seed \(seed)")
        }
    }
}

/// Goal: what people have begun stays with the store where they began it. Method: every way in which a catalog is copied.
@Suite struct `Copies of a catalog` {
    private let fixture: Fixture
    private let marks = ["channel=MARKED", "MARKED-PAGE"]

    init() throws { fixture = try Fixture() }

    private func holdsMarks(_ bytes: [UInt8]) -> Bool {
        marks.contains { mark in
            let mark = Array(mark.utf8)
            return bytes.indices.dropLast(mark.count - 1).contains { index in
                bytes[index] == mark[0] && bytes[index..<index + mark.count].elementsEqual(mark)
            }
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.reading(path)
        return try file.read(at: 0, count: file.status().byteCount)
    }

    /// A registry with a session and an upload, and with the pages of others that are free again.
    private func filled() throws -> Registry {
        let registry = try fixture.open()
        try registry.publish("1.0")
        let page = String(repeating: "MARKED-PAGE ", count: 1_000)
        for name in ["gone", "MARKED"] { try registry.keep(name, report: page) }
        try registry.discardUpload(try #require(try registry.waits("gone")))
        for name in ["one", "two"] { _ = try registry.beginSession(try key(name), of: 1, prefix: "") }
        return registry
    }

    @Test func `A backup has no session and no upload, not even in pages that are free`() throws {
        let file: String
        do { file = try fixture.backUp(try filled()) }
        let backup = try bytes(file)
        let kept = try fixture.names().filter { $0.hasPrefix("catalog.sqlite") }
        #expect(try kept.contains { try holdsMarks(bytes("\(fixture.path)/\($0)")) })
        #expect(!holdsMarks(backup))
        #expect(try fixture.restore(file).releases == 1)
        let restored = try fixture.open()
        #expect(try restored.sessions().isEmpty && restored.waits("MARKED") == nil)
        #expect(try restored.publish("1.1").outcome == .created)
    }

    @Test func `A catalog that is made anew publishes no archive that waited`() throws {
        do {
            let registry = try filled()
            try registry.keep(packed: Upload(version: "2.0"), "whole")
        }
        let report = try fixture.rebuild()
        #expect(report.recovered.isEmpty && report.skipped.isEmpty && report.releases == 1)
        let registry = try fixture.open()
        #expect(try registry.sessions().isEmpty && registry.waits("whole") == nil)
    }
}
