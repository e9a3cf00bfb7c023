internal import Bytes
internal import HTTPServer
internal import RegistryContract

/// Which names the query of a route may have, made of the parameters that describe the route.
///
/// A name that is misspelt would otherwise be a wish that is not heard: `?dryrun=true` would publish.
struct QueryLaw: Sendable {
    private enum Strictness: Sendable {
        /// Names that the route does not have are refused.
        case closed
        /// They are ignored, unless they are nearly a name that it has.
        case open
    }

    private let names: [String]
    private let spellings: [[UInt8]]
    private let strictness: Strictness

    private init(_ parameters: [ParameterDescription], _ strictness: Strictness) {
        names = parameters.filter { $0.place == .query }.map(\.name)
        spellings = names.map { Array($0.utf8) }
        self.strictness = strictness
    }

    /// Of a route that changes something: it does nothing that it was not asked for in words it knows.
    static func only(_ parameters: [ParameterDescription]) -> QueryLaw { QueryLaw(parameters, .closed) }

    /// Of a route that reads.
    static func reading(_ parameters: [ParameterDescription]) -> QueryLaw { QueryLaw(parameters, .open) }

    static let nothing = only([])
    static let anything = reading([])
    static let publishing = only(PublishOptions.all)
    static let revoking = only([RevokeOptions.prefix.described])
    static let audits = reading(AuditListParameters.all)
    static let withdrawing = only([WithdrawOptions.reason.described])
    static let resolving = reading(ResolveParameters.all)
    static let pages = reading(PageParameters.all)
    static let bundleLists = reading(BundleListParameters.all)
    static let changeLists = reading(ChangeListParameters.all)

    /// How many names are compared with those that are meant.
    private static let mostComparisons = 32

    /// Refuses a query that breaks the law.
    func check(_ request: borrowing HTTPServer.Request) throws(Problem) {
        guard request.hasQuery, !request.queryHoldsOnly(spellings) else { return }
        let given = request.queryNames
        for name in names where given.count(where: { $0 == name }) > 1 {
            throw problem("The parameter \(name) is given more than once, which can be read in two ways; give it once.")
        }
        for name in given.filter({ !names.contains($0) }).prefix(QueryLaw.mostComparisons) {
            if let meant = NearestName.of(name, in: names) {
                throw problem("\(QueryLaw.unknown(name)): did you mean \(meant)?")
            }
            guard strictness == .closed else { continue }
            throw problem(
                names.isEmpty
                    ? "\(QueryLaw.unknown(name)), which takes none; leave it out."
                    : "\(QueryLaw.unknown(name)), which takes \(names.joined(separator: ", ")); leave it out, or correct it."
            )
        }
    }

    private static func unknown(_ name: String) -> String {
        name.isEmpty
            ? "There is a parameter without a name in the query of this route"
            : "There is no parameter \(ProblemCatalogue.quoted(String(name.prefix(80)))) on this route"
    }

    private func problem(_ detail: String) -> Problem {
        ProblemCatalogue.problem(
            .malformedRequest, strictness == .closed ? "\(detail) Nothing was changed." : detail)
    }
}
