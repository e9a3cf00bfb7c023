package import JSONText
package import WidgetTestSupport

/// The client's end of a stream of server-sent events.
package final class EventStream {
    package struct Event: Equatable, Sendable {
        package var id: String?
        package var kind: String?
        package var data: String
    }

    /// The bytes of the answer's head, up to and with its empty line.
    package private(set) var head = ""
    /// The identifiers in the order in which they came, of events and of places without one.
    package private(set) var places: [String] = []
    private let connection: RawConnection
    private var raw: [UInt8] = []
    private var text: [UInt8] = []
    private var isChunked = false

    /// Asks for a feed and waits for the head of the answer.
    package init(port: UInt16, _ target: String, _ fields: [String] = [], token: String? = nil) throws {
        connection = try RawConnection(port: port)
        connection.send(Registry.request("GET", target, ["Accept: text/event-stream"] + fields, token: token))
        while true {
            if let end = raw.indices.dropLast(3).first(where: { Array(raw[$0..<($0 + 4)]) == [13, 10, 13, 10] }) {
                head = String(decoding: raw[..<(end + 4)], as: UTF8.self)
                raw.removeFirst(end + 4)
                break
            }
            guard read(20_000) else { throw Conversation.NoAnswer(description: "no head: \(raw.count) bytes") }
        }
        isChunked = head.lowercased().contains("transfer-encoding: chunked")
        unwrap()
    }

    package var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }

    private func read(_ patience: Int32) -> Bool {
        guard case .bytes(let bytes) = connection.receive(patience: patience) else { return false }
        raw += bytes
        return true
    }

    /// Takes the framing away from what has arrived.
    private func unwrap() {
        guard isChunked else {
            text += raw
            raw = []
            return
        }
        while let line = raw.firstIndex(of: 13), line + 1 < raw.count,
            let size = Int(String(decoding: raw[..<line], as: UTF8.self), radix: 16), line + 4 + size <= raw.count
        {
            text += raw[(line + 2)..<(line + 2 + size)]
            raw.removeFirst(line + 4 + size)
        }
    }

    /// The next block of lines up to an empty one: an event, or comments alone.
    private func block(_ patience: Int32) -> String? {
        while true {
            let all = String(decoding: text, as: UTF8.self)
            if let end = all.firstRange(of: "\n\n") {
                text = Array(all[end.upperBound...].utf8)
                return String(all[..<end.lowerBound])
            }
            guard read(patience) else { return nil }
            unwrap()
        }
    }

    /// The next event; comments are passed over. `nil` when none comes in time.
    package func next(patience: Int32 = RawConnection.unlimited) -> Event? {
        while let block = block(patience) {
            var event = Event(data: "")
            var hasData = false
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(parts[1].first == " " ? parts[1].dropFirst() : parts[1]) : ""
                switch parts[0] {
                case "id":
                    event.id = value
                    places.append(value)
                case "event": event.kind = value
                case "data":
                    event.data += (hasData ? "\n" : "") + value
                    hasData = true
                default: break
                }
            }
            if hasData { return event }
        }
        return nil
    }

    /// True if a comment arrives in time; events before it are skipped.
    package func hearsComment(patience: Int32 = RawConnection.unlimited) -> Bool {
        while let block = block(patience) {
            if block.split(separator: "\n").contains(where: { $0.hasPrefix(":") }) { return true }
        }
        return false
    }
}

extension WireAnswer {
    /// The value at a path of names and positions such as `candidates.0.sha256`.
    package subscript(_ path: String) -> JSONValue? {
        guard var value = json else { return nil }
        for step in path.split(separator: ".") {
            guard let next = Int(step).map({ value.element($0) }) ?? value[String(step)] else { return nil }
            value = next
        }
        return value
    }

    package var json: JSONValue? { try? JSONValue(parsing: body) }

    package func text(_ path: String) -> String? { self[path]?.string }
    package func number(_ path: String) -> Int? { self[path]?.integer.map(Int.init) }
    package func flag(_ path: String) -> Bool? { self[path]?.boolean }

    /// The names of the members at a path, in their order.
    package func names(_ path: String = "") -> [String] {
        (path.isEmpty ? json : self[path])?.object?.members.map(\.name) ?? []
    }

    /// One member of each element of a list.
    package func texts(_ list: String, _ member: String) -> [String] {
        self[list]?.array?.compactMap { $0[member]?.string } ?? []
    }

    /// The half-open ranges of buckets of a resolve document's candidates.
    package var buckets: [[Int]] {
        self["candidates"]?.array?.map { $0["buckets"]?.array?.compactMap { $0.integer.map(Int.init) } ?? [] } ?? []
    }
}

extension JSONValue {
    package func element(_ index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}
