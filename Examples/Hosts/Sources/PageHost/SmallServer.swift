import Dispatch
import Glibc
import WidgetPages

/// A server of HTTP for this example: one request after the other, from this machine alone. Your server takes its place.
struct SmallServer {
    struct Request: Sendable {
        let method: String
        let path: String
        let fields: [(name: String, value: String)]
        let body: [UInt8]
        /// The address of the client; here it is always this machine's.
        let client = "127.0.0.1"
        fileprivate let connection: Int32

        /// Sends a whole answer.
        func answer(_ type: String, _ text: String, status: String = "200 OK") {
            // A page with elements is one visitor's, and is not kept.
            let fields = [
                ("Content-Type", type), ("Content-Security-Policy", Page.policy), ("Cache-Control", "no-store"),
            ]
            send(status, fields, Array(text.utf8))
        }

        /// Sends what the widgets answer, which may go on for as long as the client is there.
        func send(_ answer: SiteAnswer) async {
            switch answer.body {
            case .bytes(let bytes): send("\(answer.status) OK", answer.fields, bytes)
            case .stream(let pieces):
                write(head("\(answer.status) OK", answer.fields))
                for await piece in pieces {
                    guard write(piece) else { break }
                }
                close(connection)
            }
        }

        private func send(_ status: String, _ fields: [(name: String, value: String)], _ body: [UInt8]) {
            write(head(status, fields + [("Content-Length", "\(body.count)")]) + (method == "HEAD" ? [] : body))
            close(connection)
        }

        private func head(_ status: String, _ fields: [(name: String, value: String)]) -> [UInt8] {
            let lines =
                ["HTTP/1.1 \(status)"] + fields.map { "\($0.name): \($0.value)" } + ["Connection: close", "", ""]
            return Array(lines.joined(separator: "\r\n").utf8)
        }

        /// False if the client is gone.
        @discardableResult
        private func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    struct NotListening: Error {}

    let port: UInt16
    private let socket: Int32

    /// - Parameter port: 0 for any.
    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var reuses: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (socket, length)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw NotListening() }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// The requests, as they come. Other threads wait for them, so that no task and no other request is held up.
    var requests: AsyncStream<Request> {
        AsyncStream { continuation in
            DispatchQueue(label: "connections").async {
                while case let connection = accept(socket, nil, nil), connection >= 0 {
                    DispatchQueue.global().async {
                        if let request = read(connection) { continuation.yield(request) } else { close(connection) }
                    }
                }
                continuation.finish()
            }
        }
    }

    /// Reads a request that is whole within a minute and 1 MiB.
    private func read(_ connection: Int32) -> Request? {
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8_192)
        let end = Array("\r\n\r\n".utf8)
        while bytes.count < 1 << 20 {
            if let head = bytes.firstRange(of: end) {
                let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let fields = lines.dropFirst().map { line in
                    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    return (name: String(parts[0]), value: String(parts.dropFirst().first?.drop { $0 == " " } ?? ""))
                }
                let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
                let (line, body) = (lines.first?.split(separator: " ") ?? [], bytes[head.upperBound...])
                if body.count >= length, line.count == 3 {
                    return Request(
                        method: String(line[0]), path: String(line[1]), fields: fields, body: Array(body),
                        connection: connection)
                }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
        return nil
    }
}
