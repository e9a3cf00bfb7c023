internal import HTTPWire
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings

/// Writes the heads of answers behind one another into a loop's output.
final class HeadWriter {
    /// The lines of a head that differ from answer to answer.
    struct Ending {
        let identity: RequestIdentity
        let isHTTP10: Bool
        /// True if the connection ends with the answer.
        let closes: Bool
    }

    private static let closeLines = Array("\r\nConnection: close\r\n\r\n".utf8)
    private static let keepAliveLines = Array("\r\nConnection: keep-alive\r\n\r\n".utf8)
    private static let plainEnd = Array("\r\n\r\n".utf8)

    private let serverName: String
    /// The lines every answer has, Server, Date, and the name of Request-Id, written anew at most once a second.
    private var commonLines: [UInt8] = []
    /// The tick at which the second ends.
    private var staleAt: UInt64 = 0
    private let clock: any Clock

    init(serverName: String, _ clock: any Clock) {
        self.serverName = serverName
        self.clock = clock
    }

    /// Writes a prepared head.
    func write(_ prepared: [UInt8], _ ending: borrowing Ending, at now: UInt64, to output: OutputBuffer) {
        output.append(contentsOf: prepared)
        write(ending, at: now, to: output)
    }

    /// Writes the head of an answer made for one request.
    func write(_ response: Response, _ ending: borrowing Ending, at now: UInt64, to output: OutputBuffer) {
        output.append(contentsOf: StatusLine.bytes(response.status))
        output.append(contentsOf: response.fields.bytes)
        if case .bytes(let bytes) = response.body, !response.status.isBodiless {
            output.append(contentsOf: FieldBlock(["Content-Length": String(bytes.count)]).bytes)
        }
        write(ending, at: now, to: output)
    }

    private func write(_ ending: borrowing Ending, at now: UInt64, to output: OutputBuffer) {
        if now >= staleAt { refresh(now) }
        output.append(contentsOf: commonLines)
        ending.identity.append(to: output)
        if ending.closes {
            output.append(contentsOf: HeadWriter.closeLines)
        } else if ending.isHTTP10 {
            output.append(contentsOf: HeadWriter.keepAliveLines)
        } else {
            output.append(contentsOf: HeadWriter.plainEnd)
        }
    }

    private func refresh(_ now: UInt64) {
        let wall = clock.date
        let lines = FieldBlock(["Server": serverName, "Date": HTTPDate.string(wall.seconds)])
        commonLines = lines.bytes + Array("Request-Id: ".utf8)
        staleAt = now &+ 1_000_000_000 &- UInt64(wall.nanoseconds)
    }
}

/// The name of a request: the client's own, or one made here.
enum RequestIdentity: Sendable {
    case made(UInt64, UInt64)
    case given([UInt8])

    var text: String {
        switch self {
        case .made(let high, let low):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(RequestID.byteCount)
            RequestIdentity.append(high, low, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .given(let bytes):
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Appends the digits of an identity made here.
    static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        let halves = RequestIdentity.halves(high, low)
        for index in halves.indices {
            var letters = RequestIdentity.letters(halves[index])
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: letters))
                letters >>= 8
            }
        }
    }

    func append(to output: OutputBuffer) {
        switch self {
        case .made(let high, let low):
            let halves = RequestIdentity.halves(high, low)
            for index in halves.indices { output.append(RequestIdentity.letters(halves[index])) }
        case .given(let bytes):
            output.append(contentsOf: bytes)
        }
    }

    private static func halves(_ high: UInt64, _ low: UInt64) -> InlineArray<4, UInt32> {
        [
            UInt32(truncatingIfNeeded: high >> 32), UInt32(truncatingIfNeeded: high),
            UInt32(truncatingIfNeeded: low >> 32), UInt32(truncatingIfNeeded: low),
        ]
    }

    /// The eight hexadecimal digits of a number as letters, the first in the lowest byte.
    ///
    /// Spreads the digits over eight bytes, then turns all of them into letters at once.
    private static func letters(_ number: UInt32) -> UInt64 {
        var spread = UInt64(number.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        let low = spread & 0x000F_000F_000F_000F
        let high = spread >> 4 & 0x000F_000F_000F_000F
        let digits = high | low << 8
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
    }
}

/// Makes request identities: unique within a process for certain, between processes by chance of 2^-64.
struct RequestIdentityMaker {
    private let prefix: UInt64
    private var counter: UInt64

    init(_ chance: any Chance) {
        prefix = chance.next()
        counter = chance.next()
    }

    mutating func next() -> RequestIdentity {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var mixed = counter
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return .made(prefix, mixed ^ mixed >> 31)
    }
}
