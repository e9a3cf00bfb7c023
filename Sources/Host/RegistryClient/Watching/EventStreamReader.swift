internal import WidgetBytes

/// Server-sent events, as the HTML standard has them (9.2.6), from bytes that come in any pieces.
package struct EventStreamReader: Sendable {
    package struct Event: Equatable, Sendable {
        /// The identifier to continue from; `nil` while the server has sent none.
        package var id: String?
        package var kind: String
        package var data: String
    }

    /// A line and an event may be this long. Ours are a few hundred bytes.
    package static let lineLimit = 64 << 10
    package static let eventLimit = 256 << 10

    package private(set) var lastID: String?
    /// The pause that the server wants before a reconnection.
    package private(set) var retry: Duration?

    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isFirstLine = true
    private var kind = ""
    private var data: [UInt8] = []
    private var hasData = false

    package init() {}

    /// The events that are complete with these bytes.
    package mutating func add(_ bytes: [UInt8]) throws(FetchError) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == 0x0D
            switch byte {
            case 0x0A where followsReturn: continue
            case 0x0A, 0x0D:
                if let event = try endLine() { events.append(event) }
            default:
                guard line.count < EventStreamReader.lineLimit else { throw FetchError(.endlessEvent) }
                line.append(byte)
            }
        }
        return events
    }

    /// Takes the line that has just ended.
    private mutating func endLine() throws(FetchError) -> Event? {
        var bytes = line[...]
        line.removeAll(keepingCapacity: true)
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        guard !bytes.isEmpty else { return dispatch() }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        let name = bytes[..<(colon ?? bytes.endIndex)]
        var value = colon.map { bytes[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            guard data.count + value.count < EventStreamReader.eventLimit else { throw FetchError(.endlessEvent) }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        case "event": kind = String(decoding: value, as: UTF8.self)
        case "id":
            // It comes back as a header field, which has to be one line of visible characters.
            if value.count <= 255, value.allSatisfy({ (0x20...0x7E).contains($0) }) {
                lastID = String(decoding: value, as: UTF8.self)
            }
        case "retry":
            if (1...9).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }),
                let milliseconds = Int(String(decoding: value, as: UTF8.self))
            {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer {
            kind = ""
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        guard hasData else { return nil }
        return Event(
            id: lastID, kind: kind.isEmpty ? "message" : kind, data: String(decoding: data, as: UTF8.self))
    }
}
