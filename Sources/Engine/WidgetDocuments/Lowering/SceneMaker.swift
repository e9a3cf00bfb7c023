internal import Bytes
internal import JSONText
internal import Predicates
internal import WidgetCore

/// Makes the nodes of one scene of the elements of its document.
package struct SceneMaker {
    let library: DocumentLibrary
    let policy: ElementPolicy
    let limits: DocumentLimits
    var nodes: [Node] = []
    /// The looks of the nodes, by their places.
    var looks: [LookDraft] = []
    var rules: [LayoutRule] = []
    var names: [String: Scene.Named] = [:]
    var states: [String: Value] = [:]
    var observations: [Observation] = []
    /// The shortest interval in which the clock moves on; `nil` for a scene without timers.
    var tick: Double?
    private(set) var diagnostics: [Diagnostic] = []
    /// Documents that actions and hosts lead to.
    var destinations: Set<String> = []
    /// Components that are used, by their places.
    var usedComponents: Set<Place> = []
    /// The places of nodes in their overlays.
    var positions: [NodeID: String] = [:]
    private var settingsLeft: Int
    private var lastNumber = 0
    private var isFull = false
    private var hasReportedFullness = false
    /// In the order in which they were added.
    private var addedNames: [String] = []
    private var addedStates: [String] = []

    init(_ library: DocumentLibrary, _ policy: ElementPolicy, _ limits: DocumentLimits) {
        self.library = library
        self.policy = policy
        self.limits = limits
        settingsLeft = limits.settingCount
    }

    // MARK: - Nodes

    private static let screenNodeCount = 3

    mutating func report(_ diagnostic: Diagnostic) {
        if diagnostic.code == .nodeBudget {
            if hasReportedFullness { return }
            hasReportedFullness = true
        }
        if diagnostics.count <= limits.diagnosticCount { diagnostics.append(diagnostic) }
    }

    /// Adds a node without a parent.
    ///
    /// - Parameter isOfScreen: true for the few nodes around all elements, for which there is always room.
    mutating func add(
        _ kind: NodeKind, at place: Place? = nil, isOfScreen: Bool = false
    ) throws(ElementFault) -> NodeID {
        guard isOfScreen || !isFull && nodes.count < limits.nodeCount - SceneMaker.screenNodeCount else {
            // Room that failed elements give back is not used again, so that no work is done twice.
            isFull = true
            throw ElementFault(
                Diagnostic(
                    .error, .nodeBudget, "The screen has more than \(limits.nodeCount) nodes", at: place,
                    hint: "what came before is shown"))
        }
        nodes.append(Node(kind, place: place))
        looks.append(LookDraft())
        positions[nodes.count - 1] = nil
        return nodes.count - 1
    }

    mutating func attach(_ child: NodeID, to parent: NodeID) {
        nodes[child].parent = parent
        nodes[parent].children.append(child)
    }

    /// A number for a state that no author named.
    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func spendSetting(_ value: DocumentValue) throws(ElementFault) {
        settingsLeft -= 1
        guard settingsLeft >= 0 else {
            throw value.fault(
                .countBudget, "The screen has more than \(limits.settingCount) properties, styles and actions")
        }
    }

    // MARK: - Elements

    /// The nodes of an element, and of its fallback or a placeholder if it cannot be shown.
    ///
    /// The parts of a failed element are taken back, so that its siblings are as they would be without it.
    mutating func lower(_ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> [NodeID] {
        let before = Mark(self)
        do throws(ElementFault) {
            return try element(value, words)
        } catch {
            if policy == .fail || policy == .strict { throw error }
            restore(before)
            report(error.diagnostic)
            // A screen that is full has no room for what comes instead.
            guard ![.nodeBudget, .depthBudget].contains(error.diagnostic.code) else { return [] }
            if let fallback = value["fallback"] { return try lower(fallback, words.deeper) }
            return policy == .placeholder ? [try placeholder(value, error.diagnostic)] : []
        }
    }

    /// A note for authors in the place of an element.
    private mutating func placeholder(
        _ value: DocumentValue, _ diagnostic: Diagnostic
    ) throws(ElementFault) -> NodeID {
        let node = try add(.label, at: value.place)
        let kind = value["kind"]?.json.string ?? "element"
        nodes[node][.text] = .literal(.string("⚠ \(kind.excerpt): \(diagnostic.message)"))
        looks[node].appearance.lines = 0
        looks[node].appearance.foreground = .role(.red)
        return node
    }

    /// The extent of the scene before an element.
    private struct Mark {
        let nodes, rules, observations, names, states: Int
        let tick: Double?

        init(_ maker: SceneMaker) {
            (nodes, rules, observations) = (maker.nodes.count, maker.rules.count, maker.observations.count)
            (names, states, tick) = (maker.addedNames.count, maker.addedStates.count, maker.tick)
        }
    }

    private mutating func restore(_ mark: Mark) {
        nodes.removeSubrange(mark.nodes...)
        looks.removeSubrange(mark.nodes...)
        rules.removeSubrange(mark.rules...)
        observations.removeSubrange(mark.observations...)
        while addedNames.count > mark.names { names[addedNames.removeLast()] = nil }
        while addedStates.count > mark.states {
            let name = addedStates.removeLast()
            names[name] = nil
            states[name] = nil
        }
        tick = mark.tick
    }

    private mutating func element(_ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> [NodeID] {
        guard value.json.object != nil else {
            throw value.fault(
                .badPayload, "An element is \(value.json.typeName.rawValue), and has to be an object",
                hint: #"write {"kind": "label", "payload": {"text": "Hello"}}"#)
        }
        guard words.elementDepth < limits.elementDepth else {
            throw value.fault(
                .depthBudget, "Elements lie more than \(limits.elementDepth) deep in each other",
                hint: "what lies deeper is left out")
        }
        guard let kind = value["kind"]?.json.string else {
            throw value.fault(.badPayload, "The element has no kind", hint: "`widget kinds` lists the kinds")
        }
        if policy != .strict { checkMembers(value) }
        let made: Lowered
        if let component = words.components[kind] {
            made = try expand(component, named: kind, value, words.deeper)
        } else if let type = library.registry.kind(kind) {
            let element = try DocumentElement(value, type.spec, words.deeper, &self)
            made = try type.lower(element, in: &self)
        } else {
            let names = words.components.keys.sorted()
            let hint = NearestName.of(kind, in: names).map { "did you mean \($0)?" } ?? library.registry.hint(kind)
            throw (value["kind"] ?? value).fault(.unknownKind, "No kind is called \(kind.excerpt)", hint: hint)
        }
        return try finish(made, value, words)
    }

    private mutating func checkMembers(_ value: DocumentValue) {
        let names = DocumentWords.element.map(\.name)
        for (name, member) in value.members where !names.contains(name) {
            report(
                Diagnostic(
                    .warning, .unknownKey, "Elements have no member \(name.excerpt)", at: member.place,
                    hint: NearestName.of(name, in: names).map { "did you mean \($0)?" }
                        ?? "properties of the kind are members of payload"))
        }
    }

    // MARK: - Members that all kinds have

    private mutating func finish(
        _ made: Lowered, _ value: DocumentValue, _ words: Lexicon
    ) throws(ElementFault) -> [NodeID] {
        var shown = made.nodes
        if let style = value["style"] {
            let place = made.styled ?? 0
            if shown.indices.contains(place) { shown[place] = try apply(style, to: shown[place], words) }
        }
        if let id = value["id"], let node = made.principal ?? made.nodes.first {
            if let name = id.json.string, !name.isEmpty {
                nodes[node].identifier = name
                if names[name] == nil { setName(name, .node(node)) }
            } else {
                report(id.fault(.badPayload, "An id is \(id.json.typeName.rawValue), and has to be a text").diagnostic)
            }
        }
        if let condition = value["if"] {
            try spendSetting(condition)
            var expression = try read(words) { reader throws(ElementFault) in try reader.expression(of: condition) }
            expression.steps.append(.negation)
            for place in shown.indices { shown[place] = try hide(shown[place], while: expression) }
        }
        return shown
    }

    /// Adds a condition under which a node is hidden. A node that has one already gets a box around it.
    mutating func hide(_ node: NodeID, while expression: Expression) throws(ElementFault) -> NodeID {
        guard nodes[node][.hidden] != nil else {
            nodes[node][.hidden] = expression
            return node
        }
        let box = try wrap(node)
        nodes[box][.hidden] = expression
        return box
    }

    mutating func setName(_ name: String, _ named: Scene.Named) {
        names[name] = named
        addedNames.append(name)
    }

    mutating func setState(_ name: String, _ initial: Value) {
        states[name] = initial
        names[name] = .state(name)
        addedStates.append(name)
    }

    /// Reads with the names of a place, and passes on what is noticed.
    mutating func read<T>(
        _ words: Lexicon, _ body: (inout ExpressionReader) throws(ElementFault) -> T
    ) throws(ElementFault) -> T {
        var reader = ExpressionReader(words)
        let result = try body(&reader)
        for warning in reader.warnings { report(warning) }
        return result
    }
}

/// The nodes that an element has become.
package struct Lowered {
    var nodes: [NodeID]
    /// The node that has the element's name and value; the first one if `nil`.
    var principal: NodeID?
    /// The place, among the nodes, of the one that has its style.
    var styled: Int?

    init(_ nodes: NodeID..., principal: NodeID? = nil) {
        self.nodes = nodes
        self.principal = principal
    }

    init(all nodes: [NodeID], styled: Int? = nil) {
        self.nodes = nodes
        self.styled = styled
    }
}

extension Lexicon {
    /// The same names, for an element within.
    var deeper: Lexicon {
        var words = self
        words.elementDepth += 1
        return words
    }
}
