internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// Children, items, components and hosted documents: elements that become others.
extension SceneMaker {
    /// The nodes of the children of an element: each one, or one node that repeats them for items.
    mutating func children(of element: DocumentElement, _ words: Lexicon) throws(ElementFault) -> [NodeID] {
        let value = element.value
        if let children = value["children"], children.json.array == nil {
            throw children.fault(
                .badPayload, "The children are \(children.json.typeName.rawValue), and have to be an array")
        }
        let children = value["children"]?.elements ?? []
        if element.spec.content == .one, children.count > 1 {
            report(
                Finding(
                    .warning, .badValue, "\(element.spec.name.withArticle) has one child", at: children[1].place,
                    hint: "put several into a vstack"))
        }
        guard let items = value["items"] else {
            var nodes: [NodeID] = []
            for child in children { nodes += try lower(child, words) }
            return nodes
        }
        return [try repeated(children, items, empty: value["slots"]?["empty"], words)]
    }

    private mutating func repeated(
        _ children: [DocumentValue], _ items: DocumentValue, empty: DocumentValue?, _ words: Lexicon
    ) throws(ElementFault) -> NodeID {
        guard let list = items["in"] else {
            throw items.fault(
                .badPayload, "The items do not say which list they are of",
                hint: #"write {"in": "$people", "as": "person"}"#)
        }
        for (name, member) in items.members where !DocumentWords.items.contains(where: { $0.name == name }) {
            report(
                Finding(
                    .warning, .unknownKey, "Items have no member \(name.excerpt)", at: member.place,
                    hint: "they have \(NameList(DocumentWords.items.map { $0.name }))"))
        }
        let name = items["as"]?.json.string
        if let given = items["as"], name?.isEmpty ?? true {
            throw given.fault(.badPayload, "The name of items has to be a text")
        }
        var inner = words
        inner.isRepeated = true
        if let name { inner.add(name) }
        // The names are copied, to get one more.
        guard work.spend(words.names.count / Lexicon.copiedCount) else { throw overwork(items) }
        try spendSetting(items["in"] ?? items)
        reportText(list, "a list")
        let source = try read(words) { reader throws(ElementFault) in try reader.expression(of: list) }
        let key = try items["key"].map { value throws(ElementFault) in
            try read(inner) { reader throws(ElementFault) in try reader.expression(of: value) }
        }
        let fragment = try add(.box, at: items.place)
        inner.bindItem(name, of: boundState(of: list, words), list: fragment)
        var template: [NodeID] = []
        for child in children { template += try lower(child, inner) }
        if words.isInTable {
            for place in template.indices { template[place] = try asRow(template[place]) }
        }
        var instead: [NodeID] = []
        if let empty {
            instead = try lower(empty, words)
            if words.isInTable {
                for place in instead.indices { instead[place] = try asRow(instead[place]) }
            }
        }
        for node in template + instead { attach(node, to: fragment) }
        nodes[fragment].repetition = Repetition(
            source, name: name, key: key, template: template, empty: instead, place: items.place)
        return fragment
    }

    /// A child of a table as a row.
    mutating func asRow(_ node: NodeID) throws(ElementFault) -> NodeID {
        if [.row, .sectionHeader, .sectionFooter].contains(nodes[node].kind) || nodes[node].repetition != nil {
            return node
        }
        let row = try add(.row, at: nodes[node].place)
        let content = try wrap(
            node, margins: Insets(top: 12, leading: 20, bottom: 12, trailing: 20, isPhysical: false))
        looks[content].geometry.role = .contentView
        nodes[content].prototype = row
        attach(content, to: row)
        nodes[row][.hidden] = nodes[node][.hidden]
        return row
    }

    // MARK: - Components

    /// The body of a component, in a box that has the members of the element which uses it.
    mutating func expand(
        _ component: DocumentValue, named name: String, _ value: DocumentValue, _ words: Lexicon
    ) throws(ElementFault) -> Lowered {
        usedComponents.insert(component.place)
        let parameters = component["parameters"]
        guard let body = component["body"] else {
            throw component.fault(.badPayload, "The component \(name.excerpt) has no body")
        }
        var inner = Lexicon()
        inner.components = words.components
        inner.files = words.files + [value.source]
        inner.expansions = try expansions(words, adding: "component \(name)", value)
        inner.elementDepth = words.elementDepth
        (inner.axis, inner.isInTable, inner.isInZStack) = (words.axis, false, false)
        inner.isRepeated = words.isRepeated
        (inner.form, inner.theme) = (words.form, words.theme)
        inner.selection = nil
        checkEvents(of: value, name, emittedBy: body.json)
        let given = value["payload"]
        self.given.note(
            (given?.members ?? []).map { $0.name }, for: parameters, of: name, isComponent: true, at: value.place)
        if let given, given.json.object == nil {
            throw given.fault(.badPayload, "The payload is \(given.json.typeName.rawValue), and has to be an object")
        }
        let locals = try pass(given, to: parameters, of: name, words, &inner)
        return try enclose(body, locals, inner, at: value.place, of: (value, words))
    }

    func expansions(
        _ words: Lexicon, adding name: String, _ value: DocumentValue
    ) throws(ElementFault) -> [String] {
        if words.expansions.contains(name) {
            let path = (words.expansions + [name]).map { $0.excerpt }
            throw value.fault(
                .bindingCycle, "The \(name.excerpt) contains itself: \(path.joined(separator: " → "))",
                hint: "take one of them out")
        }
        guard words.expansions.count < limits.expansionDepth else {
            throw value.fault(
                .depthBudget, "Components lie more than \(limits.expansionDepth) deep in each other")
        }
        return words.expansions + [name]
    }

    /// The values of parameters, which the names of `inner` get.
    private mutating func pass(
        _ given: DocumentValue?, to parameters: DocumentValue?, of owner: String, _ words: Lexicon,
        _ inner: inout Lexicon
    ) throws(ElementFault) -> [LocalValue] {
        let known = parameters?.members ?? []
        guard known.count <= limits.nameCount else {
            throw (parameters ?? given)?.fault(
                .countBudget, "\(owner.excerpt) has more than \(limits.nameCount) parameters")
                ?? ElementFault(Finding(.error, .countBudget, "\(owner.excerpt) has too many parameters"))
        }
        for (name, member) in given?.members ?? [] where !known.contains(where: { $0.name == name }) {
            report(.unknownParameter(name, of: owner, among: known.map { $0.name }, at: member.place))
        }
        var locals: [LocalValue] = []
        for (name, initial) in known {
            _ = work.spend(ReadingWork.name)
            try spendSetting(initial)
            inner.add(name)
            guard let value = given?[name] else {
                locals.append(LocalValue(name, .literal(Value(initial.json), place: initial.place)))
                continue
            }
            let expression = try read(words) { reader throws(ElementFault) in try reader.expression(of: value) }
            locals.append(LocalValue(name, expression))
            // A state, or a part of one, that is passed can be changed within, too.
            if let state = boundState(of: value, words) {
                inner.states[name] = state
            }
            // So can the status of a source be read.
            if let path = value.json.string, path.hasPrefix("$"), let source = words.sources[String(path.dropFirst())] {
                inner.sources[name] = source
            }
        }
        return locals
    }

    /// - Parameter element: the element that uses the component or hosts the document, with its names; `nil` for a document
    ///   in a view of another form.
    mutating func enclose(
        _ body: DocumentValue, _ locals: [LocalValue], _ inner: Lexicon, at place: Place,
        of element: (value: DocumentValue, words: Lexicon)? = nil,
        sources: DocumentValue? = nil
    ) throws(ElementFault) -> Lowered {
        let box = try add(.box, at: place)
        looks[box].stack = .along(.vertical, spacing: 8)
        let scope = try add(.box, at: body.place)
        looks[scope].stack = .along(.vertical, spacing: 8)
        nodes[scope].locals = locals
        attach(scope, to: box)
        var inner = inner
        inner.outer = element.map { OuterElement($0.value, $0.words, box) }
        try addSources(sources, to: &inner, of: scope)
        for element in body.asList {
            for node in try lower(element, inner) { attach(node, to: scope) }
        }
        return Lowered(box)
    }

    // MARK: - Other documents

    /// The content of another document, with states that no other host of it shares.
    mutating func host(_ element: DocumentElement) throws(ElementFault) -> Lowered {
        let name = element.text("document") ?? ""
        destinations.insert(name)
        guard let source = library.documents[name] else {
            if let screen = library.screens[name] { return try host(screen, element) }
            throw (element.member("document") ?? element.value).fault(
                .unknownScreen, "The bundle has no document or screen \(name.excerpt)", hint: library.hint(name))
        }
        let scene = SceneParts(source, library)
        hostedDocuments.insert(name)
        checkEvents(of: element.value, name, emittedBy: source.root)
        given.note(
            (element.member("with")?.members ?? []).map { $0.name }, for: scene.parameters, of: name,
            isComponent: false, at: element.place)
        var inner = Lexicon()
        inner.components = scene.components
        inner.files = element.words.files + [element.value.source]
        inner.expansions = try expansions(element.words, adding: "document \(name)", element.value)
        inner.elementDepth = element.words.elementDepth
        (inner.axis, inner.isRepeated) = (.vertical, element.words.isRepeated)
        inner.theme = try theme(of: scene, on: element.words.theme)
        var locals = try pass(element.member("with"), to: scene.parameters, of: name, element.words, &inner)
        locals += try states(of: scene, newSuffix(for: element.value), &inner)
        persist(scene, inner)
        try declareCache(of: scene, &inner)
        let made = try enclose(
            scene.root, locals, inner, at: element.place, of: (element.value, element.words),
            sources: scene.scene?["sources"])
        if let scope = made.nodes.first.flatMap({ nodes[$0].children.first }) {
            if scene.scene?["theme"] != nil { looks[scope].appearance.tint = inner.theme.colors[Theme.accent] }
            try runLoad(of: scene, at: scope, inner)
        }
        return made
    }

    /// The states of a document that is a part of a screen: each place where it is shown has others.
    ///
    /// - Parameter suffix: the end of the states' names.
    mutating func states(
        of scene: SceneParts, _ suffix: String, _ inner: inout Lexicon
    ) throws(ElementFault) -> [LocalValue] {
        var locals: [LocalValue] = []
        for (state, initial) in scene.state?.members ?? [] {
            _ = work.spend(ReadingWork.name)
            try spendSetting(initial)
            let own = "\(state)#\(suffix)"
            setState(own, Value(initial.json))
            inner.add(state)
            inner.states[state] = StatePath(own)
            locals.append(LocalValue(state, try keyPath(own, initial)))
        }
        return locals
    }

    // MARK: - Places

    /// Gives the nodes of a line places beside each other, by which printers of text put them on one line.
    mutating func drawInLine(_ line: NodeID) {
        for (place, child) in nodes[line].children.enumerated() where nodes[child].repetition == nil {
            nodes[child].frame = Frame(x: Double(place) * 100, y: 0, width: 100, height: 20)
        }
    }

    /// True if an element of a row is as wide as the room that the others leave.
    func takesRoom(in line: NodeID) -> Bool {
        var pending = nodes[line].children
        while let child = pending.popLast() {
            if nodes[child].repetition != nil {
                pending += nodes[child].children
                continue
            }
            switch nodes[child].kind {
            case .button, .image, .toggle, .stepper, .activity, .pageControl:
                if looks[child].geometry.hugging.horizontal < Priorities.hugging.horizontal {
                    return true
                }
            default: return true
            }
        }
        return nodes[line].children.isEmpty
    }

    /// Places a node in an overlay by the name of a position.
    mutating func place(_ node: NodeID, in around: NodeID, _ position: String) {
        let name = position.lowercased()
        let isFill = name == "fill"
        // A side alone fills the other axis; corners and centres are as large as their content.
        let fillsX = isFill || name == "top" || name == "bottom"
        let fillsY = isFill || name == "left" || name == "right"
        // An element whose style says its length, or the most of it, lies at the beginning of its place.
        axis(
            node, around, .leading, .trailing, .centerX, fills: fillsX && !looks[node].hasOwnWidth,
            starts: name.contains("left") || fillsX, ends: name.contains("right"))
        axis(
            node, around, .top, .bottom, .centerY, fills: fillsY && !looks[node].hasOwnHeight,
            starts: name.contains("top") || fillsY, ends: name.contains("bottom"))
    }

    private mutating func axis(
        _ node: NodeID, _ around: NodeID, _ start: LayoutRule.Attribute, _ end: LayoutRule.Attribute,
        _ center: LayoutRule.Attribute, fills: Bool, starts: Bool, ends: Bool
    ) {
        tie(node, start, fills || starts ? .equal : .greaterOrEqual, to: around)
        tie(node, end, fills || ends ? .equal : .lessOrEqual, to: around)
        if !fills, !starts, !ends { tie(node, center, to: around) }
    }
}
