extension PredicateValue {
    /// The value as another type. `nil` when it cannot be one; `.null` stays what it is.
    func cast(to type: CastType) -> PredicateValue? {
        if isNull { return .null }
        switch type {
        case .string: return text.map { .string($0) }
        case .number:
            switch self {
            case .boolean, .integer, .double, .decimal: return self
            case .string(let text): return NumberText.number(text)
            case .date(let seconds): return .double(seconds)
            default: return nil
            }
        case .decimal:
            switch self {
            case .string(let text): return DecimalNumber(text).map { .decimal($0) }
            case .date(let seconds): return DecimalNumber(seconds).map { .decimal($0) }
            default: return decimal.map { .decimal($0) }
            }
        case .date:
            switch self {
            case .date: return self
            case .string(let text):
                if let seconds = DateText.seconds(text) { return .date(seconds) }
                return NumberText.number(text).flatMap(\.double).map { .date($0) }
            default: return double.map { .date($0) }
            }
        }
    }

    /// How a value describes itself; `nil` for collections and objects, which have no short way to.
    package var text: String? {
        switch self {
        case .boolean(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .double(let value): PredicateValue.text(value)
        case .decimal(let value): value.description
        case .string(let text): text
        case .date(let seconds): DateText.description(seconds)
        case .null, .data, .array, .set, .dictionary, .object: nil
        }
    }

    /// Without the `.0` of a whole number.
    package static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
