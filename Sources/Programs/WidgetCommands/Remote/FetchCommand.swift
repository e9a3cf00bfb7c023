import JSONText
import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetConsole
import WidgetSurroundings
import WidgetTransfers

/// `widget fetch`: brings a widget up to date in the cache, as a host does.
enum FetchCommand {
    static let command = Command(
        "fetch", "download a widget, verify it, and keep it up to date",
        example: "widget fetch mobi.favio.WidgetDemo-1 -o Widgets",
        options: [
            Option(
                "output", letter: "o", value: "DIR", help: "put the bundle there, in place of the one fetched before")
        ] + HostOptions.options + [HostOptions.report] + RegistryOptions.options,
        positionals: [HostOptions.widget])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let (host, widget) = try await HostOptions.host(invocation, options, reportsSoon: false)
            let result = await update(widget, at: host, options.output.terminal)
            if invocation.has("report"), await !host.reportOutcomes(of: widget) {
                invocation.terminal.warn("the registry has not taken the report of what became of the release")
            }
            let release: InstalledRelease
            let cost: UpdateCost?
            switch result {
            case .failed(let error, let kept):
                throw .registry(
                    error,
                    hints: kept.map {
                        ["the widget stays at \($0.record.release)\(InstalledText.origin(of: $0)), at \($0.path)"]
                    } ?? [])
            case .noData(let current): (release, cost) = (current, nil)
            case .newData(let new, let paid): (release, cost) = (new, paid)
            }
            var path = release.path
            if let output = invocation.value("output") {
                path = try await RemoteCommand.asking { () async throws(FetchError) in
                    try release.copy(into: output, from: host.registry)
                }
            }
            return options.output.print(
                { writer in
                    writer.object { writer in
                        writer.member("result", cost == nil ? "noData" : "newData")
                        InstalledText.write(release, path: path, to: &writer)
                        writer.member("fetched", cost?.fetchedByteCount ?? 0)
                        writer.member("reused", cost?.reusedByteCount ?? 0)
                    }
                }, text(release, cost, path: path))
        }
    }

    /// Updates while a bar shows the progress; the bar is removed before anything is printed.
    private static func update(
        _ widget: WidgetIdentifier, at host: WidgetFetcher, _ terminal: Terminal
    ) async -> UpdateResult {
        let bar = Guarded(ProgressBar("fetching", on: terminal))
        return await host.update(widget) { done, total in bar.withLock { $0.show(done, of: total) } }
    }

    private static func text(_ release: InstalledRelease, _ cost: UpdateCost?, path: String) -> String {
        let how = cost.map(InstalledText.sentence) ?? "up to date"
        return "\(InstalledText.line(release))\n\(how)\n\(QuotedText.plain(path))\n"
    }
}

/// A release in the cache, as text and as JSON.
enum InstalledText {
    static func line(_ release: InstalledRelease) -> String {
        let record = release.record
        return QuotedText.plain(
            "\(release.widgetIdentifier) is \(record.bundleIdentifier) \(record.release), on \(record.channel)\(origin(of: release))"
        )
    }

    /// The address of the registry that a release is from: that of a cache may be from another one than was asked.
    static func origin(of release: InstalledRelease) -> String {
        release.record.registry.map { ", from \($0)" } ?? ""
    }

    static func sentence(_ cost: UpdateCost) -> String {
        let all = ByteCountText.of(cost.fetchedByteCount + cost.reusedByteCount)
        return "fetched \(ByteCountText.of(cost.fetchedByteCount)) of \(all)"
    }

    /// The members of a document.
    static func write(_ release: InstalledRelease, path: String, to writer: inout JSONWriter) {
        let record = release.record
        writer.member("widgetIdentifier", release.widgetIdentifier.text)
        writer.member("bundleIdentifier", record.bundleIdentifier)
        writer.member("release", record.release)
        writer.member("channel", record.channel)
        if let registry = record.registry { writer.member("registry", registry) }
        writer.member("sha256", record.digest.hex)
        writer.member("content", record.contentDigest.hex)
        writer.member("size", record.byteCount)
        writer.member("path", path)
    }
}

/// The options of commands that fetch widgets as a host does.
enum HostOptions {
    static let widget = Positional("WIDGET-ID", help: "begins with a bundle's identifier, such as com.acme.Clock-1")
    static let options = [
        Option("channel", value: "CHANNEL", help: "the channel to follow; stable if not given"),
        Option("pin", value: "ID", help: "the only bundle that may answer"),
        Option("cache", value: "DIR", help: "of widgets; else WIDGET_CACHE, else ~/.cache/widget"),
    ]
    static let report = Option("report", help: "say to the registry what becomes of releases here, without a name")

    /// - Parameter reportsSoon: false for a command that reports at its end.
    static func host(
        _ invocation: Invocation, _ options: RegistryOptions, reportsSoon: Bool = true
    ) async throws(CommandFailure) -> (host: WidgetFetcher, widget: WidgetIdentifier) {
        let widget = try rethrowing(
            try WidgetIdentifier(invocation.arguments[0]),
            as: { (error: FetchError) in
                CommandFailure.misuse(
                    "\(error)", hints: ["`widget list` shows the bundles that a widget's identifier can begin with"])
            })
        return (try await fetcher(invocation, options, reportsSoon: reportsSoon), widget)
    }

    static func fetcher(
        _ invocation: Invocation, _ options: RegistryOptions, reportsSoon: Bool = true
    ) async throws(CommandFailure) -> WidgetFetcher {
        var wanted = FetchOptions()
        wanted.channel = invocation.value("channel") ?? wanted.channel
        wanted.pin = invocation.value("pin")
        wanted.token = options.token
        wanted.followsElsewhere = options.followsElsewhere
        let reports = invocation.has("report")
        wanted.reportsOutcomes = reports && reportsSoon
        let path = try cache(invocation)
        let (fetch, world) = (wanted, invocation.world)
        return try await RemoteCommand.asking { () async throws(FetchError) in
            WidgetFetcher(
                registry: options.address, cache: try WidgetCache(at: path, notesOutcomes: reports, in: world),
                client: TransferClient(in: world), options: fetch)
        }
    }

    private static func cache(_ invocation: Invocation) throws(CommandFailure) -> String {
        if let path = invocation.value("cache") ?? invocation.terminal.variable("WIDGET_CACHE") { return path }
        if let folder = invocation.terminal.variable("XDG_CACHE_HOME") { return "\(folder)/widget" }
        if let home = invocation.terminal.variable("HOME") { return "\(home)/.cache/widget" }
        throw .misuse(
            "no folder is named to keep widgets in", hints: ["`--cache DIR` or WIDGET_CACHE names one"])
    }
}
