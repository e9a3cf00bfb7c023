/// What a compressed block of LZFSE says about itself, in either of its two spellings.
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
    /// For literal lengths, match lengths and distances.
    var matchStates: [Int] = []
    /// Of all symbols: literal lengths, match lengths, distances, literals.
    var shares: [UInt16] = []

    var byteCount: Int { headerByteCount + literalByteCount + matchByteCount }

    init?(_ block: FilePart) {
        let isRead = block.starts(with: "bvx2") ? readPacked(block) : block.starts(with: "bvx1") && readPlain(block)
        // What the format allows in one block; literals come in fours.
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
        (literalCount, matchCount) = (Int(literals), Int(matches))
        (literalByteCount, matchByteCount) = (Int(literalBytes), Int(matchBytes))
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
        func field(_ word: UInt64, _ shift: UInt64, _ bits: UInt64) -> Int { Int(word >> shift & (1 << bits - 1)) }
        (literalCount, literalByteCount) = (field(first, 0, 20), field(first, 20, 20))
        (matchCount, literalUnusedBits) = (field(first, 40, 20), 7 - field(first, 60, 3))
        literalStates = [0, 10, 20, 30].map { field(second, $0, 10) }
        (matchByteCount, matchUnusedBits) = (field(second, 40, 20), 7 - field(second, 60, 3))
        headerByteCount = field(third, 0, 32)
        matchStates = [32, 42, 52].map { field(third, $0, 10) }
        guard headerByteCount >= 32, let packed = block.part(at: 32, count: headerByteCount - 32) else { return false }
        return readShares(packed)
    }

    /// Shares in a prefix code, low bits first: 2, 3, 5, 8 or 14 bits each.
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
