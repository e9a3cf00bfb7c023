internal import Addresses
internal import Sockets

/// What a loop keeps for every connection, in use or idle: a few dozen bytes and nothing else.
///
/// Whatever is needed only while a request is under way lives in an `Exchange`, made when a request
/// cannot be answered within the turn it arrived in.
struct Connection {
    enum Phase: UInt8 {
        /// The slot is not in use.
        case free
        /// Between requests.
        case idle
        /// Part of a head has arrived.
        case head
        /// A wanted body is arriving.
        case body
        /// An unwanted body is arriving and read away.
        case discarding
        /// Somebody else is working on the answer, or feeding a stream that has nothing to send.
        case waiting
        /// An answer is on its way and the client's window is full.
        case sending
        /// Everything has been sent; what still arrives is dropped until the client stops.
        case lingering
    }

    struct Marks: OptionSet {
        let rawValue: UInt8
        /// An edge was reported that has not been read to its end.
        static let mayRead = Marks(rawValue: 1)
        /// The client will send no more.
        static let halfClosed = Marks(rawValue: 2)
        /// The connection ends with the present answer.
        static let closes = Marks(rawValue: 4)
        /// The peer is counted in the table of addresses.
        static let isCounted = Marks(rawValue: 8)
    }

    var socket: Int32 = -1
    /// Tells events of this connection from those of an earlier one in the same slot.
    var generation: UInt32 = 0
    var phase: Phase = .free
    var marks: Marks = []
    var listener: UInt8 = 0
    /// Bytes moved since the rate was last looked at, or discarded while lingering.
    var progress: UInt32 = 0
    /// When something has to have happened, on the loop's clock.
    var deadline: UInt64 = .max
    var peer = IPAddress(high: 0, low: 0)
    var exchange: Exchange?
}
