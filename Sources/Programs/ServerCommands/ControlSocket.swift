import JSONText
import LocalStore
import WidgetConsole
import WidgetSockets

/// The socket in the data directory through which its owner talks to the server that runs on it.
enum ControlSocket {
    /// The system's limit for the path of a socket.
    static let longestPath = 107
    private static let seconds = 30

    static func path(_ data: String) -> String { "\(data)/\(StoreNames.controlSocket)" }

    static func isUsable(_ path: String) -> Bool { path.utf8.count <= longestPath }

    struct Answer {
        var status: Int
        var body: [UInt8]
    }

    /// Asks the server; `nil` when no server runs.
    static func ask(_ data: String, _ method: String, _ target: String, body: [UInt8] = []) throws(SystemError)
        -> Answer?
    {
        let path = path(data)
        guard isUsable(path) else { return nil }
        let head =
            "\(method) \(target) HTTP/1.1\r\nHost: control\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        let answer: [UInt8]
        do throws(SystemError) {
            answer = try Probe.exchange(Array(head.utf8) + body, with: .unix(path: path), seconds: seconds)
        } catch {
            if error.hasNoListener { return nil }
            throw error
        }
        return parse(answer)
    }

    /// Takes apart an answer of our own server, which always says its length and then closes.
    static func parse(_ bytes: [UInt8]) -> Answer? {
        guard let status = Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self)),
            let end = bytes.indices.dropLast(3).first(where: { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) })
        else { return nil }
        return Answer(status: status, body: Array(bytes[(end + 4)...]))
    }

    /// Asks for an answer that takes long, and hands over its body as it comes.
    ///
    /// - Parameters:
    ///   - begin: receives the status and the head before the first byte of the body.
    ///   - receive: takes the next bytes, and says whether more are wanted.
    /// - Returns: whether a server is there.
    static func stream(
        _ data: String, _ method: String, _ target: String, begin: (Int, String) -> Void,
        receive: (ArraySlice<UInt8>) -> Bool
    ) throws(SystemError) -> Bool {
        let path = path(data)
        guard isUsable(path) else { return false }
        // In HTTP/1.0 the body is everything up to the end of the connection.
        let request = "\(method) \(target) HTTP/1.0\r\nHost: control\r\nContent-Length: 0\r\n\r\n"
        var head: [UInt8]? = []
        do throws(SystemError) {
            try Probe.exchange(Array(request.utf8), with: .unix(path: path), seconds: patience) { bytes in
                guard var known = head else { return receive(bytes) }
                known += bytes
                guard
                    let end = known.indices.dropLast(3).first(where: {
                        known[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10])
                    })
                else {
                    head = known
                    return known.count < 64 << 10
                }
                head = nil
                let text = String(decoding: known[..<end], as: UTF8.self)
                begin(Int(text.dropFirst(9).prefix(3)) ?? 0, text)
                let rest = known[(end + 4)...]
                return rest.isEmpty || receive(rest)
            }
        } catch {
            if error.hasNoListener { return false }
            throw error
        }
        return true
    }

    /// A scrub that reads one large archive slowly says nothing meanwhile.
    private static let patience = 600
}
