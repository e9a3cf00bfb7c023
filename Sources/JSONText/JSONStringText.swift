internal import Bytes

/// What the strings of a document say. The parser has checked them, so nothing is refused here.
enum JSONStringText {
    static func string(of node: JSONNode, in bytes: Span<UInt8>) -> String {
        node.kind == .escapedString
            ? String(decoding: unescaped(node, in: bytes), as: UTF8.self) : copy(bytes.extracting(inside(node)))
    }

    static func number(_ node: JSONNode, in bytes: Span<UInt8>) -> JSONNumber {
        JSONNumber(validated: copy(bytes.extracting(node.span.range)))
    }

    /// Whether both say the same, byte for byte.
    static func areEqual(_ left: JSONNode, _ right: JSONNode, in bytes: Span<UInt8>) -> Bool {
        if left.kind == .escapedString || right.kind == .escapedString {
            return text(left, in: bytes) == text(right, in: bytes)
        }
        guard left.byteCount == right.byteCount else { return false }
        for index in 0..<left.byteCount where bytes[left.offset &+ index] != bytes[right.offset &+ index] {
            return false
        }
        return true
    }

    static func precedes(_ left: JSONNode, _ right: JSONNode, in bytes: Span<UInt8>) -> Bool {
        text(left, in: bytes).lexicographicallyPrecedes(text(right, in: bytes))
    }

    static func equals(_ node: JSONNode, _ expected: String, in bytes: Span<UInt8>) -> Bool {
        if node.kind == .escapedString { return unescaped(node, in: bytes).elementsEqual(expected.utf8) }
        guard node.byteCount &- 2 == expected.utf8.count else { return false }
        var position = node.offset &+ 1
        for byte in expected.utf8 {
            if bytes[position] != byte { return false }
            position &+= 1
        }
        return true
    }

    /// FNV-1a, 32 bits, of what the string says.
    static func fingerprint(of node: JSONNode, in bytes: Span<UInt8>) -> UInt32 {
        var value: UInt32 = 0x811C_9DC5
        if node.kind == .escapedString {
            for byte in unescaped(node, in: bytes) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
        } else {
            let text = bytes.extracting(inside(node))
            for index in text.indices { value = (value ^ UInt32(text[index])) &* 0x0100_0193 }
        }
        return value
    }

    /// Between the quotes.
    private static func inside(_ node: JSONNode) -> Range<Int> {
        node.offset &+ 1..<node.offset &+ node.byteCount &- 1
    }

    private static func text(_ node: JSONNode, in bytes: Span<UInt8>) -> [UInt8] {
        if node.kind == .escapedString { return unescaped(node, in: bytes) }
        let text = bytes.extracting(inside(node))
        return text.indices.map { text[$0] }
    }

    private static func unescaped(_ node: JSONNode, in bytes: Span<UInt8>) -> [UInt8] {
        let text = bytes.extracting(inside(node))
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "\\"), let escape = try? JSONEscape(at: index, in: text),
                let scalar = Unicode.Scalar(escape.scalar)
            {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                index = escape.end
            } else {
                result.append(text[index])
                index &+= 1
            }
        }
        return result
    }

    /// The way from bytes to a `String` that needs no unsafe promise; the bytes are known to be UTF-8.
    private static func copy(_ bytes: Span<UInt8>) -> String {
        guard let text = try? UTF8Span(validating: bytes) else { return "" }
        return String(copying: text)
    }
}
