import Dispatch
import Glibc

/// A server of HTTP for this example: one request after the other, from this machine alone. Your server takes its place.
struct SmallServer {
    struct Request {
        let method: String
        let path: String
        let body: String
        fileprivate let head: [Substring]
        fileprivate let connection: Int32

        func cookie(_ name: String) -> String? {
            for line in head where line.lowercased().hasPrefix("cookie:") {
                for pair in line.dropFirst("cookie:".count).split(separator: ";") {
                    let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                    if parts.count == 2, parts[0] == name { return String(parts[1]) }
                }
            }
            return nil
        }

        /// The fields of a form, decoded.
        var fields: [(name: String, value: String)] {
            body.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (Request.decoded(parts[0]), parts.count > 1 ? Request.decoded(parts[1]) : "")
            }
        }

        private static func decoded(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                let digits = rest.prefix(2)
                if byte == UInt8(ascii: "%"), digits.count == 2,
                    let escape = UInt8(String(Substring(digits)), radix: 16)
                {
                    bytes.append(escape)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func answer(_ answer: Answer) {
            let head =
                ["HTTP/1.1 \(answer.status)", "Content-Type: \(answer.type)", "Content-Length: \(answer.body.count)"]
                + answer.fields + ["Connection: close", "", ""]
            _ = send(Array(head.joined(separator: "\r\n").utf8) + answer.body)
            close()
        }

        /// Begins an answer whose end is not known yet.
        func begin(type: String) {
            _ = send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n")
        }

        /// False if the client is gone.
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        func close() { Glibc.close(connection) }

        private func send(_ bytes: [UInt8]) -> Bool {
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

    struct Answer {
        var status = "200 OK"
        var type = "text/plain; charset=utf-8"
        var fields: [String] = []
        var body: [UInt8] = []
    }

    struct NotListening: Error {}

    let port: UInt16
    private let socket: Int32

    /// - Parameter port: 0 for any.
    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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

    /// The requests, as they come. Another thread waits for them, so that no task is held up.
    var requests: AsyncStream<Request> {
        AsyncStream { continuation in
            DispatchQueue(label: "requests").async {
                while let request = next() { continuation.yield(request) }
                continuation.finish()
            }
        }
    }

    /// Waits for a request; requests that are not whole within 64 KiB are closed.
    private func next() -> Request? {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return nil }
            if let request = read(connection) { return request }
            close(connection)
        }
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8_192)
        while bytes.count < 65_536 {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].split(separator: "\r\n")
                let length =
                    head.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
                let body = text[end.upperBound...]
                let line = head[0].split(separator: " ")
                if body.utf8.count >= length, line.count == 3 {
                    return Request(
                        method: String(line[0]), path: String(line[1]), body: String(body),
                        head: Array(head.dropFirst()), connection: connection)
                }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
        return nil
    }
}
