/// A value of a JSON document, together with where it stood.
///
/// Values compare by what they say: spans and the order of an object's members do not count, and
/// numbers are equal when they denote the same number, however they are written.
package struct JSONValue: Sendable {
    package enum Kind: Sendable {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package var kind: Kind
    /// Empty at offset 0 for a value that was not read from a document.
    package var span: JSONSpan

    package init(_ kind: Kind, span: JSONSpan = JSONSpan()) {
        self.kind = kind
        self.span = span
    }
}

extension JSONValue {
    package var isNull: Bool {
        if case .null = kind { true } else { false }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = kind { value } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let value) = kind { value } else { nil }
    }

    package var integer: Int64? { number?.integer }

    package var double: Double? { number?.double }

    package var string: String? {
        if case .string(let value) = kind { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = kind { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = kind { value } else { nil }
    }

    /// The member of that name, when this is an object that has one.
    package subscript(_ name: String) -> JSONValue? { object?[name] }

    package var typeName: JSONTypeName {
        switch kind {
        case .null: .null
        case .boolean: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// What kind of value something is, or had to be.
package enum JSONTypeName: String, Sendable {
    case null, boolean, number, integer, string, array, object
}
