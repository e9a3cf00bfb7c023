internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Views of screens of another form that show documents.
extension SceneMaker {
    /// Places the elements of a document within a view.
    ///
    /// A document that cannot be shown leaves its view as it was.
    mutating func fill(_ place: DocumentPlace) throws(ElementFault) {
        guard let source = library.documents[place.document] else {
            throw ElementFault(
                Finding(
                    .error, .unknownScreen, "The bundle has no document \(place.document.excerpt)", at: place.place,
                    hint: library.documentHint(place.document)))
        }
        destinations.insert(place.document)
        let view = nodes[place.node]
        guard view.kind == .box else {
            throw ElementFault(
                Finding(
                    .error, .badValue,
                    "\(view.identifier?.excerpt ?? "The element") is a \(view.kind.row.name), and only a plain view can show a document",
                    at: place.place, hint: "put a view in its place"))
        }
        let before = Mark(self)
        do throws(ElementFault) {
            try lower(source, in: place)
        } catch {
            restore(before)
            throw error
        }
    }

    private mutating func lower(_ source: DocumentSource, in place: DocumentPlace) throws(ElementFault) {
        let first = nodes.count
        let parts = SceneParts(source, library)
        let isInRow = nodes[place.node].prototype != nil
        var inner = Lexicon()
        inner.isRepeated = isInRow
        inner.components = parts.components
        inner.expansions = ["document \(place.document)"]
        inner.theme = try theme(of: parts, on: library.theme)
        let root = DocumentValue(source.root, ValuePath(), in: source)
        var locals = try pass(place, to: parts.parameters, root, &inner)
        let states = try states(of: parts, newSuffix(), &inner)
        if isInRow, !states.isEmpty {
            report(
                Finding(
                    .warning, .badValue, "All rows share the states of \(place.document.excerpt)", at: place.place,
                    hint: "values that differ between rows are parameters"))
        }
        locals += states
        persist(parts, inner)
        try declareCache(of: parts, &inner)
        let made = try enclose(parts.root, locals, inner, at: place.place, sources: parts.scene?["sources"])
        guard let box = made.nodes.first, let scope = nodes[box].children.first else { return }
        try runLoad(of: parts, at: scope, inner)
        nodes[box].parent = place.node
        nodes[place.node].children.append(box)
        if let frame = nodes[place.node].frame {
            nodes[box].frame = Frame(x: 0, y: 0, width: frame.width, height: frame.height)
        }
        // A stack places what is in it.
        if nodes[place.node].look?.stack == nil { fill(box, in: place.node) }
        if let row = nodes[place.node].prototype {
            for node in first..<nodes.count where nodes[node].prototype == nil { nodes[node].prototype = row }
        }
    }

    /// The values of a document's parameters.
    private mutating func pass(
        _ place: DocumentPlace, to parameters: DocumentValue?, _ root: DocumentValue, _ inner: inout Lexicon
    ) throws(ElementFault) -> [LocalValue] {
        let known = parameters?.members ?? []
        given.note(
            place.values.map { $0.name }, for: parameters, of: place.document, isComponent: false, at: place.place)
        guard known.count <= limits.nameCount else {
            throw root.fault(
                .countBudget, "\(place.document.excerpt) has more than \(limits.nameCount) parameters")
        }
        for value in place.values where !known.contains(where: { $0.name == value.name }) {
            report(.unknownParameter(value.name, of: place.document, among: known.map { $0.name }, at: value.place))
        }
        var locals: [LocalValue] = []
        for (name, initial) in known {
            try spendSetting(initial)
            inner.add(name)
            let given = place.values.last { $0.name == name }?.expression
            locals.append(LocalValue(name, given ?? .literal(Value(initial.json), place: initial.place)))
        }
        return locals
    }

    /// Runs the actions of `load` of a document that is a part of a screen: once, when the screen has been set up.
    mutating func runLoad(of parts: SceneParts, at scope: NodeID, _ words: Lexicon) throws(ElementFault) {
        for (event, actions) in parts.scene?["on"]?.members ?? [] {
            guard event == "load", !words.isRepeated else {
                let place = words.isRepeated ? "an item of a list" : "a part of a screen"
                report(
                    Finding(
                        .warning, .badValue, "The actions of \(event.excerpt) are not taken in \(place)",
                        at: actions.place))
                continue
            }
            let steps = try steps(of: actions, words)
            observations.append(Observation(whenTrue: .literal(.boolean(true)), at: scope, steps))
        }
    }

    /// Gives the scene what was made of documents.
    func finish(_ scene: inout Scene) {
        scene.nodes = nodes
        for place in otherNodeCount..<nodes.count { scene.nodes[place].look = looks[place].look }
        scene.rules = rules
        scene.names = names
        scene.states = states
        scene.persisted = settings(of: scene.name)
        scene.observations = observations
        scene.data += data
        scene.reactions += reactions
        scene.onLoad += onLoad
        scene.cached.merge(cached) { known, _ in known }
        scene.add(hosted)
        if let tick { scene.onLoad.append(.every(name: "clock", seconds: tick, [])) }
    }
}
