internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetPredicates

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
    /// The states whose values outlive the widget.
    var persisted: Set<String> = []
    /// The keys of the cache with what is read where nothing is stored.
    var cached: [String: Value] = [:]
    var observations: [Observation] = []
    var data: [DataSource] = []
    var reactions: [Reaction] = []
    /// Steps that run when the screen is made, besides those of its author.
    var onLoad: [Step] = []
    /// The shortest interval in which the clock moves on; `nil` for a scene without timers.
    var tick: Double?
    private(set) var diagnostics: [Finding] = []
    /// Names of elements that actions lead to, which may come later.
    var wantedNames: [(name: String, place: Place)] = []
    /// Names of lists that actions lead to. A state may have the same name.
    var wantedLists: [(name: String, place: Place)] = []
    /// Documents that actions and hosts lead to.
    var destinations: Set<String> = []
    /// Components that are used, by their places.
    var usedComponents: Set<Place> = []
    /// The links that actions can open are among them.
    var terms = WidgetTerms()
    /// The links that actions open, by their names.
    var openedLinks: Set<String> = []
    /// The parameters that elements and actions give values.
    var given = GivenParameters()
    /// Documents that are parts of others.
    var hostedDocuments: Set<String> = []
    /// Events that are emitted where no element is around the document.
    var strayEvents: [Place] = []
    /// True if the screen lies on the ground of its host.
    var isOverlay = false
    /// The places of nodes in their overlays.
    var positions: [NodeID: String] = [:]
    /// The screens of another form that are parts of this one.
    var hosted: [Scene] = []
    /// The number of nodes of a screen of another form, which come before those of documents.
    let otherNodeCount: Int
    /// The work that is left for this screen and those after it.
    var work: ReadingWork
    private var settingsLeft: Int
    private var lastNumber = 0
    /// The ids that names of states end in.
    private var suffixes: Set<String> = []
    private var isFull = false
    private var hasReportedFullness = false
    /// In the order in which they were added.
    private var addedNames: [String] = []
    private var addedStates: [String] = []

    init(_ library: DocumentLibrary, _ policy: ElementPolicy, _ limits: DocumentLimits, _ work: ReadingWork) {
        self.library = library
        self.policy = policy
        self.limits = limits
        self.work = work
        otherNodeCount = 0
        settingsLeft = limits.settingCount
    }

    /// Continues a scene of another form, some of whose views documents fill.
    init(
        filling scene: Scene, _ library: DocumentLibrary, _ policy: ElementPolicy, _ limits: DocumentLimits,
        _ work: ReadingWork
    ) {
        self.library = library
        self.policy = policy
        self.limits = limits
        self.work = work
        settingsLeft = limits.settingCount
        (nodes, rules, names, states) = (scene.nodes, scene.rules, scene.names, scene.states)
        observations = scene.observations
        otherNodeCount = nodes.count
        looks = Array(repeating: LookDraft(), count: nodes.count)
    }

    // MARK: - Nodes

    private static let screenNodeCount = 3
    /// The longest id that names of states end in.
    private static let suffixByteCount = 100

    /// True if there are as many diagnostics as are shown; others are not even made.
    var isMuted: Bool { diagnostics.count > limits.diagnosticCount }

    mutating func report(_ made: @autoclosure () -> Finding) {
        if isMuted { return }
        let diagnostic = made()
        if diagnostic.code == .nodeBudget {
            if hasReportedFullness { return }
            hasReportedFullness = true
        }
        diagnostics.append(diagnostic)
    }

    /// Adds a node without a parent.
    ///
    /// - Parameter isOfScreen: true for the few nodes around all elements, for which there is always room.
    mutating func add(
        _ kind: NodeKind, at place: Place? = nil, isOfScreen: Bool = false
    ) throws(ElementFault) -> NodeID {
        let isCrowded = work.nodes <= 0
        let isScreenFull = nodes.count - otherNodeCount >= limits.nodeCount - SceneMaker.screenNodeCount
        guard isOfScreen || !isFull && !isCrowded && !isScreenFull else {
            // Room that failed elements give back is not used again, so that no work is done twice.
            isFull = true
            let sentence =
                isCrowded
                ? "The screens of the bundle have more than \(limits.totalNodeCount) nodes together"
                : "The screen has more than \(limits.nodeCount) nodes"
            throw ElementFault(
                Finding(.error, .nodeBudget, sentence, at: place, hint: "what came before is shown"))
        }
        work.nodes -= 1
        nodes.append(Node(kind, place: place))
        looks.append(LookDraft())
        switch kind {
        case .button, .image, .toggle, .stepper, .activity, .pageControl:
            // Texts take the room of a row before them.
            looks[nodes.count - 1].geometry.hugging.horizontal = 251
        default: break
        }
        positions[nodes.count - 1] = nil
        return nodes.count - 1
    }

    mutating func attach(_ child: NodeID, to parent: NodeID) {
        nodes[child].parent = parent
        nodes[parent].children.append(child)
    }

    /// The end of the names of states that no author named: the element's id, under which they survive a reload, or else
    /// a number.
    mutating func newSuffix(for value: DocumentValue? = nil) -> String {
        if let id = value?["id"]?.json.string, id.utf8.count <= SceneMaker.suffixByteCount, id.first?.isLetter ?? false,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }), suffixes.insert(id).inserted
        {
            return id
        }
        lastNumber += 1
        return "\(lastNumber)"
    }

    mutating func spendSetting(_ value: DocumentValue) throws(ElementFault) {
        guard work.spend(ReadingWork.setting), work.spend(value.json) else { throw overwork(value) }
        settingsLeft -= 1
        work.settings -= 1
        guard work.settings >= 0 else {
            throw value.fault(
                .countBudget,
                "The screens of the bundle have more than \(limits.totalSettingCount) properties, styles and actions")
        }
        guard settingsLeft >= 0 else {
            throw value.fault(.countBudget, SceneMaker.tooManySettings(limits))
        }
    }

    private static func tooManySettings(_ limits: DocumentLimits) -> String {
        "The screen has more than \(limits.settingCount) properties, styles, cases and actions"
    }

    // MARK: - Elements

    /// The nodes of an element, and of its fallback or a placeholder if it cannot be shown.
    ///
    /// The parts of a failed element are taken back, so that its siblings are as they would be without it.
    mutating func lower(_ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> [NodeID] {
        // A full screen takes no more elements; reading them would cost as much as showing them.
        if isFull, hasReportedFullness { return [] }
        guard work.spend(ReadingWork.element) else {
            if policy == .fail || policy == .strict { throw overwork(value) }
            let fault = overwork(value)
            if work.takeReport() { report(fault.diagnostic) }
            return []
        }
        let before = Mark(self)
        do throws(ElementFault) {
            return try element(value, words)
        } catch {
            if policy == .fail || policy == .strict { throw error }
            restore(before)
            let isOver = !work.spend(ReadingWork.fault)
            var diagnostic = error.diagnostic
            // Its author expects older programs, which do not know the kind.
            if value["fallback"] != nil, diagnostic.code == .unknownKind { diagnostic.severity = .warning }
            if isOver { diagnostic = overwork(value).diagnostic }
            if !isOver || work.takeReport() { report(diagnostic) }
            // A screen that is full has no room for what comes instead.
            guard !isOver, ![.nodeBudget, .depthBudget].contains(error.diagnostic.code) else { return [] }
            if let fallback = value["fallback"] { return try lower(fallback, words.deeper) }
            return policy == .placeholder ? [try placeholder(value, error.diagnostic)] : []
        }
    }

    /// A note for authors in the place of an element.
    private mutating func placeholder(
        _ value: DocumentValue, _ diagnostic: Finding
    ) throws(ElementFault) -> NodeID {
        let node = try add(.label, at: value.place)
        let kind = value["kind"]?.json.string ?? "element"
        nodes[node][.text] = .literal(.string("⚠ \(kind.excerpt): \(diagnostic.message)"))
        looks[node].appearance.lines = 0
        looks[node].appearance.foreground = ColorWords.warning
        return node
    }

    /// The extent of the scene before an element.
    struct Mark {
        let nodes, rules, observations, data, reactions, onLoad, names, states, hosted: Int
        let tick: Double?

        init(_ maker: SceneMaker) {
            (nodes, rules, observations) = (maker.nodes.count, maker.rules.count, maker.observations.count)
            (data, reactions, onLoad) = (maker.data.count, maker.reactions.count, maker.onLoad.count)
            (names, states, tick) = (maker.addedNames.count, maker.addedStates.count, maker.tick)
            hosted = maker.hosted.count
        }
    }

    mutating func restore(_ mark: Mark) {
        nodes.removeSubrange(mark.nodes...)
        looks.removeSubrange(mark.nodes...)
        rules.removeSubrange(mark.rules...)
        observations.removeSubrange(mark.observations...)
        data.removeSubrange(mark.data...)
        reactions.removeSubrange(mark.reactions...)
        onLoad.removeSubrange(mark.onLoad...)
        hosted.removeSubrange(mark.hosted...)
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
        var words = words
        if let theme = value["theme"] { words.theme = try self.theme(theme, on: words.theme) }
        let made: Lowered
        if let component = words.components[kind] {
            made = try expand(component, named: kind, value, words.deeper)
        } else if let type = library.registry.kind(kind) {
            let element = try DocumentElement(value, type.spec, words.deeper, &self)
            made = try type.lower(element, &self)
        } else if kind == NativeWidget.spec.name {
            throw NativeWords.fault("The kind", value["kind"] ?? value)
        } else {
            var hint: String?
            if work.takeHint() {
                let names = words.components.keys.sorted()
                hint = NearestName.of(kind, in: names).map { "did you mean \($0)?" } ?? library.registry.hint(kind)
            }
            throw (value["kind"] ?? value).fault(.unknownKind, "No kind is called \(kind.excerpt)", hint: hint)
        }
        return try finish(made, value, words)
    }

    private mutating func checkMembers(_ value: DocumentValue) {
        let names = DocumentWords.element.map { $0.name }
        for (name, member) in value.members where !names.contains(name) {
            report(
                Finding(
                    .warning, .unknownKey, "Elements have no member \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: names),
                    hint: "properties of the kind are members of payload"))
        }
    }

    // MARK: - Members that all kinds have

    private mutating func finish(
        _ made: Lowered, _ value: DocumentValue, _ words: Lexicon
    ) throws(ElementFault) -> [NodeID] {
        var shown = made.nodes
        if value["theme"] != nil, let accent = words.theme.colors[Theme.accent] {
            for node in shown where looks[node].appearance.tint == nil { looks[node].appearance.tint = accent }
        }
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
            reportText(condition, "a condition")
            var expression = try read(words) { reader throws(ElementFault) in try reader.expression(of: condition) }
            expression.steps.append(.negation)
            for place in shown.indices { shown[place] = try hide(shown[place], while: expression) }
        }
        if let node = shown.first { try addElementEvents(value, to: node, words) }
        return shown
    }

    /// Reports a plain text where only something computed makes sense: its author forgot to say that it is an expression.
    mutating func reportText(_ value: DocumentValue, _ expected: String) {
        guard let text = value.json.string, !text.hasPrefix("$") else { return }
        report(
            Finding(
                .warning, .badValue, "A text is written where \(expected) is expected", at: value.place,
                hint: #"did you mean {"$": "\#(text.excerpt)"}?"#))
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

    /// Reports actions that lead to elements which the screen does not have.
    mutating func checkWantedNames() {
        let wanted = wantedNames + wantedLists
        // A state may have the name of its field, which names something else then.
        let identifiers = Set(wanted.isEmpty ? [] : nodes.compactMap { $0.identifier })
        for (name, place) in wanted where !identifiers.contains(name) {
            if case .node? = names[name] { continue }
            let known = names.filter { if case .node = $0.value { true } else { false } }.keys.sorted()
            report(
                Finding(
                    .warning, .unknownIdentifier, "No element is called \(name.excerpt)", at: place,
                    value: name.excerpt, nearest: NearestName.of(name, in: known), hint: "give the field an id"))
        }
    }

    mutating func setName(_ name: String, _ named: Scene.Named) {
        names[name] = named
        addedNames.append(name)
    }

    /// The states of a document that outlive the widget, under the names that they have in the scene.
    mutating func persist(_ parts: SceneParts, _ words: Lexicon) {
        for member in parts.scene?["persist"]?.asList ?? [] {
            if let name = member.json.string, let state = words.states[name] {
                persisted.insert(state.state)
                continue
            }
            let known = words.states.keys.sorted()
            let name = member.json.string ?? member.json.typeName.rawValue
            report(
                Finding(
                    .warning, .unknownKey, "No state is called \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: known), hint: "there are \(NameList(known))")
            )
        }
    }

    /// The settings that keep the values of states.
    func settings(of scene: String) -> [String: String] {
        Dictionary(persisted.map { ($0, "\(scene)/\($0)") }) { first, _ in first }
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
        var reader = ExpressionReader(words, limits, isMuted ? nil : work)
        let result = try body(&reader)
        settingsLeft -= reader.caseCount
        guard settingsLeft >= 0 else {
            throw ElementFault(Finding(.error, .countBudget, SceneMaker.tooManySettings(limits)))
        }
        for warning in reader.warnings { report(warning) }
        if let work = reader.work { self.work = work }
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
