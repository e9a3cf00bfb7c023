internal import JSONText
internal import Predicates
internal import WidgetCore

extension SceneAssembly {
    // MARK: - Outlets of elements

    mutating func readOutlets() {
        for outlet in skeleton.outlets {
            switch (outlet.name, outlet.target) {
            case ("selectionSegueTemplate", .segue(let destination)):
                scene.nodes[outlet.node].events[.select, default: []].append(.show(destination, content: nil))
            case (_, .node(let target)): connect(outlet.name, [target], of: outlet.node)
            default: continue
            }
        }
    }

    private mutating func connect(_ name: String, _ targets: [NodeID], of node: NodeID) {
        switch name {
        case "mandatoryFields": scene.nodes[node].form?.mandatory += targets
        case "optionalFields": scene.nodes[node].form?.optional += targets
        case "uploadContainer": scene.nodes[node].form?.mandatory = targets
        default: break
        }
    }

    // MARK: - Attributes

    /// Sets a property of an element, as an interface's attribute or a scheme's does.
    mutating func set(_ name: String, _ value: Value, of id: NodeID, _ place: Place?) {
        switch name {
        case "wx_fieldName": scene.nodes[id].fieldName = value.string
        case "dublicateKeyPolicy":
            scene.nodes[id].form?.duplicates = Form.Duplicates(rawValue: value.shown) ?? .overwrite
        case "acceptsEmptyText": scene.nodes[id].form?.acceptsEmptyText = value.truth
        default:
            let meaning = WidgetKitVocabulary.vocabulary.meaning(of: name, for: scene.nodes[id].kind)
            let value: Value = meaning.isInverse ? .boolean(!value.truth) : value
            guard !value.isNull || scene.nodes[id][meaning.property] != nil else { return }
            scene.nodes[id][meaning.property] = .literal(value, place: place)
        }
    }

    // MARK: - Schemes

    mutating func readElements() {
        for element in elements {
            if element.id == "@self" {
                for binding in element.bindings { bindScreen(binding) }
                continue
            }
            let targets = nodes(element.id)
            if targets.isEmpty {
                diagnostics.append(
                    Diagnostic(
                        .warning, .unknownIdentifier, "No element of this screen is called \(element.id)",
                        at: element.place))
                continue
            }
            for (name, value) in element.attributes {
                for node in targets { set(name, value.value, of: node, value.place) }
            }
            for (name, names) in element.outlets {
                for node in targets { connect(name, names.compactMap { nodes($0).first }, of: node) }
            }
            if let (target, selector) = element.action {
                for node in targets {
                    scene.nodes[node].events[.tap] = nil
                    send(selector, to: mediatorNames[target] ?? target, from: node)
                }
            }
            for binding in element.bindings { bind(binding, to: targets) }
        }
    }

    // MARK: - Bindings

    mutating func bind(_ value: SchemeValue, to targets: [NodeID]) {
        guard let binding = BindingReader.binding(value, &diagnostics) else { return }
        checkTransformers(of: binding.expression, value.place)
        for node in targets {
            let kind = scene.nodes[node].kind
            let meaning = WidgetKitVocabulary.vocabulary.meaning(of: binding.target, for: kind)
            var expression = binding.expression
            if meaning.isInverse { expression.steps.append(.negation) }
            guard bound.insert(Bound(node: node, property: meaning.property)).inserted else {
                diagnostics.append(
                    Diagnostic(
                        .warning, .duplicateBinding,
                        "\(scene.nodes[node].identifier ?? "An element") has two bindings to \(binding.target)",
                        at: value.place, hint: "the first one counts"))
                continue
            }
            if kind == .constraint || isTyped(kind, meaning.property) {
                scene.reactions.append(
                    Reaction(refreshTriggers(of: node), [.assign(.property(node, meaning.property), expression)]))
            } else {
                scene.nodes[node][meaning.property] = expression
            }
        }
    }

    /// What a person changes is given a value now and then, and keeps what is typed in between.
    private func isTyped(_ kind: NodeKind, _ property: PropertyName) -> Bool {
        WidgetKitVocabulary.editable.contains(kind) && (property == .text || property == .value)
    }

    private mutating func bindScreen(_ value: SchemeValue) {
        guard let binding = BindingReader.binding(value, &diagnostics) else { return }
        let target: Step.Target
        switch binding.target {
        case "wx_dismissed": target = .dismissal
        case "content": target = .content
        case "title": target = .title
        case let name where name.hasPrefix("defaults."): target = .setting(String(name.dropFirst(9)))
        default:
            diagnostics.append(
                Diagnostic(.warning, .unknownKey, "A screen has no \(binding.target) to bind to", at: value.place))
            return
        }
        var triggers = refreshTriggers(of: nil)
        // What gives the screen its content is not asked again because it did.
        if target == .content { triggers.remove(.contentChanged) }
        scene.reactions.append(Reaction(triggers, [.assign(target, binding.expression)]))
    }

    private mutating func checkTransformers(of expression: Expression, _ place: Place) {
        for case .transformer(let name) in expression.steps where !knownTransformers.contains(name) {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownTransformer, "There is no transformer \(name)", at: place,
                    hint: "values stay as they are"))
        }
    }
}

/// A property of an element that has a binding.
struct Bound: Hashable {
    var node: NodeID
    var property: PropertyName
}
