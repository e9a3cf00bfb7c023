internal import WidgetPredicates

/// Maps the elements of a document to records, as the model says.
///
/// Records are identified by their identity attributes: known ones are updated, and fields that the document omits keep
/// their values. Any error undoes the whole batch.
package struct RecordMapper: Sendable {
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package var description: String
        /// True if a limit was reached; false if the document is wrong.
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
    /// The indexes of records by identity, for each entity that was looked up.
    private var indexes: [Int: [String: RecordID]] = [:]
    private static let exhausted = Failure("keeping the answer takes more steps than it may", isBudget: true)
    static let full = Failure("the widget keeps more in its records than it may", isBudget: true)
    /// The limit on nested objects of one batch.
    private let nesting: Int

    package init(
        _ edit: RecordEdit, transformers: Transformers, environment: Environment, meter: Meter? = nil,
        nesting: Int = Budget().documentDepth
    ) {
        self.nesting = nesting
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
        guard depth < nesting else {
            throw Failure("objects lie more than \(nesting) deep in each other", isBudget: true)
        }
        let plan = edit.model.plans[entity]
        let elements = elements.filter { !$0.isNull }
        var ids: [RecordID] = []
        ids.reserveCapacity(elements.count)
        guard !plan.identity.isEmpty else {
            for element in elements {
                guard case .dictionary = element else { throw shape("an object", element, plan) }
                ids.append(try update(try insert(entity, for: element), from: element, isComplete: true, depth: depth))
            }
            return ids
        }
        for element in elements {
            // A nested element may have invalidated an index.
            if indexes[entity] == nil { indexes[entity] = try index(entity) }
            let element = try transformed(element, plan)
            let key = try key(of: element, plan)
            let id: RecordID
            if let key, let known = indexes[entity]?[key] {
                id = known
            } else {
                id = try insert(entity, for: element)
                if let key { addToIndexes(id, key, plan.identity) }
            }
            if case .dictionary = element {
                ids.append(try update(id, from: element, isComplete: false, depth: depth))
            } else {
                // A bare value is the identity alone.
                if let field = plan.identityFields[0] {
                    edit.set(field.slot, of: id, to: try value(element, of: field, plan))
                }
                ids.append(id)
            }
        }
        return ids
    }

    // MARK: - Finding

    /// Adds a record of this batch to the indexes that exist already.
    private mutating func addToIndexes(_ id: RecordID, _ key: String, _ identity: [String]) {
        guard let entity = edit[id]?.entity else { return }
        var count = 0
        for other in edit.model.line(of: entity) where indexes[other] != nil {
            if edit.model.plans[other].identity == identity {
                indexes[other]?[key] = id
                count += 1
            } else {
                indexes[other] = nil
            }
        }
        // Most entities have no parent.
        meter?.spend(Meter.item * (count - 1))
    }

    /// The records of a family by their identity.
    private func index(_ entity: Int) throws(Failure) -> [String: RecordID] {
        // The cost of the index counts records of subentities and new records, too.
        meter?.spend(edit.model.family(of: entity).count + edit.changes.count)
        if meter?.isEmpty ?? false { throw RecordMapper.exhausted }
        let candidates = candidates(entity)
        meter?.spend(Meter.item * candidates.count)
        if meter?.isEmpty ?? false { throw RecordMapper.exhausted }
        let identity = edit.model.plans[entity].identity
        var known: [String: RecordID] = [:]
        for id in candidates {
            guard let record = edit[id] else { continue }
            var key = IdentityKey(identity.count)
            for name in identity {
                guard let slot = edit.model.slot(name, of: record.entity),
                    case .value(let value) = record.fields[slot], let text = value.text
                else { break }
                key.add(text)
            }
            if let text = key.text { known[text] = id }
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

    /// `nil` if a part of the identity is missing.
    private func key(of element: Value, _ plan: EntityPlan) throws(Failure) -> String? {
        guard case .dictionary = element else {
            guard plan.identity.count == 1, element.text != nil, let field = plan.identityFields[0] else {
                throw shape("an object", element, plan)
            }
            return try value(element, of: field, plan).text
        }
        var key = IdentityKey(plan.identity.count)
        for field in plan.identityFields {
            guard let field, let path = field.path, let found = RecordMapper.member(of: element, at: path),
                let text = try value(found, of: field, plan).text
            else { return nil }
            key.add(text)
        }
        return key.text
    }

    // MARK: - Filling

    private mutating func insert(_ entity: Int, for element: Value) throws(Failure) -> RecordID {
        guard !edit.isFull else { throw RecordMapper.full }
        var entity = entity
        if let mapper = edit.model.plans[entity].mapper, let transformer = transformers[mapper],
            let name = transformer.apply(element, environment)?.string, let place = edit.model.place(of: name),
            edit.model.family(of: entity).contains(place)
        {
            entity = place
        }
        guard !edit.model.plans[entity].isAbstract else {
            throw Failure("\(edit.model.plans[entity].name) is abstract: no record can be just that")
        }
        return edit.insert(entity).id
    }

    private mutating func update(
        _ id: RecordID, from element: Value, isComplete: Bool, depth: Int
    ) throws(Failure) -> RecordID {
        guard let entity = edit[id]?.entity else { return id }
        let plan = edit.model.plans[entity]
        meter?.spend(Meter.record + Meter.field * plan.propertyCount)
        if meter?.isEmpty ?? false { throw RecordMapper.exhausted }
        var values: [(slot: Int, value: Value)] = []
        for field in plan.documented {
            guard let path = field.path else { continue }
            let found = RecordMapper.member(of: element, at: path)
            if let relationship = field.relationship {
                guard let found else { continue }
                // A nested object may refer back to this record.
                edit.set(values, of: id)
                values = []
                let targets = try targets(found, relationship, depth: depth)
                let steps = edit.link(field.slot, of: id, to: targets)
                meter?.spend(Meter.item + steps)
            } else if let found = found ?? (isComplete ? .null : nil) {
                values.append((field.slot, try value(found, of: field, plan)))
            }
        }
        edit.set(values, of: id)
        try edit.checkWeight()
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
        let plan = edit.model.plans[record.entity]
        for field in plan.mandatory {
            switch record.fields[field.slot] {
            case .value(.null):
                throw Failure("\(plan.name).\(field.name) is mandatory, and the response has no value for it")
            case .one(nil): throw Failure("\(plan.name).\(field.name) is mandatory, and the response has none")
            default: continue
            }
        }
    }

    // MARK: - Values

    private func value(_ found: Value, of field: EntityPlan.Field, _ plan: EntityPlan) throws(Failure) -> Value {
        guard field.relationship == nil else { return found }
        var value = found
        if let name = field.transformer {
            guard let transformer = transformers[name] else {
                throw Failure("\(field.name) needs the transformer \(name), which does not exist")
            }
            if !found.isNull {
                value = transformer.apply(found, environment) ?? .null
                if value.isNull {
                    throw Failure("the transformer \(name) cannot read \(Self.quoted(found)) for \(field.name)")
                }
            }
        }
        guard let fitting = field.kind.fitting(value) else {
            throw Failure(
                "\(plan.name).\(field.name) cannot be \(Self.quoted(value)): it is \(field.kind.rawValue)")
        }
        return fitting
    }

    private func transformed(_ element: Value, _ plan: EntityPlan) throws(Failure) -> Value {
        guard let name = plan.dictionaryTransformer, case .dictionary = element else { return element }
        guard let transformer = transformers[name] else {
            throw Failure("\(plan.name) needs the transformer \(name), which does not exist")
        }
        return transformer.apply(element, environment) ?? element
    }

    private func shape(_ expected: String, _ found: Value, _ plan: EntityPlan) -> Failure {
        Failure("\(plan.name) needs \(expected), and the response has \(found.kindName)")
    }

    private static func quoted(_ value: Value) -> String {
        value.text.map { "\"\($0.prefix(60))\"" } ?? value.kindName
    }

    /// `nil` if the document omits the member, `.null` if the document says null.
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

/// A record's identity as one text. If it has several parts, each begins with its length, so that different identities
/// have different texts.
private struct IdentityKey {
    private let count: Int
    private var added = 0
    private var joined = ""

    init(_ count: Int) { self.count = count }

    mutating func add(_ part: String) {
        joined = count == 1 ? part : "\(joined)\(part.utf8.count):\(part)"
        added += 1
    }

    /// `nil` while a part is missing.
    var text: String? { added == count ? joined : nil }
}
