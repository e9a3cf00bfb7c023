internal import Bytes

extension XMLPlistParser {
    /// Names, attribute values and identifiers longer than this are none that belong here.
    private static let longestName = 256

    /// A tag: `<name>`, `</name>` or `<name/>`. Only `<plist>` may have an attribute, its version.
    mutating func tag(_ bytes: Span<UInt8>, allowsVersion: Bool = false) throws(PlistFault) -> XMLTag {
        let offset = position
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        position += 1
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        if bytes[position] == UInt8(ascii: "!") { throw PlistFault(.markupDeclaration, at: offset) }
        var kind = XMLTag.Kind.start
        if bytes[position] == UInt8(ascii: "/") {
            kind = .end
            position += 1
        }
        let start = position
        skipName(bytes)
        let name = bytes.extracting(start..<position)
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard !name.isEmpty else { throw PlistFault(.invalidTag, at: offset) }
        guard let element = XMLElement(named: name) else {
            position = start
            throw PlistFault(.unknownElement(self.name(bytes)), at: offset)
        }
        let before = position
        skipWhitespace(bytes)
        if allowsVersion, kind == .start, position > before { try version(bytes) }
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        if kind == .start, bytes[position] == UInt8(ascii: "/") {
            kind = .empty
            position += 1
        }
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ">") else {
            throw PlistFault(position > before && kind == .start ? .attribute : .invalidTag, at: position)
        }
        position += 1
        return XMLTag(element: element, kind: kind, offset: offset)
    }

    private mutating func version(_ bytes: Span<UInt8>) throws(PlistFault) {
        let offset = position
        guard skip("version", bytes) else { return }
        guard try equals(bytes), try literal(bytes, orThrow: .attribute) == "1.0" else {
            throw PlistFault(.attribute, at: offset)
        }
        skipWhitespace(bytes)
    }

    /// ASCII letters, digits and the marks that occur in names; empty when there is none.
    mutating func name(_ bytes: Span<UInt8>) -> String {
        let start = position
        skipName(bytes)
        return String(decoding: (start..<position).map { bytes[$0] }, as: UTF8.self)
    }

    mutating func skipName(_ bytes: Span<UInt8>) {
        let end = min(bytes.count, position + XMLPlistParser.longestName)
        while position < end {
            switch bytes[position] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
                UInt8(ascii: "_"):
                position += 1
            default: return
            }
        }
    }

    /// `=`, with white space around it.
    mutating func equals(_ bytes: Span<UInt8>) throws(PlistFault) -> Bool {
        skipWhitespace(bytes)
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: "=") else { return false }
        position += 1
        skipWhitespace(bytes)
        return true
    }

    /// Text in quotes of either kind, without markup in it.
    mutating func literal(_ bytes: Span<UInt8>, orThrow reason: PlistError.Reason) throws(PlistFault) -> String {
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        let quote = bytes[position]
        let offset = position
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw PlistFault(reason, at: offset) }
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), text.count < XMLPlistParser.longestName else {
                throw PlistFault(reason, at: offset)
            }
            text.append(byte)
        }
        throw PlistFault(.truncated, at: position)
    }
}
