import Bytes
import Console
import Dispatch
import PageServer
import Surroundings
import WidgetCore
import WidgetLive
import WidgetRender
import WidgetRunning

/// `widget run --http`: a widget as pages, of which each browser window runs its own.
struct HTTPRun {
    static let options =
        [
            Option("http", value: "ADDRESS", isValueOptional: true, help: "serve it as pages; else at 127.0.0.1:8717"),
            PageListener.hostOption,
            Option("open", help: "open the address of --http in a browser"),
        ] + ViewportOptions.options.filter { ["scheme", "dir"].contains($0.name) }

    private let options: RunningOptions
    private let listener: PageListener

    /// - Returns: `nil` unless pages are asked for.
    init?(_ invocation: Invocation, _ options: RunningOptions) throws(CommandFailure) {
        guard invocation.has("http") else {
            for name in ["allow-host", "open"] where invocation.has(name) {
                throw .misuse("--\(name) is about --http", hints: ["add --http"])
            }
            return nil
        }
        for name in ["store", "adopt", "events", "record", "plain"] where invocation.has(name) {
            let hints =
                name == "store" ? ["each page has data of its viewer alone, which end with it"] : []
            throw .misuse("--http and --\(name) cannot be combined", hints: hints)
        }
        self.options = options
        listener = try PageListener(invocation, option: "http")
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let source = try await options.source()
        let live = PagedSource(try options.widget(of: source), options)
        let changes = try await SourceChanges(options, since: source)
        let (desk, hosts) = (LiveDesk(limits, in: options.world), PageHosts())
        var pages = PageOptions(viewport: options.viewport.viewport)
        pages.scheme = options.viewport.scheme
        pages.locale = options.locale
        let service = PageService(desk, OnePages(live, options: pages), hosts: hosts)
        return try await listener.serve(service.routes(), hosts) { signals async in
            let clock = Task(executorPreference: options.world.threads.tasks) { await desk.run() }
            let reloads = Task(executorPreference: options.world.threads.tasks) {
                for await _ in changes.changes {
                    guard let change = changes.take() else { continue }
                    if let widget = change.widget {
                        live.take(widget)
                        await desk.renew(live)
                    }
                    if let warning = change.warning {
                        options.terminal.complain(QuotedText.plain(warning), hints: [])
                        await desk.warn(live, warning, times: change.refusals)
                    }
                }
            }
            await signals.come()
            clock.cancel()
            reloads.cancel()
            await desk.stop()
        }
    }

    /// Fewer viewings of a package, since each has a program for itself.
    private var limits: LiveLimits {
        var limits = LiveLimits()
        if options.package != nil { (limits.viewings, limits.viewingsPerAddress) = (32, 16) }
        return limits
    }
}

/// The widget of a command line, of which each page gets its own.
final class PagedSource: LiveSource {
    private struct State {
        var widget: ReadWidget
        var program: LiveProgram
    }

    private let options: RunningOptions
    private let state: Guarded<State>

    init(_ widget: ReadWidget, _ options: RunningOptions) {
        self.options = options
        state = Guarded(State(widget: widget, program: PagedSource.program(of: widget, options)))
    }

    private static func program(of widget: ReadWidget, _ options: RunningOptions) -> LiveProgram {
        LiveProgram(widget.program, NamedPictures(options.pictures))
    }

    /// Continues with a program that has been read again.
    func take(_ widget: ReadWidget) {
        let program = PagedSource.program(of: widget, options)
        state.withLock { $0 = State(widget: widget, program: program) }
    }

    var program: LiveProgram { state.withLock { $0.program } }

    func widget() async -> RunningWidget {
        let widget = await own(state.withLock { $0.widget })
        return RunningWidget(options.unkept(widget), network: options.network(of: widget.program))
    }

    func renew(_ widget: RunningWidget) async {
        let read = await own(state.withLock { $0.widget })
        await widget.replace(read.program, content: options.content?.hex, native: read.native, cache: nil)
    }

    /// The widget of a package with a program for itself, whose start takes a while.
    private func own(_ widget: ReadWidget) async -> ReadWidget {
        guard let native = widget.native, let package = options.package else { return widget }
        return await withCheckedContinuation { continuation in
            options.world.threads.queue("widget.starting", qos: .default).async {
                continuation.resume(returning: ReadWidget(program: widget.program, native: package.another(native)))
            }
        }
    }

    func still() -> View {
        var instance = options.unkept(state.withLock { $0.widget })
        _ = instance.send(.start)
        return instance.view()
    }
}
