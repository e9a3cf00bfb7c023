/// Asset catalogues: the frame of a BOM store, whose tables must lie inside the file. What the blocks hold is
/// not decoded here.
struct CatalogWalk: FormatWalk {
    let fileByteCount: Int
    private var phase = Phase.header
    private var indexByteCount = 0
    private var blocksLeft = 0
    /// Where the last part ends; behind it stand zeros at most.
    private var end = 0

    /// Blocks read at a time.
    private static let batch = 256

    private enum Phase { case header, count, blocks, lastByte, tail }

    init(fileByteCount: Int) {
        self.fileByteCount = fileByteCount
    }

    var start: FormatStep { .next(take: 32) }

    func mayEnd(holding count: Int) -> Bool { phase == .tail && count == 0 }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .header:
            guard bytes.holds("BOMStore", at: 0) else { throw FormatFault(.wrongMagic, at: 0) }
            guard bytes.bigEndian32(8) == 1 else { throw FormatFault(.unknownVersion, at: 8) }
            let index = bytes.bigEndian32(16)
            indexByteCount = bytes.bigEndian32(20)
            try require(index, indexByteCount, at: 16)
            try require(bytes.bigEndian32(24), bytes.bigEndian32(28), at: 24)
            guard index >= 32, indexByteCount >= 4 else { throw FormatFault(.tableOutOfBounds, at: 16) }
            phase = .count
            return .next(skip: index - 32, take: 4)
        case .count:
            blocksLeft = bytes.bigEndian32(0)
            guard blocksLeft > 0, blocksLeft <= (indexByteCount - 4) / 8 else {
                throw FormatFault(.tableOutOfBounds, at: offset)
            }
            phase = .blocks
        case .blocks:
            for index in stride(from: 0, to: bytes.count, by: 8) {
                // Some writers mark numbers that are not in use this way.
                if bytes[index..<index + 8].allSatisfy({ $0 == 0xFF }) { continue }
                try require(bytes.bigEndian32(index), bytes.bigEndian32(index + 4), at: offset + index)
            }
            blocksLeft -= bytes.count / 8
        case .lastByte: return tail()
        case .tail: throw FormatFault(.dataAfterEnd, at: offset)
        }
        guard blocksLeft == 0 else { return .next(take: 8 * min(blocksLeft, CatalogWalk.batch)) }
        let rest = end - offset - bytes.count
        guard rest > 0 else { return tail() }
        phase = .lastByte
        return .next(skip: rest - 1, take: 1)
    }

    private mutating func tail() -> FormatStep {
        phase = .tail
        return .skipZeros(take: 1)
    }

    private mutating func require(_ start: Int, _ byteCount: Int, at offset: Int) throws(FormatFault) {
        guard start + byteCount <= fileByteCount else { throw FormatFault(.tableOutOfBounds, at: offset) }
        end = max(end, start + byteCount)
    }
}
