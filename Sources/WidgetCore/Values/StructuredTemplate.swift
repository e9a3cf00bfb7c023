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
        var paths = TemplatePath.Table()
        part = StructuredTemplate.part(value, &paths) ?? .fixed(value)
    }

    /// `nil` where nothing is filled in, as in most of what is written beforehand.
    private static func part(_ value: Value, _ paths: inout TemplatePath.Table) -> Part? {
        switch value {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
            let template = Template(text, .keyPaths, &paths)
            return template.hasTokens ? .text(template) : nil
        case .array(let elements):
            return parts(elements, &paths).map { .array($0) }
        case .dictionary(let dictionary):
            return parts(dictionary.values, &paths).map { .dictionary(Array(zip(dictionary.keys, $0))) }
        default: return nil
        }
    }

    private static func parts(_ values: [Value], _ paths: inout TemplatePath.Table) -> [Part]? {
        var parts: [Part] = []
        for (place, value) in values.enumerated() {
            let part = part(value, &paths)
            if part != nil, parts.isEmpty { parts = values[..<place].map { .fixed($0) } }
            if part != nil || !parts.isEmpty { parts.append(part ?? .fixed(value)) }
        }
        return parts.isEmpty ? nil : parts
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
