internal import CLinux
internal import Glibc

/// A number that no other process guesses, for temporary names.
func randomNumber(for subject: String) throws(FileError) -> UInt64 {
    var value: UInt64 = 0
    _ = try retrying(.findRandomness, subject) {
        unsafe withUnsafeMutableBytes(of: &value) { unsafe linux_random($0.baseAddress, $0.count) }
    }
    return value
}
