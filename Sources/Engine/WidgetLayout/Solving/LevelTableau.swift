/// Variables and the equations between them: each basic variable is a constant and multiples of others.
///
/// Free variables are coordinates; they have any value, and once basic they remain so. Their rows are rewritten only when
/// they are read. Restricted variables are slacks and errors, never negative; their rows hold restricted ones alone and
/// are always current, as a simplex needs them.
struct LevelTableau {
    enum Kind: UInt8 {
        case free, restricted
        /// Zero for good.
        case dead
        /// Zero, and the trace of a required rule in the rows that follow from it.
        case trace
    }

    struct Row {
        var terms: [LevelRule.Term] = []
        var constant = 0.0
    }

    private(set) var kinds: [Kind]
    /// The row of each basic variable; -1 for others.
    private var places: [Int]
    private var rows: [Row] = []
    /// The turn in which a row of a free variable was rewritten last.
    private var cleaned: [Int] = []
    private var turn = 0
    /// The basic restricted variables with rows that are more than a constant.
    private(set) var basics: [Int] = []
    private var sums: [Double]
    private var isSummed: [Bool]
    private var summed: [Int] = []
    private(set) var work = 0
    /// True after numbers that have become too large to be lengths.
    private(set) var isBroken = false

    /// Factors below it are rounding.
    static let smallest = 1e-9
    /// Lengths below it are rounding, in points.
    static let slack = 1e-6
    private static let largest = 1e13

    init(count: Int) {
        kinds = Array(repeating: .free, count: count)
        places = Array(repeating: -1, count: count)
        sums = Array(repeating: 0, count: count)
        isSummed = Array(repeating: false, count: count)
    }

    mutating func addVariable(_ kind: Kind) -> Int {
        kinds.append(kind)
        places.append(-1)
        sums.append(0)
        isSummed.append(false)
        return kinds.count - 1
    }

    mutating func kill(_ variable: Int) { kinds[variable] = .dead }

    mutating func spend(_ terms: Int) { work += terms }

    /// A copy to return to, whose cost counts.
    mutating func copied() -> LevelTableau {
        work += rows.count
        return self
    }

    func isBasic(_ variable: Int) -> Bool { places[variable] >= 0 }

    func row(_ variable: Int) -> Row { rows[places[variable]] }

    func constant(_ variable: Int) -> Double { rows[places[variable]].constant }

    func factor(of column: Int, in variable: Int) -> Double {
        rows[places[variable]].terms.first { $0.variable == column }?.factor ?? 0
    }

    // MARK: - Sums

    private mutating func add(_ variable: Int, _ factor: Double) {
        if !isSummed[variable] {
            isSummed[variable] = true
            summed.append(variable)
        }
        sums[variable] += factor
    }

    /// The sum in terms of variables that are not basic.
    private mutating func takeSum(_ constant: Double) -> Row {
        var row = Row(constant: constant)
        row.terms.reserveCapacity(summed.count)
        for variable in summed {
            let factor = sums[variable]
            sums[variable] = 0
            isSummed[variable] = false
            guard abs(factor) > LevelTableau.smallest else { continue }
            if !(abs(factor) < LevelTableau.largest) { isBroken = true }
            row.terms.append(LevelRule.Term(variable, factor))
        }
        work += summed.count
        summed.removeAll(keepingCapacity: true)
        if !(abs(constant) < LevelTableau.largest) { isBroken = true }
        return row
    }

    /// Expresses a sum in variables that are not basic.
    mutating func resolved(_ terms: [LevelRule.Term], _ constant: Double) -> Row {
        for term in terms where isBasic(term.variable) && kinds[term.variable] == .free { clean(term.variable) }
        var total = constant
        addAll(terms, to: &total)
        return takeSum(total)
    }

    private mutating func addAll(_ terms: [LevelRule.Term], to total: inout Double) {
        for term in terms {
            if kinds[term.variable] == .dead { continue }
            guard isBasic(term.variable) else {
                add(term.variable, term.factor)
                continue
            }
            let place = places[term.variable]
            total += term.factor * rows[place].constant
            work += rows[place].terms.count
            for index in rows[place].terms.indices {
                let part = rows[place].terms[index]
                if kinds[part.variable] != .dead { add(part.variable, term.factor * part.factor) }
            }
        }
    }

    /// Rewrites the row of a free variable, after the rows that it leads to. A row leads only to rows made after it, so
    /// this ends.
    private mutating func clean(_ variable: Int) {
        guard cleaned[places[variable]] != turn else { return }
        var pending = [variable]
        while let current = pending.last {
            let place = places[current]
            var (isReady, isCurrent) = (true, true)
            if cleaned[place] != turn {
                work += rows[place].terms.count
                for term in rows[place].terms {
                    let other = term.variable
                    if kinds[other] == .dead {
                        isCurrent = false
                    } else if isBasic(other) {
                        isCurrent = false
                        if kinds[other] == .free, cleaned[places[other]] != turn {
                            isReady = false
                            pending.append(other)
                        }
                    }
                }
            }
            guard isReady else { continue }
            if !isCurrent {
                var total = rows[place].constant
                addAll(rows[place].terms, to: &total)
                rows[place] = takeSum(total)
            }
            cleaned[place] = turn
            pending.removeLast()
        }
    }

    // MARK: - Basics

    /// Makes a variable basic, with a row of others that are not.
    mutating func define(_ variable: Int, _ row: Row) {
        places[variable] = rows.count
        rows.append(row)
        cleaned.append(-1)
        if kinds[variable] == .free { turn += 1 } else { basics.append(variable) }
    }

    /// Solves `row = 0` for one of its variables.
    static func solved(_ row: Row, for variable: Int) -> Row {
        let factor = row.terms.first { $0.variable == variable }?.factor ?? 1
        return Row(
            terms: row.terms.compactMap {
                $0.variable == variable ? nil : LevelRule.Term($0.variable, -$0.factor / factor)
            }, constant: -row.constant / factor)
    }

    /// Exchanges a restricted variable that is not basic for one that is.
    mutating func exchange(_ entering: Int, for leaving: Int) {
        let place = places[leaving]
        var equation = rows[place]
        equation.terms.append(LevelRule.Term(leaving, -1))
        rows[place] = LevelTableau.solved(equation, for: entering)
        settle(place)
        places[leaving] = -1
        places[entering] = place
        turn += 1
        for index in basics.indices {
            let basic = basics[index]
            if basic == leaving {
                basics[index] = entering
                continue
            }
            let other = places[basic]
            work += rows[other].terms.count
            guard let found = rows[other].terms.firstIndex(where: { $0.variable == entering }) else { continue }
            if rows[place].terms.count <= LevelTableau.fewTerms {
                replace(found, in: other, by: place)
            } else {
                var total = rows[other].constant
                addAll(rows[other].terms, to: &total)
                rows[other] = takeSum(total)
            }
            settle(other)
        }
    }

    /// Rows that are so short are added without a table of sums.
    private static let fewTerms = 4

    /// Replaces a term of one row by another row.
    private mutating func replace(_ term: Int, in place: Int, by other: Int) {
        let factor = rows[place].terms[term].factor
        rows[place].terms.swapAt(term, rows[place].terms.count - 1)
        rows[place].terms.removeLast()
        rows[place].constant += factor * rows[other].constant
        if !(abs(rows[place].constant) < LevelTableau.largest) { isBroken = true }
        for part in rows[other].terms where kinds[part.variable] != .dead {
            work += 1
            let change = factor * part.factor
            if !(abs(change) < LevelTableau.largest) { isBroken = true }
            guard let known = rows[place].terms.firstIndex(where: { $0.variable == part.variable }) else {
                if abs(change) > LevelTableau.smallest { rows[place].terms.append(.init(part.variable, change)) }
                continue
            }
            rows[place].terms[known].factor += change
            if abs(rows[place].terms[known].factor) <= LevelTableau.smallest {
                rows[place].terms.swapAt(known, rows[place].terms.count - 1)
                rows[place].terms.removeLast()
            }
        }
    }

    /// Rounding must not make a slack negative.
    private mutating func settle(_ place: Int) {
        if rows[place].constant < 0, rows[place].constant > -LevelTableau.slack { rows[place].constant = 0 }
    }

    /// Forgets a basic restricted variable and its row.
    mutating func remove(_ variable: Int) {
        basics.removeAll { $0 == variable }
        places[variable] = -1
        kinds[variable] = .dead
    }

    /// Removes dead variables from rows, and rows that no longer change from the simplex. Variables that could only make
    /// a slack of zero negative are dead, too.
    mutating func sweep() {
        for basic in basics {
            let place = places[basic]
            work += rows[place].terms.count
            if rows[place].terms.contains(where: { kinds[$0.variable] == .dead }) {
                rows[place].terms.removeAll { kinds[$0.variable] == .dead }
            }
            if rows[place].constant < LevelTableau.slack, rows[place].terms.allSatisfy({ $0.factor < 0 }) {
                for term in rows[place].terms { kill(term.variable) }
                rows[place].terms = []
            }
        }
        basics.removeAll { rows[places[$0]].terms.isEmpty }
        turn += 1
    }

    /// The value of a variable; `nil` while it still is free.
    mutating func value(_ variable: Int) -> Double? {
        guard isBasic(variable) else { return kinds[variable] == .free ? nil : 0 }
        let row = resolved([LevelRule.Term(variable, 1)], 0)
        return row.terms.contains { kinds[$0.variable] == .free } ? nil : row.constant
    }
}
