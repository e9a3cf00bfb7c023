/// A key path alone, which is ready at once: what texts are filled from.
package struct CompiledKeyPath: Sendable {
    private let path: KeyPath
    private static let span = SourceSpan(from: 0, to: 0)

    /// `nil` for what is no key path.
    package init?(_ text: String) {
        guard let path = KeyPath(text: text) else { return nil }
        self.path = path
    }

    package func value(
        for subject: PredicateValue, environment: PredicateEnvironment = PredicateEnvironment()
    ) throws(PredicateError) -> PredicateValue {
        var run = Run([], environment, PredicateLimits())
        let fuel = run.fuel
        defer { run.settle(fuel) }
        return try KeyReader.value(along: path.components[...], from: subject, &run, CompiledKeyPath.span)
    }
}
