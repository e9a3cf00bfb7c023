import Bytes
import Files
import FoundationEssentials

/// The one directory that holds everything the server keeps.
enum DataDirectory {
    /// Makes the directory if need be, and proves that it can be written to.
    static func prepare(_ path: String) throws(StartFailure) {
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
                    hints: ["create it for the user the server runs as, or choose another with --data DIR"])
            }
        }
        // Should this be as far as it gets, the next start sweeps the name away.
        let probe = "\(path)/\(StagedFile.prefix)\(UInt64.random(in: 0 ... .max))"
        guard files.createFile(atPath: probe, contents: Data([0])) else {
            throw StartFailure(
                "the data directory \(path) cannot be written to",
                hints: ["give the user the server runs as the right to write there, or choose another with --data DIR"])
        }
        try? files.removeItem(atPath: probe)
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

    /// Goes on as whoever the directory belongs to, if root has asked; refuses where that cannot be.
    static func actAsOwner(_ path: String) throws(StartFailure) {
        guard let owner = foreignOwner(path) else { return }
        do throws(FileError) {
            try ProcessOwner.act(asUser: owner.user, group: owner.group)
            _ = try Directory(opening: path)
        } catch {
            ProcessOwner.actAsOneself()
            throw StartFailure(
                "the data directory \(path) belongs to user \(owner.user), in whose name root cannot work here: "
                    + error.description,
                hints: [
                    "run the command as the server is run, as that user: with systemd-run, or docker compose run;"
                        + " docs/operating.md has the lines"
                ])
        }
    }

    /// What keeps the directory from being written to, if anything does.
    static func failure(_ path: String) -> String? {
        FileManager.default.isWritableFile(atPath: path) ? nil : "the data directory cannot be written to"
    }

    /// What is wrong with the room on its disk, if anything is.
    static func shortage(_ path: String, reserve: Int) -> String? {
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (attributes[.systemFreeSize] as? UInt64)
                ?? (attributes[.systemFreeSize] as? Int).map(UInt64.init)
        else { return "the free space of the disk is unknown" }
        return free >= UInt64(reserve)
            ? nil
            : "\(ByteCountText.of(Int(clamping: free))) are free, less than the reserve of \(ByteCountText.of(reserve))"
    }
}
