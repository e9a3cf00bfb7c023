/// The data of one compressed block: all literals first, then lengths and distances.
struct LZFSEBlock {
    private let header: LZFSEBlockHeader
    private let literals: FilePart
    private let matches: FilePart

    /// The header has checked that the block holds both parts.
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

    /// Four streams of states take turns on one stream of bits.
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

/// Tables of symbols that stand for ranges of numbers, with bits of their own behind them.
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
