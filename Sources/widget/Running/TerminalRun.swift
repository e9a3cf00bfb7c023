import Console
import Dispatch
import WidgetCore
import WidgetRunning

/// A widget on a terminal of its own: keys move and touch, and what changes is drawn at once.
final class TerminalRun {
    private enum TerminalEvent: Sendable {
        case keys([Key])
        case redraw
        case changed(SourceChanges.Change)
        case end
    }

    private let options: RunningOptions
    private var screen = DrawnScreen()
    private var input: TerminalInput
    private var frame = TerminalFrame()

    init(_ options: RunningOptions) {
        self.options = options
        input = TerminalInput()
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let (instance, keeper) = try await options.instance()
        let changes = try await SourceChanges(options)
        let widget = RunningWidget(instance, network: options.network, keeper: keeper)
        guard RawTerminal.enter() else { throw .failed("the terminal cannot be taken over", hints: ["try --plain"]) }
        defer { RawTerminal.leave() }
        let (events, inbox) = AsyncStream.makeStream(of: TerminalEvent.self)
        TerminalRun.read(into: inbox)
        let followers = [
            Task { for await _ in widget.changes { inbox.yield(.redraw) } },
            Task { for await change in changes.changes { inbox.yield(.changed(change)) } },
        ]
        defer { for follower in followers { follower.cancel() } }
        await widget.start()
        for await event in events {
            switch event {
            case .keys(let keys):
                for key in keys {
                    if await input.press(key, widget, frame) == .end {
                        await widget.stop()
                        return .clean
                    }
                    if key == .control("z") { RawTerminal.stop() }
                    if key == .control("l") { screen.forget() }
                    // The next key meets what this one has made of the screen.
                    frame.update(await widget.snapshot(), input, options.text, RawTerminal.size)
                }
            case .redraw: break
            case .changed(.program(let program)): await widget.replace(program)
            case .changed(.warning(let warning)): await widget.report(warning: warning)
            case .end:
                await widget.stop()
                return .clean
            }
            await draw(widget)
        }
        return .clean
    }

    private func draw(_ widget: RunningWidget) async {
        guard let size = RawTerminal.size else { return }
        if frame.size != size { screen.forget() }
        frame.update(await widget.snapshot(), input, options.text, size)
        input.follow(frame)
        let text = screen.update(to: frame.lines(input), size)
        if !text.isEmpty { _ = Terminal.print(text) }
    }

    /// Waits for keys on a thread of its own, because waiting blocks it.
    private static func read(into inbox: AsyncStream<TerminalEvent>.Continuation) {
        DispatchQueue(label: "widget.keys").async {
            var reader = TerminalKeyReader()
            while true {
                // An escape that nothing follows within a moment is a key.
                switch RawTerminal.next(milliseconds: reader.isUndecided ? 40 : 1_000) {
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
