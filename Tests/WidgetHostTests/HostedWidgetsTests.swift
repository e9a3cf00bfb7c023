import Bytes
import Files
import FoundationEssentials
import Predicates
import Testing
import WidgetBuild
import WidgetCore
import WidgetHost
import WidgetIntake
import WidgetRender
import WidgetRunning

/// Goal: a host has any number of widgets, each on its own, and what cannot be taken over changes nothing.
@Suite struct `A host's widgets` {
    /// A bundle's folder, made of a sample.
    static func bundle(in folder: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> String {
        let compiled = try SampleSources.compiled("HarbourLog", changing: changing)
        let path = "\(folder)/HarbourLog.bundle"
        try? FileManager.default.removeItem(atPath: path)
        try SourceFolder.write(compiled.files, to: path)
        return path
    }

    private static let identifier = "org.example.harbour.HarbourLog"

    private static func manager(_ folder: String? = nil) -> HostedWidgets {
        HostedWidgets(storesIn: folder) { Environment(now: 551_217_600) }
    }

    /// What is shown, once that is there.
    private static func text(_ widget: RunningWidget, showing wanted: String) async throws -> String {
        for _ in 0..<400 {
            let shown = ViewText(width: 100).text(await widget.snapshot().view)
            if shown.contains(wanted) { return shown }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Refused(description: "it does not show \(wanted)")
    }

    @Test func `of one bundle share nothing`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager("\(scratch.path)/stores")
        let bundle = try BundleReading.program(at: path).0.identifier
        let first = try await manager.load("\(bundle)-1", from: .path(path))
        let second = try await manager.load("\(bundle)-2", from: .path(path))
        #expect(await manager.identifiers == ["\(bundle)-1", "\(bundle)-2"])
        _ = try await Self.text(first, showing: "Fog, and nothing else")
        _ = try await Self.text(second, showing: "Fog, and nothing else")
        await first.send(.setting("mine", .boolean(true)))
        let field = try #require(ElementSearch(await first.snapshot().view).key("searchBar"))
        await first.send(.input(field, .string("gull")))
        #expect(try await Self.text(first, showing: "( gull )").contains("gull"))
        #expect(!ViewText().text(await second.snapshot().view).contains("( gull )"))
        await manager.unload("\(bundle)-1")
        #expect(await manager.identifiers == ["\(bundle)-2"])
        #expect(await first.send(.back) != nil)
        let model = try BundleReading.program(at: path).0.model
        let kept = try HostedWidgets.store("\(bundle)-1", in: "\(scratch.path)/stores").load(model: model)
        #expect(kept.defaults["mine"]?.truth == true && kept.records.count > 0)
        #expect(throws: HostError.self) { _ = try HostedWidgets.store("\(bundle)-2", in: "\(scratch.path)/stores") }
        await manager.unload("\(bundle)-2")
        let other = try HostedWidgets.store("\(bundle)-2", in: "\(scratch.path)/stores").load(model: model)
        #expect(other.defaults["mine"] == nil)
        // Loaded again, it goes on with what it knew.
        _ = try await manager.load("\(bundle)-1", from: .path(path))
    }

    @Test func `take over another version with what was typed, and keep the old one when there is none`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager()
        let bundle = try BundleReading.program(at: path).0.identifier
        let widget = try await manager.load(bundle, from: .path(path))
        _ = try await Self.text(widget, showing: "Fog, and nothing else")
        let field = try #require(ElementSearch(await widget.snapshot().view).key("searchBar"))
        await widget.send(.input(field, .string("fog")))
        #expect(await manager.update(bundle) == .noData)
        _ = try Self.bundle(in: scratch.path) { sources in
            let text = String(decoding: sources["StubService.json"] ?? [], as: UTF8.self)
            sources["StubService.json"] = Array(text.replacing("Fog, and nothing else", with: "Fog, and a bell").utf8)
            let scheme = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(scheme.replacing("<Untitled>", with: "<No title>").utf8)
        }
        #expect(await manager.update(bundle) == .newData(revision: 2))
        #expect(ViewText().text(await widget.snapshot().view).contains("( fog )"))
        try FileManager.default.removeItem(atPath: "\(path)/Info.plist")
        guard case .failed(.widget(.source(.bundle))) = await manager.update(bundle) else {
            Issue.record("it must fail")
            return
        }
        let snapshot = await widget.snapshot()
        #expect(snapshot.revision == 2 && snapshot.warning != nil && ViewText().text(snapshot.view).contains("( fog )"))
        #expect(await manager.update("nobody") == .failed(.notLoaded("nobody")))
    }

    @Test func `that cannot be loaded say why`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager()
        let bundle = try BundleReading.program(at: path).0.identifier
        await #expect(throws: HostError.widget(.identifierMismatch(expectedPrefix: bundle, found: "org.other"))) {
            _ = try await manager.load("org.other", from: .path(path))
        }
        await #expect(throws: HostError.self) { _ = try await manager.load(bundle, from: .path("\(path)/nothing")) }
        _ = try await manager.load(bundle, from: .path(path))
        await #expect(throws: HostError.loadedAlready(bundle)) {
            _ = try await manager.load(bundle, from: .path(path))
        }
        #expect(throws: HostError.self) { _ = try HostedWidgets.store("\(bundle)/../../x", in: scratch.path) }
    }
}
