/// The place where a settings file stops being JSON5, and the text expected there.
struct JSON5Error: Error, Equatable, Sendable {
    var line: Int
    var column: Int
    var expectation: String
}

/// Reads JSON5 (json5.org, version 1.0.0) to nodes that know their lines.
///
/// Nothing is folded away: repeated keys stay visible, so that a setting given twice can be refused. Identifiers
/// are ASCII, as all our keys are.
struct JSON5Reader {
    /// Settings nest twice; deeper files are refused before they can cost a stack.
    static let depthLimit = 8

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func read(_ bytes: [UInt8]) throws(JSON5Error) -> JSON5Node {
        var reader = JSON5Reader(bytes)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.error("text in UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        try reader.skipSpace()
        let node = try reader.value(depth: 0)
        try reader.skipSpace()
        guard reader.peek == nil else { throw reader.error("nothing after the last brace") }
        return node
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func error(_ expectation: String) -> JSON5Error {
        let column = String(decoding: bytes[min(lineStart, offset)..<offset], as: UTF8.self).count + 1
        return JSON5Error(line: line, column: column, expectation: expectation)
    }

    private func startsWith(_ text: StaticString) -> Bool {
        bytes[offset...].starts(with: "\(text)".utf8)
    }

    private mutating func advance() {
        if bytes[offset] == UInt8(ascii: "\n") {
            line += 1
            lineStart = offset + 1
        }
        offset += 1
    }

    // MARK: Space and comments

    private mutating func skipSpace() throws(JSON5Error) {
        while let byte = peek {
            switch byte {
            case 0x09...0x0D, 0x20:
                advance()
            case UInt8(ascii: "/"):
                try skipComment()
            case 0xC2 where startsWith("\u{A0}"):
                offset += 2
            case 0xE2 where startsWith("\u{2028}") || startsWith("\u{2029}"), 0xEF where startsWith("\u{FEFF}"):
                offset += 3
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Error) {
        if startsWith("//") {
            while let byte = peek, byte != UInt8(ascii: "\n") { offset += 1 }
        } else if startsWith("/*") {
            let start = self
            offset += 2
            while !startsWith("*/") {
                guard peek != nil else { throw start.error("a comment that ends") }
                advance()
            }
            offset += 2
        } else {
            throw error("a comment")
        }
    }

    // MARK: Values

    /// Recurses once per level, and there are at most `depthLimit`.
    private mutating func value(depth: Int) throws(JSON5Error) -> JSON5Node {
        let start = line
        switch peek {
        case UInt8(ascii: "{"):
            return JSON5Node(value: .object(try members(depth: depth + 1)), line: start)
        case UInt8(ascii: "["):
            return JSON5Node(value: .array(try elements(depth: depth + 1)), line: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return JSON5Node(value: .scalar(.string(try string())), line: start)
        default:
            return JSON5Node(value: .scalar(try word()), line: start)
        }
    }

    private mutating func members(depth: Int) throws(JSON5Error) -> [JSON5Member] {
        var members: [JSON5Member] = []
        try open(depth: depth)
        while peek != UInt8(ascii: "}") {
            let start = line
            let key = try key()
            try skipSpace()
            guard peek == UInt8(ascii: ":") else { throw error("a colon after the key") }
            offset += 1
            try skipSpace()
            members.append(JSON5Member(key: key, line: start, node: try value(depth: depth)))
            try separate(before: UInt8(ascii: "}"), expectation: "a comma or a closing brace")
        }
        offset += 1
        return members
    }

    private mutating func elements(depth: Int) throws(JSON5Error) -> [JSON5Node] {
        var elements: [JSON5Node] = []
        try open(depth: depth)
        while peek != UInt8(ascii: "]") {
            elements.append(try value(depth: depth))
            try separate(before: UInt8(ascii: "]"), expectation: "a comma or a closing bracket")
        }
        offset += 1
        return elements
    }

    private mutating func open(depth: Int) throws(JSON5Error) {
        guard depth <= JSON5Reader.depthLimit else { throw error("at most \(JSON5Reader.depthLimit) levels") }
        offset += 1
        try skipSpace()
    }

    /// A comma, which may also come before the end, or the end itself.
    private mutating func separate(before end: UInt8, expectation: String) throws(JSON5Error) {
        try skipSpace()
        if peek == UInt8(ascii: ",") {
            offset += 1
            try skipSpace()
        } else if peek != end {
            throw error(expectation)
        }
    }

    private mutating func key() throws(JSON5Error) -> String {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
        let key = run()
        guard let first = key.unicodeScalars.first, !("0"..."9").contains(first),
            !key.contains(where: { "+-.".contains($0) })
        else { throw error("a key") }
        offset += key.utf8.count
        return key
    }

    /// The letters, digits, signs and points from here on: an identifier, a number or a word.
    private func run() -> String {
        let run = bytes[offset...].prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return String(decoding: run, as: UTF8.self)
    }

    private mutating func word() throws(JSON5Error) -> FoundValue {
        let word = run()
        let found: FoundValue? =
            switch word {
            case "true": .boolean(true)
            case "false": .boolean(false)
            case "null": .null
            default: JSON5Number.parse(word)
            }
        guard let found else {
            throw error(word.isEmpty ? "a value" : "a value; text needs quotes")
        }
        offset += word.utf8.count
        return found
    }

    // MARK: Strings

    private mutating func string() throws(JSON5Error) -> String {
        let start = self
        let quote = bytes[offset]
        offset += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case quote:
                offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw start.error("a string that ends on its line")
            case UInt8(ascii: "\\"):
                offset += 1
                text += try escape()
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw start.error("a string that ends")
    }

    /// Reads the rest of an escape, after its backslash.
    private mutating func escape() throws(JSON5Error) -> [UInt8] {
        guard let byte = peek else { throw error("an escape") }
        advance()
        switch byte {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "0"): return [0x00]
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw error("an escape other than a digit")
        case UInt8(ascii: "x"): return try utf8(of: hexadecimal(digitCount: 2))
        case UInt8(ascii: "u"): return try unicode()
        case UInt8(ascii: "\n"): return []
        case UInt8(ascii: "\r"):
            if peek == UInt8(ascii: "\n") { advance() }
            return []
        default: return [byte]
        }
    }

    private mutating func unicode() throws(JSON5Error) -> [UInt8] {
        let first = try hexadecimal(digitCount: 4)
        guard (0xD800...0xDBFF).contains(first), startsWith("\\u") else { return try utf8(of: first) }
        offset += 2
        let second = try hexadecimal(digitCount: 4)
        guard (0xDC00...0xDFFF).contains(second) else { throw error("the second half of a surrogate pair") }
        return try utf8(of: 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    private func utf8(of scalar: UInt32) throws(JSON5Error) -> [UInt8] {
        guard let scalar = Unicode.Scalar(scalar) else { throw error("a character, not half of one") }
        return Array(String(scalar).utf8)
    }

    private mutating func hexadecimal(digitCount: Int) throws(JSON5Error) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<digitCount {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("\(digitCount) hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
            offset += 1
        }
        return number
    }
}

/// A value of a settings file with the line it begins on.
struct JSON5Node: Equatable, Sendable {
    indirect enum Value: Equatable, Sendable {
        case scalar(FoundValue)
        case array([JSON5Node])
        case object([JSON5Member])
    }

    var value: Value
    var line: Int

    /// The value as a setting takes it; settings ignore the members of a list's objects.
    var found: FoundValue {
        switch value {
        case .scalar(let found): found
        case .array(let nodes): .array(nodes.map(\.found))
        case .object: .object
        }
    }
}

/// A member of an object, in the order of the file; keys may repeat.
struct JSON5Member: Equatable, Sendable {
    var key: String
    var line: Int
    var node: JSON5Node
}

/// Numbers of JSON5: decimal with point and exponent, hexadecimal, `Infinity`, `NaN`, with or without a sign.
enum JSON5Number {
    static func parse(_ text: String) -> FoundValue? {
        let isNegative = text.hasPrefix("-")
        let magnitude = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if magnitude == "Infinity" { return .number(isNegative ? -.infinity : .infinity) }
        if magnitude == "NaN" { return .number(.nan) }
        if magnitude.hasPrefix("0x") || magnitude.hasPrefix("0X") {
            let digits = magnitude.dropFirst(2)
            guard digits.allSatisfy(\.isHexDigit), let number = Int64(digits, radix: 16) else { return nil }
            return .integer(isNegative ? -number : number)
        }
        guard isDecimal(magnitude) else { return nil }
        if let number = FoundValue.digits(magnitude) { return .integer(isNegative ? -number : number) }
        return Double(String(magnitude)).map { .number(isNegative ? -$0 : $0) }
    }

    /// Digits with at most one point and an exponent; no leading zero before another digit.
    private static func isDecimal(_ text: Substring) -> Bool {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        if parts.count == 2 {
            let exponent = parts[1].hasPrefix("+") || parts[1].hasPrefix("-") ? parts[1].dropFirst() : parts[1]
            guard isDigits(exponent), !exponent.isEmpty else { return false }
        }
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = mantissa.first, mantissa.allSatisfy(isDigits), mantissa.contains(where: { !$0.isEmpty })
        else {
            return false
        }
        return whole.count < 2 || !whole.hasPrefix("0")
    }

    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
