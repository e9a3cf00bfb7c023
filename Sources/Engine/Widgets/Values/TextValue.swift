internal import JSONText

/// A text with values in it: `"Hello \($name)"`.
public struct TextValue: Readable, ExpressibleByStringInterpolation {
    public typealias Value = String

    public let operand: Operand

    public init(stringLiteral text: String) { operand = .literal(text) }

    public init(stringInterpolation text: StringInterpolation) {
        let parts = text.joined
        let literals = parts.compactMap { part in
            if case .literal(let json) = part.form { json.string } else { nil }
        }
        operand = literals.count == parts.count ? .literal(literals.joined()) : Operand(.joined(parts))
    }

    /// The parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        private var parts: [Operand] = []
        private var literal = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: String) { literal += text }

        public mutating func appendInterpolation<Part: Changing>(_ value: Part) {
            end()
            parts.append(value.operand)
        }

        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) { literal += value.description }

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
    /// A binding is not a text: without this its description would be shown.
    @available(*, deprecated, message: "write the text where a widget takes it, or use its value")
    public mutating func appendInterpolation<Part: Changing>(_ value: Part) {}
}
