/// Values by key, in the order in which they came.
package struct PredicateDictionary: Sendable {
    /// In a box, so that handing a dictionary on counts one reference and not three: evaluation does little else.
    private final class Members: Sendable {
        let keys: [String]
        let values: [PredicateValue]
        /// Only where comparing a handful of keys would be slower.
        let places: [String: Int]

        init(_ keys: [String], _ values: [PredicateValue], _ places: [String: Int]) {
            (self.keys, self.values, self.places) = (keys, values, places)
        }
    }

    private let members: Members

    private static let scannedCount = 8

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
        members = Members(keys, values, keys.count > PredicateDictionary.scannedCount ? places : [:])
    }

    package var keys: [String] { members.keys }

    package var values: [PredicateValue] { members.values }

    package var count: Int { members.keys.count }

    /// What a dictionary holds for a key, `.null` where it holds nothing; `nil` for any other value. On its own, so that
    /// looking into a dictionary counts no reference to it.
    @inline(never)
    static func member(_ key: String, of value: PredicateValue) -> PredicateValue? {
        if case .dictionary(let dictionary) = value { return dictionary[key] ?? .null }
        return nil
    }

    package subscript(key: String) -> PredicateValue? {
        if !members.places.isEmpty { return members.places[key].map { members.values[$0] } }
        for place in members.keys.indices where members.keys[place] == key { return members.values[place] }
        return nil
    }
}
