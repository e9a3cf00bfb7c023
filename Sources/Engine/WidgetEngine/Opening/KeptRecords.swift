internal import JSONText
package import WidgetCore
internal import WidgetPredicates
internal import WidgetRunning

/// The records and settings of a widget as JSON, for a host that keeps them:
/// `{"records": [[1, "Entry", {…}]], "settings": {"name": …}}`. In the changes since a save, `[2, "", null]` is a record
/// that is gone.
package enum KeptRecords {
    private static let limits = JSONLimits(byteCount: 64 << 20, depth: 200, valueCount: 4_000_000)

    /// The state that a widget begins with, and what of it cannot be read.
    package static func store(_ bytes: [UInt8], _ model: EntityModel) -> (store: Store, faults: [Finding]) {
        var edit = RecordEdit(RecordTable(model: model))
        var settings: [String: Value] = [:]
        guard let json = try? JSONValue(parsing: bytes, limits: limits) else {
            return (Store(model: model), [fault("the records that its host keeps are not JSON")])
        }
        var faults: [Finding] = []
        for entry in json.object?["records"]?.array ?? [] {
            guard let parts = entry.array, parts.count == 3, let id = parts[0].integer.flatMap({ Int(exactly: $0) }),
                let name = parts[1].string
            else {
                faults.append(fault("a record is not as records are kept"))
                continue
            }
            edit.reserve(id)
            guard let entity = model.place(of: name), edit.hasRoom(forNew: entity) else { continue }
            let fields = RecordText.fields(of: parts[2], model.entities[entity])
            guard let fields, edit.restore(Record(id: id, entity: entity, fields: fields)) else {
                faults.append(fault("record \(id) of \(name) is not as records are kept"))
                continue
            }
        }
        for member in json.object?["settings"]?.object?.members ?? [] {
            settings[member.name] = RecordText.value(member.value)
        }
        var store = Store(records: edit.table)
        store.defaults = settings
        return (store, Array(faults.prefix(1)))
    }

    private static func fault(_ sentence: String) -> Finding {
        Finding(
            .error, .storing, "The store has what cannot be read: \(sentence)",
            hint: "the widget continues without it")
    }

    /// Writes the records of these numbers as a store has them, and all settings if they have changed.
    static func write(_ ids: Set<RecordID>, of store: Store, settings: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("records")
            writer.array { writer in
                for id in ids.sorted() {
                    writer.array { writer in
                        writer.number(id)
                        guard let record = store.records[id] else {
                            writer.string("")
                            writer.null()
                            return
                        }
                        let entity = store.records.model.entities[record.entity]
                        writer.string(entity.name)
                        RecordText.write(record, entity, to: &writer)
                    }
                }
            }
            guard settings else { return }
            writer.key("settings")
            writer.object { writer in
                for (name, value) in store.defaults.sorted(by: { $0.key < $1.key }) {
                    writer.key(name)
                    RecordText.write(value, to: &writer)
                }
            }
        }
    }
}
