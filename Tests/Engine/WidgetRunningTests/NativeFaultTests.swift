import JSONText
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetDocuments
import WidgetPredicates
import WidgetRender

@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: native code that fails, answers nonsense or never comes to rest leaves the widget as it is, with the reason.
/// Method: code of the test that does each of these, and running widgets that it asks for turns.
@Suite struct `Faults of native widgets` {
    private typealias Widgets = `Native widgets`

    private static func messages(_ widget: DrivenWidget) -> String {
        widget.diagnostics.map(\.message).joined(separator: "\n")
    }

    @Test func `Code that never comes to rest is stopped, and the widget works on`() throws {
        let code = TestCode(
            ["add": Widgets.add],
            rule: { turn, reply, _ throws(NativeFailure) in
                // Each turn closes or opens a screen, which is news for the next one.
                guard turn.number > 2 || turn.calls.count > 0 else { return }
                reply.commands.append(
                    NativeCommand(turn.screens.count == 1 ? .push(scene: "Main") : .back()))
            })
        let widget = try code.widget(Widgets.counter)
        try widget.tap("Add")
        #expect(code.turns.count == 1 + NativeRun.roundLimit)
        #expect(widget.diagnostics.contains { $0.code == .stepBudget && $0.message.contains("more turns") })
    }

    @Test func `A closure that calls itself through a timer of no length does not stop time`() throws {
        let code = TestCode(["add": { _, _ in [.after(seconds: 0, handler: "add")] }])
        let widget = try code.widget(Widgets.counter)
        try widget.tap("Add")
        widget.advance(by: 10)
        #expect(code.turns.count < 3_000)
        #expect(widget.diagnostics.contains { $0.code == .stepBudget })
    }

    private static let nonsense: [(String, TestCode.Rule)] = [
        ("it answers turn 99", { _, reply, _ throws(NativeFailure) in reply.turn = 99 }),
        (
            "it has 1000000 commands",
            { _, reply, _ throws(NativeFailure) in
                reply.commands = Array(repeating: NativeCommand(.back()), count: 1_000_000)
            }
        ),
        (
            "it has 300 documents",
            { _, reply, _ throws(NativeFailure) in
                reply.documents = (0..<300).map { NativeNamedValue("d\($0)", JSONValue(.null)) }
            }
        ),
        ("did not answer within 10 seconds", { _, _, _ throws(NativeFailure) in throw .timeout(seconds: 10) }),
        ("has ended: exit code 1", { _, _, _ throws(NativeFailure) in throw .ended("exit code 1\u{1B}[2J") }),
    ]

    @Test(arguments: nonsense.indices)
    func `A reply that cannot be used leaves the view as it is, with the reason`(place: Int) throws {
        let (reason, rule) = Self.nonsense[place]
        let code = TestCode(
            ["add": Widgets.add],
            rule: { turn, reply, memory throws(NativeFailure) in
                if turn.number > 1 { try rule(turn, &reply, &memory) }
            })
        let widget = try code.widget(Widgets.counter)
        let before = widget.text()
        try widget.tap("Add")
        #expect(widget.text() == before)
        #expect(Self.messages(widget).contains(reason), "\(Self.messages(widget))")
        #expect(!Self.messages(widget).contains("\u{1B}"))
        var notice: String?
        widget.change { notice = $0.takeNativeNotice() }
        #expect(notice?.contains(reason) == true)
    }

    @Test func `Code that has ended, or failed three times, is not asked again, and a notice says why`() throws {
        for (failure, count) in [(NativeFailure.ended("signal 9"), 1), (.timeout(seconds: 1), 3)] {
            let code = TestCode(
                rule: { turn, _, _ throws(NativeFailure) in if turn.number > 1 { throw failure } })
            let widget = try code.widget(Widgets.counter)
            for _ in 0..<5 { try widget.tap("Add") }
            #expect(code.turns.count == 1 + count)
            var notice: String?
            widget.change { notice = $0.takeNativeNotice() }
            #expect(notice?.hasPrefix("nothing happened: the widget's program") == true)
        }
    }

    @Test func `After one failure the code learns what has changed meanwhile`() throws {
        let code = TestCode(rule: { turn, _, _ throws(NativeFailure) in
            if turn.number == 2 { throw .timeout(seconds: 1) }
        })
        let widget = try code.widget(
            Widgets.document(
                #"{"kind":"textfield","id":"field","payload":{"value":"$typed"}}"#, state: #"{"typed":""}"#))
        try widget.type("A", into: "field")
        #expect(code.turns.count == 2)
        widget.change { $0.takeNotice() }
        #expect(code.turns.count == 3 && code.turns[2].screens.first?.changed.first?.value.string == "A")
    }

    @Test func `Documents that cannot be read leave those from before`() throws {
        let broken: [(String, String)] = [
            (#"{"schema": 7, "root": []}"#, "schema"), (#""text""#, "cannot be read"),
            (String(repeating: "[", count: 60) + String(repeating: "]", count: 60), ""),
        ]
        for (text, reason) in broken {
            let document = try TestCode.json(text)
            let code = TestCode(
                ["add": Widgets.add],
                rule: { turn, reply, _ throws(NativeFailure) in
                    if turn.number == 2 { reply.documents = [NativeNamedValue("Main", document)] }
                })
            let widget = try code.widget(Widgets.counter)
            try widget.tap("Add")
            #expect(Self.messages(widget).contains(reason) && !widget.diagnostics.isEmpty, "\(Self.messages(widget))")
            if !reason.isEmpty { #expect(widget.shows("Count 7")) }
        }
    }

    @Test func `A remark of the code is a diagnostic with its place`() throws {
        let code = TestCode(rule: { turn, reply, _ throws(NativeFailure) in
            reply.remarks = [NativeRemark("two rows of one key", hint: "give each its own", file: "App.swift", line: 3)]
        })
        let widget = try code.widget(Widgets.counter)
        #expect(
            widget.diagnostics.map(\.description) == [
                "App.swift:3:1: error: two rows of one key [native-fault]; give each its own"
            ])
    }

    @Test func `Without its code, the documents of a program work but for their closures`() throws {
        let native = try TestCode().native(Widgets.counter)
        let widget = try DrivenWidget(WidgetInstance(try native.program())).started()
        try widget.tap("Add")
        #expect(widget.shows("Count 4") && widget.diagnostics.isEmpty)
    }

    @Test func `Markup is not kept with the last view of a widget, nor read with it`() throws {
        let code = TestCode()
        let widget = try code.widget(
            Widgets.document(#"{"kind":"native","payload":{"text":"words","html":"<b>words</b>"}}"#))
        let kept = KeptView(view: widget.view(), content: nil, savedAt: 0, program: "")
        let bytes = KeptViewDocument.bytes(kept)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("<b>"))
        let forged = String(decoding: bytes, as: UTF8.self)
            .replacing(#"["text","words"]"#, with: #"["text","words"],["html","<b>words</b>"]"#)
        #expect(forged.contains("<b>"))
        let read = try #require(try KeptViewDocument.kept(Array(forged.utf8), byteCount: 1 << 20))
        var markup = "none"
        read.view.visit { node in
            if let html = node[.html] { markup = html.shown }
            return true
        }
        #expect(markup == "none")
    }

    // MARK: - Running widgets

    @Test func `Code that asks for a turn gets one, and the view follows`() async throws {
        let code = TestCode(rule: { turn, reply, _ throws(NativeFailure) in
            guard turn.number > 1 else { return }
            reply.commands = [NativeCommand(.set(state: "count", to: TestCode.number(40 + turn.number)))]
        })
        let widget = RunningWidget(try code.instance(Widgets.counter), network: DeniedNetwork())
        await widget.start()
        for _ in 0..<1_000 { code.ask() }
        for await _ in widget.changes {
            if ViewText().text(await widget.snapshot().view).contains("Count 4"), code.turns.count > 1 { break }
        }
        #expect(code.turns.count < 1_000, "many wishes are one turn")
        await widget.stop()
        let count = code.turns.count
        code.ask()
        #expect(code.turns.count == count)
    }

    @Test func `A notice of a running widget says that its program has ended`() async throws {
        let code = TestCode(rule: { turn, _, _ throws(NativeFailure) in if turn.number > 1 { throw .ended("signal 9") }
        })
        let widget = RunningWidget(try code.instance(Widgets.counter), network: DeniedNetwork())
        await widget.start()
        let key = try #require(ElementSearch(await widget.snapshot().view).key("Add", for: .tap))
        #expect(await widget.send(.tap(key)) == nil)
        let snapshot = await widget.snapshot()
        #expect(snapshot.notice?.contains("signal 9") == true && ViewText().text(snapshot.view).contains("Count 4"))
        // Another build of the same package.
        let next = TestCode(["add": Widgets.add])
        let native = try next.native(Widgets.counter)
        await widget.replace(try native.program(), native: native)
        #expect(next.turns.first?.screens.first?.changed.map(\.name) == ["count", "list"])
        #expect(await widget.send(.tap(key)) == nil)
        #expect(ViewText().text(await widget.snapshot().view).contains("Count 7"))
        await widget.restart()
        #expect(ViewText().text(await widget.snapshot().view).contains("Count 4"))
        #expect(next.turns.last?.screens.first?.changed.count == 2, "a run that begins again says everything")
        await widget.stop()
    }
}
