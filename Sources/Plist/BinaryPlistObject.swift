internal import Bytes

/// One object of the binary form, found to lie wholly among the objects but not yet decoded.
enum BinaryPlistObject {
    case scalar(Scalar)
    case container(Body)

    /// Where the references of an array or a dictionary are: keys first, then as many values.
    struct Body {
        var isDictionary: Bool
        var start: Int
        var referenceCount: Int

        var keyCount: Int { isDictionary ? referenceCount / 2 : 0 }
    }

    struct Scalar {
        enum Kind {
            case boolean(Bool)
            case integer, real, date, data, ascii, utf16, uid
        }

        var kind: Kind
        var start: Int
        var size: Int

        /// What counts against the budget of text and data.
        var byteCount: Int {
            switch kind {
            case .data, .ascii, .utf16: size
            default: 0
            }
        }
    }

    init(at offset: Int, in bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer) throws(PlistFault) {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        var body = offset + 1
        var isCounted: Bool { marker >= 0x40 && marker & 0xF0 != 0x80 }
        let isKnown: Bool =
            switch marker {
            case 0x08, 0x09, 0x10...0x14, 0x22, 0x23, 0x33, 0x40...0x6F, 0x80...0x8F, 0xA0...0xAF, 0xD0...0xDF: true
            default: false
            }
        guard isKnown else { throw PlistFault(.unsupportedMarker(marker), at: offset) }
        let count = isCounted ? try BinaryPlistObject.count(low, &body, in: bytes, trailer) : 0
        let sizeOfOne: Int
        let kind: Scalar.Kind?
        switch marker >> 4 {
        case 0x0: (sizeOfOne, kind) = (0, .boolean(marker == 0x09))
        case 0x1: (sizeOfOne, kind) = (1 << low, .integer)
        case 0x2: (sizeOfOne, kind) = (1 << low, .real)
        case 0x3: (sizeOfOne, kind) = (8, .date)
        case 0x4: (sizeOfOne, kind) = (1, .data)
        case 0x5: (sizeOfOne, kind) = (1, .ascii)
        case 0x6: (sizeOfOne, kind) = (2, .utf16)
        case 0x8: (sizeOfOne, kind) = (low + 1, .uid)
        case 0xD: (sizeOfOne, kind) = (trailer.referenceSize * 2, nil)
        default: (sizeOfOne, kind) = (trailer.referenceSize, nil)
        }
        guard let size = isCounted ? count.multiplied(by: sizeOfOne) : sizeOfOne,
            let end = body.adding(size), end <= trailer.tableOffset
        else { throw PlistFault(.objectOutOfRange, at: offset) }
        if let kind {
            self = .scalar(Scalar(kind: kind, start: body, size: size))
        } else {
            let isDictionary = marker >> 4 == 0xD
            // No overflow: the references lie in the file.
            self = .container(
                Body(isDictionary: isDictionary, start: body, referenceCount: isDictionary ? count * 2 : count))
        }
    }

    /// A count in the marker itself, or, when that says 15, in an integer object behind it.
    private static func count(
        _ low: Int, _ body: inout Int, in bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) -> Int {
        guard low == 15 else { return low }
        let start = body
        guard start < trailer.tableOffset else { throw PlistFault(.objectOutOfRange, at: start) }
        guard (0x10...0x13).contains(bytes[start]) else { throw PlistFault(.invalidCount, at: start) }
        let size = 1 << Int(bytes[start] & 0x0F)
        guard start + 1 + size <= trailer.tableOffset else { throw PlistFault(.objectOutOfRange, at: start) }
        body = start + 1 + size
        guard let count = Int(exactly: bigEndian(bytes, at: start + 1, size: size)) else {
            throw PlistFault(.objectOutOfRange, at: start)
        }
        return count
    }
}
