internal import JSONText

/// Compares the members of a value of Swift with those that its JSON has.
enum MemberCheck {
    /// The first key of a path that is a stored property with a value, and that the JSON of the value lacks.
    static func renamed(_ keys: [String], of value: Any, as json: JSONValue) -> String? {
        var (value, json) = (value, json)
        for key in keys {
            guard json.object != nil, let member = member([key], of: value) else { return nil }
            guard let inner = json[key] else { return key }
            (value, json) = (member, inner)
        }
        return nil
    }

    /// The stored property at the end of a path; `nil` without one, or if a part of the path has no value.
    static func member(_ keys: [String], of value: Any) -> Any? {
        guard var value = present(value) else { return nil }
        for key in keys {
            guard let member = Mirror(reflecting: value).children.first(where: { $0.label == key })?.value,
                let next = present(member)
            else { return nil }
            value = next
        }
        return value
    }

    /// The value in an optional.
    private static func present(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { present($0.value) }
    }
}

/// The values of Swift behind the names of a document, where they are known: states, and the first items of lists.
struct MemberSamples {
    private var items: [(item: ItemName, value: Any)] = []
    /// The paths that were looked at.
    private var checked: Set<String> = []

    /// Begins a list.
    mutating func enter(_ item: ItemName, of list: Operand) {
        guard case .expression(let pieces, isCondition: false) = list.form, pieces.count == 1,
            case .name(let name, let keys) = pieces[0], let owner = value(of: name),
            let elements = MemberCheck.member(keys, of: owner),
            let first = Mirror(reflecting: elements).children.first?.value
        else { return }
        items.append((item, first))
    }

    /// Ends a list.
    mutating func leave(_ item: ItemName) { items.removeAll { $0.item === item } }

    /// The fault of a path, with a hint, once; `nil` for one that the document's value has.
    mutating func fault(_ keys: [String], of name: any NamedValue) -> (message: String, hint: String)? {
        if let key = keys.first(where: { $0.hasPrefix("<computed") }) {
            let type = key.split(separator: "(").last.map { $0.prefix { $0 != ")" } } ?? ""
            return (
                "A key path leads to a computed property\(type.isEmpty ? "" : " of the type \(type)")",
                "documents know stored properties alone: store the value, or compute it with map"
            )
        }
        guard !keys.isEmpty, let value = value(of: name),
            checked.insert("\(ObjectIdentifier(name)) \(keys.joined(separator: "."))").inserted,
            let json = (name as? AnyStateBox)?.json ?? (value as? any Encodable).flatMap({ PlainValue.json($0) }),
            let key = MemberCheck.renamed(keys, of: value, as: json)
        else { return nil }
        return (
            "The member \(key) of \(type(of: value)) has another name when it is encoded",
            "take the name out of its CodingKeys, or show it with map"
        )
    }

    private func value(of name: any NamedValue) -> Any? {
        if let item = name as? ItemName { return items.last { $0.item === item }?.value }
        return (name as? AnyStateBox)?.sample
    }
}
