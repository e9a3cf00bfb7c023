internal import WidgetBytes
internal import WidgetPredicates

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
    /// The fuel of the list, of the key of each item, and of all keys.
    var listFuel = 0
    var keyFuels: [Int] = []
    var keyFuel = 0
    var inputs: [Input] = []
    private(set) var rows: [Row] = []
    /// The cost of so many successive rows each.
    private var blocks: [Cost] = []
    private static let blockCount = 64
    var views: NodeList = []
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
        var place = places.lowerBound
        while place < places.upperBound {
            if place % RepeatedRows.blockCount == 0, place + RepeatedRows.blockCount <= places.upperBound {
                sum += blocks[place / RepeatedRows.blockCount]
                place += RepeatedRows.blockCount
            } else {
                sum += rows[place].cost
                place += 1
            }
        }
        return sum
    }

    var fuelOfItems: Int { listFuel + keyFuel }

    /// The fuel of all keys but some.
    func keyFuel(without places: Range<Int>) -> Int { keyFuel - keyFuels[places].reduce(0, +) }

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
        (copy.listFuel, copy.keyFuels, copy.keyFuel) = (listFuel, keyFuels, keyFuel)
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

    mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

    /// Takes the rows of the last view. They are changed in place, if nothing else refers to them.
    mutating func takeRows(of other: inout RepeatedRows) {
        (rows, blocks, views) = (other.rows, other.blocks, other.views)
        (rowInputs, validUntil, isOneEach) = (other.rowInputs, other.validUntil, other.isOneEach)
        (other.rows, other.blocks, other.views) = ([], [], [])
    }

    mutating func append(_ row: Row) {
        if rows.count % RepeatedRows.blockCount == 0 { blocks.append(Cost()) }
        blocks[blocks.count - 1] += row.cost
        rows.append(row)
        include(row)
    }

    mutating func set(_ row: Row, at place: Int) {
        let isEarliest = rows[place].validUntil <= validUntil
        blocks[place / RepeatedRows.blockCount] += row.cost - rows[place].cost
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
