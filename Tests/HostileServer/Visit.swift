internal import Glibc
package import HTTPWire
package import TestSupport

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
    /// How many requests the server had before this one.
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
    package func send(_ bytes: [UInt8]) { connection.send(bytes) }

    /// An answer as it should be; the connection goes on afterwards.
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

    package func rest(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    /// Ends the connection with a reset.
    package func reset() { connection.reset() }
}
