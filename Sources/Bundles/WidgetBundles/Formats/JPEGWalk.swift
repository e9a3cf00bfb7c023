/// Checks JPEG (ITU T.81), one picture or several as phones write them (CIPA DC-007).
///
/// After the end of a picture there may be zeros or fill bytes, and another picture when the first announced more.
struct JPEGWalk: FormatWalk {
    let bounds: PictureBounds
    private var phase = Phase.begin
    private var marker: UInt8 = 0
    private var hasFrame = false
    private var hasScan = false
    private var announcesMore = false

    private enum Phase { case begin, marker, length, frame, application, scanHeader, entropy, after, fill }

    init(_ bounds: PictureBounds) {
        self.bounds = bounds
    }

    var start: FormatStep { .next(take: 2) }

    func mayEnd(holding count: Int) -> Bool {
        count == 0 && (phase == .after || phase == .fill)
    }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .begin:
            guard bytes == [0xFF, 0xD8] else { throw FormatFault(.wrongMagic, at: 0) }
            phase = .marker
            return .next(take: 2)
        case .marker:
            guard bytes[0] == 0xFF else { throw FormatFault(.invalidPart, at: offset) }
            // Any number of fill bytes may precede a marker (B.1.1.2).
            if bytes[1] == 0xFF {
                phase = .fill
                marker = 0
                return .next(take: 1)
            }
            return try begin(bytes[1], at: offset)
        case .fill: return try fill(bytes[0], at: offset)
        case .length: return try segment(bytes.bigEndian16(0), at: offset)
        case .application:
            if bytes.holds("MPF\0", at: 0) { announcesMore = true }
            return next(skip: remaining)
        case .frame:
            try bounds.require(bytes.bigEndian16(3), bytes.bigEndian16(1), at: offset)
            return next(skip: remaining)
        case .scanHeader:
            phase = .entropy
            return .find(0xFF, take: 1)
        case .entropy:
            switch bytes[0] {
            // Stuffed zeros, restarts and fill belong to the scan (F.1.2.3).
            case 0x00, 0xD0...0xD7: return .find(0xFF, take: 1)
            case 0xFF:
                return .next(take: 1)
            default: return try begin(bytes[0], at: offset)
            }
        case .after:
            guard bytes[0] == 0xFF else { throw FormatFault(.dataAfterEnd, at: offset) }
            phase = .fill
            marker = 0xD9
            return .next(take: 1)
        }
    }

    private var remaining = 0

    private mutating func next(skip: Int) -> FormatStep {
        phase = .marker
        return .next(skip: skip, take: 2)
    }

    /// Reads a byte after at least one `FF`: inside a picture when `marker` is 0, else behind one.
    private mutating func fill(_ byte: UInt8, at offset: Int) throws(FormatFault) -> FormatStep {
        if byte == 0xFF { return .next(take: 1) }
        if marker == 0 { return try begin(byte, at: offset) }
        guard announcesMore, byte == 0xD8 else { throw FormatFault(.dataAfterEnd, at: offset) }
        (hasFrame, hasScan) = (false, false)
        return next(skip: 0)
    }

    private mutating func begin(_ marker: UInt8, at offset: Int) throws(FormatFault) -> FormatStep {
        self.marker = marker
        switch marker {
        case 0xD9:
            guard hasScan else { throw FormatFault(.noPicture, at: offset) }
            phase = .after
            return .skipZeros(take: 1)
        case 0x00, 0x01, 0xD0...0xD8: throw FormatFault(.invalidPart, at: offset)
        default:
            phase = .length
            return .next(take: 2)
        }
    }

    private mutating func segment(_ length: Int, at offset: Int) throws(FormatFault) -> FormatStep {
        guard length >= 2, length <= bounds.fileByteCount - offset else {
            throw FormatFault(.partOutOfBounds, at: offset)
        }
        remaining = length - 2
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard !hasFrame, remaining >= 6 else { throw FormatFault(.invalidHeader, at: offset) }
            hasFrame = true
            remaining -= 6
            phase = .frame
            return .next(take: 6)
        case 0xDA:
            guard hasFrame else { throw FormatFault(.invalidHeader, at: offset) }
            hasScan = true
            phase = .entropy
            return remaining == 0 ? .find(0xFF, take: 1) : afterHeader()
        case 0xE2 where remaining >= 4:
            remaining -= 4
            phase = .application
            return .next(take: 4)
        default: return next(skip: remaining)
        }
    }

    /// Skips the scan's header before the search through its data: the header may hold any byte.
    private mutating func afterHeader() -> FormatStep {
        phase = .scanHeader
        return .next(skip: remaining - 1, take: 1)
    }
}
