internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore

/// The parameters of components and documents that something gives a value, and the events that they emit.
struct GivenParameters: Sendable {
    struct Use: Sendable {
        var owner: String
        /// The first place where it is used.
        var place: Place
        var parameters: DocumentValue
        var names: Set<String>
        var isComponent: Bool
    }

    /// By the place of the parameters' description.
    private(set) var uses: [Place: Use] = [:]

    /// Notes one use of a component or a document.
    mutating func note(
        _ names: [String], for parameters: DocumentValue?, of owner: String, isComponent: Bool, at place: Place
    ) {
        guard let parameters else { return }
        let key = parameters.place
        if uses[key] == nil {
            uses[key] = Use(owner: owner, place: place, parameters: parameters, names: [], isComponent: isComponent)
        }
        uses[key]?.names.formUnion(names)
    }

    mutating func merge(_ other: GivenParameters) {
        for use in other.uses.values {
            note(Array(use.names), for: use.parameters, of: use.owner, isComponent: use.isComponent, at: use.place)
        }
    }

    /// The parameters without a value to begin with that no use gives one.
    ///
    /// - Parameter linked: the names of parts of links that lead to a document, by its name.
    func diagnostics(linked: [String: Set<String>]) -> [Finding] {
        var found: [Finding] = []
        for use in uses.values.sorted(by: {
            ($0.place.file, $0.place.line, $0.owner) < ($1.place.file, $1.place.line, $1.owner)
        }) {
            let given = use.isComponent ? use.names : use.names.union(linked[use.owner] ?? [])
            for (name, initial) in use.parameters.members
            where !given.contains(name) && GivenParameters.isEmpty(initial.json) {
                found.append(
                    Finding(
                        .warning, .neverGiven,
                        "Nothing gives the parameter \(name.excerpt) of \(use.owner.excerpt) a value",
                        at: use.place,
                        hint: use.isComponent
                            ? "pass it in payload, or take it out"
                            : #"pass it in "with", or give it a value to begin with"#))
            }
        }
        return found
    }

    private static func isEmpty(_ json: JSONValue) -> Bool {
        json.isNull || json.string?.isEmpty ?? false || json.array?.isEmpty ?? false
            || json.object.map { $0.count == 0 } ?? false
    }

    /// The events that elements of a body emit. Those of components in it belong to the elements that use these.
    static func emitted(by body: JSONValue) -> Set<String> {
        var events: Set<String> = []
        var pending = [body]
        while let next = pending.popLast() {
            if let elements = next.array { pending += elements }
            guard let object = next.object else { continue }
            if object["do"]?.string == "emit", let event = object["event"]?.string { events.insert(event) }
            pending += object.members.map { $0.value }
        }
        return events
    }
}

extension SceneMaker {
    /// Reports actions for events that a component or a document never emits.
    mutating func checkEvents(of value: DocumentValue, _ owner: String, emittedBy body: JSONValue) {
        guard let on = value["on"], on.json.object != nil, !isMuted, !library.allowsNative else { return }
        let others = on.members.filter { !SceneMaker.isOfElements($0.name) }
        guard !others.isEmpty, work.spend(body) else { return }
        let known = GivenParameters.emitted(by: body)
        for (name, actions) in others where !known.contains(name) {
            report(
                Finding(
                    .warning, .unknownKey, "\(owner.excerpt) never emits \(name.excerpt)", at: actions.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: known.sorted())?.excerpt,
                    hint: (known.isEmpty ? "it emits nothing" : "it emits \(NameList(known.sorted()))")))
        }
    }

    /// Reports values for parameters that a document does not have. One without any may read its whole content.
    mutating func checkParameters(of document: String, _ with: DocumentValue?, at place: Place) {
        guard let source = library.documents[document] else { return }
        let parameters = SceneParts(source, library).parameters
        let known = (parameters?.members ?? []).map { $0.name }
        given.note(
            (with?.members ?? []).map { $0.name }, for: parameters, of: document, isComponent: false, at: place)
        guard let with, !known.isEmpty else { return }
        for (name, value) in with.members where !known.contains(name) {
            report(.unknownParameter(name, of: document, among: known, at: value.place))
        }
    }
}

extension DocumentReader {
    /// Reports parameters that nothing gives a value, and events that no element around a document has actions for.
    mutating func checkUses() {
        guard input.policy != .strict, !input.allowsNative else { return }
        var linked: [String: Set<String>] = [:]
        for route in declared.terms.links.compactMap({ $0.route }) {
            linked[route.entry, default: []].formUnion(route.pattern.parts.map { route.parameters[$0.name] ?? $0.name })
        }
        diagnostics += given.diagnostics(linked: linked)
        for (document, events) in strayEvents.sorted(by: { $0.key < $1.key }) where !hostedDocuments.contains(document)
        {
            for event in events {
                diagnostics.append(
                    Finding(
                        .warning, .unusedValue, "No element is around \(document.excerpt) that takes the event",
                        at: event,
                        hint: "emit is for components and hosted documents; a screen returns a value with back"))
            }
        }
    }
}
