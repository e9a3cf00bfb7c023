internal import Bytes
internal import HTTPWire

/// Writes the heads of answers behind one another into a loop's output.
final class HeadWriter {
    /// The lines of a head that differ from answer to answer.
    struct Ending {
        let identity: RequestIdentity
        let isHTTP10: Bool
        /// Whether the connection ends with the answer.
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

    init(serverName: String) {
        self.serverName = serverName
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
        let wall = WallClock.now()
        let lines = FieldBlock(["Server": serverName, "Date": HTTPDate.string(wall.seconds)])
        commonLines = lines.bytes + Array("Request-Id: ".utf8)
        staleAt = now &+ 1_000_000_000 &- UInt64(wall.nanoseconds)
    }
}
