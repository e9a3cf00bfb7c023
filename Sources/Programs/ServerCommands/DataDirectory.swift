import FoundationEssentials
import LocalStore
import WidgetBytes
import WidgetFiles

/// The one directory that holds everything the server keeps.
enum DataDirectory {
    /// Makes the directory if need be, and tries whether it can be written to.
    ///
    /// - Returns: the error of a full disk, with which the server can start: reads still work.
    static func prepare(_ path: String) throws(StartFailure) -> FileError? {
        let files = FileManager.default
        var isDirectory = false
        if files.fileExists(atPath: path, isDirectory: &isDirectory) {
            guard isDirectory else {
                throw StartFailure(
                    "the data directory \(path) is a file", hints: ["choose a directory with --data DIR"])
            }
        } else {
            do throws(FileError) {
                _ = try Directory(creating: path, mode: 0o700, isDurable: true)
            } catch {
                throw StartFailure(
                    "the data directory \(path) cannot be created: \(error.reason)",
                    hints: [
                        error.isOutOfSpace || error.isReadOnly
                            ? hint(error)
                            : "create it for the user the server runs as, or choose another with --data DIR"
                    ])
            }
        }
        do throws(FileError) {
            // If the process ends here, the next start removes the file.
            let probe = try StagedFile(in: Directory(opening: path))
            try probe.file.write([0], at: 0)
        } catch {
            if error.isOutOfSpace, StoreDirectory.exists(at: path) { return error }
            throw StartFailure(
                "the data directory \(path) cannot be written to: \(error.reason)", hints: [hint(error)])
        }
        return nil
    }

    /// Advice on a place that cannot be written to.
    private static func hint(_ error: FileError) -> String {
        if error.isOutOfSpace { return "make room on its disk, or choose another directory with --data DIR" }
        if error.isReadOnly {
            return "mount its file system for writing; one that went read-only by itself may be on a failing disk, "
                + "of which the kernel's log tells (dmesg)"
        }
        if error.isPermissionDenied {
            return "give the user the server runs as the right to write there, or choose another with --data DIR"
        }
        return "see to the disk, or choose another directory with --data DIR"
    }

    /// The user and the group that the directory belongs to; links on the way are followed where that is allowed.
    static func owner(_ path: String) -> (user: UInt32, group: UInt32)? {
        for path in ["\(path)/.", path] {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
            guard let user = attributes[.ownerAccountID] as? UInt, let group = attributes[.groupOwnerAccountID] as? UInt
            else { return nil }
            return (UInt32(clamping: user), UInt32(clamping: group))
        }
        return nil
    }

    /// The user that the server runs as, when that is another than root and we are root: what is made in root's name,
    /// that server cannot use.
    static func foreignOwner(_ path: String) -> (user: UInt32, group: UInt32)? {
        guard ProcessOwner.isRoot, let owner = owner(path), owner.user != 0 else { return nil }
        return owner
    }

    /// Continues as the owner of the directory when run by root; refuses when that is not possible.
    static func actAsOwner(_ path: String) throws(StartFailure) {
        guard let owner = foreignOwner(path) else { return }
        do throws(FileError) {
            try ProcessOwner.act(asUser: owner.user, group: owner.group)
            _ = try Directory(opening: path)
        } catch {
            ProcessOwner.restore()
            throw StartFailure(
                "the data directory \(path) belongs to user \(owner.user), in whose name root cannot work here: "
                    + error.description,
                hints: [
                    "run the command as the server is run, as that user: with systemd-run, or docker compose run;"
                        + " docs/operating.md has the lines"
                ])
        }
    }

    /// The reason why the directory cannot be written to; `nil` when it can.
    static func failure(_ path: String) -> String? {
        FileManager.default.isWritableFile(atPath: path) ? nil : "the data directory cannot be written to"
    }

    /// The reason why its disk has too little room; `nil` when it has enough.
    static func shortage(_ path: String, reserve: Int) -> String? {
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = number(attributes[.systemFreeSize])
        else { return "the free space of the disk is unknown" }
        if free == 0 { return "the disk is full: 0 bytes are free, and nothing can be written" }
        if let nodes = number(attributes[.systemNodes]), nodes > 0, number(attributes[.systemFreeNodes]) == 0 {
            return "the disk has no inode left of \(nodes), and no file can be made"
        }
        return free >= UInt64(reserve)
            ? nil
            : "\(ByteCountText.of(Int(clamping: free))) are free, less than the reserve of \(ByteCountText.of(reserve))"
    }

    /// The same of a directory that may not be there yet: of the nearest that is.
    static func shortage(nearest path: String, reserve: Int) -> String? {
        var path = path
        while !FileManager.default.fileExists(atPath: path), let end = path.lastIndex(of: "/") {
            path = end == path.startIndex ? "/" : String(path[..<end])
        }
        return shortage(path.contains("/") ? path : ".", reserve: reserve)
    }

    private static func number(_ value: Any?) -> UInt64? {
        (value as? UInt64) ?? (value as? Int).map(UInt64.init)
    }
}
