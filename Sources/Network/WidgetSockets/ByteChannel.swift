internal import CWidgetLinux
internal import Glibc

/// One connected stream of bytes: everything a server does with a connection's descriptor.
///
/// A channel is chosen when a connection is accepted. Today every channel is plain. A channel that encrypts is a
/// further case, and each `switch` here asks what it does differently: its handshake happens inside `receive` and
/// `send`, which may then wait for the other direction (`readinessToReceive`, `readinessToSend`); a short read does not
/// empty it (`isEmptied`); and it sends a file by reading and sending stretches of it.
///
/// A value without reference counting. The owner calls `close`, once.
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

    /// Returns true if reading `count` bytes into room for `capacity` has taken everything, so that the poller will
    /// report more.
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

/// The outcome of one attempt to move bytes.
package enum Movement: Equatable, Sendable {
    case moved(Int)
    /// Nothing now; the poller reports when.
    case wouldBlock
    /// The peer's sending side is closed (reading), or the peer is gone (writing).
    case ended
    case failed
}

/// Every call on a connected socket, wrapped once. A socket here is a bare descriptor; its `ByteChannel` uses it.
package enum Socket {
    /// Reads the bytes that have arrived, at most as many as there is room for.
    @inline(__always)
    static func receive(_ socket: Int32, into room: UnsafeMutableRawBufferPointer) -> Movement {
        while true {
            let count = unsafe recv(socket, room.baseAddress, room.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            let code = linux_errno()
            if Interruption.wouldBlock(code) { return .wouldBlock }
            if !Interruption.isTransient(code) { return .failed }
        }
    }

    /// Sends as many bytes as the socket takes. `more` says that other bytes follow at once and may share a packet.
    @inline(__always)
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, more: Bool) -> Movement {
        while true {
            let count = unsafe linux_send(socket, bytes.baseAddress, bytes.count, more ? 1 : 0)
            if count >= 0 { return .moved(count) }
            if let movement = movement(linux_errno()) { return movement }
        }
    }

    /// Sends two stretches of bytes in one call.
    static func send(
        _ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Movement {
        while true {
            let count = unsafe linux_send_two(
                socket, first.baseAddress, first.count, second.baseAddress, second.count)
            if count >= 0 { return .moved(count) }
            if let movement = movement(linux_errno()) { return movement }
        }
    }

    /// Sends a stretch of a file without bringing it into user memory.
    ///
    /// `.ended` with nothing moved can also mean that the file is shorter than expected.
    static func sendFile(_ socket: Int32, file: Int32, offset: Int, count: Int) -> Movement {
        var position = off_t(offset)
        while true {
            let moved = unsafe linux_sendfile(socket, file, &position, count)
            if moved > 0 { return .moved(moved) }
            if moved == 0 { return .ended }
            if let movement = movement(linux_errno()) { return movement }
        }
    }

    /// The bytes given to the kernel that the peer has not acknowledged.
    static func unacknowledged(_ socket: Int32) -> Int { Int(linux_unacknowledged(socket)) }

    /// Ends the sending direction; the peer can still send.
    static func finishSending(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Answers are sent as soon as they are written.
    static func disableDelay(_ socket: Int32) {
        _ = linux_set_option(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    package static func close(_ socket: Int32) {
        Glibc.close(socket)
    }

    /// The outcome a failed write means; `nil` when it should be tried again at once.
    private static func movement(_ code: Int32) -> Movement? {
        if Interruption.wouldBlock(code) { return .wouldBlock }
        if Interruption.isTransient(code) { return nil }
        return code == EPIPE || code == ECONNRESET ? .ended : .failed
    }
}
