import CWidgetLinux
import Glibc

/// A client's end of a connection that sends exactly the bytes of each call, at once.
///
/// It waits for as long as it takes, because a busy machine answers late: a run of tests has its minutes, and names the tests
/// that did not end. A wait with a patience is for what must not come.
package final class RawConnection {
    /// The outcome of a wait for bytes.
    package enum Arrival: Equatable, Sendable {
        case bytes([UInt8])
        /// The server has closed its sending side.
        case end
        case reset
        case silence
    }

    /// The patience of a wait that lasts as long as it takes.
    package static let unlimited: Int32 = -1

    package let descriptor: Int32
    private var isOpen = true

    /// Takes over one end of a socket pair.
    package init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        _ = linux_set_nonblocking(descriptor)
    }

    /// Connects to a port of this machine, at an IPv4 address of the loopback network or at the IPv6 one.
    package convenience init(
        port: UInt16, host: [UInt8] = [127, 0, 0, 1], isV6: Bool = false, receiveBuffer: Int32? = nil
    ) throws {
        let descriptor = linux_blocking_socket(isV6 ? AF_INET6 : AF_INET)
        // Pieces are to arrive as pieces, and at once.
        _ = linux_set_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if let receiveBuffer { _ = linux_set_option(descriptor, SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
        var bytes = [UInt8](repeating: 0, count: 16)
        if isV6 { bytes[15] = 1 } else { bytes.replaceSubrange(10..<16, with: [0xFF, 0xFF] + host) }
        // Sixteen bytes are read.
        let isConnected = unsafe linux_connect_ip(descriptor, bytes, isV6 ? 0 : 1, port) == 0
        try self.init(connected: isConnected, descriptor)
    }

    package convenience init(unixPath: String) throws {
        let descriptor = linux_blocking_socket(AF_UNIX)
        try self.init(connected: unsafe linux_connect_unix(descriptor, unixPath) == 0, descriptor)
    }

    private convenience init(connected: Bool, _ descriptor: Int32) throws {
        guard connected else {
            let code = linux_errno()
            Glibc.close(descriptor)
            throw NoConnection(code: code)
        }
        self.init(adopting: descriptor)
    }

    package struct NoConnection: Error {
        package let code: Int32
        package var isRefused: Bool { code == ECONNREFUSED }
    }

    deinit { close() }

    // MARK: Sending

    /// Sends everything over a descriptor that another thread reads from.
    package static func sendAll(_ bytes: [UInt8], over descriptor: Int32) -> Int {
        let connection = RawConnection(adopting: descriptor)
        connection.isOpen = false
        return connection.send(bytes)
    }

    /// Sends everything, or as much as a server takes that stops listening.
    /// - Returns: how many bytes went.
    @discardableResult
    package func send(_ bytes: [UInt8], patience: Int32 = RawConnection.unlimited) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe linux_send(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count > 0 {
                sent += count
            } else if count < 0, linux_errno() == EAGAIN {
                guard wait(for: Int16(POLLOUT), patience) else { return sent }
            } else {
                return sent
            }
        }
        return sent
    }

    @discardableResult
    package func send(_ text: String) -> Int { send(Array(text.utf8)) }

    /// Sends what the server and the system take without waiting longer than `patience` for room; everything, without one.
    package func push(_ byteCount: Int, patience: Int32 = RawConnection.unlimited) -> Int {
        let block = [UInt8](repeating: 0x61, count: 256 * 1_024)
        var sent = 0
        while sent < byteCount {
            let wanted = min(block.count, byteCount - sent)
            let count = send(Array(block[..<wanted]), patience: patience)
            sent += count
            if count < wanted { break }
        }
        return sent
    }

    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    // MARK: Receiving

    package func receive(
        upTo limit: Int = 65_536, patience: Int32 = RawConnection.unlimited
    ) -> Arrival {
        var room = [UInt8](repeating: 0, count: limit)
        while true {
            let count = unsafe recv(descriptor, &room, limit, 0)
            if count > 0 { return .bytes(Array(room[..<count])) }
            if count == 0 { return .end }
            guard linux_errno() == EAGAIN else { return .reset }
            guard wait(for: Int16(POLLIN), patience) else { return .silence }
        }
    }

    /// Everything up to the end of the connection, and what that end was.
    package func receiveToEnd() -> (bytes: [UInt8], ending: Arrival) {
        var all: [UInt8] = []
        while true {
            let arrival = receive()
            guard case .bytes(let bytes) = arrival else { return (all, arrival) }
            all += bytes
        }
    }

    /// Blocks until the other end has closed, and reads nothing.
    ///
    /// - Returns: false if it has not in time.
    package func hangsUp(within milliseconds: Int32) -> Bool { wait(for: RawConnection.hangUp, milliseconds) }

    /// `POLLRDHUP`, which the C library has for programs of GNU alone.
    private static let hangUp: Int16 = 0x2000

    /// - Returns: whether the descriptor became ready in time.
    private func wait(for events: Int16, _ patience: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, patience)
            if count < 0, linux_errno() == EINTR { continue }
            return count > 0
        }
    }

    // MARK: Ending

    package func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    /// Ends the connection with a reset instead of a farewell.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // The option is read during the call.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Two connected sockets.
    package static func pair() -> (Int32, Int32)? {
        var both: (Int32, Int32) = (-1, -1)
        // Two descriptors are written.
        let isMade = unsafe withUnsafeMutableBytes(of: &both) {
            unsafe linux_socket_pair($0.baseAddress?.assumingMemoryBound(to: Int32.self)) == 0
        }
        return isMade ? both : nil
    }
}

/// A connection together with the answers read from it so far.
package final class Conversation {
    package let connection: RawConnection
    private var reader = AnswerReader(hasEnded: false)
    /// The end of the connection, once it has ended.
    package private(set) var ending: RawConnection.Arrival?

    package init(_ connection: RawConnection) { self.connection = connection }

    /// The failure that came instead of an answer.
    package struct NoAnswer: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    /// The next answer; anything about it that breaks a general rule is an error.
    package func next(isHead: Bool = false) throws -> WireAnswer {
        while true {
            switch reader.next(isHead: isHead) {
            case .answer(let answer):
                let complaints = answer.complaints(isHead: isHead)
                guard complaints.isEmpty else { throw NoAnswer(description: complaints.joined(separator: "; ")) }
                return answer
            case .malformed(let text): throw NoAnswer(description: "malformed: \(text)")
            case .end: throw NoAnswer(description: "the connection ended: \(ending.map { "\($0)" } ?? "")")
            case .incomplete:
                guard ending == nil else {
                    throw NoAnswer(
                        description: "cut off after \(reader.rest.count) bytes: \(ending.map { "\($0)" } ?? "")")
                }
                read()
            }
        }
    }

    private func read() {
        switch connection.receive(upTo: 262_144) {
        case .bytes(let bytes): reader.append(bytes)
        case let other:
            ending = other
            reader.hasEnded = true
        }
    }

    /// Sends a request and reads its answer.
    package func ask(_ request: String, isHead: Bool = false) throws -> WireAnswer {
        connection.send(request)
        return try next(isHead: isHead)
    }

    /// Bytes that came without being an answer to anything, and how the connection ended.
    package func remainder() -> (bytes: [UInt8], ending: RawConnection.Arrival) {
        while ending == nil { read() }
        return (reader.rest, ending ?? .end)
    }
}
