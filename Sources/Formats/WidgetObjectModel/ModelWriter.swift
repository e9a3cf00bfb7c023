internal import WidgetBytes
internal import WidgetPlist

extension DataModel {
    /// Returns the compiled form, a keyed archive; equal models give equal bytes.
    package func encoded() -> [UInt8] {
        var writer = ModelWriter(model: self)
        return writer.encode()
    }
}

/// Writes a model's archive. Entities and relationships get their numbers first, because they refer to
/// each other.
struct ModelWriter {
    let model: DataModel
    private let inheritance: Inheritance
    private let inverses: [[Inheritance.RelationshipPlace?]]
    var builder = KeyedArchiveBuilder()
    private var entityNumbers: [String: UInt32] = [:]
    /// Numbers of relationships, by the places of their entities and their indexes there.
    private var relationshipNumbers: [[UInt32]] = []
    private var root: UInt32 = 0

    init(model: DataModel) {
        self.model = model
        inheritance = Inheritance(model)
        inverses = inheritance.inverses(in: model)
    }

    mutating func encode() -> [UInt8] {
        root = builder.reserve()
        for entity in model.entities {
            entityNumbers[entity.name] = builder.reserve()
            relationshipNumbers.append(entity.relationships.map { _ in builder.reserve() })
        }
        for place in model.entities.indices { write(place) }
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

    private func reference(_ relationship: Inheritance.RelationshipPlace?) -> PlistValue {
        relationship.map { .uid(relationshipNumbers[$0.entity][$0.relationship]) } ?? KeyedArchiveBuilder.null
    }

    private mutating func write(_ place: Int) {
        let entity = model.entities[place]
        guard let number = entityNumbers[entity.name] else { return }
        var properties: [(String, PlistValue)] = []
        for attribute in entity.attributes { properties.append((attribute.name, write(attribute, of: entity))) }
        for (number, relationship) in entity.relationships.enumerated() {
            properties.append((relationship.name, write((place, number))))
        }
        for fetched in entity.fetchedProperties { properties.append((fetched.name, write(fetched, of: entity))) }
        let subentities = inheritance.children[place].map { model.entities[$0].name }
            .map { ($0, reference(entity: $0)) }
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

    private mutating func write(_ place: Inheritance.RelationshipPlace) -> PlistValue {
        let entity = model.entities[place.entity]
        let relationship = entity.relationships[place.relationship]
        let number = relationshipNumbers[place.entity][place.relationship]
        // An ancestor of the destination may declare the inverse.
        let inverse = reference(inverses[place.entity][place.relationship])
        let fields: [(String, PlistValue)] = [
            ("NSDestinationEntity", reference(entity: relationship.destination)),
            ("_NSDestinationEntityName", builder.add(relationship.destination)),
            ("NSInverseRelationship", inverse),
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

extension ModelWriter {
    /// Returns the fields that all properties have. `more` are flags that only some kinds have.
    mutating func property(
        _ name: String, _ traits: PropertyTraits, of entity: Entity, more: [(Bool, String, Int64)] = []
    ) -> [(String, PlistValue)] {
        var fields: [(String, PlistValue)] = [
            ("NSPropertyName", builder.add(name)), ("NSEntity", reference(entity: entity.name)),
            ("NSRenamingIdentifier", builder.add(traits.renamingIdentifier)),
        ]
        // The flags of `_P` repeat the other keys; readers that know it prefer it.
        var flags: Int64 = 1
        let shared: [(Bool, String, Int64)] = [
            (traits.isOptional, "NSIsOptional", 2), (traits.isReadOnly, "NSIsReadOnly", 4),
            (traits.isTransient, "NSIsTransient", 8), (traits.isIndexedBySpotlight, "NSIndexedBySpotlight", 0x100),
            (traits.isStoredInExternalRecord, "NSIsStoredInTruth", 0x200),
        ]
        for (isSet, key, bit) in shared + more where isSet {
            fields.append((key, .boolean(true)))
            flags |= bit
        }
        if traits.isIndexed { fields.append(("NSIsIndexed", .boolean(true))) }
        if traits.validations.isEmpty {
            flags |= 0x30
        } else {
            let predicates = traits.validations.map { builder.add(.string($0.predicate)) }
            let warnings = traits.validations.map { builder.add($0.warning) }
            fields.append(("NSValidationPredicates", builder.add(array: predicates)))
            fields.append(("NSValidationWarnings", builder.add(array: warnings)))
        }
        if traits.userInfo.isEmpty { flags |= 0x40 } else { fields.append(("NSUserInfo", write(traits.userInfo))) }
        if let modifier = traits.versionHashModifier {
            fields.append(("NSVersionHashModifier", builder.add(modifier)))
        } else {
            flags |= 0x80
        }
        fields.append(("_P", .integer(flags)))
        return fields
    }

    mutating func write(_ attribute: Attribute, of entity: Entity) -> PlistValue {
        var flags: Int64 = 0
        var bounds: [(String, PlistValue)] = []
        if let minimum = attribute.minimum {
            flags |= 2
            bounds.append(("NSMinValueName", .real(minimum)))
        }
        if let maximum = attribute.maximum {
            flags |= 1
            bounds.append(("NSMaxValueName", .real(maximum)))
        }
        if attribute.allowsExternalStorage { flags |= 4 }
        if attribute.preservesValueInHistory { flags |= 0x10 }
        if attribute.isFileBackedFuture { flags |= 0x20 }
        var fields: [(String, PlistValue)] = [
            ("NSAttributeType", .integer(attribute.type.number)),
            ("NSAttributeValueClassName", builder.add(attribute.valueClassName)),
            ("NSValueTransformerName", builder.add(attribute.valueTransformerName)),
            ("NSDefaultValue", defaultValue(of: attribute)), ("NSFlagsKey", .integer(flags)),
        ]
        var classNames = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
        if let derivation = attribute.derivation {
            classNames.insert("NSDerivedAttributeDescription", at: 0)
            fields.append(("NSDerivationExpression", builder.add(.string(derivation))))
            fields.append(("NSFilteringPredicate", builder.add(attribute.derivationFilter)))
        }
        let common = property(
            attribute.name, attribute.traits, of: entity,
            more: [(attribute.allowsCloudEncryption, "NSAllowsCloudEncryption", 0x800)])
        return builder.add(classNames, common + fields + bounds)
    }

    private mutating func defaultValue(of attribute: Attribute) -> PlistValue {
        guard let value = attribute.defaultValue else { return KeyedArchiveBuilder.null }
        switch (attribute.type, value) {
        case (.decimal, .string(let text)):
            guard let fields = DecimalArchive.fields(text) else { return builder.add(value) }
            return builder.add(DecimalArchive.classNames, fields)
        case (_, .date(let date)):
            return builder.add(["NSDate", "NSObject"], [("NS.time", .real(date.secondsSince2001))])
        case (.uuid, .data(let bytes)): return builder.add(["NSUUID", "NSObject"], [("NS.uuidbytes", .data(bytes))])
        case (.uri, .string(let text)):
            let fields = [("NS.base", KeyedArchiveBuilder.null), ("NS.relative", builder.add(.string(text)))]
            return builder.add(["NSURL", "NSObject"], fields)
        default: return builder.add(value)
        }
    }

    mutating func write(_ entries: [UserInfoEntry]) -> PlistValue {
        builder.add(dictionary: entries.map { ($0.key, builder.add($0.value)) })
    }

    mutating func write(_ index: FetchIndex, of entity: Entity) -> PlistValue {
        let number = builder.reserve()
        let elements = index.elements.map { element in
            builder.add(
                ["NSFetchIndexElementDescription", "NSObject"],
                [
                    ("NSPropertyName", builder.add(element.propertyName)),
                    ("NSFetchIndexElementType", .integer(element.kind)), ("NSFetchIndexDescription", .uid(number)),
                    ("NSAscending", .boolean(element.isAscending)),
                ])
        }
        builder.define(
            number, ["NSFetchIndexDescription", "NSObject"],
            [
                ("NSIndexName", builder.add(index.name)), ("NSIndexElements", builder.add(array: elements)),
                ("NSEntity", reference(entity: entity.name)),
                ("NSPartialIndexPredicate", builder.add(index.partialPredicate)),
            ])
        return .uid(number)
    }

    mutating func write(_ request: FetchRequest) -> PlistValue {
        let descriptors = request.sortDescriptors.map { descriptor in
            builder.add(
                ["NSSortDescriptor", "NSObject"],
                [
                    ("NSKey", builder.add(descriptor.key)), ("NSAscending", .boolean(descriptor.isAscending)),
                    ("NSSelector", builder.add(descriptor.selector)),
                ])
        }
        return builder.add(
            ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            [
                ("NSEntityName", builder.add(request.entityName)), ("NSEntity", reference(entity: request.entityName)),
                ("NSPredicate", builder.add(request.predicate)), ("NSSortDescriptors", builder.add(array: descriptors)),
                ("NSFetchLimit", .integer(request.fetchLimit)), ("NSFetchOffset", .integer(request.fetchOffset)),
                ("NSBatchSize", .integer(request.batchSize)),
            ])
    }
}

/// Decimal numbers in archives: up to eight 16-bit digits, an exponent of ten, a sign.
enum DecimalArchive {
    static let classNames = ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]

    /// Returns the number as text; `nil` when the object is not a decimal number.
    static func text(_ object: KeyedObject) -> String? {
        guard let digits = object["NS.mantissa"]?.data, digits.count == 16,
            let exponent = object["NS.exponent"]?.integer, (-128...127).contains(exponent)
        else { return nil }
        let length = object["NS.length"]?.integer ?? 8
        let isNegative = object["NS.negative"]?.boolean ?? false
        guard (0...8).contains(length) else { return nil }
        if length == 0 { return isNegative ? "NaN" : "0" }
        let isBigEndian = object["NS.mantissa.bo"]?.integer == 2
        var mantissa: UInt128 = 0
        for position in (0..<Int(bounded: length)).reversed() {
            let (first, second) = (UInt128(digits[position * 2]), UInt128(digits[position * 2 + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return (isNegative ? "-" : "") + text(mantissa, exponent: Int(bounded: exponent))
    }

    private static func text(_ mantissa: UInt128, exponent: Int) -> String {
        var digits = String(mantissa)
        if exponent >= 0 { return mantissa == 0 ? "0" : digits + String(repeating: "0", count: exponent) }
        if digits.count <= -exponent { digits = String(repeating: "0", count: -exponent - digits.count + 1) + digits }
        return "\(digits.dropLast(-exponent)).\(digits.suffix(-exponent))"
    }

    /// Returns the fields of an archived number; `nil` when the text is not a decimal number that fits.
    static func fields(_ text: String) -> [(String, PlistValue)]? {
        var digits = text[...]
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        let whole = (parts.first ?? "") + fraction
        guard !whole.isEmpty, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }), fraction.count <= 128,
            var mantissa = UInt128(whole)
        else { return nil }
        var bytes: [UInt8] = []
        var length: Int64 = 0
        for position in 0..<Int64(8) {
            let digit = UInt16(truncatingIfNeeded: mantissa)
            bytes += [UInt8(truncatingIfNeeded: digit), UInt8(truncatingIfNeeded: digit >> 8)]
            if digit != 0 { length = position + 1 }
            mantissa >>= 16
        }
        return [
            ("NS.mantissa", .data(bytes)), ("NS.exponent", .integer(Int64(-fraction.count))),
            ("NS.length", .integer(length)), ("NS.negative", .boolean(isNegative && length > 0)),
            ("NS.compact", .boolean(true)), ("NS.mantissa.bo", .integer(1)),
        ]
    }
}
