/// Cuts a text into tokens, one at a time.
struct Tokenizer {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() throws(PredicateError) -> PredicateToken {
        while position < bytes.count, Tokenizer.isBlank(bytes[position]) { position += 1 }
        let start = position
        guard start < bytes.count else { return PredicateToken(kind: .end, start: start, end: start) }
        let kind = try kind(startingWith: bytes[start])
        return PredicateToken(kind: kind, start: start, end: position)
    }

    private mutating func kind(startingWith byte: UInt8) throws(PredicateError) -> PredicateToken.Kind {
        switch byte {
        case _ where Tokenizer.beginsIdentifier(byte): return try word()
        case 0x30...0x39: return try number()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(until: byte)
        case UInt8(ascii: "$"): return try variable()
        case UInt8(ascii: "%"): return try placeholder()
        case UInt8(ascii: "#"): return try escapedWord()
        case UInt8(ascii: ".") where byteAfter(0).map { 0x30...0x39 ~= $0 } ?? false && !followsOperand:
            return try number()
        default: return .symbol(try symbol(byte))
        }
    }

    /// The byte after `position + distance`.
    private func byteAfter(_ distance: Int) -> UInt8? {
        let index = position + distance + 1
        return index < bytes.count ? bytes[index] : nil
    }

    /// True if a dot here continues a key path; otherwise it begins a number.
    private var followsOperand: Bool {
        guard position > 0 else { return false }
        let before = bytes[position - 1]
        return Tokenizer.continuesIdentifier(before) || [0x29, 0x5D, 0x7D].contains(before)
    }

    // MARK: - Words

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    static func beginsIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"): true
        default: false
        }
    }

    static func continuesIdentifier(_ byte: UInt8) -> Bool {
        beginsIdentifier(byte) || (0x30...0x39).contains(byte)
    }

    private mutating func skipIdentifier() {
        while position < bytes.count, Tokenizer.continuesIdentifier(bytes[position]),
            bytes[position] < 0x80 || !isTypographic
        {
            position += 1
        }
    }

    /// Curly quotes and unusual blanks, which text programs insert in place of typed ones. They would otherwise become
    /// parts of keys.
    private var isTypographic: Bool {
        switch bytes[position] {
        case 0xC2: return byteAfter(0) == 0xA0
        case 0xE2:
            guard byteAfter(0) == 0x80, let last = byteAfter(1) else { return false }
            return 0x80...0x8A ~= last || 0x98...0x9F ~= last || 0xA8...0xA9 ~= last || last == 0xAF
        case 0xE3: return byteAfter(0) == 0x80 && byteAfter(1) == 0x80
        default: return false
        }
    }

    private mutating func word() throws(PredicateError) -> PredicateToken.Kind {
        let start = position
        if isTypographic {
            let end = position + (bytes[position] == 0xC2 ? 2 : 3)
            throw PredicateError(
                .unknownCharacter, at: SourceSpan(from: start, to: end),
                "This character has no meaning outside of quotes", found: Quotation.of(bytes[start..<end]),
                hint: "texts stand between straight quotes: \"text\" or 'text'")
        }
        skipIdentifier()
        if position - start == 3, skipTypeOperator(from: start) {
            return .keyword(position - start == 10 ? .utiEquals : .conformsTo)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ":"), skipSelector() { return .selector }
        guard let keyword = Keyword(bytes[start..<position]) else { return .identifier }
        return keyword.needsParenthesis && !parenthesisFollows(position) ? .identifier : .keyword(keyword)
    }

    /// `UTI-EQUALS` and `UTI-CONFORMS-TO`, the only words with a dash.
    private mutating func skipTypeOperator(from start: Int) -> Bool {
        for keyword in [Keyword.conformsTo, .utiEquals] {
            let word = Array(keyword.rawValue.utf8)
            let end = start + word.count
            guard end <= bytes.count, end == bytes.count || !Tokenizer.continuesIdentifier(bytes[end]) else { continue }
            if zip(bytes[start..<end], word).allSatisfy({ $0 == $1 || $0 == $1 | 0x20 && 0x41...0x5A ~= $1 }) {
                position = end
                return true
            }
        }
        return false
    }

    /// The rest of a name such as `add:to:`, which is one only in front of a parenthesis.
    private mutating func skipSelector() -> Bool {
        var index = position
        while true {
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { break }
            index += 1
            while index < bytes.count, Tokenizer.continuesIdentifier(bytes[index]) { index += 1 }
        }
        guard bytes[index - 1] == UInt8(ascii: ":"), parenthesisFollows(index) else { return false }
        position = index
        return true
    }

    private func parenthesisFollows(_ index: Int) -> Bool {
        var index = index
        while index < bytes.count, Tokenizer.isBlank(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: "(")
    }

    private mutating func escapedWord() throws(PredicateError) -> PredicateToken.Kind {
        guard let byte = byteAfter(0), Tokenizer.beginsIdentifier(byte) else {
            throw PredicateError(
                .unknownCharacter, at: SourceSpan(from: position, to: position + 1),
                "A # precedes a key that is a reserved word, and none follows", found: "`#`",
                expected: ["a key"])
        }
        position += 1
        skipIdentifier()
        return .identifier
    }

    private mutating func variable() throws(PredicateError) -> PredicateToken.Kind {
        guard let byte = byteAfter(0), Tokenizer.beginsIdentifier(byte) else {
            throw PredicateError(
                .unknownCharacter, at: SourceSpan(from: position, to: position + 1),
                "A $ begins the name of a variable, and no name follows", found: "`$`",
                expected: ["a variable such as $input"])
        }
        position += 1
        skipIdentifier()
        return .variable
    }

    // MARK: - Literals

    private mutating func number() throws(PredicateError) -> PredicateToken.Kind {
        let start = position
        var kind = PredicateToken.Kind.integer
        if bytes[start] == 0x30, let prefix = byteAfter(0), let radix = NumberText.radix(prefix: prefix) {
            position += 2
            let digits = position
            while position < bytes.count, NumberText.digit(bytes[position]) < radix { position += 1 }
            try requireNumber(from: start, position > digits)
            return kind
        }
        skipDigits()
        if position < bytes.count, bytes[position] == UInt8(ascii: "."), let digit = byteAfter(0),
            0x30...0x39 ~= digit
        {
            kind = .real
            position += 1
            skipDigits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            let digits = position
            skipDigits()
            try requireNumber(from: start, position > digits)
        }
        try requireNumber(from: start, true)
        return kind
    }

    private mutating func skipDigits() {
        while position < bytes.count, 0x30...0x39 ~= bytes[position] { position += 1 }
    }

    private mutating func requireNumber(from start: Int, _ isComplete: Bool) throws(PredicateError) {
        let isCut = position < bytes.count && Tokenizer.continuesIdentifier(bytes[position])
        if isComplete, !isCut { return }
        skipIdentifier()
        throw PredicateError(
            .badNumber, at: SourceSpan(from: start, to: position), "Not a number",
            found: Quotation.of(bytes[start..<position]), hint: "a key begins with a letter, a text is in quotes")
    }

    private mutating func string(until quote: UInt8) throws(PredicateError) -> PredicateToken.Kind {
        let start = position
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case quote:
                position += 1
                return .string
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        position = bytes.count
        throw PredicateError(
            .unterminatedString, at: SourceSpan(from: start, to: bytes.count),
            "The text that begins here is never closed",
            found: Quotation.of(bytes[start..<bytes.count]),
            expected: ["a closing \(quote == 0x22 ? "\"" : "'")"])
    }

    private mutating func placeholder() throws(PredicateError) -> PredicateToken.Kind {
        let start = position
        position += 1
        while position < bytes.count, 0x30...0x39 ~= bytes[position] || bytes[position] == UInt8(ascii: "$") {
            position += 1
        }
        // A precision (`%.2f`) matters only for printing: the argument is a value and keeps all of its digits.
        if position < bytes.count, bytes[position] == UInt8(ascii: "."), let digit = byteAfter(0), 0x30...0x39 ~= digit
        {
            position += 1
            skipDigits()
        }
        while position < bytes.count, "hlqzjtL".utf8.contains(bytes[position]) { position += 1 }
        if position < bytes.count, Placeholder.conversions.contains(bytes[position]) {
            position += 1
            return .placeholder
        }
        throw PredicateError(
            .unknownCharacter, at: SourceSpan(from: start, to: min(position + 1, bytes.count)),
            "A % needs a letter to name an argument",
            found: Quotation.of(bytes[start..<min(position + 1, bytes.count)]),
            expected: ["%@", "%K", "%d"], hint: "the remainder of a division is modulus:by:(a, b)")
    }

    // MARK: - Symbols

    private mutating func symbol(_ byte: UInt8) throws(PredicateError) -> PredicateToken.Symbol {
        let next = byteAfter(0)
        if let next, let symbol = Tokenizer.double(byte, next) {
            position += 2
            return symbol
        }
        guard let symbol = Tokenizer.single(byte) else {
            throw PredicateError(
                .unknownCharacter, at: SourceSpan(from: position, to: position + 1),
                "This character has no meaning here", found: Quotation.of(bytes[position...position]))
        }
        position += 1
        return symbol
    }

    private static func double(_ first: UInt8, _ second: UInt8) -> PredicateToken.Symbol? {
        switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
        case ("=", "="): .equal
        case ("!", "="), ("<", ">"): .notEqual
        case ("<", "="), ("=", "<"): .lessOrEqual
        case (">", "="), ("=", ">"): .greaterOrEqual
        case ("<", "<"): .shiftLeft
        case (">", ">"): .shiftRight
        case ("&", "&"): .and
        case ("|", "|"): .or
        case ("*", "*"): .power
        case (":", "="): .assign
        default: nil
        }
    }

    private static func single(_ byte: UInt8) -> PredicateToken.Symbol? {
        switch Unicode.Scalar(byte) {
        case "=": .equal
        case "<": .less
        case ">": .greater
        case "!": .not
        case "+": .plus
        case "-": .minus
        case "*": .times
        case "/": .divide
        case "&": .bitAnd
        case "|": .bitOr
        case "^": .bitXor
        case "~": .bitNot
        case "(": .openParenthesis
        case ")": .closeParenthesis
        case "{": .openBrace
        case "}": .closeBrace
        case "[": .openBracket
        case "]": .closeBracket
        case ",": .comma
        case ".": .dot
        case "@": .at
        default: nil
        }
    }
}
