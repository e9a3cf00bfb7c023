/// Solves linear rules by levels: each level is met as well as those above it allow, and no number of lower rules
/// outweighs a higher one. Within a level, the sum of all errors is the least.
///
/// Each level is one linear program. Behind it, everything that would make its errors larger is fixed, so that the next
/// level moves only what is still undecided. A required rule that contradicts earlier ones is dropped.
package struct LevelSolver {
    private var tableau: LevelTableau
    private let budget: SolverBudget
    private var traces: [Int: Int] = [:]
    /// True if rows keep traces of the required rules that they follow from, in order to name conflicts.
    private let isTracing: Bool

    package private(set) var conflicts: [LevelConflict] = []
    /// Conflicts, named or not.
    package private(set) var conflictCount = 0
    /// Tags of rules whose numbers are no lengths.
    package private(set) var unusable: [Int] = []
    /// True if the budget was used up: rules that came after have no effect.
    package private(set) var isExhausted = false

    /// - Parameter isTracing: whether conflicts name both sides; it makes rows longer.
    package init(variables count: Int, budget: SolverBudget = SolverBudget(), isTracing: Bool = false) {
        tableau = LevelTableau(count: count)
        self.budget = budget
        self.isTracing = isTracing
    }

    package var work: Int { tableau.work }

    /// Adds rules, highest level first, and in the order given within a level. Later calls bring lower levels.
    package mutating func add(_ rules: [LevelRule]) {
        var places: [Int] = []
        places.reserveCapacity(rules.count)
        for (place, rule) in rules.enumerated() {
            if rule.isUsable { places.append(place) } else { unusable.append(rule.tag) }
        }
        places.sort { (rules[$0].level, $1) > (rules[$1].level, $0) }
        var start = 0
        while start < places.count {
            let level = rules[places[start]].level
            var end = start
            while end < places.count, rules[places[end]].level == level { end += 1 }
            if level >= LevelRule.required {
                for place in places[start..<end] where mayWork() { require(rules[place]) }
                if end == places.count || rules[places[end]].level < LevelRule.required { endTracing() }
            } else {
                prefer(places[start..<end].map { rules[$0] })
            }
            start = end
        }
    }

    /// The value of a variable; `nil` if no rule decides it.
    package mutating func value(_ variable: Int) -> Double? { tableau.value(variable) }

    /// True if no further rule can change it.
    package mutating func isDecided(_ variable: Int) -> Bool {
        for term in tableau.resolved([LevelRule.Term(variable, 1)], 0).terms {
            switch tableau.kinds[term.variable] {
            case .free: return false
            case .dead, .trace: break
            case .restricted:
                guard let (_, step) = leaving(term.variable), step <= LevelTableau.slack else { return false }
            }
        }
        return true
    }

    private mutating func mayWork() -> Bool {
        if tableau.work > budget.termCount || tableau.isBroken { isExhausted = true }
        return !isExhausted
    }

    // MARK: - Required rules

    private mutating func require(_ rule: LevelRule) {
        var row = tableau.resolved(rule.terms, rule.constant)
        if rule.relation == .lessOrEqual { row.negate() }
        let isEquation = rule.relation == .equal
        let slack = LevelTableau.slack * 10 * max(1, abs(row.constant))
        // A rule between variables that all are decided changes nothing: it holds or it does not.
        if row.terms.allSatisfy({ tableau.kinds[$0.variable] == .trace }) {
            if isEquation ? abs(row.constant) > slack : row.constant < -slack { refuse(rule, because: row) }
            return
        }
        if isTracing {
            let trace = tableau.addVariable(.trace)
            traces[trace] = rule.tag
            row.terms.append(LevelRule.Term(trace, 1))
        }
        let free = freeVariable(in: row)
        if !isEquation {
            let excess = tableau.addVariable(.restricted)
            if free == nil, row.constant >= 0 {
                tableau.define(excess, row)
                return
            }
            row.terms.append(LevelRule.Term(excess, -1))
        }
        if let free {
            tableau.define(free, LevelTableau.solved(row, for: free))
            return
        }
        // The error is what the equation lacks: it has to become zero.
        if row.constant < 0 { row.negate() }
        let error = tableau.addVariable(.restricted)
        let before = tableau.copied()
        tableau.define(error, row)
        let cost = minimize([error])
        if tableau.isBasic(error) {
            guard tableau.constant(error) <= slack else {
                let work = tableau.work
                tableau = before
                tableau.kill(error)
                tableau.spend(work - before.work)
                if !isExhausted { refuse(rule, because: cost) }
                return
            }
            let rest = tableau.row(error).terms.first { tableau.kinds[$0.variable] == .restricted }
            if let rest { tableau.exchange(rest.variable, for: error) } else { tableau.remove(error) }
        }
        tableau.kill(error)
    }

    private mutating func refuse(_ rule: LevelRule, because row: LevelTableau.Row) {
        conflictCount += 1
        guard conflicts.count < budget.conflictCount else { return }
        let tags = Set(row.terms.compactMap { traces[$0.variable] }).subtracting([rule.tag])
        conflicts.append(LevelConflict(dropped: rule.tag, against: tags.sorted()))
    }

    private mutating func endTracing() {
        guard isTracing else { return }
        for trace in traces.keys { tableau.kill(trace) }
        traces = [:]
        tableau.sweep()
    }

    /// The free variable with the largest factor.
    private func freeVariable(in row: LevelTableau.Row) -> Int? {
        var (best, size) = (-1, 0.0)
        for term in row.terms where tableau.kinds[term.variable] == .free && abs(term.factor) > size {
            (best, size) = (term.variable, abs(term.factor))
        }
        return best < 0 ? nil : best
    }

    // MARK: - Preferred rules

    /// The rules of one level.
    private mutating func prefer(_ rules: [LevelRule]) {
        var errors: [Int] = []
        for rule in rules where mayWork() {
            var row = tableau.resolved(rule.terms, rule.constant)
            // The rule cannot be helped or hurt any more.
            if row.terms.isEmpty { continue }
            if rule.relation == .lessOrEqual { row.negate() }
            // row = excess - lack. An excess is an error of an equation alone.
            let excess = tableau.addVariable(.restricted)
            let lack = tableau.addVariable(.restricted)
            errors.append(lack)
            if rule.relation == .equal { errors.append(excess) }
            if let free = freeVariable(in: row) {
                row.terms.append(LevelRule.Term(excess, -1))
                row.terms.append(LevelRule.Term(lack, 1))
                tableau.define(free, LevelTableau.solved(row, for: free))
            } else if row.constant >= 0 {
                row.terms.append(LevelRule.Term(lack, 1))
                tableau.define(excess, row)
            } else {
                row.negate()
                row.terms.append(LevelRule.Term(excess, 1))
                tableau.define(lack, row)
            }
        }
        guard !errors.isEmpty else { return }
        let cost = minimize(errors)
        guard !isExhausted else { return }
        for term in cost.terms where term.factor > LevelTableau.smallest * 100 { tableau.kill(term.variable) }
        tableau.sweep()
    }

    // MARK: - Simplex

    /// Turns without progress after which the rule of Bland chooses, which never goes in circles.
    private static let patience = 20

    /// Makes the sum of restricted variables the least.
    ///
    /// - Returns: the sum, in terms of the variables that are not basic.
    private mutating func minimize(_ variables: [Int]) -> LevelTableau.Row {
        var cost = tableau.resolved(variables.map { LevelRule.Term($0, 1) }, 0)
        var idle = 0
        // At the end no factor is negative, even where the sum is zero before: only then is everything fixed that could
        // make it larger.
        while mayWork() {
            guard let entering = entering(cost, isCautious: idle > LevelSolver.patience),
                let (leaving, step) = leaving(entering)
            else { break }
            idle = step > LevelTableau.slack ? 0 : idle + 1
            tableau.exchange(entering, for: leaving)
            cost = tableau.resolved(cost.terms, cost.constant)
        }
        return cost
    }

    /// The variable whose growth lowers the cost.
    private func entering(_ cost: LevelTableau.Row, isCautious: Bool) -> Int? {
        var (best, steepest) = (-1, -LevelTableau.smallest * 100)
        for term in cost.terms where tableau.kinds[term.variable] == .restricted && term.factor < steepest {
            if isCautious, best >= 0, term.variable > best { continue }
            best = term.variable
            if !isCautious { steepest = term.factor }
        }
        return best < 0 ? nil : best
    }

    /// The basic variable that becomes zero first while another one grows, and the growth.
    private func leaving(_ entering: Int) -> (variable: Int, step: Double)? {
        var (best, least) = (-1, Double.infinity)
        for basic in tableau.basics {
            let factor = tableau.factor(of: entering, in: basic)
            guard factor < -LevelTableau.smallest * 10 else { continue }
            let step = max(tableau.constant(basic), 0) / -factor
            if step < least || step == least && basic < best { (best, least) = (basic, step) }
        }
        return best < 0 ? nil : (best, least)
    }
}

extension LevelTableau.Row {
    mutating func negate() {
        constant = -constant
        for index in terms.indices { terms[index].factor = -terms[index].factor }
    }
}
