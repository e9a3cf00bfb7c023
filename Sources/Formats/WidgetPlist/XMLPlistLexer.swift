internal import WidgetBytes
internal import XMLText

/// The elements of the XML form (PropertyList-1.0.dtd).
enum PlistElement: String {
    case plist, dict, array, key, string, data, date, integer, real
    case yes = "true"
    case no = "false"
}

extension PlistElement {
    /// The element of that name. A document has one for every value, so its bytes are compared as a number.
    init?(named name: Span<UInt8>) {
        switch XMLScanner.spelling(of: name) {
        case 0x70_6C69_7374: self = .plist
        case 0x6469_6374: self = .dict
        case 0x61_7272_6179: self = .array
        case 0x6B_6579: self = .key
        case 0x7374_7269_6E67: self = .string
        case 0x6461_7461: self = .data
        case 0x6461_7465: self = .date
        case 0x69_6E74_6567_6572: self = .integer
        case 0x7265_616C: self = .real
        case 0x7472_7565: self = .yes
        case 0x66_616C_7365: self = .no
        default: return nil
        }
    }
}

/// One tag of the text.
struct PlistTag {
    enum Kind {
        case start, end, empty
    }

    var element: PlistElement
    var kind: Kind
    var offset: Int
}

/// Reads the tags and scalars of the XML form. Only the part of XML that property lists use is accepted: Apple's
/// document type, the attribute `version`, and comments outside of text.
struct XMLPlistLexer {
    private var scanner: XMLScanner

    /// The longest name, attribute value or identifier accepted.
    private static let longestName = 256

    init() {
        var rules = XMLRules()
        rules.documentType = "plist"
        rules.encodings = ["utf-8"]
        rules.longestName = XMLPlistLexer.longestName
        scanner = XMLScanner(rules: rules)
    }

    var position: Int { scanner.position }

    static func checkCharacters(_ bytes: Span<UInt8>, allowsControls: Bool = false) throws(PlistFault) {
        do { try XMLScanner.checkCharacters(bytes, allowsControls: allowsControls) } catch { throw PlistFault(error) }
    }

    /// Everything up to the value: mark, declaration, comments, document type, `<plist>`. Answers
    /// whether the property list ended with its first tag.
    mutating func prolog(_ bytes: Span<UInt8>) throws(PlistFault) -> Bool {
        let isBare: Bool
        do {
            try scanner.declaration(bytes)
            let start = position
            isBare = try !scanner.prolog(bytes) && start == 0
        } catch {
            throw PlistFault(error)
        }
        guard position < bytes.count else { throw PlistFault(isBare ? .emptyDocument : .truncated, at: position) }
        let tag = try tag(bytes, allowsVersion: true)
        guard tag.element == .plist, tag.kind != .end else {
            throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset)
        }
        return tag.kind == .empty
    }

    /// After `</plist>`: white space and comments.
    mutating func epilog(_ bytes: Span<UInt8>) throws(PlistFault) {
        do { try scanner.epilog(bytes) } catch { throw PlistFault(error) }
    }

    /// White space and comments, up to the next tag or the end.
    mutating func skipMisc(_ bytes: Span<UInt8>) throws(PlistFault) {
        do { try scanner.misc(bytes) } catch { throw PlistFault(error) }
    }

    /// A tag: `<name>`, `</name>` or `<name/>`. Only `<plist>` may have an attribute, its version.
    mutating func tag(_ bytes: Span<UInt8>, allowsVersion: Bool = false) throws(PlistFault) -> PlistTag {
        let start: XMLScanner.TagStart
        do { start = try scanner.tagStart(bytes) } catch { throw PlistFault(error) }
        guard !start.name.isEmpty else { throw PlistFault(.invalidTag, at: start.offset) }
        guard let element = PlistElement(named: bytes.extracting(start.name)) else {
            throw PlistFault(.unknownElement(XMLScanner.text(bytes, start.name)), at: start.offset)
        }
        // Nearly every tag ends with its name.
        if !allowsVersion, position < bytes.count, bytes[position] == UInt8(ascii: ">") {
            scanner.position += 1
            return PlistTag(element: element, kind: start.isEnd ? .end : .start, offset: start.offset)
        }
        scanner.skipWhitespace(bytes)
        if allowsVersion, !start.isEnd, position > start.name.upperBound {
            do { try version(bytes) } catch { throw PlistFault(error) }
        }
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        var kind = start.isEnd ? PlistTag.Kind.end : .start
        if !start.isEnd, bytes[position] == UInt8(ascii: "/") {
            kind = .empty
            scanner.position += 1
        }
        guard position < bytes.count else { throw PlistFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ">") else {
            let isAttribute = position > start.name.upperBound && kind == .start
            throw PlistFault(isAttribute ? .attribute : .invalidTag, at: position)
        }
        scanner.position += 1
        return PlistTag(element: element, kind: kind, offset: start.offset)
    }

    private mutating func version(_ bytes: Span<UInt8>) throws(XMLFault) {
        let offset = position
        guard scanner.skip("version", bytes) else { return }
        guard try scanner.equals(bytes), try scanner.literal(bytes, orThrow: .attribute) == "1.0" else {
            throw XMLFault(.attribute, at: offset)
        }
        scanner.skipWhitespace(bytes)
    }

    /// Reads the text of an element, up to and including the end tag: only text and, where allowed, CDATA sections.
    private mutating func text(
        of tag: PlistTag, allowsSections: Bool, _ bytes: Span<UInt8>
    ) throws(PlistFault) -> [UInt8] {
        var text: [UInt8] = []
        guard tag.kind == .start else { return text }
        do {
            repeat {
                try scanner.characters(into: &text, bytes)
            } while allowsSections ? try scanner.section(into: &text, bytes) : false
        } catch {
            throw PlistFault(error)
        }
        if isComment(bytes) { throw PlistFault(.commentInText, at: position) }
        try endTag(of: tag.element, bytes)
        return text
    }

    private func isComment(_ bytes: Span<UInt8>) -> Bool {
        let mark: StaticString = "<!--"
        guard bytes.count - position >= 4, bytes[position + 1] == UInt8(ascii: "!") else { return false }
        return mark.description.utf8.enumerated().allSatisfy { bytes[position + $0] == $1 }
    }

    private mutating func endTag(of element: PlistElement, _ bytes: Span<UInt8>) throws(PlistFault) {
        if skipPlainEnd(of: element, bytes) { return }
        let tag = try tag(bytes)
        guard tag.kind == .end else { throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset) }
        guard tag.element == element else {
            throw PlistFault(.mismatchedEnd(expected: element.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
    }

    /// The end as every writer spells it, with nothing between name and bracket.
    private mutating func skipPlainEnd(of element: PlistElement, _ bytes: Span<UInt8>) -> Bool {
        let start = position + 2
        let end = start + element.rawValue.utf8.count
        guard end < bytes.count, bytes[position + 1] == UInt8(ascii: "/"), bytes[end] == UInt8(ascii: ">"),
            PlistElement(named: bytes.extracting(start..<end)) == element
        else { return false }
        scanner.position = end + 1
        return true
    }
}

extension PlistFault {
    /// Of a comment, all of it is at fault.
    init(_ fault: XMLFault) {
        self.init(PlistError.Reason(fault.reason), at: fault.reason == .invalidComment ? fault.start : fault.offset)
    }
}

extension PlistError.Reason {
    fileprivate init(_ reason: XMLError.Reason) {
        switch reason {
        case .limitReached(.byteCount, let limit): self = .limitReached(.byteCount, limit: limit)
        case .limitReached(.depth, let limit): self = .limitReached(.depth, limit: limit)
        case .limitReached(.elementCount, let limit): self = .limitReached(.objectCount, limit: limit)
        case .limitReached(.attributeCount, _), .duplicateAttribute, .attribute: self = .attribute
        case .unsupportedEncoding: self = .unsupportedEncoding
        case .invalidUTF8: self = .invalidUTF8
        case .invalidCharacter(let value): self = .invalidCharacter(value)
        case .truncated: self = .truncated
        case .xmlDeclaration: self = .xmlDeclaration
        case .documentType: self = .documentType
        case .internalSubset: self = .internalSubset
        case .markupDeclaration: self = .markupDeclaration
        case .processingInstruction: self = .processingInstruction
        case .invalidComment: self = .invalidComment
        case .unexpectedText: self = .unexpectedText
        case .emptyDocument: self = .emptyDocument
        case .trailingContent: self = .trailingContent
        case .invalidTag: self = .invalidTag
        case .mismatchedEnd(let expected, let found): self = .mismatchedEnd(expected: expected, found: found)
        case .unknownEntity(let name): self = .unknownEntity(name)
        case .invalidCharacterReference: self = .invalidCharacterReference
        case .sectionEndInText: self = .sectionEndInText
        }
    }
}

// MARK: Scalars

extension XMLPlistLexer {
    mutating func string(_ tag: PlistTag, _ bytes: Span<UInt8>) throws(PlistFault) -> String {
        let text = try text(of: tag, allowsSections: true, bytes)
        guard CombiningMarks.offsetOfTooMany(in: text.span) == nil else {
            throw PlistFault(.tooManyMarks, at: tag.offset)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The value of an element that holds text.
    mutating func scalar(_ tag: PlistTag, _ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
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
            guard let date = PlistDate(iso8601: XMLPlistLexer.trimmed(text)) else {
                throw PlistFault(.invalidDate, at: start)
            }
            return .date(date)
        case .real:
            guard let value = XMLPlistLexer.real(XMLPlistLexer.trimmed(text)) else {
                throw PlistFault(.invalidReal, at: start)
            }
            return .real(value)
        default:
            return try XMLPlistLexer.integer(XMLPlistLexer.trimmed(text), at: start)
        }
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        // Most texts have no white space to remove.
        if let first = text.first, let last = text.last, !XMLScanner.isWhitespace(first), !XMLScanner.isWhitespace(last)
        {
            return text
        }
        let rest = text.drop(while: XMLScanner.isWhitespace)
        let end = rest.lastIndex { !XMLScanner.isWhitespace($0) }
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
    /// words for infinity and "not a number".
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
