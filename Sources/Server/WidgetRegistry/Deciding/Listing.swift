internal import RegistryContract

/// A bundle's line in a list.
package struct BundleSummary: Equatable, Sendable {
    package var identifier: String
    /// The name of the latest release, or of the last one published when all are withdrawn.
    package var name: String
    /// The key of the highest release that is not withdrawn; a snapshot only if there is nothing else.
    package var latest: String?
    /// Withdrawn ones are counted too.
    package var releaseCount: Int
    /// In the order of their names.
    package var channels: [Channel]

    /// The channel of hosts that name none; `nil` if the bundle does not have it.
    package var standardChannel: Channel? { channels.first { $0.name == ChannelName.standard } }
}

/// Part of a list, in the list's order.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The start of the next part, to be passed back unchanged; `nil` at the end.
    package var next: String?
}

extension Page: Equatable where Item: Equatable {}

/// Which bundles to list, in the order of their identifiers.
package struct BundleQuery: Sendable {
    /// A prefix of the identifiers.
    package var prefix = ""
    /// A text that the identifier or the name contains; the case of ASCII letters does not count.
    package var text = ""
    /// A channel that the bundle has.
    package var channel: String?
    package var limit: Int
    /// The `next` of the page before.
    package var after: String?
    /// The whole labels that the reader's bundles are, or begin with before a dot; empty: it may see any bundle.
    package var territory: String
    /// True for a bundle that the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        prefix: String = "", text: String = "", channel: String? = nil, limit: Int, after: String? = nil,
        territory: String = "", isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.prefix = prefix
        self.text = text
        self.channel = channel
        self.limit = limit
        self.after = after
        self.territory = territory
        self.isVisible = isVisible
    }
}

extension BundleQuery {
    /// The most bundles that are examined for one page. A page can be short, even empty, and still have a next.
    static let lookedAt = 20_000
    /// The number of bundles read at once, unless a page has more.
    private static let window = 64

    func page(of catalog: any CatalogReader) throws(RegistryError) -> Page<BundleSummary> {
        let (found, next) = try matches(in: catalog) { _ in true }
        var items: [BundleSummary] = []
        for bundle in found { items.append(try catalog.summary(bundle)) }
        return Page(items: items, next: next)
    }

    /// - Parameters:
    ///   - most: the most bundles that are examined.
    ///   - isWanted: asked of bundles that have everything else.
    func matches(
        in catalog: any CatalogReader, upTo most: Int = lookedAt,
        where isWanted: (BundleRecord) throws(RegistryError) -> Bool
    ) throws(RegistryError) -> ([BundleRecord], next: String?) {
        let text = BundleRecord.folded(self.text)
        var found: [BundleRecord] = []
        var count = 0
        var last = after ?? ""
        for part in ranges {
            var range = part
            while range.from < range.below {
                let bundles = try catalog.bundles(range)
                for (bundle, hasChannel) in bundles {
                    let isVisible = isVisible(bundle.identifier)
                    let isNamed =
                        hasChannel && isVisible
                        && (text.isEmpty || BundleRecord.folded(bundle.identifier).contains(text)
                            || BundleRecord.folded(bundle.name).contains(text))
                    let isMatch = if isNamed { try isWanted(bundle) } else { false }
                    if (isMatch && found.count == limit) || count == most { return (found, last) }
                    // A page never names a bundle that its reader may not know of, so those do not count either.
                    if isVisible {
                        count += 1
                        last = bundle.identifier
                    }
                    if isMatch { found.append(bundle) }
                }
                guard bundles.count == range.limit, let end = bundles.last?.bundle.identifier else { break }
                range.from = end
                range.besides = end
            }
        }
        return (found, nil)
    }

    /// The parts of the catalog to look through, in order. Those of a reader of one prefix have no bundle of others, so
    /// that what is hidden does not change the time of a page.
    private var ranges: [BundleRange] {
        let last = after ?? ""
        // No character of an identifier comes after the one that bounds the prefix.
        let all = BundleRange(
            from: max(last, prefix), besides: last, below: "\(prefix)~", channel: channel,
            limit: max(BundleQuery.window, limit.addingReportingOverflow(1).partialValue))
        guard !territory.isEmpty else { return [all] }
        // The bundle of that identifier, which a hyphen would continue first, and those after a dot, which is before "/".
        return [(territory, "\(territory)-"), ("\(territory).", "\(territory)/")].map { from, below in
            var part = all
            part.from = max(all.from, from)
            part.below = min(all.below, below)
            return part
        }
    }
}
