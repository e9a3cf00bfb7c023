internal import RegistryContract

/// The releases that outcomes are about, each looked up once while the registry does not change: also those that are not here,
/// which strangers can name without end. The questions of one round are bounded.
package struct OutcomePlaces: Sendable {
    private struct Place: Hashable {
        var bundle: Int64
        var release: String
        var channel: String
    }

    enum Answer {
        case release(Int64)
        /// It is about nothing that is here, or not within the prefix of its sender.
        case nowhere
        /// Enough was asked in this round.
        case later
    }

    /// The most that is kept, of widgets and of releases.
    private static let capacity = 10_000
    /// The most questions to the catalog in one round.
    package static let mostQuestions = 1_000

    private var bundles: [WidgetIdentifier: BundleName?] = [:]
    private var releases: [Place: Int64?] = [:]
    /// The last tag of the feed when these were looked up.
    private var tag: Int64 = 0
    /// The questions of this round.
    package private(set) var questions = 0

    package init() {}

    /// Begins a round. After a change of the registry a widget can be another bundle's, and a release can be here that was not;
    /// one that was on a channel has been on it.
    ///
    /// - Returns: true after a change.
    mutating func begin(_ catalog: any CatalogReader) throws(RegistryError) -> Bool {
        questions = 0
        let latest = try catalog.latestTag()
        guard latest != tag else { return false }
        tag = latest
        bundles = [:]
        releases = releases.filter { $0.value != nil }
        return true
    }

    mutating func find(_ sent: SentOutcome, in catalog: any CatalogReader) throws(RegistryError) -> Answer {
        guard let bundle = try bundle(of: sent.widget, in: catalog) else { return .later }
        guard let bundle, Token(name: "", prefix: sent.prefix, scopes: [], created: 0).covers(bundle.identifier) else {
            return .nowhere
        }
        let place = Place(bundle: bundle.id, release: sent.release, channel: sent.channel)
        if let known = releases[place] { return known.map { .release($0) } ?? .nowhere }
        guard questions < OutcomePlaces.mostQuestions else { return .later }
        questions += 2
        var found: Int64?
        if let release = try catalog.release(sent.release, ofBundle: bundle.id)?.id,
            try catalog.channels(everShowing: release, inBundle: bundle.id).contains(sent.channel)
        {
            found = release
        }
        if releases.count >= OutcomePlaces.capacity { releases = releases.filter { $0.value != nil } }
        if releases.count >= OutcomePlaces.capacity { releases = [:] }
        releases[place] = .some(found)
        return found.map { .release($0) } ?? .nowhere
    }

    /// - Returns: `nil` if the catalog was asked enough.
    private mutating func bundle(
        of widget: WidgetIdentifier, in catalog: any CatalogReader
    ) throws(RegistryError) -> BundleName?? {
        if let known = bundles[widget] { return known }
        guard questions < OutcomePlaces.mostQuestions else { return nil }
        questions += 1
        let found = try catalog.longestBundle(beginning: widget.text, within: "")
        if bundles.count >= OutcomePlaces.capacity { bundles = [:] }
        bundles[widget] = .some(found)
        return .some(found)
    }
}
