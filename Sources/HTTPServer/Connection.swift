internal import Addresses
internal import Sockets

/// A loop's entry for one connection, in use or idle: a few dozen bytes.
struct Connection {
    var channel = ByteChannel.none
    /// Distinguishes events of this connection from those of an earlier one in the same slot.
    var generation: UInt32 = 0
    var listener: UInt8 = 0
    /// Whether the peer is counted in the table of addresses.
    var isCounted = false
    var peer = IPAddress(high: 0, low: 0)
    var state = ConnectionState()
    /// Exists only while there is something in it.
    var activity: Activity?
}

/// The memory of a connection that is not idle, made when a request cannot be read and answered in one turn.
final class Activity {
    /// Bytes that arrived and have not been used: part of a head, or requests behind the present one.
    var input: [UInt8] = []
    /// How much of an unfinished head had arrived when it was last parsed.
    var examined = 0
    var output = OutputQueue()
    var exchange: Exchange?

    var isEmpty: Bool { input.isEmpty && output.isEmpty && exchange == nil }
}
