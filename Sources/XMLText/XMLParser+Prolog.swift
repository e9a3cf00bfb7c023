extension XMLParser {
    /// `<?xml version="1.0" encoding="UTF-8"?>`, or nothing. Only an encoding that is not UTF-8 matters.
    mutating func declaration() throws(XMLFault) {
        let start = position
        guard skip("<?xml") else { return }
        guard let end = bytes[start...].prefix(256).firstIndex(of: UInt8(ascii: ">")),
            bytes[end - 1] == UInt8(ascii: "?"), end - 1 >= position
        else { throw XMLFault(.xmlDeclaration, at: start) }
        let words = String(decoding: bytes[position..<end - 1], as: UTF8.self)
        guard words.first?.isWhitespace == true else { throw XMLFault(.xmlDeclaration, at: start) }
        for word in words.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let quote = parts[1].first, quote == "\"" || quote == "'", parts[1].count >= 2,
                parts[1].last == quote
            else { throw XMLFault(.xmlDeclaration, at: start) }
            let value = parts[1].dropFirst().dropLast()
            switch parts[0] {
            case "version" where value == "1.0", "standalone" where value == "yes" || value == "no": break
            case "encoding":
                guard ["utf-8", "us-ascii"].contains(value.lowercased()) else {
                    throw XMLFault(.unsupportedEncoding, at: start)
                }
            default: throw XMLFault(.xmlDeclaration, at: start)
            }
        }
        position = end + 1
    }

    /// White space and comments outside the root element.
    mutating func misc() throws(XMLFault) {
        while true {
            skipWhitespace()
            let start = position
            if skip("<!--") {
                try comment()
            } else if skip("<!DOCTYPE") {
                throw XMLFault(.documentType, at: start)
            } else if skip("<?") {
                throw XMLFault(.processingInstruction, at: start)
            } else {
                return
            }
        }
    }

    /// A comment, whose beginning has been passed.
    mutating func comment() throws(XMLFault) {
        while position < bytes.count {
            if skip("--") {
                guard skip(">") else { throw XMLFault(.invalidComment, at: position - 2) }
                return
            }
            position += 1
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    mutating func skipWhitespace() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    /// Whether this text stands here; when it does, it is passed.
    mutating func skip(_ text: StaticString) -> Bool {
        let expected = text.description.utf8
        guard bytes.count - position >= expected.count else { return false }
        for (index, byte) in expected.enumerated() where bytes[position + index] != byte { return false }
        position += expected.count
        return true
    }
}
