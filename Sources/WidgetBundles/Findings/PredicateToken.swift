/// The smallest parts of a predicate that a conservative reader tells apart.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// The text between quotes, escapes resolved.
        case string(String)
        /// A keyword, a number, a key path, a variable or a function's name.
        case word(String)
        case symbol(String)
        case open(UInt8)
        case close(UInt8)
        case comma
    }

    var kind: Kind
    var offset: Int

    var word: String? {
        if case .word(let text) = kind { text } else { nil }
    }

    var keyword: String? { word?.uppercased() }
}

extension PredicateToken {
    /// The tokens of a predicate, and what keeps it from being one.
    static func tokens(of format: String) -> (tokens: [PredicateToken], problems: [PredicateReading.Problem]) {
        let bytes = Array(format.utf8)
        var tokens: [PredicateToken] = []
        var problems: [PredicateReading.Problem] = []
        var index = 0
        while index < bytes.count {
            let start = index
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let text = string(bytes, &index) else {
                    problems.append(.init(code: .predicateSyntax, offset: start, detail: "the quotation does not end"))
                    return (tokens, problems)
                }
                tokens.append(PredicateToken(kind: .string(text), offset: start))
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                tokens.append(PredicateToken(kind: .open(bytes[index]), offset: start))
                index += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                tokens.append(PredicateToken(kind: .close(bytes[index]), offset: start))
                index += 1
            case UInt8(ascii: ","):
                tokens.append(PredicateToken(kind: .comma, offset: start))
                index += 1
            case UInt8(ascii: "%"):
                index += 1
                while index < bytes.count, isWord(bytes[index]) { index += 1 }
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                problems.append(
                    .init(
                        code: .predicateArgument, offset: start,
                        detail: "\(Excerpt.of(text)) stands for an argument, but a scheme's predicate has none"))
                tokens.append(PredicateToken(kind: .word("%"), offset: start))
            case UInt8(ascii: ";"), UInt8(ascii: "`"), UInt8(ascii: "\\"), 0..<0x20, 0x7F:
                index += 1
                problems.append(
                    .init(
                        code: .predicateSyntax, offset: start,
                        detail:
                            "\(Excerpt.of(String(decoding: bytes[start..<index], as: UTF8.self))) has no meaning here"
                    ))
            case let byte where isWord(byte):
                while index < bytes.count, isWord(bytes[index]) { index += 1 }
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                tokens.append(PredicateToken(kind: .word(text), offset: start))
            default:
                while index < bytes.count, isSymbol(bytes[index]) { index += 1 }
                index = max(index, start + 1)
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                tokens.append(PredicateToken(kind: .symbol(text), offset: start))
            }
        }
        return (tokens, problems)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private static func isSymbol(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
            UInt8(ascii: "|"):
            true
        default: false
        }
    }

    /// The text of a quotation, or `nil` when it does not end.
    private static func string(_ bytes: [UInt8], _ index: inout Int) -> String? {
        let quote = bytes[index]
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case quote:
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                // Only what stands behind matters: an escaped quote does not end the quotation.
                if index + 1 < bytes.count { text.append(bytes[index + 1]) }
                index += 2
            case let byte:
                text.append(byte)
                index += 1
            }
        }
        return nil
    }
}
