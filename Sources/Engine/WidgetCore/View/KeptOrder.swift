/// Finds the elements of a list that need not move.
package enum KeptOrder {
    /// True for those of a longest series whose places were in the same order before.
    ///
    /// - Parameter origins: the place of each element before; `nil` for a new one.
    package static func staying(_ origins: [Int?]) -> [Bool] {
        // The element at the end of the best series of each length, and the one before each element in its series.
        var ends: [(offset: Int, place: Int)] = []
        var links = [Int](repeating: -1, count: origins.count)
        for (offset, place) in origins.enumerated() {
            guard let place else { continue }
            var (low, high) = (0, ends.count)
            // Most elements follow the one before.
            if let last = ends.last, last.place < place { low = high }
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].place < place { low = middle + 1 } else { high = middle }
            }
            if low > 0 { links[offset] = ends[low - 1].offset }
            if low == ends.count { ends.append((offset, place)) } else { ends[low] = (offset, place) }
        }
        var staying = [Bool](repeating: false, count: origins.count)
        var offset = ends.last?.offset ?? -1
        while offset >= 0 {
            staying[offset] = true
            offset = links[offset]
        }
        return staying
    }
}
