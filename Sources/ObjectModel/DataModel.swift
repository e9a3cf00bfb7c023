package import Plist

/// What a widget's data looks like: entities, and what fetches them.
package struct DataModel: Equatable, Sendable {
    /// In the order of the file; a name stands there once.
    package var entities: [Entity]
    package var configurations: [Configuration] = []
    package var fetchRequests: [FetchRequestTemplate] = []
    package var versionIdentifiers: [String] = []
    /// What an archive said beyond this, as `Class.key`, each once and sorted: read from it, and not kept here.
    package var unknownKeys: [String] = []

    package init(entities: [Entity]) {
        self.entities = entities
    }

    package func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The entity and those it inherits from, itself first. A model that was read has no cycle of them.
    ///
    /// Looks at every entity; ``Inheritance`` is for who asks for many.
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

    /// The entities that inherit from this one directly.
    package func subentities(of name: String) -> [Entity] { entities.filter { $0.superentity == name } }

    /// All attributes of an entity, inherited ones first.
    package func attributes(of name: String) -> [Attribute] { lineage(of: name).reversed().flatMap(\.attributes) }

    /// All relationships of an entity, inherited ones first.
    package func relationships(of name: String) -> [Relationship] {
        lineage(of: name).reversed().flatMap(\.relationships)
    }
}

/// A named choice of entities.
package struct Configuration: Equatable, Sendable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        (self.name, self.entityNames) = (name, entityNames)
    }
}

/// A key and its value, as authors attach them to entities and properties.
package struct UserInfoEntry: Equatable, Sendable {
    package var key: String
    /// Text in what Xcode writes; whatever scalar else was there.
    package var value: PlistValue

    package init(key: String, value: PlistValue) {
        (self.key, self.value) = (key, value)
    }
}

extension [UserInfoEntry] {
    package subscript(_ key: String) -> String? { first { $0.key == key }?.value.string }
}
