internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Sources of documents, and the actions that ask services.
extension SceneMaker {
    /// Adds the sources of a document, whose names `words` gets. One with a fault is reported, and has no value.
    ///
    /// - Parameter node: the node of a hosted document; `nil` for the document of the screen.
    mutating func addSources(
        _ sources: DocumentValue?, to words: inout Lexicon, of node: NodeID? = nil
    ) throws(ElementFault) {
        guard let sources else { return }
        guard sources.json.object != nil else {
            throw sources.fault(
                .badPayload, "The sources are \(sources.json.typeName.rawValue), and have to be an object")
        }
        let suffix = node == nil ? nil : newSuffix()
        var named: [(id: String, definition: DocumentValue)] = []
        for (name, definition) in sources.members {
            try spendSetting(definition)
            guard !name.isEmpty, !name.contains(where: { $0 == "." || $0 == "$" }) else {
                report(
                    Finding(
                        .error, .badValue, "\(name.excerpt) cannot be a name", at: definition.place,
                        hint: "names have no dots and no $"))
                continue
            }
            let id = suffix.map { "\(name)#\($0)" } ?? name
            words.add(name)
            words.sources[name] = id
            setName(id, .data(id))
            setName(Lexicon.statusName(id), .dataStatus(id))
            if let node { nodes[node].locals.append(LocalValue(name, try keyPath(id, definition))) }
            named.append((id, definition))
        }
        for (id, definition) in named {
            do throws(ElementFault) {
                try addSource(id, definition, words, node)
            } catch {
                if policy == .fail || policy == .strict { throw error }
                report(error.diagnostic)
                guard data.count < limits.sourceCount else { continue }
                data.append(DataSource(id, .broken("\(error.diagnostic.message)."), place: definition.place))
            }
        }
    }

    private mutating func addSource(
        _ id: String, _ value: DocumentValue, _ words: Lexicon, _ node: NodeID?
    ) throws(ElementFault) {
        guard data.count < limits.sourceCount else {
            throw value.fault(
                .countBudget, "The screen has more than \(limits.sourceCount) sources",
                hint: "the first ones are asked")
        }
        guard value.json.object != nil else {
            throw value.fault(
                .badPayload, "A source is \(value.json.typeName.rawValue), and has to be an object",
                hint: #"write {"action": "events"} or {"value": []}"#)
        }
        let members = try CheckedMembers(
            value, DocumentWords.source, of: "source", around: value, known: ["comment"], &self)
        if let fixed = members["value"] {
            guard members["action"] == nil else {
                throw fixed.fault(
                    .badPayload, "A source has an action or a value, and this one has both", hint: "take one out")
            }
            data.append(DataSource(id, .constant(Value(fixed.json)), place: value.place))
            return
        }
        var source = DataSource(id, .request(try call(members, of: "source", around: value, words)), place: value.place)
        source.node = node
        let every = setMoment(of: &source, members)
        source.condition = try members.expression("if", words, &self)
        source.part = try part(members)
        data.append(source)
        if source.moment == .appear { reactions.append(Reaction([.appearing], [.ask(id)])) }
        if source.moment == .change { observations.append(change(of: source)) }
        if every {
            onLoad.append(.every(name: "source \(id)", seconds: interval(members), [.ask(id)]))
        }
        if words.isRepeated {
            report(
                Finding(
                    .warning, .badValue, "A source in items is asked once for all of them, without an item",
                    at: value.place, hint: "ask for the whole list outside of the items"))
        }
    }

    /// Sets the moment of a source. One that changes something on a server waits for an action, unless it says itself
    /// that it does not, and the server recognises its repetitions.
    ///
    /// - Returns: true if it is asked again after an interval.
    private mutating func setMoment(of source: inout DataSource, _ members: CheckedMembers) -> Bool {
        let said = members.text("when").flatMap(DataSource.Moment.init)
        let isRepeated = members["every"] != nil
        source.moment = said ?? .load
        guard let action = action(of: source), action.isWriting else { return isRepeated }
        source.moment = said ?? .demand
        source.waitsForChange = said == .change
        source.isSentOnOpening = action.isKeyed && (said == .load || said == .appear)
        if source.isSentOnOpening { return isRepeated }
        let isOnOpening = said == .load || said == .appear
        if isOnOpening { source.moment = .demand }
        guard isOnOpening || isRepeated else { return false }
        let name = source.id.prefix { $0 != "#" }
        report(
            Finding(
                .warning, .sentOnLoad,
                "The source \(String(name).excerpt) waits for an action, because a \(action.method) is not sent when a screen opens",
                at: (isOnOpening ? members["when"] : members["every"])?.place ?? source.place,
                hint: isOnOpening
                    ? #"write "when": "demand", or give the action "idempotencyKey": true"#
                    : #"take "every" out, or write "when": "load" and give the action "idempotencyKey": true"#))
        return false
    }

    /// The action that a source asks.
    private func action(of source: DataSource) -> ServiceAction? {
        guard case .request(let call) = source.kind else { return nil }
        return library.services[call.service]?.actions[call.action]
    }

    /// Asks a source when its screen is made, and when its request becomes another one.
    private func change(of source: DataSource) -> Observation {
        var inputs: [(name: String, expression: Expression)] = []
        if case .request(let call) = source.kind, let argument = call.argument { inputs.append(("with", argument)) }
        if let condition = source.condition { inputs.append(("if", condition)) }
        var observation = Observation(ofChangesTo: Expression(.members(inputs)), at: source.node, [.ask(source.id)])
        observation.skipsFirst = source.waitsForChange
        return observation
    }

    private mutating func interval(_ members: CheckedMembers) -> Double {
        let seconds = members.number("every") ?? 0
        let shortest = limits.shortestSourceInterval
        if seconds >= shortest { return seconds }
        report(
            Finding(
                .warning, .timerTooFast, "A source is asked every \(Value.text(seconds)) s",
                at: members["every"]?.place,
                hint: "the shortest interval is \(Value.text(shortest)) s"))
        return shortest
    }

    private func part(_ members: CheckedMembers) throws(ElementFault) -> [String]? {
        guard let value = members["part"], let text = members.text("part") else { return nil }
        if text.isEmpty { return [] }
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains("") else {
            throw value.fault(
                .badPayload, "\(text.excerpt) is not a key path", hint: "names with dots between them, as in data.items"
            )
        }
        return keys
    }

    // MARK: - Requests

    /// The request that members of a source or an action describe.
    private mutating func call(
        _ members: CheckedMembers, of owner: String, around value: DocumentValue, _ words: Lexicon
    ) throws(ElementFault) -> ServiceCall {
        guard let written = members["action"], let action = members.text("action") else {
            throw value.fault(
                .badPayload, "The \(owner) does not say which action of a service it asks",
                hint: #"write "action": "events""#)
        }
        let names = library.services.keys.sorted()
        let service: Service
        if let written = members["service"], let name = members.text("service") {
            guard let named = library.services[name] else {
                throw written.fault(
                    .unknownService, "No service is called \(name.excerpt)",
                    hint: NearestName.of(name, in: names).map { "did you mean \($0)?" } ?? servicesHint)
            }
            service = named
        } else {
            guard names.count == 1, let only = library.services.values.first else {
                throw value.fault(
                    .unknownService, "The \(owner) does not say which service has the action \(action.excerpt)",
                    hint: servicesHint)
            }
            service = only
        }
        guard service.actions[action] != nil else {
            let known = service.actions.keys.sorted()
            throw written.fault(
                .unknownAction, "The service \(service.name.excerpt) has no action \(action.excerpt)",
                hint: NearestName.of(action, in: known).map { "did you mean \($0)?" } ?? "it has \(NameList(known))")
        }
        var call = ServiceCall(service.name, action, argument: try passed(members["with"], words))
        call.place = value.place
        return call
    }

    private var servicesHint: String {
        library.services.isEmpty
            ? "a file services/NAME.json describes a service" : "there are \(NameList(library.services.keys.sorted()))"
    }

    // MARK: - Actions

    /// The steps of `refresh`.
    func refresh(_ members: CheckedMembers, _ words: Lexicon) throws(ElementFault) -> [Step] {
        guard members["source"] != nil else {
            let writing = Set(data.filter { $0.isWriting(by: library.services) }.map { $0.id })
            return words.sources.values.sorted().filter { !writing.contains($0) }.map { .ask($0) }
        }
        return [.ask(try source(members, "source", words))]
    }

    /// The name, in its scene, of the source that a member names.
    private func source(_ members: CheckedMembers, _ member: String, _ words: Lexicon) throws(ElementFault) -> String {
        let name = members.text(member) ?? ""
        return try members[member].map { value throws(ElementFault) in try source(name, value, words) } ?? name
    }

    private func source(_ name: String, _ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> String {
        if let source = words.sources[name] { return source }
        let known = words.sources.keys.sorted()
        throw value.fault(
            .unknownKey, "No source is called \(name.excerpt)",
            hint: NearestName.of(name, in: known).map { "did you mean \($0)?" }
                ?? (known.isEmpty
                    ? #"write "sources": {"\#(name.excerpt)": {"action": "…"}} at the top of the document"#
                    : "there are \(NameList(known))"))
    }

    /// The name, in its scene, of the source that a property of an element names.
    func source(of element: DocumentElement, _ property: String) throws(ElementFault) -> String? {
        guard let written = element.member(property), let name = element.text(property) else { return nil }
        return try source(name, written, element.words)
    }

    /// The request of `call`.
    mutating func call(
        _ members: CheckedMembers, around value: DocumentValue, _ words: Lexicon, _ depth: Int
    ) throws(ElementFault) -> ServiceCall {
        var call: ServiceCall
        if members["source"] != nil {
            let id = try source(members, "source", words)
            let name = (members.text("source") ?? "").excerpt
            switch data.first(where: { $0.id == id })?.kind {
            case .request(let own)?: call = own
            case .broken?, nil:
                throw (members["source"] ?? value).fault(
                    .badPayload, "The source \(name) cannot be asked", hint: "its description has a fault")
            case .constant?:
                throw (members["source"] ?? value).fault(
                    .badPayload, "The source \(name) has a fixed value", hint: "name a source with an action")
            }
            call.place = value.place
            if members["with"] != nil { call.argument = try passed(members["with"], words) }
            call.data = id
        } else {
            call = try self.call(members, of: "call", around: value, words)
        }
        if let then = members["then"] { call.then = try steps(of: then, words, depth: depth + 1) }
        if let otherwise = members["else"] { call.otherwise = try steps(of: otherwise, words, depth: depth + 1) }
        return call
    }

    /// Lets a table ask a source again when the reader pulls it down, and show the progress.
    mutating func addRefresh(of element: DocumentElement, to list: NodeID) throws(ElementFault) {
        guard let written = element.member("refresh"), let source = try source(of: element, "refresh") else { return }
        nodes[list].events[.refresh] = [.ask(source)] + (nodes[list].events[.refresh] ?? [])
        if !element.has("refreshing") {
            nodes[list][.refreshing] = try keyPath("\(Lexicon.statusName(source)).inProgress", written)
        }
    }
}
