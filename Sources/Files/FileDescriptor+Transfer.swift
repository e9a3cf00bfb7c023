internal import CLinux
internal import Glibc

extension FileDescriptor {
    /// Reads from `offset` into the array, from `index` on, until `count` bytes are there or the file ends.
    ///
    /// - Returns: the number of bytes read; fewer than asked for only at the end of the file.
    package borrowing func read(
        at offset: Int, into bytes: inout [UInt8], from index: Int = 0, count: Int
    ) throws(FileError) -> Int {
        precondition(index >= 0 && count <= bytes.count - index, "the caller asks for no more than it made room for")
        var filled = 0
        while filled < count {
            let position = filled
            let step = try retrying(.read, subject) {
                // The pointer lives for this call, inside the array.
                unsafe bytes.withUnsafeMutableBytes { room in
                    unsafe pread(
                        number, room.baseAddress.map { unsafe $0 + index + position }, count - position,
                        off_t(offset + position))
                }
            }
            if step == 0 { break }
            filled += step
        }
        return filled
    }

    /// Reads up to `count` bytes from `offset` into an array.
    package borrowing func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try read(at: offset, into: &bytes, count: count)
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
