internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetDocuments
internal import WidgetPredicates

/// The views and steps of a screen that show documents.
struct ShownDocuments: Sendable {
    var places: [DocumentPlace] = []
    var links: [DocumentLink] = []
}

/// A document that a scheme names, with the values of its parameters.
struct DocumentDescription: Sendable {
    var name: String
    var values: [(name: String, value: SchemeValue)]
    var isPresented: Bool
    var place: Place
}

/// Documents in the views of a screen, and documents that its elements show as screens.
extension SceneAssembly {
    /// Reads the documents that fill views, by runtime attributes and by the scheme.
    mutating func readDocuments() {
        var filled: Set<NodeID> = []
        for element in elements {
            guard let document = element.document else { continue }
            guard element.id != "@self" else {
                report(
                    Finding(
                        .error, .badValue, "The screen itself cannot show a document in its place", at: document.place,
                        hint: "name a view of it, or push the document"))
                continue
            }
            for node in nodes(element.id) where filled.insert(node).inserted { place(document, in: node) }
        }
        for attribute in skeleton.attributes where attribute.name == WidgetKitVocabulary.document {
            guard let name = attribute.value.string, filled.insert(attribute.node).inserted else { continue }
            place(
                DocumentDescription(name: name, values: [], isPresented: false, place: attribute.place),
                in: attribute.node)
        }
    }

    /// Notes the documents that actions of the screen show by their names.
    mutating func readDocumentActions() {
        guard let documents else { return }
        var steps = scene.nodes.flatMap { node in node.events.values.flatMap { steps in steps } }
        for action in scene.actions {
            for case .steps(let own) in action.handlers.values { steps += own }
        }
        let entries = Set(
            steps.compactMap { step in
                if case .show(let entry, _) = step { entry } else { nil }
            })
        for name in documents.sorted() where !shown.links.contains(where: { $0.document == name }) {
            let entry = DocumentLink.entry(name, isPushed: true)
            guard entries.contains(entry) else { continue }
            shown.links.append(DocumentLink(name, entry: entry, place: Place(file: skeleton.interfaces[0].file)))
        }
    }

    private mutating func place(_ document: DocumentDescription, in node: NodeID) {
        guard documents != nil else {
            reportMissing(document)
            return
        }
        guard spendSetting(document.values.count + 1, document.place) else { return }
        shown.places.append(
            DocumentPlace(node, document: document.name, values: passed(document.values), place: document.place))
    }

    /// Lets a tap show a document, in place of what the interface says.
    mutating func show(_ document: DocumentDescription, onTapOf targets: [NodeID]) {
        guard documents != nil else {
            reportMissing(document)
            return
        }
        let values = passed(document.values)
        let entry = DocumentLink.entry(document.name, isPushed: !document.isPresented)
        shown.links.append(DocumentLink(document.name, entry: entry, values: values, place: document.place))
        let members = values.map { (name: $0.name, expression: $0.expression) }
        let content = members.isEmpty ? nil : Expression(.members(members), place: document.place)
        for node in targets where spendSetting(values.count + 1, document.place) {
            let isRow = scene.nodes[node].kind == .row
            scene.nodes[node].events[isRow ? .select : .tap] = [.show(entry, content: content)]
        }
    }

    /// The steps of an action of the screen that has the name of a document.
    func documentSteps(_ name: String) -> [Step]? {
        guard documents?.contains(name) ?? false else { return nil }
        return [.show(DocumentLink.entry(name, isPushed: true), content: nil)]
    }

    private mutating func reportMissing(_ document: DocumentDescription) {
        report(
            Finding(
                .error, .unknownScreen, "The bundle has no document \(document.name.excerpt)", at: document.place,
                hint: "a document is a file \(document.name.excerpt).widgets.json beside the storyboard"))
    }

    // MARK: - Values of parameters

    /// The values that a document gets: expressions as bindings have them, and texts in which `$name` is filled in.
    private mutating func passed(_ values: [(name: String, value: SchemeValue)]) -> [PassedValue] {
        var passed: [PassedValue] = []
        for (name, value) in values {
            guard let expression = expression(of: value) else { continue }
            passed.append(PassedValue(name, expression, place: value.place))
        }
        return passed
    }

    private mutating func expression(of value: SchemeValue) -> Expression? {
        if let text = value.json.string {
            let template = Template(text, .keyPaths)
            guard template.hasTokens else { return .literal(.string(text), place: value.place) }
            // A key path alone keeps the kind of its value.
            if let path = template.keyPaths.first, text == "$\(path)" {
                var expression = keyPath(path)
                expression.place = value.place
                return expression
            }
            return Expression(.scope, [.format(template)], place: value.place, source: text.excerpt)
        }
        let keys = SchemeKeys.evaluation.map { $0.name }
        if let object = value.json.object, !object.members.isEmpty,
            object.members.allSatisfy({ keys.contains($0.name) })
        {
            return BindingReader.expression(object, value.place, &diagnostics)
        }
        return .literal(value.value, place: value.place)
    }
}
