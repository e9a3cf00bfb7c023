internal import Predicates

/// Makes records of what a document says, by what the model says about documents.
///
/// Records are told apart by their identity: known ones are updated, and what a document leaves out stays as it
/// was. Whatever is wrong undoes the whole batch.
package struct RecordMapper: Sendable {
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package var description: String
        /// Whether there was too much, rather than something wrong.
        package var isBudget: Bool

        package init(_ description: String, isBudget: Bool = false) {
            self.description = description
            self.isBudget = isBudget
        }
    }

    private(set) package var edit: RecordEdit
    private let transformers: Transformers
    private let environment: Environment
    private let meter: Meter?
    /// Records by what identifies them, for each entity that was asked for.
    private var indexes: [Int: [[String]: RecordID]] = [:]
    private static let exhausted = Failure("keeping the answer takes more steps than it may", isBudget: true)
    /// What one batch may have within each other.
    private static let nesting = 32

    package init(_ edit: RecordEdit, transformers: Transformers, environment: Environment, meter: Meter? = nil) {
        self.edit = edit
        self.transformers = transformers
        self.environment = environment
        self.meter = meter
    }

    /// - Returns: the records, in the order of the elements.
    package mutating func store(_ elements: [Value], as entityName: String) throws(Failure) -> [RecordID] {
        guard let entity = edit.model.place(of: entityName) else {
            throw Failure("the model has no entity \(entityName)")
        }
        return try store(elements, entity, depth: 0)
    }

    private mutating func store(_ elements: [Value], _ entity: Int, depth: Int) throws(Failure) -> [RecordID] {
        guard depth < RecordMapper.nesting else {
            throw Failure("objects lie more than \(RecordMapper.nesting) deep in each other", isBudget: true)
        }
        let identity = edit.model.entities[entity].identity
        let elements = elements.filter { !$0.isNull }
        guard !identity.isEmpty else {
            var ids: [RecordID] = []
            for element in elements {
                guard case .dictionary = element else { throw shape("an object", element, entity) }
                ids.append(try update(try insert(entity, for: element), from: element, isComplete: true, depth: depth))
            }
            return ids
        }
        var ids: [RecordID] = []
        for element in elements {
            // What lies in another element may have made an index worthless.
            try makeIndex(entity, identity)
            let element = try transformed(element, entity)
            let key = try keys(of: element, entity, identity)
            var id = indexes[entity]?[key]
            if id == nil || key.isEmpty {
                let made = try insert(entity, for: element)
                if !key.isEmpty { addToIndexes(made, key, identity) }
                id = made
            }
            guard let id else { continue }
            if case .dictionary = element {
                ids.append(try update(id, from: element, isComplete: false, depth: depth))
            } else {
                // A bare value is the identity alone.
                if let slot = edit.model.entities[entity].slot(identity[0]) {
                    edit.set(slot, of: id, to: try attributeValue(element, slot, entity))
                }
                ids.append(id)
            }
        }
        return ids
    }

    // MARK: - Finding

    /// Made once for each entity: what one batch adds is added to it.
    private mutating func makeIndex(_ entity: Int, _ identity: [String]) throws(Failure) {
        guard indexes[entity] == nil else { return }
        indexes[entity] = try index(entity, identity)
    }

    private mutating func addToIndexes(_ id: RecordID, _ key: [String], _ identity: [String]) {
        guard let entity = edit[id]?.entity else { return }
        // An array of its own: what goes over a dictionary's keys holds the dictionary, and each change would copy it.
        for other in Array(indexes.keys) where edit.model.family(of: other).contains(entity) {
            if edit.model.entities[other].identity == identity {
                indexes[other]?[key] = id
            } else {
                indexes[other] = nil
            }
        }
    }

    /// The records of a family by what identifies them.
    private func index(_ entity: Int, _ identity: [String]) throws(Failure) -> [[String]: RecordID] {
        var known: [[String]: RecordID] = [:]
        let candidates = candidates(entity)
        meter?.spend(Meter.item * candidates.count)
        if meter?.isEmpty ?? false { throw RecordMapper.exhausted }
        for id in candidates {
            guard let record = edit[id] else { continue }
            var key: [String] = []
            for name in identity {
                guard let slot = edit.model.entities[record.entity].slot(name),
                    case .value(let value) = record.fields[slot], let text = value.text
                else { break }
                key.append(text)
            }
            if key.count == identity.count { known[key] = id }
        }
        return known
    }

    private func candidates(_ entity: Int) -> [RecordID] {
        let family = Set(edit.model.family(of: entity))
        let added = edit.changes.compactMap { id, record in
            record.flatMap { family.contains($0.entity) && edit.base[id] == nil ? id : nil }
        }
        return edit.base.ids(of: entity) + added.sorted()
    }

    /// Nothing when a part of the identity is missing.
    private func keys(of element: Value, _ entity: Int, _ identity: [String]) throws(Failure) -> [String] {
        guard case .dictionary = element else {
            guard identity.count == 1, element.text != nil, let slot = edit.model.entities[entity].slot(identity[0])
            else { throw shape("an object", element, entity) }
            return (try attributeValue(element, slot, entity)).text.map { [$0] } ?? []
        }
        var key: [String] = []
        for name in identity {
            guard let slot = edit.model.entities[entity].slot(name),
                case .attribute(let attribute) = edit.model.entities[entity].properties[slot],
                let path = attribute.jsonKeyPath, let found = RecordMapper.member(of: element, at: path),
                let text = (try attributeValue(found, slot, entity)).text
            else { return [] }
            key.append(text)
        }
        return key
    }

    // MARK: - Filling

    private mutating func insert(_ entity: Int, for element: Value) throws(Failure) -> RecordID {
        guard !edit.isFull else { throw Failure("the widget keeps more records than it may", isBudget: true) }
        var entity = entity
        if let mapper = edit.model.entities[entity].mapper, let transformer = transformers[mapper],
            let name = transformer.apply(element, environment)?.string, let place = edit.model.place(of: name),
            edit.model.family(of: entity).contains(place)
        {
            entity = place
        }
        guard !edit.model.entities[entity].isAbstract else {
            throw Failure("\(edit.model.entities[entity].name) is abstract: no record can be just that")
        }
        return edit.insert(entity).id
    }

    private mutating func update(
        _ id: RecordID, from element: Value, isComplete: Bool, depth: Int
    ) throws(Failure) -> RecordID {
        guard let entity = edit[id]?.entity else { return id }
        meter?.spend(Meter.record + Meter.field * edit.model.entities[entity].properties.count)
        if meter?.isEmpty ?? false { throw RecordMapper.exhausted }
        var values: [(slot: Int, value: Value)] = []
        let properties = edit.model.entities[entity].properties
        for (slot, property) in properties.enumerated() {
            switch property {
            case .attribute(let attribute):
                guard let path = attribute.jsonKeyPath else { continue }
                guard let found = RecordMapper.member(of: element, at: path) ?? (isComplete ? .null : nil) else {
                    continue
                }
                values.append((slot, try attributeValue(found, slot, entity)))
            case .relationship(let relationship):
                guard let path = relationship.jsonKeyPath, let found = RecordMapper.member(of: element, at: path) else {
                    continue
                }
                // What lies in it may lead back to this record.
                edit.set(values, of: id)
                values = []
                let targets = try targets(found, relationship, depth: depth)
                let steps = edit.link(slot, of: id, to: targets)
                meter?.spend(steps)
            }
        }
        edit.set(values, of: id)
        try validate(id)
        return id
    }

    private mutating func targets(
        _ found: Value, _ relationship: EntityModel.Relationship, depth: Int
    ) throws(Failure) -> [RecordID] {
        guard !found.isNull else { return [] }
        guard let destination = edit.model.place(of: relationship.destination) else {
            throw Failure("\(relationship.name) leads to \(relationship.destination), which the model does not have")
        }
        switch (relationship.isToMany, found) {
        case (true, .array(let elements)): return try store(elements, destination, depth: depth + 1)
        case (false, .dictionary), (false, .string), (false, .integer):
            return try store([found], destination, depth: depth + 1)
        default:
            throw Failure(
                "\(relationship.name) needs \(relationship.isToMany ? "an array" : "an object or an identifier"), "
                    + "and the response has \(found.kindName)")
        }
    }

    private func validate(_ id: RecordID) throws(Failure) {
        guard let record = edit[id] else { return }
        let entity = edit.model.entities[record.entity]
        for (slot, property) in entity.properties.enumerated() {
            switch (property, record.fields[slot]) {
            case (.attribute(let attribute), .value(.null)) where !attribute.isOptional:
                throw Failure("\(entity.name).\(attribute.name) is mandatory, and the response has no value for it")
            case (.relationship(let relationship), .one(nil)) where !relationship.isOptional:
                throw Failure("\(entity.name).\(relationship.name) is mandatory, and the response has none")
            default: continue
            }
        }
    }

    // MARK: - Values

    private func attributeValue(_ value: Value, _ slot: Int, _ entity: Int) throws(Failure) -> Value {
        guard case .attribute(let attribute) = edit.model.entities[entity].properties[slot] else { return value }
        var value = value
        if let name = attribute.transformer {
            guard let transformer = transformers[name] else {
                throw Failure("\(attribute.name) needs the transformer \(name), which does not exist")
            }
            if !value.isNull {
                let found = value
                value = transformer.apply(value, environment) ?? .null
                if value.isNull, !found.isNull {
                    throw Failure("the transformer \(name) cannot read \(Self.quoted(found)) for \(attribute.name)")
                }
            }
        }
        guard let fitting = attribute.kind.fitting(value) else {
            let name = edit.model.entities[entity].name
            throw Failure("\(name).\(attribute.name) cannot be \(Self.quoted(value)): it is \(attribute.kind.rawValue)")
        }
        return fitting
    }

    private func transformed(_ element: Value, _ entity: Int) throws(Failure) -> Value {
        guard let name = edit.model.entities[entity].dictionaryTransformer, case .dictionary = element else {
            return element
        }
        guard let transformer = transformers[name] else {
            throw Failure("\(edit.model.entities[entity].name) needs the transformer \(name), which does not exist")
        }
        return transformer.apply(element, environment) ?? element
    }

    private func shape(_ expected: String, _ found: Value, _ entity: Int) -> Failure {
        Failure("\(edit.model.entities[entity].name) needs \(expected), and the response has \(found.kindName)")
    }

    private static func quoted(_ value: Value) -> String {
        value.text.map { "\"\($0.prefix(60))\"" } ?? value.kindName
    }

    /// `nil` when the document does not have it, `.null` when it says that there is none.
    private static func member(of element: Value, at path: [String]) -> Value? {
        var value = element
        for key in path {
            guard case .dictionary(let dictionary) = value, let member = dictionary[key] else { return nil }
            value = member
        }
        return value
    }
}

extension EntityModel.Attribute.Kind {
    /// The value as this kind holds it; values are not converted, so one of another kind does not fit.
    package func fitting(_ value: Value) -> Value? {
        switch (self, value) {
        case (_, .null), (.any, _): value
        case (.integer, .integer), (.string, .string), (.boolean, .boolean), (.date, .date), (.data, .data): value
        case (.integer, .boolean(let flag)): .integer(flag ? 1 : 0)
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.boolean, .integer(let number)): .boolean(number != 0)
        case (.real, .integer), (.real, .double), (.real, .decimal): value
        case (.decimal, .integer), (.decimal, .double), (.decimal, .decimal): value
        default: nil
        }
    }
}
