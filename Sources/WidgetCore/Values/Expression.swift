package import Predicates

/// How a value comes about: something to begin with, and steps that each make a value of the one before.
///
/// This is what bindings, attributes and conditions of every authored form become.
package struct Expression: Sendable {
    package enum Start: Sendable {
        case literal(Value)
        /// All that can be seen from here.
        case scope
        case compiled(CompiledExpression)
    }

    package enum Step: Sendable {
        /// Whether a question holds for the value.
        case truth(CompiledPredicate)
        /// One or the other. What is picked may read from the value; what is not given leaves the value as it is.
        case choice(CompiledPredicate, whenTrue: Choice?, whenFalse: Choice?)
        /// A transformer, by its name. One that cannot do anything leaves the value as it is.
        case transformer(String)
        /// A text made of a value that there is.
        case format(Template)
        /// What stands in for no value.
        case placeholder(Value)
        /// The steps of a result chain, as one expression.
        case chain(CompiledExpression)
        /// What was true is false.
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

    /// What is behind a key path of the scope.
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
            }
        for step in steps { value = try Expression.apply(step, to: value, moment) }
        return value
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
    /// Most are not asked about nothing.
    fileprivate var acceptsNull: Bool {
        switch self {
        case .isNil, .isNotNil: true
        default: false
        }
    }
}

/// What an expression may know besides its scope. One for many expressions, which is why it is no value.
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
    /// Whether the clock or chance alone could change what comes out.
    package var asksTheClock: Bool {
        var trees: [SyntaxTree] = []
        if case .compiled(let expression) = start { trees.append(expression.tree) }
        for step in steps {
            switch step {
            case .truth(let predicate), .choice(let predicate, _, _): trees.append(predicate.tree)
            case .chain(let expression): trees.append(expression.tree)
            default: continue
            }
        }
        return trees.contains { $0.nodes.contains(where: Expression.asksTheClock) }
    }

    private static func asksTheClock(_ node: SyntaxNode) -> Bool {
        switch node.kind {
        case .function(let function, _), .call(let function, _):
            function == .now || function == .random || function == .randomBelow
        default: false
        }
    }
}
