internal import WidgetPredicates

/// The kinds of a widget's records, with everything they inherit.
package final class EntityModel: Sendable {
    package struct Attribute: Equatable, Sendable {
        package enum Kind: String, Sendable {
            case integer, decimal, real, string, boolean, date, data, any
        }

        package var name: String
        package var kind: Kind
        package var isOptional: Bool
        package var initial: Value
        /// The place of the value in a document. Documents do not touch a property without a path.
        package var jsonKeyPath: [String]?
        package var transformer: String?

        package init(
            _ name: String, _ kind: Kind, isOptional: Bool = true, initial: Value = .null,
            jsonKeyPath: [String]? = nil, transformer: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.isOptional = isOptional
            self.initial = initial
            self.jsonKeyPath = jsonKeyPath
            self.transformer = transformer
        }

        package static func == (left: Attribute, right: Attribute) -> Bool {
            left.name == right.name && left.kind == right.kind && left.isOptional == right.isOptional
                && left.initial.isIdentical(to: right.initial) && left.jsonKeyPath == right.jsonKeyPath
                && left.transformer == right.transformer
        }
    }

    package struct Relationship: Equatable, Sendable {
        package enum DeleteRule: Sendable { case none, nullify, cascade, deny }

        package var name: String
        package var destination: String
        package var inverse: String?
        package var isToMany: Bool
        package var deleteRule: DeleteRule
        package var isOptional: Bool
        package var jsonKeyPath: [String]?

        package init(
            _ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false,
            deleteRule: DeleteRule = .nullify, isOptional: Bool = true, jsonKeyPath: [String]? = nil
        ) {
            self.name = name
            self.destination = destination
            self.inverse = inverse
            self.isToMany = isToMany
            self.deleteRule = deleteRule
            self.isOptional = isOptional
            self.jsonKeyPath = jsonKeyPath
        }
    }

    package enum Property: Equatable, Sendable {
        case attribute(Attribute)
        case relationship(Relationship)

        package var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    package struct Entity: Equatable, Sendable {
        package var name: String
        package var parent: String?
        package var isAbstract: Bool
        /// The entity's properties. In a model, inherited ones come first.
        package var properties: [Property]
        /// The attributes that identify records, with inherited ones once in a model.
        package var identity: [String]
        /// The relationship that leads to the owner of a record.
        package var ownerRelationship: String?
        package var isOwner: Bool
        package var mapper: String?
        package var dictionaryTransformer: String?

        package init(
            _ name: String, parent: String? = nil, isAbstract: Bool = false, properties: [Property] = [],
            identity: [String] = [], ownerRelationship: String? = nil, isOwner: Bool = false, mapper: String? = nil,
            dictionaryTransformer: String? = nil
        ) {
            self.name = name
            self.parent = parent
            self.isAbstract = isAbstract
            self.properties = properties
            self.identity = identity
            self.ownerRelationship = ownerRelationship
            self.isOwner = isOwner
            self.mapper = mapper
            self.dictionaryTransformer = dictionaryTransformer
        }

        /// Properties have many names: `isHidden` may be asked for as `hidden`, and the other way round.
        package func slot(_ key: String) -> Int? { slots[key] }

        fileprivate(set) var slots: [String: Int] = [:]
    }

    package let entities: [Entity]
    private let places: [String: Int]
    private let slots: [[String: Int]]
    /// The entities, prepared for mapping answers.
    let plans: [EntityPlan]
    /// Entities whose inheritance was cut at a limit.
    package let cut: [String]
    /// For each entity itself and all that inherit from it.
    private let families: [[Int]]
    /// For each entity itself and all that it inherits from.
    private let lines: [[Int]]

    /// The names under which expressions can ask more of a record than its properties.
    package let facts: [String: RecordFact]

    package static let empty = EntityModel([])

    /// The limits on the depth of inheritance and on all inherited properties together, far above any real model.
    package static let mostAncestors = 64
    package static let mostProperties = 50_000

    /// Parents that are missing, too many, or that inherit from their own children are ignored.
    package init(_ declared: [Entity], facts: [String: RecordFact] = [:]) {
        self.facts = facts
        let byName = Dictionary(declared.map { ($0.name, $0) }) { first, _ in first }
        var entities: [Entity] = []
        var places: [String: Int] = [:]
        var ancestors: [[String]] = []
        var cut: [String] = []
        var propertyCount = 0
        for entity in declared where places[entity.name] == nil {
            var line = [entity]
            var names: Set<String> = [entity.name]
            while let parent = line.last?.parent.flatMap({ byName[$0] }), !names.contains(parent.name) {
                propertyCount += parent.properties.count
                guard line.count <= EntityModel.mostAncestors, propertyCount <= EntityModel.mostProperties else {
                    cut.append(entity.name)
                    break
                }
                names.insert(parent.name)
                line.append(parent)
            }
            line.reverse()
            places[entity.name] = entities.count
            entities.append(EntityModel.flattened(entity, line))
            ancestors.append(line.map { $0.name })
        }
        self.entities = entities
        self.places = places
        self.cut = cut
        slots = entities.map { $0.slots }
        plans = entities.map { EntityPlan($0) }
        var families: [[Int]] = Array(repeating: [], count: entities.count)
        for (place, names) in ancestors.enumerated() {
            for name in names { if let parent = places[name] { families[parent].append(place) } }
        }
        self.families = families
        lines = ancestors.map { names in names.compactMap { places[$0] } }
    }

    private static func flattened(_ entity: Entity, _ line: [Entity]) -> Entity {
        var result = entity
        var properties: [Property] = []
        var known: [String: Int] = [:]
        for property in line.flatMap({ $0.properties }) {
            if let place = known[property.name] {
                properties[place] = property
            } else {
                known[property.name] = properties.count
                properties.append(property)
            }
        }
        result.properties = properties
        var identity: [String] = []
        for name in line.flatMap({ $0.identity }) where !identity.contains(name) { identity.append(name) }
        result.identity = identity
        // A record of a kind that inherits is owned, and owns, as its parents do.
        result.ownerRelationship = line.reversed().lazy.compactMap { $0.ownerRelationship }.first
        result.isOwner = line.contains { $0.isOwner }
        result.mapper = line.reversed().lazy.compactMap { $0.mapper }.first
        result.dictionaryTransformer = line.reversed().lazy.compactMap { $0.dictionaryTransformer }.first
        for (slot, property) in properties.enumerated() {
            result.slots[property.name] = slot
        }
        for (slot, property) in properties.enumerated() {
            for alias in EntityModel.otherNames(of: property.name) where result.slots[alias] == nil {
                result.slots[alias] = slot
            }
        }
        return result
    }

    /// `hidden` for `isHidden`, and the other way round.
    package static func otherNames(of name: String) -> [String] {
        guard let first = name.first else { return [] }
        if name.hasPrefix("is"), name.dropFirst(2).first?.isUppercase == true {
            let rest = name.dropFirst(2)
            return [rest.prefix(1).lowercased() + rest.dropFirst()]
        }
        return ["is" + first.uppercased() + name.dropFirst()]
    }

    package func place(of name: String) -> Int? { places[name] }

    package subscript(_ name: String) -> Entity? { places[name].map { entities[$0] } }

    /// The index of a property in records of an entity.
    func slot(_ key: String, of entity: Int) -> Int? { slots[entity][key] }

    /// The entity itself and those that inherit from it.
    package func family(of place: Int) -> [Int] { families.indices.contains(place) ? families[place] : [] }

    /// The entity itself and those that it inherits from.
    func line(of place: Int) -> [Int] { lines.indices.contains(place) ? lines[place] : [] }
}

/// An entity prepared for mapping answers, so that the lookups for each record need one reference.
final class EntityPlan: Sendable {
    /// One property of a record.
    final class Field: Sendable {
        let slot: Int
        let name: String
        /// The place of the value in a document. Documents do not touch a property without a path.
        let path: [String]?
        let kind: EntityModel.Attribute.Kind
        let transformer: String?
        /// `nil` for an attribute.
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
    /// The attributes that identify records. Entities with the same identity share one index.
    let identity: [String]
    /// The fields of the identity, where there are such attributes.
    let identityFields: [Field?]
    /// The fields that documents have.
    let documented: [Field]
    let mandatory: [Field]
    /// A record with its initial values.
    let blank: [Record.Field]
    let blankWeight: Int
    let propertyCount: Int
    /// Relationships with a delete rule.
    let ruling: [Field]
    /// Relationships with an inverse.
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
        mandatory = fields.filter { $0.isMandatory }
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
