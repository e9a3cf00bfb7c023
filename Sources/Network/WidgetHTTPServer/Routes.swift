package import HTTPWire

/// The routes of a listener, in the order they are written down: the one screen that says what it serves.
package struct Routes: Sendable {
    struct Route: Sendable {
        let method: Method
        let template: String
        /// True if a path with a slash at its end matches too.
        let takesSlash: Bool
        var action: @Sendable (borrowing Request) -> Answer
        /// False if the log of requests does not have their clients.
        var logsClient = true
    }

    private static let optionalSlash = "(/)"

    private(set) var all: [Route] = []
    /// A page for people in place of the refusal of an address that no route answers; `nil` where the refusal stays.
    package var refusalPage: (@Sendable (borrowing Request, Problem) -> Answer?)?

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

    /// The same routes, some of which all give one answer.
    package func answering(
        _ answer: @escaping @Sendable (borrowing Request) -> Answer, where isOne: (Method, _ template: String) -> Bool
    ) -> Routes {
        var routes = self
        routes.all = all.map { route in
            guard isOne(route.method, route.template) else { return route }
            var changed = route
            changed.action = answer
            return changed
        }
        return routes
    }

    /// The same routes, some of which are logged without the addresses of their clients.
    package func loggedWithoutClient(where isOne: (_ template: String) -> Bool) -> Routes {
        var routes = self
        for index in routes.all.indices where isOne(routes.all[index].template) {
            routes.all[index].logsClient = false
        }
        return routes
    }

    /// The same routes, with a change to the answers of some reading requests.
    ///
    /// - Parameter change: asked on the event loop; `nil` where the answer stays.
    package func changingReads(
        where isOne: (_ template: String) -> Bool,
        _ change: @escaping @Sendable (borrowing Request) -> (@Sendable (Answer) -> Answer)?
    ) -> Routes {
        var routes = self
        routes.all = all.map { route in
            guard route.method == .get, isOne(route.template) else { return route }
            var changed = route
            changed.action = { request in
                let answer = route.action(request)
                return change(request).map { answer.changed(by: $0) } ?? answer
            }
            return changed
        }
        return routes
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

/// The positions of a matched path's variable segments, in its bytes.
struct PathParameters: Sendable {
    /// The most variable segments a route has.
    static let capacity = 4

    private var starts = InlineArray<4, Int32>(repeating: 0)
    private var ends = InlineArray<4, Int32>(repeating: 0)
    private(set) var count = 0

    subscript(index: Int) -> Range<Int> {
        guard index < count else { return 0..<0 }
        return Int(starts[index])..<Int(ends[index])
    }

    mutating func append(_ range: Range<Int>) {
        guard count < PathParameters.capacity else { return }
        starts[count] = Int32(truncatingIfNeeded: range.lowerBound)
        ends[count] = Int32(truncatingIfNeeded: range.upperBound)
        count &+= 1
    }

    /// The same segments in bytes where the path starts at `offset`.
    func shifted(by offset: Int) -> PathParameters {
        guard offset > 0 else { return self }
        var shifted = PathParameters()
        for index in 0..<count {
            let range = self[index]
            shifted.append((range.lowerBound &+ offset)..<(range.upperBound &+ offset))
        }
        return shifted
    }
}

/// A value that a path segment can be read as. Other segments do not match the route, or throw a problem that says more.
package protocol PathParameter: SendableMetatype {
    init?(pathSegment: Span<UInt8>) throws(Problem)
}

extension String: PathParameter {
    package init?(pathSegment: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: pathSegment) else { return nil }
        self.init(copying: text)
    }
}

/// Routes as a tree of path segments, made once at start.
///
/// At each step a literal segment is preferred to a variable one, and that choice is final: no route of
/// ours needs a second try, and without one the cost of a match is the length of the path.
struct RouteTable: Sendable {
    enum Match {
        case route(Int, PathParameters)
        case wrongMethod(allowed: String)
        case none
    }

    private struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var variable: Int?
        /// The node for the rest of the path.
        var rest: Int?
        var routes: [(method: Method, route: Int)] = []
        /// Those of them that a slash at the end leads to as well.
        var slashed: [(method: Method, route: Int)] = []
        var allowed = ""
    }

    let routes: [Routes.Route]
    let refusalPage: (@Sendable (borrowing Request, Problem) -> Answer?)?
    private var nodes: [Node] = [Node()]

    init(_ routes: Routes) {
        self.routes = routes.all
        refusalPage = routes.refusalPage
        for (index, route) in routes.all.enumerated() { insert(route, index) }
        for index in nodes.indices { nodes[index].allowed = RouteTable.allowed(nodes[index].routes.map(\.method)) }
    }

    /// Every method any route has, for `OPTIONS *`.
    var allMethods: String { RouteTable.allowed(routes.map(\.method)) }

    func match(_ method: Method, _ path: Span<UInt8>) -> Match {
        var node = 0
        var parameters = PathParameters()
        // The leading slash opens the first segment.
        var position = 0
        while position < path.count {
            let start = position &+ 1
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end &+= 1 }
            if start == path.count, position == 0 { break }
            if let next = literal(node, path, start..<end) {
                node = next
            } else if let next = nodes[node].variable, end > start {
                parameters.append(start..<end)
                node = next
            } else if let next = nodes[node].rest, end > start {
                parameters.append(start..<path.count)
                node = next
                break
            } else if start == path.count {
                return slashed(method, node, parameters)
            } else {
                return .none
            }
            position = end
        }
        return choose(method, node, parameters)
    }

    private func literal(_ node: Int, _ path: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for (segment, next) in nodes[node].literals where path.matches(segment, at: range) {
            return next
        }
        return nil
    }

    /// A path with a slash at its end leads to routes that take one; for all others it leads nowhere.
    private func slashed(_ method: Method, _ node: Int, _ parameters: PathParameters) -> Match {
        let wanted = method == .head ? .get : method
        for (candidate, route) in nodes[node].slashed where candidate == wanted { return .route(route, parameters) }
        return .none
    }

    private func choose(_ method: Method, _ node: Int, _ parameters: PathParameters) -> Match {
        guard !nodes[node].routes.isEmpty else { return .none }
        // HEAD is GET without the content (RFC 9110 §9.3.2).
        let wanted = method == .head ? .get : method
        for (candidate, route) in nodes[node].routes where candidate == wanted {
            return .route(route, parameters)
        }
        return .wrongMethod(allowed: nodes[node].allowed)
    }

    private mutating func insert(_ route: Routes.Route, _ index: Int) {
        var node = 0
        for segment in route.template.split(separator: "/") {
            if segment.hasPrefix("{"), segment.hasSuffix("...}") {
                node = child(of: node, at: \.rest)
            } else if segment.hasPrefix("{") {
                node = child(of: node, at: \.variable)
            } else {
                let bytes = Array(segment.utf8)
                if let existing = nodes[node].literals.first(where: { $0.segment == bytes }) {
                    node = existing.node
                } else {
                    nodes.append(Node())
                    nodes[node].literals.append((bytes, nodes.count - 1))
                    node = nodes.count - 1
                }
            }
        }
        precondition(
            !nodes[node].routes.contains { $0.method == route.method }, "two routes answer \(route.template)")
        nodes[node].routes.append((route.method, index))
        if route.takesSlash { nodes[node].slashed.append((route.method, index)) }
    }

    private mutating func child(of node: Int, at side: WritableKeyPath<Node, Int?>) -> Int {
        if let existing = nodes[node][keyPath: side] { return existing }
        nodes.append(Node())
        nodes[node][keyPath: side] = nodes.count - 1
        return nodes.count - 1
    }

    private static func allowed(_ methods: [Method]) -> String {
        var all = Set(methods.filter { $0 != .other })
        if all.contains(.get) { all.insert(.head) }
        all.insert(.options)
        return all.sorted { $0.rawValue < $1.rawValue }.map(\.name).joined(separator: ", ")
    }
}

extension Span where Element == UInt8 {
    @inline(__always)
    func matches(_ segment: [UInt8], at range: Range<Int>) -> Bool {
        guard segment.count == range.count else { return false }
        for index in 0..<segment.count where self[range.lowerBound &+ index] != segment[index] { return false }
        return true
    }
}
