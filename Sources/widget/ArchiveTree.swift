import Bytes
import Console
import Files
import JSONText
import Zip

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
    /// - Parameter progress: is told how many bytes are done, of how many.
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
