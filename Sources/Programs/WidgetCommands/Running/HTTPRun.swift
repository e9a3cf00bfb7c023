import Dispatch
import PageServer
import RegistryContract
import WidgetBytes
import WidgetConsole
import WidgetLive
import WidgetSurroundings

/// `widget run --http`: a widget as pages, of which each browser window runs its own.
struct HTTPRun {
    static let options =
        [
            Option("http", value: "ADDRESS", isValueOptional: true, help: "serve it as pages; else at 127.0.0.1:8717"),
            PageListener.hostOption,
            Option("open", help: "open the address of --http in a browser"),
        ] + ViewportOptions.options.filter { ["scheme", "dir", "text-size"].contains($0.name) }

    private let options: RunningOptions
    private let listener: PageListener
    /// True for pages without the workbench.
    private let isBare: Bool

    /// - Returns: `nil` unless pages are asked for.
    init?(_ invocation: Invocation, _ options: RunningOptions) throws(CommandFailure) {
        guard invocation.has("http") else {
            for name in ["allow-host", "open"] where invocation.has(name) {
                throw .misuse("--\(name) is about --http", hints: ["add --http"])
            }
            return nil
        }
        for name in ["store", "adopt", "events", "record"] where invocation.has(name) {
            let hints =
                name == "store" ? ["each page has data of its viewer alone, which end with it"] : []
            throw .misuse("--http and --\(name) cannot be combined", hints: hints)
        }
        self.options = options
        isBare = invocation.has("plain")
        listener = try PageListener(invocation, option: "http")
    }

    func run() async throws(CommandFailure) -> ExitCode {
        let source = try await options.source()
        let live = PagedLanguages(try options.widget(of: source), options)
        let changes = try await SourceChanges(options, since: source)
        let (desk, hosts) = (LiveDesk(limits, in: options.world), PageHosts())
        let service = PageService(desk, pages(of: live), hosts: hosts)
        return try await listener.serve(service.routes(), hosts) { signals async in
            let clock = Task(executorPreference: options.world.threads.tasks) { await desk.run() }
            let reloads = Task(executorPreference: options.world.threads.tasks) {
                for await _ in changes.changes {
                    if let change = changes.take() { await live.take(change, to: desk) }
                }
            }
            await signals.come()
            clock.cancel()
            reloads.cancel()
            await desk.stop()
        }
    }

    private func pages(of live: PagedLanguages) -> any ServedPages {
        if isBare { return OnePages(live.usual, options: live.options(in: "")) }
        let devices = DeviceChoice.Size.allCases.map { size in
            Workbench.Device(size.name, "\(size.points.width)x\(size.points.height)")
        }
        return WorkbenchPages(live, devices: devices)
    }

    /// Fewer viewings of a package, since each has a program for itself.
    private var limits: LiveLimits {
        var limits = LiveLimits()
        if options.package != nil { (limits.viewings, limits.viewingsPerAddress) = (32, 16) }
        return limits
    }
}
