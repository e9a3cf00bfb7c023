import FoundationEssentials
import GroupCache
import JSONText
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetTestSupport

@testable import WidgetHost

/// Goal: widgets of a group show what any of them, or an app, knows. Method: hosts over one folder.
@Suite(.ownThreads) struct `Widgets that share a cache` {
    private static let document = #"""
        {"schema": 1, "cache": {"latest": "nothing", "count": 0},
         "root": [
           {"kind": "label", "payload": {"text": "$cache.latest"}},
           {"kind": "button", "payload": {"text": "Fog"}, "on": {"tap":
             {"do": "cache", "key": "latest", "to": "fog", "at": 2000000000}}},
           {"kind": "button", "payload": {"text": "Old"}, "on": {"tap":
             {"do": "cache", "key": "latest", "to": "old news", "at": 1000000000}}},
           {"kind": "button", "payload": {"text": "Soon"}, "on": {"tap":
             {"do": "cache", "key": "latest", "to": "soon gone", "for": 0.3}}},
           {"kind": "button", "payload": {"text": "Later"}, "on": {"tap":
             {"do": "cache", "key": "latest", "to": "gone later", "for": 6000}}},
           {"kind": "button", "payload": {"text": "Forget"}, "on": {"tap": {"do": "uncache", "key": "latest"}}}]}
        """#

    private static let now = HostScene.noon + 978_307_200

    private static func first(_ widget: RunningWidget) async -> String {
        let text = HostScene.text(await widget.snapshot())
        return text.split(separator: "\n").map(String.init).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    }

    @Test func `C14: A value that one stores is shown by the others, in this process and another, and survives them`()
        async throws
    {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let (host, other) = (try scene.host(), try scene.host())
        let one = try await host.load("com.example.Note-1", from: .path(path))
        let two = try await host.load("com.example.Note-2", from: .path(path))
        let three = try await other.load("com.example.Note-3", from: .path(path))
        _ = try await HostScene.text(three, showing: "nothing")
        try await HostScene.tap("Fog", one)
        for widget in [one, two, three] { _ = try await HostScene.text(widget, showing: "fog") }
        // A value that was not known is a push: the others have been updated.
        for widget in [two, three] {
            #expect(try await widget.becomes { $0.data.revision >= 2 }.data.revision == 2)
            #expect(await widget.snapshot().data.revision == 2)
        }
        #expect(try scene.app().entry(GroupKey("latest"))?.json?.string == "fog")
        for (host, identifiers) in [
            (host, ["com.example.Note-1", "com.example.Note-2"]), (other, ["com.example.Note-3"]),
        ] {
            for identifier in identifiers { await host.unload(identifier) }
        }
        let again = try await scene.host().load("com.example.Note-4", from: .path(path))
        #expect(await Self.first(again).contains("fog"))
    }

    @Test func `C15: A value that an app stores has its type and its time, and is shown at once`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(
            #"""
            {"schema": 1, "cache": {"count": 0},
             "root": [{"kind": "label", "payload": {"text": {"$": "cache.count + 1"}}}]}
            """#)
        let app = try scene.app()
        let entry = GroupEntry(.json(JSONValue(.number(JSONNumber(41)))), storedAt: Self.now, writer: "app")
        try await app.store(entry, under: try GroupKey("count"), at: Self.now)
        let host = try scene.host()
        let widget = try await host.load("com.example.Note", from: .path(path))
        #expect(await Self.first(widget).contains("42"))
        let text = GroupEntry(.json(JSONValue(.string("many"))), storedAt: Self.now, writer: "app")
        try await app.store(text, under: try GroupKey("count"), at: Self.now)
        _ = try await HostScene.text(widget, showing: "1")
        let old = GroupEntry(.json(JSONValue(.number(JSONNumber(9)))), storedAt: Self.now - 60, timeToLive: 30)
        try await app.store(old, under: try GroupKey("count"), at: Self.now)
        let other = try await host.load("com.example.Note-2", from: .path(path))
        #expect(await Self.first(other).trimmed == "1", "what has expired is absent")
    }

    @Test func `C15: A value that is removed, or whose time is over, is absent for all`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let host = try scene.host()
        let one = try await host.load("com.example.Note-1", from: .path(path))
        let two = try await host.load("com.example.Note-2", from: .path(path))
        try await HostScene.tap("Fog", one)
        _ = try await HostScene.text(two, showing: "fog")
        try await HostScene.tap("Forget", two)
        _ = try await HostScene.text(one, showing: "nothing")
        try await HostScene.tap("Later", one)
        _ = try await HostScene.text(two, showing: "gone later")
        _ = try await HostScene.text(one, showing: "gone later")
        // How long the short one is shown is not looked at: a busy machine may take longer to look.
        try await HostScene.tap("Soon", one)
        _ = try await HostScene.text(two, showing: "nothing")
        _ = try await HostScene.text(one, showing: "nothing")
    }

    @Test func `C16: A widget's value that is older at its source gives way to the stored one`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let host = try scene.host()
        let newer = GroupEntry(
            .json(JSONValue(.string("from the app"))), storedAt: Self.now, upstream: 1_500_000_000, writer: "app")
        let widget = try await host.load("com.example.Note-1", from: .path(path))
        try await scene.app().store(newer, under: try GroupKey("latest"), at: Self.now)
        _ = try await HostScene.text(widget, showing: "from the app")
        try await HostScene.tap("Old", widget)
        #expect(await Self.first(widget).contains("from the app"))
        try await HostScene.tap("Fog", widget)
        _ = try await HostScene.text(widget, showing: "fog")
        await widget.settle()
        let stored = try scene.app().entry(GroupKey("latest"))?.json?.string
        #expect(stored == "fog", "the newest value is not stored")
    }

    @Test func `C15: A group that is not granted is a notice, and its values are absent`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let app = try scene.app()
        let entry = GroupEntry(.json(JSONValue(.string("secret"))), storedAt: Self.now, writer: "app")
        try await app.store(entry, under: try GroupKey("latest"), at: Self.now)
        let host = try scene.host(granting: [])
        let widget = try await host.load("com.example.Note", from: .path(path))
        let notice = await widget.snapshot().notice
        #expect(notice?.contains("the host does not grant the group group.com.acme") == true, "\(notice ?? "none")")
        await widget.forgetNotice()
        try await HostScene.tap("Fog", widget)
        _ = try await HostScene.text(widget, showing: "nothing")
        #expect(await widget.snapshot().notice != nil)
        #expect(app.value(try GroupKey("latest"), as: String.self, at: Self.now) == "secret")
    }

    @Test func `C15: Without a group the values are the widget's alone`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document, groups: [])
        let host = try scene.host()
        let one = try await host.load("com.example.Note-1", from: .path(path))
        let two = try await host.load("com.example.Note-2", from: .path(path))
        try await HostScene.tap("Fog", one)
        _ = try await HostScene.text(one, showing: "fog")
        await host.unload("com.example.Note-1")
        #expect(await Self.first(two).contains("nothing"))
        let again = try await host.load("com.example.Note-1", from: .path(path))
        #expect(await Self.first(again).contains("fog"))
    }

    @Test func `C15: Without a host that keeps values, they live as long as the widget`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let host = HostedWidgets { Environment(now: HostScene.noon) }
        let widget = try await host.load("com.example.Note", from: .path(path))
        try await HostScene.tap("Fog", widget)
        #expect(await Self.first(widget).contains("fog"))
        await host.unload("com.example.Note")
        let again = try await host.load("com.example.Note", from: .path(path))
        #expect(await Self.first(again).contains("nothing"))
    }

    @Test func `Entries that a mounted widget shows are not evicted`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(Self.document)
        let host = try scene.host()
        let widget = try await host.load("com.example.Note", from: .path(path))
        try await HostScene.tap("Fog", widget)
        let name = try GroupName(HostScene.group)
        var limits = GroupCacheLimits()
        limits.entryCount = 3
        let crowd = try CacheGroup(
            name, at: "\(scene.caches)/groups", access: GroupAccess(declared: [name], granted: [name]), limits: limits)
        await widget.settle()
        #expect(crowd.entry(try GroupKey("latest")) != nil)
        for number in 0..<10 {
            let entry = GroupEntry(.json(JSONValue(.string("x"))), storedAt: Self.now)
            try await crowd.store(entry, under: try GroupKey("k\(number)"), at: Self.now)
        }
        #expect(crowd.entry(try GroupKey("latest")) != nil)
        await host.unload("com.example.Note")
    }

    @Test func `Values of every type come back from the cache as they were`() throws {
        let values: [Value] = [
            .null, .boolean(true), .integer(-3), .double(0.25), .double(.infinity), .string("$date"), .date(12.5),
            .data([0, 255]), .array([.integer(1), .array([])]),
            .dictionary(PredicateDictionary([("$date", .integer(3))])),
            .dictionary(PredicateDictionary([("a", .date(1)), ("b", .null)])),
        ]
        for value in values {
            let again = CachedJSON.value(CachedJSON.json(value))
            #expect(again.isIdentical(to: value), "\(value) \(again)")
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(filter { !$0.isWhitespace }) }
}
