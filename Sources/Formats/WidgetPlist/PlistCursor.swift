package import WidgetBytes

/// A value of a property list with its path, so that errors name the path.
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

    /// The value of that key, or `nil`. Throws if this is not a dictionary.
    package func member(_ key: String) throws(PlistError) -> PlistCursor? {
        guard let dictionary = value.dictionary else { throw wrongType(.dictionary) }
        return dictionary[key].map { PlistCursor($0, path: path.appending(key: key)) }
    }

    /// The members in order. Throws if this is not a dictionary.
    package func members() throws(PlistError) -> [(key: String, value: PlistCursor)] {
        guard let dictionary = value.dictionary else { throw wrongType(.dictionary) }
        return dictionary.members.map { key, value in (key, PlistCursor(value, path: path.appending(key: key))) }
    }

    /// The elements in order. Throws if this is not an array.
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

/// A type that one value of a property list can be turned into.
package protocol PlistDecodable {
    init(plist: PlistCursor) throws(PlistError)
}

extension PlistValue: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) { self = plist.value }
}

extension PlistDictionary: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.dictionary else { throw plist.wrongType(.dictionary) }
        self = value
    }
}

extension PlistDate: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.date else { throw plist.wrongType(.date) }
        self = value
    }
}

extension String: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.string else { throw plist.wrongType(.string) }
        self = value
    }
}

extension Bool: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.boolean else { throw plist.wrongType(.boolean) }
        self = value
    }
}

extension Int64: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        switch plist.value {
        case .integer(let value): self = value
        case .largeInteger: throw plist.error(.numberNotRepresentable)
        default: throw plist.wrongType(.integer)
        }
    }
}

extension Int: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        self = Int(clamping: try Int64(plist: plist))
    }
}

extension Double: PlistDecodable {
    /// Any number; whole ones are rounded to the nearest double.
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.double else { throw plist.wrongType(.real) }
        self = value
    }
}

extension Array: PlistDecodable where Element: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        self = []
        for element in try plist.elements() { append(try Element(plist: element)) }
    }
}
