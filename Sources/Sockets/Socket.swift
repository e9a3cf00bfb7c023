internal import CLinux
internal import Glibc

/// The outcome of one attempt to move bytes.
package enum Movement: Equatable, Sendable {
    case moved(Int)
    /// Nothing now; the poller will say when.
    case wouldBlock
    /// The peer's sending side is closed (reading), or the peer is gone (writing).
    case ended
    case failed
}

/// Every call on a connected socket, wrapped once. A socket here is a bare descriptor; its `ByteChannel` uses it.
package enum Socket {
    /// Reads what has arrived, at most as much as there is room for.
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

    /// Sends what the socket takes. `more` says that other bytes follow at once and may share a packet.
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
    /// `.ended` with nothing moved can also mean that the file is shorter than it was said to be.
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

    /// Says that nothing more will be sent; the peer can still send.
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
