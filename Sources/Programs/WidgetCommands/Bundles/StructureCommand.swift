import JSONText
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetZip

/// `widget structure`: the archive layer alone, without any rule about bundles.
enum StructureCommand {
    static let command = Command(
        "structure", "say whether an archive has exactly one reading",
        example: "widget structure WidgetDemo.zip --json",
        options: [Option("json", help: "print the answer as JSON")],
        positionals: [Positional("ZIP", help: "the archive")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let asJSON = invocation.has("json")
        let path = invocation.arguments.first ?? ""
        guard !NamedSubject.isFolder(path) else {
            invocation.terminal.complain(
                QuotedText.plain("\(path) is a folder, and this command reads archives"),
                hints: [
                    QuotedText.plain(
                        "`widget inspect \(path)` judges a folder; `widget pack \(path)` makes an archive of it")
                ])
            return .failed
        }
        do throws(ZipError) {
            let entries = try entries(of: path, on: invocation.terminal)
            return asJSON
                ? invocation.terminal.print(document: ArchiveTree.json(entries))
                : invocation.terminal.print(ArchiveTree.text(entries))
        } catch {
            guard error.isRefusal else {
                invocation.terminal.complain(QuotedText.plain("\(error)"))
                return .failed
            }
            let printed =
                asJSON
                ? invocation.terminal.print(document: ArchiveRefusal.json(error))
                : invocation.terminal.print(ArchiveRefusal.verdict(error))
            return printed == .clean ? .failed : printed
        }
    }

    /// The bar is gone before anything is printed.
    private static func entries(of path: String, on terminal: Terminal) throws(ZipError) -> [ArchiveTree.Entry] {
        let file = try rethrowing(try FileDescriptor.readingNamed(path), as: { ZipError(.file($0)) })
        var bar = ProgressBar("reading", on: terminal)
        return try ArchiveTree.entries(of: file) { bar.show($0, of: $1) }
    }
}

/// The entries of an archive whose structure and data are proven.
enum ArchiveTree {
    struct Entry {
        var path: String
        var byteCount: Int
        /// `nil` for a folder.
        var digest: Digest?
    }

    /// In the canonical order, so that archives of the same files read the same.
    ///
    /// - Parameter progress: called with the number of bytes that are done, and of all.
    static func entries(
        of file: borrowing FileDescriptor, progress: (_ done: Int, _ total: Int?) -> Void
    ) throws(ZipError) -> [Entry] {
        let directory = try ZipDirectory(reading: file)
        var done = 0
        var reader = try ZipEntryReader()
        var entries: [Entry] = []
        for entry in directory.entries.sorted(by: { $0.name < $1.name }) {
            var sha = SHA256()
            _ = try reader.read(entry, from: file) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                sha.update(chunk)
                done += chunk.count
                progress(done, directory.expandedByteCount)
            }
            let digest = sha.finish()
            entries.append(
                Entry(path: entry.name.text, byteCount: entry.byteCount, digest: entry.isDirectory ? nil : digest))
        }
        return entries
    }

    static func text(_ entries: [Entry]) -> String {
        let width = String(entries.map(\.byteCount).max() ?? 0).count
        var text = "accept\n"
        for entry in entries {
            let size = String(entry.byteCount)
            let padding = String(repeating: " ", count: width - size.count)
            let digest = entry.digest?.hex ?? String(repeating: "-", count: 64)
            text += "\(digest)  \(padding)\(size)  \(QuotedText.plain(entry.path))\n"
        }
        return text
    }

    static func json(_ entries: [Entry]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "accept")
            writer.key("entries")
            writer.array { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member("path", entry.path)
                        writer.member("size", entry.byteCount)
                        if let digest = entry.digest { writer.member("sha256", digest.hex) }
                    }
                }
            }
        }
        return writer.finish()
    }
}

/// The refusal of an archive, as text and as JSON.
enum ArchiveRefusal {
    static func verdict(_ error: ZipError) -> String {
        var text = "reject\nreason  \(error.reason.code): \(QuotedText.plain("\(error.reason)"))\n"
        if let entry = error.entry { text += "entry   \(QuotedText.plain(entry))\n" }
        if let offset = error.offset { text += "offset  \(offset)\n" }
        return text
    }

    static func json(_ error: ZipError) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "reject")
            writer.member("reason", error.reason.code)
            writer.member("detail", "\(error.reason)")
            if let entry = error.entry { writer.member("entry", entry) }
            if let offset = error.offset { writer.member("offset", offset) }
        }
        return writer.finish()
    }
}
