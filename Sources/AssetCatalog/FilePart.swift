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
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        return FilePart(bytes, start + offset, count)
    }

    func part(from offset: Int) -> FilePart? { part(at: offset, count: count - offset) }

    var array: [UInt8] { Array(bytes[start..<start + count]) }

    func little16(_ offset: Int) -> UInt16? { number(offset, 2, isBig: false).map { UInt16(truncatingIfNeeded: $0) } }

    func little32(_ offset: Int) -> UInt32? { number(offset, 4, isBig: false).map { UInt32(truncatingIfNeeded: $0) } }

    func little64(_ offset: Int) -> UInt64? { number(offset, 8, isBig: false) }

    func big16(_ offset: Int) -> UInt16? { number(offset, 2, isBig: true).map { UInt16(truncatingIfNeeded: $0) } }

    func big32(_ offset: Int) -> UInt32? { number(offset, 4, isBig: true).map { UInt32(truncatingIfNeeded: $0) } }

    private func number(_ offset: Int, _ size: Int, isBig: Bool) -> UInt64? {
        guard offset >= 0, offset <= count - size else { return nil }
        var value: UInt64 = 0
        for index in 0..<size {
            let byte = UInt64(bytes[start + offset + (isBig ? index : size - 1 - index)])
            value = value << 8 | byte
        }
        return value
    }

    func starts(with mark: String) -> Bool {
        let mark = mark.utf8
        return count >= mark.count && mark.enumerated().allSatisfy { bytes[start + $0] == $1 }
    }

    /// Text up to its first NUL, or to the end; bytes that are no UTF-8 are replaced.
    var text: String { String(decoding: bytes[start..<start + count].prefix { $0 != 0 }, as: UTF8.self) }
}
