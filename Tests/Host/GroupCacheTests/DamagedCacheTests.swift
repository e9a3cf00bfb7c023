import GroupCache
import JSONText
import Testing
import WidgetBytes
import WidgetFiles

/// Goal: a damaged cache is an empty one, never a wrong value or an error. Method: files as crashes, other programs and
/// attackers leave them.
@Suite struct `A damaged cache` {
    private static let bad: [(String, [UInt8])] = [
        ("empty", []), ("not JSON", Array("hello".utf8)), ("cut off", Array("{\"key\":\"a\",\"schema\":1,\"val".utf8)),
        ("another key", Array("{\"key\":\"b\",\"schema\":1,\"storedAt\":1,\"value\":1}".utf8)),
        ("another widget", Array("{\"key\":\"a\",\"widget\":\"w\",\"schema\":1,\"storedAt\":1,\"value\":1}".utf8)),
        ("no value", Array("{\"key\":\"a\",\"schema\":1,\"storedAt\":1}".utf8)),
        ("no time", Array("{\"key\":\"a\",\"schema\":1,\"storedAt\":\"x\",\"value\":1}".utf8)),
        ("a bad digest", Array("{\"blob\":\"../x\",\"byteCount\":1,\"key\":\"a\",\"schema\":1,\"storedAt\":1}".utf8)),
        (
            "a huge blob",
            Array(
                "{\"blob\":\"\(String(repeating: "0", count: 64))\",\"byteCount\":9000000000,\"key\":\"a\",\"schema\":1,\"storedAt\":1}"
                    .utf8)
        ),
        ("too deep", Array((String(repeating: "[", count: 500)).utf8)),
        ("too large", [UInt8](repeating: UInt8(ascii: " "), count: 300 << 10)), ("binary", [0xFF, 0xFE, 0, 1, 2]),
    ]

    @Test(arguments: Self.bad)
    func `A file that is not an entry is a miss, reported once and moved aside`(name: String, bytes: [UInt8])
        async throws
    {
        let scene = try CacheScene()
        let faults = Guarded([GroupCacheFault]())
        let group = try scene.open { fault in faults.withLock { $0.append(fault) } }
        let key = try GroupKey("a")
        try Directory(opening: group.entriesPath).replaceFile(key.fileName, with: bytes)
        #expect(group.entry(key) == nil && group.bytes(key) == nil)
        #expect(group.entry(key) == nil)
        #expect(faults.withLock { $0.count } == 1)
        #expect(faults.withLock { $0.first?.description.contains("moved aside") } == true)
        #expect(try scene.names(in: "entries").isEmpty)
        #expect(try scene.names(in: "damaged").count == 1)
        // The key is usable again.
        try await group.store(GroupEntry(.json(JSONValue(.null)), storedAt: 1), under: key, at: 1)
        #expect(group.entry(key)?.json?.isNull == true)
    }

    @Test func `A folder or a link in place of an entry is moved aside`() throws {
        let scene = try CacheScene()
        let group = try scene.open()
        let key = try GroupKey("a")
        let inside = try Directory(opening: group.entriesPath).createDirectory(key.fileName)
        try inside.replaceFile("x", with: [1])
        #expect(group.entry(key) == nil)
        #expect(try scene.names(in: "entries").isEmpty)
        #expect(try scene.names(in: "damaged").count == 1)
    }

    @Test func `A damaged file that cannot be moved aside is reported with the reason, and is a miss`() throws {
        let scene = try CacheScene()
        let faults = Guarded([GroupCacheFault]())
        let group = try scene.open { fault in faults.withLock { $0.append(fault) } }
        let key = try GroupKey("a")
        try Directory(opening: group.entriesPath).replaceFile(key.fileName, with: [0])
        let lock = try FileLock(of: Directory(opening: group.path).openOrCreateFile("lock"))
        #expect(group.entry(key) == nil)
        _ = consume lock
        let locked = faults.withLock { $0.map(\.description) }
        #expect(locked.count == 1 && locked.first?.contains("another process has the lock") == true, "\(locked)")
        #expect(!locked.contains { $0.contains("was moved aside") })
        let other = try GroupKey("b")
        try Directory(opening: group.entriesPath).replaceFile(other.fileName, with: [0])
        try Directory(opening: group.path).removeTree("damaged")
        #expect(group.entry(other) == nil && group.entry(other) == nil)
        let stuck = faults.withLock { $0.map(\.description) }
        #expect(stuck.count == 2 && stuck.last?.contains("could not be moved aside: ") == true, "\(stuck)")
        #expect(try scene.names(in: "entries").contains(other.fileName))
    }

    @Test func `An entry of a newer version is a miss, and stays where it is`() throws {
        let scene = try CacheScene()
        let faults = Guarded(0)
        let group = try scene.open { _ in faults.withLock { $0 += 1 } }
        let key = try GroupKey("a")
        try Directory(opening: group.entriesPath)
            .replaceFile(key.fileName, with: Array("{\"schema\":2,\"anything\":[]}".utf8))
        #expect(group.entry(key) == nil)
        #expect(faults.withLock { $0 } == 0)
        #expect(try scene.names(in: "entries") == [key.fileName])
    }

    @Test(arguments: [true, false])
    func `Bytes that are missing or changed are a miss, and both files go`(isMissing: Bool) async throws {
        let scene = try CacheScene()
        let faults = Guarded([GroupCacheFault]())
        let group = try scene.open { fault in faults.withLock { $0.append(fault) } }
        let key = try GroupKey("glyph")
        try await group.store([1, 2, 3], GroupEntry(.json(JSONValue(.null)), storedAt: 1), under: key, at: 1)
        let blobs = try Directory(opening: "\(group.path)/blobs")
        let name = try #require(try scene.names(in: "blobs").first)
        if isMissing { try blobs.removeFile(name) } else { try blobs.replaceFile(name, with: [1, 2, 4]) }
        #expect(group.bytes(key) == nil && group.entry(key) == nil)
        #expect(faults.withLock { $0.map(\.reason) } == [isMissing ? .missingBlob : .wrongBlob])
        #expect(try scene.names(in: "blobs").isEmpty)
        #expect(try scene.names(in: "damaged").count == 1)
        try await group.store([1, 2, 3], GroupEntry(.json(JSONValue(.null)), storedAt: 1), under: key, at: 1)
        #expect(group.bytes(key) == [1, 2, 3])
    }

    @Test func `Of damaged files the last ones are kept`() throws {
        let scene = try CacheScene()
        var limits = GroupCacheLimits()
        limits.damagedCount = 3
        let group = try scene.open(limits)
        for number in 0..<8 {
            let key = try GroupKey("\(number)")
            try Directory(opening: group.entriesPath).replaceFile(key.fileName, with: [0])
            #expect(group.entry(key) == nil)
        }
        #expect(try scene.names(in: "damaged").count == 3)
    }

    @Test func `A held lock makes a writer wait and give up with a reason, and readers not wait`() async throws {
        let scene = try CacheScene()
        var limits = GroupCacheLimits()
        limits.patience = .milliseconds(50)
        let group = try scene.open(limits)
        let key = try GroupKey("a")
        let entry = GroupEntry(.json(JSONValue(.null)), storedAt: 1)
        try await group.store(entry, under: key, at: 1)
        let lock = try FileLock(of: Directory(opening: group.path).openOrCreateFile("lock"))
        await #expect(throws: GroupCacheError.busy(path: group.path)) {
            try await group.store(entry, under: key, at: 2)
        }
        #expect(group.entry(key) == entry)
        _ = consume lock
        #expect(try await group.store(entry, under: key, at: 2) == .stored)
    }
}
