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

    /// The stored property at the end of a path; `nil` if it is missing, or a part of the path has no value.
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
