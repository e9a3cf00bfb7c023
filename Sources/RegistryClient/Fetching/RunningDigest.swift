internal import Bytes
internal import Files

/// The digest of a file that is still being written from its start.
final class RunningDigest {
    private var sha = SHA256()

    func update(_ bytes: [UInt8]) { sha.update(bytes) }

    func update(_ bytes: borrowing Span<UInt8>) { sha.update(bytes) }

    /// Starts anew with what a file begins with.
    func restart(with file: borrowing FileDescriptor, byteCount: Int) throws(FileError) {
        sha = SHA256()
        var window = [UInt8](repeating: 0, count: min(byteCount, 64 << 10))
        var offset = 0
        while offset < byteCount {
            let count = try file.read(at: offset, into: &window, count: min(window.count, byteCount - offset))
            guard count > 0 else { return }
            sha.update(window.span.extracting(0..<count))
            offset += count
        }
    }

    /// The digest of everything so far.
    var value: Digest? { sha.copy().finish() }
}
