internal import Predicates

/// Gathers what was filled in.
struct FormReader {
    private let form: Form
    private let screen: ScreenScope

    init(_ form: Form, _ screen: ScreenScope) {
        self.form = form
        self.screen = screen
    }

    /// Fields that must be filled in and are not, each once.
    var missing: [NodeID] {
        var met: Set<NodeID> = []
        return form.mandatory.filter { field($0) == nil && met.insert($0).inserted }
    }

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

    /// What fields of one name have, in their order.
    private func joined(_ values: [Value]) -> Value {
        guard let last = values.last, values.count > 1 else { return values.last ?? .null }
        switch form.duplicates {
        case .overwrite: return last
        case .join: return .string(joinedText(values))
        case .array:
            // What is a list already, the others are added to.
            if case .array(let elements)? = values.first { return .array(elements + values.dropFirst()) }
            return .array(values)
        }
    }

    /// As long as one text may be.
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
        let value = PropertyReader.fieldValue(of: id, item: nil, in: screen)
        if value.isNull { return nil }
        if case .string(let text) = value, text.isEmpty, !form.acceptsEmptyText { return nil }
        return (name, value)
    }
}
