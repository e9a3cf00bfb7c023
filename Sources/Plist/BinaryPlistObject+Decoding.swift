internal import Bytes

extension BinaryPlistObject.Scalar {
    /// The value; its bytes are known to be there.
    func decode(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        switch kind {
        case .boolean(let value): return .boolean(value)
        case .integer: return try integer(bytes)
        case .real: return .real(real(bytes))
        case .date:
            guard let date = PlistDate(secondsSince2001: real(bytes)) else { throw PlistFault(.invalidDate, at: start) }
            return .date(date)
        case .data: return .data(copy(bytes))
        case .ascii: return .string(try ascii(bytes))
        case .utf16: return .string(try utf16(bytes))
        case .uid:
            for index in start..<start + max(size - 4, 0) where bytes[index] != 0 {
                throw PlistFault(.uidOutOfRange, at: start)
            }
            let width = min(size, 4)
            return .uid(UInt32(truncatingIfNeeded: bigEndian(bytes, at: start + size - width, size: width)))
        }
    }

    /// One, two and four bytes are unsigned, eight and sixteen are signed: so every writer does it.
    private func integer(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        switch size {
        case 8: return .integer(Int64(bitPattern: bigEndian(bytes, at: start, size: 8)))
        case 16:
            let high = bigEndian(bytes, at: start, size: 8)
            let low = bigEndian(bytes, at: start + 8, size: 8)
            switch (high, low >> 63) {
            case (0, 0), (.max, 1): return .integer(Int64(bitPattern: low))
            case (0, _): return .largeInteger(low)
            default: throw PlistFault(.integerOutOfRange, at: start)
            }
        default: return .integer(Int64(bigEndian(bytes, at: start, size: size)))
        }
    }

    private func real(_ bytes: Span<UInt8>) -> Double {
        if size == 4 {
            return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian(bytes, at: start, size: 4))))
        }
        return Double(bitPattern: bigEndian(bytes, at: start, size: 8))
    }

    private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        let slice = bytes.extracting(start..<start + size)
        var result: [UInt8] = []
        result.reserveCapacity(slice.count)
        for index in slice.indices { result.append(slice[index]) }
        return result
    }

    private func ascii(_ bytes: Span<UInt8>) throws(PlistFault) -> String {
        let slice = bytes.extracting(start..<start + size)
        for index in slice.indices where slice[index] >= 0x80 { throw PlistFault(.notASCII, at: start + index) }
        do {
            return String(copying: try UTF8Span(validating: slice))
        } catch {
            throw PlistFault(.notASCII, at: start)
        }
    }

    /// Big-endian units; surrogates only in pairs.
    private func utf16(_ bytes: Span<UInt8>) throws(PlistFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(size)
        var marks = CombiningMarks()
        var index = start
        while index < start + size {
            let place = index
            let unit = UInt16(truncatingIfNeeded: bigEndian(bytes, at: index, size: 2))
            index += 2
            var value = UInt32(unit)
            if unit & 0xF800 == 0xD800 {
                guard unit < 0xDC00, index < start + size else { throw PlistFault(.loneSurrogate(unit), at: place) }
                let second = UInt16(truncatingIfNeeded: bigEndian(bytes, at: index, size: 2))
                guard second & 0xFC00 == 0xDC00 else { throw PlistFault(.loneSurrogate(unit), at: place) }
                value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(second & 0x3FF))
                index += 2
            }
            guard marks.take(value) <= CombiningMarks.mostInARow else { throw PlistFault(.tooManyMarks, at: place) }
            if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) {
                text.append(contentsOf: encoded)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
