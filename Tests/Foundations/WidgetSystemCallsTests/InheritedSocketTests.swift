import Dispatch
import Glibc
import Testing
import WidgetSystemCalls

/// Both ends of a connection in one process; the other end is used by bare calls of the system.
@Suite struct `A socket that the program was started with` {
    private func withPair(_ body: (_ socket: InheritedSocket, _ ours: Int32, _ other: Int32) -> Void) throws {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two descriptors, and the array holds two.
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        body(InheritedSocket(ends[0]), ends[0], ends[1])
        close(ends[0])
    }

    @Test func `Bytes arrive as they were sent, and after the last of them the end`() throws {
        try withPair { socket, _, other in
            let bytes = Array("hello".utf8)
            #expect(unsafe send(other, bytes, bytes.count, 0) == bytes.count)
            close(other)
            #expect(socket.read(count: 64).map(Array.init) == bytes)
            #expect(socket.read(count: 64) == nil)
        }
    }

    @Test func `A socket writes more than its buffer holds while the other side reads`() throws {
        try withPair { socket, _, other in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let reader = DispatchSemaphore(value: 0)
            let received = Received()
            DispatchQueue(label: "test.reader").async {
                var piece = [UInt8](repeating: 0, count: 65_536)
                while received.bytes.count < bytes.count {
                    let count = unsafe recv(other, &piece, piece.count, 0)
                    guard count > 0 else { break }
                    received.bytes += piece[..<count]
                }
                reader.signal()
            }
            #expect(socket.write(bytes))
            reader.wait()
            #expect(received.bytes == bytes)
            close(other)
        }
    }

    @Test func `Writing to a side that has closed fails without a signal`() throws {
        try withPair { socket, _, other in
            close(other)
            #expect(!socket.write([1, 2, 3]))
        }
    }

    @Test func `Programs that this one starts do not get the socket`() throws {
        try withPair { _, ours, other in
            #expect(fcntl(ours, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(other, F_GETFD) & FD_CLOEXEC == 0)
            close(other)
        }
    }

    /// Touched by one thread until it has signalled, and by another after that.
    private final class Received: @unchecked Sendable {
        var bytes: [UInt8] = []
    }
}
