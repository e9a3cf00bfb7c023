import Configuration
import Console
import Files
import JSONText
import LocalStore
import Registry
import RegistryServer

/// `widgetd restore FILE`: takes a data directory back to what a backup holds.
enum RestoreCommand {
    static let command = Command(
        "restore", "go back to a backup; the server must be stopped",
        example: "widgetd restore /backups/widgets.tar --data ./data",
        options: Housekeeping.place,
        positionals: [Positional("FILE", help: "a file that widgetd backup wrote; - for standard input")])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(settings) {
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
            let report = try OfflineAudit(settings).note(.restoreBackup, report: { HousekeepingDocument.bytes($0) }) {
                guard let file = source.take() else { throw RegistryError.interrupted }
                return try restore(file, settings)
            }
            if invocation.has("json") { return Terminal.print(HousekeepingDocument.bytes(report)) }
            return Terminal.print(text(report))
        }
    }

    /// Two passes over the file: first all of it is proven, then it is put in place.
    private static func restore(_ file: consuming FileDescriptor, _ settings: Settings) throws -> RestoreReport {
        var bar = Bar("proving")
        var isPlacing = false
        defer { bar.end() }
        return try Registry.restore(
            settings.data, from: file, options: Store.options(settings), holder: Store.holder
        ) { done, total in
            let half = total / 2
            if done >= half, !isPlacing {
                isPlacing = true
                bar.end()
                bar = Bar("placing")
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
