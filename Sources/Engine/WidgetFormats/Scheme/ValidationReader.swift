internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// The `validation` of a scheme's elements: the rules that fields follow before a form is sent.
extension SceneAssembly {
    /// The key of an element's rules in a scheme.
    static let validationKey = "validation"
    /// The file of a language with the texts about fields, and the translations of messages.
    static let validationTexts = "Validation"

    /// Reads the rules of all elements, once their outlets are connected.
    mutating func readValidation() {
        readRules()
        checkFieldNames()
    }

    private mutating func readRules() {
        let validated = elements.filter { $0.id != "@self" && !$0.validation.isEmpty }
        guard !validated.isEmpty else { return }
        let containers = Set(scene.nodes.compactMap { $0.form?.media?.container })
        for element in validated {
            let targets = nodes(element.id)
            guard spendSetting(element.validation.count * targets.count, element.place) else { return }
            readValidation(of: element, targets, containers)
        }
        checkFields()
    }

    /// - Parameter containers: the elements that hold pictures and films.
    private mutating func readValidation(
        of element: ElementDescription, _ targets: [NodeID], _ containers: Set<NodeID>
    ) {
        // Rules are read once for each kind and mode, because elements of one name may be of several.
        var read: [ValidationReader.Subject: FieldRules] = [:]
        for id in targets {
            let node = scene.nodes[id]
            guard node.kind.row.isControl || node.form?.media != nil || containers.contains(id) else {
                report(
                    Finding(
                        .error, .badValue,
                        "\(element.id.excerpt) is a \(node.kind.row.name), which has no value to check",
                        at: element.validation.first?.value.place, hint: "rules belong to what a person fills in"))
                continue
            }
            let subject = ValidationReader.Subject(node)
            if read[subject] == nil {
                var reader = ValidationReader(element.id, subject, texts: fieldTexts, limits)
                read[subject] = reader.rules(element.validation)
                diagnostics += reader.diagnostics
                messages.formUnion(reader.written)
            }
            scene.nodes[id].rules = read[subject]
        }
    }

    /// Reports fields of forms whose values no request can have, because they have no names. One with rules may be
    /// there to be compared with another.
    private mutating func checkFieldNames() {
        let ruled = Set(elements.filter { !$0.validation.isEmpty }.flatMap { nodes($0.id) })
        for form in scene.nodes.compactMap({ $0.form }) where form.media == nil {
            for id in Set(form.mandatory + form.optional).sorted() {
                let node = scene.nodes[id]
                guard node.kind.row.isControl, node.kind != .button, node.fieldName == nil, !ruled.contains(id), hasRoom
                else { continue }
                diagnostics.append(
                    Finding(
                        .warning, .missingField,
                        "\(node.identifier?.excerpt ?? "A field") has no field name, so its value is not in the form",
                        at: node.place, hint: "wx_fieldName is the name; `field NAME` in a .screens file"))
            }
        }
    }

    /// Reports rules that are never checked, and messages that are never shown.
    private mutating func checkFields() {
        var mandatory: Set<NodeID> = []
        var optional: Set<NodeID> = []
        for form in scene.nodes.compactMap({ $0.form }) {
            mandatory.formUnion(form.mandatory)
            optional.formUnion(form.optional)
        }
        for (id, node) in scene.nodes.enumerated() {
            guard let rules = node.rules else { continue }
            let name = node.identifier?.excerpt ?? "An element"
            if !mandatory.contains(id), !optional.contains(id) {
                diagnostics.append(
                    Finding(
                        .warning, .missingField, "\(name) is not a field of any form, so its rules are never checked",
                        at: rules.place, hint: "name it in mandatoryFields or optionalFields of a form"))
            } else if rules.tests.isEmpty, rules.hasMessages, !mandatory.contains(id) {
                diagnostics.append(
                    Finding(
                        .warning, .missingField, "\(name) has no rule, so its message is never shown",
                        at: rules.place, hint: "the rules are \(ValidationReader.ruleNames)"))
            }
        }
    }
}

/// Reads the rules of one element, of one kind.
struct ValidationReader {
    /// The kind of an element, and the mode of a date picker, unless a binding sets it.
    struct Subject: Hashable {
        let kind: NodeKind
        let mode: DateMode?

        init(_ node: Node) {
            kind = node.kind
            let mode = node[.dateMode]
            self.mode =
                node.kind == .datePicker && (mode == nil || mode?.literal != nil) ? DateMode(mode?.literal) : nil
        }
    }

    private(set) var diagnostics: [Finding] = []
    /// The messages as they are written, which are keys of their translations.
    private(set) var written: Set<String> = []
    private let owner: String
    private let kind: NodeKind
    private let mode: DateMode?
    private let texts: Translations
    private let limits: FormatLimits
    private var tests: [FieldRules.Test] = []

    static let ruleNames = FieldRules.Rule.allCases.map { $0.rawValue }.joined(separator: ", ")
    private static let messageKey = "message"

    init(_ owner: String, _ subject: Subject, texts: Translations, _ limits: FormatLimits) {
        self.owner = owner.excerpt
        (kind, mode) = (subject.kind, subject.mode)
        self.texts = texts
        self.limits = limits
    }

    mutating func rules(_ members: [(name: String, value: SchemeValue)]) -> FieldRules {
        var messages: [FieldRules.Rule: String] = [:]
        var message: String?
        var places: [FieldRules.Rule: Place] = [:]
        for (name, value) in members {
            if name == ValidationReader.messageKey {
                (message, messages) = readMessages(value)
            } else if let rule = rule(name, value) {
                places[rule] = value.place
                if let test = test(rule, value) { tests.append(test) }
            }
        }
        dropContradiction(.minimumLength, .maximumLength, places)
        dropContradiction(.minimum, .maximum, places)
        return FieldRules(tests, messages: messages, message: message, at: members.first?.value.place)
    }

    private mutating func rule(_ name: String, _ value: SchemeValue) -> FieldRules.Rule? {
        guard let rule = FieldRules.Rule(rawValue: name) else {
            let all = FieldRules.Rule.allCases.map { $0.rawValue } + [ValidationReader.messageKey]
            let nearest = NearestName.of(name, in: all).map { "did you mean \($0)?" }
            report(
                .unknownKey, "A validation has no rule \(name.excerpt)", value.place,
                hint: nearest ?? "it can have \(all.joined(separator: ", "))")
            return nil
        }
        guard kind.row.fieldRules.contains(rule) else {
            let usable = FieldRules.Rule.allCases.filter(kind.row.fieldRules.contains).map { $0.rawValue }
            report(
                .badValue, "\(owner) is a \(kind.row.name), which has no \(name) to check", value.place,
                hint: "its rules can be \(usable.joined(separator: ", "))")
            return nil
        }
        return rule
    }

    private mutating func test(_ rule: FieldRules.Rule, _ value: SchemeValue) -> FieldRules.Test? {
        switch rule {
        case .required:
            guard let isRequired = value.json.boolean else { return wrong(rule, value, "true or false") }
            return isRequired ? .required : nil
        case .minimumLength, .maximumLength:
            guard let count = value.json.integer.map({ Int(clamping: $0) }), count >= 0 else {
                return wrong(rule, value, "a number of characters")
            }
            return rule == .minimumLength ? .minimumLength(count) : .maximumLength(count)
        case .minimum, .maximum:
            guard let limit = FieldLimit(value.value, for: kind, mode: mode) else {
                return wrong(rule, value, kind == .datePicker ? (mode ?? .date).expectation : "a number")
            }
            return rule == .minimum ? .minimum(limit) : .maximum(limit)
        case .pattern:
            guard let text = value.json.string, text.utf8.count <= limits.patternByteCount else {
                return wrong(rule, value, "a regular expression of \(limits.patternByteCount) bytes at most")
            }
            return predicate("SELF MATCHES %@", [.string(text)], text, value.place).map { .pattern($0) }
        case .predicate:
            guard let text = value.json.string, !text.isEmpty else { return wrong(rule, value, "a predicate") }
            return predicate(text, nil, text, value.place).map { .predicate($0) }
        }
    }

    private mutating func predicate(
        _ text: String, _ arguments: [Value]?, _ shown: String, _ place: Place
    ) -> CompiledPredicate? {
        do throws(PredicateError) {
            return try CompiledPredicate(text, arguments: arguments)
        } catch {
            report(.badPredicate, "`\(shown.excerpt)`: \(error.sentence)", place, hint: error.hint)
            return nil
        }
    }

    /// A text for all rules, or an object with one for each.
    private mutating func readMessages(_ value: SchemeValue) -> (String?, [FieldRules.Rule: String]) {
        if let text = value.json.string { return (shown(text, value.place), [:]) }
        guard let members = value.json.object?.members else {
            report(
                .badValue, "The message of \(owner) is neither a text nor an object", value.place,
                hint: "an object has a text for each rule")
            return (nil, [:])
        }
        var messages: [FieldRules.Rule: String] = [:]
        for member in members where member.name != "***" {
            guard let rule = FieldRules.Rule(rawValue: member.name), let text = member.value.string else {
                report(
                    .unknownKey, "The messages of \(owner) have no use for \(member.name.excerpt)", value.place,
                    hint: "they are texts, by the names of rules: \(ValidationReader.ruleNames)")
                continue
            }
            messages[rule] = shown(text, value.place)
        }
        return (nil, messages)
    }

    /// A message in the reader's language, within the limit.
    private mutating func shown(_ text: String, _ place: Place) -> String {
        written.insert(text)
        let text = texts[text] ?? text
        if text.utf8.count > limits.messageByteCount {
            report(
                .byteBudget, "A message of \(owner) has more than \(limits.messageByteCount) bytes", place,
                hint: "its beginning is shown")
        }
        return text.shortened(toByteCount: limits.messageByteCount)
    }

    // MARK: - Faults

    /// Drops two limits that no value can keep; otherwise the form could never be sent.
    private mutating func dropContradiction(
        _ least: FieldRules.Rule, _ most: FieldRules.Rule, _ places: [FieldRules.Rule: Place]
    ) {
        guard let lower = limit(least), let upper = limit(most), lower > upper else { return }
        tests.removeAll { $0.rule == least || $0.rule == most }
        report(
            .badValue, "The \(least.rawValue) of \(owner) is greater than its \(most.rawValue)", places[least],
            hint: "no value keeps both, so neither is checked")
    }

    private func limit(_ rule: FieldRules.Rule) -> Double? {
        for test in tests where test.rule == rule {
            switch test {
            case .minimumLength(let count), .maximumLength(let count): return Double(count)
            case .minimum(let limit), .maximum(let limit):
                return limit.number(on: kind == .datePicker ? FieldLimit.Scale(mode ?? .dateAndTime) : nil)
            case .required, .pattern, .predicate: return nil
            }
        }
        return nil
    }

    private mutating func wrong(_ rule: FieldRules.Rule, _ value: SchemeValue, _ wanted: String) -> FieldRules.Test? {
        report(.badValue, "The \(rule.rawValue) of \(owner) must be \(wanted)", value.place, hint: "it is not checked")
        return nil
    }

    private mutating func report(
        _ code: Finding.Code, _ message: String, _ place: Place?, hint: String? = nil
    ) {
        diagnostics.append(Finding(.error, code, message, at: place, hint: hint))
    }
}
