/// A call of a function of the language.
final class FunctionNode: ValueNode {
    let function: PredicateFunction
    let parts: [any ValueNode]
    let span: SourceSpan

    init(_ function: PredicateFunction, _ parts: [any ValueNode], _ span: SourceSpan) {
        self.function = function
        self.parts = parts
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        var arguments: [PredicateValue] = []
        arguments.reserveCapacity(parts.count)
        for part in parts { arguments.append(try part.value(subject, &run)) }
        try run.spend(1 + parts.count, span)
        return try function.applied(to: arguments, &run, span)
    }
}
