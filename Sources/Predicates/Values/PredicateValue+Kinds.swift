extension PredicateValue {
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// With its article, for a sentence.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .boolean: "a Boolean"
        case .integer, .double, .decimal: "a number"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .object: "an object"
        }
    }

    var isNumberNotBoolean: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }

    /// A number or a Boolean as the nearest double.
    var double: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.double
        default: nil
        }
    }

    /// What a collection holds; of a dictionary its values.
    package var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        case .dictionary(let dictionary): dictionary.values
        default: nil
        }
    }

    /// How many steps it takes to look at all of the value: one for each part of it, and for 16 bytes of a text. A part
    /// that is met many times counts each time, so a small value may have no end of them.
    ///
    /// - Returns: `nil` when there are more than so many.
    package func weight(upTo limit: Int) -> Int? {
        var left = limit
        return subtractWeight(from: &left) ? limit - left : nil
    }

    /// As deep as values lie in each other, which costs a step each.
    private func subtractWeight(from left: inout Int) -> Bool {
        left -= 1
        switch self {
        case .string(let text): left -= text.utf8.count / 16
        case .data(let bytes): left -= bytes.count / 16
        case .array(let elements), .set(let elements):
            guard left >= elements.count else { return false }
            for element in elements where !element.subtractWeight(from: &left) { return false }
        case .dictionary(let dictionary):
            guard dictionary.extent.weight < ValueExtent.endless, dictionary.extent.count <= ValueExtent.endless else {
                return false
            }
            left -= dictionary.extent.weight
        default: break
        }
        return left >= 0
    }

    /// Whether both are of one kind and look the same; unlike equality, `1` is not `1.0` or `TRUE`.
    package func isIdentical(to other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let first), .boolean(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.double(let first), .double(let second)): first.bitPattern == second.bitPattern
        case (.decimal(let first), .decimal(let second)): first == second
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.date(let first), .date(let second)): first.bitPattern == second.bitPattern
        case (.data(let first), .data(let second)): first == second
        case (.array(let first), .array(let second)), (.set(let first), .set(let second)):
            first.span.isIdentical(to: second.span) || first.elementsEqual(second) { $0.isIdentical(to: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            first.isSame(as: second)
                || first.keys == second.keys && first.values.elementsEqual(second.values) { $0.isIdentical(to: $1) }
        case (.object(let first), .object(let second)): first.identity == second.identity
        default: false
        }
    }
}
