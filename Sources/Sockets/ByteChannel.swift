/// One connected stream of bytes: everything a server does with a connection's descriptor.
///
/// A channel is chosen when a connection is accepted. Today every channel is plain. A channel that encrypts is a
/// further case, and each `switch` here asks what it does differently: its handshake happens inside `receive` and
/// `send`, which may then wait for the other direction (`readinessToReceive`, `readinessToSend`); a short read does not
/// empty it (`isEmptied`); and it sends a file by reading and sending stretches of it.
///
/// A value without reference counting of its own. The owner calls `close`, once.
package enum ByteChannel: Sendable {
    /// A socket whose bytes travel as they are.
    case plain(Int32)

    /// The channel of a connection that does not exist.
    package static let none = ByteChannel.plain(-1)

    /// The descriptor the poller watches.
    var descriptor: Int32 {
        switch self {
        case .plain(let socket): socket
        }
    }

    /// The readiness after which `receive` can succeed that would have blocked.
    package var readinessToReceive: Readiness {
        switch self {
        case .plain: .readable
        }
    }

    /// The readiness after which `send` and `sendFile` can succeed that would have blocked.
    package var readinessToSend: Readiness {
        switch self {
        case .plain: .writable
        }
    }

    /// Reads the bytes that have arrived, at most as many as there is room for.
    package func receive(into room: UnsafeMutableRawBufferPointer) -> Movement {
        switch self {
        case .plain(let socket): unsafe Socket.receive(socket, into: room)
        }
    }

    /// Whether reading `count` bytes into room for `capacity` has taken everything, so that the poller will report more.
    package func isEmptied(by count: Int, of capacity: Int) -> Bool {
        switch self {
        case .plain: count < capacity
        }
    }

    /// Sends as many bytes as the channel takes. `more` announces bytes that follow at once and may share a packet.
    package func send(_ bytes: UnsafeRawBufferPointer, more: Bool) -> Movement {
        switch self {
        case .plain(let socket): unsafe Socket.send(socket, bytes, more: more)
        }
    }

    /// Sends a stretch of a file. `.ended` can also mean that the file is shorter than the stretch.
    package func sendFile(_ file: Int32, offset: Int, count: Int) -> Movement {
        switch self {
        case .plain(let socket): Socket.sendFile(socket, file: file, offset: offset, count: count)
        }
    }

    /// The bytes this side has sent that the peer has not acknowledged yet.
    package var unacknowledged: Int {
        switch self {
        case .plain(let socket): Socket.unacknowledged(socket)
        }
    }

    /// Ends the sending direction; the peer can still send.
    package func finishSending() {
        switch self {
        case .plain(let socket): Socket.finishSending(socket)
        }
    }

    /// Sends answers as soon as they are written.
    package func disableDelay() {
        switch self {
        case .plain(let socket): Socket.disableDelay(socket)
        }
    }

    package func close() {
        switch self {
        case .plain(let socket): Socket.close(socket)
        }
    }
}
