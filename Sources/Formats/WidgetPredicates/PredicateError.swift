/// The refusal of a predicate or expression, or the failure of its evaluation: the fault, its place and a hint.
package struct PredicateError: Error, Equatable, Sendable {
    package var code: Code
    /// The part of the text that is at fault, in its UTF-8 bytes.
    package var span: SourceSpan
    /// The fault in one sentence, for the author of the text.
    package var sentence: String
    /// The text at the place, as the author wrote it.
    package var found: String?
    /// The parts that the parser would have accepted there.
    package var expected: [String]
    /// A suggestion: usually the word that the author probably meant.
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
    /// One code for each kind of fault. Codes are added and never reused.
    package enum Code: String, CaseIterable, Sendable {
        // The text does not follow the grammar.
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
        // The text uses something that is missing or not allowed.
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
        /// The request of a batch is malformed, or lacks a member.
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

/// Limits on the size of a text and on the cost of one evaluation. Each limit has a separate error code.
package struct PredicateLimits: Equatable, Sendable {
    /// Bytes of a text.
    package var textByteCount: Int
    /// Parentheses, braces, brackets, `NOT` and signs around a place of the text.
    package var nesting: Int
    /// The depth of the tree; a long sum is as deep as it has terms.
    package var depth: Int
    /// Parts of the tree, array arguments included.
    package var nodeCount: Int
    /// Steps of one evaluation: a part evaluated, an element visited, 16 bytes of text compared.
    package var fuel: Int
    /// Bytes of the values that one evaluation makes, roughly.
    package var memoryByteCount: Int

    /// No limit of depth may be set above this: trees are printed and evaluated on the stack.
    package static let deepest = 1_000

    package init(
        textByteCount: Int = 1 << 20, nesting: Int = 200, depth: Int = deepest, nodeCount: Int = 100_000,
        fuel: Int = 1_000_000, memoryByteCount: Int = 1 << 24
    ) {
        self.textByteCount = min(textByteCount, 1 << 24)
        self.nesting = min(nesting, 200)
        self.depth = min(depth, PredicateLimits.deepest)
        self.nodeCount = min(nodeCount, 1 << 24)
        self.fuel = fuel
        self.memoryByteCount = memoryByteCount
    }
}
