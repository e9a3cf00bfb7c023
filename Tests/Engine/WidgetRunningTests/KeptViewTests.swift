import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetPredicates
import WidgetRender
import WidgetTestSupport

@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: the last view of a widget outlives it, whole or not at all. Method: files that the test writes and damages.
@Suite(.ownThreads) final class `The last view of a widget` {
    private let scratch: ScratchDirectory
    private let file: KeptViewFile

    init() throws {
        scratch = try ScratchDirectory(in: Directory.temporary)
        file = KeptViewFile(in: "\(scratch.path)/log.view")
    }

    private static func view(_ titles: [String]) throws -> View {
        var driver = try LiveLog.driver()
        driver.beginUpdate(1, within: 10)
        try LiveLog.answer(&driver, LiveLog.answer(titles))
        return driver.view()
    }

    private static func kept(_ titles: [String] = ["Fog", "Lamp"]) throws -> KeptView {
        let view = try view(titles)
        let content = AcceptedContent(digest: Digest(repeating: 7), revision: 3, moment: 12.25)
        return KeptView(view: view, content: content, savedAt: 13, program: "abc")
    }

    private func read() throws -> KeptView {
        guard case .view(let kept) = file.read() else { throw Missing() }
        return kept
    }

    private struct Missing: Error {}

    private func bytes(upTo count: Int = 1 << 20) throws -> [UInt8] {
        try FileDescriptor.reading("\(file.path)/view").read(at: 0, count: count)
    }

    private func replace(with bytes: [UInt8]) throws {
        try Directory(opening: file.path).replaceFile("view", with: bytes)
    }

    @Test func `C7: The views of a release that has taken over are kept as its own`() throws {
        var memory = ViewMemory(file, program: "first")
        memory.forget(for: "second")
        memory.keep(try Self.view(["Fog"]), nil, at: 1)
        #expect(try read().program == "second")
        memory.forget()
        memory.keep(try Self.view(["Lamp"]), nil, at: 2)
        #expect(try read().program == "second")
    }

    @Test func `C7: A view of as many bytes as a file may have is kept, and one of a byte more is refused`() throws {
        let view = try Self.view(["Fog"])
        func kept(_ length: Int) -> KeptView {
            KeptView(view: view, content: nil, savedAt: 13, program: String(repeating: "a", count: length))
        }
        // The digest and its line's end come before the view.
        let room = KeptViewFile.byteLimit - 65
        let length = room - KeptViewDocument.bytes(kept(0)).count
        try file.write(kept(length))
        #expect(try bytes(upTo: KeptViewFile.byteLimit + 1).count == KeptViewFile.byteLimit)
        #expect(try read().program.count == length)
        #expect(throws: WidgetError.viewTooLarge(byteCount: room + 1, limit: KeptViewFile.byteLimit)) {
            try file.write(kept(length + 1))
        }
        #expect(try read().program.count == length, "the former one stays")
    }

    @Test func `C7: A view that lies deeper than views do is damaged`() throws {
        func nested(_ depth: Int) -> View {
            var node = ViewNode(ViewKey(screen: 1, node: 0), .box)
            for place in 1..<depth { node = ViewNode(ViewKey(screen: 1, node: place), .box, children: [node]) }
            return View(screen: "s", title: "", root: node)
        }
        let depth = Budget().depth
        try file.write(KeptView(view: nested(depth), content: nil, savedAt: 0, program: ""))
        _ = try read()
        try file.write(KeptView(view: nested(depth + 10), content: nil, savedAt: 0, program: ""))
        guard case .damaged = file.read() else { throw Missing() }
    }

    @Test func `C7: A secret that is typed is not kept`() throws {
        let field = ViewNode(
            ViewKey(screen: 1, node: 1), .textField,
            properties: [ViewProperty(.text, .string("allegro")), ViewProperty(.isSecure, .boolean(true))])
        try file.write(
            KeptView(view: View(screen: "s", title: "", root: field), content: nil, savedAt: 0, program: ""))
        #expect(!String(decoding: try bytes(), as: UTF8.self).contains("allegro"))
        #expect(try read().view.root.isTrue(.isSecure))
    }

    @Test func `C7: The margins of a widget and its absence are kept with its view`() throws {
        var view = try Self.view(["Fog"])
        view.insets = Insets(top: 1, leading: 2, bottom: 3, trailing: 4.5, isPhysical: false)
        view.isVisible = false
        try file.write(KeptView(view: view, content: nil, savedAt: 0, program: ""))
        let found = try read().view
        #expect(found.insets == view.insets && !found.isVisible && found.digest == view.digest)
    }

    @Test func `C7: A view that is kept is printed as before, with its content and its moment`() throws {
        guard case .nothing = file.read() else { throw Missing() }
        let kept = try Self.kept()
        try file.write(kept)
        let found = try read()
        #expect(found.content == kept.content && found.savedAt == 13 && found.program == "abc")
        #expect(found.view.digest == kept.view.digest)
        #expect(ViewText(width: 100).text(found.view) == ViewText(width: 100).text(kept.view))
        var (before, after): ([ViewNode], [ViewNode]) = ([], [])
        kept.view.visit {
            before.append($0); return true
        }
        found.view.visit {
            after.append($0); return true
        }
        #expect(before.map(\.key) == after.map(\.key) && before.map(\.kind) == after.map(\.kind))
        #expect(before.map(\.frame) == after.map(\.frame) && before.map(\.events) == after.map(\.events))
    }

    @Test func `Every kind of element, an item within items, an alert and a constant are kept`() throws {
        let key = ViewKey(
            screen: 2, node: 9,
            item: ItemKey(
                list: 4, number: 1, isRecord: false, turn: 2, outer: ItemKey(list: 3, number: 77, isRecord: true)))
        let kinds = NodeKind.named + [.unknown("Map")]
        let children = kinds.map { kind in
            ViewNode(
                key, kind, identifier: "x",
                properties: [
                    ViewProperty(.text, .string("é\u{0}")), ViewProperty(.value, .double(0.1)),
                    ViewProperty(.titles, .array([.date(5), .integer(3), .null, .boolean(true)])),
                ], events: NodeEvent.allCases, frame: Frame(x: -1, y: 0.5, width: 3, height: 1e9))
        }
        var view = View(screen: "S", title: "T", root: ViewNode(key, .screen, children: children))
        view.alerts = [View.Notice(key: key, title: "a", message: "b", button: "c")]
        view.constants[key] = 2.5
        view.locale = "de_AT"
        try file.write(KeptView(view: view, content: nil, savedAt: 0, program: ""))
        let found = try read().view
        #expect(found.locale == "de_AT")
        #expect(found.digest == view.digest && found.alerts == view.alerts && found.constants == view.constants)
        #expect(found.root.children.map(\.kind) == kinds && found.root.children.last?.key == key)
    }

    @Test func `C7: A damaged file is as good as none, and is reported once`() throws {
        try file.write(try Self.kept())
        let whole = try bytes()
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        for damage in [
            flipped, Array(whole.dropLast()), [], Array(whole.prefix(40)), [UInt8](repeating: 0x7B, count: 100),
        ] {
            try replace(with: damage)
            guard case .damaged(let reason) = file.read() else {
                Issue.record("\(damage.count) bytes were taken")
                continue
            }
            #expect(reason.contains(file.path), "\(reason)")
            guard case .nothing = file.read() else {
                Issue.record("it is reported again")
                continue
            }
        }
        try file.write(try Self.kept())
        _ = try read()
    }

    /// A body under the right digest, which nevertheless is not a view.
    @Test(arguments: [
        #"{"schema":1}"#, #"{"schema":1,"view":{},"savedAt":1,"program":""}"#, "[]",
        #"{"schema":1,"savedAt":1,"program":"","view":{"screen":"","title":"","nodes":[]}}"#,
        #"{"schema":1,"savedAt":1,"program":"","view":{"screen":"","title":"","nodes":[{"kind":"box","node":0,"of":0,"children":9}]}}"#,
        #"{"schema":1,"savedAt":1,"program":"","view":{"screen":"","title":"","nodes":[{"kind":"box","node":0,"of":0},{"kind":"box","node":0,"of":0}]}}"#,
        #"{"schema":1,"savedAt":1,"program":"","view":{"screen":"","title":"","nodes":[{"kind":"nonsense","node":0,"of":0}]}}"#,
        #"{"schema":1,"savedAt":1,"program":"","view":{"screen":"","title":"","nodes":[{"kind":"box","node":0,"of":0,"events":["fly"]}]}}"#,
    ])
    func `A file that is not a view is damaged`(_ body: String) throws {
        try file.write(try Self.kept())
        let digest = try #require(Digest.sha256(Array(body.utf8)))
        try replace(with: Array("\(digest.hex)\n\(body)".utf8))
        guard case .damaged = file.read() else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `A view of another version of the form is as good as none, and stays until it is replaced`() throws {
        try file.write(try Self.kept())
        for version in ["0", "2"] {
            let body = #"{"schema":\#(version),"screens":[]}"#
            let digest = try #require(Digest.sha256(Array(body.utf8)))
            try replace(with: Array("\(digest.hex)\n\(body)".utf8))
            guard case .nothing = file.read() else {
                Issue.record("version \(version) was taken")
                return
            }
            #expect(String(decoding: try bytes(), as: UTF8.self).hasSuffix(body))
        }
        try file.write(try Self.kept())
        _ = try read()
    }

    @Test func `A view that is too large is not kept, and the one from before stays`() throws {
        try file.write(try Self.kept())
        let key = ViewKey(screen: 1, node: 1)
        let text = ViewProperty(.text, .string(String(repeating: "x", count: KeptViewFile.byteLimit)))
        let large = View(screen: "S", title: "", root: ViewNode(key, .label, properties: [text]))
        do throws(WidgetError) {
            try file.write(KeptView(view: large, content: nil, savedAt: 0, program: ""))
            Issue.record("it must be too large")
        } catch {
            #expect("\(error)".contains("is not kept; the limit is \(KeptViewFile.byteLimit)"), "\(error)")
        }
        #expect(try read().savedAt == 13)
    }

    // MARK: - In a widget that runs

    private func widget(
        _ server: any WidgetNetwork, program: String = "abc", rows: Int? = nil, deadline: Double = 300
    ) throws -> RunningWidget {
        var kept: KeptView?
        if case .view(let found) = file.read() { kept = found }
        return RunningWidget(
            try LiveLog.instance(rows: rows), network: server, policy: DataUpdatePolicy(deadline: deadline),
            memory: ViewMemory(file, program: program, kept: kept))
    }

    /// The result of the update that a widget begins with; its answer is held back until this call has joined it.
    private static func firstUpdate(of widget: RunningWidget, from server: PlayedServer) async -> DataUpdateResult {
        await widget.start()
        async let result = widget.update()
        await widget.becomes { $0.data.counts.joined == 1 }
        await server.release()
        return await result
    }

    private static func text(_ snapshot: RunningWidget.Snapshot) -> String { ViewText(width: 100).text(snapshot.view) }

    @Test func `C7: A widget that is mounted shows its last view at once, and the live one when there are new data`()
        async throws
    {
        let earlier = PlayedServer([LiveLog.answer(["Fog"])], isHolding: true)
        let before = try widget(earlier)
        #expect(await Self.firstUpdate(of: before, from: earlier) == .newData)
        await before.stop()
        #expect(try read().content?.revision == 1)

        let server = PlayedServer([LiveLog.answer(["Fog", "A ship"])], isHolding: true)
        let mounted = try widget(server)
        let first = Guarded<RunningWidget.Snapshot?>(nil)
        await mounted.start { snapshot in first.withLock { $0 = snapshot } }
        let shown = try #require(first.withLock { $0 })
        #expect(shown.isKept && Self.text(shown).contains("Fog"))
        #expect(shown.data.age != nil && shown.data.state == .updating && shown.data.revision == 1)
        async let result = mounted.update()
        await mounted.becomes { $0.data.counts.joined == 1 }
        #expect(await mounted.snapshot().isKept)
        await server.release()
        #expect(await result == .newData)
        let live = await mounted.snapshot()
        #expect(!live.isKept && Self.text(live).contains("A ship") && live.data.revision == 2)
        #expect(try read().content?.revision == 2, "it is kept at each update")
        await mounted.stop()
    }

    @Test func `C7: While updates fail, the last view stays, with the reason`() async throws {
        try file.write(try Self.kept())
        let mounted = try widget(PlayedServer([.failure("the server is down"), LiveLog.answer(["A gull"])]))
        await mounted.start()
        await mounted.becomes { $0.data.counts.failed == 1 }
        let stale = await mounted.snapshot()
        #expect(stale.isKept && stale.data.state == .stale && Self.text(stale).contains("Lamp"))
        #expect(await mounted.update() == .newData)
        #expect(Self.text(await mounted.snapshot()).contains("A gull"))
        await mounted.stop()
    }

    @Test func `A widget that is unmounted before it has new data keeps its last view`() async throws {
        try file.write(try Self.kept())
        let mounted = try widget(PlayedServer([.failure("the server is down")]))
        await mounted.start()
        await mounted.stop()
        #expect(try read().savedAt == 13)
    }

    @Test func `The view of another bundle is not shown, but its content is compared`() async throws {
        try file.write(try Self.kept())
        let mounted = try widget(PlayedServer([LiveLog.answer(["A gull"])], isHolding: true), program: "def")
        await mounted.start()
        let snapshot = await mounted.snapshot()
        #expect(!snapshot.isKept && !Self.text(snapshot).contains("Lamp") && snapshot.data.revision == 3)
        await mounted.stop()
    }

    @Test func `Who touches the last view is answered by the live one`() async throws {
        try file.write(try Self.kept())
        let mounted = try widget(PlayedServer([LiveLog.answer(["Fog"])], isHolding: true))
        await mounted.start()
        let row = try #require(ElementSearch(await mounted.snapshot().view).touchable.first { $0.name.contains("Fog") })
        let refusal = await mounted.send(.tap(row.key))
        #expect(refusal?.contains("has been replaced") == true, "the live view has no rows yet")
        #expect(await !mounted.snapshot().isKept)
        await mounted.stop()
    }

    @Test func `U8: A view beyond a limit fails by its name, and the last good view stays`() async throws {
        let server = PlayedServer(
            [
                LiveLog.answer(["Fog"]), LiveLog.answer((0..<9).map { "Ship \($0)" }), LiveLog.answer(["Gull"]),
            ], isHolding: true)
        let widget = try widget(server, rows: 5)
        #expect(await Self.firstUpdate(of: widget, from: server) == .newData)
        guard case .failed(.budget(let reason)) = await widget.update() else {
            Issue.record("it must be beyond the limit")
            return
        }
        #expect(reason.contains("row-budget"))
        let snapshot = await widget.snapshot()
        #expect(snapshot.isKept && Self.text(snapshot).contains("Fog") && !Self.text(snapshot).contains("Ship"))
        #expect(snapshot.view.diagnostics.contains { $0.code == .rowBudget })
        #expect(snapshot.data.state == .stale)
        #expect(await widget.update() == .newData)
        #expect(Self.text(await widget.snapshot()).contains("Gull"))
        await widget.stop()
    }
}
