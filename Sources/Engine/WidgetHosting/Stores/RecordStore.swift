internal import JSONText
internal import WidgetBytes
package import WidgetCore
internal import WidgetDatabase
internal import WidgetFiles
internal import WidgetPredicates
package import WidgetRunning

/// The records and settings of one widget in a file, so that they outlive it.
package final class RecordStore: RecordKeeping {
    package let path: String
    private let connection: DatabaseConnection
    /// Released with the last copy of the store.
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
        try rethrowing(try RecordStore.claimFiles(path), as: WidgetError.file)
        connection = try rethrowing(
            try DatabaseConnection(opening: path, for: .writing), as: { (error: DatabaseError) in WidgetError(error) })
        try rethrowing(try connection.migrate(RecordStore.steps), as: { (error: DatabaseError) in WidgetError(error) })
    }

    /// Makes the file of a new store for its user alone, and refuses links: SQLite would follow them, and make files that
    /// others can read. The files that SQLite adds take their mode from the store's.
    private static func claimFiles(_ path: String) throws(FileError) {
        let (folder, name) = StoreLock.split(path)
        let directory = try Directory(opening: folder)
        _ = try directory.openOrCreateFile(name, mode: 0o600)
        for ending in ["-wal", "-shm", "-journal"] {
            do throws(FileError) {
                _ = try directory.openFile("\(name)\(ending)")
            } catch {
                if !error.isMissing { throw error }
            }
        }
    }

    /// Claims the store for a widget from `origin`. The store of a registry's widget is for that widget alone.
    ///
    /// - Parameter adoption: the data of widgets from elsewhere that it may have.
    /// - Throws: ``WidgetError/storeOfAnother(path:origin:)``
    package func claim(for origin: StoreOrigin, adopting adoption: DataAdoption = .nothing) throws(WidgetError) {
        let kept = try rethrowing(as: { (error: DatabaseError) in WidgetError(error) }) { () throws(DatabaseError) in
            try connection.first("SELECT value FROM note WHERE name = 'origin'", []) {
                row throws(DatabaseError) in StoreOrigin(kept: try row.text(0))
            }
        }
        guard kept != origin else { return }
        if let kept, !kept.shares(with: origin), !adoption.allows(kept, for: origin) {
            throw .storeOfAnother(path: path, origin: "\(kept)")
        }
        _ = try rethrowing(
            try connection.run(
                "INSERT OR REPLACE INTO note (name, value) VALUES ('origin', ?)", [.text(origin.description)]),
            as: { (error: DatabaseError) in WidgetError(error) })
    }

    package func load(model: EntityModel) throws(WidgetError) -> Store {
        try read(model: model).store
    }

    /// The records and settings that the model still knows, and findings about the rest.
    ///
    /// An unreadable record stays in the file as it is, and no new record gets its number.
    package func read(model: EntityModel) throws(WidgetError) -> (store: Store, diagnostics: [Finding]) {
        var edit = RecordEdit(RecordTable(model: model))
        var settings: [String: Value] = [:]
        var unread = UnreadParts(path: path)
        try rethrowing(as: { (error: DatabaseError) in WidgetError(error) }) { () throws(DatabaseError) in
            try connection.each("SELECT id, entity, fields FROM record ORDER BY id", []) { row throws(DatabaseError) in
                guard let id = Int(exactly: try row.integer(0)) else { return true }
                edit.reserve(id)
                let name = try row.text(1)
                guard let entity = model.place(of: name) else { return true }
                guard edit.hasRoom(forNew: entity) else {
                    unread.add(record: id, of: name, "the widget's records take all the space that they may")
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
        try connection.transaction(.writing, wrapping: { WidgetError($0) }) { () throws(WidgetError) in
            try rethrowing(as: { (error: DatabaseError) in WidgetError(error) }) { () throws(DatabaseError) in
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

/// The unreadable parts of a store, as findings for the user of the widget.
struct UnreadParts {
    private let path: String
    private var firstRecord: String?
    private var recordCount = 0
    private var firstSetting: String?
    private var settingCount = 0

    init(path: String) { self.path = path }

    mutating func add(record id: Int, of entity: String, _ reason: String) {
        recordCount += 1
        if firstRecord == nil { firstRecord = "record \(id) of \(entity): \(reason)" }
    }

    mutating func add(setting name: String) {
        settingCount += 1
        if firstSetting == nil { firstSetting = "the setting \(name)" }
    }

    /// At most one finding for records and one for settings, however many there are.
    var diagnostics: [Finding] {
        let records = firstRecord.map { UnreadParts.sentence($0, recordCount) }
        let settings = firstSetting.map { UnreadParts.sentence($0, settingCount) }
        return [records, settings].compactMap { $0 }.map { sentence in
            Finding(
                .error, .storing, "The store has what cannot be read: \(sentence)",
                hint: "it stays in \(path) as it is, and the widget continues without it")
        }
    }

    private static func sentence(_ first: String, _ count: Int) -> String {
        count == 1 ? first : "\(first), and \(count - 1) more"
    }
}

/// The owner of a store. Bundles choose their identifiers themselves, so an identifier alone opens no store.
package struct StoreOrigin: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// A bundle's folder or archive.
    package init(path: String) { description = resolvedPath(path) }

    /// A release of a bundle, by the registry's address.
    package init(registry: String, bundle: String) { description = bundle + StoreOrigin.separator + registry }

    init(kept: String) { description = kept }

    private var isFile: Bool { description.hasPrefix("/") }

    /// The identifier of the bundle, which a registry has verified; `nil` for a file.
    fileprivate var bundle: Substring? {
        guard !isFile, let end = description.firstRange(of: StoreOrigin.separator) else { return nil }
        return description[..<end.lowerBound]
    }

    private static let separator = " of "

    /// True if the data of this origin is for another origin too. Authors build bundles again, rename and move them, so
    /// files share their data; a registry's widget may keep secrets of a service, so its data is for itself alone.
    func shares(with other: StoreOrigin) -> Bool { isFile || self == other }
}

/// The data of widgets from elsewhere that a widget of a registry may have, as its host has decided.
package enum DataAdoption: Equatable, Sendable {
    case nothing
    /// Those that the same bundle kept when the registry had one of these addresses.
    case of(Set<String>)
    /// Those of the same bundle at any registry.
    case sameBundle
    /// Those of any widget with the same identifier.
    case everything

    func allows(_ kept: StoreOrigin, for origin: StoreOrigin) -> Bool {
        switch self {
        case .nothing: return false
        case .everything: return true
        case .sameBundle: return kept.bundle != nil && kept.bundle == origin.bundle
        case .of(let registries):
            guard let bundle = origin.bundle else { return false }
            return registries.contains { StoreOrigin(registry: $0, bundle: String(bundle)) == kept }
        }
    }
}

/// The lock that gives a store to one widget of one process at a time. Each widget counts the numbers of new records by
/// itself, so two would overwrite each other's records.
///
/// The lock is on a file beside the store, because the process loses SQLite's own locks on the store when it closes any
/// other descriptor of it.
final class StoreLock: Sendable {
    private let lock: FileLock

    init(beside path: String) throws(WidgetError) {
        let (folder, name) = StoreLock.split(path)
        do throws(FileError) {
            let directory = try Directory(opening: folder)
            lock = try FileLock(of: directory.openOrCreateFile("\(name).lock", mode: 0o600))
            try lock.file.truncate(to: 0)
            try lock.file.write(Array("process \(ProcessNumber.current)".utf8), at: 0)
        } catch {
            guard error.isLocked else { throw .file(error) }
            throw .storeInUse(path: path, holder: StoreLock.holder("\(path).lock"))
        }
    }

    /// The folder and the name of a store.
    static func split(_ path: String) -> (folder: String, name: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
        return (folder.isEmpty ? "/" : folder, parts.last.map(String.init) ?? "")
    }

    /// The name that the holder of the lock wrote into it.
    private static func holder(_ path: String) -> String {
        guard let file = try? FileDescriptor.reading(path), let text = try? file.read(at: 0, count: 100) else {
            return "another process"
        }
        return text.isEmpty ? "another process" : String(decoding: text, as: UTF8.self)
    }
}
