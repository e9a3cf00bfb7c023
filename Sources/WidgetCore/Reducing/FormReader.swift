internal import Predicates

/// Gathers what was filled in.
struct FormReader {
    private let form: Form
    private let screen: ScreenScope

    init(_ form: Form, _ screen: ScreenScope) {
        self.form = form
        self.screen = screen
    }

    /// Fields that must be filled in and are not.
    var missing: [NodeID] { form.mandatory.filter { field($0) == nil } }

    var value: Value {
        var names: [String] = []
        var values: [String: Value] = [:]
        for id in form.mandatory {
            guard let (name, value) = field(id) else { continue }
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }
        let mandatory = Set(names)
        for id in form.optional {
            guard let (name, value) = field(id), !mandatory.contains(name) else { continue }
            if let old = values[name] {
                values[name] = joined(old, value)
            } else {
                names.append(name)
                values[name] = value
            }
        }
        return .dictionary(PredicateDictionary(names.map { ($0, values[$0] ?? .null) }))
    }

    private func joined(_ old: Value, _ new: Value) -> Value {
        switch form.duplicates {
        case .overwrite: return new
        case .join: return .string("\(old.shown),\(new.shown)")
        case .array:
            if case .array(let elements) = old { return .array(elements + [new]) }
            return .array([old, new])
        }
    }

    /// A field's name and value, when it has both.
    private func field(_ id: NodeID) -> (name: String, value: Value)? {
        guard let node = screen.scene.node(id), let name = node.fieldName, !name.isEmpty else { return nil }
        let value = PropertyReader.fieldValue(of: id, item: nil, in: screen)
        if value.isNull { return nil }
        if case .string(let text) = value, text.isEmpty, !form.acceptsEmptyText { return nil }
        return (name, value)
    }
}
