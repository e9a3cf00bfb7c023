internal import Bytes

extension XMLPlistParser {
    /// Everything up to the value: mark, declaration, comments, document type, `<plist>`. Answers
    /// whether the property list ended with its first tag.
    mutating func prolog(_ bytes: Span<UInt8>) throws(PlistFault) -> Bool {
        _ = skip("\u{FEFF}", bytes)
        if skip("<?xml", bytes) { try declaration(bytes) }
        var hasDocumentType = false
        while true {
            let start = position
            try skipMisc(bytes)
            guard position < bytes.count else {
                throw PlistFault(start == 0 ? .emptyDocument : .truncated, at: position)
            }
            let offset = position
            guard skip("<!DOCTYPE", bytes) else { break }
            guard !hasDocumentType else { throw PlistFault(.documentType, at: offset) }
            hasDocumentType = true
            try documentType(bytes, from: offset)
        }
        let tag = try tag(bytes, allowsVersion: true)
        guard tag.element == .plist, tag.kind != .end else {
            throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset)
        }
        return tag.kind == .empty
    }

    /// After `</plist>`: white space and comments.
    mutating func epilog(_ bytes: Span<UInt8>) throws(PlistFault) {
        let start = position
        do {
            try skipMisc(bytes)
        } catch {
            throw error.reason == .unexpectedText ? PlistFault(.trailingContent, at: error.offset) : error
        }
        guard position == bytes.count else { throw PlistFault(.trailingContent, at: max(start, position)) }
    }

    /// White space and comments, up to the next tag or the end.
    mutating func skipMisc(_ bytes: Span<UInt8>) throws(PlistFault) {
        while true {
            skipWhitespace(bytes)
            guard position < bytes.count else { return }
            let offset = position
            guard bytes[offset] == UInt8(ascii: "<") else { throw PlistFault(.unexpectedText, at: offset) }
            // Most are tags, which begin with a letter or a slash.
            guard offset + 1 < bytes.count, bytes[offset + 1] < UInt8(ascii: "A"),
                bytes[offset + 1] != UInt8(ascii: "/")
            else { return }
            if skip("<!--", bytes) {
                try comment(bytes, from: offset)
            } else if skip("<?", bytes) {
                throw PlistFault(.processingInstruction, at: offset)
            } else {
                return
            }
        }
    }

    /// XML 1.0 §2.5: two hyphens end a comment or break it.
    private mutating func comment(_ bytes: Span<UInt8>, from offset: Int) throws(PlistFault) {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "-"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "-")
            {
                position += 2
                guard position < bytes.count else { break }
                guard bytes[position] == UInt8(ascii: ">") else { throw PlistFault(.invalidComment, at: offset) }
                position += 1
                return
            }
            position += 1
        }
        throw PlistFault(.truncated, at: bytes.count)
    }

    /// ` version="1.0" encoding="UTF-8"?>`, the encoding optional, and `standalone` after it.
    private mutating func declaration(_ bytes: Span<UInt8>) throws(PlistFault) {
        var names: [String] = []
        while true {
            let before = position
            skipWhitespace(bytes)
            if skip("?>", bytes) { break }
            guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
            guard position > before else { throw PlistFault(.xmlDeclaration, at: position) }
            let offset = position
            let name = name(bytes)
            guard try equals(bytes) else { throw PlistFault(.xmlDeclaration, at: offset) }
            let value = try literal(bytes, orThrow: .xmlDeclaration)
            switch (name, value.lowercased()) {
            case ("version", "1.0") where names.isEmpty: break
            case ("encoding", "utf-8") where names == ["version"]: break
            case ("encoding", _) where names == ["version"]: throw PlistFault(.unsupportedEncoding, at: offset)
            case ("standalone", "yes"), ("standalone", "no"):
                guard names.first == "version", !names.contains("standalone") else { fallthrough }
            default: throw PlistFault(.xmlDeclaration, at: offset)
            }
            names.append(name)
        }
        guard !names.isEmpty else { throw PlistFault(.xmlDeclaration, at: position) }
    }

    /// ` plist PUBLIC "…" "…">`. An internal subset could declare entities; it is a refusal of its own.
    private mutating func documentType(_ bytes: Span<UInt8>, from offset: Int) throws(PlistFault) {
        for word in ["plist", "PUBLIC"] {
            let before = position
            skipWhitespace(bytes)
            guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
            let place = position
            if bytes[place] == UInt8(ascii: "[") { throw PlistFault(.internalSubset, at: place) }
            guard place > before, name(bytes) == word else {
                guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
                throw PlistFault(.documentType, at: place)
            }
        }
        for _ in 0..<2 {
            skipWhitespace(bytes)
            _ = try literal(bytes, orThrow: .documentType)
        }
        skipWhitespace(bytes)
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        if bytes[position] == UInt8(ascii: "[") { throw PlistFault(.internalSubset, at: position) }
        guard bytes[position] == UInt8(ascii: ">") else { throw PlistFault(.documentType, at: position) }
        position += 1
    }
}
