@_spi(_Unicode) import Swift
internal import WidgetBytes

/// A number exactly as the document wrote it.
///
/// RFC 8259 §6 leaves range and precision to the reader; this one gives no digit away.
package struct JSONNumber: Sendable {
    /// The number's text, of the form RFC 8259 §6 allows.
    package let text: String

    init(validated text: String) {
        self.text = text
    }

    package init(_ value: Int64) {
        text = String(value)
    }

    /// `nil` for the values JSON cannot write.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The value when it is written as a whole number (no fraction, no exponent) and fits.
    package var integer: Int64? { Int64(text) }

    /// The value when it is a whole number that fits, however it is written; with a fraction or an exponent, only up to
    /// the largest that doubles count to.
    package var whole: Int64? {
        if let integer { return integer }
        guard let double, double.magnitude <= 0x1p53, let value = Int64(exactly: double), self == JSONNumber(value)
        else {
            return nil
        }
        return value
    }

    /// The nearest double; `nil` when the number is beyond the largest.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Equatable {
    /// Equal when both denote the same number, compared exactly: `1.0`, `1` and `10e-1` are equal,
    /// 9007199254740993 and 9007199254740992 are not.
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        guard let first = Decimal(left.text), let second = Decimal(right.text) else { return false }
        return first == second
    }

    /// Digits without zeros at either end, and the power of ten of the last digit.
    private struct Decimal: Equatable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        /// `nil` when the exponent is beyond counting; such numbers equal only their own spelling.
        init?(_ text: String) {
            var fractionCount = 0
            var isFraction = false
            var exponentText: Substring?
            for (index, byte) in zip(text.utf8.indices, text.utf8) {
                switch byte {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentText = text[text.utf8.index(after: index)...]
                default:
                    digits.append(byte)
                    if isFraction { fractionCount += 1 }
                }
                if exponentText != nil { break }
            }
            digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
            guard !digits.isEmpty else {
                isNegative = false
                return
            }
            if let exponentText {
                guard let value = Int32(exponentText) else { return nil }
                exponent = Int(value)
            }
            exponent -= fractionCount
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
        }
    }
}

/// The text of a document's strings. The parser has checked them, so nothing is refused here.
enum JSONStringText {
    static func string(of node: JSONNode, in bytes: Span<UInt8>) -> String {
        node.kind == .escapedString
            ? String(decoding: unescaped(node, in: bytes), as: UTF8.self) : copy(bytes.extracting(inside(node)))
    }

    static func number(_ node: JSONNode, in bytes: Span<UInt8>) -> JSONNumber {
        JSONNumber(validated: copy(bytes.extracting(node.span.range)))
    }

    /// Returns true if both strings have the same text, byte for byte.
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

    /// FNV-1a, 32 bits, of the string's canonical text.
    static func fingerprint(of node: JSONNode, in bytes: Span<UInt8>) -> UInt32 {
        let basis: UInt32 = 0x811C_9DC5
        let prime: UInt32 = 0x0100_0193
        if node.kind == .string {
            // Nearly every name is canonical, so it is looked at once.
            let text = bytes.extracting(inside(node))
            var value = basis
            var index = 0
            while index < text.count, text[index] < leastNormalized {
                value = (value ^ UInt32(text[index])) &* prime
                index &+= 1
            }
            if index == text.count { return value }
        }
        return canonicalText(of: node, in: bytes).reduce(basis) { ($0 ^ UInt32($1)) &* prime }
    }

    /// The first byte of U+0300, the least character that normalisation form C can change.
    private static let leastNormalized: UInt8 = 0xCC

    /// The string's text in normalisation form C, which canonically equivalent texts share.
    static func canonicalText(of node: JSONNode, in bytes: Span<UInt8>) -> [UInt8] {
        let text = text(node, in: bytes)
        guard text.contains(where: { $0 >= leastNormalized }) else { return text }
        var canonical: [UInt8] = []
        canonical.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self)._nfc {
            canonical.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return canonical
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
