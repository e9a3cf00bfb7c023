import Foundation
import GroupCache
import JSONText
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings

/// Goal: a group's cache stays within its limits, and never loses what is on a screen.
@Suite struct `Eviction from a group's cache` {
    private static func entry(_ byteCount: Int = 10) -> GroupEntry {
        GroupEntry(.json(JSONValue(.string(String(repeating: "x", count: byteCount)))), storedAt: 1)
    }

    /// Lets a second pass: what is stored and used next is younger than everything that is there.
    private static func pass(_ group: CacheGroup) throws {
        let manager = FileManager.default
        for name in try manager.subpathsOfDirectory(atPath: group.path) {
            let file = "\(group.path)/\(name)"
            let date = try #require(manager.attributesOfItem(atPath: file)[.modificationDate] as? Date)
            try manager.setAttributes([.modificationDate: date - 1], ofItemAtPath: file)
        }
    }

    private static func limits(count: Int = 1_000, bytes: Int = 32 << 20) -> GroupCacheLimits {
        var limits = GroupCacheLimits()
        (limits.entryCount, limits.byteCount, limits.useInterval) = (count, bytes, .zero)
        return limits
    }

    @Test func `The least recently used entries go first, by number`() async throws {
        let scene = try CacheScene()
        let group = try scene.open(Self.limits(count: 3))
        let keys = try (0..<4).map { try GroupKey("\($0)") }
        for key in keys.prefix(3) {
            try await group.store(Self.entry(), under: key, at: 1)
            try Self.pass(group)
        }
        // Reading is a use.
        #expect(group.entry(keys[0]) != nil)
        try Self.pass(group)
        try await group.store(Self.entry(), under: keys[3], at: 1)
        #expect(keys.map { group.entry($0) != nil } == [true, false, true, true])
    }

    @Test func `The least recently used entries go first, by bytes, with their blobs`() async throws {
        let scene = try CacheScene()
        let group = try scene.open(Self.limits(bytes: 25_000))
        let keys = try (0..<3).map { try GroupKey("\($0)") }
        for (number, key) in keys.enumerated() {
            try await group.store([UInt8](repeating: UInt8(number), count: 10_000), Self.entry(), under: key, at: 1)
            try Self.pass(group)
        }
        #expect(keys.map { group.bytes($0) != nil } == [false, true, true])
        #expect(try scene.names(in: "blobs").count == 2)
        #expect(try scene.names(in: "entries").count == 2)
    }

    @Test func `A blob of two entries goes with the last of them`() async throws {
        let scene = try CacheScene()
        let group = try scene.open(Self.limits(count: 2))
        let keys = try (0..<3).map { try GroupKey("\($0)") }
        for key in keys.prefix(2) {
            try await group.store([1, 2, 3], Self.entry(), under: key, at: 1)
            try Self.pass(group)
        }
        try await group.store(Self.entry(), under: keys[2], at: 1)
        #expect(group.bytes(keys[0]) == nil && group.bytes(keys[1]) == [1, 2, 3])
    }

    @Test func `The entry that an instance shows is not evicted, not by another process either`() async throws {
        let scene = try CacheScene()
        // Locks belong to open files, so a second opening is as good as another process.
        let (mounted, other) = (try scene.open(Self.limits(count: 2)), try scene.open(Self.limits(count: 2)))
        let keys = try (0..<6).map { try GroupKey("\($0)") }
        try await mounted.store(Self.entry(), under: keys[0], at: 1)
        var held: HeldEntry? = try await mounted.hold(keys[0])
        #expect(held?.key == keys[0])
        for key in keys.dropFirst() {
            try Self.pass(other)
            try await other.store(Self.entry(), under: key, at: 1)
        }
        #expect(other.entry(keys[0]) != nil && other.entry(keys[1]) == nil)
        held = nil
        try Self.pass(other)
        for _ in 0..<3 {
            try await other.store(Self.entry(), under: keys[5], at: 1)
            try await other.store(Self.entry(), under: keys[4], at: 1)
        }
        #expect(other.entry(keys[0]) == nil)
    }

    /// The lock that an eviction has on the mark of an entry. Locks belong to open files, so it is as good as another
    /// process's.
    private static func evicting(_ key: GroupKey, of group: CacheGroup) throws -> FileDescriptor {
        let name = String(key.fileName.dropLast(".json".utf8.count))
        let mark = try Directory(opening: "\(group.path)/uses").openOrCreateFile(name, mode: 0o600)
        try #require(try mark.tryLock())
        return mark
    }

    @Test func `An instance whose entry is looked at by an eviction asks again after 5 ms`() async throws {
        let (scene, clock, key) = (try CacheScene(), ManualClock(), try GroupKey("a"))
        let group = try scene.open(in: World(clock: clock))
        let holding: Task<HeldEntry, any Error>
        do {
            let mark = try Self.evicting(key, of: group)
            holding = Task { try await group.hold(key) }
            await clock.waits(for: 1)
            #expect(clock.next == clock.now + .milliseconds(5))
            // The eviction's lock ends with its mark.
            _ = consume mark
        }
        // A process that a test starts has the lock as well until it runs its program.
        let held = try await clock.moving { try await holding.value }
        #expect(held.key == key)
    }

    @Test func `An instance fails when an eviction keeps its entry for a second`() async throws {
        let (scene, clock, key) = (try CacheScene(), SkippingClock(), try GroupKey("a"))
        let group = try scene.open(in: .skipping(clock))
        let mark = try Self.evicting(key, of: group)
        await #expect(throws: GroupCacheError.busy(path: group.path)) { _ = try await group.hold(key) }
        #expect(clock.passed == .seconds(1))
        _ = consume mark
    }

    @Test func `Temporary files and bytes without an entry are what crashes leave, and go`() async throws {
        let scene = try CacheScene()
        let group = try scene.open(Self.limits(bytes: 5_000))
        let key = try GroupKey("a")
        try await group.store(Self.entry(), under: key, at: 1)
        for folder in ["entries", "blobs"] {
            try Directory(opening: "\(group.path)/\(folder)").replaceFile(".staged-77", with: [1])
        }
        try Directory(opening: "\(group.path)/blobs").replaceFile("abc", with: [UInt8](repeating: 1, count: 6_000))
        try await group.evict()
        #expect(try scene.names(in: "entries") == [key.fileName])
        #expect(try scene.names(in: "blobs").isEmpty)
        #expect(group.entry(key) != nil)
    }
}
