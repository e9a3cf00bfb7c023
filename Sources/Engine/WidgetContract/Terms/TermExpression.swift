package import WidgetPredicates

/// A value that a widget declares about itself, and that may follow from its state.
package enum TermExpression: Sendable {
    case value(PredicateValue)
    case expression(CompiledExpression)
    case condition(CompiledPredicate)

    /// Compiles an expression, or else a condition.
    package init(_ text: String) throws(PredicateError) {
        let first: PredicateError
        do throws(PredicateError) {
            self = .expression(try CompiledExpression(text))
            return
        } catch {
            first = error
        }
        do throws(PredicateError) {
            self = .condition(try CompiledPredicate(text))
        } catch {
            // The parser that came further knows better what was meant.
            throw error.offset > first.offset ? error : first
        }
    }

    package func value(
        for scope: PredicateValue, environment: PredicateEnvironment
    ) throws(PredicateError) -> PredicateValue {
        switch self {
        case .value(let value): value
        case .expression(let expression): try expression.value(for: scope, environment: environment)
        case .condition(let condition): .boolean(try condition.holds(for: scope, environment: environment))
        }
    }
}
