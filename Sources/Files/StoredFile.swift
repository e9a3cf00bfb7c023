/// A file open for reading that several owners share; the last of them closes it.
package final class StoredFile: Sendable {
    package let descriptor: FileDescriptor
    /// The system's account of the file when it was opened; while that stays, so do the bytes.
    package let status: FileStatus

    package init(_ descriptor: consuming FileDescriptor) throws(FileError) {
        status = try descriptor.status()
        self.descriptor = descriptor
    }

    package var byteCount: Int { status.byteCount }

    /// At most `count` bytes from a place on; fewer at the end.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try descriptor.read(at: offset, count: count)
    }
}
