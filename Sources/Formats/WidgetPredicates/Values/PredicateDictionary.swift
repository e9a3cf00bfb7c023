/// Values by key, in the order of insertion.
package struct PredicateDictionary: Sendable {
    /// The keys of dictionaries. Rows with equal keys share them.
    final class Keys: Sendable {
        let texts: [String]
        /// The hashes of the keys; empty if there are too many to scan.
        let hashes: [Int]
        /// The index of the keys, once there are so many that scanning is slower.
        let places: [String: Int]

        init(_ texts: [String]) {
            self.texts = texts
            let isScanned = texts.count <= PredicateDictionary.scannedCount
            hashes = isScanned ? texts.map { $0.hashValue } : []
            var places: [String: Int] = [:]
            if !isScanned {
                places.reserveCapacity(texts.count)
                for (place, text) in texts.enumerated() { places[text] = place }
            }
            self.places = places
        }

        /// True if no key occurs twice; a dictionary requires it.
        var areDifferent: Bool {
            if !places.isEmpty { return places.count == texts.count }
            return texts.indices.allSatisfy { !texts[..<$0].contains(texts[$0]) }
        }
    }

    /// Boxed, so that passing a dictionary on counts one reference and not several, the main cost of evaluation.
    private final class Members: Sendable {
        let keys: Keys
        /// The hashes of the keys, computed once.
        let hashes: [Int]
        let texts: [String]
        let values: [PredicateValue]
        let extent: ValueExtent

        init(_ keys: Keys, _ values: [PredicateValue]) {
            (self.keys, self.values) = (keys, values)
            (hashes, texts) = (keys.hashes, keys.texts)
            extent = ValueExtent(of: values)
        }

        func value(_ key: String) -> PredicateValue? { place(key).map { values[$0] } }

        func place(_ key: String) -> Int? {
            if hashes.isEmpty { return keys.places[key] }
            for place in texts.indices where texts[place] == key { return place }
            return nil
        }

        @inline(__always)
        func value(_ key: MemberKey) -> PredicateValue? {
            for place in hashes.indices where hashes[place] == key.hash && texts[place] == key.text {
                return values[place]
            }
            return hashes.isEmpty ? value(inTable: key.text) : nil
        }

        @inline(never)
        private func value(inTable key: String) -> PredicateValue? { keys.places[key].map { values[$0] } }
    }

    private let members: Members

    private static let scannedCount = 12

    package init() {
        self.init([])
    }

    /// The last of several values of one key stays, at the place of the first.
    package init(_ pairs: some Sequence<(String, PredicateValue)>) {
        var texts: [String] = []
        var values: [PredicateValue] = []
        for (key, value) in pairs {
            texts.append(key)
            values.append(value)
        }
        var keys = Keys(texts)
        if !keys.areDifferent {
            var places: [String: Int] = [:]
            var kept: (texts: [String], values: [PredicateValue]) = ([], [])
            for (text, value) in zip(texts, values) {
                if let place = places[text] {
                    kept.values[place] = value
                } else {
                    places[text] = kept.texts.count
                    kept.texts.append(text)
                    kept.values.append(value)
                }
            }
            keys = Keys(kept.texts)
            values = kept.values
        }
        members = Members(keys, values)
    }

    /// - Parameters:
    ///   - keys: each once.
    ///   - values: as many as there are keys.
    fileprivate init(_ keys: Keys, _ values: [PredicateValue]) {
        members = Members(keys, values)
    }

    /// The same members with another value of one key, which is added at the end if it is not there.
    package func setting(_ key: String, to value: PredicateValue) -> PredicateDictionary {
        guard let place = members.place(key) else {
            return PredicateDictionary(Keys(members.texts + [key]), members.values + [value])
        }
        var values = members.values
        values[place] = value
        return PredicateDictionary(members.keys, values)
    }

    package var keys: [String] { members.texts }

    package var values: [PredicateValue] { members.values }

    /// Computed when the dictionary is made, so that reading it needs no traversal.
    package var extent: ValueExtent { members.extent }

    /// True if both share one storage; equal contents are not enough.
    func isSame(as other: PredicateDictionary) -> Bool { members === other.members }

    package var count: Int { members.values.count }

    package subscript(key: String) -> PredicateValue? { members.value(key) }

    /// The value's member of that key, if it is a dictionary that has it. It is a separate function that ends in the
    /// lookup, so that reading a dictionary counts no reference to it.
    @inline(never)
    static func member(_ key: MemberKey, of value: PredicateValue) -> PredicateValue? {
        switch value {
        case .dictionary(let dictionary): return dictionary.members.value(key)
        default: return nil
        }
    }

    /// The same for an element, read in place.
    @inline(never)
    static func member(_ key: MemberKey, at place: Int, of values: [PredicateValue]) -> PredicateValue? {
        switch values[place] {
        case .dictionary(let dictionary): return dictionary.members.value(key)
        default: return nil
        }
    }
}

/// A key for many lookups. Its hash differs sooner than its letters.
struct MemberKey: Sendable {
    let text: String
    let hash: Int

    init(_ text: String) {
        self.text = text
        hash = text.hashValue
    }
}

/// Makes the dictionaries of one document: rows of a list have the same keys, and so share them.
package struct PredicateDictionaryMaker {
    private var recent: [PredicateDictionary.Keys] = []
    private static let mostRecent = 4

    package init() {}

    /// - Parameter values: as many as there are keys.
    package mutating func dictionary(_ keys: [String], _ values: [PredicateValue]) -> PredicateDictionary {
        for known in recent where known.texts == keys && keys.count == values.count {
            return PredicateDictionary(known, values)
        }
        let made = PredicateDictionary.Keys(keys)
        guard made.areDifferent, keys.count == values.count else { return PredicateDictionary(zip(keys, values)) }
        if recent.count == PredicateDictionaryMaker.mostRecent { recent.removeFirst() }
        recent.append(made)
        return PredicateDictionary(made, values)
    }
}
