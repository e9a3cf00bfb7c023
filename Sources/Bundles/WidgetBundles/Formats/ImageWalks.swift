internal import WidgetBytes
internal import WidgetDeflate

/// Checks PNG (ISO/IEC 15948), with Xcode's variant that begins with a `CgBI` chunk.
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
            guard bytes.bigEndianWord(0) == checksum.value else { throw FormatFault(.checksumMismatch, at: offset) }
            guard type != "IEND" else {
                guard hasData else { throw FormatFault(.noPicture, at: offset) }
                return .end
            }
            phase = .chunk
            return .next(take: 8)
        }
    }

    /// Reads length and type of a chunk (clause 5.3).
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

    /// Checks the size, and the combination of depth and colour (clause 11.2.2).
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

/// Checks GIF in both versions.
struct GIFWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.header
    private var hasPicture = false

    private enum Phase { case header, block, extensionLabel, picture, codeSize, subBlock }

    init(_ bounds: PictureBounds) {
        self.bounds = bounds
    }

    var start: FormatStep { .next(take: 13) }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .header:
            guard bytes.holds("GIF87a", at: 0) || bytes.holds("GIF89a", at: 0) else {
                throw FormatFault(.wrongMagic, at: 0)
            }
            try bounds.require(bytes.littleEndian16(6), bytes.littleEndian16(8), at: 6)
            phase = .block
            return .next(skip: colorTable(bytes[10]), take: 1)
        case .block:
            switch bytes[0] {
            case 0x3B:
                guard hasPicture else { throw FormatFault(.noPicture, at: offset) }
                return .end
            case 0x21:
                phase = .extensionLabel
                return .next(take: 1)
            case 0x2C:
                phase = .picture
                return .next(take: 9)
            default: throw FormatFault(.invalidPart, at: offset)
            }
        case .extensionLabel:
            phase = .subBlock
            return .next(take: 1)
        case .picture:
            try bounds.require(bytes.littleEndian16(4), bytes.littleEndian16(6), at: offset)
            hasPicture = true
            phase = .codeSize
            return .next(skip: colorTable(bytes[8]), take: 1)
        case .codeSize:
            guard (1...11).contains(bytes[0]) else { throw FormatFault(.invalidPart, at: offset) }
            phase = .subBlock
            return .next(take: 1)
        case .subBlock:
            if bytes[0] == 0 { phase = .block }
            return .next(skip: Int(bytes[0]), take: 1)
        }
    }

    private func colorTable(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }
}

/// Checks WebP: a RIFF file whose chunks tile it (RFC 9649).
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
        // The remainder of the last chunk is skipped, then the file ends.
        if skip > 0 {
            phase = .last
            return .next(skip: skip - 1, take: 1)
        }
        return .end
    }
}

/// Checks HEIC: boxes that tile the file (ISO/IEC 14496-12), with the sizes of its pictures in `ispe` boxes.
struct HEICWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.type
    /// The ends of the boxes around the current one, the outermost first; the file is the first.
    private var ends: [Int]
    private var boxOffset = 0
    private var type = ""
    private var hasPicture = false
    private var remaining = 0

    private enum Phase { case type, box, largeBox, content, extent, last }

    /// Boxes that contain boxes on the way to `ispe`; the walk descends only into these, which bounds its depth.
    private static let containers: [String: Int] = ["meta": 4, "iprp": 0, "ipco": 0]

    private static let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

    init(_ bounds: PictureBounds) {
        self.bounds = bounds
        ends = [bounds.fileByteCount]
    }

    var start: FormatStep { .next(take: 12) }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .type:
            let size = bytes.bigEndian32(0)
            guard bytes.holds("ftyp", at: 4) else { throw FormatFault(.wrongMagic, at: 0) }
            guard HEICWalk.brands.contains(String(decoding: bytes[8...], as: UTF8.self)) else {
                throw FormatFault(.invalidHeader, at: 8)
            }
            guard size >= 16, size <= bounds.fileByteCount else { throw FormatFault(.partOutOfBounds, at: 0) }
            return try next(skip: size - 12, at: size)
        case .box:
            boxOffset = offset
            type = String(decoding: bytes[4...], as: UTF8.self)
            let size = bytes.bigEndian32(0)
            if size == 1 {
                phase = .largeBox
                return .next(take: 8)
            }
            // A size of 0 means up to the end of the file, which only the outermost may say.
            return try enter(size == 0 && ends.count == 1 ? bounds.fileByteCount - offset : size, headerByteCount: 8)
        case .largeBox:
            guard bytes.bigEndian32(0) == 0 else { throw FormatFault(.partOutOfBounds, at: offset) }
            return try enter(bytes.bigEndian32(4), headerByteCount: 16)
        case .content:
            phase = .box
            return try next(skip: 0, at: offset + bytes.count)
        case .extent:
            try bounds.require(bytes.bigEndian32(4), bytes.bigEndian32(8), at: offset + 4)
            hasPicture = true
            return try next(skip: remaining, at: offset + 12 + remaining)
        case .last: return .end
        }
    }

    private mutating func enter(_ size: Int, headerByteCount: Int) throws(FormatFault) -> FormatStep {
        let end = boxOffset + size
        let content = boxOffset + headerByteCount
        guard size >= headerByteCount, let limit = ends.last, end <= limit else {
            throw FormatFault(.partOutOfBounds, at: boxOffset)
        }
        if let prefix = HEICWalk.containers[type], ends.count < 4 {
            guard end - content >= prefix else { throw FormatFault(.invalidPart, at: boxOffset) }
            ends.append(end)
            guard prefix > 0 else { return try next(skip: 0, at: content) }
            phase = .content
            return .next(take: prefix)
        }
        if type == "ispe" {
            guard end - content >= 12 else { throw FormatFault(.invalidPart, at: boxOffset) }
            remaining = end - content - 12
            phase = .extent
            return .next(take: 12)
        }
        return try next(skip: end - content, at: end)
    }

    /// Expects the next box at `offset`, unless boxes around it end there.
    private mutating func next(skip: Int, at offset: Int) throws(FormatFault) -> FormatStep {
        while ends.count > 1, ends.last == offset { ends.removeLast() }
        if offset < bounds.fileByteCount {
            guard let end = ends.last, end - offset >= 8 else { throw FormatFault(.partOutOfBounds, at: offset) }
            phase = .box
            return .next(skip: skip, take: 8)
        }
        guard hasPicture else { throw FormatFault(.noPicture, at: offset) }
        phase = .last
        return skip > 0 ? .next(skip: skip - 1, take: 1) : .end
    }
}
