import Addresses
import Bytes
import Console
import Dispatch
import Files
import Glibc
import HTTPServer
import Logging
import PageServer
import Processes
import Sockets
import WidgetCore
import WidgetLive
import WidgetRender
import WidgetRunning

/// `widget run --http`: a widget as pages, of which each browser window runs its own.
struct HTTPRun {
    static let options =
        [
            Option("http", value: "ADDRESS", isValueOptional: true, help: "serve it as pages; else at 127.0.0.1:8717"),
            Option(
                "allow-host", value: "NAME", isRepeatable: true,
                help: "a name by which browsers reach --http; needed beyond this machine"),
            Option("open", help: "open the address of --http in a browser"),
        ] + ViewportOptions.options.filter { $0.name == "scheme" }

    private static let port: UInt16 = 8_717

    private let options: RunningOptions
    private let address: ListenAddress?
    private let names: [String]
    private let opensBrowser: Bool

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
        names = invocation.values("allow-host")
        opensBrowser = invocation.has("open")
        address = try invocation.value("http").map { text throws(CommandFailure) in
            guard let address = ListenAddress(text), case .tcp = address else {
                throw .misuse("--http is \(text)", hints: ["it takes HOST:PORT, such as 127.0.0.1:8717"])
            }
            return address
        }
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let source = try await options.source()
        let live = PagedSource(try options.widget(of: source), options)
        let changes = try await SourceChanges(options, since: source)
        let (desk, hosts) = (LiveDesk(limits), PageHosts())
        var pages = PageOptions(viewport: options.viewport.viewport)
        pages.scheme = options.viewport.scheme
        pages.locale = options.locale
        let service = PageService(desk, live, hosts: hosts, options: pages)
        let server = try open(service)
        guard let endpoint = server.endpoints.first, case .ip(let bound, let port) = endpoint else { return .failed }
        for name in PageHosts.loopback + names { hosts.allow(name) }
        if !bound.isUnspecified { hosts.allow(bound.isV4 ? "\(bound)" : "[\(bound)]") }
        server.start()
        let page = "http://\(bound.isUnspecified ? "127.0.0.1:\(port)" : "\(endpoint)")/"
        _ = Terminal.print("\(page)\n")
        let browser = opensBrowser ? HTTPRun.open(page) : nil
        defer { browser?.stop() }
        let clock = Task { await desk.run() }
        let reloads = Task {
            for await _ in changes.changes {
                guard let change = changes.take() else { continue }
                if let widget = change.widget {
                    live.take(widget)
                    await desk.renew(live)
                }
                if let warning = change.warning {
                    Terminal.complain(QuotedText.plain(warning), hints: [])
                    await desk.warn(live, warning, times: change.refusals)
                }
            }
        }
        await HTTPRun.interrupted()
        clock.cancel()
        reloads.cancel()
        await desk.stop()
        server.drain(grace: .seconds(2))
        return .clean
    }

    /// Fewer viewings of a package, since each has a program for itself.
    private var limits: LiveLimits {
        var limits = LiveLimits()
        if options.package != nil { (limits.viewings, limits.viewingsPerAddress) = (32, 16) }
        return limits
    }

    /// Opens a page in the browser of this machine. A failure is a remark, since the page is there.
    private static func open(_ page: String) -> SpawnedProgram? {
        let programs = ProgramSearch(path: ProcessEnvironment.value("PATH"))
        let hints = ["open \(page) in a browser"]
        guard let opener = programs.path(of: "xdg-open") else {
            Terminal.complain("xdg-open is not installed", hints: hints)
            return nil
        }
        let variables = ProcessEnvironment.all.map { "\($0.key)=\($0.value)" }.sorted()
        var start = ProgramStart(opener, [page], environment: variables)
        // A browser that it starts is not to end with this program.
        if let session = programs.path(of: "setsid") {
            start = ProgramStart(session, ["--fork", opener, page], environment: variables)
        }
        do throws(FileError) {
            return try SpawnedProgram(start) { _, _ in }
        } catch {
            Terminal.complain(QuotedText.plain("\(error)"), hints: hints)
            return nil
        }
    }

    private func open(_ service: PageService) throws(CommandFailure) -> Server {
        func server(_ address: ListenAddress) throws(CommandFailure) -> Server {
            let endpoint = try rethrowing(
                try Endpoint(address),
                as: { (error: Endpoint.Mistake) in CommandFailure.misuse(error.explanation, hints: []) })
            if case .ip(let ip, _) = endpoint, !ip.isLoopback, names.isEmpty {
                throw .misuse(
                    "\(address) can be reached from other machines",
                    hints: ["--allow-host NAME says by which name, and that this is wanted"])
            }
            return try rethrowing(as: { (error: SystemError) in CommandFailure.failed("\(error)", hints: []) }) {
                () throws(SystemError) in
                try Server(
                    listeners: [ServerListener(endpoint, routes: service.routes())], limits: ServerLimits(), workers: 1,
                    serverName: "widget", logger: Logger(level: .warning), logsRequests: false,
                    explain: { PageService.problem($0) })
            }
        }
        if let address { return try server(address) }
        // Another widget may be served there already.
        if let usual = try? server(.tcp(host: "127.0.0.1", port: HTTPRun.port)) { return usual }
        return try server(.tcp(host: "127.0.0.1", port: 0))
    }

    /// Returns at the first signal that ends programs.
    private static func interrupted() async {
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        let (signals, inbox) = AsyncStream.makeStream(of: Void.self)
        for source in sources {
            source.setEventHandler { inbox.yield() }
            source.resume()
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
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
            DispatchQueue(label: "widget.starting").async {
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
