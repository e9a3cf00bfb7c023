import Testing

@testable import WidgetLayout

/// Goal: rules are met by levels, and contradictions are named. Method: small systems whose solution is known, and
/// random ones against what must be true of each.
@Suite struct `The solver of levels` {
    private typealias Relation = LevelRule.Relation

    /// `variable relation number`.
    private static func rule(
        _ variable: Int, _ relation: Relation, _ number: Double, level: Float = 1_000, tag: Int = -1
    ) -> LevelRule {
        LevelRule([LevelRule.Term(variable, 1)], -number, relation, level: level, tag: tag)
    }

    private static func rule(_ variable: Int, _ number: Double, level: Float = 1_000, tag: Int = -1) -> LevelRule {
        rule(variable, .equal, number, level: level, tag: tag)
    }

    /// `first - second relation number`.
    private static func gap(
        _ first: Int, _ second: Int, _ relation: Relation, _ number: Double, level: Float = 1_000, tag: Int = -1
    ) -> LevelRule {
        LevelRule(
            [LevelRule.Term(first, 1), LevelRule.Term(second, -1)], -number, relation, level: level, tag: tag)
    }

    private static func gap(_ first: Int, _ second: Int, _ number: Double, level: Float = 1_000, tag: Int = -1)
        -> LevelRule
    {
        gap(first, second, .equal, number, level: level, tag: tag)
    }

    private static func solved(_ count: Int, _ rules: [LevelRule], isTracing: Bool = true) -> LevelSolver {
        var solver = LevelSolver(variables: count, isTracing: isTracing)
        solver.add(rules)
        return solver
    }

    private static func values(_ count: Int, _ rules: [LevelRule]) -> [Double?] {
        var solver = solved(count, rules)
        return (0..<count).map { solver.value($0).map { ($0 * 1_000).rounded() / 1_000 } }
    }

    @Test func `Equations are solved in any order`() {
        let rules = [Self.gap(2, 1, 5), Self.gap(1, 0, 10), Self.rule(0, 7)]
        #expect(Self.values(3, rules) == [7, 17, 22])
        #expect(Self.values(3, rules.reversed()) == [7, 17, 22])
    }

    @Test func `A variable that no rule names has no value`() {
        #expect(Self.values(3, [Self.rule(0, 1), Self.rule(1, .greaterOrEqual, 3)]) == [1, 3, nil])
        var solver = Self.solved(3, [Self.rule(0, 1), Self.rule(1, .greaterOrEqual, 3)])
        #expect(solver.isDecided(0) && !solver.isDecided(1) && !solver.isDecided(2))
    }

    @Test func `Two rules of 500 do not outweigh one of 999`() {
        let rules = [
            Self.rule(0, 100, level: 500), Self.rule(0, 100, level: 500), Self.rule(0, 10, level: 999),
        ]
        #expect(Self.values(1, rules) == [10])
    }

    @Test(arguments: [2, 10, 400])
    func `A rule of 751 is never traded for rules of 750`(count: Int) {
        let rules = (0..<count).map { _ in Self.rule(0, 100, level: 750) } + [Self.rule(0, 10, level: 751)]
        #expect(Self.values(1, rules) == [10])
    }

    @Test func `A lower level moves only what the levels above leave open`() {
        // 750: x >= 40; 250: x <= 10, and y next to x.
        let rules = [
            Self.rule(0, .greaterOrEqual, 40, level: 750), Self.rule(0, .lessOrEqual, 10, level: 250),
            Self.gap(1, 0, 5, level: 100), Self.rule(1, 0, level: 50),
        ]
        #expect(Self.values(2, rules) == [40, 45])
    }

    @Test func `An error that a level cannot avoid does not grow later`() {
        // 600 is met best between 10 and 20; 500 chooses there, and 400 cannot leave it.
        let rules = [
            Self.rule(0, 10, level: 600), Self.rule(0, 20, level: 600), Self.rule(0, 14, level: 500),
            Self.rule(0, 90, level: 400),
        ]
        #expect(Self.values(1, rules) == [14])
    }

    @Test func `Errors of zero stay zero at lower levels`() {
        // All of 700 hold only at x = y = 5; rules below pull elsewhere.
        let rules = [
            Self.rule(0, .lessOrEqual, 5, level: 700), Self.rule(0, .greaterOrEqual, 5, level: 700),
            Self.gap(0, 1, .lessOrEqual, 0, level: 700), Self.gap(0, 1, .greaterOrEqual, 0, level: 700),
            Self.rule(0, 50, level: 300), Self.rule(1, -50, level: 200),
        ]
        #expect(Self.values(2, rules) == [5, 5])
    }

    @Test func `An inequality changes its side with the size`() {
        // A box of at most 300, else the width less 40.
        func width(_ room: Double) -> Double? {
            let rules = [
                Self.rule(0, room), Self.rule(1, .lessOrEqual, 300), Self.gap(1, 0, .lessOrEqual, -40),
                Self.gap(1, 0, 0, level: 500),
            ]
            return Self.values(2, rules)[1]
        }
        #expect(width(320) == 280 && width(1_024) == 300)
    }

    @Test func `Multipliers are factors`() {
        let half = LevelRule([LevelRule.Term(1, 1), LevelRule.Term(0, -0.5)], -3)
        #expect(Self.values(2, [half, Self.rule(0, 100)]) == [100, 53])
        #expect(Self.values(2, [half, Self.rule(1, 53)]) == [100, 53])
    }

    @Test func `Of two required rules that contradict, the later is dropped and both are named`() {
        let rules = [
            Self.rule(1, 5, tag: 10), Self.rule(0, 100, tag: 11), Self.gap(1, 0, 20, tag: 12),
            Self.rule(0, 100, tag: 13),
        ]
        let solver = Self.solved(2, rules)
        #expect(solver.conflicts == [LevelConflict(dropped: 12, against: [10, 11])])
        #expect(Self.values(2, rules) == [100, 5])
    }

    @Test func `Contradicting inequalities are named as well`() {
        let rules = [
            Self.gap(1, 0, .greaterOrEqual, 10, tag: 1), Self.gap(2, 1, .greaterOrEqual, 10, tag: 2),
            Self.rule(3, 4, tag: 3), Self.gap(0, 2, .greaterOrEqual, 0, tag: 4),
            Self.gap(2, 0, .lessOrEqual, 50, tag: 5),
        ]
        let solver = Self.solved(4, rules)
        #expect(solver.conflicts == [LevelConflict(dropped: 4, against: [1, 2])])
        let values = Self.values(4, rules + [Self.rule(0, 0)]).map { $0 ?? .nan }
        #expect(values[1] >= 10 && values[2] >= values[1] + 10 && values[2] <= 50 && values[3] == 4)
    }

    @Test func `Cyclic rules that agree hold, and others are dropped`() {
        let cycle = [Self.gap(1, 0, 10), Self.gap(2, 1, 10), Self.gap(0, 2, -20), Self.rule(0, 1)]
        #expect(Self.values(3, cycle) == [1, 11, 21])
        let broken = [Self.gap(1, 0, 10, tag: 1), Self.gap(2, 1, 10, tag: 2), Self.gap(0, 2, 20, tag: 3)]
        #expect(Self.solved(3, broken).conflicts == [LevelConflict(dropped: 3, against: [1, 2])])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 1e8])
    func `Numbers that are no lengths drop their rule alone`(number: Double) {
        var solver = Self.solved(
            2,
            [
                Self.rule(0, number, tag: 1), LevelRule([LevelRule.Term(1, number)], 0, tag: 2), Self.rule(0, 4),
                Self.rule(1, 5),
            ])
        #expect(solver.unusable == [1, 2] && solver.value(0) == 4 && solver.value(1) == 5)
    }

    @Test(arguments: [1e5, 1e-5])
    func `Factors that multiply without end leave no endless number`(factor: Double) {
        let rules = (1..<100).map { LevelRule([LevelRule.Term($0, 1), LevelRule.Term($0 - 1, -factor)], -1) }
        for known in [0, 99] {
            var solver = Self.solved(100, rules + [Self.rule(known, 1)])
            for variable in 0..<100 { #expect(solver.value(variable).map(\.isFinite) ?? true) }
        }
    }

    @Test func `A chain of 20,000 links needs no deep stack`() {
        var solver = LevelSolver(variables: 20_000)
        solver.add((1..<20_000).map { Self.gap($0, $0 - 1, 1) } + [Self.rule(0, 0)])
        #expect(solver.value(19_999) == 19_999 && !solver.isExhausted)
    }

    @Test func `2,000 contradicting rules end within the budget`() {
        var solver = LevelSolver(variables: 1)
        solver.add((0..<2_000).map { Self.rule(0, Double($0), tag: $0) })
        #expect(solver.conflictCount == 1_999 && solver.value(0) == 0 && solver.work < 100_000)
        var preferred = LevelSolver(variables: 1)
        preferred.add((0..<2_000).map { Self.rule(0, Double($0), level: 500) })
        #expect(preferred.work < 2 * SolverBudget().termCount && preferred.value(0) != nil)
    }

    @Test func `Equal rules that contradict meet in the middle`() {
        var solver = LevelSolver(variables: 1)
        solver.add((0..<301).map { Self.rule(0, Double($0), level: 500) })
        #expect(solver.value(0) == 150 && !solver.isExhausted)
    }

    /// A small generator whose seed is in the test's name.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    @Test(arguments: 0..<60)
    func `Random rules end, and every required rule that was not dropped holds`(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 7_919 &+ 1)
        let count = 2 + dice.roll(12)
        let relations: [Relation] = [.equal, .equal, .lessOrEqual, .greaterOrEqual]
        let rules = (0..<(5 + dice.roll(60))).map { place in
            let terms = (0...dice.roll(3)).map { _ in
                LevelRule.Term(dice.roll(count), [1, -1, 1, -1, 0.5, 2][dice.roll(6)])
            }
            return LevelRule(
                terms, Double(dice.roll(200) - 100), relations[dice.roll(4)],
                level: [1_000, 1_000, 750, 751, 250, 0.5][dice.roll(6)], tag: place)
        }
        var budget = SolverBudget()
        budget.conflictCount = 1_000
        var solver = LevelSolver(variables: count, budget: budget, isTracing: seed % 2 == 0)
        solver.add(rules)
        #expect(!solver.isExhausted)
        let values = (0..<count).map { solver.value($0) }
        let dropped = Set(solver.conflicts.map(\.dropped))
        for rule in rules where rule.level >= 1_000 && !dropped.contains(rule.tag) {
            let parts = rule.terms.map { term in values[term.variable].map { $0 * term.factor } }
            // Variables that are still free are tied to others by rules, and have no numbers yet.
            guard parts.allSatisfy({ $0 != nil }) else { continue }
            let sum = rule.constant + parts.reduce(0) { $0 + ($1 ?? 0) }
            let holds =
                switch rule.relation {
                case .equal: abs(sum) < 0.01
                case .lessOrEqual: sum < 0.01
                case .greaterOrEqual: sum > -0.01
                }
            #expect(holds, "rule \(rule.tag): \(sum)")
        }
        // A dropped rule was dropped for a reason: it does not hold with the others.
        for conflict in solver.conflicts where seed % 2 == 0 { #expect(!conflict.against.contains(conflict.dropped)) }
    }
}
