/// A linear rule: `terms + constant`, compared with zero.
package struct LevelRule: Sendable {
    package struct Term: Sendable {
        package var variable: Int
        package var factor: Double

        package init(_ variable: Int, _ factor: Double) {
            self.variable = variable
            self.factor = factor
        }
    }

    package enum Relation: Sendable { case lessOrEqual, equal, greaterOrEqual }

    package var terms: [Term]
    package var constant: Double
    package var relation: Relation
    /// The priority. A level is met as well as the levels above it allow, and is never traded for lower ones.
    package var level: Float
    /// The caller's number for it, in conflicts.
    package var tag: Int

    package init(
        _ terms: [Term], _ constant: Double, _ relation: Relation = .equal, level: Float = LevelRule.required,
        tag: Int = -1
    ) {
        self.terms = terms
        self.constant = constant
        self.relation = relation
        self.level = level
        self.tag = tag
    }

    /// From this level on, a rule holds or is dropped.
    package static let required: Float = 1_000

    /// Numbers of rules beyond these are no lengths of a screen: their rules are dropped.
    package static let mostConstant = 1e7
    package static let mostFactor = 1e5

    var isUsable: Bool {
        constant.isFinite && abs(constant) <= LevelRule.mostConstant && !level.isNaN
            && terms.allSatisfy { $0.factor.isFinite && abs($0.factor) <= LevelRule.mostFactor }
    }
}

/// A required rule that contradicts earlier ones, and so was dropped.
package struct LevelConflict: Equatable, Sendable {
    /// The tag of the dropped rule.
    package var dropped: Int
    /// The tags of the rules that it contradicts together, in the order in which they were given.
    package var against: [Int]
}

/// Work that one solver may do.
package struct SolverBudget: Sendable {
    /// Terms that are multiplied and added: a few nanoseconds each.
    package var termCount: Int
    /// Conflicts that are named; more are counted.
    package var conflictCount: Int

    package init(termCount: Int = 5_000_000, conflictCount: Int = 20) {
        self.termCount = termCount
        self.conflictCount = conflictCount
    }
}
