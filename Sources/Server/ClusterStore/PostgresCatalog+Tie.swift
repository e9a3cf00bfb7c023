internal import CatalogSQL
internal import WidgetBytes
package import WidgetRegistry

/// The catalog's name for its store of archives, and what replicas know of one another.
extension PostgresCatalog {
    package func tie() throws(RegistryError) -> StoreTie? {
        try readers.lend { session throws(RegistryError) in
            try session.reading { () throws(RegistryError) in try PostgresCatalog.tie(session) }
        }
    }

    package func renameTie(_ name: String) throws(RegistryError) {
        _ = try readers.lend { session throws(RegistryError) in
            try session.run(
                """
                INSERT INTO store_tie (id, name, settled) VALUES (1, ?, false)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, settled = false
                """, [.text(name)])
        }
    }

    package func settleTie(_ name: String) throws(RegistryError) {
        let count = try readers.lend { session throws(RegistryError) in
            try session.run("UPDATE store_tie SET settled = true WHERE name = ?", [.text(name)])
        }
        guard count == 1 else { throw .unavailable(CatalogFailure("another process has tied another store")) }
    }

    /// The lock ends with its session.
    package func makingTie(_ body: () -> Void) throws(RegistryError) {
        try readers.lend { session throws(RegistryError) in
            try session.each("SELECT pg_advisory_lock(7764618)", []) { _ throws(RegistryError) in true }
            body()
            try session.each("SELECT pg_advisory_unlock(7764618)", []) { _ throws(RegistryError) in true }
        }
    }

    private static func tie(_ session: PostgresSession) throws(RegistryError) -> StoreTie? {
        var tie: StoreTie?
        try session.each("SELECT name, settled FROM store_tie WHERE id = 1", []) { row throws(RegistryError) in
            tie = StoreTie(name: try row.text(0), isSettled: try row.flag(1))
            return false
        }
        return tie
    }

    package func showStore(_ state: @escaping @Sendable () -> String) { heartbeat.showStore(state) }

    /// Has the row of this process say with which settings it serves.
    package func note(settings: String) { heartbeat.note { $0.settings = settings } }

    package func othersReachStore(laterBy pause: Duration, than ago: Duration) -> Bool {
        heartbeat.othersReachStore(laterBy: pause, than: ago)
    }

    /// Has no row of this process say that it lives.
    package func leave() {
        follower.end()
        try? readers.lend { session throws(RegistryError) in try heartbeat.leave(session) }
    }

    /// The names and settings of other processes that serve, as they have noted them within half a minute.
    package func settingsOfOthers() throws(RegistryError) -> [(name: String, settings: String)] {
        try readers.lend { session throws(RegistryError) in
            var found: [(name: String, settings: String)] = []
            try session.reading { () throws(RegistryError) in
                try session.each(
                    """
                    SELECT name, settings FROM replica
                    WHERE id <> ? AND settings IS NOT NULL AND seen > clock_timestamp() - interval '30 seconds'
                    ORDER BY name, id
                    """, [.text(replica)]
                ) { row throws(RegistryError) in
                    found.append((try row.text(0), try row.text(1)))
                    return true
                }
            }
            return found
        }
    }
}
