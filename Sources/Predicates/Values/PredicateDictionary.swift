/// Values by key, in the order in which they came.
package struct PredicateDictionary: Sendable {
    package private(set) var keys: [String]
    package private(set) var values: [PredicateValue]
    /// Only where comparing a handful of keys would be slower.
    private var places: [String: Int]

    private static let scannedCount = 8

    package init() {
        (keys, values, places) = ([], [], [:])
    }

    /// The last of several values of one key stays, at the place of the first.
    package init(_ members: some Sequence<(String, PredicateValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    package var count: Int { keys.count }

    /// Setting `nil` does nothing: a member without a value holds `.null`.
    package subscript(key: String) -> PredicateValue? {
        get {
            guard let place = place(of: key) else { return nil }
            return values[place]
        }
        set {
            guard let newValue else { return }
            if let place = place(of: key) {
                values[place] = newValue
                return
            }
            keys.append(key)
            values.append(newValue)
            if keys.count > PredicateDictionary.scannedCount { index() }
        }
    }

    private mutating func index() {
        if places.isEmpty {
            for (place, key) in keys.enumerated() { places[key] = place }
        } else if let last = keys.last {
            places[last] = keys.count - 1
        }
    }

    private func place(of key: String) -> Int? {
        guard places.isEmpty else { return places[key] }
        for place in keys.indices where keys[place] == key { return place }
        return nil
    }
}
