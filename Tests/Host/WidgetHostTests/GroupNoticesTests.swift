import GroupCache
import JSONText
import RegistryClient
import Testing
import WidgetFiles
import WidgetHost

/// Goal: an instance learns at once that another has stored a value, without asking again and again.
@Suite struct `Notices of a group` {
    @Test func `A value that another instance stores, replaces or removes is a notice with its key`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let name = try GroupName("group.com.acme")
        let access = GroupAccess(declared: [name], granted: [name])
        let group = try CacheGroup(name, at: scratch.path, access: access)
        let other = try CacheGroup(name, at: scratch.path, access: access)
        let (first, second) = (try GroupKey("first"), try GroupKey("second"))
        func store(_ text: String, _ key: GroupKey) async throws {
            try await other.store(GroupEntry(.json(JSONValue(.string(text))), storedAt: 1), under: key, at: 1)
        }
        try await store("before", first)
        var timing = WatchTiming()
        // Nothing may depend on looking.
        timing.recheck = .seconds(600)
        var changes = GroupNotices(group, timing: timing).changes.makeAsyncIterator()
        try await store("new", second)
        #expect(await changes.next() == [second.fileName])
        try await store("again", first)
        #expect(await changes.next() == [first.fileName])
        try await other.remove(first)
        #expect(await changes.next() == [first.fileName])
    }
}
