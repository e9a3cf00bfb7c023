/// Header lines ready to be sent.
///
/// Names are our own words; values are checked, so that no text can end its line and begin another.
package struct FieldBlock: Equatable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ fields: KeyValuePairs<StaticString, String>) {
        for (name, value) in fields { add(name, value) }
    }

    /// Adds a line. A control character in the value becomes a space, anything outside ASCII a question mark.
    package mutating func add(_ name: StaticString, _ value: String) {
        // A static string's bytes live as long as the program.
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        for byte in value.utf8 {
            if byte >= 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                bytes.append(byte < 0x80 ? 0x20 : UInt8(ascii: "?"))
            }
        }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    package mutating func add(_ name: StaticString, _ value: Int) {
        add(name, String(value))
    }

    package mutating func add(_ other: FieldBlock) {
        bytes.append(contentsOf: other.bytes)
    }
}

/// The first line of an answer.
package enum StatusLine {
    package static func bytes(_ status: Status) -> [UInt8] {
        Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
    }
}
