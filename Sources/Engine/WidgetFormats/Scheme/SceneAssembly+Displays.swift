internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Displays and content providers.
extension SceneAssembly {
    /// The source that a display shows, and how it is searched.
    private struct Shown {
        var source: String?
        var searchSource: String?
        var search: MediatorDescription?
    }

    private func shown(_ mediator: MediatorDescription) -> Shown {
        let source = self.mediator(mediator.outlet("mainContentProvider"))?.id
        let search = self.mediator(mediator.outlet("searchController"))
        return Shown(
            source: source, searchSource: self.mediator(search?.outlet("contentProvider"))?.id ?? source, search: search
        )
    }

    mutating func addDisplay(_ mediator: MediatorDescription) {
        let lineage = MediatorClass.lineage(of: mediator.type)
        guard lineage.contains("BaseDisplayController") else { return }
        let shown = shown(mediator)
        if shown.source == nil {
            diagnostics.append(
                Finding(
                    .warning, .unknownIdentifier, "\(mediator.id) shows nothing: it has no mainContentProvider",
                    at: mediator.place))
        }
        var triggers: Set<Trigger> = [.loaded]
        for source in [shown.source, shown.searchSource].compactMap({ $0 }) { triggers.insert(.source(source)) }
        if let signal = mediator.text("renderOn"), !signal.isEmpty { triggers.insert(.signal(signal)) }
        var steps: [Step] = []
        if lineage.contains("ContentDisplayController"), let source = shown.source {
            steps.append(.assign(.content, keyPath("\(source).value")))
        }
        scene.reactions.append(Reaction(triggers, steps + [.trigger(.rendered(mediator.id))]))
        if lineage.contains("TableDisplayController") || lineage.contains("CollectionDisplayController") {
            addList(mediator, shown, lineage)
        }
    }

    private mutating func addList(_ mediator: MediatorDescription, _ shown: Shown, _ lineage: [String]) {
        let outlet = mediator.outlet("tableView") ?? mediator.outlet("collectionView") ?? mediator.outlet("elements")
        guard let id = outlet.flatMap({ nodes($0).first }) else {
            diagnostics.append(
                Finding(
                    .error, .unknownIdentifier, "\(mediator.id) has no list on the screen to fill", at: mediator.place))
            return
        }
        var list = scene.nodes[id].list ?? WidgetKitVocabulary.list
        list.source = shown.source
        list.searchSource = shown.searchSource
        list.searchAction = shown.search?.text("actionName") == nil ? nil : shown.search?.id
        list.prototype = mediator.text("cellIdentifier") ?? list.prototype
        list.searchPrototype = mediator.text("searchCellIdentifier")
        list.choice = evaluation("cellIdentifier", mediator)
        list.searchChoice = evaluation("searchCellIdentifier", mediator)
        checkCells(mediator, list)
        list.header = list.prototypes[mediator.text("sectionHeaderIdentifier") ?? "Header"]
        list.footer = list.prototypes[mediator.text("sectionFooterIdentifier") ?? "Footer"]
        list.emptyViews = mediator.outlet("emptyDataView").map { nodes($0) } ?? []
        list.collectsSelection =
            mediator.flag("collectSelectedObjects") ?? false || mediator.flag("defaultSelectionBehavior") ?? false
        list.selectsSeveral = scene.nodes[id][.selectsSeveral]?.literal?.truth ?? false
        if mediator.flag("allowDeletion") ?? false { list.rules.mayDelete = keyPath(WidgetKitVocabulary.mayDelete) }
        if mediator.type == "CollectionCircleScrollController" { list.repetitions = repetitions(mediator) }
        if let control = mediator.outlet("pageControl").flatMap({ nodes($0).first }), let source = shown.source {
            scene.nodes[control][.pageCount] = keyPath("\(source).totalCount")
            list.pageControl = control
            for (event, page) in [(NodeEvent.scrollStart, "0"), (.scrollEnd, "\(source).totalCount")] {
                let scrolled = Step.assign(.property(control, .value), expression(page))
                scene.nodes[id].events[event, default: []].insert(scrolled, at: 0)
            }
        }
        scene.nodes[id].list = list
        addDeletion(mediator, id)
        addSegues(mediator, list)
    }

    /// Reports names of cells that a list does not have.
    private mutating func checkCells(_ mediator: MediatorDescription, _ list: ListTemplate) {
        for key in ["cellIdentifier", "searchCellIdentifier", "sectionHeaderIdentifier", "sectionFooterIdentifier"] {
            guard hasRoom, !lacksRows, let name = mediator.text(key), !name.isEmpty, list.prototypes[name] == nil else {
                continue
            }
            diagnostics.append(
                Finding(
                    .warning, .unknownIdentifier,
                    "\(mediator.id.excerpt) shows cells called \(name.excerpt), which its list does not have",
                    at: mediator.attribute(key)?.place ?? mediator.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: list.prototypes.keys.sorted()),
                    hint: KeyTable.list(list.prototypes.keys.sorted(), "it has")))
        }
        checkChosenCells(mediator, list)
    }

    /// Reports names of cells that an expression chooses from and its list does not have.
    private mutating func checkChosenCells(_ mediator: MediatorDescription, _ list: ListTemplate) {
        for choice in [list.choice, list.searchChoice].compactMap({ $0 }) {
            for case .choice(_, let whenTrue, let whenFalse) in choice.steps {
                for case .value(.string(let name))? in [whenTrue, whenFalse]
                where hasRoom && !name.isEmpty && list.prototypes[name] == nil {
                    report(
                        Finding(
                            .warning, .unknownIdentifier,
                            "\(mediator.id.excerpt) chooses cells called \(name.excerpt), which its list does not have",
                            at: choice.place ?? mediator.place,
                            value: name.excerpt, nearest: NearestName.of(name, in: list.prototypes.keys.sorted()),
                            hint: KeyTable.list(list.prototypes.keys.sorted(), "it has")))
                }
            }
        }
    }

    private mutating func repetitions(_ mediator: MediatorDescription) -> Int {
        let factor =
            mediator.number("circleScrollFactor").flatMap { Int64(exactly: $0.rounded()) }.map { Int(clamping: $0) }
            ?? 100
        if factor > limits.repetitionCount {
            diagnostics.append(
                Finding(
                    .warning, .rowBudget, "The items of \(mediator.id) come \(factor) times",
                    at: mediator.attribute("circleScrollFactor")?.place ?? mediator.place,
                    hint: "they are shown \(limits.repetitionCount) times"))
        }
        return max(1, min(factor, limits.repetitionCount))
    }

    private mutating func evaluation(_ name: String, _ mediator: MediatorDescription) -> Expression? {
        guard let eval = mediator.evals.last(where: { $0.name == name })?.value, let object = eval.json.object else {
            return nil
        }
        return BindingReader.expression(object, eval.place, &diagnostics)
    }

    /// Adds deletion: the service is asked, and the record is deleted a moment later or, if the display says so, after
    /// success.
    private mutating func addDeletion(_ mediator: MediatorDescription, _ list: NodeID) {
        guard mediator.flag("allowDeletion") ?? false else { return }
        guard let action = self.mediator(mediator.outlet("deleteController")) else {
            scene.nodes[list].events[.delete] = [.delete(keyPath("argument"))]
            return
        }
        var steps: [Step] = [.perform(action.id, argument: keyPath("argument"))]
        if mediator.flag("deletesOnSuccess") ?? false, let name = action.text("actionName") {
            // An action without a stored answer is done when it is ready.
            scene.reactions.append(Reaction([.signal(name + "Ready")], [.delete(keyPath("\(action.id).content"))]))
        } else {
            steps.append(.after(name: "delete", seconds: 0.75, [.delete(keyPath("argument"))]))
        }
        scene.nodes[list].events[.delete] = steps
    }

    /// Adds segues: selecting a row performs the segue of the row's name, if the display asks for it.
    private mutating func addSegues(_ mediator: MediatorDescription, _ list: ListTemplate) {
        let performs =
            mediator.number("performSegueForCells") ?? (mediator.texts("cellNibNames", upTo: 1) == nil ? -1 : 1)
        guard performs > 0 else { return }
        checkSegues(mediator, list)
        // One row may have several names: its segues come in their order.
        for (name, prototype) in list.prototypes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let destination = skeleton.segues[name] else { continue }
            scene.nodes[prototype].events[.select, default: []].append(.show(destination, content: nil))
        }
    }

    /// Reports a display that is to perform segues, where none is called like one of its cells.
    private mutating func checkSegues(_ mediator: MediatorDescription, _ list: ListTemplate) {
        guard hasRoom, !list.prototypes.isEmpty, list.prototypes.keys.allSatisfy({ skeleton.segues[$0] == nil })
        else { return }
        let cells = list.prototypes.keys.sorted()
        // `nextAction` performs that one.
        let segues = skeleton.segues.keys.filter { $0 != "Next" }.sorted()
        let nearest = cells.lazy.compactMap { NearestName.of($0, in: segues) }.first
        // Files of rows perform segues where none is named, too; then there need not be one.
        guard
            let value = mediator.attribute("performSegueForCells")
                ?? (segues.isEmpty ? nil : mediator.attribute("cellNibNames"))
        else { return }
        report(
            Finding(
                .warning, .unknownIdentifier,
                "\(mediator.id.excerpt) performs segues called like its cells, and none is called \(NameList(cells))",
                at: value.place,
                hint: (nearest ?? (segues.count == 1 ? segues[0] : nil)).map {
                    "give the segue \($0.excerpt) the name of the cell, \(cells[0].excerpt)"
                } ?? "name the segue: `as \(cells[0].excerpt)` in a .screens file"))
    }

    // MARK: - When bindings are evaluated

    /// Reads the triggers of bindings: the screen appears or gets other content, a display of the element renders, or a
    /// status of the element changes. A display or status without a list of elements triggers all of them.
    mutating func readTriggers() {
        usualTriggers = [.appearing, .contentChanged]
        screenTriggers = usualTriggers
        for (place, mediator) in mediators.enumerated() {
            if let search = self.mediator(mediator.outlet("searchController"))?.id, searchDisplays[search] == nil {
                searchDisplays[search] = place
            }
            for list in mediator.outlet("tableView").map({ nodes($0) }) ?? [] where listDisplays[list] == nil {
                listDisplays[list] = place
            }
            let lineage = MediatorClass.lineage(of: mediator.type)
            if lineage.contains("ActionController") {
                usualTriggers.insert(.status(mediator.id))
                screenTriggers.insert(.status(mediator.id))
            }
            let trigger: Trigger
            if lineage.contains("ActionStatusController") {
                trigger = .status(mediator.id)
            } else if mediator.type == "BaseDisplayController" {
                trigger = .rendered(mediator.id)
            } else {
                continue
            }
            // A screen is not in lists of elements, and follows all triggers.
            screenTriggers.insert(trigger)
            guard let list = mediator.outletList("elements") else {
                usualTriggers.insert(trigger)
                continue
            }
            for node in nodes(named: list, mediator.place) {
                ownTriggerCount += 1
                guard ownTriggerCount <= limits.triggerCount else { break }
                ownTriggers[node, default: []].insert(trigger)
            }
        }
        if ownTriggerCount > limits.triggerCount {
            diagnostics.append(
                Finding(
                    .error, .mediatorBudget,
                    "The lists of elements of all mediators have more than \(limits.triggerCount) entries",
                    at: Place(file: skeleton.interfaces[0].file), hint: "the first ones count"))
        }
        // A trigger that all elements share evaluates an element's bindings already.
        for node in ownTriggers.keys { ownTriggers[node]?.subtract(usualTriggers) }
    }

    /// Adds a step that runs whenever an element's bindings are evaluated.
    ///
    /// All elements share one set of triggers, because a set for each could fill the memory.
    mutating func whenRefreshed(_ node: NodeID, _ step: Step) {
        scene.reactions.append(Reaction(usualTriggers, [step]))
        if let own = ownTriggers[node], !own.isEmpty {
            scene.reactions.append(Reaction(own, [step]))
        }
    }

    // MARK: - Sources

    mutating func addSource(_ mediator: MediatorDescription) {
        let lineage = MediatorClass.lineage(of: mediator.type)
        guard lineage.contains("BaseContentProvider") else { return }
        var source = Source(mediator.id, kind(of: mediator, lineage), place: mediator.place)
        source.predicate = predicate(mediator.text("predicateFormat"), mediator.attribute("predicateFormat")?.place)
        source.sort = sort(mediator)
        source.isAscending = mediator.flag("sortAscending") ?? true
        source.filter = predicate(mediator.text("filterFormat"), mediator.attribute("filterFormat")?.place)
        source.search = mediator.text("searchString") ?? ""
        source.masterKeyPath = mediator.text("masterKeyPath")
        if let master = mediator.outlet("masterObject") {
            // A key of another provider is a property of the provider, or else a key of its result.
            let first = (source.masterKeyPath ?? "").prefix { $0 != "." }
            let isOwn = ["value", "first", "last", "items", "totalCount"].contains(first)
            source.master = keyPath(mediatorNames[master] == nil || isOwn ? master : "\(master).value")
        }
        source.chain = chain(mediator)
        source.showsChain = mediator.type == "ManagedObjectsCollection" && source.chain != nil
        scene.sources.append(source)
    }

    private mutating func kind(of mediator: MediatorDescription, _ lineage: [String]) -> Source.Kind {
        if lineage.contains("ManagedObjectsProvider") {
            guard let entity = mediator.text("entityName"), !entity.isEmpty else {
                diagnostics.append(
                    Finding(.error, .unknownEntity, "\(mediator.id) needs an entityName", at: mediator.place))
                return .items([])
            }
            let grouping = (mediator.text("groupByField")).flatMap { sortKey($0, mediator.place) }
            let limit = mediator.number("fetchLimit").flatMap { $0 > 0 ? Int64(exactly: $0.rounded()) : nil }.map {
                Int(clamping: $0)
            }
            return .query(
                RecordQuery(
                    entity: entity, predicate: predicate(mediator.text("predicateFormat"), mediator.place),
                    sort: sort(mediator), isAscending: mediator.flag("sortAscending") ?? true, grouping: grouping,
                    limit: limit))
        }
        if mediator.type == "ItemsCollection" { return .collection(keyPath: mediator.text("masterKeyPath") ?? "SELF") }
        if mediator.type == "JSONFileDataProvider" { return .items(items(ofFile: mediator)) }
        return .items(mediator.attribute("items")?.value.elements ?? [])
    }

    private mutating func items(ofFile mediator: MediatorDescription) -> [Value] {
        let name = mediator.text("fileName") ?? ""
        if let known = data.items[name] { return known }
        let items = items(of: name, mediator)
        data.items[name] = items
        return items
    }

    private mutating func items(of name: String, _ mediator: MediatorDescription) -> [Value] {
        guard !name.isEmpty, let (path, bytes) = files.resource("\(name).json") else {
            guard hasRoom else { return [] }
            diagnostics.append(
                Finding(
                    .error, .missingFile, "The bundle has no \(name.excerpt).json",
                    at: mediator.attribute("fileName")?.place ?? mediator.place, hint: nearestFile("\(name).json")))
            return []
        }
        if let refusal = data.take(bytes.count, of: path) {
            diagnostics.append(refusal)
            return []
        }
        do throws(JSONError) {
            let root = try JSONValue(parsing: bytes, limits: JSONLimits(byteCount: limits.dataByteCount))
            if root.object != nil { return [Value(root)] }
            return (root.array ?? []).filter { $0.object != nil }.map { Value($0) }
        } catch {
            diagnostics.append(
                Finding(
                    .error, .badFile, "\(error.reason)", at: Place(file: path, line: error.line, column: error.column)))
            return []
        }
    }

    /// A file of the bundle with almost that name.
    private mutating func nearestFile(_ name: String) -> String? {
        // A name that was written with its ending.
        if name.hasSuffix(".json.json"), files.resource(String(name.dropLast(".json".count))) != nil {
            return
                "did you mean \(name.dropLast(".json.json".count).description.excerpt)? It is written without its ending"
        }
        return NearestName.of(name, in: fileNames).map { "did you mean \($0.excerpt)?" }
    }

    private mutating func sort(_ mediator: MediatorDescription) -> [RecordQuery.SortKey] {
        var keys: [RecordQuery.SortKey] = []
        for field in (mediator.text("sortByFields") ?? "").split(separator: ",") {
            let name = field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            if let key = sortKey(String(name), mediator.attribute("sortByFields")?.place) { keys.append(key) }
        }
        return keys
    }

    private mutating func sortKey(_ path: String, _ place: Place?) -> RecordQuery.SortKey? {
        guard !path.isEmpty else { return nil }
        do throws(PredicateError) {
            return try RecordQuery.SortKey(path)
        } catch {
            diagnostics.append(Finding(.error, .badPredicate, "`\(path)`: \(error.sentence)", at: place))
            return nil
        }
    }

    private mutating func chain(_ mediator: MediatorDescription) -> ResultChain? {
        guard let names = mediator.texts("resultChain") ?? mediator.texts("resultChainTxt"), !names.isEmpty else {
            return nil
        }
        let arguments = mediator.texts("resultChainArgs") ?? mediator.texts("resultChainArgsTxt")
        let place = mediator.attribute("resultChain")?.place ?? mediator.place
        if let arguments, arguments.count != names.count {
            diagnostics.append(
                Finding(
                    .error, .badValue, "A chain of \(names.count) steps has \(arguments.count) arguments", at: place,
                    hint: "give one for each step; an empty text where none is needed"))
            return nil
        }
        if names.count > limits.linkCount {
            diagnostics.append(
                Finding(
                    .error, .countBudget, "A chain has more than \(limits.linkCount) steps", at: place,
                    hint: "the first ones work"))
        }
        let links = names.prefix(limits.linkCount).enumerated().map { ResultChain.Link($1, arguments?[$0] ?? "") }
        do throws(PredicateError) {
            return try ResultChain(links)
        } catch {
            let isUnknown = [.unknownFunction, .functionNotAllowed].contains(error.code)
            diagnostics.append(
                Finding(
                    .error, isUnknown ? .unknownSelector : .badPredicate,
                    "The chain \(names.joined(separator: " | ")): \(error)", at: place, hint: error.hint))
            return nil
        }
    }
}
