package import WidgetRegistry

/// The tables of a catalog, for copying all rows from one database to another of any kind.
///
/// Rows refer to one another in circles: a bundle to its latest release, a channel to its present step. Those columns are
/// empty at first, and set at the end.
struct CatalogTable {
    enum Column {
        case integer, text, blob, flag
    }

    /// Takes the key of the last row, and a limit.
    let page: StaticString
    let insert: StaticString
    let columns: [Column]
    /// The columns of the key, which are the first.
    var keyCount = 1
    /// The column that is set at the end, and the statement that does it, which takes the value and the key.
    var late: (column: Int, update: StaticString)?
    /// The most rows that are in memory at once.
    var limit = 200

    /// In the order in which rows refer to those before them.
    static let all: [CatalogTable] = [
        CatalogTable(
            page: "SELECT * FROM bundle WHERE id > ? ORDER BY id LIMIT ?",
            insert: "INSERT INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?)",
            columns: [.integer, .text, .text, .text, .integer, .integer, .integer],
            late: (4, "UPDATE bundle SET latest = ? WHERE id = ?")),
        CatalogTable(
            page: "SELECT * FROM release WHERE id > ? ORDER BY id LIMIT ?",
            insert:
                "INSERT INTO release VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [
                .integer, .integer, .text, .text, .text, .text, .blob, .flag, .blob, .blob, .integer, .integer, .text,
                .text, .text, .integer, .text, .text, .integer, .text, .text, .integer, .integer, .text, .integer,
            ]),
        CatalogTable(
            page: "SELECT * FROM bundle_usage WHERE identifier > ? ORDER BY identifier LIMIT ?",
            insert: "INSERT INTO bundle_usage VALUES (?, ?, ?, ?)", columns: [.text, .integer, .integer, .integer]),
        CatalogTable(
            page: "SELECT * FROM retention_guard WHERE id > ? ORDER BY id LIMIT ?",
            insert: "INSERT INTO retention_guard VALUES (?, ?, ?, ?)", columns: [.integer, .text, .text, .integer]),
        CatalogTable(
            page: "SELECT * FROM bundle_term WHERE (term, identifier) > (?, ?) ORDER BY term, identifier LIMIT ?",
            insert: "INSERT INTO bundle_term VALUES (?, ?, ?)", columns: [.text, .text, .integer], keyCount: 2),
        CatalogTable(
            page: "SELECT * FROM release_part WHERE (release, name) > (?, ?) ORDER BY release, name LIMIT ?",
            insert: "INSERT INTO release_part VALUES (?, ?, ?, ?)", columns: [.integer, .text, .text, .blob],
            keyCount: 2, limit: 8),
        CatalogTable(
            page: "SELECT * FROM release_files WHERE release > ? ORDER BY release LIMIT ?",
            insert: "INSERT INTO release_files VALUES (?, ?)", columns: [.integer, .blob], limit: 8),
        CatalogTable(
            page: "SELECT * FROM release_report WHERE release > ? ORDER BY release LIMIT ?",
            insert: "INSERT INTO release_report VALUES (?, ?)", columns: [.integer, .blob], limit: 8),
        CatalogTable(
            page: "SELECT * FROM channel WHERE (bundle, name) > (?, ?) ORDER BY bundle, name LIMIT ?",
            insert: "INSERT INTO channel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [
                .integer, .text, .integer, .integer, .integer, .flag, .text, .integer, .integer, .integer, .integer,
                .integer,
            ], keyCount: 2, late: (9, "UPDATE channel SET head = ? WHERE bundle = ? AND name = ?")),
        CatalogTable(
            page: "SELECT * FROM placement WHERE id > ? ORDER BY id LIMIT ?",
            insert: "INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [
                .integer, .integer, .text, .integer, .integer, .text, .integer, .integer, .integer, .flag, .text,
                .integer, .integer, .integer,
            ]),
        CatalogTable(
            page: "SELECT * FROM change WHERE tag > ? ORDER BY tag LIMIT ?",
            insert: "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [.integer, .integer, .text, .text, .text, .text, .integer, .text]),
        CatalogTable(
            page: "SELECT * FROM token WHERE id > ? ORDER BY id LIMIT ?",
            insert: "INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [
                .integer, .text, .blob, .text, .text, .integer, .integer, .integer, .integer, .text, .flag, .blob,
                .integer,
            ]),
        CatalogTable(
            page: "SELECT * FROM milestone WHERE name > ? ORDER BY name LIMIT ?",
            insert: "INSERT INTO milestone VALUES (?)", columns: [.text]),
        CatalogTable(
            page: "SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?",
            insert: "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            columns: [
                .integer, .integer, .text, .text, .integer, .text, .text, .text, .text, .text, .text, .text, .integer,
                .flag, .text, .integer, .flag, .flag, .blob, .blob, .integer, .text, .text,
            ]),
        CatalogTable(
            page: """
                SELECT * FROM outcome WHERE (release, channel, day, kind, reason) > (?, ?, ?, ?, ?)
                ORDER BY release, channel, day, kind, reason LIMIT ?
                """,
            insert: "INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)",
            columns: [.integer, .text, .integer, .text, .text, .integer], keyCount: 5),
    ]

    /// The key of a row before the first.
    private var start: [CatalogValue] {
        columns.prefix(keyCount).map { column in
            switch column {
            case .integer, .flag: .integer(.min)
            case .text: .text("")
            case .blob: .blob([])
            }
        }
    }

    private func values(_ row: any CatalogRow) throws(RegistryError) -> [CatalogValue] {
        var values: [CatalogValue] = []
        for (index, column) in columns.enumerated() {
            guard !row.isNull(index) else {
                values.append(.null)
                continue
            }
            switch column {
            case .integer: values.append(.integer(try row.integer(index)))
            case .text: values.append(.text(try row.text(index)))
            case .blob: values.append(.blob(try row.blob(index)))
            case .flag: values.append(.flag(try row.flag(index)))
            }
        }
        return values
    }

    /// Reads page after page.
    private func pages(
        _ source: any CatalogSession, _ body: ([[CatalogValue]]) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var last = start
        while true {
            var rows: [[CatalogValue]] = []
            try source.each(page, last + [.count(limit)]) { row throws(RegistryError) in
                rows.append(try values(row))
                return true
            }
            guard let final = rows.last else { return }
            try body(rows)
            last = Array(final.prefix(keyCount))
        }
    }

    func copy(_ source: any CatalogSession, _ target: any CatalogSession) throws(RegistryError) {
        try pages(source) { rows throws(RegistryError) in
            var rows = rows
            if let late { for index in rows.indices { rows[index][late.column] = .null } }
            try target.run(insert, each: rows)
        }
    }

    /// Sets the column that had to wait.
    func complete(_ source: any CatalogSession, _ target: any CatalogSession) throws(RegistryError) {
        guard let late else { return }
        try pages(source) { rows throws(RegistryError) in
            let set = rows.filter { $0[late.column] != .null }
            try target.run(late.update, each: set.map { [$0[late.column]] + $0.prefix(keyCount) })
        }
    }
}

extension SQLCatalog {
    /// Copies every row to an empty catalog, in the transactions that both were lent for.
    package func copy(to target: SQLCatalog) throws(RegistryError) {
        for table in CatalogTable.all { try table.copy(session, target.session) }
        for table in CatalogTable.all { try table.complete(session, target.session) }
    }

    /// True if no table that is copied has a row.
    package func holdsNothing() throws(RegistryError) -> Bool {
        let known = try latestTag() + Int64(releaseCount())
        guard known == 0, try bundleNumbers().isEmpty else { return false }
        guard try tokenNames(after: .min).isEmpty else { return false }
        return try auditRecords(after: .min, limit: 1).isEmpty
    }
}
