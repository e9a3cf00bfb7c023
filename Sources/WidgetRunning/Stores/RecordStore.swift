internal import Bytes
internal import Database
internal import JSONText
internal import Predicates
package import WidgetCore

/// The records and settings of one widget in a file, so that they outlive it.
package struct RecordStore: Sendable {
    package let path: String
    private let connection: DatabaseConnection
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

    /// - Throws: ``WidgetError/storeInUse(path:holder:)`` while another process or widget has it.
    package init(path: String) throws(WidgetError) {
        self.path = path
        lock = try StoreLock(beside: path)
        connection = try rethrowing(try DatabaseConnection(opening: path, for: .writing), as: WidgetError.store)
        try rethrowing(try connection.migrate(RecordStore.steps), as: WidgetError.store)
    }

    /// Claims the store for a widget from `origin`. The store of a registry's widget is for that widget alone.
    ///
    /// - Parameter isTakenOver: whether it gets the data of a widget from elsewhere.
    /// - Throws: ``WidgetError/storeOfAnother(path:origin:)``
    package func claim(for origin: StoreOrigin, isTakenOver: Bool = false) throws(WidgetError) {
        let kept = try rethrowing(as: WidgetError.store) { () throws(DatabaseError) in
            try connection.first("SELECT value FROM note WHERE name = 'origin'", []) {
                row throws(DatabaseError) in StoreOrigin(kept: try row.text(0))
            }
        }
        guard kept != origin else { return }
        if let kept, !isTakenOver, !kept.shares(with: origin) {
            throw .storeOfAnother(path: path, origin: kept)
        }
        _ = try rethrowing(
            try connection.run(
                "INSERT OR REPLACE INTO note (name, value) VALUES ('origin', ?)", [.text(origin.description)]),
            as: WidgetError.store)
    }

    package func load(model: EntityModel) throws(WidgetError) -> Store {
        try read(model: model).store
    }

    /// The records and settings that the model still knows, and findings about the rest.
    ///
    /// An unreadable record stays in the file as it is, and no new record gets its number.
    package func read(model: EntityModel) throws(WidgetError) -> (store: Store, diagnostics: [Diagnostic]) {
        var edit = RecordEdit(RecordTable(model: model))
        var settings: [String: Value] = [:]
        var unread = UnreadParts(path: path)
        try rethrowing(as: WidgetError.store) { () throws(DatabaseError) in
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
        }
        var store = Store(records: edit.table)
        store.defaults = settings
        return (store, unread.diagnostics)
    }

    /// Saves these records, all of them or none.
    package func save(_ ids: Set<RecordID>, of store: Store, settings: Bool) throws(WidgetError) {
        guard !ids.isEmpty || settings else { return }
        try connection.transaction(.writing, wrapping: { WidgetError.store($0) }) { () throws(WidgetError) in
            try rethrowing(as: WidgetError.store) { () throws(DatabaseError) in
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
            }
        }
    }
}
