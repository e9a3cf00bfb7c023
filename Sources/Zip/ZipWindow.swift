internal import Bytes
internal import Files

/// The part of an archive that is in memory: a fixed window moved over the file.
///
/// Every access names an absolute offset inside what ``require(_:count:ahead:from:)`` made present.
struct ZipWindow: ~Copyable {
    /// Room for the largest record we read whole: an end record with the longest comment the format allows.
    static let capacity = 66 << 10

    private var buffer = [UInt8](repeating: 0, count: ZipWindow.capacity)
    private var start = 0
    private var count = 0
    private let fileByteCount: Int

    init(fileByteCount: Int) {
        self.fileByteCount = fileByteCount
    }

    /// Makes `count` bytes at `offset` present, reading up to `ahead` bytes when it must read at all.
    mutating func require(
        _ offset: Int, count wanted: Int, ahead: Int, from file: borrowing FileDescriptor
    ) throws(ZipError) {
        precondition(wanted <= ZipWindow.capacity, "records are checked against their limits before they are read")
        guard offset >= 0, let end = offset.adding(wanted), end <= fileByteCount else {
            throw ZipError(.recordOutOfBounds, at: offset)
        }
        if offset >= start, end <= start + count { return }
        let length = min(max(wanted, ahead), ZipWindow.capacity, fileByteCount - offset)
        count = 0
        do throws(FileError) {
            count = try file.read(at: offset, into: &buffer, count: length)
        } catch {
            throw ZipError(.file(error), at: offset)
        }
        start = offset
        // The file's size was taken before; a shorter one is being changed by somebody else.
        guard count >= wanted else { throw ZipError(.changedWhileRead, at: offset) }
    }

    func uint8(_ offset: Int) -> UInt8 { buffer[offset - start] }

    func uint16(_ offset: Int) -> UInt16 {
        let index = offset - start
        return UInt16(buffer[index]) | UInt16(buffer[index + 1]) << 8
    }

    func uint32(_ offset: Int) -> UInt32 {
        UInt32(uint16(offset)) | UInt32(uint16(offset + 2)) << 16
    }

    func uint64(_ offset: Int) -> UInt64 {
        UInt64(uint32(offset)) | UInt64(uint32(offset + 4)) << 32
    }

    func bytes(_ offset: Int, count: Int) -> [UInt8] {
        Array(buffer[(offset - start)..<(offset - start + count)])
    }

    func holds(_ signature: ZipRecord, at offset: Int) -> Bool {
        uint32(offset) == signature.rawValue
    }
}
