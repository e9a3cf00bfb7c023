/// Values by key, in the order in which they came.
package struct PredicateDictionary: Sendable {
    /// In a box, so that handing a dictionary on counts one reference and not three: evaluation does little else.
    private final class Members: Sendable {
        let keys: [String]
        let values: [PredicateValue]
        /// Of the keys, or nothing where there are too many to look through.
        let hashes: [Int]
        /// Only where looking through a handful of keys would be slower.
        let places: [String: Int]
        let extent: ValueExtent

        init(_ keys: [String], _ values: [PredicateValue], _ places: [String: Int]) {
            (self.keys, self.values) = (keys, values)
            let isScanned = keys.count <= PredicateDictionary.scannedCount
            hashes = isScanned ? keys.map(\.hashValue) : []
            self.places = isScanned ? [:] : places
            extent = ValueExtent(of: values)
        }

        func value(_ key: String) -> PredicateValue? {
            if !places.isEmpty { return places[key].map { values[$0] } }
            for place in keys.indices where keys[place] == key { return values[place] }
            return nil
        }

        @inline(__always)
        func value(_ key: MemberKey) -> PredicateValue? {
            for place in hashes.indices where hashes[place] == key.hash && keys[place] == key.text {
                return values[place]
            }
            return places.isEmpty ? nil : value(inTable: key.text)
        }

        @inline(never)
        private func value(inTable key: String) -> PredicateValue? { places[key].map { values[$0] } }
    }

    private let members: Members

    private static let scannedCount = 12

    package init() {
        self.init([])
    }

    /// The last of several values of one key stays, at the place of the first.
    package init(_ pairs: some Sequence<(String, PredicateValue)>) {
        var keys: [String] = []
        var values: [PredicateValue] = []
        var places: [String: Int] = [:]
        for (key, value) in pairs {
            if let place = places[key] {
                values[place] = value
            } else {
                places[key] = keys.count
                keys.append(key)
                values.append(value)
            }
        }
        members = Members(keys, values, places)
    }

    package var keys: [String] { members.keys }

    package var values: [PredicateValue] { members.values }

    /// Known from the beginning, so that nobody has to look through it for that.
    package var extent: ValueExtent { members.extent }

    /// Whether both are one and the same, and not only alike.
    func isSame(as other: PredicateDictionary) -> Bool { members === other.members }

    package var count: Int { members.keys.count }

    package subscript(key: String) -> PredicateValue? { members.value(key) }

    /// What the value holds for the key, if it is a dictionary that has it. On its own and with nothing behind the call,
    /// so that looking into a dictionary counts no reference to it.
    @inline(never)
    static func member(_ key: MemberKey, of value: PredicateValue) -> PredicateValue? {
        switch value {
        case .dictionary(let dictionary): return dictionary.members.value(key)
        default: return nil
        }
    }

    /// The same of an element, where it lies.
    @inline(never)
    static func member(_ key: MemberKey, at place: Int, of values: [PredicateValue]) -> PredicateValue? {
        switch values[place] {
        case .dictionary(let dictionary): return dictionary.members.value(key)
        default: return nil
        }
    }
}

/// A key that is looked for again and again. Its hash tells it from others sooner than its letters do.
struct MemberKey: Sendable {
    let text: String
    let hash: Int

    init(_ text: String) {
        self.text = text
        hash = text.hashValue
    }
}
