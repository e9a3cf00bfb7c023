/// GIF, both versions.
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
