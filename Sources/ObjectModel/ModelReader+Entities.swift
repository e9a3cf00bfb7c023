internal import Bytes
internal import Plist

extension ModelReader {
    mutating func entity(_ object: KeyedObject) throws(ModelError) -> Entity {
        note(object, except: .entity)
        guard let name = try string(object, "NSEntityName") else {
            throw ModelError(.nameMissing(className: object.className ?? "NSEntityDescription"))
        }
        var entity = Entity(name: name)
        entity.className = try string(object, "NSClassNameForEntity")
        entity.isAbstract = try flag(object, "NSIsAbstract")
        entity.superentity = try self.name(behind: "NSSuperentity", "NSEntityName", of: object)
        entity.userInfo = try userInfo(object)
        entity.renamingIdentifier = try string(object, "NSRenamingIdentifier")
        entity.versionHashModifier = try string(object, "NSVersionHashModifier")
        entity.spotlightDisplayName = try scalarText(object, "NSCoreSpotlightDisplayName")
        for rule in try elements(object, "NSUniqueTuples") {
            entity.uniquenessConstraints.append(try propertyNames(rule))
        }
        var names: Set<String> = []
        for property in try elements(object, "NSProperties") {
            guard try isOwn(property, of: object) else { continue }
            try spend(Self.propertyCost)
            guard let name = try string(property, "NSPropertyName") else {
                throw ModelError(.nameMissing(className: property.className ?? "NSPropertyDescription"))
            }
            guard names.insert(name).inserted else { throw ModelError(.duplicateProperty(name, entity: entity.name)) }
            try add(property, named: name, to: &entity)
        }
        for index in try elements(object, "NSFetchIndexDescriptions") { entity.indexes.append(try self.index(index)) }
        if entity.indexes.isEmpty {
            // Models of older compilers know compound indexes alone.
            for (number, index) in try elements(object, "NSCompoundIndexes").enumerated() {
                let elements = try propertyNames(index).map { FetchIndex.Element(propertyName: $0, isAscending: true) }
                entity.indexes.append(FetchIndex(name: "compoundIndex\(number)", elements: elements))
            }
        }
        return entity
    }

    /// A property is looked at in some twenty places, which takes as long as fourteen elements of a collection do.
    private static let propertyCost = 14

    /// Some writers list inherited properties as well: through a stand-in, or as the ancestor's own.
    private func isOwn(_ property: KeyedObject, of entity: KeyedObject) throws(ModelError) -> Bool {
        if property.className == "_NSPropertyDescriptionProxy" { return false }
        guard let owner = try object(property, "NSEntity") else { return true }
        return owner.number == entity.number
    }

    private mutating func add(
        _ property: KeyedObject, named name: String, to entity: inout Entity
    ) throws(ModelError) {
        let classNames = property.classNames
        if classNames.contains("NSAttributeDescription") {
            entity.attributes.append(try attribute(property, named: name))
        } else if classNames.contains("NSRelationshipDescription") {
            entity.relationships.append(try relationship(property, named: name))
        } else if classNames.contains("NSFetchedPropertyDescription") {
            note(property, except: .fetchedProperty)
            var request = FetchRequest(entityName: nil)
            if let object = try object(property, "NSFetchRequest") { request = try fetchRequest(object) }
            if request.entityName == nil { request.entityName = try string(property, "_NSFetchRequestEntityName") }
            var fetched = FetchedProperty(name: name, request: request)
            fetched.traits = try traits(property)
            entity.fetchedProperties.append(fetched)
        } else {
            entity.otherProperties.append(OtherProperty(name: name, className: classNames.first ?? ""))
            note(ShownText.name(classNames.first ?? "a property without a class"))
        }
    }

    private mutating func relationship(
        _ object: KeyedObject, named name: String
    ) throws(ModelError) -> Relationship {
        note(object, except: .relationship)
        var destination = try self.name(behind: "NSDestinationEntity", "NSEntityName", of: object)
        if destination == nil { destination = try string(object, "_NSDestinationEntityName") }
        // Compilers warn of a relationship that leads nowhere, and write it.
        if destination == nil { note("NSRelationshipDescription without a destination") }
        var relationship = Relationship(name: name, destination: destination ?? "")
        relationship.traits = try traits(object)
        relationship.inverse = try self.name(behind: "NSInverseRelationship", "NSPropertyName", of: object)
        if relationship.inverse == nil { relationship.inverse = try string(object, "_NSInverseRelationshipName") }
        let rule = try integer(object, "NSDeleteRule") ?? 0
        guard let deleteRule = Relationship.DeleteRule(rawValue: rule) else {
            throw ModelError(.unknownDeleteRule(rule))
        }
        relationship.deleteRule = deleteRule
        relationship.minimumCount = try integer(object, "NSMinCount") ?? 0
        relationship.maximumCount = try integer(object, "NSMaxCount") ?? 0
        relationship.isOrdered = try flag(object, "NSIsOrdered")
        return relationship
    }

    private mutating func index(_ object: KeyedObject) throws(ModelError) -> FetchIndex {
        note(object, except: .index)
        var index = FetchIndex(name: try string(object, "NSIndexName") ?? "", elements: [])
        for element in try elements(object, "NSIndexElements") {
            note(element, except: .indexElement)
            var name = try string(element, "NSPropertyName")
            if name == nil, let property = try self.object(element, "NSIndexedProperty") {
                name = try string(property, "NSPropertyName")
            }
            index.elements.append(
                FetchIndex.Element(
                    propertyName: name ?? "",
                    isAscending: try flag(element, "NSAscending", orElse: true),
                    kind: try integer(element, "NSFetchIndexElementType") ?? 0))
        }
        index.partialPredicate = try predicate(object, "NSPartialIndexPredicate")
        return index
    }

    /// Names in an array, or the names of the properties in it.
    private mutating func propertyNames(_ list: KeyedObject) throws(ModelError) -> [String] {
        var names: [String] = []
        for element in try elements(list) {
            if let name = try self.name(of: element, "NSPropertyName") { names.append(name) }
        }
        return names
    }
}
