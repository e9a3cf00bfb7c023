extension BundleQuery {
    /// So many bundles at most are looked at for one page; a page can be short, even empty, and still have a next.
    private static let lookedAt = 20_000
    /// So many are asked for at once, unless a page has more.
    private static let window = 64

    func page(of catalog: any CatalogReader) throws(RegistryError) -> Page<BundleSummary> {
        let (found, next) = try matches(in: catalog)
        var items: [BundleSummary] = []
        for bundle in found { items.append(try catalog.summary(bundle)) }
        return Page(items: items, next: next)
    }

    private func matches(in catalog: any CatalogReader) throws(RegistryError) -> ([BundleRecord], next: String?) {
        let text = BundleRecord.folded(self.text)
        var found: [BundleRecord] = []
        var count = 0
        var last = after ?? ""
        // No character of an identifier comes after the one that bounds the prefix.
        var range = BundleRange(
            from: max(last, prefix), besides: last, below: "\(prefix)~", channel: channel,
            limit: max(BundleQuery.window, limit.addingReportingOverflow(1).partialValue))
        while true {
            let bundles = try catalog.bundles(range)
            for (bundle, hasChannel) in bundles {
                let isVisible = isVisible(bundle.identifier)
                let isMatch =
                    hasChannel && isVisible
                    && (text.isEmpty || BundleRecord.folded(bundle.identifier).contains(text)
                        || BundleRecord.folded(bundle.name).contains(text))
                if (isMatch && found.count == limit) || count == BundleQuery.lookedAt { return (found, last) }
                // A page never names a bundle that its reader may not know of, so those do not count either.
                if isVisible {
                    count += 1
                    last = bundle.identifier
                }
                if isMatch { found.append(bundle) }
            }
            guard bundles.count == range.limit, let end = bundles.last?.bundle.identifier else { return (found, nil) }
            range.from = end
            range.besides = end
        }
    }
}
