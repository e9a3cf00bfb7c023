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

        /// The room that it takes, in units of 16 bytes beside the field itself. What several records share is counted
        /// for each: once it is kept, they share nothing any more.
        var weight: Int {
            switch self {
            case .one: 1
            case .many(let ids): 1 + ids.count / 2
            case .value(.string(let text)): 1 + text.utf8.count / 16
            case .value(.data(let bytes)): 1 + bytes.count / 16
            case .value(let value):
                value.elements == nil ? 1 : value.weight(upTo: RecordTable.weightLimit) ?? RecordTable.weightLimit
            }
        }
    }

    package let id: RecordID
    /// The place of its entity in the model.
    package let entity: Int
    /// In the order of the entity's properties.
    package let fields: [Field]
    /// Of all its fields together.
    let weight: Int

    package convenience init(id: RecordID, entity: Int, fields: [Field]) {
        self.init(id: id, entity: entity, fields: fields, weight: fields.reduce(0) { $0 + $1.weight })
    }

    package convenience init(id: RecordID, new entity: Int, of model: EntityModel) {
        let plan = model.plans[entity]
        self.init(id: id, entity: entity, fields: plan.blank, weight: plan.blankWeight)
    }

    private init(id: RecordID, entity: Int, fields: [Field], weight: Int) {
        self.id = id
        self.entity = entity
        self.fields = fields
        self.weight = weight
    }

    package func replacing(_ slot: Int, by field: Field) -> Record {
        replacing([(slot, field)])
    }

    /// The same with several at once; what has no place in it is left out.
    func replacing(_ replacements: [(slot: Int, field: Field)]) -> Record {
        var fields = fields
        var weight = weight
        for (slot, field) in replacements where fields.indices.contains(slot) {
            weight += field.weight - fields[slot].weight
            fields[slot] = field
        }
        return Record(id: id, entity: entity, fields: fields, weight: weight)
    }

    package func isIdentical(to other: Record) -> Bool {
        self === other
            || entity == other.entity && fields.elementsEqual(other.fields) { $0.isIdentical(to: $1) }
    }
}
