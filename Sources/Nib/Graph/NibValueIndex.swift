/// Where the keys of large objects are. Many places of an interface may refer to one object, and all of them ask it for
/// the same keys: of an object with 100,000 values that is more than looking through them each time may cost.
struct NibValueIndex: Sendable {
    /// Objects with more values than this are rare: lists, which have one or two keys.
    private static let largestScanned = 64

    fileprivate struct Entry {
        var key: UInt32
        var value: UInt32
    }

    /// The first value of each key that one object has, by the keys.
    struct Places {
        fileprivate let entries: ArraySlice<Entry>

        func first(where key: UInt32) -> Int? {
            var (low, high) = (entries.startIndex, entries.endIndex)
            while low < high {
                let middle = low + (high - low) / 2
                if entries[middle].key < key { low = middle + 1 } else { high = middle }
            }
            guard low < entries.endIndex, entries[low].key == key else { return nil }
            return Int(entries[low].value)
        }
    }

    private var entries: [Entry] = []
    private var ranges: [Int: Range<Int>] = [:]

    /// Linear in the values: which object has had a key last is noted beside the key.
    init(_ objects: [NibObject], _ values: [NibValue], keyCount: Int) {
        var lastOwner: [UInt32] = []
        for (number, object) in objects.enumerated() where Int(object.valueCount) > NibValueIndex.largestScanned {
            if lastOwner.isEmpty { lastOwner = Array(repeating: .max, count: keyCount) }
            let start = entries.count
            for value in object.values {
                let key = Int(values[value].key)
                guard lastOwner[key] != UInt32(number) else { continue }
                lastOwner[key] = UInt32(number)
                entries.append(Entry(key: UInt32(key), value: UInt32(value)))
            }
            entries[start...].sort { $0.key < $1.key }
            ranges[number] = start..<entries.count
        }
    }

    /// Those of a large object; nil for any other.
    func places(of object: Int) -> Places? {
        guard !ranges.isEmpty, let range = ranges[object] else { return nil }
        return Places(entries: entries[range])
    }
}
