import Files
import TestSupport
import Zip

/// An archive in a file without a name, read as the product reads it.
enum Archive {
    static func file(_ bytes: [UInt8]) throws -> FileDescriptor {
        let file = try FileDescriptor.unnamed(inDirectory: "/tmp")
        try file.write(bytes, at: 0)
        return file
    }

    /// Opens, then proves every entry.
    static func read(
        _ bytes: [UInt8], limits: ZipLimits = ZipLimits()
    ) throws -> (directory: ZipDirectory, contents: [[UInt8]], pieces: [ZipPiece]) {
        let file = try file(bytes)
        let directory = try ZipDirectory(reading: file, limits: limits)
        var reader = try ZipEntryReader()
        var contents: [[UInt8]] = []
        var pieces: [ZipPiece] = []
        for entry in directory.entries {
            var content: [UInt8] = []
            let verified = try reader.read(entry, from: file) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                // The pointer lives for this call.
                unsafe chunk.withUnsafeBufferPointer { unsafe content.append(contentsOf: $0) }
            }
            contents.append(content)
            pieces.append(ZipPiece(verified))
        }
        return (directory, contents, pieces)
    }

    /// The reason an archive is refused, or `nil` when it is accepted.
    static func refusal(_ bytes: [UInt8], limits: ZipLimits = ZipLimits()) throws -> ZipError? {
        do {
            _ = try read(bytes, limits: limits)
            return nil
        } catch let error as ZipError {
            return error
        }
    }

    /// The archive as we would serve it.
    static func rewritten(_ bytes: [UInt8], limits: ZipLimits = ZipLimits()) throws -> (
        bytes: [UInt8], written: ZipWritten
    ) {
        let pieces = try read(bytes, limits: limits).pieces
        let target = try file([])
        let written = try ZipWriter.write(pieces, from: try file(bytes), to: target, limits: limits)
        return (try target.read(at: 0, count: written.byteCount), written)
    }
}
