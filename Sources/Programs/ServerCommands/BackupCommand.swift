import JSONText
import LocalStore
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetSystemCalls

/// `widgetd backup FILE`: writes everything there is at one moment to a tar archive.
enum BackupCommand {
    static let command = Command(
        "backup", "write a backup, while the server serves", example: "widgetd backup /backups/widgets.tar",
        options: Housekeeping.place,
        positionals: [Positional("FILE", help: "where to; - for standard output. It gets its name when it is whole")])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        // Before there is a second thread, which would not hold them.
        if invocation.terminal.ending == nil { Signals.hold() }
        return Housekeeping.run(invocation, settings) {
            let file = invocation.arguments.first ?? ""
            let target = try Target(file, invocation.terminal)
            let signals = target.removeWhenInterrupted()
            defer { signals?.cancel() }
            let report = try write(settings, to: target, for: invocation)
            let cursor = try Housekeeping.cursor(report)
            let missing: [String] = try cursor.require("missing")
            let names = try Housekeeping.names(cursor)
            let name = try target.finish(isWhole: missing.isEmpty)
            for digest in missing {
                invocation.terminal.complain(
                    "the archive \(digest)\(names[digest] ?? "") is not in the backup: the store has lost it")
            }
            if file != "-" {
                let text = invocation.has("json") ? report + [0x0A] : Array(try text(cursor, name).utf8)
                guard invocation.terminal.print(text) == .clean else { return .failed }
            }
            return missing.isEmpty ? .clean : .damagedStore
        }
    }

    private static func text(_ report: JSONCursor, _ file: String) throws(JSONError) -> String {
        let archives: Int = try report.require("archives")
        let bytes: Int = try report.require("bytes")
        return "\(file): \(counted(archives, "archive")), \(ByteCountText.of(bytes))\n"
    }

    private static func write(_ settings: Settings, to target: Target, for invocation: Invocation) throws -> [UInt8] {
        let bar = Bar("backing up", on: invocation.terminal, in: invocation.world)
        var status = 0
        var total: Int?
        var refusal: [UInt8] = []
        var failure: FileError?
        let isThere = try ControlSocket.stream(settings.data, "GET", "/v1/backup") { code, head in
            status = code
            let line = head.split(separator: "\r\n").first { $0.hasPrefix("Backup-Bytes: ") }
            total = line.flatMap { Int($0.dropFirst(14)) }
        } receive: { bytes in
            guard status == 200 else {
                refusal += bytes
                return true
            }
            do throws(FileError) { try target.write(Array(bytes)) } catch { failure = error }
            bar.show(target.byteCount, total)
            return failure == nil
        }
        if let failure { throw failure }
        guard isThere else { return try writeHere(settings, to: target, bar, for: invocation) }
        guard status == 200 else {
            throw StartFailure(try JSONDocument(parsing: refusal).cursor.require("detail"))
        }
        return try confirmation(settings)
    }

    /// The end of the connection is not the end of a backup: the server is asked whether it came to one.
    private static func confirmation(_ settings: Settings) throws -> [UInt8] {
        let limits = JSONLimits(byteCount: 64 << 20, valueCount: 1 << 20)
        guard let answer = try ControlSocket.ask(settings.data, "GET", "/v1/housekeeping"), answer.status == 200,
            let backup = try JSONDocument(parsing: answer.body, limits: limits).cursor.member("backup"),
            let report = try backup.member("report")
        else { throw StartFailure("the server did not finish the backup", hints: ["its log may tell why"]) }
        return Array(answer.body[report.value.span.range])
    }

    private static func writeHere(
        _ settings: Settings, to target: Target, _ bar: Bar, for invocation: Invocation
    ) throws -> [UInt8] {
        let registry = try Housekeeping.openStore(settings, in: invocation.world)
        // The file belongs to the user who ran the command.
        defer { ProcessOwner.restore() }
        let offline = OfflineAudit(settings, on: invocation.terminal)
        defer { offline.finish() }
        let housekeeper = Housekeeper(registry, audit: offline.audit, in: invocation.world)
        var total: Int?
        let report = try housekeeper.backUp(
            server: "widgetd/\(ProgramVersion.text)", by: "owner", begin: { total = $0 }
        ) {
            bytes throws(RegistryError) in
            do throws(FileError) { try target.write(bytes) } catch { throw .storage(error) }
            bar.show(target.byteCount, total)
        }
        return housekeeper.document(report).dropLast()
    }
}

/// The target of a backup: a file that gets its name only once it is complete, or standard output.
private final class Target {
    private var staged: StagedFile?
    private let terminal: Terminal
    private let folder: String
    private let name: String
    private(set) var byteCount = 0

    /// A link is followed, so that it keeps its target. Anything but a file is refused, not replaced.
    init(_ path: String, _ terminal: Terminal) throws {
        self.terminal = terminal
        guard path != "-" else {
            (folder, name) = ("", "-")
            return
        }
        let target = resolvedPath(path)
        let parts = target.split(separator: "/", omittingEmptySubsequences: true)
        name = parts.last.map(String.init) ?? ""
        guard !name.isEmpty else {
            throw StartFailure("\(path) is not a name for a file", hints: ["name a file to write"])
        }
        folder = target.contains("/") ? String(target[...(target.lastIndex(of: "/") ?? target.startIndex)]) : "./"
        let directory = try Directory(opening: folder)
        if try directory.holds(name), try directory.status(of: name).kind != .file {
            throw StartFailure(
                "\(path) is not a file",
                hints: ["name a file to write, or - for standard output: widgetd backup - > \(path)"])
        }
        staged = try StagedFile(in: directory)
    }

    /// Ends the program at a signal, and leaves nothing behind in a folder that no start ever sweeps.
    ///
    /// - Returns: `nil` where signals are not for this command.
    func removeWhenInterrupted() -> Signals? {
        guard terminal.ending == nil else { return nil }
        let leftover = (staged?.path).flatMap { $0.split(separator: "/").last.map(String.init) }
        let (folder, terminal) = (folder, terminal)
        let end: @Sendable () -> Void = {
            // It may have its name by now: then the backup is whole, and there is nothing to remove.
            if let leftover { try? Directory(opening: folder).removeFile(leftover) }
            terminal.complain("interrupted: no backup was written", hints: ["run it again"])
            ProcessExit.end(ExitCode.failed.rawValue)
        }
        return Signals(onStop: end, onReload: end)
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        if staged != nil {
            try staged?.file.write(bytes, at: byteCount)
        } else if terminal.output.write(bytes) != bytes.count {
            throw FileError(.write, subject: "standard output", code: 32)
        }
        byteCount += bytes.count
    }

    /// A backup that lacks something takes no earlier one's place.
    ///
    /// - Returns: the name that it has now.
    func finish(isWhole: Bool) throws -> String {
        let name = isWhole ? name : "\(name).incomplete"
        try staged.take()?.commit(as: name, replacing: true, mode: 0o600)
        return folder == "./" ? name : folder + name
    }
}

/// `widgetd restore FILE`: restores a data directory from a backup.
enum RestoreCommand {
    static let command = Command(
        "restore", "go back to a backup; the server must be stopped",
        example: "widgetd restore /backups/widgets.tar --data ./data",
        options: Housekeeping.place,
        positionals: [Positional("FILE", help: "a file that widgetd backup wrote; - for standard input")])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(invocation, settings) {
            let path = invocation.arguments.first ?? ""
            let file: FileDescriptor
            do throws(FileError) {
                file = try path == "-" ? spooled(settings.data) : .readingNamed(path)
            } catch {
                throw StartFailure(
                    "\(path) cannot be read: \(error.reason)", hints: ["name a file that widgetd backup wrote"])
            }
            try DataDirectory.actAsOwner(settings.data)
            var source: FileDescriptor? = consume file
            let report = try OfflineAudit(settings, on: invocation.terminal).note(
                .restoreBackup, report: { HousekeepingDocument.bytes($0) }
            ) {
                guard let file = source.take() else { throw RegistryError.interrupted }
                return try restore(file, settings, on: invocation.terminal, in: invocation.world)
            }
            if invocation.has("json") { return invocation.terminal.print(HousekeepingDocument.bytes(report)) }
            return invocation.terminal.print(text(report))
        }
    }

    /// Two passes over the file: first all of it is proven, then it is put in place.
    private static func restore(
        _ file: consuming FileDescriptor, _ settings: Settings, on terminal: Terminal, in world: World
    ) throws -> RestoreReport {
        var bar = Bar("proving", on: terminal, in: world)
        var isPlacing = false
        defer { bar.end() }
        let store = try settings.storage.replacement(settings.data, ServerStore.holder)
        let backup: StoredFile
        do throws(FileError) { backup = try StoredFile(file) } catch { throw RegistryError(error) }
        return try store.restore(from: backup, ServerStore.options(settings, in: world)) { done, total in
            let half = total / 2
            if done >= half, !isPlacing {
                isPlacing = true
                bar.end()
                bar = Bar("placing", on: terminal, in: world)
            }
            bar.show(isPlacing ? done - half : done, half)
        }
    }

    /// All of standard input in a file without a name, since a backup is read twice.
    private static func spooled(_ data: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor.unnamed(inDirectory: Directory(creating: data, mode: 0o700, isDurable: true).path)
        let input = try FileDescriptor.standardInput()
        var offset = 0
        while true {
            let piece = try input.readNext(count: 256 << 10)
            if piece.isEmpty { return file }
            try file.write(piece, at: offset)
            offset += piece.count
        }
    }

    private static func text(_ report: RestoreReport) -> String {
        var text =
            "\(counted(report.releases, "release")) and \(counted(report.archives, "archive")) are back; every channel's sequence is "
            + "\(report.sequence) now\n"
        text +=
            "its \(counted(report.tokens, "token")) are those of the backup, also such as were revoked since: see widgetd token list\n"
        if let count = report.auditRecords {
            text += "\(counted(count, "audit record")) since the backup were kept\n"
        } else {
            text += "audit records since the backup, if there were any, are not in it\n"
        }
        if report.unknown > 0 {
            text +=
                "\(report.unknown) archives were published after the backup: widgetd reindex takes them in, gc removes them\n"
        }
        for digest in report.missing { text += "archive \(digest) was missing in the backup already\n" }
        return text
    }
}
