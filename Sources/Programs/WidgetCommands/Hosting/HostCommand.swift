import GroupCache
import PageServer
import RegistryClient
import RegistryContract
import WidgetAddresses
import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetIntake
import WidgetLive
import WidgetLogging
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// `widget host`: a page with several widgets, each with its own data, kept up to date.
enum HostCommand {
    static let command = Command(
        "host", "show several widgets on one page in a browser", example: "widget host Page.json --store Data --open",
        options: [
            Option("listen", value: "HOST:PORT", help: "where; 127.0.0.1:8717 or a free port if not given"),
            PageListener.hostOption, Option("open", help: "open the page in a browser"),
            Option("store", value: "DIR", help: "keep the widgets' data and the order of the slots there"),
            Option("title", value: "TEXT", help: "the heading of a page of named widgets"),
            Option("grant-range", value: "CIDR", isRepeatable: true, help: "let grants lead to private addresses"),
            Option("clock", value: "ISO", help: "the moment the widgets begin at; else now"),
        ] + RunningOptions.options.filter { ["locale", "time-zone"].contains($0.name) }
            + ViewportOptions.options.filter { ["scheme", "dir"].contains($0.name) }
            + HostOptions.options.filter { $0.name != "pin" } + [HostOptions.report] + RegistryOptions.options,
        positionals: [
            Positional("PAGE.json|WIDGET-ID|PATH", .several, help: "a page's file; or the widgets of a page")
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        do throws(CommandFailure) {
            return try await serve(invocation)
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    // MARK: - The page

    /// The page of a command line, and the folder that its paths begin at.
    private static func page(_ invocation: Invocation) throws(CommandFailure) -> (PageFile, folder: String) {
        let names = invocation.arguments
        guard names.count == 1, let name = names.first, name.hasSuffix(".json"), !BundleSource.isDocument(name) else {
            guard names.count <= PageFile.slotCount else {
                throw .misuse("a page has at most \(PageFile.slotCount) widgets", hints: [])
            }
            var taken: Set<String> = []
            for name in names where !taken.insert(name).inserted {
                throw .misuse(
                    "\(name) is named twice", hints: ["a page's file shows a bundle twice, with data for each"])
            }
            var page = PageFile(
                named: names.map { ($0, NamedSubject.isPath($0) ? .path($0) : .registry($0)) })
            page.title = invocation.value("title") ?? page.title
            return (page, "")
        }
        if invocation.value("title") != nil {
            throw .misuse("--title is for named widgets", hints: ["\(name) has a title of its page"])
        }
        if let missing = NamedSubject.missing(name) { throw missing }
        let bytes = try rethrowing(as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }) {
            () throws(FileError) in
            try FileDescriptor.reading(name).read(at: 0, count: 512 << 10)
        }
        let page = try rethrowing(
            try PageFile(bytes),
            as: { (error: PageFileError) in
                CommandFailure.failed("\(name):\(error)", hints: error.hint.map { [$0] } ?? [])
            })
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (page, parts.isEmpty ? "" : parts.joined(separator: "/") + "/")
    }

    private static func slots(
        _ page: PageFile, _ folder: String, _ fetcher: WidgetFetcher?
    ) throws(CommandFailure) -> [HostBoard.Slot] {
        var slots: [HostBoard.Slot] = []
        for (number, slot) in page.slots.enumerated() {
            let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number)))
            for grant in slot.grants where (try? NetworkGrant([grant])) == nil {
                throw .failed(
                    "\(slot.title): \(QuotedText.of(grant)) is not an address that can be granted",
                    hints: ["it takes an address such as https://api.example.com/v1/"])
            }
            for group in slot.groups where (try? GroupName(group)) == nil {
                throw .failed("\(slot.title): \(QuotedText.of(group)) is not the name of a group", hints: [])
            }
            let origin: HostedWidgets.Origin
            switch slot.origin {
            case .path(let path): origin = .path(path.hasPrefix("/") ? path : folder + path)
            case .registry(let widget):
                _ = try rethrowing(
                    try WidgetIdentifier(widget),
                    as: { (error: FetchError) in CommandFailure.misuse("\(error)", hints: []) })
                guard let fetcher else {
                    throw .misuse(
                        "\(widget) is a widget of a registry, and needs --server",
                        hints: ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names a registry"])
                }
                origin = .registry(fetcher)
            }
            slots.append(HostBoard.Slot(letter: letter, file: slot, origin: origin))
        }
        return slots
    }

    private static func ranges(_ invocation: Invocation) throws(CommandFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in invocation.values("grant-range") {
            guard let range = AddressRange(text) else {
                throw .misuse("--grant-range is \(text)", hints: ["it takes a range such as 127.0.0.0/8"])
            }
            ranges.append(range)
        }
        return ranges
    }

    // MARK: - Serving

    private static func serve(_ invocation: Invocation) async throws(CommandFailure) -> ExitCode {
        let (page, folder) = try page(invocation)
        let listener = try PageListener(invocation, option: "listen")
        let environment = try RunningOptions.environment(invocation)
        let viewport = try ViewportOptions(invocation)
        let store = invocation.value("store")
        var fetcher: WidgetFetcher?
        if page.slots.contains(where: { if case .registry = $0.origin { true } else { false } }),
            RegistryOptions.nameRegistry(invocation)
        {
            fetcher = try await HostOptions.fetcher(invocation, try RegistryOptions(invocation))
        }
        let slots = try slots(page, folder, fetcher)
        let networks = SlotNetworks(try ranges(invocation))
        let cache = store.map { store in
            HostCache(
                at: "\(store)/cache", in: invocation.world, granted: { networks.groups(of: $0) },
                report: { invocation.terminal.complain(QuotedText.plain("\($0)"), hints: []) })
        }
        let begins = invocation.value("clock") != nil
        let hosted = HostedWidgets(
            storesIn: store, network: { networks.network(of: $0) }, cache: cache, in: invocation.world,
            environment: {
                var now = environment
                if !begins { now.now = PredicateEnvironment.current.now }
                now.seed = .random(in: .min ... .max)
                return now
            })
        let board = HostBoard(
            slots, hosted, networks, fetcher, arrangement: store.map { KeptArrangement(in: $0) },
            timeZone: environment.timeZone, in: invocation.world,
            report: {
                invocation.terminal.warn(
                    QuotedText.plain($0), hints: ["a link leads to one bundle: another pattern, or a page for each"])
            })
        var options = PageOptions(viewport: viewport.viewport)
        options.scheme = viewport.scheme
        options.locale = invocation.value("locale") ?? ""
        let (desk, hosts) = (LiveDesk(.ofSessions, in: invocation.world), PageHosts())
        let pages = SlotPages(
            board, page.title, Set(page.slots.map(HostBoard.size)), columns: page.columns, options: options)
        let routes = PageService(desk, pages, hosts: hosts).routes(
            WidgetRoutes(board, PrintOptions(viewport: viewport.viewport), pages: options))
        board.begin(slots.filter(\.file.loadsAtOnce).map(\.letter))
        return try await listener.serve(routes, hosts) { signals async in
            let clock = Task(executorPreference: invocation.world.threads.tasks) { await desk.run() }
            await signals.come()
            clock.cancel()
            await desk.stop()
            await board.stop()
        }
    }
}
