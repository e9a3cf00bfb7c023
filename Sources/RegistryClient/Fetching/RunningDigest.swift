internal import Bytes
internal import Files

/// The digest of a file that is still being written from its start.
final class RunningDigest: Sendable {
    private let sha = BesideSHA256()

    func update(_ bytes: [UInt8]) { sha.update(bytes) }

    /// Starts anew with what a file begins with.
    func restart(with file: borrowing FileDescriptor, byteCount: Int) throws(FileError) {
        var beginning = SHA256()
        var window = [UInt8](repeating: 0, count: min(byteCount, 64 << 10))
        var offset = 0
        while offset < byteCount {
            let count = try file.read(at: offset, into: &window, count: min(window.count, byteCount - offset))
            guard count > 0 else { break }
            beginning.update(window.span.extracting(0..<count))
            offset += count
        }
        sha.restart(with: beginning)
    }

    /// The digest of everything so far.
    var value: Digest? { sha.value }
}
