import Dispatch
import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// A widget on the full screen of a terminal: keys move and touch, and changes are drawn at once.
final class TerminalRun {
    private enum TerminalEvent: Sendable {
        case keys([Key])
        case redraw
        case changed
        /// From the build or the program of a package.
        case printed(PackageOutput.Event)
        case end
    }

    private let options: RunningOptions
    private let keyed: any KeyedScreen
    private var screen = DrawnScreen()
    private var input: TerminalInput
    private var frame: TerminalFrame
    private var recording: ScriptFile?
    private var notices: Task<Void, Never>?
    /// Sentences about damage in the widget's caches.
    private let complaints = Guarded<[String]>([])

    init(_ options: RunningOptions, on keyed: any KeyedScreen) {
        self.options = options
        self.keyed = keyed
        frame = TerminalFrame(UnseenDiagnostics(options))
        input = TerminalInput()
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let (source, instance, records) = try await AwaitedWidget.next(options)
        let changes = try await SourceChanges(options, since: source)
        recording = try ScriptFile(options)
        let program = instance.program
        let cached = cache(of: program)?.place(of: program.identifier, program)
        let widget = RunningWidget(
            instance, network: options.network(of: program), records: records, isRecorded: recording != nil,
            memory: options.memory(of: program), cache: cached?.place)
        follow(cached?.group.map { GroupNotices($0, in: options.world) }, widget)
        defer { notices?.cancel() }
        try await drive(widget, changes)
        let recorder = await widget.recording
        try recording?.end(recorder)
        return .clean
    }

    private var tasks: any TaskExecutor { options.world.threads.tasks }

    /// The caches of the widget, whose damage is shown in the last line: the screen has no other place for it.
    private func cache(of program: Program) -> HostCache? {
        options.cache(of: program) { [complaints] sentence in complaints.withLock { $0.append(sentence) } }
    }

    /// Notifies the widget of what others change in its group, in place of the group from before.
    private func follow(_ group: GroupNotices?, _ widget: RunningWidget) {
        notices?.cancel()
        notices = (group?.changes).map { changes in
            Task(executorPreference: tasks) { for await _ in changes { await widget.cacheChanged() } }
        }
    }

    /// Continues with a program that has been read again, and with the cache of its groups.
    private func replace(_ program: Program, _ native: NativeProgram?, of widget: RunningWidget) async {
        let cached = cache(of: program)?.place(of: program.identifier, program)
        follow(cached?.group.map { GroupNotices($0, in: options.world) }, widget)
        await widget.replace(program, content: options.content?.hex, native: native, cache: cached?.place)
    }

    /// Follows keys and changes until the user or the terminal ends it.
    private func drive(_ widget: RunningWidget, _ changes: SourceChanges) async throws(CommandFailure) {
        guard keyed.enter() else { throw .failed("the terminal cannot be taken over", hints: ["try --plain"]) }
        defer { keyed.leave() }
        let (events, inbox) = AsyncStream.makeStream(of: TerminalEvent.self)
        let isOver = Guarded(false)
        TerminalRun.read(keyed, options.world.threads.queue("widget.keys", qos: .default), into: inbox) {
            isOver.withLock { $0 }
        }
        defer { isOver.withLock { $0 = true } }
        let followers = [
            Task(executorPreference: tasks) { for await _ in widget.changes { inbox.yield(.redraw) } },
            Task(executorPreference: tasks) { for await _ in changes.changes { inbox.yield(.changed) } },
        ]
        defer { for follower in followers { follower.cancel() } }
        options.package?.output.redirect { inbox.yield(.printed($0)) }
        defer { options.package?.output.redirect(to: nil) }
        await widget.start()
        for await event in events {
            switch event {
            case .keys(let keys):
                // Keys that were typed at once answer what was seen before them.
                frame.advance()
                for key in keys {
                    if await input.press(key, widget, frame) == .end { return await widget.stop() }
                    if key == .control("z") { keyed.stop() }
                    if key == .control("l") { screen.forget() }
                    // The next key acts on the screen as this one has left it.
                    frame.update(await widget.snapshot(), input, options.text, keyed.size)
                }
                await record(widget)
            case .redraw: break
            case .changed:
                guard let change = changes.take() else { continue }
                if let read = change.widget { await replace(read.program, read.native, of: widget) }
                await widget.refuse(change.warning, times: change.refusals)
            case .printed(let event): frame.note(event)
            case .end: return await widget.stop()
            }
            await draw(widget)
        }
    }

    private func record(_ widget: RunningWidget) async {
        let recorder = await widget.recording
        do throws(FileError) {
            try recording?.update(recorder)
        } catch {
            await widget.report(warning: "the recording could not be written: \(error)")
        }
    }

    private func draw(_ widget: RunningWidget) async {
        guard let size = keyed.size else { return }
        let complaint = complaints.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let complaint { await widget.report(notice: complaint) }
        if frame.size != size { screen.forget() }
        frame.update(await widget.snapshot(), input, options.text, size)
        input.follow(frame)
        let text = screen.update(to: frame.lines(input), size)
        if !text.isEmpty { _ = options.terminal.print(text) }
    }

    /// Waits for keys on a separate thread, because waiting blocks it.
    private static func read(
        _ keyed: any KeyedScreen, _ queue: any ThreadQueue, into inbox: AsyncStream<TerminalEvent>.Continuation,
        until isOver: @escaping @Sendable () -> Bool
    ) {
        queue.async {
            var reader = TerminalKeyReader()
            while !isOver() {
                // An escape that nothing follows within a moment is a key.
                switch keyed.next(milliseconds: reader.isUndecided ? 40 : 1_000) {
                case .bytes(let bytes): inbox.yield(.keys(reader.read(bytes)))
                case .changed: inbox.yield(.redraw)
                case .gone:
                    inbox.yield(.end)
                    return
                case nil:
                    let keys = reader.settle()
                    if !keys.isEmpty { inbox.yield(.keys(keys)) }
                }
            }
        }
    }
}

/// The frame that a terminal shows of a widget: the lines that fit, and a status line with the meaning of keys.
struct TerminalFrame {
    private(set) var size: TerminalSize?
    private(set) var view: View?
    private(set) var places: [TerminalPlace] = []
    private var painted = ViewText.Painted(lines: [])
    private var usesColor = false
    private var reloads = ReloadCount(revision: 1, attempt: 1)
    private var warning: String?
    private var notice: String?
    private var data: String?
    private var unseen: UnseenDiagnostics
    /// The last lines of the program of a package.
    private var printed: [String] = []
    /// The step of a build that is under way.
    private var buildStep: String?

    private static let printedCount = 3

    init(_ unseen: UnseenDiagnostics) {
        self.unseen = unseen
    }

    /// Ends the diagnostic that is shown, and what the program has printed.
    mutating func advance() {
        unseen.advance()
        printed = []
    }

    /// Takes what the build or the program of a package prints.
    mutating func note(_ event: PackageOutput.Event) {
        switch event {
        case .step(let step): buildStep = step
        case .line(let line): printed = printed.suffix(TerminalFrame.printedCount - 1) + [line]
        }
    }

    mutating func update(
        _ snapshot: RunningWidget.Snapshot, _ input: TerminalInput, _ text: ViewText, _ size: TerminalSize?
    ) {
        guard let size else { return }
        self.size = size
        view = snapshot.view
        unseen.update(snapshot.view)
        reloads = ReloadCount(revision: snapshot.revision, attempt: snapshot.attempt)
        (warning, notice) = (snapshot.warning, snapshot.notice)
        data = DataNote.text(snapshot)
        usesColor = text.usesColor
        places = TerminalPlace.places(of: snapshot.view)
        let painter = text.within(size.columns, usesColor: usesColor)
        painted = painter.painted(snapshot.view, focus: input.place(among: places)?.key)
    }

    var lineCount: Int { painted.lines.count }
    var focused: Range<Int>? { painted.focused }

    /// Lines for the widget itself.
    var room: Int { max(1, (size?.rows ?? 2) - 1 - notices.count) }

    /// The lines of the reason why a change was refused, or else of the diagnostic that is shown.
    private var notices: [String] {
        // Without colours, a mark begins each line.
        let width = (size?.columns ?? 0) - (usesColor ? 0 : 3)
        if let warning { return NoticeText.lines("! \(warning)", width: width) }
        let found = unseen.lines(width: width)
        return found.isEmpty ? printed.map { "> \($0)" } : found
    }

    func lines(_ input: TerminalInput) -> [String] {
        guard let size else { return [] }
        var lines = Array(painted.lines.dropFirst(input.offset).prefix(room))
        while lines.count < room { lines.append("") }
        for notice in notices { lines.append(marked(notice, warning == nil ? "43;30" : "41;97", size)) }
        lines.append(marked(status(input, size), "7", size))
        return lines
    }

    private func marked(_ text: String, _ code: String, _ size: TerminalSize) -> String {
        let line = TextFlow.padded(TextFlow.cut(QuotedText.plain(text), size.columns), size.columns)
        return usesColor
            ? "\u{1B}[\(code)m\(line)\u{1B}[0m" : TextFlow.cut("-- \(QuotedText.plain(text))", size.columns)
    }

    private func status(_ input: TerminalInput, _ size: TerminalSize) -> String {
        if let question = input.question { return question }
        let below = lineCount - input.offset - room
        var parts = ["\(reloads)"]
        if let buildStep { parts.insert("building \(buildStep)", at: 0) }
        if let message = input.message ?? notice {
            parts.insert(message, at: 0)
        } else {
            if let data { parts.append(data) }
            if below > 0 { parts.append("\(below) more lines") }
            parts.append(input.place(among: places)?.hint ?? "esc back")
            parts.append("^N anew")
            parts.append("^C quit")
        }
        return parts.joined(separator: " · ")
    }
}

/// An element of the screen that can be touched.
struct TerminalPlace {
    let key: ViewKey
    let kind: NodeKind
    let actions: Set<String>
    /// Its present value.
    let value: String
    let name: String

    static func places(of view: View) -> [TerminalPlace] {
        if let alert = view.alerts.last {
            return alert.buttons.map {
                TerminalPlace(key: $0.key, kind: .button, actions: ["tap"], value: "", name: $0.title)
            }
        }
        var places: [TerminalPlace] = []
        var pending = [AccessibleNode(view.root)]
        while let node = pending.popLast() {
            pending.append(contentsOf: node.children.reversed())
            guard !node.states.contains("disabled"),
                !Set(node.actions).isDisjoint(with: ["tap", "select", "change", "pick"]) || node.kind.row.isControl
            else { continue }
            // What is typed follows the text itself, which a secret field does not show.
            let field = node.kind.row.typing == .nothing ? nil : view.node(node.key)
            let value = field?.isTrue(.isSecure) == true ? field?.text(.text) : node.value
            places.append(
                TerminalPlace(
                    key: node.key, kind: node.kind, actions: Set(node.actions), value: value ?? "",
                    name: node.name ?? node.id ?? ""))
        }
        return places
    }

    var takesText: Bool { kind.row.typing != .nothing }

    /// True if its text may have several lines.
    var takesLines: Bool { kind.row.typing == .lines }

    var hint: String {
        let row = kind.row
        if row.typing != .nothing { return "type · tab next · esc back" }
        if case .none = row.keyStep { return "arrows move · enter taps · esc back" }
        return "left right change · esc back"
    }
}
