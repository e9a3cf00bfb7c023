internal import HTTPWire
internal import Sockets

/// The lines every answer has, written anew at most once a second: Server, Date, and the name of Request-Id.
struct DateLine {
    let bytes: [UInt8]
    /// When the second ends, on the loop's clock.
    let staleAt: UInt64

    /// Lines that are stale from the beginning.
    init() {
        bytes = []
        staleAt = 0
    }

    init(now: UInt64, serverName: String) {
        let wall = WallClock.now()
        let lines = FieldBlock(["Server": serverName, "Date": HTTPDate.string(wall.seconds)])
        bytes = lines.bytes + Array("Request-Id: ".utf8)
        staleAt = now &+ 1_000_000_000 &- UInt64(wall.nanoseconds)
    }
}
