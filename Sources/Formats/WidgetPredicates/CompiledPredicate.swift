/// A compiled predicate, which any number of threads can evaluate at the same time.
package struct CompiledPredicate: Sendable {
    package let tree: SyntaxTree
    private let root: any TruthNode
    private let slots: VariableSlots
    private let limits: PredicateLimits

    /// - Parameter locale: the language of `[l]`.
    package init(
        _ tree: SyntaxTree, locale: TextLocale = .root, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) {
        let compiler = try Compiler(tree, locale: locale)
        self.tree = tree
        self.limits = limits
        root = compiler.truth
        slots = VariableSlots(compiler)
    }

    package init(
        _ text: String, arguments: [PredicateValue]? = nil, locale: TextLocale = .root,
        limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) {
        try self.init(.predicate(text, arguments: arguments, limits: limits), locale: locale, limits: limits)
    }

    /// Binds the variables, for any number of evaluations with the same values.
    package func bind(_ variables: [String: PredicateValue]) throws(PredicateError) -> PredicateBindings {
        try slots.bind(variables, in: tree)
    }

    package func holds(
        for subject: PredicateValue, _ bindings: PredicateBindings? = nil,
        environment: PredicateEnvironment = PredicateEnvironment()
    ) throws(PredicateError) -> Bool {
        let variables = if let bindings { bindings.values } else { try bind([:]).values }
        var run = Run(variables, environment, limits)
        let fuel = run.fuel
        defer { run.settle(fuel) }
        return try root.holds(subject, &run)
    }
}

/// A compiled expression, which any number of threads can evaluate at the same time.
package struct CompiledExpression: Sendable {
    package let tree: SyntaxTree
    private let root: any ValueNode
    private let slots: VariableSlots
    private let limits: PredicateLimits

    /// - Parameter locale: the language of `[l]`.
    package init(
        _ tree: SyntaxTree, locale: TextLocale = .root, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) {
        let compiler = try Compiler(tree, locale: locale)
        self.tree = tree
        self.limits = limits
        root = compiler.value
        slots = VariableSlots(compiler)
    }

    package init(
        _ text: String, arguments: [PredicateValue]? = nil, locale: TextLocale = .root,
        limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) {
        try self.init(.expression(text, arguments: arguments, limits: limits), locale: locale, limits: limits)
    }

    /// Binds the variables, for any number of evaluations with the same values.
    package func bind(_ variables: [String: PredicateValue]) throws(PredicateError) -> PredicateBindings {
        try slots.bind(variables, in: tree)
    }

    package func value(
        for subject: PredicateValue, _ bindings: PredicateBindings? = nil,
        environment: PredicateEnvironment = PredicateEnvironment()
    ) throws(PredicateError) -> PredicateValue {
        let variables = if let bindings { bindings.values } else { try bind([:]).values }
        var run = Run(variables, environment, limits)
        let fuel = run.fuel
        defer { run.settle(fuel) }
        return try root.value(subject, &run)
    }
}

/// Values for the variables of one predicate or expression.
package struct PredicateBindings: Sendable {
    let values: [PredicateValue?]
}

/// The indexes of variables' values.
struct VariableSlots: Sendable {
    private let names: [String]
    private let boundNames: Set<String>

    init(_ compiler: Compiler) {
        names = compiler.variables
        boundNames = compiler.boundNames
    }

    func bind(_ variables: [String: PredicateValue], in tree: SyntaxTree) throws(PredicateError) -> PredicateBindings {
        if names.isEmpty { return PredicateBindings(values: []) }
        for name in names where variables[name] == nil && !boundNames.contains(name) {
            let place = tree.nodes.first { $0.kind == .variable(name) }
            throw PredicateError(
                .variableMissing, at: place?.span ?? SourceSpan(from: 0, to: 0), "No value is given for $\(name)",
                found: "`$\(name)`",
                hint: NearMiss.of(name, among: variables.keys.sorted()).map { "a value is given for $\($0)" })
        }
        return PredicateBindings(values: names.map { variables[$0] })
    }
}
