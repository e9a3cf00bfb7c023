package import WidgetCore
package import WidgetLayout
internal import WidgetMarkup

/// The stylesheet of a program: where its nodes lie and how they are painted. It is made once, has nothing of the rows that
/// lists show, and only elements that an author drew have rules.
///
/// `LayoutClasses` says how the elements of a page and the rules of this sheet find each other.
package struct PlanSheet: Sendable {
    package let classes: LayoutClasses
    /// By the names of the scenes.
    package let plans: [String: LayoutPlan]
    package let bytes: [UInt8]
    /// Containers that do not follow the window, by scene and node.
    package var findings: [Finding] { scenes.flatMap { plans[$0]?.findings ?? [] } }
    /// The names of the scenes, each at its place.
    private let scenes: [String]

    /// - Parameter identity: a text that no other program on a page has.
    package init(_ program: Program, identity: String) {
        classes = LayoutClasses(identity: identity)
        scenes = program.scenes.keys.sorted()
        plans = program.scenes.mapValues { LayoutPlan(of: $0) }
        var sheet = RuleList()
        for (place, name) in scenes.enumerated() {
            guard let scene = program.scenes[name], let plan = plans[name] else { continue }
            SceneStyles(scene, plan, classes, place).write(to: &sheet)
        }
        bytes = sheet.bytes
    }

    /// The place of a scene among those of the program, which the names of classes have.
    package func scene(_ name: String) -> Int? { scenes.firstIndex(of: name) }
}

/// Rules in their order. Those with the same declarations are written once.
struct RuleList {
    private var places: [StyleDeclarations: Int] = [:]
    private var rules: [(selectors: [StyleSelector], style: StyleDeclarations)] = []
    private var blocks: [(condition: StaticString, rules: RuleList)] = []

    /// Adds a rule. Rules with the same declarations are joined where the first of them was, so of two rules about one
    /// element that contradict, the selector of one has to weigh more. Those with conditions come last.
    mutating func add(_ selector: StyleSelector, _ style: StyleDeclarations) {
        guard !style.isEmpty else { return }
        if let place = places[style] {
            rules[place].selectors.append(selector)
        } else {
            places[style] = rules.count
            rules.append(([selector], style))
        }
    }

    /// Adds rules that hold under a condition.
    mutating func block(_ condition: StaticString, _ body: (inout RuleList) -> Void) {
        if let place = blocks.firstIndex(where: { $0.condition.description == condition.description }) {
            body(&blocks[place].rules)
        } else {
            var rules = RuleList()
            body(&rules)
            blocks.append((condition, rules))
        }
    }

    var bytes: [UInt8] {
        var writer = StyleWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Blocks hold no blocks.
    private func write(to writer: inout StyleWriter) {
        for rule in rules { writer.rule(rule.selectors, rule.style) }
        for block in blocks {
            writer.block(block.condition) { inner in
                for rule in block.rules.rules { inner.rule(rule.selectors, rule.style) }
            }
        }
    }
}
