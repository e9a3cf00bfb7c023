package import CatalogSQL
internal import WidgetBytes
package import WidgetRegistry

/// Taking over all rows of another catalog, in one transaction.
extension PostgresCatalog {
    /// Fills a database that holds no registry yet.
    package func fill(from source: SQLCatalog) throws(RegistryError) {
        try writer.write { editor, _ throws(RegistryError) in
            guard let own = editor as? SQLCatalog, try own.holdsNothing() else {
                throw .invalidValue("--catalog", reason: "the database holds a registry already")
            }
            // It may be left from a token that was never made.
            try own.session.run("DELETE FROM milestone", [])
            try PostgresCatalog.take(source, into: own)
        }
    }

    /// Puts the rows of another catalog in the place of those that are here. Rows about objects stay: they are about the
    /// store of archives. Followers continue, since the tags of the other catalog are higher. Sessions end, since a number may be
    /// another token's in the other catalog.
    package func replace(by source: SQLCatalog) throws(RegistryError) {
        try requireAlone()
        try writer.write { [replica] editor, _ throws(RegistryError) in
            guard let own = editor as? SQLCatalog else { throw .damaged("the catalog cannot be replaced") }
            try PostgresCatalog.requireAlone(replica, own.session)
            try own.session.run(
                """
                TRUNCATE bundle, release, release_files, release_report, release_part, bundle_term, channel, placement,
                    change, token, milestone, audit, session, upload, outcome, bundle_usage, retention_guard
                """, [])
            try PostgresCatalog.take(source, into: own)
        }
    }

    /// Throws if another process was seen within half a minute.
    package func requireAlone() throws(RegistryError) {
        try readers.lend { session throws(RegistryError) in
            try session.reading { () throws(RegistryError) in try PostgresCatalog.requireAlone(replica, session) }
        }
    }

    private static func requireAlone(_ replica: String, _ session: any CatalogSession) throws(RegistryError) {
        var names: [String] = []
        try session.each(
            """
            SELECT name FROM replica WHERE id <> ? AND seen > clock_timestamp() - interval '30 seconds' ORDER BY name
            """, [.text(replica)]
        ) { row throws(RegistryError) in
            names.append(try row.text(0))
            return true
        }
        guard names.isEmpty else {
            throw .invalidValue(
                "--catalog",
                reason:
                    "it is in use by \(names.joined(separator: " and ")); stop all replicas, and run this again half a "
                    + "minute later")
        }
    }

    private static func take(_ source: SQLCatalog, into own: SQLCatalog) throws(RegistryError) {
        try source.copy(to: own)
        // Numbers that the database gives are higher than those that came with the rows.
        try own.session.each(
            """
            SELECT setval(pg_get_serial_sequence('bundle', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM bundle), false),
                setval(pg_get_serial_sequence('release', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM release), false),
                setval(pg_get_serial_sequence('placement', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM placement), false)
            """, []
        ) { _ throws(RegistryError) in true }
    }
}
