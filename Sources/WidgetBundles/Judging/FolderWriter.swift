internal import Bytes
internal import Files
internal import Zip

/// Writes files into a folder while they are read: nothing but files and folders, for nobody but their owner.
///
/// Paths come from judged names. Whoever owns the folder drops it when anything about the bundle is refused.
final class FolderWriter {
    private static let fileMode: UInt32 = 0o600
    private static let folderMode: UInt32 = 0o700

    private let root: Directory
    /// The folder that the last file went to: the next one mostly goes there too.
    private var folder: Directory?
    private var folderPath: [String] = []
    private var file: FileDescriptor?
    private var offset = 0

    init(_ root: consuming Directory) {
        self.root = root
    }

    /// Makes the next file, which must not be there yet.
    func begin(_ components: [String]) throws(ZipError) {
        try rethrowing(as: { ZipError(.file($0), entry: components.joined(separator: "/")) }) { () throws(FileError) in
            file = try create(components)
            offset = 0
        }
    }

    /// Adds to the file that was begun last.
    func append(_ chunk: borrowing Span<UInt8>) throws(FileError) {
        try file?.write(chunk, at: offset)
        offset += chunk.count
    }

    private func create(_ components: [String]) throws(FileError) -> FileDescriptor {
        let name = components.last ?? ""
        let path = Array(components.dropLast())
        if path.isEmpty { return try root.createFile(name, mode: FolderWriter.fileMode) }
        if folderPath != path {
            folder = try make(path)
            folderPath = path
        }
        guard let file = try folder?.createFile(name, mode: FolderWriter.fileMode) else {
            return try root.createFile(name, mode: FolderWriter.fileMode)
        }
        return file
    }

    private func make(_ path: [String]) throws(FileError) -> Directory {
        var directory = try root.createDirectory(path[0], mode: FolderWriter.folderMode)
        for component in path.dropFirst() {
            directory = try directory.createDirectory(component, mode: FolderWriter.folderMode)
        }
        return directory
    }
}
