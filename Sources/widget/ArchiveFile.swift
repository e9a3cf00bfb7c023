import Files
import WidgetBundles

/// The archive that a command writes: complete under its name, or not there.
enum ArchiveFile {
    private static let windowByteCount = 1 << 20

    /// - Returns: whether it was written; a source is never replaced by what is made of it.
    static func write(
        _ taken: borrowing BundleSource.Taken, to path: String, replacing: Bool
    ) throws(FileError) -> Bool {
        let (folder, name) = split(path)
        let directory = try Directory(opening: folder)
        do throws(FileError) {
            if try directory.status(of: name).isSameFile(as: taken.sourceStatus) { return false }
        } catch {
            guard error.isMissing else { throw error }
        }
        let staged = try StagedFile(in: directory)
        var window = [UInt8](repeating: 0, count: windowByteCount)
        var offset = 0
        while offset < taken.bundle.byteCount {
            let wanted = min(window.count, taken.bundle.byteCount - offset)
            let count = try taken.archive.read(at: offset, into: &window, count: wanted)
            guard count > 0 else { break }
            try staged.file.write(window.span.extracting(0..<count), at: offset)
            offset += count
        }
        try staged.commit(as: name, replacing: replacing)
        return true
    }

    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = String(path[...slash])
        return (folder, String(path[path.utf8.index(after: slash)...]))
    }
}
