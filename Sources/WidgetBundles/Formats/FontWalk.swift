/// TrueType and OpenType: a directory of tables inside the file (ISO/IEC 14496-22).
struct FontWalk: FormatWalk {
    let fileByteCount: Int
    private var tableCount = 0
    private var isHeader = true
    private var isEnded = false
    private var isTail = false

    init(fileByteCount: Int) {
        self.fileByteCount = fileByteCount
    }

    var start: FormatStep { .next(take: 12) }

    func mayEnd(holding count: Int) -> Bool { isEnded && !isTail && count == 0 }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        if isTail {
            isTail = false
            return .skipZeros(take: 1)
        }
        if isEnded { throw FormatFault(.dataAfterEnd, at: offset) }
        if isHeader {
            isHeader = false
            let magic = bytes.bigEndian32(0)
            guard magic == 0x0001_0000 || bytes.holds("OTTO", at: 0) || bytes.holds("true", at: 0) else {
                throw FormatFault(.wrongMagic, at: 0)
            }
            tableCount = bytes.bigEndian16(4)
            guard (1...512).contains(tableCount) else { throw FormatFault(.invalidHeader, at: 4) }
            guard 12 + 16 * tableCount <= fileByteCount else { throw FormatFault(.tableOutOfBounds, at: 4) }
            return .next(take: 16 * tableCount)
        }
        var end = offset + bytes.count
        for index in stride(from: 0, to: bytes.count, by: 16) {
            let start = bytes.bigEndian32(index + 8)
            let length = bytes.bigEndian32(index + 12)
            guard start >= offset + bytes.count || length == 0, start + length <= fileByteCount else {
                throw FormatFault(.tableOutOfBounds, at: offset + index)
            }
            end = max(end, start + length)
        }
        // Tables are padded with zeros.
        isEnded = true
        let rest = end - offset - bytes.count
        guard rest > 0 else { return .skipZeros(take: 1) }
        isTail = true
        return .next(skip: rest - 1, take: 1)
    }
}
