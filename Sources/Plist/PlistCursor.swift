package import Bytes

/// A value of a property list that knows the way to itself, so that whatever is wrong with it can be
/// said with its path.
package struct PlistCursor: Sendable {
    package let value: PlistValue
    package let path: ValuePath

    package init(_ value: PlistValue, path: ValuePath = ValuePath()) {
        self.value = value
        self.path = path
    }

    /// The value of that key, decoded.
    package func require<T: PlistDecodable>(_ key: String, as type: T.Type = T.self) throws(PlistError) -> T {
        guard let member = try member(key) else { throw error(.missingMember(key)) }
        return try T(plist: member)
    }

    /// The value of that key, decoded; `nil` when the key is absent.
    package func optional<T: PlistDecodable>(_ key: String, as type: T.Type = T.self) throws(PlistError) -> T? {
        guard let member = try member(key) else { return nil }
        return try T(plist: member)
    }

    package func decode<T: PlistDecodable>(as type: T.Type = T.self) throws(PlistError) -> T {
        try T(plist: self)
    }

    /// The value of that key, when there is one. Throws when this is no dictionary.
    package func member(_ key: String) throws(PlistError) -> PlistCursor? {
        guard let dictionary = value.dictionary else { throw wrongType(.dictionary) }
        return dictionary[key].map { PlistCursor($0, path: path.appending(key: key)) }
    }

    /// The members in order. Throws when this is no dictionary.
    package func members() throws(PlistError) -> [(key: String, value: PlistCursor)] {
        guard let dictionary = value.dictionary else { throw wrongType(.dictionary) }
        return dictionary.members.map { key, value in (key, PlistCursor(value, path: path.appending(key: key))) }
    }

    /// The elements in order. Throws when this is no array.
    package func elements() throws(PlistError) -> [PlistCursor] {
        guard let array = value.array else { throw wrongType(.array) }
        return array.enumerated().map { index, element in PlistCursor(element, path: path.appending(index: index)) }
    }

    /// A reason of the caller's, about this value.
    package func error(_ reason: PlistError.Reason) -> PlistError { PlistError(reason, path: path) }

    package func wrongType(_ expected: PlistTypeName) -> PlistError {
        error(.wrongType(expected: expected, found: value.typeName))
    }
}

extension PlistDictionary {
    /// The value of that key, decoded; for the dictionary at the root of a property list.
    package func require<T: PlistDecodable>(_ key: String, as type: T.Type = T.self) throws(PlistError) -> T {
        try PlistCursor(.dictionary(self)).require(key)
    }

    /// The value of that key, decoded; `nil` when the key is absent.
    package func optional<T: PlistDecodable>(_ key: String, as type: T.Type = T.self) throws(PlistError) -> T? {
        try PlistCursor(.dictionary(self)).optional(key)
    }
}
