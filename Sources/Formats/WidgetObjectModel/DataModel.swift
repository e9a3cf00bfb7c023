package import WidgetPlist

/// The structure of a widget's data: entities, and the requests that fetch them.
package struct DataModel: Equatable, Sendable {
    /// Entities in the order of the file; each name occurs once.
    package var entities: [Entity]
    package var configurations: [Configuration] = []
    package var fetchRequests: [FetchRequestTemplate] = []
    package var versionIdentifiers: [String] = []
    /// Keys of an archive that were read but not kept, as `Class.key`, each once and sorted.
    package var unknownKeys: [String] = []

    package init(entities: [Entity]) {
        self.entities = entities
    }

    package func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// Returns the entity and its ancestors, itself first. A model that was read has no cycle of them.
    ///
    /// Looks at every entity; callers that ask often use ``Inheritance``.
    package func lineage(of name: String) -> [Entity] {
        let places = Inheritance.places(of: self)
        var lineage: [Entity] = []
        var met: Set<Int> = []
        var next = places[name]
        while let place = next, met.insert(place).inserted {
            lineage.append(entities[place])
            next = entities[place].superentity.flatMap { places[$0] }
        }
        return lineage
    }

    /// Returns the direct descendants of this entity.
    package func subentities(of name: String) -> [Entity] { entities.filter { $0.superentity == name } }

    /// Returns all attributes of an entity, inherited ones first.
    package func attributes(of name: String) -> [Attribute] { lineage(of: name).reversed().flatMap { $0.attributes } }

    /// Returns all relationships of an entity, inherited ones first.
    package func relationships(of name: String) -> [Relationship] {
        lineage(of: name).reversed().flatMap { $0.relationships }
    }
}

/// A named selection of entities.
package struct Configuration: Equatable, Sendable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        (self.name, self.entityNames) = (name, entityNames)
    }
}

/// A key and its value, attached to entities and properties by authors.
package struct UserInfoEntry: Equatable, Sendable {
    package var key: String
    /// Text in Xcode's files; any other scalar is kept.
    package var value: PlistValue

    package init(key: String, value: PlistValue) {
        (self.key, self.value) = (key, value)
    }
}

extension [UserInfoEntry] {
    package subscript(_ key: String) -> String? { first { $0.key == key }?.value.string }
}

/// A request for objects of an entity.
package struct FetchRequest: Equatable, Sendable {
    package struct SortDescriptor: Equatable, Sendable {
        package var key: String
        package var isAscending: Bool
        package var selector: String?

        package init(key: String, isAscending: Bool, selector: String? = nil) {
            (self.key, self.isAscending, self.selector) = (key, isAscending, selector)
        }
    }

    package var entityName: String?
    /// The condition as text; `nil` without one.
    package var predicate: String?
    package var sortDescriptors: [SortDescriptor] = []
    /// 0 for no limit.
    package var fetchLimit: Int64 = 0
    package var fetchOffset: Int64 = 0
    package var batchSize: Int64 = 0

    package init(entityName: String?) {
        self.entityName = entityName
    }
}

/// A request that the model stores under a name.
package struct FetchRequestTemplate: Equatable, Sendable {
    package var name: String
    package var request: FetchRequest

    package init(name: String, request: FetchRequest) {
        (self.name, self.request) = (name, request)
    }
}
