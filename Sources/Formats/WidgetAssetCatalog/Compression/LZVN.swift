/// Decompresses LZVN: literals and matches, distinguished by their first byte.
///
/// Nothing is read outside the input, nothing is written beyond the limit, and each step either consumes input or ends.
enum LZVN {
    struct Fault: Error {}

    private enum Operation {
        case end, skip
        case copy(literals: Int, match: Int, distance: Int?, size: Int)
    }

    /// Appends the stream's content to `output`, which may not grow beyond `limit`. Matches may refer to bytes that
    /// `output` already had. Returns the number of input bytes that the stream took.
    @discardableResult
    static func decode(_ input: FilePart, into output: inout [UInt8], limit: Int) throws(Fault) -> Int {
        var position = 0
        var distance = 0
        while position < input.count {
            switch try operation(input, at: position) {
            case .end:
                guard input.count - position >= 8 else { throw Fault() }
                return position + 8
            case .skip: position += 1
            case .copy(let literals, let match, let newDistance, let size):
                position += size
                guard input.count - position >= literals, limit - output.count >= literals + match else {
                    throw Fault()
                }
                for _ in 0..<literals {
                    output.append(input[position])
                    position += 1
                }
                if let newDistance { distance = newDistance }
                if match > 0 { try output.copy(match, from: distance) }
            }
        }
        throw Fault()
    }

    private static func operation(_ input: FilePart, at position: Int) throws(Fault) -> Operation {
        let code = Int(input[position])
        switch code {
        case 0x06: return .end
        case 0x0E, 0x16: return .skip
        case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF: throw Fault()
        case 0xE0: return .copy(literals: Int(try byte(input, position + 1)) + 16, match: 0, distance: nil, size: 2)
        case 0xE1...0xEF: return .copy(literals: code & 0xF, match: 0, distance: nil, size: 1)
        case 0xF0: return .copy(literals: 0, match: Int(try byte(input, position + 1)) + 16, distance: nil, size: 2)
        case 0xF1...0xFF: return .copy(literals: 0, match: code & 0xF, distance: nil, size: 1)
        case 0xA0...0xBF:
            guard let rest = input.little16(position + 1) else { throw Fault() }
            let match = (code & 7) << 2 | Int(rest & 3)
            return .copy(literals: code >> 3 & 3, match: match + 3, distance: Int(rest >> 2), size: 3)
        default: break
        }
        let (literals, match) = (code >> 6, (code >> 3 & 7) + 3)
        switch code & 7 {
        case 6: return .copy(literals: literals, match: match, distance: nil, size: 1)
        case 7:
            guard let distance = input.little16(position + 1) else { throw Fault() }
            return .copy(literals: literals, match: match, distance: Int(distance), size: 3)
        default:
            let distance = (code & 7) << 8 | Int(try byte(input, position + 1))
            return .copy(literals: literals, match: match, distance: distance, size: 2)
        }
    }

    private static func byte(_ input: FilePart, _ position: Int) throws(Fault) -> UInt8 {
        guard position < input.count else { throw Fault() }
        return input[position]
    }
}

extension [UInt8] {
    /// Repeats the bytes at a distance; the copy may overlap itself.
    mutating func copy(_ length: Int, from distance: Int) throws(LZVN.Fault) {
        guard distance > 0, distance <= count else { throw LZVN.Fault() }
        var source = count - distance
        for _ in 0..<length {
            append(self[source])
            source += 1
        }
    }
}
