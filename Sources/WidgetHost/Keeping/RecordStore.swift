internal import Database
internal import JSONText
internal import Predicates
package import WidgetCore

/// The records and settings of one widget in a file, so that they outlive it.
package struct RecordStore: Sendable {
    package let path: String
    private let connection: Connection
    /// Given up with the last copy of the store.
    private let lock: StoreLock

    private static let steps: [StaticString] = [
        """
        CREATE TABLE record (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, fields TEXT NOT NULL) STRICT;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 1;
        """,
        """
        CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 2;
        """,
    ]

    /// - Throws: ``HostError/storeInUse(path:holder:)`` while somebody else has it.
    package init(path: String) throws(HostError) {
        self.path = path
        lock = try StoreLock(beside: path)
        do throws(DatabaseError) {
            connection = try Connection(opening: path, for: .writing)
            try connection.migrate(RecordStore.steps)
        } catch {
            throw .store(error)
        }
    }

    /// Says where the widget comes from that wants what is kept here. What a registry's widget has kept is for it alone.
    ///
    /// - Parameter isTakenOver: whether it is to have what another has kept.
    /// - Throws: ``HostError/storeOfAnother(path:origin:)``
    package func claim(for origin: StoreOrigin, isTakenOver: Bool = false) throws(HostError) {
        let kept: StoreOrigin?
        do throws(DatabaseError) {
            kept = try connection.first("SELECT value FROM note WHERE name = 'origin'", []) {
                row throws(DatabaseError) in StoreOrigin(kept: try row.text(0))
            }
            if kept != origin, isTakenOver || kept?.shares(with: origin) ?? true {
                try connection.run(
                    "INSERT OR REPLACE INTO note (name, value) VALUES ('origin', ?)", [.text(origin.description)])
                return
            }
        } catch {
            throw .store(error)
        }
        if let kept, kept != origin { throw .storeOfAnother(path: path, origin: kept) }
    }

    package func load(model: EntityModel) throws(HostError) -> Store {
        try read(model: model).store
    }

    /// What was kept, as far as the model still knows it, and what is to be said about the rest.
    ///
    /// What cannot be read stays in the file as it is, and its number is given to nobody else.
    package func read(model: EntityModel) throws(HostError) -> (store: Store, diagnostics: [Diagnostic]) {
        var edit = RecordEdit(RecordTable(model: model))
        var settings: [String: Value] = [:]
        var unread = UnreadParts(path: path)
        do throws(DatabaseError) {
            try connection.each("SELECT id, entity, fields FROM record ORDER BY id", []) { row throws(DatabaseError) in
                guard let id = Int(exactly: try row.integer(0)) else { return true }
                edit.reserve(id)
                let name = try row.text(1)
                guard let entity = model.place(of: name) else { return true }
                guard edit.hasRoom(forNew: entity) else {
                    unread.add(record: id, of: name, "there is no more room for it")
                    return true
                }
                guard let fields = RecordText.fields(try row.text(2), of: model.entities[entity]),
                    edit.restore(Record(id: id, entity: entity, fields: fields))
                else {
                    unread.add(record: id, of: name, "it is not as records are kept")
                    return true
                }
                return true
            }
            try connection.each("SELECT name, value FROM setting", []) { row throws(DatabaseError) in
                let name = try row.text(0)
                if let value = RecordText.value(of: try row.text(1)) {
                    settings[name] = value
                } else {
                    unread.add(setting: name)
                }
                return true
            }
        } catch {
            throw .store(error)
        }
        var store = Store(records: edit.table)
        store.defaults = settings
        return (store, unread.diagnostics)
    }

    /// Keeps what has changed, all of it or nothing.
    package func save(_ ids: Set<RecordID>, of store: Store, settings: Bool) throws(HostError) {
        guard !ids.isEmpty || settings else { return }
        try connection.transaction(.writing, wrapping: { HostError.store($0) }) { () throws(HostError) in
            do throws(DatabaseError) {
                for id in ids.sorted() {
                    guard let record = store.records[id] else {
                        try connection.run("DELETE FROM record WHERE id = ?", [.integer(id)])
                        continue
                    }
                    let entity = store.records.model.entities[record.entity]
                    try connection.run(
                        "INSERT OR REPLACE INTO record (id, entity, fields) VALUES (?, ?, ?)",
                        [.integer(id), .text(entity.name), .text(RecordText.text(of: record, entity))])
                }
                if settings {
                    for (name, value) in store.defaults.sorted(by: { $0.key < $1.key }) {
                        try connection.run(
                            "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                            [.text(name), .text(RecordText.text(of: value))])
                    }
                }
            } catch {
                throw .store(error)
            }
        }
    }
}
