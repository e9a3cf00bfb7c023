internal import Bytes

extension XMLPlistParser {
    /// What stands between an element's tags, references resolved and line ends as XML 1.0 §2.11 has
    /// them, up to and including the end tag. Nothing but text and, where allowed, CDATA sections.
    mutating func text(of tag: XMLTag, allowsSections: Bool, _ bytes: Span<UInt8>) throws(PlistFault) -> [UInt8] {
        var text: [UInt8] = []
        guard tag.kind == .start else { return text }
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "<"):
                if allowsSections, skip("<![CDATA[", bytes) {
                    try section(into: &text, bytes)
                    continue
                }
                try endTag(of: tag.element, bytes)
                return text
            case UInt8(ascii: "&"):
                try reference(into: &text, bytes)
            case UInt8(ascii: "]"):
                let offset = position
                if isSectionEnd(bytes) { throw PlistFault(.sectionEndInText, at: offset) }
                text.append(byte)
                position += 1
            default:
                appendNormalised(byte, to: &text, bytes)
            }
        }
        throw PlistFault(.truncated, at: position)
    }

    private mutating func appendNormalised(_ byte: UInt8, to text: inout [UInt8], _ bytes: Span<UInt8>) {
        position += 1
        guard byte == 0x0D else { return text.append(byte) }
        text.append(0x0A)
        if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    }

    private mutating func endTag(of element: XMLElement, _ bytes: Span<UInt8>) throws(PlistFault) {
        let tag = try tag(bytes)
        guard tag.kind == .end else { throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset) }
        guard tag.element == element else {
            throw PlistFault(.mismatchedEnd(expected: element.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
    }

    private func isSectionEnd(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count - position >= 3, bytes[position] == UInt8(ascii: "]") else { return false }
        return bytes[position + 1] == UInt8(ascii: "]") && bytes[position + 2] == UInt8(ascii: ">")
    }

    private mutating func section(into text: inout [UInt8], _ bytes: Span<UInt8>) throws(PlistFault) {
        while position < bytes.count {
            if isSectionEnd(bytes) {
                position += 3
                return
            }
            appendNormalised(bytes[position], to: &text, bytes)
        }
        throw PlistFault(.truncated, at: position)
    }

    /// One of the five entities, or a character by its number.
    private mutating func reference(into text: inout [UInt8], _ bytes: Span<UInt8>) throws(PlistFault) {
        let offset = position
        position += 1
        let isNumeric = skip("#", bytes)
        let name = name(bytes)
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ";") else {
            throw PlistFault(isNumeric ? .invalidCharacterReference : .unknownEntity(name), at: offset)
        }
        position += 1
        if isNumeric {
            guard let scalar = XMLPlistParser.scalar(numbered: name), let encoded = UTF8.encode(scalar) else {
                throw PlistFault(.invalidCharacterReference, at: offset)
            }
            text.append(contentsOf: encoded)
            return
        }
        switch name {
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "amp": text.append(UInt8(ascii: "&"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        default: throw PlistFault(.unknownEntity(name), at: offset)
        }
    }

    /// `65` or `x41`; the number must be that of a character XML 1.0 allows.
    private static func scalar(numbered text: String) -> Unicode.Scalar? {
        let isHexadecimal = text.hasPrefix("x")
        let digits = isHexadecimal ? text.dropFirst() : text[...]
        guard digits.utf8.allSatisfy({ Hex.value(of: $0) != nil }),
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), isCharacter(value)
        else { return nil }
        return Unicode.Scalar(value)
    }
}
