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

    /// The member of exactly that name: code points are compared, not what they look like.
    ///
    /// - Complexity: O(log n), and a plain scan for small objects.
    package func member(_ name: String) -> Member? {
        index.position(of: name, in: members).map { members[$0] }
    }

    package subscript(_ name: String) -> JSONValue? { member(name)?.value }
}
