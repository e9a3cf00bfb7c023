/// The names of the objects being read, and the proof that each object has every name once.
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
        var node: Int { Int(UInt32(truncatingIfNeeded: bits)) }
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

    /// The node of the first name that repeats an earlier one, among those from `first` on.
    func repetition(from first: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Int? {
        guard marks.count &- first > JSONNameCheck.largestScanned else { return scanned(from: first, nodes, bytes) }
        let sorted = marks[first...].sorted { $0.bits < $1.bits }
        var found: Int?
        var start = 0
        while start < sorted.count {
            var end = start &+ 1
            while end < sorted.count, sorted[end].fingerprint == sorted[start].fingerprint { end &+= 1 }
            if end &- start > 1, let node = repetition(among: sorted[start..<end], nodes, bytes) {
                found = min(found ?? .max, node)
            }
            start = end
        }
        return found
    }

    private func scanned(from first: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Int? {
        var second = first &+ 1
        while second < marks.count {
            for earlier in first..<second
            where marks[earlier].fingerprint == marks[second].fingerprint
                && JSONStringText.areEqual(nodes[marks[earlier].node], nodes[marks[second].node], in: bytes)
            {
                return marks[second].node
            }
            second &+= 1
        }
        return nil
    }

    private func repetition(
        among marks: ArraySlice<Mark>, _ nodes: [JSONNode], _ bytes: Span<UInt8>
    ) -> Int? {
        let sorted = marks.sorted { left, right in
            let (first, second) = (nodes[left.node], nodes[right.node])
            if JSONStringText.areEqual(first, second, in: bytes) { return left.node < right.node }
            return JSONStringText.precedes(first, second, in: bytes)
        }
        var found: Int?
        for (left, right) in zip(sorted, sorted.dropFirst())
        where JSONStringText.areEqual(nodes[left.node], nodes[right.node], in: bytes) {
            found = min(found ?? .max, right.node)
        }
        return found
    }
}
