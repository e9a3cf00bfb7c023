internal import WidgetBytes
internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

extension SceneAssembly {
    mutating func addAction(_ mediator: MediatorDescription) {
        let lineage = MediatorClass.lineage(of: mediator.type)
        guard lineage.contains("ActionController") else { return }
        var action = Action(mediator.id, name: mediator.text("actionName"), place: mediator.place)
        action.otherName = mediator.text("elseActionName")
        action.condition = predicate(mediator.text("predicateFormat"), mediator.attribute("predicateFormat")?.place)
        action.delay = max(0, mediator.number("actionDelay") ?? 0)
        action.service =
            mediator.text("serviceProviderClassName").map {
                provider($0, at: mediator.attribute("serviceProviderClassName")?.place)
            } ?? service
        action.form = mediator.outlet("form").flatMap { nodes($0).first }
        action.sender = mediator.outlet("sender").flatMap { nodes($0).first }
        if let target = mediator.outlet("target") {
            for name in [action.name, action.otherName].compactMap({ $0 }) {
                if let handler = handler(target, name) { action.handlers[name] = handler }
            }
        }
        if let form = action.form { scene.nodes[form].form?.media?.action = mediator.id }
        switch mediator.type {
        case "ActionController", "SearchActionController", "InfiniteScrollActionController": break
        case "TableRefreshActionController": action.argument = .literal(.null)
        default: action.argument = keyPath("content")
        }
        addTriggers(mediator, &action, lineage)
        scene.actions.append(action)
        if let button = mediator.outlet("cancelButton") {
            for node in nodes(button) { scene.nodes[node].events[.tap] = [.cancel(mediator.id)] }
        }
    }

    private mutating func addTriggers(_ mediator: MediatorDescription, _ action: inout Action, _ lineage: [String]) {
        let perform = Step.perform(mediator.id, argument: nil)
        switch mediator.type {
        case "ButtonActionController", "BarButtonActionController", "StandardMediaPickerController":
            guard let sender = sender(mediator) else { return }
            checkButton(sender, mediator)
            // A button has any number of targets, and an item of a bar only the last one.
            if mediator.type == "ButtonActionController" {
                scene.nodes[sender].events[.tap, default: []].append(perform)
            } else {
                scene.nodes[sender].events[.tap] = [perform]
            }
            if mediator.type == "StandardMediaPickerController" {
                // The host lets the user choose, and returns the choice.
                scene.nodes[sender].events[.tap] = [
                    .native(.pickMedia, argument: keyPath("content"))
                ]
                scene.nodes[sender].events[.pick] = []
                scene.nodes[sender].pickerForms = nodes(
                    named: mediator.outletList("forms") ?? [], mediator.place)
            }
        case "OnLoadActionController": scene.onLoad.append(perform)
        case "TimerActionController":
            scene.onLoad.append(.every(name: mediator.id, seconds: mediator.number("interval") ?? 60, [perform]))
        case "TableRefreshActionController":
            guard let sender = sender(mediator) else { return }
            scene.nodes[sender].events[.refresh] = [perform]
        case "InfiniteScrollActionController":
            guard let sender = sender(mediator) else { return }
            addScroll(mediator, to: sender)
        case "SearchActionController":
            guard let sender = sender(mediator) else { return }
            addSearch(mediator, to: sender)
        default: break
        }
    }

    /// Reports a class for the one kind of button whose sender is of the other: on iOS they have different messages.
    private mutating func checkButton(_ sender: NodeID, _ mediator: MediatorDescription) {
        guard hasRoom, let element = skeleton.originals[sender]?.element else { return }
        let classes = [element.baseClassName, element.className]
        let isOfBar = classes.contains("UIBarButtonItem")
        guard isOfBar || classes.contains("UIButton") else { return }
        let meant = isOfBar ? "BarButtonActionController" : "ButtonActionController"
        guard mediator.type.hasSuffix("ButtonActionController"), mediator.type != meant else { return }
        let kind = isOfBar ? "an item of a bar" : "a button outside of bars"
        report(
            Finding(
                .warning, .unknownObject,
                "\(mediator.id.excerpt).sender leads to \(scene.nodes[sender].identifier?.excerpt ?? "a button"), which is \(kind): on iOS its touches do not reach a \(mediator.type)",
                at: mediator.place, value: mediator.type, nearest: meant))
    }

    private mutating func sender(_ mediator: MediatorDescription) -> NodeID? {
        guard let name = mediator.outlet("sender") else {
            diagnostics.append(
                Finding(
                    .warning, .unknownOutlet, "\(mediator.id) has no sender, so nothing sets it off",
                    at: mediator.place,
                    hint: senderHint(mediator)))
            return nil
        }
        return nodes(name).first
    }

    /// Names an element that could set an action off: one without an action, if there is a single one.
    private mutating func senderHint(_ mediator: MediatorDescription) -> String {
        let isOfButton = mediator.type.hasSuffix("ButtonActionController")
        let senders = Set(mediators.compactMap { $0.outlet("sender") })
        let open = elementNames.filter { name in
            isOfButton && !senders.contains(name)
                && nodes(name).contains { scene.nodes[$0].kind == .button && scene.nodes[$0].events[.tap] == nil }
        }
        let rest = open.count > 1 ? ", or \(NameList(open.dropFirst().map { $0.excerpt }))" : ""
        return #"name the element that does: "outlets": {"sender": "\#(open.first?.excerpt ?? "…")"}\#(rest)"#
    }

    /// Loads more at the end of a list, unless a load is pending; during a search, more results.
    private mutating func addScroll(_ mediator: MediatorDescription, to list: NodeID) {
        let display = listDisplays[list].map { mediators[$0] }
        let isDown = mediator.flag("trackScrollDown") ?? true
        guard (display?.number(isDown ? "scrollDownThreshhold" : "scrollUpThreshhold") ?? 200) > 0 else { return }
        var steps: [Step] = [.perform(mediator.id, argument: keyPath("argument"))]
        if let search = self.mediator(display?.outlet("searchController")),
            let isSearching = predicate("\(search.id).isSearching == TRUE", mediator.place)
        {
            let more = Step.perform(search.id, argument: searchArgument("\(search.id).searchString"))
            steps = [.when(isSearching, then: [more], otherwise: steps)]
        }
        if let isIdle = predicate("\(mediator.id).status.inProgress != TRUE", mediator.place) {
            steps = [.when(isIdle, then: steps, otherwise: [])]
        }
        scene.nodes[list].events[isDown ? .scrollEnd : .scrollStart, default: []] += steps
    }

    private mutating func searchArgument(_ path: String) -> Expression {
        var expression = keyPath(path)
        expression.steps.append(.named("input"))
        return expression
    }

    private mutating func addSearch(_ mediator: MediatorDescription, to field: NodeID) {
        let display = searchDisplays[mediator.id].map { mediators[$0] }
        let source =
            self.mediator(mediator.outlet("contentProvider"))?.id
            ?? self.mediator(display?.outlet("mainContentProvider"))?.id
        let filter = predicate(mediator.text("filterFormat"), mediator.attribute("filterFormat")?.place)
        let text = keyPath("argument")
        let filtering: [Step] = source.map { [.search(source: $0, text: text, filter: filter)] } ?? []
        var searching: [Step] = []
        var mark: [Step] = []
        if mediator.text("actionName") != nil {
            mark = [.searching(action: mediator.id, text)]
            let perform = Step.perform(mediator.id, argument: searchArgument("argument"))
            let shortest =
                mediator.number("minimumTextLength").flatMap { Int64(exactly: $0.rounded()) }.map { Int(clamping: $0) }
                ?? 1
            if let isLong = predicate("argument.length >= \(max(0, shortest))", mediator.place) {
                searching = [.when(isLong, then: [perform], otherwise: [])]
            }
        }
        let names = (filter: "filter \(mediator.id)", search: "search \(mediator.id)")
        let wait = max(0, mediator.number("filterThrottleInterval") ?? 0.5)
        let actionWait = max(0, mediator.number("actionThrottleInterval") ?? 0.5)
        let later: [Step] = [
            .after(name: names.filter, seconds: wait, filtering),
            .after(name: names.search, seconds: actionWait, searching),
        ]
        let now: [Step] = [.drop(name: names.filter), .drop(name: names.search)] + filtering + searching
        let isBar = scene.nodes[field].kind == .searchField
        if !isBar {
            let forget: [Step] = source.map { [.search(source: $0, text: .literal(.string("")), filter: nil)] } ?? []
            scene.nodes[field].events[.clear] =
                [.drop(name: names.filter), .drop(name: names.search)]
                + (mark.isEmpty ? [] : [.searching(action: mediator.id, .literal(.string("")))]) + forget
        }
        scene.nodes[field].events[.change] = isBar || mediator.flag("dynamicSearch") ?? false ? mark + later : mark
        if isBar || mediator.flag("searchOnReturn") ?? true { scene.nodes[field].events[.submit] = mark + now }
    }

    /// Makes a button clear a field, which also ends its search.
    mutating func addClearing(_ button: NodeID, _ field: NodeID) {
        let empty = Step.assign(.property(field, .text), .literal(.string("")))
        scene.nodes[button].events[.tap] = [empty] + (scene.nodes[field].events[.clear] ?? [])
    }

    // MARK: - Statuses

    mutating func addStatus(_ mediator: MediatorDescription) {
        guard MediatorClass.lineage(of: mediator.type).contains("ActionStatusController") else { return }
        guard let name = mediator.text("actionName"), !name.isEmpty else {
            diagnostics.append(
                Finding(.error, .unknownAction, "\(mediator.id) needs an actionName", at: mediator.place))
            return
        }
        var status = ActionStatus(mediator.id, actionName: name, place: mediator.place)
        status.errorTitle = mediator.text("errorTitle")
        status.errorMessage = mediator.text("errorMessage")
        scene.statuses.append(status)
    }

    // MARK: - Targets

    /// The provider that performs the actions of a class. A class of the host falls back to the provider that it is
    /// based on.
    mutating func provider(_ name: String, at place: Place?) -> String {
        if [WidgetKitVocabulary.standardProvider, WidgetKitVocabulary.scriptedProvider].contains(name) { return name }
        hasHostService = true
        let known = [WidgetKitVocabulary.standardProvider, WidgetKitVocabulary.scriptedProvider]
        if let nearest = NearestName.of(name, in: known, atMost: 2) {
            report(
                Finding(
                    .warning, .unknownType, "The framework has no class \(name.excerpt)", at: place,
                    value: name.excerpt, nearest: nearest))
            return WidgetKitVocabulary.standardProvider
        }
        report(
            Finding(
                .warning, .unknownType,
                "\(name.excerpt) is a class of a host; \(WidgetKitVocabulary.standardProvider) takes its place",
                at: place, hint: "Service.json is used, without what the class adds, such as signatures of requests"))
        return WidgetKitVocabulary.standardProvider
    }

    /// The handler of a target's action. A target without an action of that name leaves it to the service, and so does
    /// an outlet that leads nowhere. Only the host knows the actions of a screen's own class.
    func handler(_ target: String, _ name: String) -> Action.Handler? {
        if let steps = steps(target, name) { return .steps(steps) }
        guard target == "@self", skeleton.isHostClass else { return nil }
        return .native(.message(target: target, selector: "\(name):sender:"))
    }

    /// `nil` for an action that only a host can perform.
    func steps(_ target: String, _ selector: String) -> [Step]? {
        let name = String(selector.prefix { $0 != ":" })
        if target == "@self" || target == "self" { return screenSteps(name) }
        if let mediator = mediator(target) {
            let lineage = MediatorClass.lineage(of: mediator.type)
            if lineage.contains("ActionController") {
                switch name {
                case "performAction", "perform": return [.perform(mediator.id, argument: nil)]
                case "cancelAction", "cancel": return [.cancel(mediator.id)]
                default: return nil
                }
            }
            if lineage.contains("BaseContentProvider") {
                switch name {
                case "fetch": return [.fetch(mediator.id)]
                case "reset": return [.reset(mediator.id)]
                default: return nil
                }
            }
            if mediator.type == "CollectionPageScrollController", name == "nextPage" { return nextPage(mediator) }
            let list = mediator.outlet("tableView") ?? mediator.outlet("collectionView") ?? mediator.outlet("elements")
            return list.flatMap { nodes($0).first }.flatMap { scrollSteps($0, name) }
        }
        guard let node = nodes(target).first else { return nil }
        if let steps = scrollSteps(node, name) { return steps }
        if scene.nodes[node].form?.media != nil, name == "detachAction" { return [.detach(node)] }
        guard scene.nodes[node].kind == .constraint else { return nil }
        return constraintSteps(node, name)
    }

    /// Steps that bring one end of a list into sight.
    private func scrollSteps(_ list: NodeID, _ name: String) -> [Step]? {
        let node = scene.nodes[list]
        guard node.kind == .list || node.kind == .grid, ["scrollToTop", "scrollToEnd"].contains(name) else {
            return nil
        }
        let call = HostCall.scroll(list: node.identifier ?? "#\(list)", toEnd: name == "scrollToEnd")
        return [.native(call, argument: .literal(.null))]
    }

    /// Steps to the next page, if one follows.
    private func nextPage(_ mediator: MediatorDescription) -> [Step]? {
        guard let control = mediator.outlet("pageControl").flatMap({ nodes($0).first }) else { return nil }
        let name = scene.nodes[control].identifier ?? ""
        guard !name.isEmpty else { return nil }
        return [.assign(.property(control, .value), expression("\(name).currentPage + 1"))]
    }

    func screenSteps(_ name: String) -> [Step]? {
        switch name {
        case "dismissAction": return [.dismiss]
        case "backAction": return [.back]
        case "nextAction": return skeleton.segues["Next"].map { [.show($0, content: nil)] }
        default: return documentSteps(name)
        }
    }

    /// Steps that switch a constraint between zero and its authored constant.
    private func constraintSteps(_ node: NodeID, _ name: String) -> [Step]? {
        guard let full = scene.nodes[node][.constant] else { return nil }
        let expand = Step.assign(.property(node, .constant), full)
        let collapse = Step.assign(.property(node, .constant), .literal(.integer(0)))
        switch name {
        case "expand": return [expand]
        case "collapse": return [collapse]
        case "toggle":
            guard let identifier = scene.nodes[node].identifier,
                let isCollapsed = try? CompiledPredicate("%K == 0", arguments: [.string("\(identifier).constant")])
            else { return nil }
            return [.when(isCollapsed, then: [expand], otherwise: [collapse])]
        default: return nil
        }
    }

    mutating func readEvents() {
        for event in skeleton.events {
            switch event.target {
            case .segue(let destination):
                scene.nodes[event.node].events[event.trigger, default: []].append(.show(destination, content: nil))
            case .controller: send(event.selector, to: "@self", from: event.node, on: event.trigger)
            case .mediator(let id): send(event.selector, to: id, from: event.node, on: event.trigger)
            case .node(let id):
                let name = scene.nodes[id].identifier ?? "#\(id)"
                send(event.selector, to: name, from: event.node, on: event.trigger)
            case .unknown: continue
            }
        }
    }

    mutating func send(
        _ selector: String, to target: String, from node: NodeID, on event: NodeEvent, at place: Place? = nil
    ) {
        guard scene.nodes[node].events[event] == nil else { return }
        if let steps = steps(target, selector) {
            scene.nodes[node].events[event] = steps
        } else {
            reportUnanswered(selector, target, node, place)
            scene.nodes[node].events[event] = [
                .native(.message(target: target, selector: selector), argument: keyPath("content"))
            ]
        }
    }

    /// Reports a message that only a host's code could answer.
    private mutating func reportUnanswered(_ selector: String, _ target: String, _ id: NodeID, _ place: Place?) {
        guard hasRoom else { return }
        let node = scene.nodes[id]
        let name = node.identifier ?? node[.accessibleName]?.literal?.string ?? node[.text]?.literal?.string ?? ""
        let sender = name.isEmpty ? "An element" : name.excerpt
        let receiver: String
        if target == "@self" || target == "self" {
            receiver = skeleton.hostClassName.map { "the screen's class \($0.excerpt)" } ?? "the screen"
        } else {
            receiver = target.excerpt
        }
        let place = place ?? node.place
        guard isKnown(target) || target == "self" else {
            let message = "\(sender) sends \(selector.excerpt) to \(receiver), which is not on the screen"
            guard isNew(message, place) else { return }
            // An action of a service is performed by an object of the scheme, and often called like it.
            let performer = mediators.first { $0.text("actionName") == target }?.id
            diagnostics.append(
                Finding(
                    .warning, .unknownObject, message, at: place,
                    value: target.excerpt, nearest: performer?.excerpt ?? NearestName.of(target, in: targetNames),
                    hint: KeyTable.list(targetNames, "the screen has")))
            return
        }
        let message = "\(sender) sends \(selector.excerpt) to \(receiver), which does not answer it here"
        guard isNew(message, place) else { return }
        let known = selectors(of: target)
        diagnostics.append(
            Finding(
                .warning, .unknownSelector, message, at: place, value: selector.excerpt,
                nearest: NearestName.of(String(selector.prefix { $0 != ":" }), in: known),
                hint: known.isEmpty
                    ? "an element's action in the scheme can say what happens instead"
                    : "it answers \(NameList(known))"))
    }

    /// The selectors that a thing on the screen answers.
    private func selectors(of target: String) -> [String] {
        if target == "@self" || target == "self" { return ["dismissAction", "backAction", "nextAction"] }
        let all = [
            "performAction", "perform", "cancelAction", "cancel", "fetch", "reset", "nextPage", "scrollToTop",
            "scrollToEnd", "detachAction", "expand", "collapse", "toggle",
        ]
        return all.filter { steps(target, $0) != nil }
    }
}
