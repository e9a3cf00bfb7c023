internal import WidgetBytes

/// The markup that a kind of document may have beyond elements, text, comments and CDATA sections.
package struct XMLRules: Sendable {
    /// The name of the accepted document type, which has a public identifier and no declarations; `nil` for
    /// none.
    package var documentType: String?
    /// Encodings that a declaration may name, in small letters; all of them are read as UTF-8.
    package var encodings = ["utf-8", "us-ascii"]
    /// The most bytes of a name or of a quoted identifier, which are ASCII then; `nil` allows any.
    package var longestName: Int?

    package init() {}
}

/// Why a document was refused, before the position is worked out.
package struct XMLFault: Error {
    package var reason: XMLError.Reason
    /// The offset of the mistake.
    package var offset: Int
    /// The offset at which the mistaken markup begins.
    package var start: Int

    package init(_ reason: XMLError.Reason, at offset: Int, in start: Int? = nil) {
        (self.reason, self.offset, self.start) = (reason, offset, start ?? offset)
    }

    init(_ limit: XMLLimits.Name, of limits: XMLLimits, at offset: Int) {
        self.init(.limitReached(limit, limit: limits.limit(limit)), at: offset)
    }
}

/// Reads the pieces of XML one after the other, without regard to the meaning of elements.
///
/// Only the five predefined entities and UTF-8 are accepted, and processing instructions are refused. A byte order mark
/// is accepted, because it announces UTF-8. The scanner keeps nothing it has read, and does not recurse.
package struct XMLScanner: Sendable {
    package let rules: XMLRules
    package var position = 0

    package init(rules: XMLRules = XMLRules()) {
        self.rules = rules
    }

    // MARK: Before and after the root element

    /// The byte order mark and the declaration, if they are there.
    package mutating func declaration(_ bytes: Span<UInt8>) throws(XMLFault) {
        _ = skip("\u{FEFF}", bytes)
        let start = position
        guard skip("<?xml", bytes) else { return }
        var names: [String] = []
        while true {
            let before = position
            skipWhitespace(bytes)
            if skip("?>", bytes) { break }
            guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
            guard position > before else { throw XMLFault(.xmlDeclaration, at: position, in: start) }
            let offset = position
            let name = name(bytes)
            guard try equals(bytes) else { throw XMLFault(.xmlDeclaration, at: offset, in: start) }
            let value: String
            do { value = try literal(bytes, orThrow: .xmlDeclaration) } catch { throw XMLFault(error, in: start) }
            switch (name, value.lowercased()) {
            case ("version", "1.0") where names.isEmpty: break
            case ("encoding", let encoding) where names == ["version"]:
                guard rules.encodings.contains(encoding) else {
                    throw XMLFault(.unsupportedEncoding, at: offset, in: start)
                }
            case ("standalone", "yes"), ("standalone", "no"):
                guard names.first == "version", !names.contains("standalone") else { fallthrough }
            default: throw XMLFault(.xmlDeclaration, at: offset, in: start)
            }
            names.append(name)
        }
        guard !names.isEmpty else { throw XMLFault(.xmlDeclaration, at: position, in: start) }
    }

    /// White space, comments and the document type, up to the root element's tag or the end.
    ///
    /// - Returns: whether there is a document type.
    package mutating func prolog(_ bytes: Span<UInt8>) throws(XMLFault) -> Bool {
        var hasDocumentType = false
        while true {
            try misc(bytes)
            let start = position
            guard skip("<!DOCTYPE", bytes) else { return hasDocumentType }
            guard let name = rules.documentType, !hasDocumentType else { throw XMLFault(.documentType, at: start) }
            hasDocumentType = true
            try documentType(name, bytes)
        }
    }

    /// ` plist PUBLIC "…" "…">`. An internal subset could declare entities, and is refused as such.
    private mutating func documentType(_ root: String, _ bytes: Span<UInt8>) throws(XMLFault) {
        for word in [root, "PUBLIC"] {
            let before = position
            skipWhitespace(bytes)
            guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
            let place = position
            if bytes[place] == UInt8(ascii: "[") { throw XMLFault(.internalSubset, at: place) }
            guard place > before, name(bytes) == word else {
                guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
                throw XMLFault(.documentType, at: place)
            }
        }
        for _ in 0..<2 {
            skipWhitespace(bytes)
            _ = try literal(bytes, orThrow: .documentType)
        }
        skipWhitespace(bytes)
        guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
        if bytes[position] == UInt8(ascii: "[") { throw XMLFault(.internalSubset, at: position) }
        guard bytes[position] == UInt8(ascii: ">") else { throw XMLFault(.documentType, at: position) }
        position += 1
    }

    /// White space and comments after the root element, up to the end.
    package mutating func epilog(_ bytes: Span<UInt8>) throws(XMLFault) {
        do {
            try misc(bytes)
        } catch {
            throw error.reason == .unexpectedText ? XMLFault(.trailingContent, at: error.offset) : error
        }
        guard position == bytes.count else { throw XMLFault(.trailingContent, at: position) }
    }

    /// White space and comments, up to the next tag or the end.
    package mutating func misc(_ bytes: Span<UInt8>) throws(XMLFault) {
        while true {
            skipWhitespace(bytes)
            guard position < bytes.count else { return }
            let offset = position
            guard bytes[offset] == UInt8(ascii: "<") else { throw XMLFault(.unexpectedText, at: offset) }
            // Most are tags, which begin with a letter or a slash.
            guard offset + 1 < bytes.count, bytes[offset + 1] < UInt8(ascii: "A"),
                bytes[offset + 1] != UInt8(ascii: "/")
            else { return }
            if skip("<!--", bytes) {
                try comment(bytes)
            } else if skip("<?", bytes) {
                throw XMLFault(.processingInstruction, at: offset)
            } else {
                return
            }
        }
    }

    /// A comment, after its beginning. Two hyphens end it or break it (XML 1.0 §2.5).
    package mutating func comment(_ bytes: Span<UInt8>) throws(XMLFault) {
        let start = position - 4
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "-"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "-")
            {
                position += 2
                guard position < bytes.count else { break }
                guard bytes[position] == UInt8(ascii: ">") else {
                    throw XMLFault(.invalidComment, at: position - 2, in: start)
                }
                position += 1
                return
            }
            position += 1
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    // MARK: Tags

    /// The beginning of a tag up to its name: `<name` or `</name`. What follows depends on the kind of document.
    package struct TagStart {
        package var offset: Int
        package var isEnd: Bool
        /// Empty for markup without a name.
        package var name: Range<Int>
    }

    package mutating func tagStart(_ bytes: Span<UInt8>) throws(XMLFault) -> TagStart {
        let offset = position
        guard offset + 1 < bytes.count else {
            position = bytes.count
            throw XMLFault(.truncated, at: position)
        }
        position += 1
        if bytes[position] == UInt8(ascii: "!") { throw XMLFault(.markupDeclaration, at: offset) }
        let isEnd = bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let start = position
        skipName(bytes)
        guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
        return TagStart(offset: offset, isEnd: isEnd, name: start..<position)
    }

    /// `=`, with white space around it.
    package mutating func equals(_ bytes: Span<UInt8>) throws(XMLFault) -> Bool {
        skipWhitespace(bytes)
        guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: "=") else { return false }
        position += 1
        skipWhitespace(bytes)
        return true
    }

    /// Text in quotes of either kind, without markup in it.
    package mutating func literal(
        _ bytes: Span<UInt8>, orThrow reason: XMLError.Reason
    ) throws(XMLFault) -> String {
        guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
        let quote = bytes[position]
        let offset = position
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw XMLFault(reason, at: offset) }
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), text.count < XMLScanner.longestLiteral else {
                throw XMLFault(reason, at: offset)
            }
            text.append(byte)
        }
        throw XMLFault(.truncated, at: position)
    }

    /// The longest identifier accepted in a document type.
    private static let longestLiteral = 256

    /// Reads a name; empty if the text does not begin one.
    package mutating func name(_ bytes: Span<UInt8>) -> String {
        let start = position
        skipName(bytes)
        return XMLScanner.text(bytes, start..<position)
    }

    package static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var copy: [UInt8] = []
        copy.append(copying: bytes.extracting(range))
        return String(decoding: copy, as: UTF8.self)
    }

    /// Letters, digits and the marks that occur in names, as XML 1.0 has them, but with every character above ASCII let
    /// through, where any is.
    package mutating func skipName(_ bytes: Span<UInt8>) {
        let isASCII = rules.longestName != nil
        let end = min(bytes.count - position, rules.longestName ?? .max) + position
        while position < end {
            switch bytes[position] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
                UInt8(ascii: "_"):
                position += 1
            case 0x80... where !isASCII: position += 1
            default: return
            }
        }
    }

    // MARK: Text

    /// Adds the text up to the next `<`, references resolved and line ends as XML 1.0 §2.11 has them.
    package mutating func characters(into text: inout [UInt8], _ bytes: Span<UInt8>) throws(XMLFault) {
        while true {
            let start = position
            skipPlain(bytes)
            if position > start { text.append(copying: bytes.extracting(start..<position)) }
            guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "<"): return
            case UInt8(ascii: "&"): try reference(into: &text, bytes)
            case UInt8(ascii: "]"):
                if isSectionEnd(bytes) { throw XMLFault(.sectionEndInText, at: position) }
                text.append(byte)
                position += 1
            default: appendNormalised(byte, to: &text, bytes)
            }
        }
    }

    /// Adds the text of a CDATA section, if one begins here.
    package mutating func section(into text: inout [UInt8], _ bytes: Span<UInt8>) throws(XMLFault) -> Bool {
        guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "!"), skip("<![CDATA[", bytes) else {
            return false
        }
        while position < bytes.count {
            if isSectionEnd(bytes) {
                position += 3
                return true
            }
            appendNormalised(bytes[position], to: &text, bytes)
        }
        throw XMLFault(.truncated, at: position)
    }

    /// Skips characters that are copied as they are.
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

    private func isSectionEnd(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count - position >= 3, bytes[position] == UInt8(ascii: "]") else { return false }
        return bytes[position + 1] == UInt8(ascii: "]") && bytes[position + 2] == UInt8(ascii: ">")
    }

    /// One of the five entities, or a character by its number.
    package mutating func reference(into text: inout [UInt8], _ bytes: Span<UInt8>) throws(XMLFault) {
        let offset = position
        position += 1
        let isNumeric = position < bytes.count && bytes[position] == UInt8(ascii: "#")
        if isNumeric { position += 1 }
        let start = position
        skipName(bytes)
        let range = start..<position
        let name = bytes.extracting(range)
        guard position < bytes.count else { throw XMLFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ";") else {
            throw XMLFault(
                isNumeric ? .invalidCharacterReference : .unknownEntity(XMLScanner.text(bytes, range)), at: offset)
        }
        position += 1
        if isNumeric {
            guard let scalar = XMLScanner.scalar(numbered: name), let encoded = UTF8.encode(scalar) else {
                throw XMLFault(.invalidCharacterReference, at: offset)
            }
            text.append(contentsOf: encoded)
            return
        }
        switch XMLScanner.spelling(of: name) {
        case 0x6C74: text.append(UInt8(ascii: "<"))
        case 0x6774: text.append(UInt8(ascii: ">"))
        case 0x61_6D70: text.append(UInt8(ascii: "&"))
        case 0x7175_6F74: text.append(UInt8(ascii: "\""))
        case 0x6170_6F73: text.append(UInt8(ascii: "'"))
        default: throw XMLFault(.unknownEntity(XMLScanner.text(bytes, range)), at: offset)
        }
    }

    /// The bytes of a short name as a number, the first one highest; 0 for one that is too long to be any.
    package static func spelling(of name: Span<UInt8>) -> UInt64 {
        guard name.count <= 8 else { return 0 }
        var spelling: UInt64 = 0
        for index in name.indices { spelling = spelling << 8 | UInt64(name[index]) }
        return spelling
    }

    /// `65` or `x41`: the number of a character that XML 1.0 allows.
    private static func scalar(numbered name: Span<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = !name.isEmpty && name[0] == UInt8(ascii: "x")
        let radix: UInt32 = isHexadecimal ? 16 : 10
        let first = isHexadecimal ? 1 : 0
        guard name.count > first else { return nil }
        var value: UInt32 = 0
        for index in first..<name.count {
            // No overflow: a number that is already too large ends here.
            guard let digit = Hex.value(of: name[index]), digit < radix, value <= 0x10_FFFF else { return nil }
            value = value * radix + UInt32(digit)
        }
        return isCharacter(value) ? Unicode.Scalar(value) : nil
    }

    // MARK: Bytes

    /// Refuses bytes that are not UTF-8 or not characters of XML 1.0 (§2.2), before the text is read.
    ///
    /// - Parameter allowsControls: Apple's writer lets control characters through.
    package static func checkCharacters(_ bytes: Span<UInt8>, allowsControls: Bool = false) throws(XMLFault) {
        if bytes.count >= 2 {
            switch (bytes[0], bytes[1]) {
            case (0xFE, 0xFF), (0xFF, 0xFE), (0x00, 0x3C), (0x3C, 0x00), (0x00, 0x00):
                throw XMLFault(.unsupportedEncoding, at: 0)
            default: break
            }
        }
        var index = 0
        while index < bytes.count {
            // Most of any text.
            let byte = bytes[index]
            if byte &- 0x20 < 0x5F || byte == 0x0A || byte == 0x09 || byte == 0x0D {
                index &+= 1
                continue
            }
            switch UTF8Sequence(at: index, in: bytes) {
            case .scalar(let value, let byteCount):
                guard isCharacter(value) || allowsControls && (1..<0x20).contains(value) else {
                    throw XMLFault(.invalidCharacter(value), at: index)
                }
                index += byteCount
            case .truncated, .invalid: throw XMLFault(.invalidUTF8, at: index)
            }
        }
    }

    private static func isCharacter(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    package mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count, XMLScanner.isWhitespace(bytes[position]) { position += 1 }
    }

    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Skips this text if it comes next; returns true if it did.
    package mutating func skip(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let expected = text.description.utf8
        guard bytes.count - position >= expected.count else { return false }
        for (index, byte) in expected.enumerated() where bytes[position + index] != byte { return false }
        position += expected.count
        return true
    }
}

extension XMLFault {
    /// The same mistake in markup that begins elsewhere.
    fileprivate init(_ fault: XMLFault, in start: Int) {
        self.init(fault.reason, at: fault.offset, in: start)
    }
}
