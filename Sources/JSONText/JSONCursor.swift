package import Bytes

/// A value of a document that knows the way to itself, so that whatever is wrong with it can be said
/// with path, line and column.
package struct JSONCursor: Sendable {
    package let value: JSONValue
    package let path: ValuePath
    private let bytes: [UInt8]

    init(_ value: JSONValue, path: ValuePath, bytes: [UInt8]) {
        self.value = value
        self.path = path
        self.bytes = bytes
    }

    package var position: TextPosition { value.span.position(in: bytes) }

    /// The member of that name, decoded. A member that is `null` is there, and of the wrong type.
    package func require<T: JSONDecodable>(_ name: String, as type: T.Type = T.self) throws(JSONError) -> T {
        guard let member = try member(name) else { throw error(.missingMember(name)) }
        return try T(json: member)
    }

    /// The member of that name, decoded; `nil` when it is absent or `null`.
    package func optional<T: JSONDecodable>(_ name: String, as type: T.Type = T.self) throws(JSONError) -> T? {
        guard let member = try member(name), !member.value.isNull else { return nil }
        return try T(json: member)
    }

    package func decode<T: JSONDecodable>(as type: T.Type = T.self) throws(JSONError) -> T {
        try T(json: self)
    }

    /// The member of that name, when there is one. Throws when this is no object.
    package func member(_ name: String) throws(JSONError) -> JSONCursor? {
        guard let object = value.object else { throw wrongType(.object) }
        return object[name].map { JSONCursor($0, path: path.appending(key: name), bytes: bytes) }
    }

    /// The members in order. Throws when this is no object.
    package func members() throws(JSONError) -> [(name: String, value: JSONCursor)] {
        guard let object = value.object else { throw wrongType(.object) }
        return object.members.map { member in
            (member.name, JSONCursor(member.value, path: path.appending(key: member.name), bytes: bytes))
        }
    }

    /// The elements in order. Throws when this is no array.
    package func elements() throws(JSONError) -> [JSONCursor] {
        guard let array = value.array else { throw wrongType(.array) }
        return array.enumerated().map { index, element in
            JSONCursor(element, path: path.appending(index: index), bytes: bytes)
        }
    }

    /// A reason of the caller's, about this value.
    package func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason, offset: value.span.offset, position: position, path: path)
    }

    package func wrongType(_ expected: JSONTypeName) -> JSONError {
        error(.wrongType(expected: expected, found: value.typeName))
    }
}
