internal import Deflate

/// PNG (ISO/IEC 15948), with Xcode's variant that begins with a `CgBI` chunk.
struct PNGWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.signature
    private var type = ""
    private var headerOffset = 0
    private var checksum = Checksum()
    private var hasHeader = false
    private var hasData = false
    private var chunkCount = 0

    private enum Phase { case signature, chunk, header, checksum }

    init(_ bounds: PictureBounds) {
        self.bounds = bounds
    }

    var start: FormatStep { .next(take: 8) }

    mutating func pass(_ bytes: borrowing Span<UInt8>) {
        checksum.update(bytes)
    }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .signature:
            guard bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
                throw FormatFault(.wrongMagic, at: 0)
            }
            phase = .chunk
            return .next(take: 8)
        case .chunk: return try begin(bytes, at: offset)
        case .header:
            checksum.update(bytes.span)
            try judgeHeader(bytes, at: offset)
            phase = .checksum
            return .next(take: 4)
        case .checksum:
            guard bytes.bigEndian32(0) == Int(checksum.value) else { throw FormatFault(.checksumMismatch, at: offset) }
            guard type != "IEND" else {
                guard hasData else { throw FormatFault(.noPicture, at: offset) }
                return .end
            }
            phase = .chunk
            return .next(take: 8)
        }
    }

    /// Length and type of a chunk (clause 5.3).
    private mutating func begin(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        let length = bytes.bigEndian32(0)
        guard length <= bounds.fileByteCount - offset - 12 else { throw FormatFault(.partOutOfBounds, at: offset) }
        guard bytes[4...].allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else {
            throw FormatFault(.invalidPart, at: offset + 4)
        }
        type = String(decoding: bytes[4...], as: UTF8.self)
        checksum = Checksum()
        checksum.update(bytes.span.extracting(4...))
        chunkCount += 1
        switch type {
        case "IHDR":
            guard !hasHeader, length == 13 else { throw FormatFault(.invalidHeader, at: offset) }
            hasHeader = true
            phase = .header
            return .next(take: 13)
        case "CgBI":
            guard chunkCount == 1 else { throw FormatFault(.invalidPart, at: offset) }
        default:
            guard hasHeader else { throw FormatFault(.invalidHeader, at: offset) }
            if type == "IDAT" { hasData = true }
            if type == "IEND", length != 0 { throw FormatFault(.invalidPart, at: offset) }
        }
        phase = .checksum
        return .next(skip: length, take: 4)
    }

    /// Size, and the combinations of depth and colour that exist (clause 11.2.2).
    private func judgeHeader(_ bytes: [UInt8], at offset: Int) throws(FormatFault) {
        try bounds.require(bytes.bigEndian32(0), bytes.bigEndian32(4), at: offset)
        let depths: [UInt8] =
            switch bytes[9] {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: []
            }
        guard depths.contains(bytes[8]), bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else {
            throw FormatFault(.invalidHeader, at: offset + 8)
        }
    }
}
