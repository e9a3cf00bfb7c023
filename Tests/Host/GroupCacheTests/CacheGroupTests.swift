import GroupCache
import JSONText
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings

/// A group's cache in a folder of its test.
final class CacheScene {
    let scratch: ScratchDirectory
    let name: GroupName

    init() throws {
        name = try GroupName("group.com.acme")
        scratch = try ScratchDirectory(in: Directory.temporary)
    }

    func open(
        _ limits: GroupCacheLimits = GroupCacheLimits(), in world: World = .machine,
        report: @escaping @Sendable (GroupCacheFault) -> Void = { _ in }
    ) throws -> CacheGroup {
        let access = GroupAccess(declared: [name], granted: [name])
        return try CacheGroup(
            name, at: "\(scratch.path)/groups", access: access, limits: limits, in: world, report: report)
    }

    func names(in folder: String) throws -> [String] {
        try Directory(opening: "\(scratch.path)/groups/\(name)/\(folder)").items(limit: 10_000)?.map(\.name) ?? []
    }
}

/// Goal: widgets and apps of a group share values, and find the newest one that any of them knows.
@Suite struct `The cache of a group` {
    private static func text(_ text: String) -> GroupEntry.Content { .json(JSONValue(.string(text))) }

    @Test func `C14: Two instances of a group find each other's values, with their times and validators`() async throws
    {
        let scene = try CacheScene()
        let (app, widget) = (try scene.open(), try scene.open())
        let key = try GroupKey("latest event")
        #expect(widget.entry(key) == nil)
        let entry = GroupEntry(
            Self.text("push"), storedAt: 100, timeToLive: 60, upstream: 90, etag: "\"7\"", lastModified: "Tue",
            writer: "app")
        #expect(try await app.store(entry, under: key, at: 100) == .stored)
        #expect(widget.entry(key) == entry)
        #expect(widget.entry(key)?.etag == "\"7\"" && widget.entry(key)?.writer == "app")
        try await widget.remove(key)
        try await widget.remove(key)
        #expect(app.entry(key) == nil)
        #expect(try scene.names(in: "uses").isEmpty)
    }

    @Test func `C15: A value has a type, a widget or none, and a time to live`() async throws {
        let scene = try CacheScene()
        let group = try scene.open()
        let (shared, own) = (try GroupKey("count"), try GroupKey("count", of: "com.acme.Clock-1"))
        let number = GroupEntry(.json(JSONValue(.number(JSONNumber(7)))), storedAt: 100, timeToLive: 60)
        try await group.store(number, under: shared, at: 100)
        #expect(group.value(shared, as: Int.self, at: 159) == 7)
        #expect(group.value(shared, as: String.self, at: 159) == nil && group.value(own, as: Int.self, at: 159) == nil)
        // Not fresh any more, and still there for a widget that has nothing better to show.
        #expect(group.value(shared, as: Int.self, at: 160) == nil && group.entry(shared)?.age(at: 160) == 60)
        // A clock that was wrong when it was stored.
        #expect(group.value(shared, as: Int.self, at: 99) == nil)
        let name = GroupEntry(Self.text("mine"), storedAt: 100)
        try await group.store(name, under: own, at: 100)
        #expect(group.value(own, as: String.self, at: 1e12) == "mine")
        #expect(group.value(shared, as: Int.self, at: 150) == 7)
    }

    @Test func `C16: The last writer wins, but an older upstream time never replaces a newer one`() async throws {
        let scene = try CacheScene()
        let (app, widget) = (try scene.open(), try scene.open())
        let key = try GroupKey("latest event")
        func entry(_ word: String, _ upstream: Double?) -> GroupEntry {
            GroupEntry(Self.text(word), storedAt: 1_000, upstream: upstream)
        }
        #expect(try await app.store(entry("newer", 900), under: key, at: 1_000) == .stored)
        #expect(try await widget.store(entry("older", 899), under: key, at: 1_001) == .superseded(by: 900))
        #expect(app.value(key, as: String.self, at: 1_001) == "newer")
        #expect(try await widget.store(entry("same time", 900), under: key, at: 1_002) == .stored)
        #expect(try await app.store(entry("no time", nil), under: key, at: 1_003) == .stored)
        #expect(try await app.store(entry("any time", 1), under: key, at: 1_004) == .stored)
        #expect(widget.value(key, as: String.self, at: 1_004) == "any time")
        // A source whose clock is wrong does not keep later values out for ever.
        #expect(try await app.store(entry("far future", 1e15), under: key, at: 1_005) == .stored)
        #expect(try await app.store(entry("later", 1_400), under: key, at: 1_400) == .stored)
    }

    @Test func `Bytes are stored once under their digest, and verified when they are read`() async throws {
        let scene = try CacheScene()
        let group = try scene.open()
        let (first, second) = (try GroupKey("glyph"), try GroupKey("glyph, again"))
        let bytes = [UInt8](0..<200)
        let note = GroupEntry(Self.text(""), storedAt: 5)
        try await group.store(bytes, note, under: first, at: 5)
        try await group.store(bytes, note, under: second, at: 5)
        #expect(group.bytes(first) == bytes && group.bytes(second) == bytes)
        #expect(try scene.names(in: "blobs") == [try #require(Digest.sha256(bytes)).hex])
        let other = try GroupKey("other")
        #expect(group.entry(first)?.json == nil && group.bytes(other) == nil)
    }

    @Test func `Folders are private, and one that others can reach is refused`() async throws {
        let scene = try CacheScene()
        let group = try scene.open()
        try await group.store(GroupEntry(Self.text("a"), storedAt: 1), under: try GroupKey("a"), at: 1)
        let root = try Directory(opening: "\(scene.scratch.path)/groups")
        #expect(try root.status().mode == 0o700)
        #expect(try root.status(of: scene.name.text).mode == 0o700)
        for folder in ["entries", "blobs", "uses", "damaged"] {
            #expect(try Directory(opening: group.path).status(of: folder).mode == 0o700)
        }
        let file = try Directory(opening: group.entriesPath).status(of: try GroupKey("a").fileName)
        #expect(file.mode == 0o600)
        let open = try Directory(opening: "\(scene.scratch.path)/groups").createDirectory("group.open", mode: 0o755)
        #expect(try open.status().mode == 0o755)
        let name = try GroupName("group.open")
        #expect(throws: GroupCacheError.openToOthers(path: "\(scene.scratch.path)/groups/group.open", mode: 0o755)) {
            _ = try CacheGroup(
                name, at: "\(scene.scratch.path)/groups", access: GroupAccess(declared: [name], granted: [name]))
        }
    }

    @Test func `A widget reaches only groups that its bundle declares and its host grants`() throws {
        let scene = try CacheScene()
        let (mine, other) = (scene.name, try GroupName("group.com.other"))
        let folder = "\(scene.scratch.path)/groups"
        #expect(throws: GroupCacheError.notDeclared(other)) {
            _ = try CacheGroup(other, at: folder, access: GroupAccess(declared: [mine], granted: [mine, other]))
        }
        #expect(throws: GroupCacheError.notGranted(mine)) {
            _ = try CacheGroup(mine, at: folder, access: GroupAccess(declared: [mine], granted: [other]))
        }
        #expect(try !Directory(opening: scene.scratch.path).holds("groups"))
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "-x", "_x", ".x", "gröup", "a\u{0}", "a b", String(repeating: "a", count: 129),
    ])
    func `A group's name is the name of one private folder, or refused`(name: String) throws {
        #expect(throws: GroupCacheError.self) { _ = try GroupName(name) }
        #expect(try GroupName(String(repeating: "a", count: 128)).text.utf8.count == 128)
    }

    @Test(arguments: ["", "../../etc/passwd", "a/b", "\u{0}", "\u{1F600}", "e\u{301}", "\u{E9}", "\u{202E}x"])
    func `A key is any text, and names a file by its digest`(name: String) async throws {
        let scene = try CacheScene()
        let group = try scene.open()
        let key = try GroupKey(name)
        try await group.store(GroupEntry(Self.text(name), storedAt: 1), under: key, at: 1)
        #expect(group.entry(key)?.json?.string?.hasBytes(of: name) == true)
        #expect(key.fileName.utf8.count == 69 && key.fileName.hasSuffix(".json"))
        #expect(try scene.names(in: "entries") == [key.fileName])
        #expect(group.entry(try GroupKey("\(name)x")) == nil)
    }

    @Test func `A value beyond a limit is refused, and the one from before stays`() async throws {
        let scene = try CacheScene()
        var limits = GroupCacheLimits()
        (limits.entryByteCount, limits.blobByteCount, limits.depth) = (1_000, 2_000, 4)
        let group = try scene.open(limits)
        let key = try GroupKey("a")
        try await group.store(GroupEntry(Self.text("before"), storedAt: 1), under: key, at: 1)
        let long = GroupEntry(Self.text(String(repeating: "x", count: 1_000)), storedAt: 1)
        await #expect(throws: GroupCacheError.self) { try await group.store(long, under: key, at: 1) }
        let nested = (0..<6).reduce(JSONValue(.null)) { value, _ in JSONValue(.array([value])) }
        await #expect(throws: GroupCacheError.self) {
            try await group.store(GroupEntry(.json(nested), storedAt: 1), under: key, at: 1)
        }
        let tag = GroupEntry(Self.text("a"), storedAt: 1, etag: String(repeating: "x", count: 1_025))
        await #expect(throws: GroupCacheError.tooLong("the entity tag", limit: 1_024)) {
            try await group.store(tag, under: key, at: 1)
        }
        await #expect(throws: GroupCacheError.valueTooLarge(byteCount: 2_001, limit: 2_000)) {
            try await group.store([UInt8](repeating: 0, count: 2_001), tag, under: key, at: 1)
        }
        for number in [Double.nan, .infinity] {
            await #expect(throws: GroupCacheError.self) {
                try await group.store(GroupEntry(Self.text("a"), storedAt: number), under: key, at: 1)
            }
        }
        #expect(throws: GroupCacheError.tooLong("the key", limit: 1_024)) {
            _ = try GroupKey(String(repeating: "k", count: 1_025))
        }
        #expect(group.value(key, as: String.self, at: 1) == "before")
        #expect(try scene.names(in: "entries").count == 1)
        #expect(try scene.names(in: "blobs").isEmpty)
    }
}
