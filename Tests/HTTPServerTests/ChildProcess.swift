import CLinux
import Glibc
import Testing

/// What tests need that run in a process of their own.
func residentBytes() -> Int { Int(linux_resident_bytes()) }

func openDescriptors() -> Int { Int(linux_open_descriptors()) }

/// Says why on standard error, which the child shares with its parent.
func exitWithFailure(_ reason: String = "") -> Never {
    let bytes = Array(reason.utf8)
    _ = unsafe write(2, bytes, bytes.count)
    exit(1)
}

/// Repeats what a child process said about its failure.
func reportComplaints(of child: ExitTest.Result?) {
    guard let child, child.exitStatus != .exitCode(0) else { return }
    Issue.record("\(String(decoding: child.standardErrorContent.suffix(2_000), as: UTF8.self))")
}
