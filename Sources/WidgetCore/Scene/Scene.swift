/// One screen as it was authored: nodes whose properties are values or ways to values, sources, actions and what
/// happens when.
package struct Scene: Sendable {
    /// What expressions can call by name.
    package enum Named: Hashable, Sendable {
        case node(NodeID)
        case source(String)
        case action(String)
        case status(String)
    }

    package var name: String
    /// What schemes and scripts call it.
    package var identifier: String?
    package var nodes: [Node]
    package var root: NodeID
    /// What the navigation bar shows for this screen.
    package var bar: NodeID?
    package var title: Expression?
    package var sources: [Source] = []
    package var actions: [Action] = []
    package var statuses: [Status] = []
    package var reactions: [Reaction] = []
    /// When the screen has been made, after everything is set up.
    package var onLoad: [Step] = []
    package var names: [String: Named] = [:]
    /// Whether a screen that shows this one hands its content on.
    package var takesContent = true
    /// Lists that forget which row was touched whenever the screen appears.
    package var deselected: [NodeID] = []
    /// What follows its expression from one event to the next, as long as the screen is seen.
    package var observations: [Observation] = []
    package var place: Place?

    package init(_ name: String, nodes: [Node], root: NodeID = 0) {
        self.name = name
        self.nodes = nodes
        self.root = root
    }

    package func source(_ id: String) -> Source? { sources.first { $0.id == id } }

    package func action(_ id: String) -> Action? { actions.first { $0.id == id } }

    package func node(_ id: NodeID) -> Node? { nodes.indices.contains(id) ? nodes[id] : nil }
}

/// Everything a widget is, before anything has happened: what every authored form is lowered to.
package final class Program: Sendable {
    /// A way into a scene.
    package struct Entry: Equatable, Sendable {
        package var scene: String
        /// Whether it brings a navigation bar, and so is presented rather than pushed.
        package var isNavigation: Bool

        package init(scene: String, isNavigation: Bool) {
            self.scene = scene
            self.isNavigation = isNavigation
        }
    }

    /// Diagnostics of what was read.
    package static let diagnosticCount = 500

    package let identifier: String
    package let scenes: [String: Scene]
    package let entries: [String: Entry]
    package let initial: String
    package let model: EntityModel
    package let services: [String: Service]
    package let transformers: Transformers
    package let vocabulary: Vocabulary
    /// The pictures that the bundle has, by name; `nil` where they are not known.
    package let images: Set<String>?
    /// What was noticed when it was read.
    package let diagnostics: [Diagnostic]
    /// The actions of each service, as the hint of a diagnostic has them.
    let actionNames: [String: String]
    /// Of the scenes, by their names.
    let plans: [String: ScenePlan]

    package init(
        identifier: String, scenes: [Scene], entries: [String: Entry], initial: String, model: EntityModel = .empty,
        services: [Service] = [], transformers: Transformers = Transformers(), vocabulary: Vocabulary = Vocabulary(),
        images: Set<String>? = nil, diagnostics: [Diagnostic] = []
    ) {
        self.identifier = identifier
        self.scenes = Dictionary(scenes.map { ($0.name, $0) }) { first, _ in first }
        self.entries = entries
        self.initial = initial
        self.model = model
        self.services = Dictionary(services.map { ($0.name, $0) }) { first, _ in first }
        self.transformers = transformers
        self.vocabulary = vocabulary
        self.images = images
        self.diagnostics = Program.limited(diagnostics)
        plans = self.scenes.mapValues(ScenePlan.init)
        actionNames = self.services.mapValues { NameList($0.actions.keys.sorted()).description }
    }

    private static func limited(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard diagnostics.count > diagnosticCount, diagnostics.last?.code != .countBudget else { return diagnostics }
        return diagnostics.prefix(diagnosticCount) + [
            Diagnostic(
                .error, .countBudget, "There are more than \(diagnosticCount) diagnostics", hint: "these are the first")
        ]
    }

    /// The same program with another screen to begin with, by its own name or by that of a way to it.
    package func beginning(with screen: String) -> Program? {
        let entry =
            entries[screen] == nil
            ? entries.sorted { $0.key < $1.key }.first { name, entry in
                entry.scene == screen || scenes[entry.scene]?.identifier == screen
            }?.key : screen
        return entry.map { entry in
            Program(
                identifier: identifier, scenes: Array(scenes.values), entries: entries, initial: entry, model: model,
                services: Array(services.values), transformers: transformers, vocabulary: vocabulary,
                images: images, diagnostics: diagnostics)
        }
    }
}
