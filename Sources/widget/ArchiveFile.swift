import Files
import WidgetBundles
import WidgetIntake

/// The archive that a command writes: complete under its name, or not there.
enum ArchiveFile {
    private static let windowByteCount = 1 << 20

    /// - Parameter source: the file or folder that the bundle was taken from, when it has a status.
    /// - Returns: whether it was written; a source is never replaced by the archive made of it.
    static func write(
        _ taken: borrowing TakenBundle, of source: FileStatus?, to path: String, replacing: Bool
    ) throws(FileError) -> Bool {
        let (folder, name) = split(path)
        let directory = try Directory(opening: folder)
        do throws(FileError) {
            let status = try directory.status(of: name)
            if let source, status.isSameFile(as: source) { return false }
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

    /// Whether a file is an archive that was written here, of some version of the bundle: what else has that name stays.
    static func isOurs(_ path: String, of bundle: WidgetBundle) -> Bool {
        guard let source = try? BundleSource(opening: path), !source.isPacked, let found = try? source.take() else {
            return false
        }
        // Only what is written here has the canonical form.
        return found.bundle.manifest.identifier == bundle.manifest.identifier
            && found.report.source.digest == found.bundle.digest
    }

    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = String(path[...slash])
        return (folder, String(path[path.utf8.index(after: slash)...]))
    }
}
