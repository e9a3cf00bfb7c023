internal import WidgetBytes
package import WidgetPredicates

/// An expression: a start value, and steps that each convert the value of the step before.
///
/// This is what bindings, attributes and conditions of every authored form become.
package struct Expression: Sendable {
    package enum Start: Sendable {
        case literal(Value)
        /// The whole scope.
        case scope
        case compiled(CompiledExpression)
        /// A dictionary of values.
        case members([(name: String, expression: Expression)])
        /// One of several expressions.
        case match(CaseTable)
    }

    package enum Step: Sendable {
        /// True if the predicate holds for the value.
        case truth(CompiledPredicate)
        /// One of two values, which may read from the current one. A missing choice leaves the value as it is.
        case choice(CompiledPredicate, whenTrue: Choice?, whenFalse: Choice?)
        /// A transformer, by its name. A value that it cannot convert stays as it is.
        case transformer(String)
        /// A text that formats an existing value.
        case format(Template)
        /// The placeholder of a missing value.
        case placeholder(Value)
        /// The steps of a result chain, as one expression.
        case chain(CompiledExpression)
        /// Negates the value's truth.
        case negation
        /// A dictionary that has the value under one name.
        case named(String)
    }

    package enum Choice: Sendable {
        case value(Value)
        case template(Template)
    }

    package var start: Start
    package var steps: [Step]
    package var place: Place?
    /// As it was written, for explanations of a value.
    package var source: String

    package init(_ start: Start, _ steps: [Step] = [], place: Place? = nil, source: String = "") {
        self.start = start
        self.steps = steps
        self.place = place
        self.source = source
    }

    package static func literal(_ value: Value, place: Place? = nil) -> Expression {
        Expression(.literal(value), place: place)
    }

    /// Reads a key path of the scope.
    package init(keyPath: String, place: Place? = nil) throws(PredicateError) {
        let compiled = try CompiledExpression("%K", arguments: [.string(keyPath)])
        self.init(.compiled(compiled), place: place, source: keyPath)
    }

    package var literal: Value? {
        guard case .literal(let value) = start, steps.isEmpty else { return nil }
        return value
    }

    package func value(_ scope: Value, _ moment: ExpressionContext) throws(PredicateError) -> Value {
        var value: Value =
            switch start {
            case .literal(let literal): literal
            case .scope: scope
            case .compiled(let expression): try expression.value(for: scope, environment: moment.predicates)
            case .members(let members): try Expression.dictionary(members, scope, moment)
            case .match(let table): try table.value(scope, moment)
            }
        for step in steps { value = try Expression.apply(step, to: value, moment) }
        return value
    }

    private static func dictionary(
        _ members: [(name: String, expression: Expression)], _ scope: Value, _ moment: ExpressionContext
    ) throws(PredicateError) -> Value {
        var values: [(String, Value)] = []
        for member in members { values.append((member.name, try member.expression.value(scope, moment))) }
        return .dictionary(PredicateDictionary(values))
    }

    private static func apply(
        _ step: Step, to value: Value, _ moment: ExpressionContext
    ) throws(PredicateError) -> Value {
        switch step {
        case .truth(let predicate):
            return .boolean(try predicate.holds(for: value, environment: moment.predicates))
        case .choice(let predicate, let whenTrue, let whenFalse):
            let holds = try predicate.holds(for: value, environment: moment.predicates)
            guard let choice = holds ? whenTrue : whenFalse else { return value }
            switch choice {
            case .value(let value): return value
            case .template(let template): return .string(template.text(root: value, environment: moment.predicates))
            }
        case .transformer(let name):
            guard !value.isNull || moment.transformers[name]?.acceptsNull == true,
                let transformer = moment.transformers[name]
            else { return value }
            return transformer.apply(value, moment.environment, log: moment.log) ?? value
        case .format(let template):
            return value.isNull ? value : .string(template.text(root: value, environment: moment.predicates))
        case .placeholder(let placeholder): return value.isNull ? placeholder : value
        case .chain(let expression): return try expression.value(for: value, environment: moment.predicates)
        case .negation: return .boolean(!value.truth)
        case .named(let name): return .dictionary(PredicateDictionary([(name, value)]))
        }
    }
}

extension Transformer {
    /// True if the transformer accepts null; most do not.
    fileprivate var acceptsNull: Bool {
        switch self {
        case .isNil, .isNotNil: true
        default: false
        }
    }
}

/// The inputs of an expression besides its scope. It is a class because many expressions share it.
package final class ExpressionContext: Sendable {
    package let environment: Environment
    package let transformers: Transformers
    package let log: ReadLog?
    package let predicates: PredicateEnvironment

    package init(_ environment: Environment, _ transformers: Transformers, log: ReadLog? = nil, meter: Meter? = nil) {
        self.environment = environment
        self.transformers = transformers
        self.log = log
        predicates = PredicateEnvironment(now: environment.now, seed: environment.seed, meter: meter)
    }
}

extension Expression {
    /// True if the result can change with the clock or a random number alone.
    package var dependsOnClock: Bool {
        var trees: [SyntaxTree] = []
        if case .members(let members) = start, members.contains(where: { $0.expression.dependsOnClock }) { return true }
        if case .match(let table) = start, table.dependsOnClock { return true }
        if case .compiled(let expression) = start { trees.append(expression.tree) }
        for step in steps {
            switch step {
            case .truth(let predicate), .choice(let predicate, _, _): trees.append(predicate.tree)
            case .chain(let expression): trees.append(expression.tree)
            default: continue
            }
        }
        return trees.contains { $0.nodes.contains(where: Expression.dependsOnClock) }
    }

    private static func dependsOnClock(_ node: SyntaxNode) -> Bool {
        switch node.kind {
        case .function(let function, _), .call(let function, _):
            function == .now || function == .random || function == .randomBelow
        default: false
        }
    }
}

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

/// A named conversion of values.
package enum Transformer: Sendable {
    case text, integer, double
    /// The age of a date in its largest unit.
    case age
    case negation, isNil, isNotNil
    /// The moment that a text of ISO 8601 or a number of seconds is; numbers count from 1970, or from 2001.
    case moment(isReference: Bool)
    /// The distance of a date: `in 5m`, `5m ago`.
    case distance
    /// The time until a date, to the second.
    case countdown
    /// Dates to texts and back.
    case date(DatePattern)

    /// - Returns: `nil` for a value that it cannot convert.
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
        case .moment(let isReference):
            switch value {
            case .date: return value
            case .string(let text): return DateText.seconds(text).map { .date($0) }
            default: return value.number.map { .date(isReference ? $0 : $0 - CivilDate.secondsTo2001) }
            }
        case .distance, .countdown:
            guard case .date(let seconds) = value else { return nil }
            log?.expires(at: environment.now)
            if case .countdown = self { return .string(Countdown.text(to: seconds, at: environment.now)) }
            return .string(Countdown.distance(of: seconds, at: environment.now))
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

/// An age, cut to its largest unit.
struct Age {
    let text: String
    /// The moment at which its text changes.
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
            text = "\(Int64(count))\(name)"
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
            text = "\(Int64(seconds / 86_400))d"
        }
        changesAt =
            (now / 86_400).rounded(.down) * 86_400 + Double(start.secondOfDay.rounded(.down))
            // The border lies at the time of day of the start, today or tomorrow.
            + ((now / 86_400 - (now / 86_400).rounded(.down)) * 86_400 >= start.secondOfDay ? 86_400 : 0)
    }
}
