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
    var builder = KeyedArchiveBuilder()
    private var entityNumbers: [String: UInt32] = [:]
    private var relationshipNumbers: [String: [String: UInt32]] = [:]
    private var root: UInt32 = 0

    init(model: DataModel) {
        self.model = model
    }

    mutating func encode() -> [UInt8] {
        root = builder.reserve()
        for entity in model.entities {
            entityNumbers[entity.name] = builder.reserve()
            for relationship in entity.relationships {
                relationshipNumbers[entity.name, default: [:]][relationship.name] = builder.reserve()
            }
        }
        for entity in model.entities { write(entity) }
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

    private func reference(relationship name: String?, of entity: String) -> PlistValue {
        guard let name else { return KeyedArchiveBuilder.null }
        // The inverse may be declared by an entity that the destination inherits from.
        for ancestor in model.lineage(of: entity) {
            if let number = relationshipNumbers[ancestor.name]?[name] { return .uid(number) }
        }
        return KeyedArchiveBuilder.null
    }

    private mutating func write(_ entity: Entity) {
        guard let number = entityNumbers[entity.name] else { return }
        var properties: [(String, PlistValue)] = []
        for attribute in entity.attributes { properties.append((attribute.name, write(attribute, of: entity))) }
        for relationship in entity.relationships {
            properties.append((relationship.name, write(relationship, of: entity)))
        }
        for fetched in entity.fetchedProperties { properties.append((fetched.name, write(fetched, of: entity))) }
        let subentities = model.subentities(of: entity.name).map { ($0.name, reference(entity: $0.name)) }
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

    private mutating func write(_ relationship: Relationship, of entity: Entity) -> PlistValue {
        let number = relationshipNumbers[entity.name]?[relationship.name] ?? builder.reserve()
        let fields: [(String, PlistValue)] = [
            ("NSDestinationEntity", reference(entity: relationship.destination)),
            ("_NSDestinationEntityName", builder.add(relationship.destination)),
            (
                "NSInverseRelationship",
                reference(relationship: relationship.inverse, of: relationship.destination)
            ),
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
