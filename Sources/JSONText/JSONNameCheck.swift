/// The names of the objects being read, and the proof that each object has every name once.
///
/// Small objects are compared name by name. Larger ones are sorted by fingerprints: names chosen to collide
/// cost comparisons of a sort, never a quadratic number of them.
struct JSONNameCheck {
    private struct Mark: Comparable {
        var fingerprint: UInt32
        var node: UInt32

        static func < (left: Mark, right: Mark) -> Bool {
            (left.fingerprint, left.node) < (right.fingerprint, right.node)
        }
    }

    private static let largestScanned = 16

    private var marks: [Mark] = []

    var count: Int { marks.count }

    mutating func append(_ node: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) {
        marks.append(
            Mark(
                fingerprint: JSONStringText.fingerprint(of: nodes[node], in: bytes),
                node: UInt32(truncatingIfNeeded: node)))
    }

    mutating func drop(from first: Int) {
        marks.removeSubrange(first...)
    }

    /// The node of the first name that repeats an earlier one, among those from `first` on.
    func repetition(from first: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Int? {
        guard marks.count &- first > JSONNameCheck.largestScanned else { return scanned(from: first, nodes, bytes) }
        let sorted = marks[first...].sorted()
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
                && JSONStringText.areEqual(nodes[Int(marks[earlier].node)], nodes[Int(marks[second].node)], in: bytes)
            {
                return Int(marks[second].node)
            }
            second &+= 1
        }
        return nil
    }

    private func repetition(
        among marks: ArraySlice<Mark>, _ nodes: [JSONNode], _ bytes: Span<UInt8>
    ) -> Int? {
        let sorted = marks.sorted { left, right in
            let (first, second) = (nodes[Int(left.node)], nodes[Int(right.node)])
            if JSONStringText.areEqual(first, second, in: bytes) { return left.node < right.node }
            return JSONStringText.precedes(first, second, in: bytes)
        }
        var found: Int?
        for (left, right) in zip(sorted, sorted.dropFirst())
        where JSONStringText.areEqual(nodes[Int(left.node)], nodes[Int(right.node)], in: bytes) {
            found = min(found ?? .max, Int(right.node))
        }
        return found
    }
}
