internal import Bytes
internal import Files

/// The digest of a file that is still being written from its start.
final class RunningDigest: Sendable {
    private let sha = QueuedSHA256()

    func update(_ bytes: [UInt8]) { sha.update(bytes) }

    /// Starts anew with what a file begins with.
    func restart(with file: borrowing FileDescriptor, byteCount: Int) throws(FileError) {
        var beginning = SHA256()
        var window = [UInt8](repeating: 0, count: min(byteCount, 64 << 10))
        try file.forEachPiece(of: 0..<byteCount, through: &window) { beginning.update($0) }
        sha.restart(with: beginning)
    }

    /// The digest of everything so far.
    var value: Digest? { sha.value }
}
