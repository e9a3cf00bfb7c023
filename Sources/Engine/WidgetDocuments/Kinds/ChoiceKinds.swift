internal import WidgetCore
internal import WidgetPredicates

/// One of several elements.
enum MatchWidget: DocumentKind {
    static let spec = KindSpec(
        type: "MatchWidget",
        "One of several elements, which are slots: the one with the text of a value as its name, or `else`.",
        properties: [PropertySpec("value", .anything, isRequired: true, "the value whose text chooses")],
        slots: [SlotSpec("else", "shown where no other slot has the text as its name")], hasFreeSlots: true,
        samples: [
            #"{"kind": "match", "payload": {"value": "$name"}, "slots": {"Ann": {"kind": "label", "payload": {"text": "Hello"}}, "else": {"kind": "label", "payload": {"text": "Who is there?"}}}}"#
        ])
}

/// Elements for each part of a source's life.
enum AsyncWidget: DocumentKind {
    static let spec = KindSpec(
        type: "AsyncWidget",
        "The content of a source: its children once there is an answer, and other elements before that.",
        properties: [PropertySpec("source", .text, isBindable: false, isRequired: true, "the name of the source")],
        content: .any,
        slots: [
            SlotSpec("loading", "shown until the first answer; a spinner if left out"),
            SlotSpec("error", "shown while there is only a failure; its reason if left out"),
            SlotSpec("empty", "shown while the answer has nothing in it; the children if left out"),
            SlotSpec("loaded", "shown before the children"),
        ],
        samples: [
            #"{"kind": "async", "payload": {"source": "events"}, "slots": {"empty": {"kind": "label", "payload": {"text": "No events"}}}, "children": [{"kind": "label", "payload": {"text": "$events.status.count"}}]}"#
        ])
}

extension MatchWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        guard let subject = try element.expression("value", in: &maker) else { return Lowered() }
        let slots = element.value["slots"]?.members ?? []
        guard slots.count <= maker.limits.caseCount else {
            throw element.value.fault(.countBudget, "A match has more than \(maker.limits.caseCount) slots")
        }
        if slots.isEmpty {
            maker.report(
                Finding(
                    .warning, .badPayload, "A match has no slots, so it shows nothing", at: element.place,
                    hint: "each slot has the text of a value as its name; `else` is shown for all others"))
        }
        let names = slots.map { $0.name }.filter { $0 != "else" }
        var nodes: [NodeID] = []
        for (name, slot) in slots {
            let shown = name == "else" ? names : [name]
            let hidden = CaseTable.hiding(while: subject, isOneOf: shown, inverted: name == "else", at: slot.place)
            nodes += try maker.choice(slot, element.words, hidden)
        }
        return try maker.chosen(nodes, element)
    }
}

extension AsyncWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let source = try maker.source(of: element, "source") ?? ""
        let phase = try maker.keyPath("\(Lexicon.statusName(source)).phase", element.value)
        func hidden(_ phases: DataState.Phase...) -> Expression {
            CaseTable.hiding(while: phase, isOneOf: phases.map({ $0.rawValue }), inverted: false, at: element.place)
        }
        let slots = element.value["slots"]
        var nodes: [NodeID] = []
        if let loading = slots?["loading"] {
            nodes += try maker.choice(loading, element.words, hidden(.waiting, .loading))
        } else {
            let spinner = try maker.add(.activity, at: element.place)
            maker.nodes[spinner][.active] = .literal(.boolean(true))
            nodes.append(try maker.hide(spinner, while: hidden(.waiting, .loading)))
        }
        if let error = slots?["error"] {
            nodes += try maker.choice(error, element.words, hidden(.error))
        } else {
            let label = try maker.add(.label, at: element.place)
            maker.nodes[label][.text] = try maker.keyPath("\(Lexicon.statusName(source)).error", element.value)
            maker.looks[label].appearance.lines = 0
            nodes.append(try maker.hide(label, while: hidden(.error)))
        }
        var loaded = hidden(.loaded, .empty)
        if let empty = slots?["empty"] {
            nodes += try maker.choice(empty, element.words, hidden(.empty))
            loaded = hidden(.loaded)
        }
        if let first = slots?["loaded"] { nodes += try maker.choice(first, element.words, loaded) }
        for child in try maker.children(of: element, element.words) {
            nodes.append(try maker.hide(child, while: loaded))
        }
        return try maker.chosen(nodes, element)
    }
}

extension CaseTable {
    /// An expression that is true unless a value is one of several texts.
    fileprivate static func hiding(
        while subject: Expression, isOneOf texts: [String], inverted: Bool, at place: Place
    ) -> Expression {
        let chosen = Expression.literal(.boolean(inverted))
        let table = CaseTable(
            subject, Dictionary(texts.map { ($0, chosen) }) { first, _ in first },
            otherwise: .literal(.boolean(!inverted)))
        return Expression(.match(table), place: place, source: subject.source)
    }
}

extension SceneMaker {
    /// The nodes of a slot that is shown while its expression is not true.
    fileprivate mutating func choice(
        _ slot: DocumentValue, _ words: Lexicon, _ hidden: Expression
    ) throws(ElementFault) -> [NodeID] {
        try spendSetting(slot)
        var nodes = try lower(slot, words)
        for place in nodes.indices { nodes[place] = try hide(nodes[place], while: hidden) }
        return nodes
    }

    /// The nodes themselves, which take the place of the element among those around it; or a box that has its style
    /// and name.
    fileprivate mutating func chosen(_ nodes: [NodeID], _ element: DocumentElement) throws(ElementFault) -> Lowered {
        let isBoxed = ["style", "id", "if", "on"].contains { element.value[$0] != nil }
        guard isBoxed, !element.words.isInTable else { return Lowered(all: nodes) }
        let box = try add(.box, at: element.place)
        looks[box].stack = .along(element.words.axis, spacing: 8)
        for node in nodes { attach(node, to: box) }
        return Lowered(box)
    }
}
