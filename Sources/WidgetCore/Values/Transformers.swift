internal import Predicates

/// The transformers a widget can name: those that every widget has, and its own, which come first.
package struct Transformers: Sendable {
    private var own: [String: Transformer]

    package init(_ own: [String: Transformer] = [:]) {
        self.own = own
    }

    package subscript(_ name: String) -> Transformer? {
        get { own[name] ?? Transformers.common[name] }
        set { own[name] = newValue }
    }

    package var names: [String] { (Array(own.keys) + Array(Transformers.common.keys)).sorted() }

    private static let common: [String: Transformer] = [
        "toString": .text, "strToInt": .integer, "toDouble": .double, "ago": .age,
        "NSNegateBoolean": .negation, "NegateBoolean": .negation, "NSNegateBooleanTransformerName": .negation,
        "NSIsNil": .isNil, "IsNil": .isNil, "NSIsNilTransformerName": .isNil,
        "NSIsNotNil": .isNotNil, "IsNotNil": .isNotNil, "NSIsNotNilTransformerName": .isNotNil,
    ]
}

/// A way from one value to another that has a name.
package enum Transformer: Sendable {
    case text, integer, double
    /// How long ago a date was, in its largest unit.
    case age
    case negation, isNil, isNotNil
    /// Dates to texts and back.
    case date(DatePattern)

    /// - Returns: `nil` for what the transformer cannot do anything with.
    package func apply(_ value: Value, _ environment: Environment, log: ReadLog? = nil) -> Value? {
        switch self {
        case .text: return .string(value.shown)
        case .integer: return Int64(value.shown).map { .integer($0) }
        case .double: return Value.string(value.shown).number.map { .double($0) }
        case .age:
            guard case .date(let seconds) = value else { return nil }
            let age = Age(of: seconds, at: environment.now)
            log?.expires(at: age.changesAt)
            return .string(age.text)
        case .negation: return .boolean(!value.truth)
        case .isNil: return .boolean(value.isNull)
        case .isNotNil: return .boolean(!value.isNull)
        case .date(let pattern):
            switch value {
            case .date(let seconds): return .string(pattern.text(seconds, timeZone: environment.timeZone))
            case .string(let text): return pattern.seconds(text, timeZone: environment.timeZone).map { .date($0) }
            default: return nil
            }
        }
    }
}

/// How long ago something was, cut to its largest unit.
struct Age {
    let text: String
    /// When it will read otherwise.
    let changesAt: Double

    init(of moment: Double, at now: Double) {
        let seconds = (now - moment).rounded(.down)
        guard seconds >= 1, seconds < 1e12 else {
            text = "Now"
            changesAt = seconds < 1 ? moment + 1 : .infinity
            return
        }
        if seconds < 2_419_200 {
            let (unit, name) =
                seconds < 60
                ? (1.0, "s") : seconds < 3_600 ? (60, "m") : seconds < 86_400 ? (3_600, "h") : (86_400, "d")
            let count = (seconds / unit).rounded(.down)
            text = "\(Int(count))\(name)"
            changesAt = moment + (count + 1) * unit
            return
        }
        let (start, end) = (CalendarDate(seconds: moment), CalendarDate(seconds: now))
        var months = (end.year - start.year) * 12 + end.month - start.month
        let rest = (end.day, end.secondOfDay) < (start.day, start.secondOfDay)
        if rest { months -= 1 }
        if months >= 12 {
            text = "\(months / 12)y"
        } else if months > 0 {
            text = "\(months)mo"
        } else {
            text = "\(Int(seconds / 86_400))d"
        }
        changesAt =
            (now / 86_400).rounded(.down) * 86_400 + Double(start.secondOfDay.rounded(.down))
            // The border lies at the time of day of the start, today or tomorrow.
            + ((now / 86_400 - (now / 86_400).rounded(.down)) * 86_400 >= start.secondOfDay ? 86_400 : 0)
    }
}
