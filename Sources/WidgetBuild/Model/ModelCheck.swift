internal import Bytes
internal import ObjectModel
internal import XMLText

/// Whether the parts of a model fit together.
struct ModelCheck {
    private let model: DataModel
    private let source: ModelSource
    private let root: XMLElement
    private let entities: [XMLElement]
    private let inheritance: Inheritance

    init(model: DataModel, source: ModelSource, root: XMLElement) {
        (self.model, self.source, self.root) = (model, source, root)
        entities = root.children(named: "entity")
        inheritance = Inheritance(model)
    }

    func check() throws(BuildError) {
        var names: Set<String> = []
        for (entity, element) in zip(model.entities, entities) where !names.insert(entity.name).inserted {
            throw error("the entity \(ShownText.name(entity.name)) stands there twice", element)
        }
        let properties = propertyErrors()
        let inverses = inheritance.inverses(in: model)
        for (place, element) in zip(model.entities.indices, entities) {
            try checkParent(of: place, element)
            if let error = properties[place] { throw error }
            try checkRelationships(of: place, element, inverses[place])
        }
        for request in model.fetchRequests {
            try checkExists(request.request.entityName, in: root)
        }
        for configuration in model.configurations {
            for name in configuration.entityNames { try checkExists(name, in: root) }
        }
    }

    private func error(_ sentence: String, _ element: XMLElement) -> BuildError {
        BuildError(sentence, path: source.path, at: element.position)
    }

    private func checkExists(_ name: String?, in element: XMLElement) throws(BuildError) {
        guard let name, inheritance.places[name] == nil else { return }
        throw error("there is no entity \(ShownText.name(name))", element)
    }

    private func checkParent(of place: Int, _ element: XMLElement) throws(BuildError) {
        let entity = model.entities[place]
        try checkExists(entity.superentity, in: element)
        guard inheritance.isFinite(place) else {
            throw error("the entity \(ShownText.name(entity.name)) inherits from itself", element)
        }
    }

    /// The first thing that is wrong with the properties of each entity, by its place.
    private func propertyErrors() -> [Int: BuildError] {
        var errors: [Int: BuildError] = [:]
        // How often the ancestors of the entity that was entered last have each name.
        var inherited: [String: Int] = [:]
        func heritable(_ place: Int) -> [String] {
            model.entities[place].attributes.map(\.name) + model.entities[place].relationships.map(\.name)
        }
        inheritance.walk { place in
            if place < entities.count {
                errors[place] = propertyError(of: model.entities[place], entities[place]) {
                    inherited[$0, default: 0] > 0
                }
            }
            for name in heritable(place) { inherited[name, default: 0] += 1 }
        } leave: { place in
            for name in heritable(place) { inherited[name, default: 0] -= 1 }
        }
        return errors
    }

    private func propertyError(
        of entity: Entity, _ element: XMLElement, _ isInherited: (String) -> Bool
    ) -> BuildError? {
        var names: Set<String> = []
        for property in element.children where ["attribute", "relationship", "fetchedProperty"].contains(property.name)
        {
            let name = property["name"] ?? ""
            guard !isInherited(name), names.insert(name).inserted else {
                return error(
                    "\(ShownText.name(entity.name)) has the property \(ShownText.name(name)) twice, or inherits it",
                    property)
            }
        }
        for name in entity.indexes.flatMap({ $0.elements.map(\.propertyName) })
            + entity.uniquenessConstraints.flatMap({ $0 }) where !names.contains(name) && !isInherited(name)
        {
            return error("\(ShownText.name(entity.name)) has no property \(ShownText.name(name))", element)
        }
        return nil
    }

    private func checkRelationships(
        of place: Int, _ element: XMLElement, _ inverses: [Inheritance.RelationshipPlace?]
    ) throws(BuildError) {
        let sources = element.children(named: "relationship")
        for ((relationship, inverse), source) in zip(zip(model.entities[place].relationships, inverses), sources) {
            try checkExists(relationship.destination, in: source)
            guard let name = relationship.inverse else { continue }
            guard let inverse else {
                // The properties of an entity that inherits from itself are unknown; that is said of that entity.
                if let destination = inheritance.places[relationship.destination], !inheritance.isFinite(destination) {
                    continue
                }
                throw error(
                    "\(ShownText.name(relationship.destination)) has no relationship \(ShownText.name(name))", source)
            }
            let back = model.entities[inverse.entity].relationships[inverse.relationship]
            guard back.inverse == relationship.name, let end = inheritance.places[back.destination],
                inheritance.isOrInherits(place, from: end)
            else {
                throw error(
                    "\(ShownText.name(name)) of \(ShownText.name(relationship.destination)) does not lead back here",
                    source)
            }
        }
    }
}
