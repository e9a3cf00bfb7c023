internal import RegistryContract
package import WidgetRegistry

/// The counts of outcomes that hosts have reported.
extension SQLCatalog {
    package func outcomes(ofRelease release: Int64, since day: Int64) throws(RegistryError) -> [OutcomeCount] {
        try all(
            """
            SELECT channel, day, kind, reason, number FROM outcome WHERE release = ? AND day >= ?
            ORDER BY day DESC, channel, kind, reason
            """, .integer(release), .integer(day)
        ) { row throws(RegistryError) in try OutcomeCount(row) }.compactMap(\.self)
    }

    package func add(_ counts: [OutcomeCount], toRelease release: Int64) throws(RegistryError) {
        let rows = counts.map { count -> [CatalogValue] in
            [
                .integer(release), .text(count.channel), .integer(count.day), .text(count.outcome.rawValue),
                .text(count.reason?.rawValue ?? ""), .integer(count.count),
            ]
        }
        try session.run(
            """
            INSERT INTO outcome (release, channel, day, kind, reason, number) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (release, channel, day, kind, reason) DO UPDATE SET number = outcome.number + excluded.number
            """, each: rows)
    }

    package func removeOutcomes(before day: Int64) throws(RegistryError) {
        try run("DELETE FROM outcome WHERE day < ?", .integer(day))
    }
}

extension OutcomeCount {
    /// From the columns channel, day, kind, reason, number; `nil` if its words are those of a later version.
    fileprivate init?(_ row: any CatalogRow) throws(RegistryError) {
        guard let outcome = DeviceOutcome(rawValue: try row.text(2)) else { return nil }
        let word = try row.text(3)
        let reason = OutcomeReason(rawValue: word)
        guard reason != nil || word.isEmpty else { return nil }
        self.init(outcome, reason, on: try row.text(0), try row.integer(1), count: Int64(try row.count(4)))
    }
}
