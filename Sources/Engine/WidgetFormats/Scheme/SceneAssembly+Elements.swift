internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// The properties of elements and of the screen, from the scheme and the interface.
extension SceneAssembly {
    // MARK: - Outlets of elements

    mutating func readOutlets() {
        let rows = Set(skeleton.prototypes.map { $0.node })
        for outlet in skeleton.outlets {
            switch (outlet.name, outlet.target) {
            case ("selectionSegueTemplate", .segue(let destination)):
                // A fixed row has no list that selects it, so a tap on the row itself does.
                let isFixed = scene.nodes[outlet.node].prototype == nil && !rows.contains(outlet.node)
                scene.nodes[outlet.node].events[isFixed ? .tap : .select, default: []].append(
                    .show(destination, content: nil))
            case (_, .node(let target)): connect(outlet.name, [target], of: outlet.node)
            default: continue
            }
        }
    }

    private mutating func connect(_ name: String, _ targets: [NodeID], of node: NodeID) {
        switch name {
        case "mandatoryFields": scene.nodes[node].form?.mandatory += targets
        case "optionalFields": scene.nodes[node].form?.optional += targets
        case "uploadContainer":
            scene.nodes[node].form?.mandatory = targets
            scene.nodes[node].form?.media?.container = targets.first
            scene.nodes[node].events[.pick] = []
        case "progressBar": scene.nodes[node].form?.media?.progress = targets.first
        case "previewView": scene.nodes[node].preview = targets.first
        default: break
        }
    }

    /// The outlets of forms that have an effect here.
    private static let formOutlets = [
        "mandatoryFields", "optionalFields", "uploadContainer", "progressBar", "previewView",
    ]

    /// Reports an outlet of a form that is nearly one of the framework's. A class of the host may have others.
    private mutating func checkFormOutlet(_ outlet: OutletDescription, of nodes: [NodeID], _ id: String) {
        guard hasRoom, nodes.contains(where: { scene.nodes[$0].form != nil }),
            !SceneAssembly.formOutlets.contains(outlet.name),
            outlet.name.hasSuffix("Fields") || NearestName.of(outlet.name, in: SceneAssembly.formOutlets) != nil
        else { return }
        diagnostics.append(
            Finding(
                .warning, .unknownOutlet, "\(id.excerpt) has no outlet \(outlet.name.excerpt)", at: outlet.place,
                value: outlet.name.excerpt, nearest: NearestName.of(outlet.name, in: SceneAssembly.formOutlets),
                hint: KeyTable.list(SceneAssembly.formOutlets)))
    }

    // MARK: - Attributes

    /// Sets a property of an element, as an interface's attribute or a scheme's does.
    mutating func set(_ name: String, _ value: Value, of id: NodeID, _ place: Place?) {
        guard spendSetting(1, place) else { return }
        let (name, id) = holder(of: name, id)
        switch name {
        case WidgetKitVocabulary.fieldName: scene.nodes[id].fieldName = value.string
        case "dublicateKeyPolicy":
            scene.nodes[id].form?.duplicates = Form.Duplicates(rawValue: value.shown) ?? .overwrite
        case "resultInfoValueKey":
            scene.nodes[id].form?.media?.resultKeyPath = value.shown.split(separator: ".").map(String.init)
        case "autoUpload": scene.nodes[id].form?.media?.uploadsItself = value.truth
        case "acceptsEmptyText": scene.nodes[id].form?.acceptsEmptyText = value.truth
        case "standardShadow":
            scene.nodes[id]["shadowRadius"] = .literal(.integer(value.truth ? 2 : 0), place: place)
            scene.nodes[id]["shadowOpacity"] = .literal(.double(0.3), place: place)
            scene.nodes[id]["shadowOffset"] = .literal(.array([.integer(0), .integer(0)]), place: place)
        default:
            let meaning = WidgetKitVocabulary.vocabulary.meaning(of: name, for: scene.nodes[id].kind)
            let value: Value = meaning.isInverse ? .boolean(!value.truth) : value
            guard !value.isNull || scene.nodes[id][meaning.property] != nil else { return }
            guard hasRoom(meaning.property, id, place) else { return }
            scene.nodes[id][meaning.property] = .literal(value, place: place)
            if name == "unveilAlpha" { scene.nodes[id][.hidden] = nil }
        }
    }

    /// Reserves settings of elements; false if the limit is reached.
    mutating func spendSetting(_ count: Int, _ place: Place?) -> Bool {
        guard settingsLeft >= 0 else { return false }
        settingsLeft -= count
        guard settingsLeft < 0 else { return true }
        diagnostics.append(
            Finding(
                .error, .nodeBudget,
                "The elements of a screen have more than \(limits.settingCount) attributes, outlets and bindings",
                at: place, hint: "the first ones count"))
        return false
    }

    /// The holder of a key path's last key: another element by an outlet, or this one if the part has no node.
    func holder(of name: String, _ id: NodeID) -> (name: String, node: NodeID) {
        guard let dot = name.firstIndex(of: ".") else { return (name, id) }
        let (first, rest) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        if let target = outletTargets[OutletName(node: id, name: first)] { return (rest, target) }
        return ["layer", "titleLabel", "imageView"].contains(first) ? (rest, id) : (name, id)
    }

    // MARK: - Schemes

    mutating func readElements() {
        for element in elements {
            if element.id == "@self" { continue }
            let targets = nodes(element.id)
            if targets.isEmpty {
                guard hasRoom, !lacksRows else { continue }
                // The one that was meant has no description yet.
                let described = Set(elements.map { $0.id })
                let open = elementNames.filter { !described.contains($0) }
                diagnostics.append(
                    Finding(
                        .warning, .unknownObject, "No element of this screen is called \(element.id.excerpt)",
                        at: element.place, value: element.id.excerpt,
                        nearest: NearestName.of(element.id, in: open.isEmpty ? elementNames : open),
                        hint: open.isEmpty
                            ? KeyTable.list(elementNames, "it has") : KeyTable.list(open, "without a description are")))
                continue
            }
            for (name, value) in element.attributes {
                checkProperty(name, of: targets, element.id, at: value.place)
                checkValue(name, value)
                for node in targets { set(name, value.value, of: node, value.place) }
            }
            for outlet in element.outlets {
                checkFormOutlet(outlet, of: targets, element.id)
                checkTargets(of: outlet, element.id)
                let found = outlet.targets.compactMap { nodes($0).first }
                for node in targets where spendSetting(found.count + 1, element.place) {
                    connect(outlet.name, found, of: node)
                }
            }
            if let document = element.documentAction { show(document, onTapOf: targets) }
            if let (target, selector) = element.action {
                for node in targets {
                    scene.nodes[node].events[.tap] = nil
                    send(
                        selector, to: mediatorNames[target] ?? target, from: node, on: .tap, at: element.actionPlace)
                }
            }
            for binding in element.bindings { bind(binding, to: targets) }
        }
    }

    // MARK: - Bindings

    mutating func bind(_ value: SchemeValue, to targets: [NodeID]) {
        guard let binding = BindingReader.binding(value, &diagnostics) else { return }
        checkTransformers(of: binding.expression, value.place)
        let name = targets.first.flatMap { scene.nodes[$0].identifier } ?? "an element"
        checkProperty(binding.target, of: targets, name, at: value.place)
        for target in targets where spendSetting(1, value.place) {
            let (name, node) = holder(of: binding.target, target)
            let kind = scene.nodes[node].kind
            let meaning = WidgetKitVocabulary.vocabulary.meaning(of: name, for: kind)
            var expression = binding.expression
            if meaning.isInverse { expression.steps.append(.negation) }
            if kind == .image, !bindPicture(binding, name, node, value.place) { continue }
            guard bound.insert(Bound(node: node, property: meaning.property)).inserted else {
                diagnostics.append(
                    Finding(
                        .warning, .duplicateBinding,
                        "\(scene.nodes[node].identifier?.excerpt ?? "An element") has two bindings to \(binding.target.excerpt)",
                        at: value.place, hint: "the first one counts"))
                continue
            }
            if name == "unveilAlpha" { scene.nodes[node][.hidden] = nil }
            if kind == .constraint || isTyped(kind, meaning.property) {
                let target = Step.Target.property(node, meaning.property)
                whenRefreshed(node, .assign(target, expression))
                if isDynamic, scene.nodes[node].prototype == nil {
                    scene.observations.append(Observation(target, expression))
                }
            } else if hasRoom(meaning.property, node, value.place) {
                scene.nodes[node][meaning.property] = expression
            }
        }
    }

    /// True if an element may have one more property. The limit exists because properties are searched one by one.
    private mutating func hasRoom(_ property: PropertyName, _ id: NodeID, _ place: Place?) -> Bool {
        if crowded.contains(id) { return false }
        let node = scene.nodes[id]
        guard node.properties.count >= limits.propertyCount, node[property] == nil else { return true }
        crowded.insert(id)
        diagnostics.append(
            Finding(
                .error, .nodeBudget, "An element has more than \(limits.propertyCount) properties", at: place,
                hint: "the first ones count"))
        return false
    }

    /// Binds a picture. The placeholder of any of its bindings is shown while the picture is missing.
    ///
    /// - Returns: true if the binding says more than a placeholder; without more it gives no picture.
    private mutating func bindPicture(_ binding: Binding, _ name: String, _ node: NodeID, _ place: Place) -> Bool {
        if let placeholder = binding.placeholder, scene.nodes[node][.placeholderImage] == nil {
            scene.nodes[node][.placeholderImage] = .literal(.string(placeholder), place: place)
        }
        if case .scope = binding.expression.start, name == WidgetKitVocabulary.valueKey {
            return binding.expression.steps.contains { step in
                switch step {
                case .truth, .choice: true
                default: false
                }
            }
        }
        return true
    }

    /// True for the value of a control. A binding sets it when triggered, and it keeps the person's input until then.
    private func isTyped(_ kind: NodeKind, _ property: PropertyName) -> Bool {
        kind.row.isControl && property == kind.row.value.property
    }

    private mutating func checkTransformers(of expression: Expression, _ place: Place) {
        for case .transformer(let name) in expression.steps where hasRoom && !knownTransformers.contains(name) {
            diagnostics.append(
                Finding(
                    .warning, .unknownTransformer, "Unknown transformer \(name.excerpt), so values stay as they are",
                    at: place, value: name.excerpt, nearest: NearestName.of(name, in: transformerNames),
                    hint: KeyTable.list(transformerNames, "there are")))
        }
    }

    // MARK: - The screen itself

    /// Reads the settings of the screen itself, once for all of its rows.
    mutating func readSelf() {
        var lists = Set(skeleton.screenOutlets.filter { Self.isList($0.name) }.map { $0.node })
        var clears = true
        for element in elements where element.id == "@self" {
            for (name, value) in element.attributes {
                switch name {
                case "serviceProviderClassName":
                    if let name = value.json.string { service = provider(name, at: value.place) }
                case "deriveSegueContent": scene.takesContent = value.json.boolean ?? true
                case "title", "navigationItem.title": scene.title = .literal(value.value, place: value.place)
                case "useDynamicBindings": isDynamic = value.value.truth
                case "clearsSelectionOnViewWillAppear": clears = value.json.isNull || value.value.truth
                case "content":
                    scene.reactions.append(
                        Reaction([.loaded], [.assign(.content, .literal(value.value, place: value.place))]))
                default: break
                }
                // A subclass of the host may have another property, but it has no effect here.
                guard hasRoom, !SchemeKeys.plainScreenNames.contains(name) else { continue }
                if let fault = KeyTable.screen.fault(name, AuthoredShape(value.json), at: value.place) {
                    diagnostics.append(fault)
                }
            }
            if !element.validation.isEmpty {
                diagnostics.append(
                    Finding(
                        .error, .badValue, "The screen itself has no value to check", at: element.place,
                        hint: "rules belong to what a person fills in"))
            }
            for outlet in element.outlets {
                guard SchemeKeys.screenOutlets.contains(outlet.name) else {
                    guard hasRoom else { continue }
                    diagnostics.append(
                        Finding(
                            .warning, .unknownOutlet, "A screen has no outlet \(outlet.name.excerpt)",
                            at: outlet.place, value: outlet.name.excerpt,
                            nearest: NearestName.of(outlet.name, in: SchemeKeys.screenOutlets),
                            hint: KeyTable.list(SchemeKeys.screenOutlets)))
                    continue
                }
                if Self.isList(outlet.name) { lists.formUnion(nodes(named: outlet.targets, element.place)) }
            }
        }
        if clears { scene.deselected = lists.sorted() }
    }

    private static func isList(_ name: String) -> Bool { name == "tableView" || name == "collectionView" }

    mutating func bindScreen(_ value: SchemeValue) {
        guard let binding = BindingReader.binding(value, &diagnostics) else { return }
        let target: Step.Target
        switch binding.target {
        case "wx_dismissed": target = .dismissal
        case "content": target = .content
        case "title": target = .title
        case let name where name.hasPrefix("defaults."): target = .setting(String(name.dropFirst(9)))
        default:
            guard hasRoom else { return }
            diagnostics.append(
                Finding(
                    .warning, .unknownKey, "A screen has no \(binding.target.excerpt) to bind to", at: value.place,
                    value: binding.target.excerpt,
                    nearest: NearestName.of(binding.target, in: SchemeKeys.screenTargets),
                    hint: KeyTable.list(SchemeKeys.screenTargets)))
            return
        }
        guard boundScreen.count < limits.screenBindingCount else {
            if !hasTooManyScreenBindings {
                diagnostics.append(
                    Finding(
                        .error, .nodeBudget,
                        "A screen has more than \(limits.screenBindingCount) bindings of its own",
                        at: value.place, hint: "the first ones work"))
            }
            hasTooManyScreenBindings = true
            return
        }
        guard boundScreen.insert(target).inserted else {
            diagnostics.append(
                Finding(
                    .warning, .duplicateBinding, "The screen has two bindings to \(binding.target.excerpt)",
                    at: value.place,
                    hint: "the first one counts"))
            return
        }
        var triggers = screenTriggers
        // A binding that sets the content is not triggered by the change that it makes.
        if target == .content { triggers.remove(.contentChanged) }
        scene.reactions.append(Reaction(triggers, [.assign(target, binding.expression)]))
        // A setting is kept at once: the screen may be closed before its bindings are evaluated again.
        var isFollowed = isDynamic && target != .content
        if case .setting = target { isFollowed = true }
        if isFollowed { scene.observations.append(Observation(target, binding.expression)) }
    }
}

/// A property of an element that has a binding.
struct Bound: Hashable {
    var node: NodeID
    var property: PropertyName
}

/// An outlet of an element, as key paths name it.
struct OutletName: Hashable {
    var node: NodeID
    var name: String
}
