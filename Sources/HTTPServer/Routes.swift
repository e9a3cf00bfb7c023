package import HTTPWire

/// The routes of a listener, in the order they are written down: the one screen that says what it serves.
package struct Routes: Sendable {
    struct Route: Sendable {
        let method: Method
        let template: String
        /// Whether a slash at the end leads here too.
        let takesSlash: Bool
        let action: @Sendable (borrowing Request) -> Answer
    }

    private static let optionalSlash = "(/)"

    private(set) var all: [Route] = []

    package init() {}

    /// The methods and templates served, for a description of the server.
    package var listing: [(method: Method, template: String)] { all.map { ($0.method, $0.template) } }

    /// Adds a route. `{name}` in the template is one segment, `{name...}` is all that remain; each becomes an
    /// argument of `action`, read as the type the action says. In `{name}.zip` the ending is part of the argument.
    /// A template that ends in `(/)` is also reached with a slash at the end.
    package mutating func on<each Parameter: PathParameter>(
        _ method: Method, _ template: String,
        _ action: @escaping @Sendable (borrowing Request, repeat each Parameter) throws -> Answer
    ) {
        let takesSlash = template.hasSuffix(Routes.optionalSlash)
        let plain = takesSlash ? String(template.dropLast(Routes.optionalSlash.utf8.count)) : template
        all.append(
            Route(method: method, template: plain, takesSlash: takesSlash) { request in
                var index = 0
                do {
                    return try action(request, repeat try Routes.parameter(request, &index, (each Parameter).self))
                } catch let problem as Problem {
                    return .problem(problem)
                } catch is UnreadableParameter {
                    return .refused(.noRoute)
                } catch {
                    return .failed(String(describing: error))
                }
            })
    }

    /// The next variable segment, as the type the action takes.
    private static func parameter<Value: PathParameter>(
        _ request: borrowing Request, _ index: inout Int, _: Value.Type
    ) throws -> Value {
        defer { index += 1 }
        let value = try request.withParameter(index) { segment throws(Problem) in try Value(pathSegment: segment) }
        guard let value else { throw UnreadableParameter() }
        return value
    }

    package mutating func get<each Parameter: PathParameter>(
        _ template: String,
        _ action: @escaping @Sendable (borrowing Request, repeat each Parameter) throws -> Answer
    ) {
        on(.get, template, action)
    }

    private struct UnreadableParameter: Error {}
}
