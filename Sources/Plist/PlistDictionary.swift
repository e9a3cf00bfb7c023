internal import Bytes

/// Keys and their values in the order of the file, each key once.
package struct PlistDictionary: Sendable {
    package let keys: [String]
    package let values: [PlistValue]
    /// Positions in the order of their keys' bytes; empty for dictionaries small enough to scan.
    private let sorted: [Int]

    private static let largestScanned = 16

    package init() {
        (keys, values, sorted) = ([], [], [])
    }

    /// Refused, with the position of the first key that repeats an earlier one, when there is such a key.
    init(keys: [String], values: [PlistValue]) throws(DuplicateKey) {
        precondition(keys.count == values.count, "every key has one value")
        if keys.count > PlistDictionary.largestScanned {
            sorted = try PlistDictionary.sortedPositions(keys)
        } else {
            sorted = []
            for (second, key) in keys.enumerated() where keys[..<second].contains(where: { $0.hasBytes(of: key) }) {
                throw DuplicateKey(position: second)
            }
        }
        self.keys = keys
        self.values = values
    }

    /// A dictionary of these members, or `nil` when two have one key.
    package init?(_ members: [(String, PlistValue)]) {
        do { self = try PlistDictionary(keys: members.map(\.0), values: members.map(\.1)) } catch { return nil }
    }

    struct DuplicateKey: Error {
        var position: Int
    }

    package var count: Int { keys.count }

    package var isEmpty: Bool { keys.isEmpty }

    package var members: Zip2Sequence<[String], [PlistValue]> { zip(keys, values) }

    /// The value of exactly that key: code points are compared, not what they look like.
    ///
    /// - Complexity: O(log n), and a plain scan for small dictionaries.
    package subscript(_ key: String) -> PlistValue? { position(of: key).map { values[$0] } }

    private func position(of key: String) -> Int? {
        guard !sorted.isEmpty else { return keys.firstIndex { $0.hasBytes(of: key) } }
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = low + (high - low) / 2
            if keys[sorted[middle]].byteOrder(key) < 0 { low = middle + 1 } else { high = middle }
        }
        guard low < sorted.count, keys[sorted[low]].hasBytes(of: key) else { return nil }
        return sorted[low]
    }

    private static func sortedPositions(_ keys: [String]) throws(DuplicateKey) -> [Int] {
        let sorted = keys.indices.sorted { first, second in
            let order = keys[first].byteOrder(keys[second])
            return order < 0 || order == 0 && first < second
        }
        var duplicate = Int.max
        for (first, second) in zip(sorted, sorted.dropFirst()) where keys[first].hasBytes(of: keys[second]) {
            duplicate = min(duplicate, second)
        }
        guard duplicate == .max else { throw DuplicateKey(position: duplicate) }
        return sorted
    }
}
