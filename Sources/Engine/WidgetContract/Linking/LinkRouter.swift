internal import WidgetBytes
package import WidgetPredicates

/// The reason for a link that is not written, or not followed.
package enum LinkError: Error, Equatable, Sendable, CustomStringConvertible {
    case badPattern(String)
    case badAddress(String)
    /// A part of the address has no value.
    case missingPart(String)
    case wrongPart(String, expected: LinkPattern.PartType)
    case tooLong(limit: Int)
    /// A part that a route refers to is not in its pattern.
    case unknownPart(String)
    /// Two parts have one name in the screen.
    case sameParameter(String)

    package var description: String {
        switch self {
        case .badPattern(let reason): "not a pattern of links: \(reason)"
        case .badAddress(let reason): "not an address: \(reason)"
        case .missingPart(let name): "the link is not opened, because its part \(name) has no value"
        case .wrongPart(let name, let expected):
            "the link is not opened, because the value of its part \(name) is not of the type \(expected.rawValue)"
        case .tooLong(let limit): "the address is longer than \(limit) bytes"
        case .unknownPart(let name): "the pattern has no part \(name), which its link uses"
        case .sameParameter(let name): "two parts of the pattern are the parameter \(name)"
        }
    }
}

/// A row that a link leads to: the item of a list that has a part of the address at a key path.
package struct LinkReveal: Equatable, Sendable {
    /// The identifier of the list.
    package var list: String
    package var keyPath: [String]
    /// The part of the pattern that has the value.
    package var part: String

    package init(list: String, keyPath: [String], part: String) {
        self.list = list
        self.keyPath = keyPath
        self.part = part
    }
}

/// A pattern of links into a widget, and the place that they lead to.
package struct LinkRoute: Equatable, Sendable {
    package let pattern: LinkPattern
    /// The entry point of the screen.
    package let entry: String
    package let reveal: LinkReveal?
    /// The names that the screen has for parts of the pattern, where they are others.
    package let parameters: [String: String]

    /// - Throws: ``LinkError/unknownPart(_:)`` if it reveals or names a part that its pattern does not have.
    package init(
        _ pattern: LinkPattern, entry: String, reveal: LinkReveal? = nil, parameters: [String: String] = [:]
    ) throws(LinkError) {
        for part in (reveal.map { [$0.part] } ?? []) + parameters.keys.sorted()
        where !pattern.parts.contains(where: { $0.name == part }) {
            throw .unknownPart(part)
        }
        var taken: Set<String> = []
        for part in pattern.parts {
            let name = parameters[part.name] ?? part.name
            guard taken.insert(name).inserted else { throw .sameParameter(name) }
        }
        self.pattern = pattern
        self.entry = entry
        self.reveal = reveal
        self.parameters = parameters
    }
}

/// The place that a link leads to.
package struct LinkDestination: Equatable, Sendable {
    package let route: LinkRoute
    /// The values of the link's parts.
    package let parameters: [String: PredicateValue]

    package static func == (left: LinkDestination, right: LinkDestination) -> Bool {
        left.route == right.route && left.parameters.keys == right.parameters.keys
            && left.parameters.allSatisfy { name, value in right.parameters[name]?.isIdentical(to: value) ?? false }
    }

    /// The value that the revealed row has.
    package var revealed: PredicateValue? { route.reveal.flatMap { parameters[$0.part] } }

    /// The content of the screen: its parameters, without the one that a row is found by.
    package var content: PredicateValue {
        let shown = parameters.filter { $0.key != route.reveal?.part || route.parameters[$0.key] != nil }
            .map { (route.parameters[$0.key] ?? $0.key, $0.value) }.sorted { $0.0 < $1.0 }
        return shown.isEmpty ? .null : .dictionary(PredicateDictionary(shown))
    }
}

/// The outcome of a link into a widget.
package enum LinkResult: Equatable, Sendable {
    case handled
    /// - Parameter reason: no route has such an address, or the row is not in the list.
    case notFound(reason: String)
    /// The screen is shown, and the row is awaited until the list has been loaded.
    case pending
}

/// The links into a widget.
package struct LinkRouter: Equatable, Sendable {
    package let routes: [LinkRoute]

    package static let routeCount = 200

    package init(_ routes: [LinkRoute] = []) { self.routes = routes }

    /// The place that an address leads to, by the first route that has it.
    package func destination(of address: String) -> Result<LinkDestination, LinkError> {
        do throws(LinkError) {
            let pieces = try AddressPieces(address)
            for route in routes {
                guard let parameters = route.pattern.values(of: pieces) else { continue }
                return .success(LinkDestination(route: route, parameters: parameters))
            }
            throw .badAddress("no route of the widget has it")
        } catch {
            return .failure(error)
        }
    }
}

/// A link that is being followed: what is known of its row decides.
package struct LinkVisit: Equatable, Sendable {
    package let destination: LinkDestination
    /// The moment from which it is not waited for any longer.
    package let deadline: Double

    /// The seconds for which a row is awaited.
    package static let patience = 30.0

    package init(_ destination: LinkDestination, at moment: Double) {
        self.destination = destination
        deadline = moment + LinkVisit.patience
    }

    package func secondsLeft(at moment: Double) -> Double { max(0, deadline - moment) }

    /// - Parameters:
    ///   - hasRow: whether the list has the row at present.
    ///   - isLoading: whether answers of the widget's sources are to come.
    package func result(hasRow: Bool, isLoading: Bool, at moment: Double) -> LinkResult {
        guard let reveal = destination.route.reveal, let value = destination.revealed else { return .handled }
        if hasRow { return .handled }
        if isLoading, moment < deadline { return .pending }
        let shown = ShownText.quoted(value.text ?? "")
        return .notFound(
            reason: "the list \(reveal.list) has no row whose \(reveal.keyPath.joined(separator: ".")) is \(shown)")
    }
}
