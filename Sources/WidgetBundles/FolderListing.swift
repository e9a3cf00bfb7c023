package import Files
internal import Zip

/// The files under a folder, found one level at a time.
package enum FolderListing {
    /// The files' paths; links and devices are refused wherever they are.
    ///
    /// The depth of the folder decides nothing but the length of a list, and is bounded besides.
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
