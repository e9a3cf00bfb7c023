internal import WidgetBytes
internal import WidgetDeflate
package import WidgetFiles

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
        // The file's size was taken before; if it is shorter now, another process is changing it.
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

/// Compresses new content into a scratch file; ``ZipWriter`` takes it from there like any other piece.
///
/// For packing folders. Compression is zlib's at one fixed level. Data is stored when that does not make it
/// smaller, or makes it so much smaller that a reader would take it for a bomb.
package struct ZipScratch: ~Copyable {
    private static let windowByteCount = 64 << 10

    /// The source to hand to ``ZipWriter/write(_:from:to:limits:)``.
    package let file: FileDescriptor
    private var deflater: Deflater
    private var end = 0
    private var input = [UInt8](repeating: 0, count: ZipScratch.windowByteCount)
    private var output = [UInt8](repeating: 0, count: ZipScratch.windowByteCount)

    /// Takes an empty file that has no other writer.
    package init(_ file: consuming FileDescriptor) throws(ZipError) {
        let deflater = try rethrowing(try Deflater(), as: { ZipError(.deflate($0)) })
        self.file = file
        self.deflater = deflater
    }

    /// Adds the contents of a file as they are now.
    package mutating func add(
        _ name: ZipName, contentsOf source: borrowing FileDescriptor, limits: ZipLimits = ZipLimits()
    ) throws(ZipError) -> ZipPiece {
        var packed = try compress(name, source, limits: limits)
        // Packing must not make what the reader's rule refuses as a bomb.
        if packed.compressedByteCount >= packed.byteCount
            || limits.exceedsRatio(packed.byteCount, compressedByteCount: packed.compressedByteCount)
        {
            packed = try store(name, source, expecting: packed)
        }
        end += packed.compressedByteCount
        return packed
    }

    private mutating func compress(
        _ name: ZipName, _ source: borrowing FileDescriptor, limits: ZipLimits
    ) throws(ZipError) -> ZipPiece {
        var checksum = Checksum()
        var rawChecksum = Checksum()
        var byteCount = 0
        var written = 0
        var isLast = false
        deflater.reset()
        while !isLast {
            let filled = try read(name, source, at: byteCount)
            isLast = filled < input.count
            checksum.update(input.span.extracting(0..<filled))
            byteCount += filled
            try limits.require(byteCount, within: .entryByteCount, entry: name.text, at: nil)
            var used = 0
            var isDone = false
            while !isDone {
                let progress = try rethrowing(
                    try ZipScratch.step(&deflater, input, used..<filled, into: &output, isLast: isLast),
                    as: { ZipError(.deflate($0), entry: name.text) })
                used += progress.consumed
                rawChecksum.update(output.span.extracting(0..<progress.produced))
                try write(name, output, progress.produced, at: end + written)
                written += progress.produced
                isDone = isLast ? progress.isFinished : used == filled && progress.produced < output.count
            }
        }
        return ZipPiece(
            name: name, method: .deflate, checksum: checksum.value, byteCount: byteCount, compressedByteCount: written,
            sourceOffset: end, rawChecksum: rawChecksum.value)
    }

    private mutating func store(
        _ name: ZipName, _ source: borrowing FileDescriptor, expecting packed: ZipPiece
    ) throws(ZipError) -> ZipPiece {
        var checksum = Checksum()
        var byteCount = 0
        while byteCount < packed.byteCount {
            let filled = min(try read(name, source, at: byteCount), packed.byteCount - byteCount)
            guard filled > 0 else { break }
            checksum.update(input.span.extracting(0..<filled))
            try write(name, input, filled, at: end + byteCount)
            byteCount += filled
        }
        guard byteCount == packed.byteCount, checksum.value == packed.checksum else {
            throw ZipError(.changedWhileRead, entry: name.text)
        }
        return ZipPiece(
            name: name, method: .stored, checksum: packed.checksum, byteCount: byteCount,
            compressedByteCount: byteCount, sourceOffset: end, rawChecksum: packed.checksum)
    }

    private mutating func read(
        _ name: ZipName, _ source: borrowing FileDescriptor, at offset: Int
    ) throws(ZipError) -> Int {
        return try rethrowing(
            try source.read(at: offset, into: &input, count: ZipScratch.windowByteCount),
            as: { ZipError(.file($0), entry: name.text) })
    }

    private func write(_ name: ZipName, _ bytes: [UInt8], _ count: Int, at offset: Int) throws(ZipError) {
        try rethrowing(
            try file.write(bytes.span.extracting(0..<count), at: offset), as: { ZipError(.file($0), entry: name.text) })
    }

    private static func step(
        _ deflater: inout Deflater, _ input: [UInt8], _ range: Range<Int>, into output: inout [UInt8], isLast: Bool
    ) throws(DeflateError) -> StreamProgress {
        var room = output.mutableSpan
        return try deflater.deflate(input.span.extracting(range), into: &room, isLast: isLast)
    }
}
