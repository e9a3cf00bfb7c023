package import WidgetCore
internal import WidgetLayout

/// A program prepared for pages: its plans, the names of its classes and its sheet. Made once, and shared by all pages.
package final class PlannedProgram: Sendable {
    package let program: Program
    /// The stylesheet of the program. Its name says what is in it, so it never changes.
    package let sheet: (file: String, bytes: [UInt8])
    /// Containers that do not follow the window.
    package let findings: [Finding]
    private let scenes: [String: PlannedScene]

    package init(_ program: Program) {
        self.program = program
        // Two releases on one page have other rules, so the names of classes come from the rules themselves.
        let plan = PlanSheet(program, identity: "")
        var scenes: [String: PlannedScene] = [:]
        var bars = ""
        for (name, layout) in plan.plans.sorted(by: { $0.key < $1.key }) {
            guard let place = plan.scene(name), let scene = program.scenes[name] else { continue }
            scenes[name] = PlannedScene(scene, plan: layout, classes: plan.classes, place: place)
            bars += BarSheet.rules(of: scene, plan.classes, place)
        }
        let draft = plan.bytes + Array(bars.utf8)
        let classes = LayoutClasses(identity: PageFiles.digest(of: draft))
        self.scenes = scenes.mapValues { $0.with(classes) }
        findings = plan.findings
        let rules = classes.renamed(draft, from: plan.classes)
        let roles = RoleSheet.used(in: rules).filter { !RoleSheet.shared.contains($0) }
        let bytes = Array(RoleSheet.rule(roles).utf8) + rules
        sheet = ("\(PageFiles.digest(of: bytes)).css", bytes)
    }

    /// The names of the sheets of a page, in the order of their rules.
    package var sheets: [String] { [BaseSheet.fileName, sheet.file, ViewingSheet.fileName] }

    func scene(_ scene: Scene) -> PlannedScene? { scenes[scene.name] }
}

/// A scene's plan, with the names of its classes.
struct PlannedScene: Sendable {
    let plan: LayoutPlan?
    private(set) var classes: LayoutClasses
    let place: Int
    /// True if a person can pick pictures or films on this screen.
    let takesFiles: Bool
    /// The containers that need a solver, and the nodes in them.
    let solved: Set<NodeID>
    let solvedParts: Set<NodeID>

    init(_ scene: Scene, plan: LayoutPlan?, classes: LayoutClasses, place: Int) {
        takesFiles = scene.nodes.contains { $0.kind == .button && $0.events[.pick] != nil }
        self.plan = plan
        self.classes = classes
        self.place = place
        var (solved, parts): (Set<NodeID>, Set<NodeID>) = ([], [])
        for (node, container) in plan?.containers ?? [:] {
            guard case .solved = container.form else { continue }
            solved.insert(node)
            for case .node(let part) in container.arrangement where plan?.boxes[part]?.placement == .free {
                parts.insert(part)
            }
        }
        self.solved = solved
        solvedParts = parts
    }

    /// The same with classes of other names.
    func with(_ classes: LayoutClasses) -> PlannedScene {
        var other = self
        other.classes = classes
        return other
    }

    func name(of node: NodeID) -> String { classes.node(place, node) }

    var bar: String { BarSheet.name(classes, place) }
    var toolbar: String { BarSheet.name(classes, place, "toolbar") }
    var tabBar: String { BarSheet.name(classes, place, "tabs") }

    func run(_ node: NodeID, _ index: Int) -> String { classes.run(place, node, index) }

    func wrapper(_ container: NodeID, _ index: Int) -> String { classes.wrapper(place, container, index) }
}
