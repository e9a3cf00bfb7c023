internal import WidgetBytes
internal import WidgetCore

/// Finds buttons of bars that no stack around their screen has.
///
/// A screen of the host's class may put itself into a stack, and another storyboard may hold the stack.
enum BarCheck {
    /// - Parameter referenced: screens that other storyboards put into stacks.
    static func diagnostics(
        _ scenes: [String: Scene], _ facts: [String: ScreenFacts], referenced: Set<String>
    ) -> [Finding] {
        scenes.sorted { $0.key < $1.key }.compactMap { name, scene in
            guard scene.navigationBar == nil, let bar = scene.bar.flatMap({ scene.node($0) }),
                !referenced.contains(name), let facts = facts[name], !facts.isHostClass
            else { return nil }
            let buttons = bar.children.compactMap { scene.node($0) }.filter { $0.kind == .button }
            guard !buttons.isEmpty else { return nil }
            let names = buttons.map { ($0.identifier ?? $0[.text]?.literal?.string ?? "a button").excerpt }
            return Finding(
                .warning, .outOfReach,
                "\(name.excerpt) has \(NameList(names)) in a bar, and no stack around it, so they are not shown",
                at: facts.place, hint: "put the screen into a stack: `in stack` in a .screens file")
        }
    }
}
