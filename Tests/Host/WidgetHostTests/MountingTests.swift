import Foundation
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetTestSupport

/// Goal: a mounted widget shows something at once, from its last run, and asks its servers afterwards. Method: a host in a
/// folder, with a network that notes when it is asked.
@Suite(.ownThreads) struct `A widget that is mounted` {
    /// A network that notes its first request, and answers when the test says so.
    private actor NotedNetwork: WidgetNetwork {
        nonisolated let order: Observed<[String]>
        private let titles: [String]

        init(_ titles: [String], _ order: Observed<[String]>) { (self.titles, self.order) = (titles, order) }

        func outcome(
            of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
        ) async -> RequestOutcome {
            order.change { $0.append("request") }
            let entries = titles.enumerated().map { place, title in
                Value.dictionary(PredicateDictionary([("id", .string("\(place)")), ("title", .string(title))]))
            }
            return .response(status: 200, body: .array(entries))
        }
    }

    private static func mount(
        _ scene: HostScene, _ path: String, _ titles: [String]
    ) async throws -> (host: HostedWidgets, widget: RunningWidget, order: [String], first: RunningWidget.Snapshot) {
        let order = Observed([String]())
        let network = NotedNetwork(titles, order)
        let first = Guarded<RunningWidget.Snapshot?>(nil)
        let host = try scene.host({ _ in network }, clock: HostScene.clock())
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path)) { snapshot in
            order.change { $0.append("view") }
            first.withLock { $0 = snapshot }
        }
        if let title = titles.last { _ = try await HostScene.text(updated: widget, showing: title) }
        await order.becomes { $0.count >= 2 }
        return (host, widget, order.value, try #require(first.withLock { $0 }))
    }

    @Test func `C2: Its first view is there before any server is asked`() async throws {
        let scene = try HostScene()
        let path = try scene.log(from: "https://harbour.example.com")
        for _ in 0..<5 {
            let (host, _, order, _) = try await Self.mount(scene, path, ["Fog"])
            #expect(order == ["view", "request"])
            await host.unload(HostScene.logIdentifier)
        }
    }

    @Test func `C7: It shows its last view with its age, and then the live one`() async throws {
        let scene = try HostScene()
        let path = try scene.log(from: "https://harbour.example.com")
        let (host, _, _, empty) = try await Self.mount(scene, path, ["Fog"])
        #expect(!empty.isKept && empty.data.age == nil)
        await host.unload(HostScene.logIdentifier)
        let (again, widget, _, first) = try await Self.mount(scene, path, ["Fog", "A ship"])
        #expect(first.isKept && HostScene.text(first).contains("Fog") && !HostScene.text(first).contains("A ship"))
        #expect(first.data.age != nil && first.data.revision == 1)
        let live = await widget.snapshot()
        #expect(!live.isKept && live.data.revision == 2)
        await again.unload(HostScene.logIdentifier)
    }

    @Test func `U9: Records, settings and the last view outlive it, and views hold no state`() async throws {
        let scene = try HostScene()
        let path = try scene.log(from: "https://harbour.example.com")
        let (host, widget, _, _) = try await Self.mount(scene, path, ["Fog", "Lamp"])
        await widget.send(.setting("mine", .string("gull")))
        let before = HostScene.text(await widget.snapshot())
        await host.unload(HostScene.logIdentifier)
        let (again, mounted, _, first) = try await Self.mount(scene, path, [])
        let store = await mounted.store
        #expect(store.defaults["mine"]?.string == "gull")
        #expect(before.contains("Lamp") && first.isKept && HostScene.text(first).contains("Lamp"))
        await again.unload(HostScene.logIdentifier)
    }

    @Test func `C7: A store from before views were kept gets its first one, and a damaged one is reported once`()
        async throws
    {
        let scene = try HostScene()
        let path = try scene.log(from: "https://harbour.example.com")
        let (host, _, _, _) = try await Self.mount(scene, path, ["Fog"])
        await host.unload(HostScene.logIdentifier)
        let folder = "\(scene.stores)/\(HostScene.logIdentifier).view"
        try FileManager.default.removeItem(atPath: folder)
        let (second, _, _, first) = try await Self.mount(scene, path, ["Fog", "A ship"])
        // The records are there all the same.
        #expect(!first.isKept && HostScene.text(first).contains("Fog"))
        await second.unload(HostScene.logIdentifier)
        try Directory(opening: folder).replaceFile("view", with: [1, 2, 3])
        let (third, _, _, damaged) = try await Self.mount(scene, path, ["Fog", "A ship", "A gull"])
        #expect(!damaged.isKept)
        let findings = damaged.view.diagnostics.filter { $0.message.contains("cannot be read") }
        #expect(findings.count == 1 && findings.first?.code == .storing)
        await third.unload(HostScene.logIdentifier)
        let (fourth, _, _, whole) = try await Self.mount(scene, path, ["Fog", "A ship", "A gull", "Rain"])
        #expect(whole.isKept && !whole.view.diagnostics.contains { $0.message.contains("cannot be read") })
        await fourth.unload(HostScene.logIdentifier)
    }

    @Test func `C7: A process that is killed while it keeps a view leaves a whole one`() async throws {
        let scene = try HostScene()
        let file = KeptViewFile(in: "\(scene.scratch.path)/killed.view")
        var last = -1
        for round in 0..<12 {
            let child = ChildProcess()
            child.executableURL = BuiltProgram("WidgetSpecimen").url
            child.arguments = ["group", file.path, "view", "1000000"]
            let output = Pipe()
            child.standardOutput = .pipe(output)
            try child.run()
            // The first two are killed before they write, the others while they do.
            let count = round < 2 ? 0 : Int.random(in: 1...30)
            #expect(output.firstLines(count).count == count)
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            #expect(child.terminationReason == .uncaughtSignal)
            switch file.read() {
            case .nothing: #expect(last == -1, "round \(round)")
            case .damaged(let reason): Issue.record("round \(round): \(reason)")
            case .view(let kept):
                let texts = kept.view.root.children.map { $0.text(.text) }
                let number = try #require(kept.content?.revision)
                #expect(texts.count == 2 && texts[0] == texts[1] && texts[0].hasPrefix("\(number) "))
                last = number
            }
            // A process that was killed early has not made the folder.
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            let left = try Directory(opening: file.path).items(limit: 100)?.map(\.name) ?? []
            #expect(!left.contains { $0.hasPrefix(".staged-") }, "what a killed process leaves is removed")
        }
        #expect(last >= 0)
    }
}
