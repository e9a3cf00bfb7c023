import Bytes
import Configuration
import Console
import Files
import Glibc
import JSONText
import Logging
import Registry
import RegistryServer

/// `widgetd backup FILE`: writes everything there is at one moment to a tar archive.
enum BackupCommand {
    static let command = Command(
        "backup", "write a backup, while the server serves", example: "widgetd backup /backups/widgets.tar",
        options: Housekeeping.place,
        positionals: [Positional("FILE", help: "where to; - for standard output. It gets its name when it is whole")])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        // Before there is a second thread, which would not hold them.
        Signals.hold()
        return Housekeeping.run(settings) {
            let file = invocation.arguments.first ?? ""
            let target = try Target(file)
            let signals = target.removeWhenInterrupted()
            defer { signals.cancel() }
            let report = try write(settings, to: target)
            let cursor = try Housekeeping.cursor(report)
            let missing: [String] = try cursor.require("missing")
            let names = try Housekeeping.names(cursor)
            let name = try target.finish(isWhole: missing.isEmpty)
            for digest in missing {
                Terminal.complain(
                    "the archive \(digest)\(names[digest] ?? "") is not in the backup: the store has lost it")
            }
            if file != "-" {
                let text = invocation.has("json") ? report + [0x0A] : Array(try text(cursor, name).utf8)
                guard Terminal.print(text) == .clean else { return .failed }
            }
            return missing.isEmpty ? .clean : .damagedStore
        }
    }

    private static func text(_ report: JSONCursor, _ file: String) throws(JSONError) -> String {
        let archives: Int = try report.require("archives")
        let bytes: Int = try report.require("bytes")
        return "\(file): \(counted(archives, "archive")), \(ByteCountText.of(bytes))\n"
    }

    private static func write(_ settings: Settings, to target: Target) throws -> [UInt8] {
        let bar = Bar("backing up")
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
        guard isThere else { return try writeHere(settings, to: target, bar) }
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

    private static func writeHere(_ settings: Settings, to target: Target, _ bar: Bar) throws -> [UInt8] {
        let registry = try Housekeeping.openStore(settings)
        // The file is for whoever asked for it.
        defer { ProcessOwner.restore() }
        let offline = OfflineAudit(settings)
        defer { offline.finish() }
        let housekeeper = Housekeeper(registry, audit: offline.audit, now: { WallClock.now().seconds })
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

/// Where a backup goes: a file that has its name only once it is whole, or standard output.
private final class Target {
    private var staged: StagedFile?
    private let folder: String
    private let name: String
    private(set) var byteCount = 0

    /// A link is followed, so that it goes on naming what it named; what is no file is nobody's to replace.
    init(_ path: String) throws {
        guard path != "-" else {
            (folder, name) = ("", "-")
            return
        }
        let target = resolvedPath(path)
        let parts = target.split(separator: "/", omittingEmptySubsequences: true)
        name = parts.last.map(String.init) ?? ""
        guard !name.isEmpty else {
            throw StartFailure("\(path) is no name for a file", hints: ["name a file to write"])
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
    func removeWhenInterrupted() -> Signals {
        let leftover = (staged?.path).flatMap { $0.split(separator: "/").last.map(String.init) }
        let folder = folder
        let end: @Sendable () -> Void = {
            // It may have its name by now: then the backup is whole, and there is nothing to remove.
            if let leftover { try? Directory(opening: folder).removeFile(leftover) }
            Terminal.complain("interrupted: no backup was written", hints: ["run it again"])
            exit(ExitCode.failed.rawValue)
        }
        return Signals(onStop: end, onReload: end)
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        if staged != nil {
            try staged?.file.write(bytes, at: byteCount)
        } else if StandardStream.output.write(bytes) != bytes.count {
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
