internal import Bytes

extension XMLPlistParser {
    /// What stands between an element's tags, references resolved and line ends as XML 1.0 §2.11 has
    /// them, up to and including the end tag. Nothing but text and, where allowed, CDATA sections.
    mutating func text(of tag: XMLTag, allowsSections: Bool, _ bytes: Span<UInt8>) throws(PlistFault) -> [UInt8] {
        var text: [UInt8] = []
        guard tag.kind == .start else { return text }
        while true {
            let start = position
            skipPlain(bytes)
            if position > start { text.append(copying: bytes.extracting(start..<position)) }
            guard position < bytes.count else { break }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "<"):
                if allowsSections, isMarkup(bytes), skip("<![CDATA[", bytes) {
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

    /// Passes over what stands for itself, wherever it is.
    private mutating func skipPlain(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"), 0x0D: return
            default: position += 1
            }
        }
    }

    private mutating func appendNormalised(_ byte: UInt8, to text: inout [UInt8], _ bytes: Span<UInt8>) {
        position += 1
        guard byte == 0x0D else { return text.append(byte) }
        text.append(0x0A)
        if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    }

    private mutating func endTag(of element: XMLElement, _ bytes: Span<UInt8>) throws(PlistFault) {
        if skipPlainEnd(of: element, bytes) { return }
        let tag = try tag(bytes)
        guard tag.kind == .end else { throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset) }
        guard tag.element == element else {
            throw PlistFault(.mismatchedEnd(expected: element.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
    }

    /// The end as every writer spells it, with nothing between name and bracket.
    private mutating func skipPlainEnd(of element: XMLElement, _ bytes: Span<UInt8>) -> Bool {
        let start = position + 2
        let end = start + element.rawValue.utf8.count
        guard end < bytes.count, bytes[position + 1] == UInt8(ascii: "/"), bytes[end] == UInt8(ascii: ">"),
            XMLElement(named: bytes.extracting(start..<end)) == element
        else { return false }
        position = end + 1
        return true
    }

    private func isMarkup(_ bytes: Span<UInt8>) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "!")
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
        let isNumeric = position < bytes.count && bytes[position] == UInt8(ascii: "#")
        if isNumeric { position += 1 }
        let start = position
        skipName(bytes)
        let name = bytes.extracting(start..<position)
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ";") else {
            throw isNumeric ? PlistFault(.invalidCharacterReference, at: offset) : unknownEntity(name, at: offset)
        }
        position += 1
        if isNumeric {
            guard let scalar = XMLPlistParser.scalar(numbered: name), let encoded = UTF8.encode(scalar) else {
                throw PlistFault(.invalidCharacterReference, at: offset)
            }
            text.append(contentsOf: encoded)
            return
        }
        switch XMLElement.spelling(of: name) {
        case 0x6C74: text.append(UInt8(ascii: "<"))
        case 0x6774: text.append(UInt8(ascii: ">"))
        case 0x61_6D70: text.append(UInt8(ascii: "&"))
        case 0x7175_6F74: text.append(UInt8(ascii: "\""))
        case 0x6170_6F73: text.append(UInt8(ascii: "'"))
        default: throw unknownEntity(name, at: offset)
        }
    }

    private func unknownEntity(_ name: Span<UInt8>, at offset: Int) -> PlistFault {
        PlistFault(.unknownEntity(String(decoding: name.indices.map { name[$0] }, as: UTF8.self)), at: offset)
    }

    /// `65` or `x41`; the number must be that of a character XML 1.0 allows.
    private static func scalar(numbered name: Span<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = !name.isEmpty && name[0] == UInt8(ascii: "x")
        let radix: UInt32 = isHexadecimal ? 16 : 10
        let first = isHexadecimal ? 1 : 0
        guard name.count > first else { return nil }
        var value: UInt32 = 0
        for index in first..<name.count {
            // No overflow: what is already too large ends here.
            guard let digit = Hex.value(of: name[index]), digit < radix, value <= 0x10_FFFF else { return nil }
            value = value * radix + UInt32(digit)
        }
        return isCharacter(value) ? Unicode.Scalar(value) : nil
    }
}
