internal import Glibc

/// What the system says of a file, as far as we ask.
package struct FileStatus: Equatable, Sendable {
    package enum Kind: Equatable, Sendable { case file, directory, link, other }

    package var kind: Kind
    package var byteCount: Int
    package var inode: UInt64
    /// The file system; numbers of inodes say nothing across two of them.
    package var device: UInt64
    package var modification: Duration
    /// When contents, names or mode changed last; nobody can set it back.
    package var change: Duration
    /// The permission bits.
    package var mode: UInt32

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int(status.st_size)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        modification = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        change = .seconds(status.st_ctim.tv_sec) + .nanoseconds(status.st_ctim.tv_nsec)
        mode = UInt32(status.st_mode & 0o7777)
    }

    /// Whether both are about one file, whatever its name.
    package func isSameFile(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }
}
