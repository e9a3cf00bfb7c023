extension BinaryPlistTable {
    /// The file: objects in their order, the table of their offsets, the trailer.
    func encoded() -> [UInt8] {
        let referenceSize = Self.size(of: UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            Self.append(object, referenceSize: referenceSize, to: &bytes)
        }
        let tableOffset = bytes.count
        let offsetSize = Self.size(of: UInt64(tableOffset))
        for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0]
        bytes += [UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
        // The first object is the one that holds all others.
        for number in [UInt64(objects.count), 0, UInt64(tableOffset)] {
            Self.append(number, size: 8, to: &bytes)
        }
        return bytes
    }

    private static func append(_ object: Object, referenceSize: Int, to bytes: inout [UInt8]) {
        switch object {
        case .scalar(let marker, let content):
            switch marker {
            case 0x60: append(marker: marker, count: content.count / 2, to: &bytes)
            case 0x40, 0x50: append(marker: marker, count: content.count, to: &bytes)
            default: bytes.append(marker)
            }
            bytes += content
        case .array(let references):
            append(marker: 0xA0, count: references.count, to: &bytes)
            for reference in references { append(UInt64(reference), size: referenceSize, to: &bytes) }
        case .dictionary(let keys, let values):
            append(marker: 0xD0, count: keys.count, to: &bytes)
            for reference in keys + values { append(UInt64(reference), size: referenceSize, to: &bytes) }
        }
    }

    /// A count up to 14 fits the marker; a longer one follows as an integer.
    private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
        guard count >= 15 else {
            bytes.append(marker | UInt8(truncatingIfNeeded: count))
            return
        }
        bytes.append(marker | 0x0F)
        let size = size(of: UInt64(count))
        bytes.append(0x10 | UInt8(truncatingIfNeeded: size.trailingZeroBitCount))
        append(UInt64(count), size: size, to: &bytes)
    }

    static func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes.append(shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0)
        }
    }

    /// 1, 2, 4 or 8 bytes.
    static func size(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
