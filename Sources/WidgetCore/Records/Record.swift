internal import Predicates

/// What tells a record from all others of its store; never used again.
package typealias RecordID = Int

/// One record, as it is at one moment. Records are replaced and never changed.
package final class Record: Sendable {
    package enum Field: Sendable {
        case value(Value)
        case one(RecordID?)
        case many([RecordID])

        package func isIdentical(to other: Field) -> Bool {
            switch (self, other) {
            case (.value(let first), .value(let second)): first.isIdentical(to: second)
            case (.one(let first), .one(let second)): first == second
            case (.many(let first), .many(let second)): first == second
            default: false
            }
        }
    }

    package let id: RecordID
    /// The place of its entity in the model.
    package let entity: Int
    /// In the order of the entity's properties.
    package let fields: [Field]

    package init(id: RecordID, entity: Int, fields: [Field]) {
        self.id = id
        self.entity = entity
        self.fields = fields
    }

    package convenience init(id: RecordID, new entity: Int, of model: EntityModel) {
        self.init(id: id, entity: entity, fields: model.plans[entity].blank)
    }

    package func replacing(_ slot: Int, by field: Field) -> Record {
        guard fields.indices.contains(slot) else { return self }
        var fields = fields
        fields[slot] = field
        return Record(id: id, entity: entity, fields: fields)
    }

    package func isIdentical(to other: Record) -> Bool {
        self === other
            || entity == other.entity && fields.elementsEqual(other.fields) { $0.isIdentical(to: $1) }
    }
}
