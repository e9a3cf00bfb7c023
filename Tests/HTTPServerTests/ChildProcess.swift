import CLinux
import Glibc

/// What tests need that run in a process of their own.
func residentBytes() -> Int { Int(linux_resident_bytes()) }

func openDescriptors() -> Int { Int(linux_open_descriptors()) }

/// Says why on standard error, which the child shares with its parent.
func exitWithFailure(_ reason: String = "") -> Never {
    let bytes = Array(reason.utf8)
    _ = unsafe write(2, bytes, bytes.count)
    exit(1)
}
