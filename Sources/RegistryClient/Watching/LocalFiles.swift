internal import Files
internal import WidgetBundles

/// What a look at a folder or an archive shows: enough to tell whether it is still the same.
struct LocalFiles {
    struct Print: Equatable, Sendable {
        var inode: UInt64
        var byteCount: Int
        var modification: Duration

        init(_ status: FileStatus) {
            inode = status.inode
            byteCount = status.byteCount
            modification = status.modification
        }
    }

    /// By path inside the folder, or by name for an archive; `nil` when nothing is there.
    private(set) var prints: [String: Print]?
    /// Where changes show: the folder above, and all folders below.
    private(set) var folders: [String]

    private static let limits = BundleLimits()

    /// Looks one level at a time; what is too much or too deep for a bundle is not looked at.
    init(at path: String) throws(FetchError) {
        let (parent, name) = LocalFiles.split(path)
        folders = [parent]
        do throws(FileError) {
            let status = try Directory(opening: parent).status(of: name)
            // A link to a folder is as good as the folder, here where somebody has named it.
            let isFolder = status.kind == .directory || status.kind == .link && (try? Directory(opening: path)) != nil
            guard isFolder else {
                prints = [name: Print(status)]
                return
            }
        } catch {
            if error.isMissing { return }
            throw FetchError(error)
        }
        var found: [String: Print] = [:]
        var pending = [""]
        while let inside = pending.popLast(), folders.count <= LocalFiles.limits.entryCount {
            let place = inside.isEmpty ? path : "\(path)/\(inside)"
            let items: [Directory.Item]
            do throws(FileError) {
                items = try Directory(opening: place).items(limit: LocalFiles.limits.entryCount) ?? []
            } catch {
                // Gone since it was listed.
                if error.isMissing { continue }
                throw FetchError(error)
            }
            folders.append(place)
            for item in items {
                let path = inside.isEmpty ? item.name : "\(inside)/\(item.name)"
                if item.status.kind != .directory {
                    found[path] = Print(item.status)
                } else if path.utf8.count(where: { $0 == 0x2F }) < LocalFiles.limits.pathDepth {
                    pending.append(path)
                }
            }
        }
        prints = found
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        var trimmed = path[...]
        while trimmed.utf8.count > 1, trimmed.last == "/" { trimmed = trimmed.dropLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return (".", String(trimmed)) }
        let folder = trimmed[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(trimmed[trimmed.index(after: slash)...]))
    }
}
