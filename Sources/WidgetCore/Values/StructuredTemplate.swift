package import Predicates

/// A value of which every text is a template: parameters of a request, an answer that was written beforehand.
///
/// What is filled in stays a value: a quote in it can never end a text.
package struct StructuredTemplate: Sendable {
    /// As deep as the document was that it came from.
    fileprivate indirect enum Part: Sendable {
        /// Nothing in it is filled.
        case fixed(Value)
        case text(Template)
        case array([Part])
        case dictionary([(String, Part)])
    }

    private let value: Value
    private let part: Part

    package init(_ value: Value) {
        self.value = value
        part = StructuredTemplate.part(value)
    }

    private static func part(_ value: Value) -> Part {
        switch value {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "$")) else { return .fixed(value) }
            let template = Template(text, .keyPaths)
            return template.hasTokens ? .text(template) : .fixed(value)
        case .array(let elements):
            let parts = elements.map { part($0) }
            return parts.allSatisfy(\.isFixed) ? .fixed(value) : .array(parts)
        case .dictionary(let dictionary):
            let parts = zip(dictionary.keys, dictionary.values).map { ($0, part($1)) }
            return parts.allSatisfy(\.1.isFixed) ? .fixed(value) : .dictionary(parts)
        default: return .fixed(value)
        }
    }

    /// The value with its places filled from a root; without a root the places stay as they are written.
    package func filled(from root: Value?, environment: PredicateEnvironment) -> Value {
        guard let root else { return value }
        return StructuredTemplate.fill(part, root, environment)
    }

    private static func fill(_ part: Part, _ root: Value, _ environment: PredicateEnvironment) -> Value {
        environment.meter?.spend(Meter.field)
        if environment.meter?.left == 0 { return .null }
        switch part {
        case .fixed(let value): return value
        case .text(let template): return .string(template.text(root: root, environment: environment))
        case .array(let parts): return .array(parts.map { fill($0, root, environment) })
        case .dictionary(let parts):
            return .dictionary(PredicateDictionary(parts.map { ($0, fill($1, root, environment)) }))
        }
    }
}

extension StructuredTemplate.Part {
    fileprivate var isFixed: Bool { if case .fixed = self { true } else { false } }
}
