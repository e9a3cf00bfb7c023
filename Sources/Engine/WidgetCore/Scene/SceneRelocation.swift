internal import WidgetPredicates

/// Moves the parts of a scene behind the nodes of another one, so that both can be one scene.
package struct SceneRelocation {
    /// The number of nodes before those of the scene.
    private let offset: Int
    /// The content of a shown screen to which a step passes none: that around the step.
    private let content: Expression?

    package init(by offset: Int) {
        self.offset = offset
        content = try? Expression(keyPath: "content")
    }

    package func moved(_ scene: Scene) -> Scene {
        var moved = scene
        moved.nodes = scene.nodes.map(node)
        moved.root = scene.root + offset
        moved.bar = scene.bar.map(place)
        moved.toolbarItems = scene.toolbarItems.map(place)
        moved.actions = scene.actions.map(action)
        for index in moved.statuses.indices { moved.statuses[index].sender = scene.statuses[index].sender.map(place) }
        for index in moved.reactions.indices { moved.reactions[index].steps = steps(scene.reactions[index].steps) }
        moved.onLoad = steps(scene.onLoad)
        moved.names = scene.names.mapValues { named in
            if case .node(let id) = named { .node(place(id)) } else { named }
        }
        moved.deselected = scene.deselected.map(place)
        for index in moved.observations.indices {
            moved.observations[index].target = scene.observations[index].target.map(target)
            moved.observations[index].node = scene.observations[index].node.map(place)
            moved.observations[index].steps = steps(scene.observations[index].steps)
        }
        moved.rules = scene.rules.map(rule)
        return moved
    }

    private func place(_ id: NodeID) -> NodeID { id + offset }

    // MARK: - Nodes

    private func node(_ node: Node) -> Node {
        var moved = node
        moved.parent = node.parent.map(place)
        moved.children = node.children.map(place)
        moved.events = node.events.mapValues { steps($0, isInRow: node.prototype != nil) }
        moved.instead = steps(node.instead)
        moved.lifecycle = node.lifecycle.map { lifecycle in
            Lifecycle(
                appear: steps(lifecycle.appear), once: steps(lifecycle.once), disappear: steps(lifecycle.disappear))
        }
        moved.list = node.list.map(list)
        moved.form = node.form.map(form)
        moved.pickerForms = node.pickerForms.map(place)
        moved.preview = node.preview.map(place)
        moved.names = node.names?.mapValues(place)
        moved.prototype = node.prototype.map(place)
        moved.state = node.state?.moved(place)
        moved.repetition = node.repetition.map { repetition in
            Repetition(
                repetition.items, name: repetition.name, key: repetition.key,
                template: repetition.template.map(place), empty: repetition.empty.map(place), place: repetition.place)
        }
        return moved
    }

    private func list(_ list: ListTemplate) -> ListTemplate {
        var moved = list
        moved.prototypes = list.prototypes.mapValues(place)
        moved.header = list.header.map(place)
        moved.footer = list.footer.map(place)
        moved.emptyViews = list.emptyViews.map(place)
        moved.pageControl = list.pageControl.map(place)
        return moved
    }

    private func form(_ form: Form) -> Form {
        var moved = form
        moved.mandatory = form.mandatory.map(place)
        moved.optional = form.optional.map(place)
        moved.media?.container = form.media?.container.map(place)
        moved.media?.progress = form.media?.progress.map(place)
        moved.submit = steps(form.submit)
        return moved
    }

    // MARK: - Steps

    private func action(_ action: Action) -> Action {
        var moved = action
        moved.form = action.form.map(place)
        moved.sender = action.sender.map(place)
        moved.handlers = action.handlers.mapValues { handler in
            switch handler {
            case .service: .service
            case .steps(let steps): .steps(self.steps(steps))
            case .native(let call): .native(self.call(call))
            }
        }
        return moved
    }

    private func steps(_ steps: [Step], isInRow: Bool = false) -> [Step] { steps.map { step($0, isInRow) } }

    private func step(_ step: Step, _ isInRow: Bool) -> Step {
        switch step {
        case .assign(let target, let expression): .assign(self.target(target), expression)
        // A row passes its item on.
        case .show(let entry, let given): .show(entry, content: given ?? (isInRow ? nil : content))
        case .showForResult(let entry, let given, let result):
            .showForResult(
                entry, content: given ?? (isInRow ? nil : content), result: steps(result, isInRow: isInRow))
        case .within(let node, let argument, let steps):
            .within(place(node), argument: argument, self.steps(steps, isInRow: isInRow))
        case .after(let name, let seconds, let steps):
            .after(name: name, seconds: seconds, self.steps(steps, isInRow: isInRow))
        case .every(let name, let seconds, let steps):
            .every(name: name, seconds: seconds, self.steps(steps, isInRow: isInRow))
        case .when(let predicate, let then, let otherwise):
            .when(
                predicate, then: steps(then, isInRow: isInRow), otherwise: steps(otherwise, isInRow: isInRow))
        case .branch(let condition, let then, let otherwise):
            .branch(
                condition, then: steps(then, isInRow: isInRow), otherwise: steps(otherwise, isInRow: isInRow))
        case .edit(let edit): .edit(self.edit(edit))
        case .call(let request): .call(self.request(request, isInRow))
        case .toggleSelection(let list): .toggleSelection(place(list))
        case .focus(let node): .focus(place(node))
        case .submit(let form): .submit(place(form))
        case .choose(let question):
            .choose(
                AlertQuestion(
                    question.title, question.message,
                    question.answers.map { AlertOption($0.title, $0.style, steps($0.steps, isInRow: isInRow)) }))
        case .detach(let form): .detach(place(form))
        case .native(let call, let argument): .native(self.call(call), argument: argument)
        case .dismiss, .back, .perform, .performNow, .cancel, .search, .fetch, .reset, .drop, .searching, .alert,
            .delete, .open, .trigger, .endEditing, .ask, .cache, .openLink, .leave, .focusOn, .handle, .reveal:
            step
        }
    }

    private func edit(_ edit: ListEdit) -> ListEdit {
        var moved = edit
        moved.state = edit.state.moved(place)
        return moved
    }

    private func request(_ call: ServiceCall, _ isInRow: Bool) -> ServiceCall {
        var moved = call
        moved.then = steps(call.then, isInRow: isInRow)
        moved.otherwise = steps(call.otherwise, isInRow: isInRow)
        return moved
    }

    private func target(_ target: Step.Target) -> Step.Target {
        switch target {
        case .property(let node, let property): .property(place(node), property)
        case .selection(let list): .selection(place(list))
        case .state(let path): .state(path.moved(place))
        case .content, .title, .dismissal, .master, .setting: target
        }
    }

    /// A call whose list or target has no name, but a sign and the place of its node.
    private func call(_ call: HostCall) -> HostCall {
        switch call {
        case .pickMedia: call
        case .message(let target, let selector): .message(target: name(target), selector: selector)
        case .scroll(let list, let toEnd): .scroll(list: name(list), toEnd: toEnd)
        }
    }

    private func name(_ name: String) -> String {
        guard name.hasPrefix("#"), let id = Int(name.dropFirst()) else { return name }
        return "#\(place(id))"
    }

    // MARK: - Layout

    /// A rule, with the bounds of the root in place of the areas between the bars of a screen.
    private func rule(_ rule: LayoutRule) -> LayoutRule {
        var moved = rule
        (moved.first, moved.attribute) = end(rule.first, rule.attribute)
        if let second = rule.second, let attribute = rule.secondAttribute {
            (moved.second, moved.secondAttribute) = end(second, attribute)
        }
        moved.owner = place(rule.owner)
        moved.node = rule.node.map(place)
        return moved
    }

    private func end(
        _ item: LayoutRule.Item, _ attribute: LayoutRule.Attribute
    ) -> (LayoutRule.Item, LayoutRule.Attribute) {
        let node = place(item.node)
        return switch item.area {
        case .topGuide where attribute.axis == .vertical: (LayoutRule.Item(node), .top)
        case .bottomGuide where attribute.axis == .vertical: (LayoutRule.Item(node), .bottom)
        default: (LayoutRule.Item(node, item.area), attribute)
        }
    }
}
