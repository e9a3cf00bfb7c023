import FoundationEssentials
import GroupCache
import HostileServer
import Testing
import WidgetAddresses
import WidgetBuild
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

/// A host in a folder of its test: bundles, stores and caches.
final class HostScene {
    let scratch: ScratchDirectory
    /// The sixteenth of June 2026, noon.
    static let noon = 803_304_000.0
    static let group = "group.com.acme"

    init() throws { scratch = try ScratchDirectory(in: Directory.temporary) }

    var stores: String { "\(scratch.path)/stores" }
    var caches: String { "\(scratch.path)/caches" }

    func host(
        _ network: @escaping @Sendable (String) -> any WidgetNetwork = { _ in DeniedNetwork() },
        granting granted: [String] = [group], policy: DataUpdatePolicy? = nil, now: Double = noon,
        clock: ManualClock? = nil
    ) throws -> HostedWidgets {
        let names = Set(try granted.map { try GroupName($0) })
        return HostedWidgets(
            storesIn: stores, network: network, cache: HostCache(at: caches) { _ in names }, policy: { _ in policy },
            clock: clock
        ) { Environment(now: now) }
    }

    /// A clock that begins at noon.
    static func clock() -> ManualClock { ManualClock(date: .seconds(noon + 978_307_200)) }

    /// The group's cache, as an app of the group opens it.
    func app() throws -> CacheGroup {
        let name = try GroupName(HostScene.group)
        return try CacheGroup(name, at: "\(caches)/groups", access: GroupAccess(declared: [name], granted: [name]))
    }

    /// The path of a bundle with one document.
    ///
    /// - Parameter groups: the groups that it declares.
    func bundle(_ document: String, groups: [String] = [group], name: String = "Note") throws -> String {
        let path = "\(scratch.path)/\(name).bundle"
        let declared = "\"schema\": 1, \"groups\": [\(groups.map { "\"\($0)\"" }.joined(separator: ", "))]"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let manifest = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.\(name)</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>
            </dict></plist>
            """
        let folder = try Directory(opening: path)
        try folder.replaceFile("Info.plist", with: Array(manifest.utf8))
        try folder.replaceFile(
            "Main.widgets.json", with: Array(document.replacing("\"schema\": 1", with: declared).utf8))
        return path
    }

    /// The path of a log whose entries come from a server.
    func log(from server: String) throws -> String {
        try `A host's widgets`.bundle(in: scratch.path) { sources in
            sources["StubService.json"] = nil
            sources["Service.json"] = Array(
                #"""
                {"defaults": {"baseUrl": "\#(server)"},
                 "actions": {"log": {"path": "log", "resultType": "[Entry]", "clearPolicy": "after"}}}
                """#.utf8)
            let scheme = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(
                scheme.replacing(#""serviceProviderClassName": "StubServiceProvider""#, with: #""title": "Log""#).utf8)
        }
    }

    static let logIdentifier = "com.example.HarbourLog"

    /// The network of a host that lets its widgets ask a server of the test.
    static func network(to server: HostileServer) throws -> @Sendable (String) -> any WidgetNetwork {
        let range = try #require(AddressRange("127.0.0.0/8"))
        let web = WebNetwork(try NetworkGrant([server.url], privateRanges: [range]))
        return { _ in web }
    }

    static func text(_ snapshot: RunningWidget.Snapshot) -> String { ViewText(width: 100).text(snapshot.view) }

    /// The screen, once it shows a text and no update is under way.
    static func text(updated widget: RunningWidget, showing wanted: String) async throws -> String {
        text(try await widget.becomes { text($0).contains(wanted) && $0.data.state != .updating })
    }

    /// The screen, once it shows a text.
    static func text(_ widget: RunningWidget, showing wanted: String) async throws -> String {
        text(try await widget.becomes { text($0).contains(wanted) })
    }

    static func tap(_ name: String, _ widget: RunningWidget) async throws {
        let key = try #require(ElementSearch(await widget.snapshot().view).key(name, for: .tap))
        #expect(await widget.send(.tap(key)) == nil)
    }
}

extension RunningWidget {
    /// The first snapshot that fulfils the condition. The widget notifies of each change.
    func becomes(_ condition: (Snapshot) throws -> Bool) async throws -> Snapshot {
        for await _ in changes {
            let now = snapshot()
            if try condition(now) { return now }
        }
        throw Refused(description: "it was stopped, and shows \(HostScene.text(snapshot()))")
    }
}
