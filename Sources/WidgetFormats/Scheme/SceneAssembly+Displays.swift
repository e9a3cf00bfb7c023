internal import JSONText
internal import Predicates
internal import WidgetCore

extension SceneAssembly {
    /// What a display shows: the source, and how it is searched.
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
                Diagnostic(
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
                Diagnostic(
                    .error, .unknownIdentifier, "\(mediator.id) has no list on the screen to fill", at: mediator.place))
            return
        }
        var list = scene.nodes[id].list ?? ListTemplate()
        list.source = shown.source
        list.searchSource = shown.searchSource
        list.searchAction = shown.search?.text("actionName") == nil ? nil : shown.search?.id
        list.prototype = mediator.text("cellIdentifier") ?? list.prototype
        list.searchPrototype = mediator.text("searchCellIdentifier")
        list.choice = evaluation("cellIdentifier", mediator)
        list.searchChoice = evaluation("searchCellIdentifier", mediator)
        list.header = list.prototypes[mediator.text("sectionHeaderIdentifier") ?? "Header"]
        list.footer = list.prototypes[mediator.text("sectionFooterIdentifier") ?? "Footer"]
        list.emptyViews = mediator.outlet("emptyDataView").map { nodes($0) } ?? []
        list.collectsSelection =
            mediator.flag("collectSelectedObjects") ?? false || mediator.flag("defaultSelectionBehavior") ?? false
        list.selectsSeveral = scene.nodes[id]["selects-several"]?.literal?.truth ?? false
        list.allowsDeletion = mediator.flag("allowDeletion") ?? false
        if mediator.type == "CollectionCircleScrollController" {
            list.repetitions = max(
                1, min(mediator.number("circleScrollFactor").flatMap { Int(exactly: $0.rounded()) } ?? 100, 1_000))
        }
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

    private mutating func evaluation(_ name: String, _ mediator: MediatorDescription) -> Expression? {
        guard let eval = mediator.evals.last(where: { $0.name == name })?.value, let object = eval.json.object else {
            return nil
        }
        return BindingReader.expression(object, eval.place, &diagnostics)
    }

    /// The service is asked, and the record goes a moment later; or, for those who ask for it, when it was done.
    private mutating func addDeletion(_ mediator: MediatorDescription, _ list: NodeID) {
        guard mediator.flag("allowDeletion") ?? false else { return }
        guard let action = self.mediator(mediator.outlet("deleteController")) else {
            scene.nodes[list].events[.delete] = [.delete(keyPath("argument"))]
            return
        }
        var steps: [Step] = [.perform(action.id, argument: keyPath("argument"))]
        if mediator.flag("deletesOnSuccess") ?? false, let name = action.text("actionName") {
            // An action whose answer is not kept is done when it is ready.
            scene.reactions.append(Reaction([.signal(name + "Ready")], [.delete(keyPath("\(action.id).content"))]))
        } else {
            steps.append(.after(name: "delete", seconds: 0.75, [.delete(keyPath("argument"))]))
        }
        scene.nodes[list].events[.delete] = steps
    }

    /// Selecting a row performs the segue of the row's name, where the display is told so.
    private mutating func addSegues(_ mediator: MediatorDescription, _ list: ListTemplate) {
        let performs =
            mediator.number("performSegueForCells") ?? (mediator.texts("cellNibNames", upTo: 1) == nil ? -1 : 1)
        guard performs > 0 else { return }
        // One row may have several names: its segues come in their order.
        for (name, prototype) in list.prototypes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let destination = skeleton.segues[name] else { continue }
            scene.nodes[prototype].events[.select, default: []].append(.show(destination, content: nil))
        }
    }

    // MARK: - When bindings are evaluated

    /// What makes bindings be evaluated: the screen appears or gets other content, a display that has the element
    /// renders, a status that has it changes. Without a list of elements, all are meant.
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
            // A screen is in no list, and follows them all.
            screenTriggers.insert(trigger)
            guard let list = mediator.outletList("elements") else {
                usualTriggers.insert(trigger)
                continue
            }
            for node in nodes(named: list) {
                ownTriggerCount += 1
                guard ownTriggerCount <= SceneAssembly.mostOwnTriggers else { break }
                ownTriggers[node, default: []].insert(trigger)
            }
        }
        if ownTriggerCount > SceneAssembly.mostOwnTriggers {
            diagnostics.append(
                Diagnostic(
                    .error, .mediatorBudget,
                    "The lists of elements of all mediators have more than \(SceneAssembly.mostOwnTriggers) entries",
                    at: Place(file: skeleton.interfaces[0].file), hint: "the first ones count"))
        }
        // Once for all bindings of an element.
        for node in ownTriggers.keys { ownTriggers[node]?.subtract(usualTriggers) }
    }

    /// Has something done whenever an element's bindings are evaluated.
    ///
    /// All elements share one set of triggers: with one for each, thousands of both would fill the memory.
    mutating func whenRefreshed(_ node: NodeID, _ step: Step) {
        scene.reactions.append(Reaction(usualTriggers, [step]))
        if let own = ownTriggers[node], !own.isEmpty {
            scene.reactions.append(Reaction(own, [step]))
        }
    }
}
