internal import WidgetBytes

/// Decompresses LZFSE: consecutive blocks of several kinds, up to an end mark.
enum LZFSE {
    typealias Fault = LZVN.Fault

    /// Returns true if the bytes begin with an LZFSE block.
    static func begins(_ input: FilePart) -> Bool {
        ["bvx-", "bvx1", "bvx2", "bvxn"].contains { input.starts(with: $0) }
    }

    /// Appends the stream's content to `output`, which may not grow beyond `limit`. Returns the number of input bytes
    /// that the stream took.
    @discardableResult
    static func decode(_ input: FilePart, into output: inout [UInt8], limit: Int) throws(Fault) -> Int {
        var position = 0
        while let block = input.part(from: position) {
            if block.starts(with: "bvx$") { return position + 4 }
            guard let rawSize = block.little32(4).map({ Int(bounded: $0) }), rawSize <= limit - output.count else {
                throw Fault()
            }
            let end = output.count + rawSize
            if block.starts(with: "bvx-") {
                guard let raw = block.part(at: 8, count: rawSize) else { throw Fault() }
                output += raw.array
                position += 8 + rawSize
            } else if block.starts(with: "bvxn") {
                guard let size = block.little32(8), let payload = block.part(at: 12, count: Int(bounded: size)) else {
                    throw Fault()
                }
                try LZVN.decode(payload, into: &output, limit: end)
                position += 12 + Int(bounded: size)
            } else {
                guard let header = LZFSEBlockHeader(block) else { throw Fault() }
                try LZFSEBlock(header, block).decode(into: &output, end: end)
                position += header.byteCount
            }
            guard output.count == end else { throw Fault() }
        }
        throw Fault()
    }
}

/// The data of one compressed block: all literals first, then lengths and distances.
struct LZFSEBlock {
    private let header: LZFSEBlockHeader
    private let literals: FilePart
    private let matches: FilePart

    /// The header has already checked that the block holds both parts.
    init(_ header: LZFSEBlockHeader, _ block: FilePart) throws(LZFSE.Fault) {
        guard let literals = block.part(at: header.headerByteCount, count: header.literalByteCount),
            let matches = block.part(
                at: header.headerByteCount + header.literalByteCount, count: header.matchByteCount)
        else { throw LZFSE.Fault() }
        (self.header, self.literals, self.matches) = (header, literals, matches)
    }

    func decode(into output: inout [UInt8], end: Int) throws(LZFSE.Fault) {
        let literals = try readLiterals()
        guard var bits = BackwardBits(matches, unused: header.matchUnusedBits), let tables = MatchTables(header) else {
            throw LZFSE.Fault()
        }
        var states = header.matchStates
        var (position, distance) = (0, 0)
        for _ in 0..<header.matchCount {
            guard let literalLength = tables.literalLengths.next(&states[0], &bits),
                let matchLength = tables.matchLengths.next(&states[1], &bits),
                let newDistance = tables.distances.next(&states[2], &bits),
                literalLength <= literals.count - position, literalLength + matchLength <= end - output.count
            else { throw LZFSE.Fault() }
            output += literals[position..<position + literalLength]
            position += literalLength
            if newDistance > 0 { distance = newDistance }
            if matchLength > 0 { try output.copy(matchLength, from: distance) }
        }
    }

    /// Four streams of states alternate on one stream of bits.
    private func readLiterals() throws(LZFSE.Fault) -> [UInt8] {
        guard header.literalCount > 0 else { return [] }
        let shares = header.shares[(LZFSEBlockHeader.shareCount - LZFSEBlockHeader.literalSymbols)...]
        guard let table = StateTable(shares, stateCount: 1_024),
            var bits = BackwardBits(literals, unused: header.literalUnusedBits)
        else { throw LZFSE.Fault() }
        var states = header.literalStates
        var result: [UInt8] = []
        result.reserveCapacity(header.literalCount)
        for number in 0..<header.literalCount {
            guard let symbol = table.next(&states[number & 3], &bits) else { throw LZFSE.Fault() }
            result.append(UInt8(truncatingIfNeeded: symbol))
        }
        return result
    }
}

/// Tables of symbols for ranges of numbers; extra bits select a number in the range.
struct MatchTables {
    struct Numbers {
        private let table: StateTable
        private let bitCounts: [Int]
        private let bases: [Int]

        fileprivate init?(_ shares: ArraySlice<UInt16>, stateCount: Int, bitCounts: [Int]) {
            guard let table = StateTable(shares, stateCount: stateCount) else { return nil }
            var bases: [Int] = []
            var base = 0
            for count in bitCounts {
                bases.append(base)
                base += 1 << count
            }
            (self.table, self.bitCounts, self.bases) = (table, bitCounts, bases)
        }

        func next(_ state: inout Int, _ bits: inout BackwardBits) -> Int? {
            guard let symbol = table.next(&state, &bits), let extra = bits.read(bitCounts[symbol]) else { return nil }
            return bases[symbol] + extra
        }
    }

    let literalLengths: Numbers
    let matchLengths: Numbers
    let distances: Numbers

    init?(_ header: LZFSEBlockHeader) {
        let (lengths, all) = (LZFSEBlockHeader.lengthSymbols, header.shares)
        guard all.count == LZFSEBlockHeader.shareCount,
            let literalLengths = Numbers(
                all[..<lengths], stateCount: 64, bitCounts: Array(repeating: 0, count: 16) + [2, 3, 5, 8]),
            let matchLengths = Numbers(
                all[lengths..<lengths * 2], stateCount: 64,
                bitCounts: Array(repeating: 0, count: 16) + [3, 5, 8, 11]),
            let distances = Numbers(
                all[(lengths * 2)..<lengths * 2 + LZFSEBlockHeader.distanceSymbols], stateCount: 256,
                bitCounts: (0..<64).map { $0 / 4 })
        else { return nil }
        (self.literalLengths, self.matchLengths, self.distances) = (literalLengths, matchLengths, distances)
    }
}

/// The header of a compressed LZFSE block, in either of its two encodings.
struct LZFSEBlockHeader {
    static let (lengthSymbols, distanceSymbols, literalSymbols) = (20, 64, 256)
    static let shareCount = 2 * lengthSymbols + distanceSymbols + literalSymbols

    var literalCount = 0
    var matchCount = 0
    var headerByteCount = 0
    var literalByteCount = 0
    var matchByteCount = 0
    var literalUnusedBits = 0
    var matchUnusedBits = 0
    var literalStates: [Int] = []
    /// The states for literal lengths, match lengths and distances.
    var matchStates: [Int] = []
    /// The frequencies of all symbols: literal lengths, match lengths, distances, literals.
    var shares: [UInt16] = []

    var byteCount: Int { headerByteCount + literalByteCount + matchByteCount }

    init?(_ block: FilePart) {
        let isRead = block.starts(with: "bvx2") ? readPacked(block) : block.starts(with: "bvx1") && readPlain(block)
        // The format's limits for one block; literals come in fours.
        guard isRead, literalCount <= 40_000, literalCount.isMultiple(of: 4), matchCount <= 10_000,
            byteCount <= block.count
        else { return nil }
    }

    private mutating func readPlain(_ block: FilePart) -> Bool {
        headerByteCount = 772
        guard block.count >= headerByteCount, let literals = block.little32(12), let matches = block.little32(16),
            let literalBytes = block.little32(20), let matchBytes = block.little32(24),
            let literalBits = block.little32(28), let matchBits = block.little32(40)
        else { return false }
        (literalCount, matchCount) = (Int(bounded: literals), Int(bounded: matches))
        (literalByteCount, matchByteCount) = (Int(bounded: literalBytes), Int(bounded: matchBytes))
        literalUnusedBits = -Int(Int32(bitPattern: literalBits))
        matchUnusedBits = -Int(Int32(bitPattern: matchBits))
        literalStates = (0..<4).compactMap { block.little16(32 + $0 * 2).map { Int($0) } }
        matchStates = (0..<3).compactMap { block.little16(44 + $0 * 2).map { Int($0) } }
        shares = (0..<Self.shareCount).compactMap { block.little16(50 + $0 * 2) }
        return true
    }

    private mutating func readPacked(_ block: FilePart) -> Bool {
        guard let first = block.little64(8), let second = block.little64(16), let third = block.little64(24) else {
            return false
        }
        func field(_ word: UInt64, _ shift: UInt64, _ bits: UInt64) -> Int {
            Int(bounded: word >> shift & (1 << bits - 1))
        }
        (literalCount, literalByteCount) = (field(first, 0, 20), field(first, 20, 20))
        (matchCount, literalUnusedBits) = (field(first, 40, 20), 7 - field(first, 60, 3))
        literalStates = [0, 10, 20, 30].map { field(second, $0, 10) }
        (matchByteCount, matchUnusedBits) = (field(second, 40, 20), 7 - field(second, 60, 3))
        headerByteCount = field(third, 0, 32)
        matchStates = [32, 42, 52].map { field(third, $0, 10) }
        guard headerByteCount >= 32, let packed = block.part(at: 32, count: headerByteCount - 32) else { return false }
        return readShares(packed)
    }

    /// Frequencies in a prefix code, low bits first: 2, 3, 5, 8 or 14 bits each.
    private mutating func readShares(_ packed: FilePart) -> Bool {
        guard !packed.isEmpty else {
            shares = Array(repeating: 0, count: Self.shareCount)
            return true
        }
        var (bits, bitCount, position) = (UInt32(0), UInt32(0), 0)
        for _ in 0..<Self.shareCount {
            while position < packed.count, bitCount <= 24 {
                bits |= UInt32(packed[position]) << bitCount
                bitCount += 8
                position += 1
            }
            let (size, value): (UInt32, UInt32) =
                switch (bits & 3, bits >> 2 & 3) {
                case (0, _): (2, 0)
                case (2, _): (2, 1)
                case (1, let next): (3, 2 + next & 1)
                case (_, 1): (8, 8 + bits >> 4 & 0xF)
                case (_, 3): (14, 24 + bits >> 4 & 0x3FF)
                default: (5, 4 + bits >> 3 & 3)
                }
            guard size <= bitCount else { return false }
            shares.append(UInt16(truncatingIfNeeded: value))
            bits >>= size
            bitCount -= size
        }
        return position == packed.count && bitCount < 8
    }
}

/// A table of finite-state entropy coding. Each state has a symbol, and the number of bits that select the next state.
struct StateTable {
    private struct Entry {
        var symbol: UInt8
        var bitCount: UInt8
        var base: Int16
    }

    private var entries: [Entry]

    /// Fails when the symbols' frequencies exceed the states. `stateCount` is a power of two.
    init?(_ shares: ArraySlice<UInt16>, stateCount: Int) {
        entries = []
        entries.reserveCapacity(stateCount)
        for (symbol, share) in shares.enumerated() where share > 0 {
            let share = Int(share)
            guard share <= stateCount - entries.count else { return nil }
            let bits = share.leadingZeroBitCount - stateCount.leadingZeroBitCount
            // The first states of a symbol read one bit more than the rest.
            let border = (2 * stateCount) >> bits - share
            for index in 0..<share {
                let (count, base) =
                    index < border
                    ? (bits, (share + index) << bits - stateCount) : (bits - 1, (index - border) << (bits - 1))
                entries.append(
                    Entry(
                        symbol: UInt8(truncatingIfNeeded: symbol), bitCount: UInt8(truncatingIfNeeded: count),
                        base: Int16(truncatingIfNeeded: base)))
            }
        }
    }

    /// Returns the state's symbol and advances the state. Returns `nil` when the state or the bits do not exist.
    func next(_ state: inout Int, _ bits: inout BackwardBits) -> Int? {
        guard state >= 0, state < entries.count else { return nil }
        let entry = entries[state]
        guard let read = bits.read(Int(entry.bitCount)) else { return nil }
        state = Int(entry.base) + read
        return Int(entry.symbol)
    }
}

/// Bits of a range of bytes, read from its end towards its beginning, high bits first.
struct BackwardBits {
    private let input: FilePart
    /// The number of bytes that are not in the window yet.
    private var byteCount: Int
    /// The next bits, from the highest on, with zeros below them.
    private var window: UInt64 = 0
    private var windowCount = 0

    /// Skips the `unused` high bits of the last byte.
    init?(_ input: FilePart, unused: Int) {
        guard (0...7).contains(unused), input.count > 0 || unused == 0 else { return nil }
        self.input = input
        byteCount = input.count
        guard read(unused) != nil else { return nil }
    }

    /// Reads at most 32 bits; returns `nil` when fewer are left.
    @inline(__always)
    mutating func read(_ count: Int) -> Int? {
        if windowCount < count { fill() }
        guard count <= windowCount else { return nil }
        // A shift by 64 bits gives zero.
        let value = window >> UInt64(64 - count)
        window <<= UInt64(count)
        windowCount -= count
        return Int(bounded: value)
    }

    private mutating func fill() {
        while windowCount <= 56, byteCount > 0 {
            byteCount -= 1
            window |= UInt64(input[byteCount]) << UInt64(56 - windowCount)
            windowCount += 8
        }
    }
}
