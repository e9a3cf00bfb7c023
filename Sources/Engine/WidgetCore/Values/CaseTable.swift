internal import WidgetPredicates

/// An expression chosen by the text of another one's value.
package final class CaseTable: Sendable {
    package let subject: Expression
    package let cases: [String: Expression]
    /// The expression for all other values; without one, they have no value.
    package let otherwise: Expression?

    package init(_ subject: Expression, _ cases: [String: Expression], otherwise: Expression? = nil) {
        self.subject = subject
        self.cases = cases
        self.otherwise = otherwise
    }

    /// The text by which a value finds its case: truth values are `true` and `false`, a missing value is `null`.
    package static func key(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        default: value.text ?? ""
        }
    }

    func value(_ scope: Value, _ moment: ExpressionContext) throws(PredicateError) -> Value {
        let key = CaseTable.key(try subject.value(scope, moment))
        guard let chosen = cases[key] ?? otherwise else { return .null }
        // Every expression within costs at least the fuel of one, or tables within tables would be free.
        moment.predicates.meter?.spend(Meter.item)
        return try chosen.value(scope, moment)
    }

    var dependsOnClock: Bool {
        subject.dependsOnClock || otherwise?.dependsOnClock ?? false || cases.values.contains { $0.dependsOnClock }
    }

    /// The key paths that its parts read, the subject's first.
    var keyPaths: [String] {
        let parts = [subject] + cases.sorted { $0.key < $1.key }.map { $0.value } + [otherwise].compactMap { $0 }
        return parts.flatMap { $0.keyPaths }
    }
}
