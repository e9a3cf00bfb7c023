internal import WidgetBytes

/// The names of the objects being read, and the proof that each object has every name once.
///
/// Names that Unicode takes for the same text (UAX #15, canonical equivalence) are the same name here: programs that
/// compare texts as Swift does would find one member, others the other.
///
/// Small objects are compared name by name. Larger ones are sorted by fingerprints: names chosen to collide
/// cost comparisons of a sort, never a quadratic number of them.
struct JSONNameCheck {
    /// A fingerprint above the node's index, so that sorting compares one number.
    private struct Mark {
        let bits: UInt64

        init(_ fingerprint: UInt32, _ node: Int) {
            bits = UInt64(fingerprint) << 32 | UInt64(UInt32(truncatingIfNeeded: node))
        }

        var fingerprint: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
        var node: Int { Int(bounded: UInt32(truncatingIfNeeded: bits)) }
    }

    private static let largestScanned = 16

    private var marks: [Mark] = []

    var count: Int { marks.count }

    mutating func append(_ node: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) {
        marks.append(Mark(JSONStringText.fingerprint(of: nodes[node], in: bytes), node))
    }

    mutating func drop(from first: Int) {
        marks.removeSubrange(first...)
    }

    /// A name that its object has already, and the earlier one.
    struct Repetition {
        var node: Int
        var earlier: Int
    }

    /// The first name that repeats an earlier one, among those from `first` on.
    func repetition(from first: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Repetition? {
        if marks.count &- first <= JSONNameCheck.largestScanned, !hasEqualFingerprints(from: first) { return nil }
        let sorted = marks[first...].sorted { $0.bits < $1.bits }
        var found: Repetition?
        var start = 0
        while start < sorted.count {
            var end = start &+ 1
            while end < sorted.count, sorted[end].fingerprint == sorted[start].fingerprint { end &+= 1 }
            if end &- start > 1, let repeated = repetition(among: sorted[start..<end], nodes, bytes),
                repeated.node < found?.node ?? .max
            {
                found = repeated
            }
            start = end
        }
        return found
    }

    private func hasEqualFingerprints(from first: Int) -> Bool {
        var second = first &+ 1
        while second < marks.count {
            for earlier in first..<second where marks[earlier].fingerprint == marks[second].fingerprint { return true }
            second &+= 1
        }
        return false
    }

    /// Each name's text is made once, however many share a fingerprint.
    private func repetition(
        among marks: ArraySlice<Mark>, _ nodes: [JSONNode], _ bytes: Span<UInt8>
    ) -> Repetition? {
        let sorted = marks.map { (text: JSONStringText.canonicalText(of: nodes[$0.node], in: bytes), node: $0.node) }
            .sorted { left, right in
                left.text == right.text ? left.node < right.node : left.text.lexicographicallyPrecedes(right.text)
            }
        var found: Repetition?
        for (left, right) in zip(sorted, sorted.dropFirst())
        where left.text == right.text && right.node < found?.node ?? .max {
            found = Repetition(node: right.node, earlier: left.node)
        }
        return found
    }
}

/// Finds names in an object, and the name that it has twice.
///
/// Small objects are scanned. Larger ones get a sorted list of fingerprints: names chosen to collide
/// cost comparisons of a sort, never a quadratic number of them.
struct JSONNameIndex: Sendable {
    enum Outcome {
        case unique(JSONNameIndex)
        /// Two members have one name; this is the first member that repeats an earlier one.
        case duplicate(Int)
    }

    private struct Entry {
        var fingerprint: UInt32
        var position: UInt32
    }

    private static let largestScanned = 16

    /// Empty for objects small enough to scan.
    private let entries: [Entry]

    /// FNV-1a, 32 bits.
    static func fingerprint(of name: String) -> UInt32 {
        var value: UInt32 = 0x811C_9DC5
        for byte in name.utf8 { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
        return value
    }

    static func make(_ members: [JSONObject.Member], fingerprints: ArraySlice<UInt32>) -> Outcome {
        guard members.count > largestScanned else { return scanned(members, fingerprints) }
        var entries: [Entry] = []
        entries.reserveCapacity(members.count)
        for (position, fingerprint) in fingerprints.enumerated() {
            entries.append(Entry(fingerprint: fingerprint, position: UInt32(clamping: position)))
        }
        entries.sort { isBefore($0, $1, in: members) }
        var duplicate: Int?
        for (first, second) in zip(entries, entries.dropFirst())
        where first.fingerprint == second.fingerprint
            && isSame(members[Int(bounded: first.position)].name, members[Int(bounded: second.position)].name)
        {
            duplicate = min(duplicate ?? .max, Int(bounded: second.position))
        }
        return duplicate.map { .duplicate($0) } ?? .unique(JSONNameIndex(entries: entries))
    }

    /// The index of members with names that are known to differ.
    static func ofUnique(_ members: [JSONObject.Member]) -> JSONNameIndex {
        guard members.count > largestScanned else { return JSONNameIndex(entries: []) }
        var entries = members.indices.map { position in
            Entry(fingerprint: fingerprint(of: members[position].name), position: UInt32(clamping: position))
        }
        entries.sort { ($0.fingerprint, $0.position) < ($1.fingerprint, $1.position) }
        return JSONNameIndex(entries: entries)
    }

    func position(of name: String, in members: [JSONObject.Member]) -> Int? {
        guard !entries.isEmpty else { return members.firstIndex { JSONNameIndex.isSame($0.name, name) } }
        let fingerprint = JSONNameIndex.fingerprint(of: name)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].fingerprint < fingerprint { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].fingerprint == fingerprint {
            let position = Int(bounded: entries[low].position)
            if JSONNameIndex.isSame(members[position].name, name) { return position }
            low += 1
        }
        return nil
    }

    private static func scanned(_ members: [JSONObject.Member], _ fingerprints: ArraySlice<UInt32>) -> Outcome {
        let base = fingerprints.startIndex
        for second in members.indices.dropFirst() {
            let fingerprint = fingerprints[base &+ second]
            for first in 0..<second
            where fingerprints[base &+ first] == fingerprint && isSame(members[first].name, members[second].name) {
                return .duplicate(second)
            }
        }
        return .unique(JSONNameIndex(entries: []))
    }

    private static func isBefore(_ left: Entry, _ right: Entry, in members: [JSONObject.Member]) -> Bool {
        if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
        let first = members[Int(bounded: left.position)].name
        let second = members[Int(bounded: right.position)].name
        if isSame(first, second) { return left.position < right.position }
        return first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// Byte for byte. `String` equality would also equate different spellings of one character, which
    /// no JSON reader on the receiving side does.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }
}
