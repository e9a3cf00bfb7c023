internal import Plist

extension DataModel {
    /// The compiled form, a keyed archive; the same model is the same bytes every time.
    package func encoded() -> [UInt8] {
        var writer = ModelWriter(model: self)
        return writer.encode()
    }
}

/// Writes a model's archive. Entities and relationships get their numbers first, because they refer to
/// each other.
struct ModelWriter {
    let model: DataModel
    private let inheritance: Inheritance
    private let inverses: [[Inheritance.RelationshipPlace?]]
    var builder = KeyedArchiveBuilder()
    private var entityNumbers: [String: UInt32] = [:]
    /// By entities' places, and theirs there.
    private var relationshipNumbers: [[UInt32]] = []
    private var root: UInt32 = 0

    init(model: DataModel) {
        self.model = model
        inheritance = Inheritance(model)
        inverses = inheritance.inverses(in: model)
    }

    mutating func encode() -> [UInt8] {
        root = builder.reserve()
        for entity in model.entities {
            entityNumbers[entity.name] = builder.reserve()
            relationshipNumbers.append(entity.relationships.map { _ in builder.reserve() })
        }
        for place in model.entities.indices { write(place) }
        let entities = builder.add(dictionary: model.entities.map { ($0.name, reference(entity: $0.name)) })
        let requests = model.fetchRequests.map { ($0.name, write($0.request)) }
        let identifiers = model.versionIdentifiers.map { builder.add(.string($0)) }
        var fields: [(String, PlistValue)] = [
            ("NSEntities", entities),
            (
                "NSFetchRequestTemplates",
                requests.isEmpty ? KeyedArchiveBuilder.null : builder.add(dictionary: requests)
            ),
            ("NSVersionIdentifiers", builder.add(set: identifiers)),
        ]
        if !model.configurations.isEmpty {
            let entries = model.configurations.map { configuration in
                (configuration.name, builder.add(set: configuration.entityNames.map { reference(entity: $0) }))
            }
            fields.append(("NSConfigurations", builder.add(dictionary: entries)))
        }
        builder.define(root, ["NSManagedObjectModel", "NSObject"], fields)
        return builder.encoded(top: [("root", .uid(root))])
    }

    func reference(entity name: String?) -> PlistValue {
        name.flatMap { entityNumbers[$0] }.map { .uid($0) } ?? KeyedArchiveBuilder.null
    }

    private func reference(_ relationship: Inheritance.RelationshipPlace?) -> PlistValue {
        relationship.map { .uid(relationshipNumbers[$0.entity][$0.relationship]) } ?? KeyedArchiveBuilder.null
    }

    private mutating func write(_ place: Int) {
        let entity = model.entities[place]
        guard let number = entityNumbers[entity.name] else { return }
        var properties: [(String, PlistValue)] = []
        for attribute in entity.attributes { properties.append((attribute.name, write(attribute, of: entity))) }
        for (number, relationship) in entity.relationships.enumerated() {
            properties.append((relationship.name, write((place, number))))
        }
        for fetched in entity.fetchedProperties { properties.append((fetched.name, write(fetched, of: entity))) }
        let subentities = inheritance.children[place].map { model.entities[$0].name }
            .map { ($0, reference(entity: $0)) }
        var fields: [(String, PlistValue)] = [
            ("NSEntityName", builder.add(entity.name)), ("NSClassNameForEntity", builder.add(entity.className)),
            ("NSManagedObjectModel", .uid(root)), ("NSSuperentity", reference(entity: entity.superentity)),
            ("NSSubentities", builder.add(dictionary: subentities)),
            ("NSProperties", builder.add(dictionary: properties)), ("NSUserInfo", write(entity.userInfo)),
            ("NSVersionHashModifier", builder.add(entity.versionHashModifier)),
            ("NSRenamingIdentifier", builder.add(entity.renamingIdentifier)),
        ]
        if entity.isAbstract { fields.append(("NSIsAbstract", .boolean(true))) }
        if let name = entity.spotlightDisplayName { fields.append(("NSCoreSpotlightDisplayName", builder.add(name))) }
        if !entity.uniquenessConstraints.isEmpty {
            let rules = entity.uniquenessConstraints.map { rule in
                builder.add(array: rule.map { builder.add(.string($0)) })
            }
            fields.append(("NSUniqueTuples", builder.add(array: rules)))
        }
        if !entity.indexes.isEmpty {
            let indexes = entity.indexes.map { write($0, of: entity) }
            fields.append(("NSFetchIndexDescriptions", builder.add(array: indexes)))
        }
        builder.define(number, ["NSEntityDescription", "NSObject"], fields)
    }

    private mutating func write(_ place: Inheritance.RelationshipPlace) -> PlistValue {
        let entity = model.entities[place.entity]
        let relationship = entity.relationships[place.relationship]
        let number = relationshipNumbers[place.entity][place.relationship]
        // An entity that the destination inherits from may declare the inverse.
        let inverse = reference(inverses[place.entity][place.relationship])
        let fields: [(String, PlistValue)] = [
            ("NSDestinationEntity", reference(entity: relationship.destination)),
            ("_NSDestinationEntityName", builder.add(relationship.destination)),
            ("NSInverseRelationship", inverse),
            ("_NSInverseRelationshipName", builder.add(relationship.inverse)),
            ("NSDeleteRule", .integer(relationship.deleteRule.rawValue)),
            ("NSMinCount", .integer(relationship.minimumCount)), ("NSMaxCount", .integer(relationship.maximumCount)),
        ]
        let common = property(
            relationship.name, relationship.traits, of: entity, more: [(relationship.isOrdered, "NSIsOrdered", 0x400)])
        builder.define(
            number, ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"], common + fields)
        return .uid(number)
    }

    private mutating func write(_ fetched: FetchedProperty, of entity: Entity) -> PlistValue {
        let request = write(fetched.request)
        let fields = [
            ("NSFetchRequest", request), ("_NSFetchRequestEntityName", builder.add(fetched.request.entityName)),
        ]
        return builder.add(
            ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"],
            property(fetched.name, fetched.traits, of: entity) + fields)
    }
}
