internal import WidgetBytes
internal import WidgetFiles

/// Reads small files whole, and never more than it was allowed.
package enum BoundedFile {
    private static let pieceByteCount = 64 << 10

    package static func read(_ path: String, byteLimit: Int) throws(FileFailure) -> [UInt8] {
        let bytes = try rethrowing(try upTo(byteLimit, of: path), as: FileFailure.init)
        guard let bytes else { throw .isDirectory }
        guard bytes.count <= byteLimit else { throw .tooLarge(byteLimit: byteLimit) }
        return bytes
    }

    /// Reads until the end, or until there is more than is allowed.
    ///
    /// - Returns: `nil` for a directory.
    private static func upTo(_ byteLimit: Int, of path: String) throws(FileError) -> [UInt8]? {
        let file = try FileDescriptor.readingStream(path)
        if try file.status().kind == .directory { return nil }
        var bytes: [UInt8] = []
        while bytes.count <= byteLimit {
            let piece = try file.readNext(count: pieceByteCount)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}

/// Why a file could not be read.
package enum FileFailure: Error, Equatable, Sendable {
    case notFound
    case notPermitted
    case isDirectory
    case tooLarge(byteLimit: Int)
    case unreadable

    init(_ error: FileError) {
        self =
            if error.isMissing || error.isNotADirectory {
                .notFound
            } else {
                error.isPermissionDenied ? .notPermitted : .unreadable
            }
    }

    /// In words, about the file.
    package var sentence: String {
        switch self {
        case .notFound: "there is no such file"
        case .notPermitted: "reading the file is not permitted"
        case .isDirectory: "this is a directory, not a file"
        case .tooLarge: "the file is too large"
        case .unreadable: "the file cannot be read"
        }
    }
}
