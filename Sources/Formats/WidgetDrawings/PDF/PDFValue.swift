/// A value of PDF (ISO 32000-1 §7.3).
indirect enum PDFValue: Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case name(String)
    /// A text. Drawings do not need its bytes.
    case string
    case array([PDFValue])
    case dictionary([String: PDFValue])
    /// A dictionary, and the place of its bytes in the file.
    case stream([String: PDFValue], Range<Int>)
    case reference(Int)

    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// A number without a fraction.
    var integer: Int? { number.flatMap { Int(exactly: $0) } }

    var name: String? { if case .name(let name) = self { name } else { nil } }

    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    var array: [PDFValue]? { if case .array(let array) = self { array } else { nil } }

    /// The dictionary, also of a stream.
    var dictionary: [String: PDFValue]? {
        switch self {
        case .dictionary(let members), .stream(let members, _): members
        default: nil
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
}

/// Reads values and words from bytes, one after the other.
struct PDFLexer {
    enum Token {
        case value(PDFValue)
        /// An operator, or a word of the file such as `obj`.
        case word(String)
        case arrayEnd, dictionaryEnd
        case end
    }

    let bytes: [UInt8]
    var position: Int
    private let depthLimit: Int
    /// Values that may still be read.
    private var left: Int

    init(_ bytes: [UInt8], at position: Int = 0, limits: DrawingLimits) {
        (self.bytes, self.position, depthLimit, left) = (bytes, position, limits.depth, limits.elementCount * 8)
    }

    private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C || byte == 0
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool { "()<>[]{}/%".utf8.contains(byte) }

    mutating func skipSpace() {
        while let next = byte(position) {
            if next == UInt8(ascii: "%") {
                while let other = byte(position), other != 0x0A, other != 0x0D { position += 1 }
            } else if PDFLexer.isSpace(next) {
                position += 1
            } else {
                return
            }
        }
    }

    /// - Parameter hasReferences: true in a file, where `3 0 R` is one value; false in content.
    mutating func token(hasReferences: Bool, depth: Int = 0) throws(DrawingError) -> Token {
        skipSpace()
        guard let next = byte(position) else { return .end }
        left -= 1
        guard left > 0 else { throw DrawingError(.malformed("it has too many values")) }
        switch next {
        case UInt8(ascii: "/"): return .value(.name(name()))
        case UInt8(ascii: "("):
            try skipString()
            return .value(.string)
        case UInt8(ascii: "["):
            position += 1
            return .value(.array(try array(hasReferences, depth + 1)))
        case UInt8(ascii: "]"):
            position += 1
            return .arrayEnd
        case UInt8(ascii: "<"):
            guard byte(position + 1) == next else {
                skipHexadecimal()
                return .value(.string)
            }
            position += 2
            return .value(.dictionary(try dictionary(hasReferences, depth + 1)))
        case UInt8(ascii: ">"):
            position += byte(position + 1) == next ? 2 : 1
            return .dictionaryEnd
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ")"):
            position += 1
            return .word(String(UnicodeScalar(next)))
        default: break
        }
        let start = position
        while let other = byte(position), !PDFLexer.isSpace(other), !PDFLexer.isDelimiter(other) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = PDFLexer.number(text) else {
            switch text {
            case "true": return .value(.boolean(true))
            case "false": return .value(.boolean(false))
            case "null": return .value(.null)
            default: return .word(text)
            }
        }
        if hasReferences, let object = Int(exactly: number), object >= 0,
            text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            skipReference()
        {
            return .value(.reference(object))
        }
        return .value(.number(number))
    }

    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first),
            text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) })
        else { return nil }
        let plain = text.hasSuffix(".") ? String(text.dropLast()) : text
        return Double(plain)
    }

    /// Skips ` 0 R`; the position stays if that does not follow.
    private mutating func skipReference() -> Bool {
        var place = position
        while let next = byte(place), PDFLexer.isSpace(next) { place += 1 }
        let start = place
        while let next = byte(place), (0x30...0x39).contains(next), place - start < 6 { place += 1 }
        guard place > start, let gap = byte(place), PDFLexer.isSpace(gap) else { return false }
        while let next = byte(place), PDFLexer.isSpace(next) { place += 1 }
        guard byte(place) == UInt8(ascii: "R"),
            byte(place + 1).map({ PDFLexer.isSpace($0) || PDFLexer.isDelimiter($0) }) ?? true
        else { return false }
        position = place + 1
        return true
    }

    private mutating func array(_ hasReferences: Bool, _ depth: Int) throws(DrawingError) -> [PDFValue] {
        guard depth <= depthLimit else { throw DrawingError(.malformed("its values are nested too deep")) }
        var values: [PDFValue] = []
        while true {
            switch try token(hasReferences: hasReferences, depth: depth) {
            case .value(let value): values.append(value)
            case .arrayEnd: return values
            case .end, .word, .dictionaryEnd: throw DrawingError(.malformed("an array is not ended"))
            }
        }
    }

    private mutating func dictionary(_ hasReferences: Bool, _ depth: Int) throws(DrawingError) -> [String: PDFValue] {
        guard depth <= depthLimit else { throw DrawingError(.malformed("its values are nested too deep")) }
        var members: [String: PDFValue] = [:]
        while true {
            switch try token(hasReferences: hasReferences, depth: depth) {
            case .dictionaryEnd: return members
            case .value(.name(let name)):
                guard case .value(let value) = try token(hasReferences: hasReferences, depth: depth) else {
                    throw DrawingError(.malformed("a dictionary is not ended"))
                }
                members[name] = value
            default: throw DrawingError(.malformed("a dictionary is not ended"))
            }
        }
    }

    private mutating func name() -> String {
        position += 1
        var name: [UInt8] = []
        while let next = byte(position), !PDFLexer.isSpace(next), !PDFLexer.isDelimiter(next) {
            position += 1
            if next == UInt8(ascii: "#"), let high = byte(position).flatMap(PDFLexer.digit),
                let low = byte(position + 1).flatMap(PDFLexer.digit)
            {
                name.append(high << 4 | low)
                position += 2
            } else {
                name.append(next)
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Skips a string in parentheses. No text is drawn, so only escapes of parentheses matter.
    private mutating func skipString() throws(DrawingError) {
        position += 1
        var open = 1
        while let next = byte(position) {
            position += 1
            switch next {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "("): open += 1
            case UInt8(ascii: ")"):
                open -= 1
                if open == 0 { return }
            default: break
            }
        }
        throw DrawingError(.malformed("a string is not ended"))
    }

    private mutating func skipHexadecimal() {
        while let next = byte(position) {
            position += 1
            if next == UInt8(ascii: ">") { return }
        }
    }
}
