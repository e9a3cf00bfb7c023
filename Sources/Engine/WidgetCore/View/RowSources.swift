internal import WidgetPredicates

/// Values that a list had before, and their places there.
struct SameItems {
    private let values: [Value]
    private let before: [Value]
    /// The unchanged values at both ends.
    let prefix: Int
    let suffix: Int

    /// - Parameter before: values without objects, or values whose rows are not reused.
    init(_ values: [Value], since before: [Value]) {
        self.values = values
        self.before = before
        prefix = Value.unchangedPrefix(of: values, since: before)
        suffix = Value.unchangedSuffix(of: values, since: before, after: prefix)
    }

    /// The values between both ends.
    var middle: Range<Int> { prefix..<(values.count - suffix) }

    /// The places that the values at the end have moved by.
    var offset: Int { before.count - values.count }

    /// The places where this value and those after it were, if they are the same.
    func run(_ place: Int) -> Range<Int>? {
        if place < prefix { return place..<prefix }
        if place >= values.count - suffix { return (place + offset)..<before.count }
        return offset == 0 && isSame(place, place) ? place..<(place + 1) : nil
    }

    func isSame(_ place: Int, _ old: Int) -> Bool { values[place].isUnchanged(from: before[old]) }
}

/// The rows that a view has of the last one, and those that are evaluated.
struct RowPlan {
    struct Segment {
        /// Successive places of the new view.
        var places: Range<Int>
        /// The place of the first one in the last view; `nil` for rows that have to be evaluated.
        var old: Int?
    }

    var segments: [Segment] = []
    /// True if few rows are evaluated, and all others stay where they are.
    var isInPlace = false
}

/// Finds the rows of the last view that the next one can have.
struct RowSources {
    private var segments: [RowPlan.Segment] = []
    private let items: RepeatedItems
    private let known: RepeatedRows
    private let changed: UInt64
    private let now: Double
    /// True if inputs or the clock require a look at each row.
    private let looksAtRows: Bool
    private let edited: [Int]
    /// True if the numbers of all keys are those of the last view.
    private let hasSameNumbers: Bool
    private var evaluatedCount = 0
    private var hasMoved = false

    /// - Parameters:
    ///   - same: the items that both have, if they are compared already.
    ///   - changed: the bits of names whose values are others now.
    ///   - edited: items with other typed values.
    init(
        _ items: RepeatedItems, _ known: RepeatedRows, _ same: SameItems?, _ changed: UInt64, _ edited: [ItemKey],
        at now: Double
    ) {
        self.items = items
        self.known = known
        self.changed = changed
        self.now = now
        looksAtRows = known.rowInputs & changed != 0 || known.isLate(known.validUntil, at: now)
        self.edited = edited.compactMap { items.place(of: $0) }.sorted()
        hasSameNumbers = items.numbers == known.items.numbers
        let same = same ?? SameItems(items.values, since: known.items.values)
        add(0..<same.prefix, from: 0)
        addMiddle(same)
        add(same.middle.upperBound..<items.values.count, from: same.middle.upperBound + same.offset)
    }

    var plan: RowPlan {
        RowPlan(
            segments: segments,
            isInPlace: !hasMoved && items.values.count == known.rows.count
                && evaluatedCount <= RowSources.replacedCount)
    }

    private static let replacedCount = 64

    private mutating func add(_ places: Range<Int>, from old: Int) {
        guard !places.isEmpty else { return }
        guard !looksAtRows, hasSameKeys(places, old) else {
            for place in places { add(place, from: place - places.lowerBound + old) }
            return
        }
        var start = places.lowerBound
        for place in edited where places.contains(place) && place >= start {
            append(start..<place, from: start - places.lowerBound + old)
            append(place..<(place + 1), from: nil)
            start = place + 1
        }
        append(start..<places.upperBound, from: start - places.lowerBound + old)
    }

    private mutating func addMiddle(_ same: SameItems) {
        guard !same.middle.isEmpty else { return }
        if same.offset == 0 {
            // Most often the key is in its place, with another value or with the same.
            let isInPlace = same.middle.allSatisfy { items.key($0) == known.items.key($0) }
            if isInPlace || items.numbers.isEmpty {
                for place in same.middle { add(place, from: same.isSame(place, place) ? place : nil) }
                return
            }
        }
        guard !items.numbers.isEmpty, same.middle.count > 1 || same.offset > 0 else {
            for place in same.middle { add(place, from: nil) }
            return
        }
        // Rows have moved: each is found by its key.
        var places: [ItemKey: Int] = [:]
        for place in same.prefix..<(known.rows.count - same.suffix) { places[known.items.key(place)] = place }
        for place in same.middle {
            let old = places[items.key(place)]
            add(place, from: old.flatMap { same.isSame(place, $0) ? $0 : nil })
        }
    }

    private func hasSameKeys(_ places: Range<Int>, _ old: Int) -> Bool {
        if items.numbers.isEmpty { return places.lowerBound == old && known.items.numbers.isEmpty }
        guard items.turns.isEmpty, known.items.turns.isEmpty else { return false }
        if hasSameNumbers, places.lowerBound == old { return true }
        return items.numbers[places].elementsEqual(known.items.numbers[old..<(old + places.count)])
    }

    private mutating func add(_ place: Int, from old: Int?) {
        guard let old, items.key(place) == known.items.key(old), !edited.contains(place) else {
            return append(place..<(place + 1), from: nil)
        }
        let row = known.rows[old]
        let isReusable = row.inputs & changed == 0 && !known.isLate(row.validUntil, at: now)
        append(place..<(place + 1), from: isReusable ? old : nil)
    }

    private mutating func append(_ places: Range<Int>, from old: Int?) {
        guard !places.isEmpty else { return }
        if old == nil { evaluatedCount += places.count }
        if let old, old != places.lowerBound { hasMoved = true }
        if let last = segments.last, last.places.upperBound == places.lowerBound {
            let continues = last.old.map { $0 + last.places.count }
            if continues == old, (old == nil) == (last.old == nil) {
                segments[segments.count - 1].places = last.places.lowerBound..<places.upperBound
                return
            }
        }
        segments.append(RowPlan.Segment(places: places, old: old))
    }
}
