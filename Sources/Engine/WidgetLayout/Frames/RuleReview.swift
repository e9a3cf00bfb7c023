package import WidgetCore

/// Contradictions and open places in the rules of a program, found without running it: each screen is laid out as it was
/// drawn, and once more for each size class that its rules name, and for what it shows instead of items.
package struct RuleReview: Sendable {
    /// Work that all screens of a program may cause together.
    package static let termCount = 2_000_000

    package private(set) var findings: [Finding] = []

    /// - Parameter most: findings after which the rest is not looked at.
    package init(_ program: Program, upTo most: Int, termCount: Int = RuleReview.termCount) {
        var left = termCount
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) where RuleReview.hasRules(scene) {
            var own: Set<Finding> = []
            for (viewport, isEmpty) in RuleReview.states(of: scene) {
                guard left > 0 else {
                    findings.append(RuleReview.exhausted(scene, termCount))
                    return
                }
                let budget = LayoutBudget(termCount: left)
                let screen = ScreenLayout(program, viewport, budget: budget).drawn(scene, isEmpty: isEmpty)
                left -= screen.termCount
                for finding in screen.findings where own.insert(finding).inserted {
                    guard findings.count < most else { return }
                    findings.append(finding)
                }
            }
        }
    }

    private static func hasRules(_ scene: Scene) -> Bool {
        !scene.rules.isEmpty || scene.nodes.contains { $0.look?.stack != nil }
    }

    /// The windows in which a scene is looked at, each with items in its repetitions, and without if it shows something then.
    private static func states(of scene: Scene) -> [(viewport: Viewport, isEmpty: Bool)] {
        viewports(of: scene).flatMap { viewport in scene.authoredStates.map { (viewport, $0) } }
    }

    private static func viewports(of scene: Scene) -> [Viewport] {
        let usual = Viewport()
        guard scene.rules.contains(where: { !$0.variations.isEmpty }) else { return [usual] }
        let (wide, low) = (Size(width: 1024, height: 768), Size(width: 667, height: 375))
        return [usual, Viewport(size: wide), Viewport(size: low), Viewport(size: Size(width: 812, height: 375))]
    }

    private static func exhausted(_ scene: Scene, _ limit: Int) -> Finding {
        Finding(
            .warning, .layoutBudget, "The program's screens take more than \(limit) steps to lay out", at: scene.place,
            hint: "the rules of this screen and of those after it are not looked at; remove rules")
    }
}
