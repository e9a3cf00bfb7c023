internal import Bytes

/// The last 32 bytes of the binary form: where the table of offsets lies, and how wide its numbers are.
///
/// Every number is checked against the file before anything is read or allocated by it.
struct BinaryPlistTrailer {
    static let byteCount = 32
    static let headerByteCount = 8

    var offsetSize = 0
    var referenceSize = 0
    var objectCount = 0
    var topObject = 0
    /// Where the objects end and the table of their offsets begins.
    var tableOffset = 0

    init(of bytes: Span<UInt8>, limits: PlistLimits) throws(PlistFault) {
        guard bytes.count >= BinaryPlistTrailer.headerByteCount else { throw PlistFault(.truncated, at: bytes.count) }
        guard bytes[6] == UInt8(ascii: "0"), bytes[7] == UInt8(ascii: "0") else {
            throw PlistFault(.unsupportedVersion, at: 6)
        }
        guard let start = bytes.count.subtracting(BinaryPlistTrailer.byteCount),
            start >= BinaryPlistTrailer.headerByteCount
        else { throw PlistFault(.truncated, at: bytes.count) }
        for index in start..<start + 5 where bytes[index] != 0 { throw PlistFault(.unusedBytesNotZero, at: index) }
        // The sixth byte is a version for sorting that no reader uses.
        try readSizes(bytes, at: start + 6)
        try readNumbers(bytes, at: start + 8, limits)
        try checkTable(endingAt: start)
    }

    private mutating func readSizes(_ bytes: Span<UInt8>, at start: Int) throws(PlistFault) {
        guard (1...8).contains(bytes[start]) else { throw PlistFault(.offsetSize(bytes[start]), at: start) }
        guard (1...8).contains(bytes[start + 1]) else {
            throw PlistFault(.referenceSize(bytes[start + 1]), at: start + 1)
        }
        offsetSize = Int(bytes[start])
        referenceSize = Int(bytes[start + 1])
    }

    private mutating func readNumbers(_ bytes: Span<UInt8>, at start: Int, _ limits: PlistLimits) throws(PlistFault) {
        let count = bigEndian(bytes, at: start, size: 8)
        guard count > 0 else { throw PlistFault(.noObjects, at: start) }
        guard let objectCount = Int(exactly: count), objectCount <= limits.objectCount else {
            throw PlistFault(.objectCount, of: limits, at: start)
        }
        self.objectCount = objectCount
        let top = bigEndian(bytes, at: start + 8, size: 8)
        guard top < count, let topObject = Int(exactly: top) else {
            throw PlistFault(.topObjectOutOfRange, at: start + 8)
        }
        self.topObject = topObject
        guard let tableOffset = Int(exactly: bigEndian(bytes, at: start + 16, size: 8)) else {
            throw PlistFault(.offsetTableOutOfRange, at: start + 16)
        }
        self.tableOffset = tableOffset
    }

    /// Header, objects, table and trailer follow each other without a gap, and the numbers are wide
    /// enough for what they have to say.
    private func checkTable(endingAt end: Int) throws(PlistFault) {
        guard tableOffset > BinaryPlistTrailer.headerByteCount,
            let size = objectCount.multiplied(by: offsetSize), tableOffset.adding(size) == end
        else { throw PlistFault(.offsetTableOutOfRange, at: end + 24) }
        guard reaches(tableOffset - 1, offsetSize) else {
            throw PlistFault(.offsetSize(UInt8(offsetSize)), at: end + 6)
        }
        guard reaches(objectCount - 1, referenceSize) else {
            throw PlistFault(.referenceSize(UInt8(referenceSize)), at: end + 7)
        }
    }

    /// Where that object lies; the caller has checked that there is one of this number.
    func offset(of object: Int, _ bytes: Span<UInt8>) throws(PlistFault) -> Int {
        let place = tableOffset + object * offsetSize
        guard let offset = Int(exactly: bigEndian(bytes, at: place, size: offsetSize)),
            offset >= BinaryPlistTrailer.headerByteCount, offset < tableOffset
        else { throw PlistFault(.offsetOutOfRange, at: place) }
        return offset
    }

    /// The number of an object that exists, from a place that the caller has checked.
    func reference(at place: Int, _ bytes: Span<UInt8>) throws(PlistFault) -> Int {
        guard let object = Int(exactly: bigEndian(bytes, at: place, size: referenceSize)), object < objectCount else {
            throw PlistFault(.referenceOutOfRange, at: place)
        }
        return object
    }

    private func reaches(_ largest: Int, _ size: Int) -> Bool {
        size >= 8 || UInt64(largest) >> UInt64(size * 8) == 0
    }
}

/// An unsigned number of at most eight bytes; the caller has checked that they are there.
func bigEndian(_ bytes: Span<UInt8>, at start: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<start + size { value = value << 8 | UInt64(bytes[index]) }
    return value
}
