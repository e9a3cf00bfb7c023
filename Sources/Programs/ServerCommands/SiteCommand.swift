import JSONText
import RegistryContract
import RegistryServer
import StaticSite
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetElement
import WidgetFiles
import WidgetHosting
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings

/// `widgetd export DIR`: writes the answers to hosts as files that any web server serves.
enum SiteCommand {
    private static let usualGrace = "1h"

    static let command = Command(
        "export", "write the answers to hosts as files for nginx or a CDN, while the server serves",
        example: "widgetd export /srv/widgets --suffix=-1 --prefix com.acme",
        options: [
            Option("channel", value: "CHANNEL", isRepeatable: true, help: "a channel to export; stable without it"),
            Option("prefix", value: "ID", help: "only bundles of this identifier, or that continue it after a dot"),
            Option(
                "suffix", value: "TEXT", isRepeatable: true,
                help: "for each bundle the widget identifier that ends in this, too"),
            Option("widget", value: "ID", isRepeatable: true, help: "a widget identifier besides"),
            Option("grace", value: "TIME", help: "how long replaced archives stay; \(usualGrace) without it"),
            Option("verify", help: "compare the archives that are there with their digests"),
            Option("public", help: "although reading needs a token here, and files need none"),
        ] + Housekeeping.place,
        positionals: [Positional("DIR", help: "a folder for this alone; site in it is for the web server")])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        guard settings.access.read == .open || invocation.has("public") else {
            invocation.terminal.complain(
                "reading needs a token here (access.read), and files of a web server need none",
                hints: ["add --public if all that is exported may be read by anyone"])
            return .misuse
        }
        var options: SiteOptions
        do throws(Misuse) {
            options = try SiteCommand.options(invocation)
        } catch {
            invocation.terminal.complain(error.message, hints: error.hints)
            return .misuse
        }
        let engine = EngineFile.find(named: settings.engine, beside: invocation.terminal.executable)
        if let file = engine.file { options.page = { widgets in page(of: widgets, file) } }
        return Housekeeping.run(invocation, settings) { [options] in
            let path = invocation.arguments.first ?? ""
            let report = try export(settings, into: path, options, on: invocation.terminal, in: invocation.world)
            for digest in report.missing {
                invocation.terminal.complain("the archive \(digest) cannot be had; what needs it was left as it was")
            }
            for widget in report.absent {
                invocation.terminal.complain("there is nothing to show for \(widget)")
            }
            if engine.file == nil {
                invocation.terminal.warn(
                    ShownText.plain("the folder has no engine for browsers: \(engine)"),
                    hints: ["`make wasm` builds one of this program's revision; `--engine FILE` names it"])
            }
            let printed = invocation.terminal.print(
                invocation.has("json") ? document(report) : Array(text(report, path).utf8))
            return report.missing.isEmpty ? printed : .damagedStore
        }
    }

    /// A page that shows widgets by the documents of the site.
    private static func page(of widgets: [String], _ engine: EngineFile) -> [(path: String, bytes: [UInt8])] {
        let shown = widgets.map { HostFolder.Widget($0, at: "v1/widgets/\($0)") }
        let files = HostFolder.files(
            shown, title: "Widgets", engine: engine.bytes, digest: engine.digest.hex, brotli: engine.brotli)
        return files.map { ($0.path, $0.bytes) }
    }

    private struct Misuse: Error {
        let message: String
        var hints: [String] = []
    }

    private static func options(_ invocation: Invocation) throws(Misuse) -> SiteOptions {
        let channels = invocation.values("channel")
        if let wrong = channels.first(where: { !ChannelName.isName($0) }) {
            throw Misuse(message: "\(ShownText.quoted(wrong)) is not the name of a channel", hints: [ChannelName.law])
        }
        let text = invocation.value("grace") ?? usualGrace
        guard let grace = DurationText.parse(text)?.components.seconds else {
            throw Misuse(message: "--grace takes a span such as 30m or 2h, not \(ShownText.quoted(text))")
        }
        var options = SiteOptions(
            channels: channels.isEmpty ? [ChannelName.standard] : channels, grace: grace,
            now: invocation.world.clock.seconds)
        options.prefix = invocation.value("prefix") ?? ""
        options.suffixes = invocation.values("suffix")
        for suffix in options.suffixes where WidgetIdentifier(checking: "a.b\(suffix)") == nil {
            throw Misuse(
                message: "--suffix \(ShownText.quoted(suffix)) makes no widget identifier",
                hints: [WidgetIdentifier.law])
        }
        options.widgets = invocation.values("widget")
        for widget in options.widgets where WidgetIdentifier(checking: widget) == nil {
            throw Misuse(
                message: "\(ShownText.quoted(widget)) is not a widget identifier", hints: [WidgetIdentifier.law])
        }
        options.verifiesArchives = invocation.has("verify")
        return options
    }

    /// Asks the running server; without one, the store is opened here.
    private static func export(
        _ settings: Settings, into path: String, _ options: SiteOptions, on terminal: Terminal, in world: World
    ) throws -> SiteReport {
        let bar = Bar("exporting", counting: .parts, on: terminal, in: world)
        defer { bar.end() }
        do throws(SiteError) {
            if try ServedSite.isServed(settings) {
                return try SiteExport(of: ServedSite(data: settings.data), into: path, options).run {
                    bar.show($0, nil)
                }
            }
        } catch {
            throw failure(error)
        }
        let registry = try Housekeeping.openStore(settings, in: world)
        defer { ProcessOwner.restore() }
        do throws(SiteError) {
            return try SiteExport(of: RegistrySite(registry), into: path, options).run { bar.show($0, nil) }
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: SiteError) -> StartFailure {
        switch error {
        case .occupied: StartFailure("\(error)", hints: ["name a new folder, or one that an export has made"])
        case .inUse: StartFailure("\(error)", hints: ["try again when it is done"])
        case .unsuitablePath: StartFailure("\(error)", hints: ["name a folder without quotes, braces and dollar signs"])
        case .file(let error) where error.isOutOfSpace:
            StartFailure("\(error)", hints: ["make room, then run it again: it continues"])
        case .file, .source, .unreadable, .outOfMemory:
            StartFailure("\(error)", hints: ["what is in the folder is whole; run it again"])
        }
    }

    private static func text(_ report: SiteReport, _ path: String) -> String {
        func line(_ name: String, _ share: SiteReport.Share) -> String {
            "\(name): \(share.written) written, \(share.unchanged) unchanged, \(share.removed) removed"
        }
        var text = line("documents", report.documents) + "\n"
        text += line("archives", report.archives) + ", \(ByteCountText.of(report.byteCount)) copied\n"
        if report.waiting > 0 {
            text += "\(counted(report.waiting, "archive")) of earlier documents stay until --grace is over\n"
        }
        if report.rollouts > 0 {
            text +=
                "\(counted(report.rollouts, "document")) with a rollout: hosts of ours know their share; those that ask for "
                + "the archive alone get the release of most hosts\n"
        }
        if report.minimums > 0 {
            text +=
                "\(counted(report.minimums, "document")) with a least version of system or host: hosts of ours heed it; "
                + "those that ask for the archive alone get it in any version\n"
        }
        return text + "serve \(path)/site; \(path)/nginx.conf is for nginx\n"
    }

    private static func document(_ report: SiteReport) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, share) in [("documents", report.documents), ("archives", report.archives)] {
                writer.key(name)
                writer.object { writer in
                    writer.member("written", share.written)
                    writer.member("unchanged", share.unchanged)
                    writer.member("removed", share.removed)
                }
            }
            writer.member("bytes", report.byteCount)
            writer.member("waiting", report.waiting)
            writer.member("rollouts", report.rollouts)
            writer.member("minimums", report.minimums)
            writer.key("missing")
            writer.array { writer in for digest in report.missing { writer.string(digest.hex) } }
            writer.key("absent")
            writer.array { writer in for widget in report.absent { writer.string(widget) } }
        }
        return writer.finish() + [0x0A]
    }
}

/// The registry of a running server, asked through the control socket as the source of a site.
private struct ServedSite: SiteSource {
    let data: String

    /// True if a server serves the data directory.
    static func isServed(_ settings: Settings) throws(SiteError) -> Bool {
        try ServedSite(data: settings.data).ask("GET", "/livez") != nil
    }

    func bundles(after last: String?) throws(SiteError) -> (identifiers: [String], next: String?) {
        let cursor = last.map { "&\(PageParameters.cursor.name)=\($0)" } ?? ""
        let path = "\(RegistryPath.bundles)?\(PageParameters.limit.name)=\(PageParameters.mostItems)\(cursor)"
        let limits = JSONLimits(byteCount: 8 << 20, depth: 16, valueCount: 1 << 20)
        guard let answer = try ask("GET", path), answer.status == 200,
            let page = try? JSONDocument(parsing: answer.body, limits: limits).cursor.decode(
                as: PageDocument<BundleDocument>.self)
        else { throw .source("the server did not list its bundles") }
        return (page.items.map(\.identifier), page.next)
    }

    func resolution(of widget: String, channel: String) throws(SiteError) -> [UInt8]? {
        var query: QueryText = []
        ResolveParameters.channel.add(channel, to: &query)
        let text = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }.joined(separator: "&")
        let answer = try ask("GET", "\(RegistryPath.widget(widget))?\(text)")
        switch answer?.status {
        case 200: return answer?.body
        case 404, 410: return nil
        default: throw .source("the server did not answer for \(widget) (status \(answer?.status ?? 0))")
        }
    }

    func offers(_ digest: Digest) throws(SiteError) -> Bool {
        switch try ask("HEAD", RegistryPath.blob(digest))?.status {
        case 200, 503: return true
        case 404, 410: return false
        case let status: throw .source("the server did not answer for \(digest) (status \(status ?? 0))")
        }
    }

    func copy(_ digest: Digest, into file: borrowing StagedFile) throws(SiteError) -> Bool {
        var status = 0
        var offset = 0
        var failure: FileError?
        do throws(SystemError) {
            let isThere = try ControlSocket.stream(data, "GET", RegistryPath.blob(digest)) { code, _ in
                status = code
            } receive: { piece in
                guard status == 200 else { return true }
                do throws(FileError) { try file.file.write(Array(piece), at: offset) } catch { failure = error }
                offset += piece.count
                return failure == nil
            }
            if !isThere { status = 0 }
        } catch {
            throw .source("the server did not answer: \(error)")
        }
        if let failure { throw .file(failure) }
        guard status > 0 else { throw .source("the server is gone") }
        return status == 200
    }

    private func ask(_ method: String, _ target: String) throws(SiteError) -> ControlSocket.Answer? {
        do throws(SystemError) {
            return try ControlSocket.ask(data, method, target)
        } catch {
            throw .source("the server did not answer: \(error)")
        }
    }
}
