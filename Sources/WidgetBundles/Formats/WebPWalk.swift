/// WebP: a RIFF file whose chunks tile it (RFC 9649).
struct WebPWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.header
    private var end = 0
    private var remaining = 0
    private var hasPicture = false
    private var type = ""

    private enum Phase { case header, chunk, picture, last }

    init(_ bounds: PictureBounds) {
        self.bounds = bounds
    }

    var start: FormatStep { .next(take: 12) }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .header:
            guard bytes.holds("RIFF", at: 0), bytes.holds("WEBP", at: 8) else { throw FormatFault(.wrongMagic, at: 0) }
            end = bytes.littleEndian32(4) + 8
            guard end <= bounds.fileByteCount else { throw FormatFault(.partOutOfBounds, at: 4) }
            guard end == bounds.fileByteCount else { throw FormatFault(.dataAfterEnd, at: end) }
            return try next(at: 12)
        case .chunk:
            type = String(decoding: bytes[..<4], as: UTF8.self)
            let size = bytes.littleEndian32(4)
            let padded = size + (size & 1)
            guard padded <= end - offset - 8 else { throw FormatFault(.partOutOfBounds, at: offset) }
            switch type {
            case "VP8 ", "VP8L", "VP8X":
                guard padded >= 10 else { throw FormatFault(.invalidHeader, at: offset) }
                phase = .picture
                remaining = padded - 10
                return .next(take: 10)
            case "ANMF": hasPicture = true
            default: break
            }
            return try next(at: offset + 8 + padded, skip: padded)
        case .last: return .end
        case .picture:
            try judgePicture(bytes, at: offset)
            return try next(at: offset + 10 + remaining, skip: remaining)
        }
    }

    private mutating func judgePicture(_ bytes: [UInt8], at offset: Int) throws(FormatFault) {
        switch type {
        case "VP8X":
            try bounds.require(bytes.littleEndian24(4) + 1, bytes.littleEndian24(7) + 1, at: offset)
        case "VP8L":
            guard bytes[0] == 0x2F else { throw FormatFault(.invalidHeader, at: offset) }
            let size = bytes.littleEndian32(1)
            try bounds.require((size & 0x3FFF) + 1, (size >> 14 & 0x3FFF) + 1, at: offset)
            hasPicture = true
        default:
            guard bytes[3] == 0x9D, bytes[4] == 0x01, bytes[5] == 0x2A else {
                throw FormatFault(.invalidHeader, at: offset)
            }
            try bounds.require(bytes.littleEndian16(6) & 0x3FFF, bytes.littleEndian16(8) & 0x3FFF, at: offset)
            hasPicture = true
        }
    }

    private mutating func next(at offset: Int, skip: Int = 0) throws(FormatFault) -> FormatStep {
        phase = .chunk
        if offset < end { return .next(skip: skip, take: 8) }
        guard hasPicture else { throw FormatFault(.noPicture, at: offset) }
        // What is left of the last chunk is passed over, then the file ends.
        if skip > 0 {
            phase = .last
            return .next(skip: skip - 1, take: 1)
        }
        return .end
    }
}
