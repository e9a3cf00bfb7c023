extension Connection {
    /// What is wrong with the file's pages, indexes and references, in SQLite's words; up to a number of lines.
    package func complaints() throws(DatabaseError) -> [String] {
        var lines = try all("PRAGMA integrity_check(20)", []) { row throws(DatabaseError) in try row.text(0) }
        if lines == ["ok"] { lines = [] }
        let strays = try all("PRAGMA foreign_key_check", []) { row throws(DatabaseError) in try row.text(0) }
        return lines + Set(strays).sorted().map { "rows of \($0) refer to rows that are not there" }
    }

    /// Writes what the file holds at this moment to a new file, whole and without a log beside it; writers go on.
    package func writeCopy(to path: String) throws(DatabaseError) {
        try run("VACUUM INTO ?", [.text(path)])
    }

    /// Brings everything into the file itself, so that it can be moved without the log beside it.
    package func gather() throws(DatabaseError) {
        let mode = try first("PRAGMA journal_mode = DELETE", []) { row throws(DatabaseError) in try row.text(0) }
        guard mode == "delete" else {
            throw DatabaseError(.busy, code: 5, message: "the log could not be brought into the file")
        }
    }
}
