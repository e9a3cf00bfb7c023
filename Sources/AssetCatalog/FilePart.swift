internal import Bytes

/// A part of a file, read by position. What lies outside it cannot be read, and reading it asks for nothing
/// but bounds.
struct FilePart: Sendable {
    private let bytes: [UInt8]
    private let start: Int
    let count: Int

    init(_ bytes: [UInt8]) {
        (self.bytes, start, count) = (bytes, 0, bytes.count)
    }

    private init(_ bytes: [UInt8], _ start: Int, _ count: Int) {
        (self.bytes, self.start, self.count) = (bytes, start, count)
    }

    var isEmpty: Bool { count == 0 }

    /// Where it begins in the file.
    var offset: Int { start }

    subscript(_ index: Int) -> UInt8 { bytes[start + index] }

    /// `nil` unless the range lies inside.
    func part(at offset: Int, count: Int) -> FilePart? {
        holds(count, at: offset) ? FilePart(bytes, start + offset, count) : nil
    }

    /// Whether that many bytes lie inside.
    func holds(_ count: Int, at offset: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset
    }

    func part(from offset: Int) -> FilePart? { part(at: offset, count: count - offset) }

    var array: [UInt8] { Array(bytes[start..<start + count]) }

    func little16(_ offset: Int) -> UInt16? {
        guard holds(2, at: offset) else { return nil }
        return UInt16(bytes[start + offset + 1]) << 8 | UInt16(bytes[start + offset])
    }

    func little32(_ offset: Int) -> UInt32? { big32(offset)?.byteSwapped }

    func little64(_ offset: Int) -> UInt64? {
        guard let low = little32(offset), let high = little32(offset + 4) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    func big16(_ offset: Int) -> UInt16? { little16(offset)?.byteSwapped }

    func big32(_ offset: Int) -> UInt32? {
        guard holds(4, at: offset) else { return nil }
        let first = start + offset
        return UInt32(bytes[first]) << 24 | UInt32(bytes[first + 1]) << 16 | UInt32(bytes[first + 2]) << 8
            | UInt32(bytes[first + 3])
    }

    func starts(with mark: String) -> Bool {
        let mark = mark.utf8
        guard count >= mark.count else { return false }
        var position = start
        for byte in mark {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// Whether comparing it as a text would take long.
    var hasTooManyMarks: Bool {
        CombiningMarks.offsetOfTooMany(in: bytes.span.extracting(start..<start + count)) != nil
    }

    /// Text up to its first NUL, or to the end; bytes that are no UTF-8 are replaced.
    var text: String {
        var end = start
        while end < start + count, bytes[end] != 0 { end += 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
