internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Fields whose values are sent together.
enum FormWidget: DocumentKind {
    static let spec = KindSpec(
        type: "FormWidget", "Fields whose values are sent together, once all of them follow their rules.",
        properties: [
            PropertySpec(
                "spacing", .length, initially: .number(8), isBindable: false, "the points between two elements"),
            PropertySpec(
                "busy", .flag, initially: .flag(false),
                "true while it is being sent, when its button cannot be tapped"),
        ],
        content: .any,
        events: [
            EventSpec(
                "submit",
                "a button with the role `submit` was tapped, or return pressed in a field; `$argument` has the values by the names of the fields"
            )
        ],
        samples: [
            #"{"kind": "form", "on": {"submit": {"do": "set", "state": "name", "to": "$argument.name"}}, "children": [{"kind": "textfield", "payload": {"name": "name", "placeholder": "Name", "required": true}}, {"kind": "button", "payload": {"text": "Send", "role": "submit"}}]}"#
        ])
}

/// The form around a place of a document.
struct FormPlace: Sendable {
    let node: NodeID
    /// The key path of its state, if it has one.
    let busy: Expression?

    /// The name of the state of a form, which no author can write.
    static let busyName = "form$busy"
}

/// The meaning of a field's text, in the words of documents.
enum FieldContent: String, CaseIterable {
    case name, givenName, familyName, nickname, organization, street, city, postalCode, country
    case telephone, email, url, username, password, newPassword, oneTimeCode, creditCard

    /// The same in the words of interfaces.
    var type: String {
        switch self {
        case .name, .nickname, .email, .url, .username, .password: rawValue
        case .givenName: "given-name"
        case .familyName: "family-name"
        case .organization: "organization-name"
        case .street: "street-address-line-1"
        case .city: "address-level-2"
        case .postalCode: "postal-code"
        case .country: "country-name"
        case .telephone: "tel"
        case .newPassword: "new-password"
        case .oneTimeCode: "one-time-code"
        case .creditCard: "credit-card-number"
        }
    }
}

/// The properties that all fields of forms have.
enum FormFields {
    static let properties = [
        PropertySpec("name", .text, isBindable: false, "the name of its value in the form around it"),
        PropertySpec(
            "required", .flag, initially: .flag(false), isBindable: false,
            "true if the form is not sent while it is empty or off"),
        PropertySpec("message", .text, isBindable: false, "the text that is shown at it when its form is refused"),
    ]
}

extension FormWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        guard !element.words.isRepeated, element.words.form == nil else {
            let around = element.words.form == nil ? "the items of a list" : "another form"
            throw element.value.fault(
                .badPayload, "A form cannot be in \(around)", hint: "show it as a screen, with push or present")
        }
        let form = try maker.add(.form, at: element.place)
        maker.looks[form].stack = .along(
            .vertical, spacing: StackProperties.spacing(element))
        var fields = Form()
        fields.acceptsEmptyText = true
        if element.has("busy"), let busy = try element.expression("busy", in: &maker) {
            maker.nodes[form].locals = [LocalValue(FormPlace.busyName, busy)]
            fields.busy = try maker.keyPath(FormPlace.busyName, element.value)
        }
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.vertical, false, false)
        words.form = FormPlace(node: form, busy: fields.busy)
        for child in try maker.children(of: element, words) { maker.attach(child, to: form) }
        // All nodes since then are parts of it.
        fields.optional = maker.nodes.indices.filter { $0 > form && maker.nodes[$0].fieldName != nil }
        if let actions = element.value["on"]?["submit"] {
            fields.submit = try maker.steps(of: actions, element.words)
        }
        try maker.addEvents(of: element, [:], to: form)
        maker.nodes[form].form = fields
        return Lowered(form)
    }
}

extension SceneMaker {
    /// Lets an event of a node send the form around it, after what the author wants.
    mutating func submit(from node: NodeID, on event: NodeEvent, _ element: DocumentElement) {
        guard let form = element.words.form else {
            report(
                Finding(
                    .warning, .badValue, "No form is around the button", at: element.place,
                    hint: "the role submit belongs into a form"))
            return
        }
        nodes[node].events[event, default: []].append(.submit(form.node))
    }

    /// Gives a field of a form its name and rules.
    mutating func addRules(of element: DocumentElement, to field: NodeID) throws(ElementFault) {
        guard let name = element.text("name"), !name.isEmpty, element.words.form != nil, !element.words.isRepeated
        else { return reportRules(of: element) }
        nodes[field].fieldName = name
        let row = nodes[field].kind.row
        if nodes[field][row.value.property] == nil { nodes[field][row.value.property] = .literal(.string("")) }
        var tests: [FieldRules.Test] = element.flag("required") ? [.required] : []
        if let pattern = element.member("pattern"), let text = element.text("pattern") {
            tests.append(.pattern(try SceneMaker.pattern(text, pattern)))
        }
        guard !tests.isEmpty else { return }
        nodes[field].rules = FieldRules(tests, message: element.text("message"), at: element.place)
    }

    private static func pattern(_ text: String, _ value: DocumentValue) throws(ElementFault) -> CompiledPredicate {
        guard text.utf8.count <= patternByteCount else {
            throw value.fault(.badPayload, "The pattern has more than \(patternByteCount) bytes")
        }
        do throws(PredicateError) {
            return try CompiledPredicate("SELF MATCHES %@", arguments: [.string(text)])
        } catch {
            throw value.fault(.badPredicate, "`\(text.excerpt)`: \(error.sentence)", hint: error.hint)
        }
    }

    private static let patternByteCount = 1_000

    /// Reports names and rules that have no effect.
    private mutating func reportRules(of element: DocumentElement) {
        guard let member = ["name", "required", "pattern", "message"].lazy.compactMap(element.member).first else {
            return
        }
        let hint =
            element.words.form == nil
            ? "put it into a form" : element.words.isRepeated ? "it is repeated by items" : "give the field a name"
        report(
            Finding(
                .warning, .badValue, "The \(element.spec.name) is not a field of a form", at: member.place, hint: hint))
    }
}
