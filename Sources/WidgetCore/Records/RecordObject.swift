package import Predicates

/// A record as expressions see it: keys lead to its values and on to other records of the same moment.
package final class RecordObject: PredicateObject {
    package let id: RecordID
    private let record: Record
    private let table: RecordTable
    /// Told of every record that is looked at.
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
        // What a subclass may have that the model does not declare is simply not there.
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
    /// The record that this is, or none.
    package var recordID: RecordID? {
        if case .object(let object) = self, case .record(let id) = object.identity { id } else { nil }
    }

    /// The same value with its records as they are in another version of the table; those that are gone are nothing.
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

    /// What of a value outlives the event that has come to it: data and records. Anything else that expressions can see
    /// is of one moment, and holds all that the moment holds: kept, it would hold every moment before it.
    var kept: Value {
        switch self {
        case .object(let object):
            if case .record = object.identity { self } else { .null }
        case .array(let elements): ValueExtent(of: self).hasObjects ? .array(elements.map(\.kept)) : self
        case .set(let elements):
            ValueExtent(of: self).hasObjects ? .set(elements.map(\.kept).filter { !$0.isNull }) : self
        case .dictionary(let dictionary):
            dictionary.extent.hasObjects
                ? .dictionary(PredicateDictionary(zip(dictionary.keys, dictionary.values.map(\.kept)))) : self
        default: self
        }
    }
}
