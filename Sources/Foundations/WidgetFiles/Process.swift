internal import CWidgetLinux
internal import Glibc

/// The process's number, so that a lock can name its holder.
package enum ProcessNumber {
    package static var current: Int { Int(getpid()) }

    /// True if a process has the number, and is another one than this.
    package static func isOther(_ number: Int) -> Bool {
        guard let number = pid_t(exactly: number), number > 0, number != getpid() else { return false }
        return kill(number, 0) == 0 || errno == EPERM
    }
}

/// The user as whom this process makes files.
package enum ProcessOwner {
    /// True if the process may make files for other users.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Until ``restore()``, files are made and opened as that user's, by every thread, without root's rights.
    package static func act(asUser user: UInt32, group: UInt32) throws(FileError) {
        guard setgroups(0, nil) == 0, setegid(gid_t(group)) == 0, seteuid(uid_t(user)) == 0 else {
            let error = FileError.last(.actAs, "user \(user)")
            restore()
            throw error
        }
    }

    /// Returns to the user that started the process; does nothing if it has not acted as another.
    package static func restore() {
        guard geteuid() != getuid() else { return }
        _ = seteuid(getuid())
        _ = setegid(getgid())
    }
}

/// This process's use of time, memory and descriptors, as the system counts it.
package struct ProcessFigures: Sendable {
    package let cpuNanoseconds: Int
    package let residentBytes: Int
    package let openDescriptors: Int

    package static func now() -> ProcessFigures {
        ProcessFigures(
            cpuNanoseconds: Int(linux_cpu_nanoseconds()), residentBytes: Int(linux_resident_bytes()),
            openDescriptors: Int(linux_open_descriptors()))
    }
}

/// The processors of the machine that are in use.
package enum Processors {
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// The number of descriptors that this process may open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, and returns the new limit.
    package static func raise() -> Int {
        var allowed: UInt64 = 0
        guard unsafe linux_raise_descriptor_limit(&allowed) == 0 else { return 1_024 }
        return Int(min(allowed, 1 << 20))
    }
}

/// Unpredictable bytes from the kernel.
package enum RandomBytes {
    /// Returns `count` bytes; an error names `subject` as their purpose.
    package static func make(_ count: Int, for subject: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let number = try number(for: subject)
            for shift in stride(from: UInt64(0), to: 64, by: 8) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return bytes
    }

    /// A number that other processes cannot guess, for temporary names.
    static func number(for subject: String) throws(FileError) -> UInt64 {
        var value: UInt64 = 0
        _ = try retrying(.findRandomness, subject) {
            unsafe withUnsafeMutableBytes(of: &value) { unsafe linux_random($0.baseAddress, $0.count) }
        }
        return value
    }

    /// A number for callers that cannot fail: without the kernel's, the standard library's generator gives it.
    package static func word() -> UInt64 {
        var word: UInt64 = 0
        // Eight bytes are written; so few are never delivered in part.
        if unsafe linux_random(&word, 8) == 8 { return word }
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
