internal import CLinux
internal import Foundation
internal import Glibc
internal import HTTPWire
internal import Synchronization
internal import TestSupport

/// A server on loopback that does what its script says, which no honest server would: each request is parsed as ours
/// are, then the script has the connection.
package final class HostileServer: Sendable {
    package typealias Script = @Sendable (Visit) -> Void

    package struct DidNotStart: Error {}

    package let port: UInt16
    private let listener: Int32
    private let script: Script
    private let log = Mutex([Visit.Request]())
    private let isOver = Atomic<Bool>(false)

    /// - Parameter script: what happens to each request, on a thread of its connection's own.
    package init(_ script: @escaping Script) throws {
        self.script = script
        listener = linux_blocking_socket(AF_INET)
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        var port: UInt16 = 0
        // Sixteen bytes are read, one number is written.
        guard unsafe linux_bind_ip(listener, loopback, 1, 0) == 0, listen(listener, 256) == 0,
            unsafe linux_local_port(listener, &port) == 0
        else { throw DidNotStart() }
        self.port = port
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let descriptor = Glibc.accept(listener, nil, nil)
                guard descriptor >= 0, let server = self, !server.isOver.load(ordering: .relaxed) else {
                    if descriptor >= 0 { close(descriptor) }
                    close(listener)
                    return
                }
                Thread.detachNewThread { server.serve(descriptor) }
            }
        }
    }

    /// Ends the listening; connections end with their scripts.
    package func stop() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    deinit { stop() }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Every request so far, in the order they came.
    package var requests: [Visit.Request] { log.withLock { $0 } }

    private func serve(_ descriptor: Int32) {
        _ = linux_set_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        let connection = RawConnection(adopting: descriptor)
        defer { connection.close() }
        var rest: [UInt8] = []
        while let (request, behind) = HostileServer.read(from: connection, rest) {
            let number = log.withLock { log in
                log.append(request)
                return log.count - 1
            }
            let visit = Visit(request, number: number, connection: connection, behind: behind)
            script(visit)
            guard visit.isGoingOn else { return }
            rest = visit.behind
        }
    }

    /// The next request, and what came behind its head.
    private static func read(from connection: RawConnection, _ rest: [UInt8]) -> (Visit.Request, [UInt8])? {
        var bytes = rest
        var head = RequestHead()
        while true {
            switch RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits()) {
            case .complete: return (Visit.Request(head, bytes), Array(bytes[head.byteCount...]))
            case .refused: return nil
            case .incomplete:
                guard case .bytes(let more) = connection.receive() else { return nil }
                bytes += more
            }
        }
    }
}
