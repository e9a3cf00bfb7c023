internal import Bytes
internal import HTTPWire
internal import Sockets

/// The name of a request: the client's own, or one made here.
enum RequestIdentity: Sendable {
    case made(UInt64, UInt64)
    case given([UInt8])

    var text: String {
        switch self {
        case .made(let high, let low):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(RequestID.byteCount)
            RequestIdentity.append(high, to: &bytes)
            RequestIdentity.append(low, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .given(let bytes):
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    func append(to output: inout [UInt8]) {
        switch self {
        case .made(let high, let low):
            RequestIdentity.append(high, to: &output)
            RequestIdentity.append(low, to: &output)
        case .given(let bytes):
            output.append(contentsOf: bytes)
        }
    }

    private static func append(_ word: UInt64, to output: inout [UInt8]) {
        // Spreads the word's sixteen digits over sixteen bytes, then turns all of them into letters at once.
        for half in [UInt32(truncatingIfNeeded: word >> 32), UInt32(truncatingIfNeeded: word)] {
            var spread = UInt64(half)
            spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
            spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
            let low = spread & 0x000F_000F_000F_000F
            let high = spread >> 4 & 0x000F_000F_000F_000F
            let digits = high | low << 8
            let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
            var letters = digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
            letters = letters.littleEndian
            // The pair order above puts the low half's digits first; the halves are swapped back here.
            for index in 0..<4 {
                let pair = letters >> UInt64(48 &- 16 &* index)
                output.append(UInt8(truncatingIfNeeded: pair))
                output.append(UInt8(truncatingIfNeeded: pair >> 8))
            }
        }
    }
}

/// Makes request identities: unique within a process for certain, between processes by chance of 2^-64.
struct RequestIdentityMaker {
    private let prefix = RandomBytes.word()
    private var counter = RandomBytes.word()

    mutating func next() -> RequestIdentity {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var mixed = counter
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return .made(prefix, mixed ^ mixed >> 31)
    }
}
