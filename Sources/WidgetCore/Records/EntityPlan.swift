/// An entity as answers are kept by it, made once: what is looked up for each record lies behind one reference.
final class EntityPlan: Sendable {
    /// One property of a record.
    final class Field: Sendable {
        let slot: Int
        let name: String
        /// Where a document has it; without one documents do not touch it.
        let path: [String]?
        let kind: EntityModel.Attribute.Kind
        let transformer: String?
        /// Where it leads; an attribute leads nowhere.
        let relationship: EntityModel.Relationship?
        let isMandatory: Bool

        fileprivate init(_ slot: Int, _ property: EntityModel.Property) {
            self.slot = slot
            name = property.name
            switch property {
            case .attribute(let attribute):
                path = attribute.jsonKeyPath
                kind = attribute.kind
                transformer = attribute.transformer
                relationship = nil
                isMandatory = !attribute.isOptional
            case .relationship(let relationship):
                path = relationship.jsonKeyPath
                kind = .any
                transformer = nil
                self.relationship = relationship
                // A relationship to many is never missing.
                isMandatory = !relationship.isOptional && !relationship.isToMany
            }
        }
    }

    let name: String
    let isAbstract: Bool
    let mapper: String?
    let dictionaryTransformer: String?
    /// What tells records apart; the same for all that can be told from each other.
    let identity: [String]
    /// The fields of the identity, where there are such attributes.
    let identityFields: [Field?]
    /// Those that documents have.
    let documented: [Field]
    let mandatory: [Field]
    /// A record of which nothing is known yet.
    let blank: [Record.Field]
    let blankWeight: Int
    let propertyCount: Int
    /// Relationships that say what becomes of others when a record goes.
    let ruling: [Field]
    /// Relationships that others know of.
    let linked: [Field]

    init(_ entity: EntityModel.Entity) {
        name = entity.name
        isAbstract = entity.isAbstract
        mapper = entity.mapper
        dictionaryTransformer = entity.dictionaryTransformer
        identity = entity.identity
        let fields = entity.properties.enumerated().map { Field($0, $1) }
        identityFields = entity.identity.map { name in
            entity.slot(name).map { fields[$0] }.flatMap { $0.relationship == nil ? $0 : nil }
        }
        documented = fields.filter { $0.path != nil }
        mandatory = fields.filter(\.isMandatory)
        blank = entity.properties.map { property in
            switch property {
            case .attribute(let attribute): .value(attribute.initial)
            case .relationship(let relationship): relationship.isToMany ? .many([]) : .one(nil)
            }
        }
        blankWeight = blank.reduce(0) { $0 + $1.weight }
        propertyCount = fields.count
        ruling = fields.filter { [.deny, .cascade].contains($0.relationship?.deleteRule) }
        linked = fields.filter { $0.relationship?.inverse != nil }
    }
}
