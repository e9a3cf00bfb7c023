internal import Predicates

/// What a control makes of a value that it is given.
enum ControlValue {
    /// - Returns: `nil` for what a control of that kind ignores; texts take everything.
    static func fitting(_ value: Value, _ kind: NodeKind, _ property: (PropertyName) -> Value) -> Value? {
        switch kind {
        case .toggle: return value.isNull ? nil : .boolean(value.truth)
        case .constraint, .progress: return value.number.flatMap { $0.isFinite ? number($0) : nil }
        case .slider, .stepper:
            let largest = property(.maximum).number ?? (kind == .slider ? 1 : 100)
            return value.number.flatMap { clamped($0, property(.minimum).number ?? 0, largest) }
        case .pageControl:
            let last = max((property(.pageCount).number ?? 0) - 1, 0)
            return value.number.flatMap { clamped($0.rounded(), 0, last) }
        case .segments:
            let titles = property(.titles).elements ?? []
            if let text = value.string, let place = titles.firstIndex(where: { $0.shown == text }) {
                return .integer(Int64(place))
            }
            return value.number.flatMap { clamped($0.rounded(), -1, Double(titles.count) - 1) }
        case .datePicker: return date(value)
        default: return value
        }
    }

    private static func clamped(_ value: Double, _ smallest: Double, _ largest: Double) -> Value? {
        value.isFinite && smallest <= largest ? number(min(max(value, smallest), largest)) : nil
    }

    private static func number(_ value: Double) -> Value {
        Int64(exactly: value).map { .integer($0) } ?? .double(value)
    }

    /// A date, or a text as dates are described; a day alone begins at midnight.
    private static func date(_ value: Value) -> Value? {
        switch value {
        case .date: return value
        case .string(let text):
            for format in ["yyyy-MM-dd HH:mm:ss Z", "yyyy-MM-dd HH:mm", "yyyy-MM-dd"] {
                let pattern = DatePattern(format, locale: "en_US_POSIX")
                if let seconds = pattern.seconds(text, timeZone: 0) { return .date(seconds) }
            }
            return nil
        default: return nil
        }
    }
}
