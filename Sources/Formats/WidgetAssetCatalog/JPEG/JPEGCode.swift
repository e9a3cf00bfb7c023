internal import WidgetBytes

/// A prefix code (ITU-T T.81, annex C): codes of one length are consecutive numbers, and shorter codes come first.
struct JPEGCode {
    /// For each value of the first eight bits, the symbol and its length; a length of 0 when the code is longer.
    private var short: [(symbol: UInt8, length: UInt8)] = Array(repeating: (0, 0), count: 256)
    /// For each length, one more than the largest code, shifted to sixteen bits; and the difference between a code and
    /// its symbol's index.
    private var ends: [Int] = []
    private var offsets: [Int] = []
    private let symbols: [UInt8]

    /// Fails when there are more codes than bits for them.
    init?(_ counts: [UInt8], _ symbols: [UInt8]) {
        self.symbols = symbols
        guard symbols.count <= 256 else { return nil }
        var (code, first) = (0, 0)
        for (index, count) in counts.enumerated() {
            let (length, count) = (index + 1, Int(count))
            offsets.append(first - code)
            if length <= 8 {
                for number in 0..<count {
                    let start = (code + number) << (8 - length)
                    guard start + 1 << (8 - length) <= 256 else { return nil }
                    for place in start..<start + 1 << (8 - length) {
                        short[place] = (symbols[first + number], UInt8(length))
                    }
                }
            }
            code += count
            first += count
            guard code <= 1 << length else { return nil }
            ends.append(code << (16 - length))
            code <<= 1
        }
    }

    /// Returns `nil` when no code begins with the next bits.
    func next(_ bits: inout JPEGBits) -> UInt8? {
        let window = bits.peek16()
        let entry = short[window >> 8]
        if entry.length > 0 {
            bits.drop(Int(entry.length))
            return entry.symbol
        }
        for length in 9...16 where window < ends[length - 1] {
            let place = window >> (16 - length) + offsets[length - 1]
            guard place >= 0, place < symbols.count else { return nil }
            bits.drop(length)
            return symbols[place]
        }
        return nil
    }
}

/// The bits of a scan, high bits first, up to the next marker. A few zeros may be read beyond the end.
struct JPEGBits {
    private let data: FilePart
    private(set) var position: Int
    private var window: UInt64 = 0
    private var count = 0
    /// Bytes that were read beyond the end.
    private var missing = 0

    init(_ data: FilePart, from position: Int) {
        (self.data, self.position) = (data, position)
    }

    /// True if more was read beyond the end than a valid scan can need.
    var isExhausted: Bool { missing > 16 }

    private mutating func fill() {
        while count <= 48 {
            var byte: UInt8 = 0
            if position < data.count, data[position] != 0xFF {
                byte = data[position]
                position += 1
            } else if position + 1 < data.count, data[position + 1] == 0 {
                byte = 0xFF
                position += 2
            } else {
                missing += 1
            }
            window = window << 8 | UInt64(byte)
            count += 8
        }
    }

    mutating func peek16() -> Int {
        if count < 16 { fill() }
        return Int(bounded: window >> UInt64(count - 16) & 0xFFFF)
    }

    mutating func drop(_ length: Int) { count -= length }

    /// Reads at most sixteen bits.
    mutating func read(_ length: Int) -> Int {
        guard length > 0 else { return 0 }
        if count < length { fill() }
        count -= length
        return Int(bounded: window >> UInt64(count) & (1 << UInt64(length) - 1))
    }

    /// Reads a number of this many bits. The first bit is 1 for positive numbers.
    mutating func readSigned(_ length: Int) -> Int {
        let value = read(length)
        return length > 0 && value < 1 << (length - 1) ? value - 1 << length + 1 : value
    }

    /// Restarts behind the next restart marker; returns `false` when another marker, or the end, comes next.
    mutating func restart() -> Bool {
        // Bytes that were buffered too early are given back: the search for the marker begins where they ended.
        (window, count, missing) = (0, 0, 0)
        while position + 1 < data.count {
            if data[position] == 0xFF, data[position + 1] != 0, data[position + 1] != 0xFF {
                guard (0xD0...0xD7).contains(data[position + 1]) else { return false }
                position += 2
                return true
            }
            position += 1
        }
        return false
    }
}
