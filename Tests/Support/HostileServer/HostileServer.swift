internal import CWidgetLinux
internal import Foundation
internal import Glibc
package import HTTPWire
internal import Synchronization
package import WidgetTestSupport

/// A server on loopback that does what its script says, which no honest server would: each request is parsed as ours
/// are, then the script has the connection.
package final class HostileServer: Sendable {
    package typealias Script = @Sendable (Visit) -> Void

    package struct DidNotStart: Error {}

    package let port: UInt16
    private let service: Service

    /// - Parameter script: what happens to each request, on a thread of its connection's own.
    package init(_ script: @escaping Script) throws {
        let listener = linux_blocking_socket(AF_INET)
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        var port: UInt16 = 0
        // Sixteen bytes are read, one number is written.
        guard unsafe linux_bind_ip(listener, loopback, 1, 0) == 0, listen(listener, 256) == 0,
            unsafe linux_local_port(listener, &port) == 0
        else { throw DidNotStart() }
        self.port = port
        let service = Service(listener: listener, script: script)
        self.service = service
        Thread.detachNewThread { service.listen() }
    }

    /// Ends the listening; connections end with their scripts.
    package func stop() { service.stop() }

    deinit { stop() }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Every request so far, in the order they came.
    package var requests: [Visit.Request] { service.log.value }

    /// Returns when there have been so many requests.
    package func receives(_ count: Int) async { await service.log.becomes { $0.count >= count } }

    /// The part that threads hold; the server that tests hold ends it.
    private final class Service: Sendable {
        let log = Observed([Visit.Request]())
        private let listener: Int32
        private let script: Script
        private let isOver = Atomic<Bool>(false)

        init(listener: Int32, script: @escaping Script) {
            self.listener = listener
            self.script = script
        }

        func stop() {
            guard !isOver.exchange(true, ordering: .relaxed) else { return }
            shutdown(listener, Int32(SHUT_RDWR))
        }

        func listen() {
            while true {
                let descriptor = Glibc.accept(listener, nil, nil)
                guard descriptor >= 0, !isOver.load(ordering: .relaxed) else {
                    if descriptor >= 0 { close(descriptor) }
                    close(listener)
                    return
                }
                Thread.detachNewThread { self.serve(descriptor) }
            }
        }

        private func serve(_ descriptor: Int32) {
            _ = linux_set_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            let connection = RawConnection(adopting: descriptor)
            defer { connection.close() }
            var rest: [UInt8] = []
            while let (request, behind) = HostileServer.read(from: connection, rest) {
                let number = log.change { log in
                    log.append(request)
                    return log.count - 1
                }
                let visit = Visit(request, number: number, connection: connection, behind: behind)
                script(visit)
                guard visit.isGoingOn else { return }
                rest = visit.behind
            }
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

/// One request, and the power to do anything with the connection it came over.
package final class Visit {
    package struct Request: Sendable {
        package let method: String
        /// Path and query, as they were sent.
        package let target: String
        package let fields: [(name: String, value: String)]
        package let framing: BodyFraming

        init(_ head: RequestHead, _ bytes: [UInt8]) {
            func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
            method = text(head.methodName)
            target = text(head.path) + (head.query.map { "?" + text($0) } ?? "")
            fields = head.fields.map { (text($0.name), text($0.value)) }
            framing = head.framing
        }

        package func value(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    package let request: Request
    /// The number of requests before this one.
    package let number: Int
    package let connection: RawConnection
    private(set) var behind: [UInt8]
    private(set) var isGoingOn = false

    init(_ request: Request, number: Int, connection: RawConnection, behind: [UInt8]) {
        self.request = request
        self.number = number
        self.connection = connection
        self.behind = behind
    }

    /// Sends exactly this.
    package func send(_ text: String) { connection.send(text) }
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Int { connection.send(bytes) }

    /// A correct answer; the connection continues afterwards.
    package func answer(_ status: Int = 200, _ fields: [String] = [], body: [UInt8] = []) {
        let length = status == 304 || status == 204 ? [] : ["Content-Length: \(body.count)"]
        let lines = ["HTTP/1.1 \(status) Scripted"] + fields + length
        send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (request.method == "HEAD" ? [] : body))
        isGoingOn = true
    }

    package func answer(_ status: Int = 200, _ fields: [String] = [], text: String) {
        answer(status, fields, body: Array(text.utf8))
    }

    /// The body of the request, when it says how long it is.
    package func readBody() -> [UInt8] {
        guard case .length(let length) = request.framing else { return [] }
        while behind.count < length {
            guard case .bytes(let more) = connection.receive() else { break }
            behind += more
        }
        let body = Array(behind.prefix(length))
        behind.removeFirst(body.count)
        return body
    }

    /// Says nothing more until the client hangs up.
    package func hold() {
        while case .bytes = connection.receive() {}
    }

    /// Sends the same bytes until the client hangs up.
    package func sendForever(_ bytes: [UInt8]) {
        while connection.send(bytes) == bytes.count {}
    }

    /// Sends the bytes one by one, with pauses, until the client hangs up.
    package func drip(_ bytes: some Sequence<UInt8>, every milliseconds: Int32) {
        for byte in bytes { guard send([byte]) == 1, !connection.hangsUp(within: milliseconds) else { return } }
    }

    /// Ends the connection with a reset.
    package func reset() { connection.reset() }
}

/// A port on loopback that takes connections, and neither reads nor says anything.
package final class SilentPort: Sendable {
    package let port: UInt16
    private let listener: Int32

    package init() throws {
        listener = linux_blocking_socket(AF_INET)
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        var port: UInt16 = 0
        // Sixteen bytes are read, one number is written. The system takes connections by itself.
        guard unsafe linux_bind_ip(listener, loopback, 1, 0) == 0, listen(listener, 16) == 0,
            unsafe linux_local_port(listener, &port) == 0
        else { throw HostileServer.DidNotStart() }
        self.port = port
    }

    deinit { close(listener) }
}
