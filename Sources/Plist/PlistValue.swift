/// A value of a property list, whichever of the two forms it was read from.
package enum PlistValue: Sendable {
    case dictionary(PlistDictionary)
    case array([PlistValue])
    case string(String)
    case data([UInt8])
    case date(PlistDate)
    case integer(Int64)
    /// A whole number above the largest `Int64`; smaller ones are always `integer`.
    case largeInteger(UInt64)
    /// May be infinite or not a number: both forms can say so, and so do Apple's writers.
    case real(Double)
    case boolean(Bool)
    /// A reference inside a keyed archive. Only the binary form has it; in the XML form it is a
    /// dictionary with the one key `CF$UID`, and stays one.
    case uid(UInt32)
}

extension PlistValue {
    package var dictionary: PlistDictionary? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    package var array: [PlistValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    package var date: PlistDate? {
        if case .date(let value) = self { value } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A number of any kind, rounded to the nearest double.
    package var double: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .largeInteger(let value): Double(value)
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var uid: UInt32? {
        if case .uid(let value) = self { value } else { nil }
    }

    /// The value of that key, when this is a dictionary that has it.
    package subscript(_ key: String) -> PlistValue? { dictionary?[key] }

    package var typeName: PlistTypeName {
        switch self {
        case .dictionary: .dictionary
        case .array: .array
        case .string: .string
        case .data: .data
        case .date: .date
        case .integer, .largeInteger: .integer
        case .real: .real
        case .boolean: .boolean
        case .uid: .uid
        }
    }
}

/// What kind of value something is, or had to be.
package enum PlistTypeName: String, Sendable {
    case dictionary, array, string, data, date, integer, real, boolean, uid
}

extension PlistValue: Equatable {
    /// Equal contents; the order of a dictionary's keys does not count, and a number that is not one
    /// equals itself.
    package static func == (left: PlistValue, right: PlistValue) -> Bool {
        // Pairs still to be compared wait here, not on the call stack.
        var pending = [(left, right)]
        while let (first, second) = pending.popLast() {
            switch (first, second) {
            case (.dictionary(let a), .dictionary(let b)):
                guard a.count == b.count else { return false }
                for (key, value) in a.members {
                    guard let other = b[key] else { return false }
                    pending.append((value, other))
                }
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                pending.append(contentsOf: zip(a, b))
            default:
                guard first.isSameScalar(second) else { return false }
            }
        }
        return true
    }

    private func isSameScalar(_ other: PlistValue) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.largeInteger(let a), .largeInteger(let b)): a == b
        case (.real(let a), .real(let b)): a == b || a.isNaN && b.isNaN
        case (.boolean(let a), .boolean(let b)): a == b
        case (.uid(let a), .uid(let b)): a == b
        default: false
        }
    }
}
