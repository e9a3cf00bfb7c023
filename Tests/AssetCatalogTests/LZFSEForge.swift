/// Writes compressed blocks of LZFSE in both of their spellings. It looks for nothing to compress: the caller says which
/// literals and which copies there are.
struct LZFSEForge {
    /// So many literals, then so many bytes from so far back; a distance of 0 is the one before.
    struct Match {
        var literals: Int
        var length: Int
        var distance: Int
    }

    var literals: [UInt8]
    var matches: [Match]
    /// Written instead of the right ones, by their place among the header's numbers of the plain spelling.
    var plainFields: [Int: UInt32] = [:]

    /// Sixteen bytes.
    static let corpus = LZFSEForge(
        literals: [1, 2, 3, 255, 9],
        matches: [.init(literals: 4, length: 11, distance: 4), .init(literals: 1, length: 0, distance: 0)])

    /// What a decoder has to make of it.
    var expanded: [UInt8] {
        var result: [UInt8] = []
        var (position, distance) = (0, 0)
        for match in matches {
            result += literals[position..<position + match.literals]
            position += match.literals
            if match.distance > 0 { distance = match.distance }
            for _ in 0..<match.length { result.append(result[result.count - distance]) }
        }
        return result
    }

    /// `bvx1`: a header of plain numbers.
    var plain: [UInt8] {
        let parts = parts()
        let raw = UInt32(expanded.count)
        let payload = UInt32(parts.literalBytes.count + parts.matchBytes.count)
        var fields: [UInt32] = [
            raw, payload, UInt32(parts.literalCount), UInt32(matches.count), UInt32(parts.literalBytes.count),
            UInt32(parts.matchBytes.count), UInt32(bitPattern: Int32(-parts.literalUnused)),
        ]
        for (place, number) in plainFields { fields[place] = number }
        var bytes = Array("bvx1".utf8) + fields.flatMap { Self.little(UInt64($0), 4) }
        bytes += parts.literalStates.flatMap { Self.little(UInt64($0), 2) }
        bytes += Self.little(UInt64(UInt32(bitPattern: Int32(-parts.matchUnused))), 4)
        bytes += parts.matchStates.flatMap { Self.little(UInt64($0), 2) }
        bytes += parts.shares.flatMap { Self.little(UInt64($0), 2) } + [0, 0]
        return bytes + parts.literalBytes + parts.matchBytes
    }

    /// `bvx2`: the same numbers packed into three words, and the shares in a prefix code.
    var packed: [UInt8] {
        let parts = parts()
        var bits = BitStack()
        for share in parts.shares {
            switch share {
            case 0: bits.push(0, 2)
            case 1: bits.push(2, 2)
            case 2, 3: bits.push(1 | (share - 2) << 2, 3)
            case 4...7: bits.push(3 | (share - 4) << 3, 5)
            case 8...23: bits.push(7 | (share - 8) << 4, 8)
            default: bits.push(15 | (share - 24) << 4, 14)
            }
        }
        func word(_ fields: [(Int, shift: Int)]) -> [UInt8] {
            Self.little(fields.reduce(0) { $0 | UInt64($1.0) << UInt64($1.shift) }, 8)
        }
        var bytes = Array("bvx2".utf8) + Self.little(UInt64(expanded.count), 4)
        bytes += word([
            (parts.literalCount, 0), (parts.literalBytes.count, 20), (matches.count, 40), (7 - parts.literalUnused, 60),
        ])
        bytes += word(
            parts.literalStates.enumerated().map { ($1, $0 * 10) }
                + [(parts.matchBytes.count, 40), (7 - parts.matchUnused, 60)])
        bytes += word(
            [(32 + bits.bytes.count, 0)] + parts.matchStates.enumerated().map { ($1, 32 + $0 * 10) })
        return bytes + bits.bytes + parts.literalBytes + parts.matchBytes
    }

    // MARK: Coding

    private struct Parts {
        var shares: [Int] = []
        var literalCount = 0
        var literalBytes: [UInt8] = []
        var literalUnused = 0
        var literalStates: [Int] = []
        var matchBytes: [UInt8] = []
        var matchUnused = 0
        var matchStates: [Int] = []
    }

    private func parts() -> Parts {
        var parts = Parts()
        let padded = literals + [UInt8](repeating: 0, count: (4 - literals.count % 4) % 4)
        let kinds: [(numbers: [Int], kind: NumberKind)] = [
            (matches.map(\.literals), .literals), (matches.map(\.length), .lengths),
            (matches.map(\.distance), .distances),
        ]
        let tables = kinds.map { numbers, kind in
            Table(numbers.map { kind.split($0).symbol }, symbolCount: kind.extraBits.count, stateCount: kind.stateCount)
        }
        let literalTable = Table(padded.map { Int($0) }, symbolCount: 256, stateCount: 1_024)
        parts.shares = tables.flatMap(\.shares) + literalTable.shares

        // Decoders read from the end, so what they need first is written last.
        var bits = BitStack()
        var states = [Int](repeating: 0, count: 4)
        for (position, literal) in padded.enumerated().reversed() {
            literalTable.push(Int(literal), &states[position & 3], &bits)
        }
        (parts.literalCount, parts.literalBytes) = (padded.count, bits.bytes)
        (parts.literalUnused, parts.literalStates) = (bits.unused, states)

        bits = BitStack()
        states = [0, 0, 0]
        for position in matches.indices.reversed() {
            for (place, row) in kinds.enumerated().reversed() {
                let (symbol, extra) = row.kind.split(row.numbers[position])
                bits.push(extra, row.kind.extraBits[symbol])
                tables[place].push(symbol, &states[place], &bits)
            }
        }
        (parts.matchBytes, parts.matchUnused, parts.matchStates) = (bits.bytes, bits.unused, states)
        return parts
    }

    /// Numbers are a symbol for a range and bits for the place in it.
    private struct NumberKind {
        var extraBits: [Int]
        var stateCount: Int

        static let literals = NumberKind(
            extraBits: [Int](repeating: 0, count: 16) + [2, 3, 5, 8], stateCount: 64)
        static let lengths = NumberKind(
            extraBits: [Int](repeating: 0, count: 16) + [3, 5, 8, 11], stateCount: 64)
        static let distances = NumberKind(extraBits: (0..<64).map { $0 / 4 }, stateCount: 256)

        func split(_ number: Int) -> (symbol: Int, extra: Int) {
            var base = 0
            for (symbol, count) in extraBits.enumerated() {
                if number < base + 1 << count { return (symbol, number - base) }
                base += 1 << count
            }
            return (0, 0)
        }
    }

    /// States for symbols, and which state follows which.
    private struct Table {
        var shares: [Int]
        private let stateCount: Int

        init(_ symbols: [Int], symbolCount: Int, stateCount: Int) {
            self.stateCount = stateCount
            var counts = [Int](repeating: 0, count: symbolCount)
            for symbol in symbols { counts[symbol] += 1 }
            let total = max(symbols.count, 1)
            shares = counts.map { $0 == 0 ? 0 : max($0 * stateCount / total, 1) }
            // The largest share makes up for what rounding has given or taken.
            let largest = shares.indices.max { shares[$0] < shares[$1] } ?? 0
            if !symbols.isEmpty { shares[largest] += stateCount - shares.reduce(0, +) }
        }

        /// Writes the bits that lead from the symbol's state to the one before, which comes after it when reading.
        func push(_ symbol: Int, _ state: inout Int, _ bits: inout BitStack) {
            let share = shares[symbol]
            let first = shares[..<symbol].reduce(0, +)
            var high = 0
            while share << high < stateCount { high += 1 }
            let border = (2 * stateCount) >> high - share
            for index in 0..<share {
                let (count, base) =
                    index < border
                    ? (high, (share + index) << high - stateCount) : (high - 1, (index - border) << (high - 1))
                guard state >= base, state < base + 1 << count else { continue }
                bits.push(state - base, count)
                state = first + index
                return
            }
        }
    }

    private struct BitStack {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        /// High bits of the last byte that say nothing.
        var unused: Int { bytes.count * 8 - count }

        mutating func push(_ value: Int, _ width: Int) {
            for bit in 0..<width {
                if count % 8 == 0 { bytes.append(0) }
                if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (count % 8) }
                count += 1
            }
        }
    }

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
