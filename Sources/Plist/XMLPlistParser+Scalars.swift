internal import Bytes

extension XMLPlistParser {
    mutating func string(_ tag: XMLTag, _ bytes: Span<UInt8>) throws(PlistFault) -> String {
        let text = try text(of: tag, allowsSections: true, bytes)
        guard CombiningMarks.offsetOfTooMany(in: text.span) == nil else {
            throw PlistFault(.tooManyMarks, at: tag.offset)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The value of an element that holds text.
    mutating func scalar(_ tag: XMLTag, _ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        if tag.element == .string { return .string(try string(tag, bytes)) }
        let start = position
        let text = try text(of: tag, allowsSections: false, bytes)
        switch tag.element {
        case .yes, .no:
            guard text.isEmpty else { throw PlistFault(.unexpectedText, at: start) }
            return .boolean(tag.element == .yes)
        case .data:
            do {
                return .data(try Base64.decode(text, skippingWhitespace: true))
            } catch {
                throw PlistFault(.invalidData, at: start)
            }
        case .date:
            guard let date = PlistDate(iso8601: XMLPlistParser.trimmed(text)) else {
                throw PlistFault(.invalidDate, at: start)
            }
            return .date(date)
        case .real:
            guard let value = XMLPlistParser.real(XMLPlistParser.trimmed(text)) else {
                throw PlistFault(.invalidReal, at: start)
            }
            return .real(value)
        default:
            return try XMLPlistParser.integer(XMLPlistParser.trimmed(text), at: start)
        }
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        // Mostly there is nothing to take away.
        if let first = text.first, let last = text.last, !isWhitespace(first), !isWhitespace(last) { return text }
        let rest = text.drop(while: isWhitespace)
        let end = rest.lastIndex { !isWhitespace($0) }
        return end.map { Array(rest[...$0]) } ?? []
    }

    /// A sign or none, then decimal digits, or `0x` and hexadecimal ones.
    private static func integer(_ text: [UInt8], at offset: Int) throws(PlistFault) -> PlistValue {
        var digits = text[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        var radix: UInt64 = 10
        if digits.count > 2, digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            radix = 16
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty else { throw PlistFault(.invalidInteger, at: offset) }
        var magnitude: UInt64? = 0
        for byte in digits {
            guard let digit = Hex.value(of: byte).map(UInt64.init), digit < radix else {
                throw PlistFault(.invalidInteger, at: offset)
            }
            magnitude = magnitude?.multiplied(by: radix)?.adding(digit)
        }
        guard let magnitude else { throw PlistFault(.integerOutOfRange, at: offset) }
        if !isNegative {
            return Int64(exactly: magnitude).map { .integer($0) } ?? .largeInteger(magnitude)
        }
        guard magnitude <= Int64.min.magnitude else { throw PlistFault(.integerOutOfRange, at: offset) }
        return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// `[+-]digits[.digits][e[+-]digits]`, digits on at least one side of the point; or one of the
    /// words for infinity and for what is no number.
    private static func real(_ text: [UInt8]) -> Double? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        let isSigned = isNegative || rest.first == UInt8(ascii: "+")
        if isSigned { rest.removeFirst() }
        if let first = rest.first, first | 0x20 >= UInt8(ascii: "a") {
            switch String(decoding: rest.map { $0 | 0x20 }, as: UTF8.self) {
            case "inf", "infinity": return isNegative ? -.infinity : .infinity
            case "nan": return isSigned ? nil : .nan
            default: return nil
            }
        }
        func digitCount() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest.removeFirst(count)
            return count
        }
        var count = digitCount()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            count += digitCount()
        }
        guard count > 0 else { return nil }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard digitCount() > 0 else { return nil }
        }
        guard rest.isEmpty, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}
