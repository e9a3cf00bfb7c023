internal import WidgetCore
internal import WidgetPredicates

/// The entities of a model as the typed check of predicates sees them.
struct ModelSchema {
    private let schema: PredicateSchema
    private let names: [String]

    /// The most facts of a hint.
    private static let shownFactCount = 4
    /// The most complaints about one predicate.
    private static let shownComplaintCount = 20

    /// The records' keys are those of the entity and of all that it inherits.
    init(_ model: EntityModel) {
        var records: [String: [String: PredicateSchema.Kind]] = [:]
        for entity in model.entities {
            var keys: [String: PredicateSchema.Kind] = [:]
            for property in entity.properties {
                let kind = ModelSchema.kind(of: property)
                for name in EntityModel.otherNames(of: property.name) where keys[name] == nil { keys[name] = kind }
                keys[property.name] = kind
            }
            records[entity.name] = keys
            records[ModelSchema.scope(of: entity.name)] = ["content": .record(entity.name)]
        }
        schema = PredicateSchema(records: records, variables: ["input": .string])
        names = model.entities.map { $0.name }
    }

    /// The type of a screen or row whose content is a record. No entity has such a name.
    private static func scope(of entity: String) -> String { "content \(entity)" }

    private static func kind(of property: EntityModel.Property) -> PredicateSchema.Kind {
        switch property {
        case .attribute(let attribute):
            switch attribute.kind {
            case .integer, .decimal, .real: return .number
            case .string: return .string
            case .boolean: return .boolean
            case .date: return .date
            case .data: return .data
            case .any: return .any
            }
        case .relationship(let relationship):
            let record = PredicateSchema.Kind.record(relationship.destination)
            return relationship.isToMany ? .collection(record) : record
        }
    }

    /// The parts of a predicate about records of an entity that must fail, each with what the model says about its
    /// keys. Missing keys are found by the key check, which knows those of sub-entities as well.
    ///
    /// - Parameter isScope: true if the record is the `content` of what the predicate is about.
    func complaints(
        about tree: SyntaxTree, _ entity: Int, isScope: Bool
    ) -> [(complaint: PredicateError, hint: String?)] {
        let name = names[entity]
        var schema = schema
        schema.subject = .record(isScope ? ModelSchema.scope(of: name) : name)
        return schema.complaints(about: tree).filter { $0.code != .unknownKey }
            .prefix(ModelSchema.shownComplaintCount).map { ($0, hint(tree, name)) }
    }

    /// The kinds of the first keys that a predicate names.
    private func hint(_ tree: SyntaxTree, _ entity: String) -> String? {
        var facts: [String] = []
        for case .keyPath(nil, let path) in tree.nodes.map({ $0.kind }) {
            guard case .key(let key)? = path.components.last, let kind = schema.records[entity]?[key],
                path.components.count == 1 || path.text == "content.\(key)",
                let name = ModelSchema.name(of: kind)
            else { continue }
            let fact = "\(key.excerpt) is \(name)"
            if !facts.contains(fact) { facts.append(fact) }
            if facts.count == ModelSchema.shownFactCount { break }
        }
        return facts.isEmpty ? nil : "in the model \(facts.joined(separator: ", "))"
    }

    private static func name(of kind: PredicateSchema.Kind) -> String? {
        switch kind {
        case .any: nil
        case .boolean: "a Boolean"
        case .number: "a number"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .record(let name): "a relationship to \(name)"
        case .collection: "a relationship to many"
        }
    }
}

/// The mediators of a screen, by their names and aliases.
struct MediatorTable: Sendable {
    let all: [MediatorDescription]
    private let places: [String: Int]

    init(_ mediators: [MediatorDescription]) {
        all = mediators
        var places: [String: Int] = [:]
        for (place, mediator) in mediators.enumerated() {
            for name in [mediator.id, mediator.alias].compactMap({ $0 }) where places[name] == nil {
                places[name] = place
            }
        }
        self.places = places
    }

    subscript(_ name: String) -> MediatorDescription? { places[name].map { all[$0] } }
}
