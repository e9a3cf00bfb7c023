internal import Bytes
internal import Predicates

/// The rows of a repetition as the last view had them, with all that they depend on.
struct RepeatedRows: Sendable {
    /// The dependencies and the cost of one row.
    struct Row: Sendable {
        /// The bits of the names that it has read around the repetition.
        var inputs: UInt64 = 0
        /// The first moment at which the clock alone changes it; before all time for a row that is never reused.
        var validUntil: Double = .infinity
        var cost = Cost()
        /// The number of its nodes that the list around it has as children.
        var viewCount = 0
    }

    /// The share of a view's limits. A reused row takes as much as it did when it was evaluated, so that views with and
    /// without a cache end at the same place.
    struct Cost: Sendable {
        var fuel = 0
        var nodes = 0
        var bytes = 0

        static func - (first: Cost, second: Cost) -> Cost {
            Cost(
                fuel: first.fuel - second.fuel, nodes: first.nodes - second.nodes, bytes: first.bytes - second.bytes)
        }

        static func += (sum: inout Cost, other: Cost) {
            sum.fuel += other.fuel
            sum.nodes += other.nodes
            sum.bytes += other.bytes
        }
    }

    /// A name around the repetition, with the value that it had.
    struct Input: Sendable {
        var name: String
        /// `nil` for one that cannot be compared: it may always have changed.
        var value: Value?
    }

    var items: RepeatedItems
    /// The bits of the names that the list depends on, and those of its keys.
    var listInputs: UInt64 = 0
    var keyInputs: UInt64 = 0
    var itemsValidUntil = Double.infinity
    /// The fuel of the list, and of the key of each item.
    var listFuel = 0
    var keyFuels: [Int] = []
    var inputs: [Input] = []
    var rows: [Row] = []
    var views: [ViewNode] = []
    /// The bits of all rows together.
    var rowInputs: UInt64 = 0
    /// The earliest end of all rows.
    var validUntil = Double.infinity
    /// True if each row has one node.
    var isOneEach = true
    /// The time of the view.
    var now: Double

    init(_ items: RepeatedItems, now: Double) {
        self.items = items
        self.now = now
    }

    /// True if the clock says that something has to be evaluated again.
    func isLate(_ validUntil: Double, at now: Double) -> Bool {
        now >= validUntil || now < self.now && validUntil < .infinity
    }

    func cost(of places: Range<Int>) -> Cost {
        var sum = Cost()
        for place in places { sum += rows[place].cost }
        return sum
    }

    var fuelOfItems: Int { keyFuels.reduce(listFuel, +) }

    func viewCount(of places: Range<Int>) -> Int {
        isOneEach ? places.count : rows[places].reduce(0) { $0 + $1.viewCount }
    }

    /// The place of the first node of each row, and the end of all.
    var viewStarts: [Int] {
        var starts = [0]
        starts.reserveCapacity(rows.count + 1)
        var next = 0
        for row in rows {
            next += row.viewCount
            starts.append(next)
        }
        return starts
    }

    /// The same items at another time.
    func withoutRows(at now: Double) -> RepeatedRows {
        var copy = RepeatedRows(items, now: now)
        (copy.listInputs, copy.keyInputs, copy.itemsValidUntil) = (listInputs, keyInputs, itemsValidUntil)
        (copy.listFuel, copy.keyFuels) = (listFuel, keyFuels)
        return copy
    }

    /// The bits of the names whose values are others now. Remembers the new values.
    mutating func takeChanges(hasRecords: Bool, _ value: (String) -> Value?) -> UInt64 {
        var changed = SurroundingReads.others
        for place in inputs.indices {
            let (old, new) = (inputs[place].value, value(inputs[place].name))
            if let old, let new, new.isUnchanged(from: old, upTo: RepeatedRows.comparedWeight) {
                inputs[place].value = new
                continue
            }
            changed |= 1 << UInt64(place)
            inputs[place].value = new?.comparable(hasRecords: hasRecords)
        }
        return changed
    }

    private static let comparedWeight = 1_000

    mutating func append(_ row: Row) {
        rows.append(row)
        include(row)
    }

    mutating func set(_ row: Row, at place: Int) {
        let isEarliest = rows[place].validUntil <= validUntil
        rows[place] = row
        // Bits that no row has any longer cost a scan of the rows, and nothing else.
        if isEarliest, validUntil < .infinity {
            validUntil = rows.reduce(.infinity) { min($0, $1.validUntil) }
        }
        include(row)
    }

    private mutating func include(_ row: Row) {
        rowInputs |= row.inputs
        validUntil = min(validUntil, row.validUntil)
        if row.viewCount != 1 { isOneEach = false }
    }
}
