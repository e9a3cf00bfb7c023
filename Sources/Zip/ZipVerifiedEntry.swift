internal import Bytes
internal import Deflate
internal import Files

/// An entry whose data was read once and found to be what its headers say.
package struct ZipVerifiedEntry: Equatable, Sendable {
    package let entry: ZipEntry
    /// CRC-32 of the data as it stands in the archive, to recognise a faithful copy.
    package let rawChecksum: UInt32
}

extension ZipEntryReader {
    /// One passage over an entry's data: how far it is, and what it has to come to.
    struct Pass {
        let entry: ZipEntry
        /// Data that stands in no archive yet has no checksum to be compared with.
        let knowsChecksum: Bool
        var consumed = 0
        var produced = 0
        /// Of the expanded data.
        var checksum = Checksum()
        /// Of the data as it stands in the archive.
        var rawChecksum = Checksum()

        init(_ entry: ZipEntry, knowsChecksum: Bool) {
            self.entry = entry
            self.knowsChecksum = knowsChecksum
        }

        var inputOffset: Int { entry.dataOffset + consumed }

        func error(_ error: DeflateError) -> ZipError {
            switch error.reason {
            case .corrupt: ZipError(.corruptStream, entry: entry.name.text, at: inputOffset + (error.offset ?? 0))
            case .outOfMemory: ZipError(.deflate(error), entry: entry.name.text)
            }
        }

        func offer(
            _ chunk: borrowing Span<UInt8>, to sink: (borrowing Span<UInt8>) throws(FileError) -> Void
        ) throws(ZipError) {
            guard chunk.count > 0 else { return }
            try rethrowing(try sink(chunk), as: { ZipError(.file($0), entry: entry.name.text) })
        }

        func requireWithinSize() throws(ZipError) {
            guard produced <= entry.byteCount else {
                throw ZipError(.producesTooMuch(expected: entry.byteCount), entry: entry.name.text, at: inputOffset)
            }
        }

        /// The stream must end with its last byte (RFC 1951 3.2.3), and that byte must be the entry's last.
        func requireEnd(_ progress: StreamProgress) throws(ZipError) {
            guard progress.isFinished else {
                throw ZipError(.streamTruncated, entry: entry.name.text, at: inputOffset)
            }
            guard consumed == entry.compressedByteCount else {
                throw ZipError(
                    .dataAfterStream(byteCount: entry.compressedByteCount - consumed), entry: entry.name.text,
                    at: inputOffset)
            }
        }

        func requireProof() throws(ZipError) {
            guard produced == entry.byteCount else {
                throw ZipError(
                    .producesTooLittle(expected: entry.byteCount, actual: produced), entry: entry.name.text,
                    at: entry.dataOffset)
            }
            guard !knowsChecksum || checksum.value == entry.checksum else {
                throw ZipError(
                    .checksumMismatch(expected: entry.checksum, actual: checksum.value), entry: entry.name.text,
                    at: entry.dataOffset)
            }
        }
    }
}
