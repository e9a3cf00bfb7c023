internal import ObjectModel
internal import XMLText

/// Whether the parts of a model fit together.
struct ModelCheck {
    let model: DataModel
    let source: ModelSource
    let root: XMLElement

    func check() throws(BuildError) {
        let entities = root.children(named: "entity")
        var names: Set<String> = []
        for (entity, element) in zip(model.entities, entities) where !names.insert(entity.name).inserted {
            throw error("the entity \(ShownText.of(entity.name)) stands there twice", element)
        }
        for (entity, element) in zip(model.entities, entities) {
            try checkParent(of: entity, element)
            try checkProperties(of: entity, element)
            try checkRelationships(of: entity, element)
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
        guard let name, model.entity(named: name) == nil else { return }
        throw error("there is no entity \(ShownText.of(name))", element)
    }

    private func checkParent(of entity: Entity, _ element: XMLElement) throws(BuildError) {
        try checkExists(entity.superentity, in: element)
        // The way up ends where nothing is above; in a circle something is.
        if model.lineage(of: entity.name).last?.superentity != nil {
            throw error("the entity \(ShownText.of(entity.name)) inherits from itself", element)
        }
    }

    private func checkProperties(of entity: Entity, _ element: XMLElement) throws(BuildError) {
        var names: Set<String> = []
        for ancestor in model.lineage(of: entity.name).dropFirst() {
            names.formUnion(ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name))
        }
        for property in element.children where ["attribute", "relationship", "fetchedProperty"].contains(property.name)
        {
            let name = property["name"] ?? ""
            guard names.insert(name).inserted else {
                throw error(
                    "\(ShownText.of(entity.name)) has the property \(ShownText.of(name)) twice, or inherits it",
                    property)
            }
        }
        let own = Set(names)
        for name in entity.indexes.flatMap({ $0.elements.map(\.propertyName) })
            + entity.uniquenessConstraints.flatMap({ $0 }) where !own.contains(name)
        {
            throw error("\(ShownText.of(entity.name)) has no property \(ShownText.of(name))", element)
        }
    }

    private func checkRelationships(of entity: Entity, _ element: XMLElement) throws(BuildError) {
        let sources = element.children(named: "relationship")
        for (relationship, place) in zip(entity.relationships, sources) {
            try checkExists(relationship.destination, in: place)
            guard let inverse = relationship.inverse else { continue }
            let back = model.relationships(of: relationship.destination).first { $0.name == inverse }
            guard let back else {
                throw error(
                    "\(ShownText.of(relationship.destination)) has no relationship \(ShownText.of(inverse))", place)
            }
            guard back.inverse == relationship.name,
                model.lineage(of: entity.name).contains(where: { $0.name == back.destination })
            else {
                throw error(
                    "\(ShownText.of(inverse)) of \(ShownText.of(relationship.destination)) does not lead back here",
                    place)
            }
        }
    }
}
