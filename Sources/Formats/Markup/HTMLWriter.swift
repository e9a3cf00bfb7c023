/// Writes a page of markup, which are literals of this program, and of text from any source, which is escaped.
package struct HTMLWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingBytes capacity: Int = 4_096) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func markup(_ markup: StaticString) {
        bytes.append(contentsOf: markup.description.utf8)
    }

    /// Text between tags or inside a quoted attribute.
    package mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
    }

    /// One element with text in it.
    package mutating func element(_ start: StaticString, _ text: String, _ end: StaticString) {
        markup(start)
        self.text(text)
        markup(end)
    }
}
