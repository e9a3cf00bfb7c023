internal import RegistryContract
internal import WidgetBytes

/// The bundles that a page of a catalogue shows.
package struct SearchQuery: Sendable {
    /// Words that each begin a word of the identifier or the name, in any case.
    package var text = ""
    /// The beginning of the identifiers.
    package var prefix = ""
    /// The code of a finding or warning about the latest release.
    package var finding: String?
    package var limit: Int
    /// The `next` of the page before.
    package var after: String?
    /// The whole labels that the reader's bundles are, or begin with before a dot; empty: it may see any bundle.
    package var territory: String
    /// True for a bundle that the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        limit: Int, after: String? = nil, territory: String = "",
        isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.limit = limit
        self.after = after
        self.territory = territory
        self.isVisible = isVisible
    }
}

/// A bundle, as a catalogue shows it.
package struct CatalogueEntry: Equatable, Sendable {
    package var bundle: BundleSummary
    /// The release that hosts get which name no channel; the latest where none is for them, and `nil` when all are withdrawn.
    package var release: Release?
    /// The names of the parts that are kept beside the release.
    package var parts: Set<String>
}

extension Registry {
    /// Part of the bundles that answer to a query.
    ///
    /// With words, bundles that have exactly the word come first. A page can be short, even empty, and still have a next.
    package func search(_ query: SearchQuery) throws(RegistryError) -> Page<CatalogueEntry> {
        try catalog.read { catalog throws(RegistryError) in
            let (found, next) = try query.bundles(in: catalog)
            var entries: [CatalogueEntry] = []
            for bundle in found { entries.append(try catalog.entry(bundle)) }
            return Page(items: entries, next: next)
        }
    }

    /// A bundle as a catalogue shows it.
    package func entry(_ bundle: String) throws(RegistryError) -> CatalogueEntry {
        try catalog.read { catalog throws(RegistryError) in try catalog.entry(catalog.knownBundle(bundle)) }
    }

    /// A part that is kept beside a release, which is not withdrawn; `nil` if the release has no such part.
    package func part(_ name: String, of bundle: String, _ key: String) throws(RegistryError) -> ReleasePart? {
        try catalog.read { catalog throws(RegistryError) in
            let (release, record) = try catalog.knownRelease(bundle, key)
            guard !release.isGone else { return nil }
            return try catalog.part(name, ofRelease: record.id)
        }
    }

    /// The names of the parts that are kept beside a release.
    package func partNames(of bundle: String, _ key: String) throws(RegistryError) -> Set<String> {
        try catalog.read { catalog throws(RegistryError) in
            Set(try catalog.partNames(ofRelease: catalog.knownRelease(bundle, key).1.id))
        }
    }

    /// The changes that made releases, the latest first, of the last changes that there were.
    package func latestPublications(limit: Int) throws(RegistryError) -> [RegistryChange] {
        try catalog.read { catalog throws(RegistryError) in
            Array(try catalog.latestChanges(limit: limit * 8).filter { $0.kind == .publish }.prefix(limit))
        }
    }

    /// Gives search terms to bundles that have none yet, because an earlier program stored them.
    ///
    /// A disk without room leaves that to the next start; until then those bundles are found by listing them alone.
    func completeIndex() throws(RegistryError) {
        do throws(RegistryError) {
            while try catalog.read({ catalog throws(RegistryError) in try !catalog.unindexedBundles(limit: 1).isEmpty })
            {
                try catalog.write { catalog, _ throws(RegistryError) in
                    for bundle in try catalog.unindexedBundles(limit: Registry.indexedAtOnce) {
                        try catalog.index(bundle)
                    }
                }
            }
        } catch {
            switch error {
            case .outOfSpace, .database: return
            default: throw error
            }
        }
    }

    /// The bundles that get terms in one transaction.
    private static let indexedAtOnce = 500
}

extension CatalogReader {
    fileprivate func entry(_ bundle: BundleRecord) throws(RegistryError) -> CatalogueEntry {
        let summary = try summary(bundle)
        guard let shown = try shown(of: bundle, summary) else {
            return CatalogueEntry(bundle: summary, release: nil, parts: [])
        }
        return CatalogueEntry(
            bundle: summary, release: shown.release(of: bundle.identifier, shownBy: []),
            parts: Set(try partNames(ofRelease: shown.id)))
    }

    /// A release that was taken back, or never reached the standard channel, is the latest, and not what hosts get.
    private func shown(of bundle: BundleRecord, _ summary: BundleSummary) throws(RegistryError) -> ReleaseRecord? {
        if let key = summary.standardChannel?.release, key != summary.latest,
            let record = try release(key, ofBundle: bundle.id), record.withdrawal == nil
        {
            return record
        }
        guard let latest = bundle.latest else { return nil }
        return try release(latest)
    }
}

extension CatalogEditor {
    /// Finds out anew which release of a bundle is the latest, and under which terms the bundle is found.
    func refresh(_ bundle: Int64) throws(RegistryError) {
        try updateLatest(ofBundle: bundle)
        try index(bundle)
    }

    fileprivate func index(_ id: Int64) throws(RegistryError) {
        guard let bundle = try bundle(identifier(ofBundle: id)) else {
            throw .damaged("bundle \(id) is referred to, but not there")
        }
        var report: [UInt8]?
        if let latest = bundle.latest, try holdsDocuments(latest) { report = try reportDocument(latest) }
        try setTerms(
            SearchTerms.of(identifier: bundle.identifier, name: bundle.name, report: report), of: bundle.id)
    }
}

extension SearchQuery {
    /// The most bundles that are examined for one page.
    private static let lookedAt = 600
    private static let window = 64
    /// Ranges are compared by so many of their terms, to begin with the one that has the fewest.
    private static let countedTerms = 500

    func bundles(in catalog: any CatalogReader) throws(RegistryError) -> ([BundleRecord], next: String?) {
        var ranges = SearchTerms.words(text).prefix(8).map(SearchTerms.range(ofWord:))
        if let finding { ranges.append(SearchTerms.range(ofFinding: finding)) }
        // An index over all bundles would reveal by its time what a reader may not know of.
        guard !ranges.isEmpty, territory.isEmpty else { return try listed(ranges, in: catalog) }
        return try found(ranges, in: catalog)
    }

    // MARK: By the order of identifiers

    private func listed(
        _ ranges: [TermRange], in catalog: any CatalogReader
    ) throws(RegistryError) -> ([BundleRecord], next: String?) {
        let query = BundleQuery(
            prefix: prefix, limit: limit, after: after, territory: territory, isVisible: isVisible)
        return try query.matches(in: catalog, upTo: ranges.isEmpty ? BundleQuery.lookedAt : SearchQuery.lookedAt) {
            bundle throws(RegistryError) in
            try SearchQuery.holds(ranges, bundle, in: catalog)
        }
    }

    private static func holds(
        _ ranges: [TermRange], _ bundle: BundleRecord, in catalog: any CatalogReader
    ) throws(RegistryError) -> Bool {
        if ranges.isEmpty { return true }
        let terms = try catalog.terms(ofBundle: bundle.id)
        return ranges.allSatisfy { range in terms.contains(where: range.contains) }
    }

    // MARK: By the index

    private func found(
        _ ranges: [TermRange], in catalog: any CatalogReader
    ) throws(RegistryError) -> ([BundleRecord], next: String?) {
        let (leading, rest) = try ordered(ranges, in: catalog)
        var found: [BundleRecord] = []
        var count = 0
        var place = try start()
        while true {
            let window = max(SearchQuery.window, limit + 1)
            let bundles = try catalog.bundles(withTermIn: leading, after: place, limit: window)
            for (bundle, term) in bundles {
                if found.count == limit || count == SearchQuery.lookedAt {
                    return (found, place.map(SearchQuery.cursor))
                }
                count += 1
                place = TermPlace(term: term, identifier: bundle.identifier)
                guard isVisible(bundle.identifier), bundle.identifier.utf8.starts(with: prefix.utf8) else { continue }
                if try SearchQuery.holds(rest, bundle, in: catalog) { found.append(bundle) }
            }
            if bundles.count < window { return (found, nil) }
        }
    }

    /// The range that has the fewest terms, and the others.
    private func ordered(
        _ ranges: [TermRange], in catalog: any CatalogReader
    ) throws(RegistryError) -> (TermRange, [TermRange]) {
        guard ranges.count > 1 else { return (ranges[0], []) }
        var (least, place) = (Int.max, 0)
        for (index, range) in ranges.enumerated() {
            let count = try catalog.termCount(in: range, upTo: SearchQuery.countedTerms)
            if count < least { (least, place) = (count, index) }
        }
        var rest = ranges
        let leading = rest.remove(at: place)
        return (leading, rest)
    }

    /// Places in lists are printable ASCII, which not every word is.
    private static func cursor(_ place: TermPlace) -> String {
        "\(Hex.string(Array(place.term.utf8))) \(place.identifier)"
    }

    private func start() throws(RegistryError) -> TermPlace? {
        guard let after else { return nil }
        let parts = after.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let term = SearchQuery.text(ofHex: Array(parts[0].utf8)) else {
            throw .invalidValue("cursor", reason: "no page of this list ended there")
        }
        return TermPlace(term: term, identifier: String(parts[1]))
    }

    private static func text(ofHex digits: [UInt8]) -> String? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hex.lowercaseValue(of: digits[index]), let low = Hex.lowercaseValue(of: digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
    }
}
