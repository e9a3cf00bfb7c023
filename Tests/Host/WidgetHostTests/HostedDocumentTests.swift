import Foundation
import HostileServer
import Testing
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: a host's widget of documents is brought up to date like any other. Method: a folder that a test writes.
@Suite struct `A host's widget of documents` {
    private static let identifier = "com.example.Note"

    private static func write(_ document: String, in folder: String) throws -> String {
        let path = "\(folder)/Note.bundle"
        let manifest = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
            """
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: URL(filePath: "\(path)/Info.plist"))
        try Data(document.utf8).write(to: URL(filePath: "\(path)/Main.widgets.json"), options: .atomic)
        return path
    }

    private static func document(_ text: String) -> String {
        #"[{"kind": "label", "payload": {"text": "\#(text)"}}, {"kind": "textfield", "id": "field"}]"#
    }

    @Test func `A snapshot counts revisions and attempts, and a refused document leaves the last good one`()
        async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.write(Self.document("First"), in: scratch.path)
        let manager = HostedWidgets { Environment(now: 551_217_600) }
        let widget = try await manager.load(Self.identifier, from: .path(path))
        let field = try #require(ElementSearch(await widget.snapshot().view).key("field"))
        await widget.send(.input(field, .string("typed")))
        var snapshot = await widget.snapshot()
        #expect(snapshot.revision == 1 && snapshot.attempt == 1)
        #expect(await manager.update(Self.identifier) == .noData)
        for (number, broken) in ["[", #"{"no": "scene"}"#].enumerated() {
            _ = try Self.write(broken, in: scratch.path)
            guard case .failed = await manager.update(Self.identifier) else {
                Issue.record("it must fail")
                return
            }
            snapshot = await widget.snapshot()
            #expect(snapshot.revision == 1 && snapshot.attempt == number + 2)
            #expect(snapshot.warning?.contains("Main.widgets.json:1:") == true, "\(snapshot.warning ?? "")")
            #expect(ViewText().text(snapshot.view).contains("First"))
        }
        _ = try Self.write(Self.document("Second"), in: scratch.path)
        #expect(await manager.update(Self.identifier) == .newData(revision: 2))
        snapshot = await widget.snapshot()
        #expect(snapshot.revision == 2 && snapshot.attempt == 4 && snapshot.warning == nil)
        let text = ViewText().text(snapshot.view)
        #expect(text.contains("Second") && text.contains("typed"))
        await manager.unload(Self.identifier)
    }

    @Test(.ownThreads) func `A widget that a host opens places no order, and its button does`() async throws {
        let scene = try HostScene()
        let server = try HostileServer { visit in
            _ = visit.readBody()
            visit.answer(201, ["Content-Type: application/json"], text: #"{"id": "N7"}"#)
        }
        defer { server.stop() }
        let path = try Self.write(
            #"""
            {"schema": 1, "sources": {"order": {"action": "order", "with": {"lines": [{"id": 7}]}}, "list": {"action": "list"}}, "root": [
              {"kind": "label", "payload": {"text": {"$": "{list.id, order.id}"}}},
              {"kind": "button", "payload": {"text": "Order"}, "on": {"tap": {"do": "call", "source": "order"}}}]}
            """#, in: scene.scratch.path)
        let service =
            #"{"defaults": {"baseUrl": "\#(server.url)", "parametersIn": "json"}, "actions": {"list": {"path": "list"}, "order": {"httpMethod": "POST", "path": "orders", "parameters": {"lines": "$lines"}}}}"#
        try Data(service.utf8).write(to: URL(filePath: "\(path)/Service.json"))
        let host = try scene.host(HostScene.network(to: server))
        let widget = try await host.load(Self.identifier, from: .path(path))
        _ = try await HostScene.text(widget, showing: "N7")
        _ = await host.update(Self.identifier)
        #expect(server.requests.allSatisfy { $0.target == "/list" }, "\(server.requests.map(\.target))")
        try await HostScene.tap("Order", widget)
        _ = try await HostScene.text(widget, showing: "(N7, N7)")
        #expect(server.requests.map(\.method).count { $0 == "POST" } == 1)
        await host.unload(Self.identifier)
    }
}
