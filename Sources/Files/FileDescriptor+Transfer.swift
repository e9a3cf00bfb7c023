internal import CLinux
internal import Glibc

extension FileDescriptor {
    /// Reads from `offset` until the room is full or the file ends.
    ///
    /// - Returns: the number of bytes read; fewer than the room only at the end of the file.
    package borrowing func read(at offset: Int, into room: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        var filled = 0
        while filled < room.count {
            let wanted = room.count - filled
            let count = try retrying(.read, subject) {
                // The pointer lives for this call, inside the room.
                unsafe room.withUnsafeMutableBytes { bytes in
                    unsafe pread(number, bytes.baseAddress.map { unsafe $0 + filled }, wanted, off_t(offset + filled))
                }
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads up to `count` bytes from `offset` into an array.
    package borrowing func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var room = bytes.mutableSpan
        let filled = try read(at: offset, into: &room)
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes all the bytes at `offset`.
    package borrowing func write(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let left = bytes.count - written
            written += try retrying(.write, subject) {
                // The pointer lives for this call, inside the bytes.
                unsafe bytes.withUnsafeBytes { source in
                    unsafe pwrite(number, source.baseAddress.map { unsafe $0 + written }, left, off_t(offset + written))
                }
            }
        }
    }

    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try write(bytes.span, at: offset)
    }
}
