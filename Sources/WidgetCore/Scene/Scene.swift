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

    /// Nobody reads more, and whoever adds one looks for it among those that are there.
    private static let mostDiagnostics = 500

    package let identifier: String
    package let scenes: [String: Scene]
    package let entries: [String: Entry]
    package let initial: String
    package let model: EntityModel
    package let services: [String: Service]
    package let transformers: Transformers
    package let vocabulary: Vocabulary
    /// The pictures that the bundle has, by name; `nil` where nobody knows.
    package let images: Set<String>?
    /// What was noticed when it was read.
    package let diagnostics: [Diagnostic]
    /// What the services can do, as far as somebody reads who asked for something else.
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
        self.diagnostics = Array(diagnostics.prefix(Program.mostDiagnostics))
        plans = self.scenes.mapValues(ScenePlan.init)
        actionNames = self.services.mapValues { service in
            service.actions.keys.sorted().prefix(20).joined(separator: ", ") + (service.actions.count > 20 ? ", …" : "")
        }
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

/// What the properties of nodes are called in one authored form: there, many names may mean one property.
package struct Vocabulary: Sendable {
    package struct Meaning: Hashable, Sendable {
        package var property: PropertyName
        /// Whether the authored name means the opposite, as `enabled` does of disabled.
        package var isInverse: Bool

        package init(_ property: PropertyName, isInverse: Bool = false) {
            self.property = property
            self.isInverse = isInverse
        }
    }

    package var keys: [String: Meaning]
    /// What a kind's main value is, under that key.
    package var valueKey: String
    package var values: [NodeKind: PropertyName]

    package init(
        keys: [String: Meaning] = [:], valueKey: String = "value", values: [NodeKind: PropertyName] = [:]
    ) {
        self.keys = keys
        self.valueKey = valueKey
        self.values = values
    }

    package func meaning(of key: String, for kind: NodeKind) -> Meaning {
        if key == valueKey { return Meaning(values[kind] ?? .value) }
        return keys[key] ?? Meaning(PropertyName(key))
    }
}
