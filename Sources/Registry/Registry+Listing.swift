internal import Database

extension Registry {
    /// So many bundles at most are looked at for one page; a page can be short, even empty, and still have a next.
    private static let lookedAt = 20_000

    /// In the order of their identifiers.
    package func bundles(_ query: BundleQuery) throws(RegistryError) -> Page<BundleSummary> {
        try readers.read { catalog throws(RegistryError) in
            let (rows, next) = try Registry.rows(query, in: catalog)
            var items: [BundleSummary] = []
            for row in rows { items.append(try catalog.summary(row)) }
            return Page(items: items, next: next)
        }
    }

    private static func rows(
        _ query: BundleQuery, in catalog: Catalog
    ) throws(RegistryError) -> (rows: [BundleRow], next: String?) {
        let after = query.after ?? ""
        let text = BundleRow.folded(query.text)
        var rows: [BundleRow] = []
        var next: String?
        var count = 0
        var last = after
        // No character of an identifier comes after the one that bounds the prefix.
        try catalog.each(
            """
            SELECT *, ?4 IS NULL OR EXISTS (SELECT 1 FROM channel WHERE channel.bundle = bundle.id AND channel.name = ?4)
            FROM bundle WHERE identifier >= ?1 AND identifier <> ?2 AND identifier < ?3 ORDER BY identifier
            """, .text(max(after, query.prefix)), .text(after), .text("\(query.prefix)~"), .optional(query.channel)
        ) { row throws(DatabaseError) in
            let bundle = try BundleRow(row)
            let matches =
                try row.flag(6)
                && (text.isEmpty || BundleRow.folded(bundle.identifier).contains(text)
                    || BundleRow.folded(bundle.name).contains(text))
                && query.isVisible(bundle.identifier)
            if (matches && rows.count == query.limit) || count == lookedAt {
                next = last
                return false
            }
            count += 1
            last = bundle.identifier
            if matches { rows.append(bundle) }
            return true
        }
        return (rows, next)
    }
}
