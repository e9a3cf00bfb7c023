internal import Bytes

extension XMLParser {
    /// Text up to the next `<`.
    mutating func characters() throws(XMLFault) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "<"): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "&"): try reference(into: &text)
            case UInt8(ascii: "]") where skip("]]>"): throw XMLFault(.sectionEndInText, at: position - 3)
            default: appendLine(byte, to: &text)
            }
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    /// A CDATA section, whose beginning has been passed.
    mutating func section() throws(XMLFault) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            if skip("]]>") { return String(decoding: text, as: UTF8.self) }
            appendLine(bytes[position], to: &text)
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    /// White space that is written plainly counts as blanks (XML 1.0 §3.3.3).
    mutating func attributeValue(until quote: UInt8) throws(XMLFault) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case quote:
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "<"): throw XMLFault(.invalidTag, at: position)
            case UInt8(ascii: "&"): try reference(into: &text)
            case 0x09, 0x0A, 0x0D:
                if !skip("\r\n") { position += 1 }
                text.append(0x20)
            default:
                text.append(byte)
                position += 1
            }
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    /// One byte of text; every ending of a line is read as LF.
    private mutating func appendLine(_ byte: UInt8, to text: inout [UInt8]) {
        if byte == 0x0D {
            if !skip("\r\n") { position += 1 }
            text.append(0x0A)
        } else {
            text.append(byte)
            position += 1
        }
    }

    private mutating func reference(into text: inout [UInt8]) throws(XMLFault) {
        let start = position
        // The longest reference that means something is shorter.
        let end = bytes[start...].prefix(16).firstIndex(of: UInt8(ascii: ";"))
        guard let end else {
            throw XMLFault(bytes.count - start < 16 ? .truncated : .unknownEntity("&"), at: start)
        }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": text.append(UInt8(ascii: "&"))
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        default:
            guard name.hasPrefix("#") else { throw XMLFault(.unknownEntity(name), at: start) }
            let isHex = name.hasPrefix("#x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            // The conversion would take a sign.
            guard digits.utf8.allSatisfy({ Hex.value(of: $0) != nil }),
                let value = UInt32(digits, radix: isHex ? 16 : 10), XMLParser.isCharacter(value),
                let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar)
            else { throw XMLFault(.invalidCharacterReference, at: start) }
            text.append(contentsOf: encoded)
        }
    }

    /// Refuses, before anything else looks at the text, what is not UTF-8 or not a character of XML 1.0
    /// (§2.2).
    func checkCharacters() throws(XMLFault) {
        let span = bytes.span
        if bytes.count >= 2 {
            switch (bytes[0], bytes[1]) {
            case (0xFE, 0xFF), (0xFF, 0xFE), (0x00, 0x3C), (0x3C, 0x00), (0x00, 0x00):
                throw XMLFault(.unsupportedEncoding, at: 0)
            default: break
            }
        }
        var index = 0
        while index < span.count {
            switch UTF8Sequence(at: index, in: span) {
            case .scalar(let value, let byteCount):
                guard XMLParser.isCharacter(value) else { throw XMLFault(.invalidCharacter(value), at: index) }
                index += byteCount
            case .truncated, .invalid: throw XMLFault(.invalidUTF8, at: index)
            }
        }
    }

    static func isCharacter(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
