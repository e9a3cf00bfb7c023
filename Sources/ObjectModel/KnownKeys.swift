/// What this reader looks for in an archive's objects, by their kind.
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
