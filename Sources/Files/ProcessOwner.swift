internal import Glibc

/// As whom this process makes files.
package enum ProcessOwner {
    /// Whether it may make them as somebody else's.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Until ``actAsOneself()``, files are made and opened as that user's, by every thread, without root's rights.
    package static func act(asUser user: UInt32, group: UInt32) throws(FileError) {
        guard setgroups(0, nil) == 0, setegid(gid_t(group)) == 0, seteuid(uid_t(user)) == 0 else {
            let error = FileError.last(.actAs, "user \(user)")
            actAsOneself()
            throw error
        }
    }

    /// Whom the process was started as; does nothing if it has not acted as another.
    package static func actAsOneself() {
        guard geteuid() != getuid() else { return }
        _ = seteuid(getuid())
        _ = setegid(getgid())
    }
}
