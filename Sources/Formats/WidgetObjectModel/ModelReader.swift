internal import WidgetBytes
package import WidgetPlist

extension DataModel {
    /// Reads a compiled model, a keyed archive.
    package init(parsing bytes: [UInt8], limits: ModelLimits = ModelLimits()) throws(ModelError) {
        let archive = try rethrowing(
            try KeyedArchive(parsing: bytes, limits: limits.plist), as: { ModelError(.archive($0)) })
        try self.init(archive, limits: limits)
    }

    package init(_ archive: KeyedArchive, limits: ModelLimits = ModelLimits()) throws(ModelError) {
        var reader = ModelReader(limits: limits)
        self = try reader.model(archive)
    }
}

/// Reads the objects of a model's archive. Entities and properties refer to each other in cycles; the reader reads only
/// names across these references, so it follows nothing twice.
struct ModelReader {
    let limits: ModelLimits
    private var valueCount = 0
    private var unknownKeys: Set<String> = []
    /// The state of each key in each kind of object: unseen, known or unknown.
    private var keyStates: [KeyState] = []
    /// Numbers of objects with checked keys; many places may refer to one object.
    private var noted: Set<UInt32> = []

    private enum KeyState {
        case unseen, known, unknown
    }

    init(limits: ModelLimits) {
        self.limits = limits
    }

    mutating func model(_ archive: KeyedArchive) throws(ModelError) -> DataModel {
        keyStates = Array(repeating: .unseen, count: KnownKeys.allCases.count * (archive.keyCount + 1))
        let root = try read { () throws(PlistError) in try archive.root() }
        guard root.classNames.contains("NSManagedObjectModel") else {
            throw ModelError(.notAModel(className: root.className))
        }
        note(root, except: .model)
        var model = DataModel(entities: [])
        var names: Set<String> = []
        // Elements are values of a dictionary by name, or, in the oldest models, of a list.
        for object in try elements(root, "NSEntities") {
            let entity = try entity(object)
            guard names.insert(entity.name).inserted else { throw ModelError(.duplicateEntity(entity.name)) }
            model.entities.append(entity)
        }
        try checkInheritance(of: model)
        for (name, object) in try entries(root, "NSFetchRequestTemplates") {
            model.fetchRequests.append(FetchRequestTemplate(name: name, request: try fetchRequest(object)))
        }
        for (name, object) in try entries(root, "NSConfigurations") {
            var entityNames: [String] = []
            for entity in try elements(object) {
                if let name = try self.name(of: entity, "NSEntityName") { entityNames.append(name) }
            }
            model.configurations.append(Configuration(name: name, entityNames: entityNames))
        }
        model.versionIdentifiers = try elements(root, "NSVersionIdentifiers").compactMap { $0.scalar?.string }
        model.unknownKeys = unknownKeys.sorted()
        return model
    }

    private func checkInheritance(of model: DataModel) throws(ModelError) {
        var parents: [String: String] = [:]
        for entity in model.entities { parents[entity.name] = entity.superentity }
        let names = Set(model.entities.map { $0.name })
        // The chain of ancestors ends for these entities.
        var finished: Set<String> = []
        for entity in model.entities {
            if let parent = entity.superentity, !names.contains(parent) {
                throw ModelError(.unknownSuperentity(parent, entity: entity.name))
            }
            var way: Set<String> = []
            var next: String? = entity.name
            while let name = next, !finished.contains(name) {
                guard way.insert(name).inserted else { throw ModelError(.inheritanceCycle(name)) }
                next = parents[name]
            }
            finished.formUnion(way)
        }
    }
}

// MARK: - Values

extension ModelReader {
    func read<T>(_ body: () throws(PlistError) -> T) throws(ModelError) -> T {
        do { return try body() } catch { throw ModelError(.archive(error)) }
    }

    func string(_ object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        try read { () throws(PlistError) in try object.string(key) }
    }

    /// Returns the text itself, or the name of an object.
    func name(of object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        if let text = object.scalar?.string { return text }
        return try string(object, key)
    }

    /// Returns the name of an object behind a key.
    func name(behind key: String, _ nameKey: String, of owner: KeyedObject) throws(ModelError) -> String? {
        guard let object = try object(owner, key) else { return nil }
        return try string(object, nameKey)
    }

    func integer(_ object: KeyedObject, _ key: String) throws(ModelError) -> Int64? {
        try read { () throws(PlistError) in try object.integer(key) }
    }

    func flag(_ object: KeyedObject, _ key: String, orElse other: Bool = false) throws(ModelError) -> Bool {
        let flag = try read { () throws(PlistError) in try object.boolean(key) }
        return flag ?? other
    }

    func object(_ object: KeyedObject, _ key: String) throws(ModelError) -> KeyedObject? {
        try read { () throws(PlistError) in try object.object(key) }
    }

    mutating func elements(_ collection: KeyedObject) throws(ModelError) -> [KeyedObject] {
        try spend(collection)
        return try read { () throws(PlistError) in try collection.elements() }
    }

    mutating func elements(_ owner: KeyedObject, _ key: String) throws(ModelError) -> [KeyedObject] {
        guard let collection = try object(owner, key) else { return [] }
        return try elements(collection)
    }

    mutating func entries(_ owner: KeyedObject, _ key: String) throws(ModelError) -> [(key: String, value: KeyedObject)]
    {
        guard let collection = try object(owner, key) else { return [] }
        try spend(collection)
        return try read { () throws(PlistError) in try collection.namedEntries() }
    }

    /// Charges a collection to the limit before it is walked: many objects can refer to one collection.
    private mutating func spend(_ collection: KeyedObject) throws(ModelError) {
        try spend(1 + collection.count)
    }

    mutating func spend(_ count: Int) throws(ModelError) {
        valueCount += count
        guard valueCount <= limits.valueCount else { throw ModelError(.tooManyValues(limit: limits.valueCount)) }
    }

    /// Notes keys that the reader does not know.
    mutating func note(_ object: KeyedObject, except known: KnownKeys) {
        guard noted.insert(object.number).inserted else { return }
        for number in object.keyNumbers {
            let place = known.rawValue * (object.archive.keyCount + 1) + Int(bounded: number)
            if keyStates[place] == .known { continue }
            let key = object.archive.key(number)
            keyStates[place] = known.keys.contains(key) ? .known : .unknown
            guard keyStates[place] == .unknown, let className = object.className else { continue }
            note("\(ShownText.name(className)).\(ShownText.name(key))")
        }
    }

    /// Adds a note. Notes are for people, so a few suffice.
    mutating func note(_ text: String) {
        if unknownKeys.count < limits.unknownKeyCount { unknownKeys.insert(text) }
    }

    mutating func userInfo(_ owner: KeyedObject) throws(ModelError) -> [UserInfoEntry] {
        var result: [UserInfoEntry] = []
        guard let collection = try object(owner, "NSUserInfo") else { return [] }
        try spend(collection)
        for (key, value) in try read({ () throws(PlistError) in try collection.entries() }) {
            if let name = key.scalar?.string, let scalar = value.scalar {
                result.append(UserInfoEntry(key: name, value: scalar))
            } else {
                note("NSUserInfo.\(ShownText.name(key.scalar?.string ?? "a key that is not text"))")
            }
        }
        return result
    }
}

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
            // Older compilers write compound indexes only.
            for (number, index) in try elements(object, "NSCompoundIndexes").enumerated() {
                let elements = try propertyNames(index).map { FetchIndex.Element(propertyName: $0, isAscending: true) }
                entity.indexes.append(FetchIndex(name: "compoundIndex\(number)", elements: elements))
            }
        }
        return entity
    }

    /// The cost of a property: about twenty look-ups, which take as long as fourteen elements of a collection.
    private static let propertyCost = 14

    /// Returns true if the property is the entity's own. Some writers list inherited properties as well: through a
    /// stand-in, or as the ancestor's own.
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
        // Compilers warn of a relationship without a destination, and write it.
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

    /// Returns the names in an array, or the names of the properties in it.
    private mutating func propertyNames(_ list: KeyedObject) throws(ModelError) -> [String] {
        var names: [String] = []
        for element in try elements(list) {
            if let name = try self.name(of: element, "NSPropertyName") { names.append(name) }
        }
        return names
    }
}

extension ModelReader {
    mutating func attribute(_ object: KeyedObject, named name: String) throws(ModelError) -> Attribute {
        note(object, except: .attribute)
        let type = AttributeType(number: try integer(object, "NSAttributeType") ?? 0)
        var attribute = Attribute(name: name, type: type)
        attribute.traits = try traits(object)
        attribute.valueClassName = try string(object, "NSAttributeValueClassName")
        attribute.valueTransformerName = try scalarText(object, "NSValueTransformerName")
        attribute.defaultValue = try defaultValue(object)
        let flags = try integer(object, "NSFlagsKey") ?? 0
        attribute.minimum = try number(object, "NSMinValueName")
        attribute.maximum = try number(object, "NSMaxValueName")
        attribute.allowsExternalStorage = flags & 4 != 0
        attribute.preservesValueInHistory = flags & 0x10 != 0
        attribute.isFileBackedFuture = flags & 0x20 != 0
        attribute.allowsCloudEncryption = try flag(object, "NSAllowsCloudEncryption")
        if let expression = try self.object(object, "NSDerivationExpression") {
            attribute.derivation = try expressionText(expression)
        }
        attribute.derivationFilter = try predicate(object, "NSFilteringPredicate")
        return attribute
    }

    mutating func traits(_ object: KeyedObject) throws(ModelError) -> PropertyTraits {
        var traits = PropertyTraits()
        traits.isOptional = try flag(object, "NSIsOptional")
        traits.isTransient = try flag(object, "NSIsTransient")
        traits.isIndexed = try flag(object, "NSIsIndexed")
        traits.isReadOnly = try flag(object, "NSIsReadOnly")
        traits.isIndexedBySpotlight = try flag(object, "NSIndexedBySpotlight")
        traits.isStoredInExternalRecord = try flag(object, "NSIsStoredInTruth")
        traits.userInfo = try userInfo(object)
        traits.renamingIdentifier = try string(object, "NSRenamingIdentifier")
        traits.versionHashModifier = try string(object, "NSVersionHashModifier")
        let predicates = try elements(object, "NSValidationPredicates")
        let warnings = try elements(object, "NSValidationWarnings")
        for (position, predicate) in predicates.enumerated() {
            let warning = position < warnings.count ? warnings[position].scalar : nil
            if let text = try predicateText(predicate) {
                traits.validations.append(Validation(predicate: text, warning: warning.flatMap(Self.warningText)))
            }
        }
        return traits
    }

    /// Warnings are texts or numbers of texts.
    private static func warningText(_ value: PlistValue) -> String? {
        if let text = value.string { return text == "$null" ? nil : text }
        return value.integer.map { "\($0)" }
    }

    /// Decimal numbers are separate objects, kept as the text of their value.
    private mutating func defaultValue(_ owner: KeyedObject) throws(ModelError) -> PlistValue? {
        let value = try read { () throws(PlistError) in try owner.scalar("NSDefaultValue") }
        if let value { return value }
        if let object = try object(owner, "NSDefaultValue") {
            if let decimal = DecimalArchive.text(object) { return .string(decimal) }
            if let text = try string(object, "NS.relative") { return .string(text) }
            note("NSDefaultValue of class \(ShownText.name(object.className ?? "unknown"))")
        }
        return nil
    }

    private func number(_ object: KeyedObject, _ key: String) throws(ModelError) -> Double? {
        try read { () throws(PlistError) in try object.scalar(key) }?.double
    }

    /// Returns text, or nothing for any other value: some writers store an empty object there.
    func scalarText(_ object: KeyedObject, _ key: String) throws(ModelError) -> String? {
        try read { () throws(PlistError) in try object.scalar(key) }?.string
    }
}

extension ModelReader {
    mutating func fetchRequest(_ object: KeyedObject) throws(ModelError) -> FetchRequest {
        note(object, except: .request)
        var request = FetchRequest(entityName: try string(object, "NSEntityName"))
        if request.entityName == nil, let entity = try self.object(object, "NSEntity") {
            request.entityName = try string(entity, "NSEntityName")
        }
        request.predicate = try predicate(object, "NSPredicate")
        for descriptor in try elements(object, "NSSortDescriptors") {
            guard let key = try string(descriptor, "NSKey") else { continue }
            request.sortDescriptors.append(
                FetchRequest.SortDescriptor(
                    key: key,
                    isAscending: try flag(descriptor, "NSAscending", orElse: true),
                    selector: try string(descriptor, "NSSelector")))
        }
        request.fetchLimit = try integer(object, "NSFetchLimit") ?? 0
        request.fetchOffset = try integer(object, "NSFetchOffset") ?? 0
        for key in ["NSBatchSize", "NSFetchBatchSize"] {
            if let size = try integer(object, key) { request.batchSize = size }
        }
        return request
    }
}

/// The keys that this reader knows in an archive's objects, by kind.
enum KnownKeys: Int, CaseIterable {
    case model, entity, attribute, relationship, fetchedProperty, index, indexElement, request

    var keys: Set<String> {
        switch self {
        case .model: Self.ofModels
        case .entity: Self.ofEntities
        case .attribute: Self.ofAttributes
        case .relationship: Self.ofRelationships
        case .fetchedProperty: Self.ofFetchedProperties
        case .index: Self.ofIndexes
        case .indexElement: Self.ofIndexElements
        case .request: Self.ofRequests
        }
    }

    private static let ofModels: Set = [
        "NSEntities", "NSFetchRequestTemplates", "NSConfigurations", "NSVersionIdentifiers",
    ]
    private static let ofEntities: Set = [
        "NSEntityName", "NSClassNameForEntity", "NSIsAbstract", "NSSuperentity", "NSSubentities", "NSProperties",
        "NSUserInfo", "NSRenamingIdentifier", "NSVersionHashModifier", "NSManagedObjectModel", "NSUniqueTuples",
        "NSCoreSpotlightDisplayName", "NSFetchIndexDescriptions", "NSCompoundIndexes",
    ]
    private static let ofProperties: Set = [
        "NSPropertyName", "NSEntity", "NSIsOptional", "NSIsTransient", "NSIsIndexed", "NSIsReadOnly", "NSIsOrdered",
        "NSIndexedBySpotlight", "NSIsStoredInTruth", "NSAllowsCloudEncryption", "NSUserInfo", "NSRenamingIdentifier",
        "NSVersionHashModifier", "NSValidationPredicates", "NSValidationWarnings", "_P",
    ]
    private static let ofAttributes = ofProperties.union([
        "NSAttributeType", "NSAttributeValueClassName", "NSValueTransformerName", "NSDefaultValue", "NSFlagsKey",
        "NSMinValueName", "NSMaxValueName", "NSDerivationExpression", "NSFilteringPredicate",
    ])
    private static let ofRelationships = ofProperties.union([
        "NSDestinationEntity", "_NSDestinationEntityName", "NSInverseRelationship", "_NSInverseRelationshipName",
        "NSDeleteRule", "NSMinCount", "NSMaxCount",
    ])
    private static let ofFetchedProperties = ofProperties.union(["NSFetchRequest", "_NSFetchRequestEntityName"])
    private static let ofIndexes: Set = ["NSIndexName", "NSIndexElements", "NSEntity", "NSPartialIndexPredicate"]
    private static let ofIndexElements: Set = [
        "NSPropertyName", "NSIndexedProperty", "NSFetchIndexElementType", "NSFetchIndexDescription", "NSAscending",
    ]
    private static let ofRequests: Set = [
        "NSEntity", "NSEntityName", "NSPredicate", "NSSortDescriptors", "NSFetchLimit", "NSFetchOffset", "NSBatchSize",
        "NSFetchBatchSize",
    ]
}
