package import Files

/// What is sent with a request. It can be sent again from its start.
package enum RequestBody: Sendable {
    case bytes([UInt8])
    case file(FileRegion)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let region): region.byteCount
        }
    }
}

/// Part of an open file, which stays open for as long as somebody refers to it.
package struct FileRegion: Sendable {
    package let file: SharedFile
    package let offset: Int
    package let byteCount: Int

    /// - Precondition: none; a region that the file does not have is met as the end of the file, and refused then.
    package init(_ file: SharedFile, offset: Int = 0, byteCount: Int) {
        self.file = file
        self.offset = max(0, offset)
        self.byteCount = max(0, byteCount)
    }
}

/// An open file with more than one owner.
package final class SharedFile: Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
