package import WidgetContract

/// One screen as it was authored: nodes whose properties are values or expressions, sources, actions and reactions.
package struct Scene: Sendable {
    /// A thing that expressions can refer to by name.
    package enum Named: Hashable, Sendable {
        case node(NodeID)
        case source(String)
        case action(String)
        case status(String)
        /// A value of the screen that steps change.
        case state(String)
        /// A member of the screen's content, or its default.
        case parameter(String)
        /// The value of a data source.
        case data(String)
        /// The status of a data source's request.
        case dataStatus(String)
    }

    package var name: String
    /// Its name in schemes and scripts.
    package var identifier: String?
    package var nodes: [Node]
    package var root: NodeID
    /// The content of the navigation bar for this screen.
    package var bar: NodeID?
    /// The content of the toolbar, which is shown where `toolbar` is one.
    package var toolbarItems: NodeID?
    package var title: Expression?
    package var sources: [Source] = []
    package var data: [DataSource] = []
    package var actions: [Action] = []
    package var statuses: [ActionStatus] = []
    package var reactions: [Reaction] = []
    /// Steps that run when the screen has been set up.
    package var onLoad: [Step] = []
    /// The steps of a touch of any control where the host lets people change nothing.
    package var instead: [Step] = []
    package var names: [String: Named] = [:]
    /// True if a screen that shows this one passes its content on.
    package var takesContent = true
    /// Lists that forget which row was touched whenever the screen appears.
    package var deselected: [NodeID] = []
    /// Values that follow their expressions from one event to the next while the screen is visible.
    package var observations: [Observation] = []
    /// The constraints between its elements, rows and their parts among them.
    package var rules: [LayoutRule] = []
    /// `nil` without a navigation bar.
    package var navigationBar: BarGeometry?
    package var tabBar: BarGeometry?
    package var toolbar: BarGeometry?
    package var edges = ScreenEdges()
    package var place: Place?
    /// The initial values of what steps change.
    package var states: [String: Value] = [:]
    /// The states whose values outlive the widget, with the names of the settings that keep them.
    package var persisted: [String: String] = [:]
    /// The values of parameters that others do not pass.
    package var parameters: [String: Value] = [:]
    /// The keys of the widget's cache that the scene uses, with the values that are read where none is stored.
    package var cached: [String: Value] = [:]

    package init(_ name: String, nodes: [Node], root: NodeID = 0) {
        self.name = name
        self.nodes = nodes
        self.root = root
    }

    package func source(_ id: String) -> Source? { sources.first { $0.id == id } }

    package func action(_ id: String) -> Action? { actions.first { $0.id == id } }

    package func node(_ id: NodeID) -> Node? { nodes.indices.contains(id) ? nodes[id] : nil }

    /// True for a list, and for an element that repeats children for items.
    package func isList(_ id: NodeID) -> Bool { node(id)?.list != nil || !repetitions(in: id).isEmpty }

    /// The list of that name, which a state or source of the same name does not hide.
    package func list(_ name: String) -> NodeID? {
        if case .node(let id) = names[name], isList(id) { return id }
        return nodes.indices.first { nodes[$0].identifier == name && isList($0) }
    }

    /// The repetitions among the children of an element that do not lie in another repetition, or in a row.
    func repetitions(in id: NodeID) -> [NodeID] {
        var found: [NodeID] = []
        var pending = [id]
        while let next = pending.popLast() {
            guard let node = node(next) else { continue }
            if node.repetition != nil {
                found.append(next)
            } else if next == id || node.kind != .row {
                pending += node.children.reversed()
            }
        }
        return found
    }
}

/// A widget before its first event. Every authored form is lowered to a program.
package final class Program: Sendable {
    /// An entry point: a name that leads to a scene, or to several of which tabs choose one.
    package struct Entry: Equatable, Sendable {
        /// With tabs, that of the chosen one.
        package var scene: String
        /// True if it has a navigation bar and so is presented rather than pushed.
        package var isNavigation: Bool
        /// Empty for one scene.
        package var tabs: [Tab] = []
        /// The place of the tab that is chosen at first.
        package private(set) var chosen = 0

        package init(scene: String, isNavigation: Bool) {
            self.scene = scene
            self.isNavigation = isNavigation
        }

        /// - Parameter chosen: the place of the tab that is chosen at first.
        /// - Returns: `nil` without that tab.
        package init?(tabs: [Tab], chosen: Int = 0) {
            guard tabs.indices.contains(chosen) else { return nil }
            self.init(scene: tabs[chosen].scene, isNavigation: tabs[chosen].isNavigation)
            (self.tabs, self.chosen) = (tabs, chosen)
        }

        /// The same entry point with the first tab chosen whose scene is wanted; `nil` without one.
        package func choosing(_ isWanted: (String) -> Bool) -> Entry? {
            tabs.firstIndex { isWanted($0.scene) }.flatMap { Entry(tabs: tabs, chosen: $0) }
        }

        /// All scenes that it leads to.
        package var scenes: [String] { tabs.isEmpty ? [scene] : tabs.map { $0.scene } }
    }

    /// A tab of an entry point, and the scene that its stack of screens begins with.
    package struct Tab: Equatable, Sendable {
        package var title: String
        package var image: String?
        package var scene: String
        package var isNavigation: Bool

        package init(title: String, image: String? = nil, scene: String, isNavigation: Bool) {
            (self.title, self.image, self.scene, self.isNavigation) = (title, image, scene, isNavigation)
        }
    }

    /// Diagnostics of what was read.
    package static let diagnosticCount = 500

    package let identifier: String
    /// The name of its bundle, for people; empty where none is known.
    package let name: String
    package let scenes: [String: Scene]
    package let entries: [String: Entry]
    package let initial: String
    package let model: EntityModel
    package let services: [String: Service]
    package let transformers: Transformers
    package let vocabulary: Vocabulary
    /// The pictures that the bundle has, by name; `nil` where they are not known.
    package let images: [String: ImageInfo]?
    /// The values of settings that the user has not set yet.
    package let settings: [String: Value]
    /// The texts about fields that break a rule.
    package let fieldMessages: FieldMessages
    /// The diagnostics of reading it.
    package let diagnostics: [Finding]
    /// The statements of the widget about itself.
    package let terms: WidgetTerms
    /// The places of its terms, by their names: `modes`, or `links.event`.
    package let termPlaces: [String: Place]
    /// The actions of each service, as the hint of a diagnostic has them.
    let actionNames: [String: String]
    /// The plans of the scenes, by their names.
    let plans: [String: ScenePlan]

    package init(
        identifier: String, name: String = "", scenes: [Scene], entries: [String: Entry], initial: String,
        model: EntityModel = .empty,
        services: [Service] = [], transformers: Transformers = Transformers(), vocabulary: Vocabulary = Vocabulary(),
        images: [String: ImageInfo]? = nil, settings: [String: Value] = [:],
        fieldMessages: FieldMessages = FieldMessages(), diagnostics: [Finding] = [],
        terms: WidgetTerms = WidgetTerms(), termPlaces: [String: Place] = [:]
    ) {
        self.identifier = identifier
        self.name = name
        self.scenes = Dictionary(scenes.map { ($0.name, $0) }) { first, _ in first }
        self.entries = entries
        self.initial = initial
        self.model = model
        self.services = Dictionary(services.map { ($0.name, $0) }) { first, _ in first }
        self.transformers = transformers
        self.vocabulary = vocabulary
        self.images = images
        self.settings = settings
        self.fieldMessages = fieldMessages
        self.diagnostics = Program.limited(diagnostics)
        self.terms = terms
        self.termPlaces = termPlaces
        plans = self.scenes.mapValues(ScenePlan.init)
        actionNames = self.services.mapValues { NameList($0.actions.keys.sorted()).description }
    }

    /// The keys of the widget's cache that its scenes use, in alphabetical order.
    package var cachedKeys: [String] { Set(scenes.values.flatMap { $0.cached.keys }).sorted() }

    /// True if both programs have the same descriptions of services.
    package func hasServices(of other: Program) -> Bool {
        services.mapValues { $0.source } == other.services.mapValues { $0.source }
    }

    /// Keeps the first errors, and the first warnings beside them, in their order: what was left out for a limit is an error, and
    /// many warnings must not hide it.
    private static func limited(_ diagnostics: [Finding]) -> [Finding] {
        guard diagnostics.count > diagnosticCount, diagnostics.last?.code != .countBudget else { return diagnostics }
        var errors = min(diagnostics.count { $0.severity == .error }, diagnosticCount)
        var warnings = diagnosticCount - errors
        let kept = diagnostics.filter { finding in
            if finding.severity == .error {
                errors -= 1
                return errors >= 0
            }
            warnings -= 1
            return warnings >= 0
        }
        return kept + [
            Finding(
                .error, .countBudget, "There are more than \(diagnosticCount) diagnostics", hint: "these are the first")
        ]
    }

    /// The same program with another first screen, by its name or by that of an entry point. Of a screen that only tabs lead
    /// to, its tab is chosen.
    package func beginning(with screen: String) -> Program? {
        let sorted = entries.sorted { $0.key < $1.key }
        func isWanted(_ scene: String) -> Bool { scene == screen || scenes[scene]?.identifier == screen }
        var entries = entries
        var initial = entries[screen] == nil ? sorted.first { isWanted($0.value.scene) }?.key : screen
        if initial == nil, let tab = sorted.lazy.compactMap({ $0.value.choosing(isWanted) }).first {
            (entries[screen], initial) = (tab, screen)
        }
        return initial.map { initial in
            Program(
                identifier: identifier, name: name, scenes: Array(scenes.values), entries: entries, initial: initial,
                model: model,
                services: Array(services.values), transformers: transformers, vocabulary: vocabulary,
                images: images, settings: settings, fieldMessages: fieldMessages, diagnostics: diagnostics,
                terms: terms, termPlaces: termPlaces)
        }
    }
}
