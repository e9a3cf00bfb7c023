package import Predicates

/// A value of which every text is a template: parameters of a request, an answer that was written beforehand.
///
/// What is filled in stays a value: a quote in it can never end a text.
package struct StructuredTemplate: Sendable {
    private let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// The value with its places filled from a root; without a root the places stay as they are written.
    package func filled(from root: Value?, environment: PredicateEnvironment) -> Value {
        guard let root else { return value }
        return StructuredTemplate.fill(value, root, environment)
    }

    private static func fill(_ value: Value, _ root: Value, _ environment: PredicateEnvironment) -> Value {
        switch value {
        case .string(let text):
            let template = Template(text, .keyPaths)
            return template.hasTokens ? .string(template.text(root: root, environment: environment)) : value
        case .array(let elements): return .array(elements.map { fill($0, root, environment) })
        case .dictionary(let dictionary):
            return .dictionary(
                PredicateDictionary(
                    zip(dictionary.keys, dictionary.values).map { ($0, fill($1, root, environment)) }))
        default: return value
        }
    }
}
