internal import WidgetBytes
package import WidgetRegistry

/// The rows about objects, in the table that ``tables`` makes. A database whose archives are on this machine has none.
package struct SQLObjects: ObjectRows {
    private let catalog: SQLCatalog

    /// Statements for any database; each makes something that is not there yet. At most one object is an item.
    package static let tables: [StaticString] = [
        """
        CREATE TABLE IF NOT EXISTS object (
            generation BIGINT PRIMARY KEY,
            item TEXT NOT NULL,
            byte_count BIGINT NOT NULL,
            state TEXT NOT NULL,
            changed BIGINT NOT NULL,
            until BIGINT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX IF NOT EXISTS object_present ON object (item) WHERE state = 'present'",
        "CREATE INDEX IF NOT EXISTS object_due ON object (state, generation)",
    ]

    init(_ catalog: SQLCatalog) {
        self.catalog = catalog
    }

    package func insert(_ record: ObjectRecord) throws(RegistryError) {
        try catalog.run(
            "INSERT INTO object (generation, item, byte_count, state, changed, until) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(record.generation), .text(record.item.name), .count(record.byteCount),
            .text(record.state.rawValue), .integer(record.changed), .integer(record.until))
    }

    package func record(_ generation: Int64) throws(RegistryError) -> ObjectRecord? {
        try catalog.first(
            "SELECT generation, item, byte_count, state, changed, until FROM object WHERE generation = ?",
            .integer(generation), read: ObjectRecord.init)
    }

    package func present(_ item: StoredItem) throws(RegistryError) -> ObjectRecord? {
        try catalog.first(
            """
            SELECT generation, item, byte_count, state, changed, until FROM object
            WHERE item = ? AND state = 'present'
            """, .text(item.name), read: ObjectRecord.init)
    }

    package func present(
        beginning byte: UInt8, after generation: Int64, limit: Int
    ) throws(RegistryError) -> [ObjectRecord] {
        // No character of a name comes after the one that bounds the part.
        let start = Hex.string([byte])
        return try catalog.all(
            """
            SELECT generation, item, byte_count, state, changed, until FROM object
            WHERE item >= ? AND item < ? AND state = 'present' AND generation > ? ORDER BY generation LIMIT ?
            """, .text(start), .text("\(start)~"), .integer(generation), .count(limit), read: ObjectRecord.init)
    }

    package func due(
        _ state: ObjectRecord.State, by time: Int64, after generation: Int64, limit: Int
    ) throws(RegistryError) -> [ObjectRecord] {
        try catalog.all(
            """
            SELECT generation, item, byte_count, state, changed, until FROM object
            WHERE state = ? AND until <= ? AND generation > ? ORDER BY generation LIMIT ?
            """, .text(state.rawValue), .integer(time), .integer(generation), .count(limit), read: ObjectRecord.init)
    }

    package func update(_ record: ObjectRecord) throws(RegistryError) {
        try catalog.run(
            "UPDATE object SET state = ?, changed = ?, until = ? WHERE generation = ?", .text(record.state.rawValue),
            .integer(record.changed), .integer(record.until), .integer(record.generation))
    }

    package func remove(_ generation: Int64) throws(RegistryError) {
        try catalog.run("DELETE FROM object WHERE generation = ?", .integer(generation))
    }

    package func share(_ state: ObjectRecord.State) throws(RegistryError) -> ItemShare {
        let share = try catalog.first(
            // PostgreSQL's sum of such numbers is of a type without bounds.
            "SELECT COUNT(*), CAST(COALESCE(SUM(byte_count), 0) AS BIGINT) FROM object WHERE state = ?",
            .text(state.rawValue)
        ) { row throws(RegistryError) in
            var share = ItemShare()
            share.count = try row.count(0)
            share.byteCount = try row.count(1)
            return share
        }
        return share ?? ItemShare()
    }
}

extension SQLCatalog {
    /// The rows about objects. Asking them needs their table.
    package var objects: (any ObjectRows)? { SQLObjects(self) }

    /// Makes the table of rows about objects, if it is not there.
    package func makeObjectTables() throws(RegistryError) {
        for statement in SQLObjects.tables { try run(statement) }
    }
}

extension ObjectRecord {
    /// From the columns generation, item, byte_count, state, changed, until.
    fileprivate init(_ row: any CatalogRow) throws(RegistryError) {
        guard let item = StoredItem(name: try row.text(1)) else { throw row.unexpected("an item", 1) }
        guard let state = State(rawValue: try row.text(3)) else { throw row.unexpected("a state", 3) }
        self.init(
            generation: try row.integer(0), item: item, byteCount: try row.count(2), state: state,
            changed: try row.integer(4), until: try row.integer(5))
    }
}
