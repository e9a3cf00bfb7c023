/// Why a predicate or expression was refused, or could not be evaluated: what, where, and what to do about it.
package struct PredicateError: Error, Equatable, Sendable {
    package var code: Code
    /// The part of the text that is at fault, in its UTF-8 bytes.
    package var span: SourceSpan
    /// What happened, in one sentence for whoever wrote the text.
    package var sentence: String
    /// What stands at the place, as it is written there.
    package var found: String?
    /// What could have stood there.
    package var expected: [String]
    /// What was probably meant.
    package var hint: String?

    package init(
        _ code: Code, at span: SourceSpan, _ sentence: String, found: String? = nil, expected: [String] = [],
        hint: String? = nil
    ) {
        self.code = code
        self.span = span
        self.sentence = sentence
        self.found = found
        self.expected = expected
        self.hint = hint
    }

    package var offset: Int { span.offset }
}

extension PredicateError {
    /// One code for each thing that can go wrong. A code is added, never reused.
    package enum Code: String, CaseIterable, Sendable {
        // The text is not of the language.
        case empty
        case unexpectedEnd = "unexpected-end"
        case unexpectedToken = "unexpected-token"
        case unknownOperator = "unknown-operator"
        case unknownOption = "unknown-option"
        case unknownCharacter = "unknown-character"
        case reservedWord = "reserved-word"
        case unterminatedString = "unterminated-string"
        case badEscape = "bad-escape"
        case badNumber = "bad-number"
        case notAPredicate = "not-a-predicate"
        case notAnExpression = "not-an-expression"
        // The text asks for what is not given, or not allowed.
        case argumentMissing = "argument-missing"
        case argumentType = "argument-type"
        case unknownFunction = "unknown-function"
        case argumentCount = "argument-count"
        case functionNotAllowed = "function-not-allowed"
        case castNotAllowed = "cast-not-allowed"
        case badPattern = "bad-pattern"
        case backtrackingPattern = "backtracking-pattern"
        // The values do not fit.
        case variableMissing = "variable-missing"
        case unknownKey = "unknown-key"
        case operandType = "operand-type"
        case incomparable
        case collectionExpected = "collection-expected"
        case divisionByZero = "division-by-zero"
        case castFailed = "cast-failed"
        /// Of a check against a schema.
        case neverTrue = "never-true"
        /// Whoever asks for an evaluation did not say what of.
        case badRequest = "bad-request"
        // Too much of something.
        case textLimit = "text-limit"
        case nestingLimit = "nesting-limit"
        case nodeLimit = "node-limit"
        case fuelLimit = "fuel-limit"
        case memoryLimit = "memory-limit"
    }
}

extension PredicateError: CustomStringConvertible {
    package var description: String {
        var text = sentence
        if let found { text += "; found \(found)" }
        if !expected.isEmpty { text += "; expected \(expected.joined(separator: " or "))" }
        return text
    }
}

/// A part of a text, in UTF-8 bytes.
package struct SourceSpan: Equatable, Sendable {
    private let start: Int32
    private let length: Int32

    /// Texts are shorter than ``PredicateLimits/textByteCount``, which 32 bits hold.
    package init(from start: Int, to end: Int) {
        self.start = Int32(clamping: start)
        length = Int32(clamping: end - start)
    }

    package var offset: Int { Int(start) }
    package var byteCount: Int { Int(length) }
    package var end: Int { offset + byteCount }

    func joined(with other: SourceSpan) -> SourceSpan {
        SourceSpan(from: min(offset, other.offset), to: max(end, other.end))
    }
}
