internal import Bytes

/// Reads `.strings` text: `"key" = "value";`, where a key without a value stands for itself, words need
/// no quotes, and comments are those of C. Nested values are not part of it.
struct StringsParser {
    let limits: PlistLimits
    let text: StringsText

    var index = 0
    private var keys: [String] = []
    private var values: [PlistValue] = []
    private var keyIndices: [Int] = []
    private var isInsideValue = false

    /// A reason and the scalar it is about.
    struct Fault: Error {
        var reason: PlistError.Reason
        var index: Int
    }

    init(_ text: StringsText, limits: PlistLimits) {
        self.text = text
        self.limits = limits
    }

    var path: ValuePath { ValuePath(isInsideValue ? keys.suffix(1).map { .key($0) } : []) }

    mutating func parse() throws(Fault) -> PlistDictionary {
        while true {
            isInsideValue = false
            try skipMisc()
            if index == text.scalars.count { break }
            guard keys.count < limits.objectCount else {
                throw Fault(reason: .limitReached(.objectCount, limit: limits.objectCount), index: index)
            }
            keyIndices.append(index)
            keys.append(try word(.key))
            isInsideValue = true
            try value()
        }
        do {
            return try PlistDictionary(keys: keys, values: values)
        } catch {
            throw Fault(reason: .duplicateKey(keys[error.position]), index: keyIndices[error.position])
        }
    }

    /// `= value;`, or only `;`.
    private mutating func value() throws(Fault) {
        try skipMisc()
        var value = keys.last ?? ""
        switch try current() {
        case "=":
            index += 1
            try skipMisc()
            value = try word(.value)
            try skipMisc()
            guard try current() == ";" else { throw unexpected(.semicolon) }
        case ";": break
        default: throw unexpected(.equalsOrSemicolon)
        }
        index += 1
        values.append(.string(value))
    }

    func current() throws(Fault) -> Unicode.Scalar {
        guard index < text.scalars.count else { throw Fault(reason: .truncated, index: index) }
        return Unicode.Scalar(text.scalars[index]) ?? "\u{FFFD}"
    }

    private func unexpected(_ expected: PlistError.StringsExpectation) -> Fault {
        guard index < text.scalars.count else { return Fault(reason: .truncated, index: index) }
        return Fault(reason: .unexpectedCharacter(text.scalars[index], expected: expected), index: index)
    }

    /// White space and comments.
    private mutating func skipMisc() throws(Fault) {
        while index < text.scalars.count {
            switch text.scalars[index] {
            case 0x09...0x0D, 0x20, 0x2028, 0x2029: index += 1
            case 0x2F: try comment()
            default: return
            }
        }
    }

    private mutating func comment() throws(Fault) {
        index += 1
        switch try current() {
        case "/":
            while index < text.scalars.count, text.scalars[index] != 0x0A, text.scalars[index] != 0x0D { index += 1 }
        case "*":
            index += 1
            while true {
                let scalar = try current()
                index += 1
                if scalar == "*", try current() == "/" { break }
            }
            index += 1
        default: throw unexpected(.comment)
        }
    }

    /// A quoted string, or a word of the characters that need no quotes.
    private mutating func word(_ expected: PlistError.StringsExpectation) throws(Fault) -> String {
        guard try current() == "\"" else {
            var word = String.UnicodeScalarView()
            while index < text.scalars.count, let scalar = Unicode.Scalar(text.scalars[index]),
                StringsParser.needsNoQuotes(scalar)
            {
                word.append(scalar)
                index += 1
            }
            guard !word.isEmpty else { throw unexpected(expected) }
            return String(word)
        }
        index += 1
        var word = String.UnicodeScalarView()
        while true {
            let scalar = try current()
            switch scalar {
            case "\"":
                index += 1
                return String(word)
            case "\\": word.append(try escape())
            default:
                word.append(scalar)
                index += 1
            }
        }
    }

    private static func needsNoQuotes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z", "_", "$", ":", ".", "-": true
        default: false
        }
    }
}
