internal import HTTPWire

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
    private var nodes: [Node] = [Node()]

    init(_ routes: Routes) {
        self.routes = routes.all
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
