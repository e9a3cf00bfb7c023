internal import WidgetPredicates

/// A field that a form refuses.
struct FieldFault {
    var node: NodeID
    var isMandatory: Bool
    /// One sentence, for the person who fills in the form.
    var message: String
    /// The reason why the rule could not be checked, if it could not.
    var error: PredicateError?
    /// The place of the field's rules.
    var place: Place?
}

/// The input of a form: the values of its fields, and the faults that keep it from being sent.
struct FormInput {
    private let form: Form
    private let screen: ScreenScope

    init(_ form: Form, _ screen: ScreenScope) {
        self.form = form
        self.screen = screen
    }

    // MARK: - Values

    var value: Value {
        var names: [String] = []
        var values: [String: [Value]] = [:]
        for id in form.mandatory {
            guard let (name, value) = field(id) else { continue }
            if values.updateValue([value], forKey: name) == nil { names.append(name) }
        }
        let mandatory = Set(names)
        for id in form.optional {
            guard let (name, value) = field(id), !mandatory.contains(name) else { continue }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        return .dictionary(PredicateDictionary(names.map { ($0, joined(values[$0] ?? [])) }))
    }

    /// The joined values of fields with the same name, in their order.
    private func joined(_ values: [Value]) -> Value {
        guard let last = values.last, values.count > 1 else { return values.last ?? .null }
        switch form.duplicates {
        case .overwrite: return last
        case .join: return .string(joinedText(values))
        case .array:
            // The other values are appended to a first one that is a list.
            if case .array(let elements)? = values.first { return .array(elements + values.dropFirst()) }
            return .array(values)
        }
    }

    /// The values joined by commas, up to the limit of a text.
    private func joinedText(_ values: [Value]) -> String {
        let limit = screen.meter?.textByteCount ?? .max
        var text = ""
        for (place, value) in values.enumerated() {
            if place > 0 { text += "," }
            text += value.shown
            if text.utf8.count > limit {
                screen.meter?.noteLongText()
                return text.shortened(toByteCount: limit)
            }
        }
        return text
    }

    /// A field's name and value, when it has both.
    private func field(_ id: NodeID) -> (name: String, value: Value)? {
        screen.meter?.spend(Meter.formField)
        guard !(screen.meter?.isEmpty ?? false), let node = screen.scene.node(id), let name = node.fieldName,
            !name.isEmpty
        else { return nil }
        let value = PropertyReader.fieldValue(of: id, item: scope(of: id), in: screen)
        if value.isNull { return nil }
        if case .string(let text) = value, text.isEmpty, !form.acceptsEmptyText { return nil }
        return (name, value)
    }

    /// The local values around a field; `nil` in scenes that have none.
    private func scope(of id: NodeID) -> ItemScope? {
        screen.hasLocalScopes ? (try? screen.scope(of: id, item: nil)) ?? nil : nil
    }

    // MARK: - Faults

    /// Mandatory fields without a value, and fields that break a rule: in the order of the scene, each once.
    var faults: [FieldFault] {
        var met: Set<NodeID> = []
        var faults: [FieldFault] = []
        for (ids, isMandatory) in [(form.mandatory, true), (form.optional, false)] {
            for id in ids where met.insert(id).inserted {
                if let fault = fault(of: id, isMandatory: isMandatory) { faults.append(fault) }
            }
        }
        return faults.sorted { $0.node < $1.node }
    }

    /// The first fault of a field; `nil` for a field that can be sent.
    func fault(of id: NodeID, isMandatory: Bool) -> FieldFault? {
        guard let node = screen.scene.node(id) else { return nil }
        if isMandatory, field(id) == nil { return fault(.required, "", at: id, node, isMandatory) }
        guard let rules = node.rules else { return nil }
        screen.meter?.spend(Meter.formField)
        let value = PropertyReader.fieldValue(of: id, item: scope(of: id), in: screen)
        let scale = scale(of: id, node)
        for test in rules.tests where !(screen.meter?.isEmpty ?? false) {
            do throws(PredicateError) {
                if let key = try broken(test, by: value, on: scale, at: id, node.kind) {
                    return fault(key, test.limit(on: scale), at: id, node, isMandatory, test.rule)
                }
            } catch {
                var fault = fault(FormInput.key(test), test.limit(on: scale), at: id, node, isMandatory, test.rule)
                fault.error = error
                return fault
            }
        }
        return nil
    }

    /// The values that limits of a date picker are among; `nil` for other fields.
    private func scale(of id: NodeID, _ node: Node) -> FieldLimit.Scale? {
        guard node.kind == .datePicker else { return nil }
        let mode = PropertyReader.value(.dateMode, of: id, item: scope(of: id), in: screen)
        return FieldLimit.Scale(DateMode(mode), LocalClock(screen.environment))
    }

    /// The message of a test that a value does not pass. Only some tests are for empty values.
    private func broken(
        _ test: FieldRules.Test, by value: Value, on scale: FieldLimit.Scale?, at id: NodeID, _ kind: NodeKind
    ) throws(PredicateError) -> FieldMessages.Key? {
        let text = value.string ?? ""
        let isEmpty = value.isNull || value.string?.isEmpty ?? false
        switch test {
        case .required:
            if kind.row.value == .flag { return value.truth ? nil : .on }
            return isFilled(value, kind) ? nil : .required
        case .minimumLength(let count): return isEmpty || length(of: value) >= count ? nil : .minimumLength
        case .maximumLength(let count): return isEmpty || length(of: value) <= count ? nil : .maximumLength
        case .pattern(let predicate):
            if isEmpty { return nil }
            let subject = Value.string(value.string == nil ? value.shown : text)
            return try predicate.holds(for: subject, environment: screen.context.predicates) ? nil : .pattern
        case .minimum(let limit):
            guard !isEmpty, let least = limit.number(on: scale) else { return nil }
            guard let number = FieldLimit.number(of: value, on: scale) else { return .number }
            return number >= least ? nil : isDate(scale) ? .minimumDate : .minimum
        case .maximum(let limit):
            guard !isEmpty, let most = limit.number(on: scale) else { return nil }
            guard let number = FieldLimit.number(of: value, on: scale) else { return .number }
            return number <= most ? nil : isDate(scale) ? .maximumDate : .maximum
        case .predicate(let predicate):
            // A predicate may read the content of the form, which is valid only if the predicate holds.
            guard let deeper = screen.deeper else {
                screen.meter?.noteCircle(at: id)
                return .predicate
            }
            screen.meter?.spend(Meter.binding)
            return try predicate.holds(for: .object(deeper), environment: deeper.context.predicates) ? nil : .predicate
        }
    }

    /// A duration is not later than another, but longer.
    private func isDate(_ scale: FieldLimit.Scale?) -> Bool { scale.map { $0.mode != .countdown } ?? false }

    private func isFilled(_ value: Value, _ kind: NodeKind) -> Bool {
        switch value {
        case .null: return false
        case .string(let text):
            screen.meter?.spend(text.utf8.count / FormInput.bytesPerStep)
            return text.contains { !$0.isWhitespace }
        default: return kind.row.value != .choice || (value.number ?? -1) >= 0
        }
    }

    /// Characters of a text, as a person counts them.
    private func length(of value: Value) -> Int {
        let text = value.string ?? value.shown
        screen.meter?.spend(text.utf8.count / FormInput.bytesPerStep)
        return text.count
    }

    /// Bytes of text that are looked at for one step of fuel.
    private static let bytesPerStep = 4

    // MARK: - Messages

    private func fault(
        _ key: FieldMessages.Key, _ limit: String, at id: NodeID, _ node: Node, _ isMandatory: Bool,
        _ rule: FieldRules.Rule = .required
    ) -> FieldFault {
        func standard(_ key: FieldMessages.Key) -> String {
            screen.program.fieldMessages.text(key, or: SystemWords(screen.environment.locale))
        }
        let text = node.rules?.messages[rule] ?? node.rules?.message ?? standard(key)
        let name = text.contains("$name") ? self.name(of: id) ?? standard(.field) : ""
        return FieldFault(
            node: id, isMandatory: isMandatory, message: FieldMessages.filled(text, name: name, limit: limit),
            place: node.rules?.place)
    }

    /// The field's accessible name, or else its placeholder.
    private func name(of id: NodeID) -> String? {
        let scope = scope(of: id)
        for property in [PropertyName.accessibleName, .placeholder] {
            let text = PropertyReader.value(property, of: id, item: scope, in: screen).shown
            if !text.isEmpty { return text.shortened(toByteCount: String.excerptByteCount) }
        }
        return nil
    }

    private static func key(_ test: FieldRules.Test) -> FieldMessages.Key {
        switch test {
        case .required: .required
        case .minimumLength: .minimumLength
        case .maximumLength: .maximumLength
        case .pattern: .pattern
        case .minimum: .minimum
        case .maximum: .maximum
        case .predicate: .predicate
        }
    }
}
