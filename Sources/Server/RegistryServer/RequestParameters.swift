package import RegistryContract
internal import WidgetBytes
package import WidgetHTTPServer

// The names of the contract as segments of a path, each with the problem of a segment that is not such a name.

extension WidgetIdentifier: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = WidgetIdentifier(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchWidget, "Not a widget identifier: \(WidgetIdentifier.law)")
        }
        self = name
    }
}

extension BundleIdentifier: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = BundleIdentifier(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchBundle, "Not a bundle identifier: \(BundleIdentifier.law)")
        }
        self = name
    }
}

extension ReleaseKey: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = ReleaseKey(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchRelease, "Not a release key: \(ReleaseKey.law)")
        }
        self = name
    }
}

extension ChannelName: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = ChannelName(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchChannel, "Not a channel's name: \(ChannelName.law)")
        }
        self = name
    }
}

extension ProblemCode: PathParameter {
    package init?(pathSegment: Span<UInt8>) {
        guard let text = String(pathSegment: pathSegment) else { return nil }
        self.init(rawValue: text)
    }
}

/// The digest of an archive.
struct BlobDigest: PathParameter, Sendable {
    let digest: Digest

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let digest = Digest(hex: pathSegment) else {
            throw ProblemCatalogue.problem(
                .noSuchBlob, "Not a digest: 64 lower-case hexadecimal digits are.")
        }
        self.digest = digest
    }
}

/// The last segment of a path that names an archive: `WidgetDemo.zip`.
struct ArchiveName: PathParameter, Sendable {
    /// Without the ending.
    private let text: String

    init?(pathSegment: Span<UInt8>) {
        guard let text = String(pathSegment: pathSegment), text.utf8.count > 4, text.lowercased().hasSuffix(".zip")
        else {
            return nil
        }
        self.text = String(text.dropLast(4))
    }

    /// The name of the archive's top folder, without its ending.
    var folderName: String {
        let ending = ".bundle"
        return text.hasSuffix(ending) && text.utf8.count > ending.utf8.count
            ? String(text.dropLast(ending.utf8.count)) : text
    }
}

// MARK: Queries

extension WidgetHTTPServer.Request: QuerySource {
    package func parameter(_ name: StaticString) -> String? { query(name) }

    package func parameters(_ name: StaticString) -> [String] { queries(name) }
}

extension WidgetHTTPServer.Request {
    /// A single parameter; the problem names the values it takes.
    borrowing func query<Value>(_ parameter: QueryParameter<Value>) throws(Problem) -> Value? {
        try rethrowing(try parameter.value(in: self), as: ProblemCatalogue.unreadable)
    }
}

/// The names that the query of a route may have, from the parameters that describe the route.
///
/// A misspelt name would otherwise be ignored: `?dryrun=true` would publish.
struct QueryLaw: Sendable {
    private enum Strictness: Sendable {
        /// Names that the route does not have are refused.
        case closed
        /// They are ignored, unless they are nearly a name that it has.
        case open
    }

    private let names: [String]
    /// Those that may be given more than once.
    private let repeatable: Set<String>
    private let spellings: [[UInt8]]
    private let strictness: Strictness

    private init(_ parameters: [ParameterDescription], _ strictness: Strictness) {
        names = parameters.filter { $0.place == .query }.map(\.name)
        repeatable = Set(parameters.filter { $0.isRepeatable }.map(\.name))
        spellings = names.map { Array($0.utf8) }
        self.strictness = strictness
    }

    /// Of a route that changes something: it refuses every name it does not know.
    static func only(_ parameters: [ParameterDescription]) -> QueryLaw { QueryLaw(parameters, .closed) }

    /// Of a route that reads.
    static func reading(_ parameters: [ParameterDescription]) -> QueryLaw { QueryLaw(parameters, .open) }

    static let nothing = only([])
    static let anything = reading([])
    static let publishing = only(PublishOptions.all)
    static let rollingBack = only(RollbackOptions.all)
    static let revoking = only([RevokeOptions.prefix.described])
    static let rotating = only(RotateOptions.all)
    static let audits = reading(AuditListParameters.all)
    static let withdrawing = only(WithdrawOptions.all)
    static let resolving = reading(ResolveParameters.all)
    static let pages = reading(PageParameters.all)
    static let bundleLists = reading(BundleListParameters.all)
    static let bundlePages = reading(PageParameters.all + DeviceChoice.all)
    static let widgetsAlone = reading(AloneChoice.all)
    static let embedding = reading(EmbedParameters.all)
    static let catalogues = reading(CatalogueParameters.all)
    static let changeLists = reading(ChangeListParameters.all)

    /// The number of names that are compared with the expected ones.
    private static let mostComparisons = 32

    /// Refuses a query that breaks the law.
    func check(_ request: borrowing WidgetHTTPServer.Request) throws(Problem) {
        guard request.hasQuery, !request.queryHoldsOnly(spellings) else { return }
        let given = request.queryNames
        for name in names where !repeatable.contains(name) && given.count(where: { $0 == name }) > 1 {
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
