internal import HTTPWire
internal import Sockets

/// The Server and Date lines, written anew at most once a second.
struct DateLine {
    private var bytes: [UInt8] = []
    private var staleAt: UInt64 = 0

    mutating func append(to output: inout [UInt8], now: UInt64, serverName: String) {
        if now >= staleAt {
            let wall = WallClock.now()
            bytes = FieldBlock(["Server": serverName, "Date": HTTPDate.string(wall.seconds)]).bytes
            staleAt = now &+ 1_000_000_000 &- UInt64(wall.nanoseconds)
        }
        output.append(contentsOf: bytes)
    }
}
