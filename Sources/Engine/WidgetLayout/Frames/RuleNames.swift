internal import WidgetCore

/// The origin of a rule of a box that no author wrote as a rule.
enum RuleOrigin: Int, CaseIterable {
    /// Its autoresizing mask.
    case mask
    /// The stack that it is, for its children.
    case stack
    /// Its content, which hugs it and resists.
    case content

    /// The number of such a rule in conflicts: below those of authored rules.
    func tag(_ box: Int) -> Int { -2 - (box * RuleOrigin.allCases.count + rawValue) }

    static func of(tag: Int) -> (origin: RuleOrigin, box: Int)? {
        guard tag <= -2 else { return nil }
        let (box, origin) = (-2 - tag).quotientAndRemainder(dividingBy: allCases.count)
        return RuleOrigin(rawValue: origin).map { ($0, box) }
    }
}

/// Rules in words of their author, for findings.
struct RuleNames {
    private let scene: Scene
    private let system: LayoutSystem
    private let sentences: RuleSentences

    init(_ scene: Scene, _ system: LayoutSystem) {
        self.scene = scene
        sentences = RuleSentences(scene)
        self.system = system
    }

    func findings(_ outcome: SystemSolver.Outcome) -> [Finding] {
        var findings: [Finding] = []
        for conflict in outcome.conflicts {
            let other = partner(of: conflict)
            let because = other.map { " contradicts \(text(tag: $0))" } ?? " cannot hold together with the others"
            findings.append(
                Finding(
                    .warning, .layoutConflict, "\(subject(tag: conflict.dropped))\(because)",
                    at: place(tag: conflict.dropped),
                    hint: "it is left out; remove one of them, or give it a priority below 1000"))
        }
        if outcome.conflictCount > outcome.conflicts.count {
            let more = outcome.conflictCount - outcome.conflicts.count
            findings.append(
                Finding(
                    .warning, .layoutConflict, "\(more) more rules contradict others", at: scene.place,
                    hint: "they are left out"))
        }
        for tag in outcome.unusable.prefix(RuleNames.most) {
            findings.append(
                Finding(
                    .warning, .layoutConflict, "The numbers of the rule \(text(tag: tag)) are not lengths",
                    at: place(tag: tag), hint: "it is left out; correct its constant and multiplier"))
        }
        for (box, axis) in outcome.undecided.prefix(RuleNames.most) {
            let node = system.boxes[box].node
            let isHorizontal = axis == .horizontal
            findings.append(
                Finding(
                    .warning, .layoutAmbiguous,
                    "The rules leave open \(isHorizontal ? "where across" : "at which height") \(name(node)) lies",
                    at: scene.node(node)?.place,
                    hint: "it lies as it was drawn; add a rule for its \(isHorizontal ? "x or width" : "y or height")"))
        }
        return findings
    }

    /// Findings of one kind of one part.
    private static let most = 20

    /// The rule that a dropped one contradicts: one that names the same node if there is one, else the latest.
    private func partner(of conflict: LevelConflict) -> Int? {
        let own = nodes(tag: conflict.dropped)
        let others = conflict.against.filter { $0 != -1 }
        // Authors know best the rules that they wrote.
        let written = others.filter { scene.rules.indices.contains($0) }
        return written.last { !own.isDisjoint(with: nodes(tag: $0)) }
            ?? others.last { !own.isDisjoint(with: nodes(tag: $0)) } ?? written.last ?? others.last
    }

    private func node(of box: Int) -> NodeID? { system.boxes.indices.contains(box) ? system.boxes[box].node : nil }

    private func nodes(tag: Int) -> Set<NodeID> {
        guard scene.rules.indices.contains(tag) else {
            guard let (origin, box) = RuleOrigin.of(tag: tag), let own = node(of: box) else { return [] }
            // A stack contradicts rules of its children, too.
            let children = system.boxes.filter { $0.parent == box && origin == .stack }
            return Set(children.map { $0.node }).union([own])
        }
        let rule = scene.rules[tag]
        return Set([rule.first.node] + (rule.second.map { [$0.node] } ?? []))
    }

    private func place(tag: Int) -> Place? {
        guard scene.rules.indices.contains(tag) else {
            let own = RuleOrigin.of(tag: tag).flatMap { node(of: $0.box) }
            return own.flatMap { scene.node($0)?.place } ?? scene.place
        }
        return scene.node(scene.rules[tag].first.node)?.place
    }

    private func name(_ node: NodeID) -> String { sentences.name(node) }

    private func subject(tag: Int) -> String {
        scene.rules.indices.contains(tag) ? "The rule \(text(tag: tag))" : "T\(text(tag: tag).dropFirst())"
    }

    private func text(tag: Int) -> String {
        guard scene.rules.indices.contains(tag) else {
            guard let (origin, box) = RuleOrigin.of(tag: tag), let node = node(of: box) else { return "the screen" }
            switch origin {
            case .mask: return "the autoresizing mask of \(name(node))"
            case .stack: return "the arrangement of \(name(node))"
            case .content: return "the size of what is in \(name(node))"
            }
        }
        let rule = scene.rules[tag]
        if let identifier = rule.identifier, !identifier.isEmpty { return identifier.excerpt }
        return sentences.text(rule)
    }
}
