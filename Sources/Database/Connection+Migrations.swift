extension Connection {
    /// How many steps of its schema's history the file has been through.
    package func schemaVersion() throws(DatabaseError) -> Int64 {
        let version = try first("PRAGMA user_version", []) { row throws(DatabaseError) in try row.integer(0) } ?? 0
        guard version >= 0 else {
            throw DatabaseError(.unexpectedValue, code: 0, message: "the schema's version is \(version)")
        }
        return version
    }

    /// Takes the file through the steps it has not seen, all at once or not at all.
    ///
    /// Step *n* ends with `PRAGMA user_version = n;`. A file that has been through more is left alone; its owner has
    /// asked for ``schemaVersion()`` first.
    package func migrate(_ steps: [StaticString]) throws(DatabaseError) {
        guard try schemaVersion() < steps.count else { return }
        try transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
            for step in steps.dropFirst(Int(clamping: try schemaVersion())) { try script(step) }
        }
    }
}
