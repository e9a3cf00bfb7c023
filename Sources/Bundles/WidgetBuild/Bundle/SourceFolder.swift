internal import WidgetBytes
package import WidgetFiles

/// Reads and writes folders of sources.
package enum SourceFolder {
    package static let fileCount = 2_000
    package static let byteCount = 128 << 20
    package static let depth = 16
    /// Files and folders that cannot be read, of which further ones end the reading.
    package static let faultCount = 200

    private static let leftBehind: Set<String> = [".DS_Store", "Thumbs.db", "desktop.ini", ".git"]

    private static let project = "project.pbxproj"

    /// Returns the files by their paths in the folder. The first fault is thrown.
    package static func read(_ folder: borrowing Directory) throws(BuildError) -> [String: [UInt8]] {
        var faults: [BuildError] = []
        let files = try read(folder, recording: &faults)
        if let first = faults.first { throw first }
        return files
    }

    /// Returns the files by their paths in the folder; files that desktops add are skipped. Folders of projects and
    /// their tools, such as `Pods`, are not read, except for project files: such a folder is a path that ends in a
    /// slash, without bytes.
    ///
    /// An error is thrown if the folder cannot be listed or is too large.
    ///
    /// - Parameter faults: receives links and devices, files that cannot be read, and folders that lie too deep, which
    ///   are not read.
    package static func read(
        _ folder: borrowing Directory, recording faults: inout [BuildError]
    ) throws(BuildError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var total = 0
        var pending: [[String]] = [[]]
        while let components = pending.popLast() {
            for item in try items(of: components, in: folder) where !leftBehind.contains(item.name) {
                let path = (components + [item.name]).joined(separator: "/")
                switch item.status.kind {
                case .directory where SourceKind.isToolFolder(item.name):
                    files["\(path)/"] = []
                    if SourceKind.ending(item.name) == "xcodeproj" {
                        let inside = try items(of: components + [item.name], in: folder)
                        guard let file = inside.first(where: { $0.name == project && $0.status.kind == .file })
                        else { continue }
                        try count(file, path, files.count, &total)
                        files["\(path)/\(project)"] = try read(file, components + [item.name], in: folder)
                    }
                case .directory where components.count >= depth:
                    faults.append(
                        BuildError(
                            "folders lie deeper than \(depth) in each other", path: path,
                            hints: ["move what is in it up, or keep it outside the source"]))
                case .directory: pending.append(components + [item.name])
                case .file:
                    try count(item, path, files.count, &total)
                    do throws(BuildError) {
                        files[path] = try read(item, components, in: folder)
                    } catch { faults.append(error) }
                case .link, .other:
                    faults.append(
                        BuildError(
                            "this is neither a file nor a folder", path: path,
                            hints: ["links are not followed; put the file itself there"]))
                }
                guard faults.count <= faultCount else {
                    throw BuildError("the source has more than \(faultCount) files that cannot be read", path: path)
                }
            }
        }
        return files
    }

    private static func count(
        _ item: Directory.Item, _ path: String, _ known: Int, _ total: inout Int
    ) throws(BuildError) {
        total += item.status.byteCount
        guard known < fileCount, total <= byteCount else {
            throw BuildError("the source has more than \(fileCount) files or \(byteCount >> 20) MiB", path: path)
        }
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
