internal import WidgetBytes
package import WidgetFiles
internal import WidgetZip

/// The files under a folder, found one level at a time.
package enum FolderListing {
    /// Returns the files' paths; refuses links and devices anywhere.
    ///
    /// The search is iterative, so the folder's depth affects only the length of a list, and it is bounded besides.
    package static func files(in folder: borrowing Directory, limits: BundleLimits) throws(BundleError) -> [[String]] {
        var files: [[String]] = []
        var pending: [[String]] = [[]]
        var count = 0
        while let components = pending.popLast() {
            guard components.count < limits.pathDepth else {
                throw BundleError(.unsafePath(.tooDeep(limits.pathDepth)), path: components.joined(separator: "/"))
            }
            for item in try items(of: components, in: folder, limit: limits.entryCount - count) {
                count += 1
                let path = components + [item.name]
                switch item.status.kind {
                case .file: files.append(path)
                case .directory: pending.append(path)
                case .link, .other: throw BundleError(.notAFile, path: path.joined(separator: "/"))
                }
            }
        }
        return files
    }

    private static func items(
        of components: [String], in folder: borrowing Directory, limit: Int
    ) throws(BundleError) -> [Directory.Item] {
        let items: [Directory.Item]?
        do throws(FileError) {
            items = try descend(components, in: folder) { (directory) throws(FileError) in
                try directory.items(limit: limit)
            }
        } catch {
            throw BundleError(.file(error))
        }
        guard let items else { throw BundleError(.tooManyFiles(limit: limit)) }
        return items
    }

    package static func open(
        _ components: [String], in folder: borrowing Directory
    ) throws(FileError) -> FileDescriptor {
        guard let first = components.first, let last = components.last else { return try folder.openFile("") }
        if components.count == 1 { return try folder.openFile(last) }
        var directory = try folder.openDirectory(first)
        for component in components.dropFirst().dropLast() { directory = try directory.openDirectory(component) }
        return try directory.openFile(last)
    }

    private static func descend(
        _ components: [String], in folder: borrowing Directory,
        _ body: (borrowing Directory) throws(FileError) -> [Directory.Item]?
    ) throws(FileError) -> [Directory.Item]? {
        guard let first = components.first else { return try body(folder) }
        var directory = try folder.openDirectory(first)
        for component in components.dropFirst() { directory = try directory.openDirectory(component) }
        return try body(directory)
    }
}

/// Writes files into a folder while they are read: only files and folders, accessible to their owner alone.
///
/// Paths come from judged names. The folder's owner discards it when anything about the bundle is refused.
final class FolderWriter: UnpackingTarget {
    private static let fileMode: UInt32 = 0o600
    private static let folderMode: UInt32 = 0o700

    private let root: Directory
    /// The folder of the last file, which is mostly the next file's, too.
    private var folder: Directory?
    private var folderPath: [String] = []
    private var file: FileDescriptor?
    private var offset = 0

    init(_ root: consuming Directory) {
        self.root = root
    }

    /// Creates the next file, which must not exist yet.
    func begin(_ components: [String]) throws(ZipError) {
        try rethrowing(as: { ZipError(.file($0), entry: components.joined(separator: "/")) }) { () throws(FileError) in
            file = try create(components)
            offset = 0
        }
    }

    /// Appends to the file that was begun last.
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
