import GroupCache
import HostileServer
import JSONText
import Testing
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetTestSupport

/// A cache that stores nothing, and has nothing.
private struct FullPlace: CachePlace {
    let denial: CacheRefusal? = nil

    func values(of keys: [String], at moment: Double) -> [CacheChange] { keys.map { CacheChange($0, nil) } }

    func carryOut(_ change: CacheChange, at moment: Double) async throws(CacheRefusal) -> CacheChange? {
        throw CacheRefusal("the disk is full")
    }
}

/// Goal: a host that cannot keep something says so, and the widget continues with it. Method: folders that are damaged
/// while they are in use.
@Suite(.ownThreads) struct `Values that cannot be kept` {
    private static let document = #"""
        {"schema": 1, "cache": {"latest": "nothing", "other": 0},
         "root": [
           {"kind": "label", "payload": {"text": "$cache.latest"}},
           {"kind": "button", "payload": {"text": "Fog"}, "on": {"tap": {"do": "cache", "key": "latest", "to": "fog"}}}]}
        """#

    private static let now = HostScene.noon + 978_307_200

    private static func notice(_ widget: RunningWidget, with wanted: String) async throws -> String {
        try #require(await widget.becomes { $0.notice?.contains(wanted) == true }.notice)
    }

    private static func entry(_ value: JSONValue, _ seconds: Double) -> GroupEntry {
        GroupEntry(.json(value), storedAt: now + seconds, writer: "app")
    }

    @Test func `A value that could not be stored stays in its widget, which says so, until others store a later one`()
        async throws
    {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        var limits = GroupCacheLimits()
        limits.patience = .milliseconds(20)
        let name = try GroupName(HostScene.group)
        let cache = HostCache(at: scene.caches, limits: limits) { _ in [name] }
        let host = HostedWidgets(cache: cache) { Environment(now: HostScene.noon) }
        let widget = try await host.load("com.example.Note", from: .path(path))
        let app = try scene.app()
        let lock = try FileLock(of: Directory(opening: app.path).openOrCreateFile("lock"))
        try await HostScene.tap("Fog", widget)
        let notice = try await Self.notice(widget, with: "the widget has it until it ends")
        #expect(notice.contains("latest was not stored in the cache: another process has had the lock"), "\(notice)")
        #expect(HostScene.text(await widget.snapshot()).contains("fog"))
        _ = consume lock
        try await app.store(
            Self.entry(JSONValue(.number(JSONNumber(1))), 0), under: try GroupKey("other"), at: Self.now)
        await widget.cacheChanged()
        #expect(HostScene.text(await widget.snapshot()).contains("fog"), "another key has changed")
        try await app.store(
            Self.entry(JSONValue(.string("later")), 200), under: try GroupKey("latest"), at: Self.now + 200)
        await widget.cacheChanged()
        #expect(HostScene.text(await widget.snapshot()).contains("later"))
        await host.unload("com.example.Note")
    }

    @Test func `A script's widget has a value that could not be stored, too, and its run says so`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let (program, _) = try BundleReading.program(at: path, identifier: "com.example.Note")
        let instance = WidgetInstance(program, environment: Environment(now: HostScene.noon))
        var run = ScriptRun(instance, network: DeniedNetwork(), cache: FullPlace()) { "\($0)" }
        try await run.play(EventScript(steps: [.tap("Fog")]))
        #expect(run.takeNotices() == ["the disk is full; the widget has it until it ends"])
        #expect(run.instance.store.cache.values["latest"]?.value.text == "fog")
        await run.replace(program)
        #expect(run.instance.store.cache.values["latest"]?.value.text == "fog", "it is read again")
    }

    @Test func `A folder for answers that cannot be used is a warning, and whole answers are asked for`() async throws {
        let server = try HostileServer { $0.answer(200, ["ETag: \"1\""], text: #"[{"id": "1", "title": "Fog"}]"#) }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let folder = try Directory(creating: scene.caches).createDirectory("own")
        _ = try folder.createDirectory(HostScene.logIdentifier, mode: 0o755)
        let host = try scene.host(try HostScene.network(to: server))
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog")
        let found = await widget.snapshot().view.diagnostics.map(\.description)
        #expect(
            found.contains { $0.contains("Answers of servers are not kept") && $0.contains("chmod 700") }, "\(found)")
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `An answer that could not be kept is a notice, once`() async throws {
        let server = try HostileServer { $0.answer(200, ["ETag: \"1\""], text: #"[{"id": "1", "title": "Fog"}]"#) }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let host = try scene.host(try HostScene.network(to: server))
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog")
        #expect(await widget.snapshot().notice == nil)
        try Directory(opening: "\(scene.caches)/own/\(HostScene.logIdentifier)").removeTree("entries")
        _ = await widget.update()
        _ = try await Self.notice(widget, with: "An answer of a server was not kept: ")
        await widget.forgetNotice()
        _ = await widget.update()
        let again = await widget.snapshot().notice
        #expect(again == nil, "\(again ?? "")")
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `A value that cannot be held is a notice`() async throws {
        let scene = try HostScene()
        let long = String(repeating: "k", count: 1_100)
        let path = try scene.bundle(Self.document.replacing("\"other\"", with: "\"\(long)\""))
        let host = try scene.host()
        let widget = try await host.load("com.example.Note", from: .path(path))
        let notice = await widget.snapshot().notice
        #expect(notice?.contains("may be evicted while it is shown: ") == true, "\(notice ?? "none")")
        await host.unload("com.example.Note")
    }
}
