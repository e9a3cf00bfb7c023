/// HEIC: boxes that tile the file (ISO/IEC 14496-12), with the sizes of its pictures in `ispe` boxes.
struct HEICWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.type
    /// Where the boxes around the current one end, the outermost first; the file is the first.
    private var ends: [Int]
    private var boxOffset = 0
    private var type = ""
    private var hasPicture = false
    private var remaining = 0

    private enum Phase { case type, box, largeBox, content, extent, last }

    /// Boxes that hold boxes on the way to `ispe`; the walk descends only into these, so it goes no deeper.
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

    /// The next box begins at `offset`, unless boxes around it end there.
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
