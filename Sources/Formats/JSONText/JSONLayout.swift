/// The layout of JSON documents that people read: one member a line, and short values in one line.
package enum JSONLayout {
    /// Longer values are broken.
    private static let width = 100
    private static let step = 2

    /// Lays out a document that ``JSONWriter`` has written, which has no blanks between its tokens.
    package static func indented(_ document: [UInt8]) -> [UInt8] {
        let ends = ends(of: document)
        var result: [UInt8] = []
        result.reserveCapacity(document.count * 2)
        var depth = 0
        var lineStart = 0
        /// The end of the value that is written in one line.
        var lineEnd: Int?
        var texts = TextState()
        func breakLine() {
            result.append(UInt8(ascii: "\n"))
            lineStart = result.count
            result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * step))
        }
        for (index, byte) in document.enumerated() {
            if texts.take(byte) {
                result.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                guard lineEnd == nil, let end = ends[index] else { continue }
                if end - index + result.count - lineStart < width {
                    lineEnd = end
                } else {
                    depth += 1
                    breakLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if lineEnd == nil {
                    depth -= 1
                    breakLine()
                } else if lineEnd == index {
                    lineEnd = nil
                }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                if lineEnd == nil { breakLine() } else { result.append(UInt8(ascii: " ")) }
            case UInt8(ascii: ":"):
                result.append(byte)
                result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return result
    }

    /// The place of the bracket that closes each bracket.
    private static func ends(of document: [UInt8]) -> [Int: Int] {
        var ends: [Int: Int] = [:]
        var open: [Int] = []
        var texts = TextState()
        for (index, byte) in document.enumerated() where !texts.take(byte) {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let start = open.popLast() { ends[start] = index }
            default: continue
            }
        }
        return ends
    }

    /// Follows the texts of a document: brackets and commas in them do not count.
    private struct TextState {
        private var isInside = false
        private var isEscaped = false

        /// - Returns: true for a byte of a text, its quotation marks included.
        mutating func take(_ byte: UInt8) -> Bool {
            guard isInside else {
                isInside = byte == UInt8(ascii: "\"")
                return isInside
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInside = false
            }
            return true
        }
    }
}
