import JSONText
import LocalStore
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings

/// The parts shared by the commands that work on a whole store.
enum Housekeeping {
    static let json = Option("json", help: "print the report as JSON")
    /// The options that locate the registry. The server's other options do not matter here.
    static let place = TokenCommand.place + [json]

    /// Runs a command, and prints the error that keeps it from working.
    static func run(
        _ invocation: Invocation, _ settings: Settings, _ body: () throws -> ExitCode
    ) -> ExitCode {
        do {
            return try body()
        } catch let failure as StartFailure {
            invocation.terminal.complain(failure.message, hints: failure.hints)
            return failure.code
        } catch let error as RegistryError {
            let failure = StartFailure(error, data: settings.data)
            invocation.terminal.complain(failure.message, hints: failure.hints)
            return failure.code
        } catch let error as SystemError {
            let failure = StartFailure(asking: error, data: settings.data)
            invocation.terminal.complain(failure.message, hints: failure.hints)
        } catch {
            invocation.terminal.complain("\(error)")
        }
        return .failed
    }

    /// Opens the store that no server has open, in the name of its owner.
    static func openStore(_ settings: Settings, in world: World) throws(StartFailure) -> Registry {
        try requireStore(settings)
        try DataDirectory.actAsOwner(settings.data)
        do throws(StartFailure) {
            return try ServerStore.open(settings, in: world)
        } catch {
            guard error.isInUse, !ControlSocket.isUsable(ControlSocket.path(settings.data)) else { throw error }
            throw StartFailure(
                error.message,
                hints: [
                    "its path is too long for the socket by which its server is asked: at most "
                        + "\(ControlSocket.longestPath - StoreNames.controlSocket.utf8.count - 1) bytes; stop the server, "
                        + "or give both a shorter path, which may be a link"
                ])
        }
    }

    /// Refuses a directory without a registry, because opening it would create one. Where only the catalog is missing,
    /// opening reports that.
    static func requireStore(_ settings: Settings) throws(StartFailure) {
        guard ServerStore.exists(settings) || ServerStore.hasArchives(settings) else {
            throw StartFailure(
                "there is no registry in \(settings.data)",
                hints: ["name its data directory with --data DIR, or start the server there once"])
        }
    }

    /// Has the running server do it, or does it here under the store's lock.
    ///
    /// - Returns: the report, a JSON object.
    static func report(
        _ settings: Settings, _ target: String, _ title: String, counting unit: ProgressBar.Unit = .bytes,
        for invocation: Invocation, stills: (any StillMaking)? = nil,
        otherwise body: (Housekeeper, @escaping Housekeeper.Watcher) throws -> [UInt8]
    ) throws -> [UInt8] {
        let terminal = invocation.terminal
        let bar = Bar(title, counting: unit, on: terminal, in: invocation.world)
        if let report = try ask(settings, target, bar) { return report }
        let registry = try openStore(settings, in: invocation.world)
        let offline = OfflineAudit(settings, on: terminal)
        defer { offline.finish() }
        let housekeeper = Housekeeper(registry, audit: offline.audit, in: invocation.world, stills: stills) {
            settings.housekeepingPolicy
        }
        // Without the end of its line, as it comes from a server.
        return try body(housekeeper) { bar.show($0, $1) }.dropLast()
    }

    /// The report of the server; `nil` when none runs.
    private static func ask(_ settings: Settings, _ target: String, _ bar: Bar) throws -> [UInt8]? {
        var status = 0
        var text: [UInt8] = []
        var last: [UInt8] = []
        let isThere = try ControlSocket.stream(settings.data, "POST", target) { code, _ in
            status = code
        } receive: { bytes in
            text += bytes
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                last = Array(text[..<end])
                text.removeSubrange(...end)
                if let cursor = try? JSONDocument(parsing: last).cursor, let done: Int = try? cursor.require("done"),
                    let total: Int = try? cursor.require("total")
                {
                    bar.show(done, total)
                }
            }
            return true
        }
        return isThere ? try outcome(last, status: status) : nil
    }

    /// The report in the last line of an answer.
    ///
    /// - Throws: the problem that the line has instead. A line of progress is the last of a server that ended.
    static func outcome(_ line: [UInt8], status: Int) throws -> [UInt8] {
        let limits = JSONLimits(byteCount: 64 << 20, valueCount: 1 << 20)
        let cursor = try? JSONDocument(parsing: line, limits: limits).cursor
        if let report = try cursor?.member("report") { return Array(line[report.value.span.range]) }
        if let detail = try cursor?.member("problem")?.member("detail") {
            throw StartFailure(try detail.decode(), hints: ["the server's log has the rest"])
        }
        guard let detail = try cursor?.member("detail") else {
            throw StartFailure(
                "the server ended before it was done (status \(status))", hints: ["its log may tell why"])
        }
        throw StartFailure(try detail.decode())
    }

    /// The releases that a report names for damaged archives, for people: by digests, in brackets.
    static func names(_ report: JSONCursor) throws(JSONError) -> [String: String] {
        var names: [String: [String]] = [:]
        for release in try report.member("affected")?.elements() ?? [] {
            let bundle: String = try release.require("bundleIdentifier")
            let key: String = try release.require("release")
            names[try release.require("sha256"), default: []].append("\(bundle) \(key)")
        }
        return names.mapValues { " (\($0.joined(separator: ", ")))" }
    }

    static func cursor(_ report: [UInt8]) throws(JSONError) -> JSONCursor {
        try JSONDocument(parsing: report, limits: JSONLimits(byteCount: 64 << 20, valueCount: 1 << 20)).cursor
    }
}

/// A count with its noun.
func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(nouns ?? "\(noun)s")"
}

/// A progress bar that closures can share.
final class Bar {
    private var bar: ProgressBar?

    init(_ title: String, counting unit: ProgressBar.Unit = .bytes, on terminal: Terminal, in world: World) {
        bar = ProgressBar(title, counting: unit, on: terminal, in: world)
    }

    func show(_ done: Int, _ total: Int?) {
        bar?.show(done, of: total)
    }

    /// Takes the line off, for others to write.
    func end() { bar = nil }
}

/// The audit of changes that commands make while no server runs. It is a file in the data directory, which the next
/// server copies into its log.
struct OfflineAudit {
    /// The size limit of lines not yet logged; the oldest lines are dropped.
    private static let byteLimit = 256 << 10

    let audit: Audit
    private let logger: Logger

    /// - Parameter terminal: takes the complaint about an act that cannot be noted.
    init(_ settings: Settings, on terminal: Terminal) {
        let data = settings.data
        let isWanted = settings.log.logsWrites
        logger = Logger(level: .info, format: .json, sink: { OfflineAudit.append($0, in: data, terminal) })
        audit = Audit(logger) { isWanted }
    }

    /// Runs `body` and notes it, in the name of the data directory's owner.
    func note<Value>(
        _ action: Act, _ details: [LogField] = [], report: (Value) -> [UInt8]? = { _ in nil },
        _ body: () throws -> Value
    ) throws -> Value {
        var entry = AuditEntry(action, by: "owner")
        for detail in details { entry.add(detail) }
        do {
            let value = try body()
            if let report = report(value) { entry.add(LogField("report", json: report.dropLast())) }
            audit.record(entry, "done")
            finish()
            return value
        } catch {
            // A store that another holds is that one's to tell about.
            if case .locked? = error as? RegistryError { throw error }
            audit.record(entry, (error as? Problem)?.code ?? "failed")
            finish()
            throw error
        }
    }

    /// Waits until all notes are in the file.
    func finish() {
        logger.flush()
    }

    private static func append(_ lines: [UInt8], in data: String, _ terminal: Terminal) -> Int {
        do throws(FileError) {
            let folder = try Directory(opening: data)
            var all = (try? folder.openFile(StoreNames.audit).read(at: 0, count: byteLimit)) ?? []
            all += lines
            while all.count > byteLimit, let end = all.firstIndex(of: UInt8(ascii: "\n")) { all.removeSubrange(...end) }
            try folder.replaceFile(StoreNames.audit, with: all, mode: 0o600)
        } catch {
            terminal.complain("what was done could not be noted for the log: \(error.description)")
        }
        return lines.count
    }

    /// Copies the notes since the last server's end into the log.
    static func tell(_ settings: Settings, _ logger: Logger) {
        guard settings.log.logsWrites, let folder = try? Directory(opening: settings.data),
            let bytes = try? folder.openFile(StoreNames.audit).read(at: 0, count: byteLimit)
        else { return }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let members = try? JSONDocument(parsing: Array(line)).cursor.members() else { continue }
            var fields: [LogField] = []
            for (name, cursor) in members where !["level", "event", "message"].contains(name) {
                let name = name == "time" ? "at" : name
                if let text = cursor.value.string {
                    fields.append(LogField(name, text))
                } else {
                    fields.append(LogField(name, json: Array(Array(line)[cursor.value.span.range])))
                }
            }
            logger.record(.notice, "audit", "", fields + [LogField("offline", true)])
        }
        try? folder.removeFile(StoreNames.audit)
    }
}
