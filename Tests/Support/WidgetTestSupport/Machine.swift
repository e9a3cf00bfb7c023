internal import Foundation
internal import Glibc

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

/// File systems in memory, which only root mounts.
package enum MemoryMount {
    /// True if this process may mount.
    package static let isPossible: Bool = {
        guard let disk = try? SmallDisk(kilobytes: 64) else { return false }
        return withExtendedLifetime(disk) { true }
    }()

    /// - Parameter options: as `mount -o` has them, such as `size=64k`.
    package static func mount(at path: String, options: String, isReadOnly: Bool = false) -> Bool {
        change(path, options, isReadOnly ? MemoryMount.readOnly : 0)
    }

    /// Gives a mounted one other options.
    package static func change(at path: String, options: String) -> Bool { change(path, options, MemoryMount.again) }

    /// Takes it off, also while files of it are open.
    package static func remove(at path: String) { unsafe umount2(path, MemoryMount.lazily) }

    /// MS_RDONLY, MS_REMOUNT and MNT_DETACH, which are enumerations that Swift imports in another way.
    private static let (readOnly, again, lazily): (UInt, UInt, Int32) = (1, 32, 2)

    private static func change(_ path: String, _ options: String, _ flags: UInt) -> Bool {
        // The options are copied for the call.
        unsafe options.withCString { unsafe Glibc.mount("none", path, "tmpfs", flags, UnsafeRawPointer($0)) } == 0
    }
}

/// A file system in memory, gone with its owner.
package final class SmallDisk {
    package let path: String

    package static var isPossible: Bool { MemoryMount.isPossible }

    package init(kilobytes: Int) throws {
        path = "\(TemporaryPlace.path)/disk-\(UUID().uuidString)"
        try FileWork.makeFolder(path)
        guard MemoryMount.mount(at: path, options: "size=\(kilobytes)k") else {
            try? FileWork.remove(path)
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    package func grow(megabytes: Int) -> Bool { MemoryMount.change(at: path, options: "size=\(megabytes)m") }

    deinit {
        MemoryMount.remove(at: path)
        try? FileWork.remove(path)
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
