/// A table of finite-state entropy coding: each state stands for a symbol, and says how many bits lead to
/// which states next.
struct StateTable {
    private struct Entry {
        var symbol: UInt8
        var bitCount: UInt8
        var base: Int16
    }

    private var entries: [Entry]

    /// `nil` when the symbols' shares exceed the states. `stateCount` is a power of two.
    init?(_ shares: ArraySlice<UInt16>, stateCount: Int) {
        entries = []
        entries.reserveCapacity(stateCount)
        for (symbol, share) in shares.enumerated() where share > 0 {
            let share = Int(share)
            guard share <= stateCount - entries.count else { return nil }
            let bits = share.leadingZeroBitCount - stateCount.leadingZeroBitCount
            // The first states of a symbol read one bit more than the rest.
            let border = (2 * stateCount) >> bits - share
            for index in 0..<share {
                let (count, base) =
                    index < border
                    ? (bits, (share + index) << bits - stateCount) : (bits - 1, (index - border) << (bits - 1))
                entries.append(
                    Entry(
                        symbol: UInt8(truncatingIfNeeded: symbol), bitCount: UInt8(truncatingIfNeeded: count),
                        base: Int16(truncatingIfNeeded: base)))
            }
        }
    }

    /// The state's symbol; the state becomes the next one. `nil` when the state or the bits do not exist.
    func next(_ state: inout Int, _ bits: inout BackwardBits) -> Int? {
        guard state >= 0, state < entries.count else { return nil }
        let entry = entries[state]
        guard let read = bits.read(Int(entry.bitCount)) else { return nil }
        state = Int(entry.base) + read
        return Int(entry.symbol)
    }
}
