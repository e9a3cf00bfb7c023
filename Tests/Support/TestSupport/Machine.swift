internal import Glibc
internal import Testing

/// The processor time of the calling thread, independent of the machine's other work.
package enum ProcessorTime {
    package static func spent(_ body: () throws -> Void) rethrows -> Duration {
        let before = now()
        try body()
        return now() - before
    }

    private static func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The folder for what tests write: `TMPDIR`, or else memory, where there is room for programs too, or the machine's own.
///
/// Hundreds of data directories with 256 folders each, which come and go, make a disk's file system look for free inodes: that
/// took more than half of the time of some tests. What a disk keeps is asked by tests that say so.
package enum TemporaryPlace {
    package static let path: String = {
        // The environment is not changed while tests run, and the text is copied at once.
        if let chosen = unsafe getenv("TMPDIR") { return unsafe String(cString: chosen) }
        var memory = statvfs()
        // ST_NOEXEC, an enumeration that Swift does not import.
        let noExecution: UInt = 8
        let isRoomy =
            unsafe statvfs("/dev/shm", &memory) == 0 && memory.f_bavail * memory.f_frsize >= 4 << 30
            && memory.f_flag & noExecution == 0 && access("/dev/shm", W_OK) == 0
        return isRoomy ? "/dev/shm" : "/tmp"
    }()
}

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

/// Random numbers that come again: a failing test prints its seed, and the seed pasted back shows the failure.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
