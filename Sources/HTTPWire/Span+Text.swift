internal import Bytes

/// Comparing and cutting the bytes of a head, without making strings of them.
extension Span where Element == UInt8 {
    /// Whether `range` spells `text`, which is written in lower case, in any case.
    @inline(__always)
    func spells(_ text: StaticString, in range: Range<Int>) -> Bool {
        let length = text.utf8CodeUnitCount
        guard range.count == length, range.upperBound <= count else { return false }
        // A static string's bytes live as long as the program, and no load below passes `length`.
        let letters = unsafe UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while offset &+ 8 <= length {
            let wanted = unsafe UInt64(littleEndian: letters.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard ByteClass.lowercased(word(at: range.lowerBound &+ offset)) == wanted else { return false }
            offset &+= 8
        }
        while offset < length {
            let wanted = unsafe letters.load(fromByteOffset: offset, as: UInt8.self)
            guard ByteClass.lowercased(self[range.lowerBound &+ offset]) == wanted else { return false }
            offset &+= 1
        }
        return true
    }

    /// Whether `range` is `text`, byte for byte.
    @inline(__always)
    func isExactly(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && starts(with: text, at: range.lowerBound)
    }

    /// Whether `text` stands at `start`, byte for byte.
    @inline(__always)
    func starts(with text: StaticString, at start: Int) -> Bool {
        guard start >= 0, start <= count, text.utf8CodeUnitCount <= count &- start else { return false }
        // A static string's bytes live as long as the program, and no load below passes its length.
        let letters = unsafe UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while offset &+ 8 <= text.utf8CodeUnitCount {
            let wanted = unsafe UInt64(littleEndian: letters.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard word(at: start &+ offset) == wanted else { return false }
            offset &+= 8
        }
        while offset < text.utf8CodeUnitCount {
            guard unsafe self[start &+ offset] == letters.load(fromByteOffset: offset, as: UInt8.self) else {
                return false
            }
            offset &+= 1
        }
        return true
    }

    /// Whether two stretches of bytes are the same.
    func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == other.count, range.upperBound <= count else { return false }
        for position in 0..<other.count where self[range.lowerBound &+ position] != other[position] {
            return false
        }
        return true
    }

    /// `range` without the spaces and tabs at its ends (`OWS`, RFC 9110 §5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ByteClass.isSpace(self[start]) { start &+= 1 }
        while end > start, ByteClass.isSpace(self[end &- 1]) { end &-= 1 }
        return start..<end
    }

    /// The bytes of `range` as text; bytes that are not UTF-8 become replacement characters.
    package func text(in range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range where index < count { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
