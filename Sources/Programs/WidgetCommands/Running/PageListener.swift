import PageServer
import WidgetAddresses
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetProcesses
import WidgetSockets
import WidgetSurroundings

/// A server of pages for the browsers of this machine, or of others that were allowed to name it.
struct PageListener {
    static let hostOption = Option(
        "allow-host", value: "NAME", isRepeatable: true,
        help: "a name by which browsers of other machines reach it")

    private static let port: UInt16 = 8_717

    private let address: ListenAddress?
    private let names: [String]
    private let opensBrowser: Bool
    private let terminal: Terminal
    private let world: World

    /// - Parameter option: the one that names the address.
    init(_ invocation: Invocation, option: String) throws(CommandFailure) {
        terminal = invocation.terminal
        world = invocation.world
        names = invocation.values("allow-host")
        opensBrowser = invocation.has("open")
        address = try invocation.value(option).map { text throws(CommandFailure) in
            guard let address = ListenAddress(text), case .tcp = address else {
                throw .misuse("--\(option) is \(text)", hints: ["it takes HOST:PORT, such as 127.0.0.1:8717"])
            }
            return address
        }
    }

    /// Serves, and prints the address of the page.
    ///
    /// - Parameter work: ends when the server is to end.
    func serve(
        _ routes: Routes, _ hosts: PageHosts, while work: (EndingSignals) async -> Void
    ) async throws(CommandFailure) -> ExitCode {
        let server = try open(routes)
        guard let endpoint = server.endpoints.first, case .ip(let bound, let port) = endpoint else { return .failed }
        for name in PageHosts.loopback + names { hosts.allow(name) }
        if !bound.isUnspecified { hosts.allow(bound.isV4 ? "\(bound)" : "[\(bound)]") }
        server.start()
        // Before the address is shown: who reads it may end the program at once.
        let signals = EndingSignals([.interrupt, .terminate], on: terminal)
        let page = "http://\(bound.isUnspecified ? "127.0.0.1:\(port)" : "\(endpoint)")/"
        _ = terminal.print("\(page)\n")
        let browser = opensBrowser ? openInBrowser(page) : nil
        defer { browser?.stop() }
        await work(signals)
        server.drain(grace: .seconds(2))
        return .clean
    }

    /// Opens a page in the browser of this machine. A failure is a remark, since the page is there.
    private func openInBrowser(_ page: String) -> SpawnedProgram? {
        let programs = ProgramSearch(path: terminal.variable("PATH"))
        let hints = ["open \(page) in a browser"]
        guard let opener = programs.path(of: "xdg-open") else {
            terminal.complain("xdg-open is not installed", hints: hints)
            return nil
        }
        let variables = terminal.pairs
        var start = ProgramStart(opener, [page], environment: variables)
        // A browser that it starts is not to end with this program.
        if let session = programs.path(of: "setsid") {
            start = ProgramStart(session, ["--fork", opener, page], environment: variables)
        }
        do throws(FileError) {
            return try SpawnedProgram(start) { _, _ in }
        } catch {
            terminal.complain(QuotedText.plain("\(error)"), hints: hints)
            return nil
        }
    }

    private func open(_ routes: Routes) throws(CommandFailure) -> Server {
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
                    listeners: [ServerListener(endpoint, routes: routes)], limits: ServerLimits(), workers: 1,
                    serverName: "widget", logger: Logger(level: .warning), logsRequests: false, in: world,
                    explain: { PageService.problem($0) })
            }
        }
        if let address { return try server(address) }
        // Another page may be served there already.
        if let usual = try? server(.tcp(host: "127.0.0.1", port: PageListener.port)) { return usual }
        return try server(.tcp(host: "127.0.0.1", port: 0))
    }
}
