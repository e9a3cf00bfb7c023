internal import Database
internal import JSONText
internal import Predicates
package import WidgetCore

/// The records and settings of one widget in a file, so that they outlive it.
package struct RecordStore: Sendable {
    private let connection: Connection

    private static let steps: [StaticString] = [
        """
        CREATE TABLE record (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, fields TEXT NOT NULL) STRICT;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 1;
        """
    ]

    package init(path: String) throws(HostError) {
        do throws(DatabaseError) {
            connection = try Connection(opening: path, for: .writing)
            try connection.migrate(RecordStore.steps)
        } catch {
            throw .store(error)
        }
    }

    /// What was kept, as far as the model still knows it.
    package func load(model: EntityModel) throws(HostError) -> Store {
        var edit = RecordEdit(RecordTable(model: model))
        var settings: [String: Value] = [:]
        do throws(DatabaseError) {
            try connection.each("SELECT id, entity, fields FROM record ORDER BY id", []) { row throws(DatabaseError) in
                let id = try row.count(0)
                guard let entity = model.place(of: try row.text(1)) else { return true }
                guard let fields = RecordText.fields(try row.text(2), of: model.entities[entity]) else {
                    throw row.unexpected("a record's fields", 2)
                }
                edit.restore(Record(id: id, entity: entity, fields: fields))
                return true
            }
            try connection.each("SELECT name, value FROM setting", []) { row throws(DatabaseError) in
                let text = try row.text(1)
                guard let json = try? JSONValue(parsing: Array(text.utf8)) else { throw row.unexpected("a setting", 1) }
                settings[try row.text(0)] = RecordText.value(json)
                return true
            }
        } catch {
            throw .store(error)
        }
        var store = Store(records: edit.table)
        store.defaults = settings
        return store
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
