internal import Testing

/// A file system in memory, gone with its owner.
package final class SmallDisk {
    package let path: String

    package static let isPossible: Bool = {
        let line = "d=$(mktemp -d) && mount -t tmpfs -o size=64k none $d 2>&1 && umount $d && rmdir $d"
        return Shell.run(line).status == 0
    }()

    package init(kilobytes: Int) throws {
        path = Shell.run("mktemp -d").output.filter { !$0.isNewline }
        try #require(Shell.run("mount -t tmpfs -o size=\(kilobytes)k none '\(path)'").status == 0)
    }

    deinit {
        _ = Shell.run("umount -l '\(path)'; rmdir '\(path)'")
    }
}
