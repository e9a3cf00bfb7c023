/// Bits of a range of bytes, read from its end towards its beginning, high bits first.
struct BackwardBits {
    private let input: FilePart
    /// Bits not yet read; the next one is the highest of them.
    private var position: Int

    /// `unused` high bits of the last byte are skipped.
    init?(_ input: FilePart, unused: Int) {
        guard (0...7).contains(unused), input.count > 0 || unused == 0 else { return nil }
        self.input = input
        position = input.count * 8 - unused
    }

    /// At most 32 bits; `nil` when so many are not left.
    mutating func read(_ count: Int) -> Int? {
        guard count <= position else { return nil }
        position -= count
        guard count > 0 else { return 0 }
        let first = position >> 3
        let last = (position + count - 1) >> 3
        var value: UInt64 = 0
        var index = last
        while index >= first {
            value = value << 8 | UInt64(input[index])
            index -= 1
        }
        value >>= UInt64(position & 7)
        return Int(value & (1 << UInt64(count) - 1))
    }
}
