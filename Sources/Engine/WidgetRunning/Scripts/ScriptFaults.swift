internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

extension ScriptVerb {
    /// The reason that an object is not a step; `nil` where only the list of steps can help.
    static func fault(of object: JSONObject) -> String? {
        let verbs = allCases.filter { object[$0.rawValue] != nil }
        guard let verb = verbs.first else { return misspelt(object) }
        guard verbs.count == 1 else {
            let names = verbs.map { $0.rawValue }.joined(separator: " and ")
            return "it has \(verbs.count) acts, \(names); write a step for each"
        }
        for companion in verb.companions where companion.isRequired && object[companion.name] == nil {
            return "\(verb.rawValue) needs \(companion.name)"
        }
        if verb == .input, let value = object["value"], value.string == nil {
            return "value is \(kind(of: value)), and has to be a text: write \"\(Value(value).shown.excerpt)\""
        }
        for name in ["row", "section"] {
            if let place = object[name], place.integer == nil {
                return "\(name) is \(kind(of: place)), and has to be a whole number, counted from 0"
            }
        }
        return nil
    }

    private static func misspelt(_ object: JSONObject) -> String? {
        let names = allCases.map { $0.rawValue }
        for member in object.members {
            if let nearest = NearestName.of(member.name, in: names) {
                return "no step is called \(member.name.excerpt); did you mean \(nearest)?"
            }
        }
        return nil
    }

    private static func kind(of value: JSONValue) -> String {
        if value.isNull { return "null" }
        if value.number != nil { return "a number" }
        if value.boolean != nil { return "true or false" }
        return value.string == nil ? "an array or an object" : "a text"
    }
}

extension ViewNode {
    /// The least and the greatest number that a control takes; `nil` for one without limits.
    var limits: ClosedRange<Double>? {
        let range: (least: Double, most: Double)
        switch kind.row.value {
        case .range(let most): range = (self[.minimum]?.number ?? 0, self[.maximum]?.number ?? most)
        case .page: range = (0, max((self[.pageCount]?.number ?? 0) - 1, 0))
        default: return nil
        }
        return range.least <= range.most ? range.least...range.most : nil
    }
}
