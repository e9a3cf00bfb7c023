internal import JSONText

/// A text with values in it: `"Hello \($name)"`.
public struct TextValue: Readable, ExpressibleByStringInterpolation {
    /// The type of the value.
    public typealias Value = String

    /// The text as documents have it: a constant, or parts that change.
    public let operand: Operand

    /// A text without values.
    public init(stringLiteral text: String) { operand = .literal(text) }

    /// A text with values between its parts.
    public init(stringInterpolation text: StringInterpolation) {
        let parts = text.joined
        if parts.count == 1, text.isText {
            operand = parts[0]
            return
        }
        let literals = parts.compactMap { part in
            if case .literal(let json) = part.form { json.string } else { nil }
        }
        operand = literals.count == parts.count ? .literal(literals.joined()) : Operand(.joined(parts))
    }

    /// The parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        private var parts: [Operand] = []
        private var literal = ""
        /// True if all values in it are texts: one that is alone needs nothing around it.
        fileprivate private(set) var isText = true

        /// An empty text, to which parts are added.
        public init(literalCapacity: Int, interpolationCount: Int) { StateReads.current?.beginPart() }

        /// Adds a part that stays the same.
        public mutating func appendLiteral(_ text: String) {
            literal += text
            StateReads.current?.beginPart()
        }

        /// Adds a value that the text follows.
        public mutating func appendInterpolation<Part: Changing>(
            _ value: Part, file: String = #filePath, line: Int = #line
        ) {
            end()
            var part = value.operand
            part.place = SourcePlace(file, line)
            parts.append(part)
            isText = isText && Part.Value.self == String.self
            StateReads.current?.beginPart()
        }

        /// Adds the description of a value, as it is when the screen is built.
        @_disfavoredOverload
        public mutating func appendInterpolation(
            _ value: some CustomStringConvertible, file: String = #filePath, line: Int = #line
        ) {
            literal += value.description
            StateReads.current?.notePart(at: SourcePlace(file, line))
        }

        private mutating func end() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }

        fileprivate var joined: [Operand] {
            var text = self
            text.end()
            return text.parts.isEmpty ? [.literal("")] : text.parts
        }
    }
}

extension DefaultStringInterpolation {
    /// A binding in a text of Swift, which does not change. It is deprecated and not unavailable, because the compiler
    /// would then take the one for all values, and show a description of the binding without a word.
    @available(*, deprecated, message: "this text does not follow the value: say that it is a TextValue")
    public mutating func appendInterpolation<Part: Changing>(
        _ value: Part, file: String = #filePath, line: Int = #line
    ) {
        StateReads.current?.noteText(at: SourcePlace(file, line))
        appendLiteral("…")
    }
}
