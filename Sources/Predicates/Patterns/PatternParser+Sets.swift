/// `[…]`: `--` takes away what follows, `&&` keeps what both sides have and binds tighter, and things side by side,
/// tighter still, are all meant. Between two sets in brackets a single `-` or `&` does the same to those two.
extension PatternParser {
    /// Behind the opening bracket.
    mutating func set(at offset: Int) throws(PatternError) -> ScalarSet {
        if reader.peek()?.is(":") == true, let set = try posixSet() { return set }
        let isNegated = reader.skip("^")
        var set = try intersections(at: offset, isFirst: true)
        while skipTwice("-") { set = set.subtracting(try intersections(at: offset, isFirst: false)) }
        guard reader.skip("]") else { throw PatternError(.unbalancedBracket, offset) }
        return isNegated ? .complement(set) : set
    }

    private mutating func intersections(at offset: Int, isFirst: Bool) throws(PatternError) -> ScalarSet {
        var set = try members(at: offset, isFirst: isFirst)
        while skipTwice("&") { set = set.intersecting(try members(at: offset, isFirst: false)) }
        return set
    }

    private mutating func skipTwice(_ letter: Unicode.Scalar) -> Bool {
        guard isDouble(letter) else { return false }
        return reader.skip(letter) && reader.skip(letter)
    }

    private mutating func isDouble(_ letter: Unicode.Scalar) -> Bool {
        guard let first = reader.peek(), first.is(letter) else { return false }
        return reader.raw(1) == letter.value
    }

    /// Characters, ranges and sets, up to `--`, `&&` or the closing bracket.
    private mutating func members(at offset: Int, isFirst: Bool) throws(PatternError) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var sets: [ScalarSet] = []
        var isFirst = isFirst
        var followsBrackets = false
        while let character = reader.peek() {
            defer { isFirst = false }
            if character.is("]"), !isFirst { break }
            if !isFirst, isDouble("-") || isDouble("&") { break }
            if followsBrackets, character.is("-") || character.is("&"), reader.raw(1) == 0x5B {
                let takesAway = reader.skip("-")
                if !takesAway { _ = reader.skip("&") }
                guard let bracket = reader.next(), let last = sets.popLast() else { break }
                let other = try bracketed(at: bracket.offset)
                sets.append(takesAway ? last.subtracting(other) : last.intersecting(other))
                continue
            }
            followsBrackets = false
            if character.is("[") {
                _ = reader.next()
                sets.append(try bracketed(at: character.offset))
                followsBrackets = true
            } else if let set = try member(&ranges, character.offset) {
                sets.append(set)
            }
        }
        if sets.isEmpty { return caseless(ScalarSet(ranges)) }
        return ranges.isEmpty && sets.count == 1 ? sets[0] : .union([caseless(ScalarSet(ranges))] + sets)
    }

    private mutating func bracketed(at offset: Int) throws(PatternError) -> ScalarSet {
        try nested(at: offset) { parser throws(PatternError) in try parser.set(at: offset) }
    }

    /// A character or a range, which is added, or the set that an escape names.
    private mutating func member(
        _ ranges: inout [ClosedRange<UInt32>], _ offset: Int
    ) throws(PatternError) -> ScalarSet? {
        guard let first = reader.next() else { return nil }
        if first.is("\\"), let set = try setEscape(at: offset) { return set }
        let lower = first.is("\\") ? try scalarEscape(at: offset) : first.scalar
        guard let dash = reader.peek(), dash.is("-"), let ahead = reader.raw(1), ahead != 0x5D, ahead != 0x2D,
            ahead != 0x5B
        else {
            add(lower, lower, to: &ranges)
            return nil
        }
        _ = reader.next()
        guard let last = reader.next() else { throw PatternError(.unbalancedBracket, offset) }
        if last.is("\\"), try setEscape(at: last.offset) != nil { throw PatternError(.badRange, offset) }
        let upper = last.is("\\") ? try scalarEscape(at: last.offset) : last.scalar
        guard lower <= upper else { throw PatternError(.badRange, offset) }
        add(lower, upper, to: &ranges)
        return nil
    }

    private func add(_ lower: UInt32, _ upper: UInt32, to ranges: inout [ClosedRange<UInt32>]) {
        guard comparison.ignoresDiacritics else {
            ranges.append(lower...upper)
            return
        }
        // Letters lose their accents in the subject, so they do here; what lies between two of them stays.
        let low = AccentStripping.stripped(lower) ?? lower
        let high = AccentStripping.stripped(upper) ?? upper
        ranges.append(min(low, high)...max(low, high))
        if lower != upper { ranges.append(lower...upper) }
    }

    /// `[:name:]` behind its first bracket, or nil if this is a set that begins with a colon.
    private mutating func posixSet() throws(PatternError) -> ScalarSet? {
        let start = reader
        let offset = reader.offset
        _ = reader.nextRaw()
        guard var name = reader.name(until: ":"), reader.raw() == 0x5D, !name.contains("]") else {
            reader = start
            return nil
        }
        _ = reader.nextRaw()
        let isNegated = name.first == "^"
        if isNegated { name.removeFirst() }
        guard let set = ScalarSet(named: name).map(caseless) else { throw PatternError(.unknownProperty, offset) }
        return isNegated ? .complement(set) : set
    }
}
