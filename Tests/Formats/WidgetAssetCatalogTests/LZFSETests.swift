import Testing
import WidgetAssetCatalog
import WidgetTestSupport

@Suite struct `A stream of LZFSE` {
    private static let end = Array("bvx$".utf8)

    /// Texts of few and of many letters, copies from near and far, over themselves, and of the last distance again.
    static let sample: LZFSEForge = {
        var random = SeededGenerator(seed: 7)
        var forge = LZFSEForge(literals: [], matches: [])
        var size = 0
        for number in 0..<120 {
            let count = number == 0 ? 300 : [0, 1, 3, 15, 16, 19, 27, 60, 314][Int(random.next() % 9)]
            forge.literals += (0..<count).map { _ in UInt8(random.next() % (number % 2 == 0 ? 4 : 256)) }
            size += count
            let length = [0, 1, 4, 15, 16, 23, 55, 311, 2_359][Int(random.next() % 9)]
            let distance = number % 5 == 4 ? 0 : [1, 2, 3, 4, 59, 60, size][Int(random.next() % 7)]
            forge.matches.append(.init(literals: count, length: length, distance: distance))
            size += length
        }
        return forge
    }()

    /// Decompresses the stream as the data of a file in a catalogue.
    private func file(_ stream: [UInt8]) throws -> [UInt8] {
        var forge = CatalogForge()
        let size = (0..<4).map { UInt8(truncatingIfNeeded: stream.count >> ($0 * 8)) }
        forge.add(
            "a",
            ForgedRendition(payload: Array("DWAR".utf8) + [1, 0, 0, 0] + size + stream).with {
                $0.pixelFormat = "DATA"
                $0.layout = 1_000
            })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        return try catalog.file(of: try #require(catalog.renditions.first))
    }

    @Test func `blocks of LZFSE with plain and with packed headers are decompressed`() throws {
        let forge = Self.sample
        #expect(forge.expanded.count > 20_000)
        #expect(try file(forge.plain + Self.end) == forge.expanded)
        #expect(try file(forge.packed + Self.end) == forge.expanded)
    }

    @Test func `consecutive blocks of all kinds are decompressed`() throws {
        let forge = Self.sample
        let raw = Array("bvx-".utf8) + [3, 0, 0, 0, 7, 8, 9]
        let stream = raw + forge.packed + forge.plain + raw + forge.packed + Self.end
        let text: [UInt8] = [7, 8, 9]
        #expect(try file(stream) == text + forge.expanded + forge.expanded + text + forge.expanded)
    }

    @Test func `a block of literals alone, and one of one byte, are decompressed`() throws {
        for literals in [Array(repeating: 65, count: 200), [9], Array(0...255)] as [[UInt8]] {
            let forge = LZFSEForge(
                literals: literals, matches: [.init(literals: literals.count, length: 0, distance: 1)])
            #expect(try file(forge.plain + Self.end) == literals)
            #expect(try file(forge.packed + Self.end) == literals)
        }
    }

    @Test func `a stream that is cut off is refused, and one with a changed byte is refused or read`() throws {
        let forge = LZFSEForge(
            literals: Array("abcabcd".utf8),
            matches: [.init(literals: 4, length: 9, distance: 3), .init(literals: 3, length: 2, distance: 0)])
        for stream in [forge.plain + Self.end, forge.packed + Self.end] {
            #expect(try file(stream) == forge.expanded)
            // Without its end mark, and without more of it.
            for count in stride(from: 4, to: stream.count - 1, by: 1) {
                #expect(throws: AssetError.self) { _ = try file(Array(stream[..<count])) }
            }
            for position in 4..<stream.count - 4 {
                for byte in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var changed = stream
                    changed[position] = byte
                    if let read = try? file(changed) { #expect(read.count < 1 << 20) }
                }
            }
        }
    }

    @Test func `a block that declares more than it holds is refused`() {
        // Bytes of the block, of literals and matches, how many of both, and bits that are not used.
        for field in 0..<7 where field != 1 {
            for number in [0x7FFF_FFFF, 0x8000_0001, 40_004] as [UInt32] {
                var forge = Self.sample
                forge.plainFields[field] = number
                #expect(throws: AssetError.self, "\(field)") { _ = try file(forge.plain + Self.end) }
            }
        }
    }

    @Test func `a copy from before the stream's beginning is refused`() {
        let forge = LZFSEForge(literals: [1, 2], matches: [.init(literals: 2, length: 4, distance: 2)])
        #expect(throws: Never.self) { _ = try file(forge.plain + Self.end) }
        var far = LZFSEForge(literals: [1, 2], matches: [.init(literals: 2, length: 0, distance: 3)])
        // The same block but for its declared size: two bytes more, which the copy has to supply.
        far.matches.append(.init(literals: 0, length: 0, distance: 0))
        far.plainFields[0] = 4
        #expect(throws: AssetError.self) { _ = try file(far.plain + Self.end) }
    }
}

/// Writes compressed blocks of LZFSE in both encodings. It does not search for repetitions: the caller gives literals
/// and copies.
struct LZFSEForge {
    /// A count of literals, then a copy with its length and distance; a distance of 0 repeats the last one.
    struct Match {
        var literals: Int
        var length: Int
        var distance: Int
    }

    var literals: [UInt8]
    var matches: [Match]
    /// Replacements for numbers of the plain header, by position.
    var plainFields: [Int: UInt32] = [:]

    /// Sixteen bytes.
    static let corpus = LZFSEForge(
        literals: [1, 2, 3, 255, 9],
        matches: [.init(literals: 4, length: 11, distance: 4), .init(literals: 1, length: 0, distance: 0)])

    /// The expected result of decompression.
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

    /// Numbers are encoded as a symbol for a range, and bits for the place in it.
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

    /// The states of each symbol, and the transitions between states.
    private struct Table {
        var shares: [Int]
        private let stateCount: Int

        init(_ symbols: [Int], symbolCount: Int, stateCount: Int) {
            self.stateCount = stateCount
            var counts = [Int](repeating: 0, count: symbolCount)
            for symbol in symbols { counts[symbol] += 1 }
            let total = max(symbols.count, 1)
            shares = counts.map { $0 == 0 ? 0 : max($0 * stateCount / total, 1) }
            // The largest share absorbs the rounding errors of the others.
            let largest = shares.indices.max { shares[$0] < shares[$1] } ?? 0
            if !symbols.isEmpty { shares[largest] += stateCount - shares.reduce(0, +) }
        }

        /// Writes the bits that lead from the symbol's state to the one before, which follows it when reading.
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

        /// Unused high bits of the last byte.
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
