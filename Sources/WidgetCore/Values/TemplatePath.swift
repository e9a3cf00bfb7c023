internal import Predicates

/// What one place of a template reads. Templates that read the same share it: a document can have very many.
final class TemplatePath: Sendable {
    private let expression: CompiledKeyPath?
    /// What is no key path reads key by key, and so mostly nothing.
    private let keys: [String]

    private init(_ text: String) {
        expression = CompiledKeyPath(text)
        keys = expression == nil ? text.split(separator: ".").map(String.init) : []
    }

    func value(in root: Value, _ environment: PredicateEnvironment) -> Value {
        guard let expression else { return root.member(at: keys) }
        do throws(PredicateError) {
            return try expression.value(for: root, environment: environment)
        } catch {
            // A key that does not exist reads as nothing here, as the language of templates has no errors.
            return .null
        }
    }

    /// Paths by how they are written.
    struct Table {
        private var known: [String: TemplatePath] = [:]

        subscript(text: String) -> TemplatePath {
            mutating get {
                if let path = known[text] { return path }
                let path = TemplatePath(text)
                known[text] = path
                return path
            }
        }
    }
}
