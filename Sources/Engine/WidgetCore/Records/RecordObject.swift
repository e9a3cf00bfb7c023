package import WidgetPredicates

/// A record as expressions see it: keys lead to its values and on to other records of the same moment.
package final class RecordObject: PredicateObject {
    package let id: RecordID
    private let record: Record
    private let table: RecordTable
    /// Notified of every record that is read.
    private let log: ReadLog?

    package init?(_ id: RecordID, in table: RecordTable, log: ReadLog? = nil) {
        guard let record = table[id] else { return nil }
        self.id = id
        self.record = record
        self.table = table
        self.log = log
    }

    package var identity: ObjectIdentity { .record(id) }

    package var entity: EntityModel.Entity { table.model.entities[record.entity] }

    package func value(forKey key: String) -> Value? {
        log?.read(id)
        if let slot = table.model.slot(key, of: record.entity), record.fields.indices.contains(slot) {
            return value(of: record.fields[slot])
        }
        switch table.model.facts[key] {
        case .identity: return .string(objectID)
        case .entityName: return .string(entity.name)
        case .owner: return owner?.asValue ?? .null
        case .isOwn: return .boolean(owner?.entity.isOwner ?? false)
        case nil: break
        }
        if key == "description" { return .string("\(entity.name) \(objectID)") }
        // A key that only a subclass would have reads as no value.
        return key == "self" || key == "SELF" ? nil : .null
    }

    private func value(of field: Record.Field) -> Value {
        switch field {
        case .value(let value): value
        case .one(let id): id.flatMap { related($0) }?.asValue ?? .null
        case .many(let ids): .set(ids.compactMap { related($0)?.asValue })
        }
    }

    private func related(_ id: RecordID) -> RecordObject? {
        log?.read(id)
        return RecordObject(id, in: table, log: log)
    }

    private var asValue: Value { .object(self) }

    /// The identity that a document gave, or the number of the record.
    package var objectID: String {
        if entity.identity.count == 1, let slot = entity.slot(entity.identity[0]),
            case .value(.string(let text)) = record.fields[slot]
        {
            return text
        }
        return "#\(id)"
    }

    private var owner: RecordObject? {
        guard let name = entity.ownerRelationship, let slot = entity.slot(name),
            let owner = RecordEdit.targets(record.fields[slot]).first
        else { return nil }
        return related(owner)
    }
}

extension PredicateValue {
    /// The record of this value, or `nil`.
    package var recordID: RecordID? {
        if case .object(let object) = self, case .record(let id) = object.identity { id } else { nil }
    }

    /// The same value with its records as in another version of the table; deleted ones become null.
    package func moved(to table: RecordTable, log: ReadLog? = nil) -> Value {
        switch self {
        case .object(let object):
            guard case .record(let id) = object.identity else { return self }
            return RecordObject(id, in: table, log: log).map { .object($0) } ?? .null
        case .array(let elements):
            return ValueExtent(of: self).hasObjects ? .array(elements.map { $0.moved(to: table, log: log) }) : self
        case .set(let elements):
            return ValueExtent(of: self).hasObjects ? .set(elements.map { $0.moved(to: table, log: log) }) : self
        case .dictionary(let dictionary):
            guard dictionary.extent.hasObjects else { return self }
            return .dictionary(
                PredicateDictionary(
                    zip(dictionary.keys, dictionary.values.map { $0.moved(to: table, log: log) }).map { ($0, $1) }))
        default: return self
        }
    }

    /// The parts of a value that may be stored beyond the event: data and records. Other objects that expressions see
    /// belong to one moment and retain all of it; a stored one would retain every moment before it.
    var kept: Value {
        switch self {
        case .object(let object):
            if case .record = object.identity { self } else { .null }
        case .array(let elements): ValueExtent(of: self).hasObjects ? .array(elements.map { $0.kept }) : self
        case .set(let elements):
            ValueExtent(of: self).hasObjects ? .set(elements.map { $0.kept }.filter { !$0.isNull }) : self
        case .dictionary(let dictionary):
            dictionary.extent.hasObjects
                ? .dictionary(PredicateDictionary(zip(dictionary.keys, dictionary.values.map { $0.kept }))) : self
        default: self
        }
    }
}
