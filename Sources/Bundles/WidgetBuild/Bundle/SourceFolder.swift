internal import Bytes
package import Files

/// Reads and writes folders of sources.
package enum SourceFolder {
    package static let fileCount = 2_000
    package static let byteCount = 128 << 20
    package static let depth = 16

    private static let leftBehind: Set<String> = [".DS_Store", "Thumbs.db", "desktop.ini", ".git"]

    /// Returns the files by their paths in the folder. Links and devices are errors; files that desktops add are
    /// skipped.
    package static func read(_ folder: borrowing Directory) throws(BuildError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var total = 0
        var pending: [[String]] = [[]]
        while let components = pending.popLast() {
            let path = components.joined(separator: "/")
            guard components.count <= depth else {
                throw BuildError("folders lie deeper than \(depth) in each other", path: path)
            }
            for item in try items(of: components, in: folder) where !leftBehind.contains(item.name) {
                let path = (components + [item.name]).joined(separator: "/")
                switch item.status.kind {
                case .directory: pending.append(components + [item.name])
                case .file:
                    total += item.status.byteCount
                    guard files.count < fileCount, total <= byteCount else {
                        throw BuildError(
                            "the source has more than \(fileCount) files or \(byteCount >> 20) MiB", path: path)
                    }
                    files[path] = try read(item, components, in: folder)
                case .link, .other: throw BuildError("this is neither a file nor a folder", path: path)
                }
            }
        }
        return files
    }

    private static func items(
        of components: [String], in folder: borrowing Directory
    ) throws(BuildError) -> [Directory.Item] {
        let items: [Directory.Item]?
        do throws(FileError) {
            if let first = components.first {
                var directory = try folder.openDirectory(first)
                for component in components.dropFirst() { directory = try directory.openDirectory(component) }
                items = try directory.items(limit: fileCount)
            } else {
                items = try folder.items(limit: fileCount)
            }
        } catch {
            throw BuildError("\(error)", path: components.joined(separator: "/"))
        }
        guard let items else {
            throw BuildError("the folder has more than \(fileCount) files", path: components.joined(separator: "/"))
        }
        return items
    }

    private static func read(
        _ item: Directory.Item, _ components: [String], in folder: borrowing Directory
    ) throws(BuildError) -> [UInt8] {
        return try rethrowing(as: { BuildError("\($0)", path: (components + [item.name]).joined(separator: "/")) }) {
            () throws(FileError) in
            guard let first = components.first else {
                return try folder.openFile(item.name).read(at: 0, count: item.status.byteCount)
            }
            var directory = try folder.openDirectory(first)
            for component in components.dropFirst() { directory = try directory.openDirectory(component) }
            return try directory.openFile(item.name).read(at: 0, count: item.status.byteCount)
        }
    }

    /// Writes files into a new folder, with the subfolders they need.
    package static func write(_ files: [BundleCompiler.File], to path: String) throws(FileError) {
        _ = try Directory(creating: path)
        for file in files {
            let components = file.path.split(separator: "/")
            var folder = path
            for component in components.dropLast() {
                folder += "/\(component)"
                _ = try Directory(creating: folder)
            }
            guard let name = components.last else { continue }
            try Directory(opening: folder).replaceFile(String(name), with: file.bytes)
        }
    }
}
