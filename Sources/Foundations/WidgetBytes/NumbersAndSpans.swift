/// Arithmetic on numbers that came from outside: a result, or `nil` instead of a trap.
extension FixedWidthInteger {
    @inlinable package func adding(_ other: Self) -> Self? {
        let (value, didOverflow) = addingReportingOverflow(other)
        return didOverflow ? nil : value
    }

    @inlinable package func subtracting(_ other: Self) -> Self? {
        let (value, didOverflow) = subtractingReportingOverflow(other)
        return didOverflow ? nil : value
    }

    @inlinable package func multiplied(by other: Self) -> Self? {
        let (value, didOverflow) = multipliedReportingOverflow(by: other)
        return didOverflow ? nil : value
    }
}

extension Int {
    /// A number of a file, such as a length, an offset or a count, bounded by a sixteenth of the largest `Int`: sums and small
    /// products do not overflow. With 32 bits, no file in memory has a larger number. With 64 bits, each number of 32 bits is
    /// unchanged.
    @inlinable package init(bounded number: some FixedWidthInteger) {
        self = Swift.min(Int(clamping: number), Int.max / 16)
    }
}

extension UInt8 {
    /// `A-Z a-z 0-9`: the characters of identifiers and versions.
    package var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
    }
}

extension Span where Element == UInt8 {
    /// The eight bytes at `position`, the first of them in the low bits. Parsers look at long texts eight bytes at a
    /// time.
    @inlinable @inline(__always)
    package func word(at position: Int) -> UInt64 {
        // Any eight bytes are a `UInt64`, and the load itself checks that they are inside the span.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}

extension Array<UInt8> {
    /// Adds all bytes of a span at once.
    package mutating func append(copying bytes: borrowing Span<UInt8>) {
        // The pointer lives for this call, and its length travels with it.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
