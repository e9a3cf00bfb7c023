/// Reads little-endian numbers from front to back; it never reads beyond its end.
///
/// A number of seven bits a byte has its lowest bits first, and the high bit marks the last byte. Its shortest spelling
/// is what every known writer uses; of any other, the position among all such numbers and the width are noted.
struct ArchiveCursor {
    private(set) var offset: Int
    private let end: Int
    private(set) var numberCount = 0
    private(set) var wideNumbers: [WideNumber] = []

    init(at offset: Int, end: Int) {
        self.offset = offset
        self.end = end
    }

    var remaining: Int { end - offset }

    mutating func move(to offset: Int) { self.offset = offset }

    mutating func byte(_ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt8 {
        guard offset < end else { throw NibError(.truncated, at: end) }
        let byte = bytes[offset]
        offset &+= 1
        return byte
    }

    /// The beginning of a piece of that many bytes, which are passed over.
    mutating func piece(_ count: Int) throws(NibError) -> Int {
        guard count <= end &- offset else { throw NibError(.truncated, at: offset) }
        let start = offset
        offset &+= count
        return start
    }

    mutating func number(_ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt32 {
        let ordinal = numberCount
        numberCount &+= 1
        guard offset < end else { throw NibError(.truncated, at: end) }
        let first = bytes[offset]
        if first & 0x80 != 0 {
            offset &+= 1
            return UInt32(first & 0x7F)
        }
        return try longNumber(bytes, ordinal)
    }

    private mutating func longNumber(_ bytes: borrowing Span<UInt8>, _ ordinal: Int) throws(NibError) -> UInt32 {
        let start = offset
        var value: UInt64 = 0
        var width = 0
        while width < 10 {
            guard offset < end else { throw NibError(.truncated, at: end) }
            let byte = bytes[offset]
            offset &+= 1
            let bits = UInt64(byte & 0x7F)
            guard width < 5 || bits == 0 else { throw NibError(.numberTooLarge, at: start) }
            if width < 5 { value |= bits &<< UInt64(7 &* width) }
            width &+= 1
            guard byte & 0x80 != 0 else { continue }
            guard value <= UInt64(Int32.max) else { throw NibError(.numberTooLarge, at: start) }
            let number = UInt32(value)
            if width > ArchiveNumber.width(of: number) {
                wideNumbers.append(WideNumber(ordinal: UInt32(ordinal), width: UInt8(width)))
            }
            return number
        }
        throw NibError(.numberTooLarge, at: start)
    }

    /// A whole number of so many bytes.
    mutating func fixed(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt64 {
        let start = try piece(count)
        var value: UInt64 = 0
        var index = count
        while index > 0 {
            index &-= 1
            value = value &<< 8 | UInt64(bytes[start &+ index])
        }
        return value
    }
}

/// A number that is spelled longer than it needs to be.
struct WideNumber: Equatable, Sendable {
    /// Among all numbers of seven bits a byte, table after table in the order of the header.
    var ordinal: UInt32
    var width: UInt8
}

/// How numbers of seven bits a byte are spelled.
enum ArchiveNumber {
    static func width(of number: UInt32) -> Int {
        max((38 - number.leadingZeroBitCount) / 7, 1)
    }

    static func append(_ number: UInt32, width: Int, to bytes: inout [UInt8]) {
        for place in 0..<width {
            let bits = place < 5 ? UInt8(truncatingIfNeeded: UInt64(number) >> UInt64(7 * place)) & 0x7F : 0
            bytes.append(place == width - 1 ? bits | 0x80 : bits)
        }
    }
}
