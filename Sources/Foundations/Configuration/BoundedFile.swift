import FoundationEssentials
import Glibc

/// Reads small files whole, and never more than it was allowed.
package enum BoundedFile {
    package static func read(_ path: String, byteLimit: Int) throws(FileFailure) -> [UInt8] {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { throw .notFound }
        guard !isDirectory else { throw .isDirectory }
        // Safe: the stream is checked, closed once on every way out, and does not leave this function.
        guard let stream = unsafe fopen(path, "re") else {
            throw FileManager.default.isReadableFile(atPath: path) ? .unreadable : .notPermitted
        }
        defer { unsafe _ = fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while bytes.count <= byteLimit {
            // Safe: at most as many bytes are written as the chunk holds.
            let count = unsafe fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard unsafe ferror(stream) == 0 else { throw .unreadable }
        guard bytes.count <= byteLimit else { throw .tooLarge(byteLimit: byteLimit) }
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

    var sentence: String {
        switch self {
        case .notFound: "there is no such file"
        case .notPermitted: "reading the file is not permitted"
        case .isDirectory: "this is a directory, not a file"
        case .tooLarge: "the file is too large"
        case .unreadable: "the file cannot be read"
        }
    }
}
