internal import Files

/// One process at a time, and one widget in it, has a store: each counts the numbers of new records by itself, so two
/// would write over each other's.
///
/// The lock is on a file beside the store: SQLite's own locks on the store would be given up with any other descriptor
/// of it that is closed.
final class StoreLock: Sendable {
    private let lock: FileLock

    init(beside path: String) throws(WidgetError) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
        let name = "\(parts.last ?? "").lock"
        do throws(FileError) {
            let directory = try Directory(opening: folder.isEmpty ? "/" : folder)
            lock = try FileLock(of: directory.openOrCreateFile(name, mode: 0o600))
            try lock.file.truncate(to: 0)
            try lock.file.write(Array("process \(ProcessNumber.current)".utf8), at: 0)
        } catch {
            guard error.isLocked else { throw .file(error) }
            throw .storeInUse(path: path, holder: StoreLock.holder("\(path).lock"))
        }
    }

    /// The name that the holder of the lock wrote into it.
    private static func holder(_ path: String) -> String {
        guard let file = try? FileDescriptor.reading(path), let text = try? file.read(at: 0, count: 100) else {
            return "another process"
        }
        return text.isEmpty ? "another process" : String(decoding: text, as: UTF8.self)
    }
}
