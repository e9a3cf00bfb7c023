package import WidgetBytes

/// A value of a document with its path, so that errors name path, line and column.
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

    /// The member of that name, decoded. A member that is `null` exists, and has the wrong type.
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

    /// The member of that name, or `nil`. Throws if this is not an object.
    package func member(_ name: String) throws(JSONError) -> JSONCursor? {
        guard let object = value.object else { throw wrongType(.object) }
        return object[name].map { JSONCursor($0, path: path.appending(key: name), bytes: bytes) }
    }

    /// The members in order. Throws if this is not an object.
    package func members() throws(JSONError) -> [(name: String, value: JSONCursor)] {
        guard let object = value.object else { throw wrongType(.object) }
        return object.members.map { member in
            (member.name, JSONCursor(member.value, path: path.appending(key: member.name), bytes: bytes))
        }
    }

    /// The elements in order. Throws if this is not an array.
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

/// A type that one JSON value can be turned into.
package protocol JSONDecodable {
    init(json: JSONCursor) throws(JSONError)
}

extension JSONValue: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) { self = json.value }
}

extension String: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let value = json.value.string else { throw json.wrongType(.string) }
        self = value
    }
}

extension Bool: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let value = json.value.boolean else { throw json.wrongType(.boolean) }
        self = value
    }
}

extension Int64: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let number = json.value.number else { throw json.wrongType(.integer) }
        guard let value = number.whole else { throw json.error(.numberNotRepresentable(number.text)) }
        self = value
    }
}

extension Int: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self = Int(clamping: try Int64(json: json))
    }
}

extension Double: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let number = json.value.number else { throw json.wrongType(.number) }
        guard let value = number.double else { throw json.error(.numberNotRepresentable(number.text)) }
        self = value
    }
}

extension Array: JSONDecodable where Element: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self = []
        for element in try json.elements() { append(try Element(json: element)) }
    }
}

/// An object's members in the order they were written, each name once.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let name: String
        package let nameSpan: JSONSpan
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue, nameSpan: JSONSpan = JSONSpan()) {
            self.name = name
            self.nameSpan = nameSpan
            self.value = value
        }
    }

    package let members: [Member]
    private let index: JSONNameIndex

    /// An object of these members, or `nil` when two have the same name.
    package init?(_ members: [Member]) {
        let fingerprints = members.map { JSONNameIndex.fingerprint(of: $0.name) }
        guard case .unique(let index) = JSONNameIndex.make(members, fingerprints: fingerprints[...]) else { return nil }
        self.init(members, index: index)
    }

    /// Members that are known to have each name once.
    init(unique members: [Member]) {
        self.init(members, index: JSONNameIndex.ofUnique(members))
    }

    private init(_ members: [Member], index: JSONNameIndex) {
        self.members = members
        self.index = index
    }

    package var count: Int { members.count }

    package var isEmpty: Bool { members.isEmpty }

    /// The member of exactly that name: code points are compared, not appearances.
    ///
    /// - Complexity: O(log n), and a plain scan for small objects.
    package func member(_ name: String) -> Member? {
        index.position(of: name, in: members).map { members[$0] }
    }

    package subscript(_ name: String) -> JSONValue? { member(name)?.value }
}
