package import WidgetPlist

/// One kind of object: its own properties, without the inherited ones.
package struct Entity: Equatable, Sendable {
    package var name: String
    /// The class of its objects in the original application; a host need not know it.
    package var className: String?
    package var isAbstract = false
    package var superentity: String?
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    package var fetchedProperties: [FetchedProperty] = []
    /// Properties of other kinds, which hold neither data nor objects, by name and class.
    package var otherProperties: [OtherProperty] = []
    /// Names of attributes that together identify an object; each list is one rule.
    package var uniquenessConstraints: [[String]] = []
    package var indexes: [FetchIndex] = []
    package var userInfo: [UserInfoEntry] = []
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var spotlightDisplayName: String?

    package init(name: String) {
        self.name = name
    }

    package func attribute(named name: String) -> Attribute? { attributes.first { $0.name == name } }

    package func relationship(named name: String) -> Relationship? { relationships.first { $0.name == name } }
}

/// Traits that every property has.
package struct PropertyTraits: Equatable, Sendable {
    package var isOptional = false
    package var isTransient = false
    package var isIndexed = false
    package var isReadOnly = false
    package var isIndexedBySpotlight = false
    package var isStoredInExternalRecord = false
    package var userInfo: [UserInfoEntry] = []
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    /// Conditions on a value, as predicate texts, each with its warning if it has one.
    package var validations: [Validation] = []

    package init() {}
}

package struct Validation: Equatable, Sendable {
    package var predicate: String
    package var warning: String?

    package init(predicate: String, warning: String?) {
        (self.predicate, self.warning) = (predicate, warning)
    }
}

package struct Relationship: Equatable, Sendable {
    package enum DeleteRule: Int64, Equatable, Sendable {
        case noAction = 0
        case nullify = 1
        case cascade = 2
        case deny = 3

        package var name: String {
            switch self {
            case .noAction: "noAction"
            case .nullify: "nullify"
            case .cascade: "cascade"
            case .deny: "deny"
            }
        }
    }

    package var name: String
    package var traits = PropertyTraits()
    /// The name of the destination's entity.
    package var destination: String
    /// The destination's relationship in the opposite direction.
    package var inverse: String?
    package var deleteRule = DeleteRule.nullify
    package var minimumCount: Int64 = 0
    /// 0 for any number, 1 for a relationship to one object.
    package var maximumCount: Int64 = 1
    package var isOrdered = false

    package var isToMany: Bool { maximumCount != 1 }

    package init(name: String, destination: String) {
        (self.name, self.destination) = (name, destination)
    }
}

/// A property with fetched objects, not stored ones.
package struct FetchedProperty: Equatable, Sendable {
    package var name: String
    package var traits = PropertyTraits()
    package var request: FetchRequest

    package init(name: String, request: FetchRequest) {
        (self.name, self.request) = (name, request)
    }
}

package struct OtherProperty: Equatable, Sendable {
    package var name: String
    package var className: String

    package init(name: String, className: String) {
        (self.name, self.className) = (name, className)
    }
}

/// An index for fetching, over one or more properties.
package struct FetchIndex: Equatable, Sendable {
    package struct Element: Equatable, Sendable {
        package var propertyName: String
        package var isAscending: Bool
        /// 0 for binary order, 1 for an index of regions.
        package var kind: Int64

        package init(propertyName: String, isAscending: Bool, kind: Int64 = 0) {
            (self.propertyName, self.isAscending, self.kind) = (propertyName, isAscending, kind)
        }
    }

    package var name: String
    package var elements: [Element]
    package var partialPredicate: String?

    package init(name: String, elements: [Element], partialPredicate: String? = nil) {
        (self.name, self.elements, self.partialPredicate) = (name, elements, partialPredicate)
    }
}

package struct Attribute: Equatable, Sendable {
    package var name: String
    package var traits = PropertyTraits()
    package var type: AttributeType
    package var valueClassName: String?
    package var valueTransformerName: String?
    /// A value of the type's kind: a number, text, a date, data.
    package var defaultValue: PlistValue?
    package var minimum: Double?
    package var maximum: Double?
    package var allowsExternalStorage = false
    package var preservesValueInHistory = false
    package var allowsCloudEncryption = false
    /// True for a value in a separate file, which may arrive later.
    package var isFileBackedFuture = false
    /// The expression of an attribute that is computed from others.
    package var derivation: String?
    /// The filter for the objects that the derivation uses.
    package var derivationFilter: String?

    package init(name: String, type: AttributeType) {
        (self.name, self.type) = (name, type)
    }
}

/// The types of attributes, with their numbers in archives and their names in sources.
package enum AttributeType: Equatable, Hashable, Sendable {
    case undefined, integer16, integer32, integer64, decimal, double, float, string, boolean, date, binary
    case uuid, uri, transformable, objectID, composite
    /// An unknown number.
    case unknown(Int64)

    private static let known: [(AttributeType, number: Int64, name: String, className: String?)] = [
        (.undefined, 0, "Undefined", nil), (.integer16, 100, "Integer 16", "NSNumber"),
        (.integer32, 200, "Integer 32", "NSNumber"), (.integer64, 300, "Integer 64", "NSNumber"),
        (.decimal, 400, "Decimal", "NSDecimalNumber"), (.double, 500, "Double", "NSNumber"),
        (.float, 600, "Float", "NSNumber"), (.string, 700, "String", "NSString"),
        (.boolean, 800, "Boolean", "NSNumber"), (.date, 900, "Date", "NSDate"), (.binary, 1000, "Binary", "NSData"),
        (.uuid, 1100, "UUID", "NSUUID"), (.uri, 1200, "URI", "NSURL"), (.transformable, 1800, "Transformable", nil),
        (.objectID, 2000, "Object ID", "NSManagedObjectID"), (.composite, 2100, "Composite", "NSDictionary"),
    ]

    package init(number: Int64) {
        self = Self.known.first { $0.number == number }?.0 ?? .unknown(number)
    }

    /// The names of all types that a model's source may give an attribute.
    package static var names: [String] { known.dropFirst().map { $0.name } }

    /// Looks up a type by its name in a model's source.
    package init?(name: String) {
        guard let row = Self.known.first(where: { $0.name == name }) else { return nil }
        self = row.0
    }

    package var number: Int64 {
        if case .unknown(let number) = self { return number }
        return Self.known.first { $0.0 == self }?.number ?? 0
    }

    package var name: String {
        if case .unknown(let number) = self { return "type \(number)" }
        return Self.known.first { $0.0 == self }?.name ?? ""
    }

    /// The class of its values in archives.
    package var className: String? { Self.known.first { $0.0 == self }?.className }
}
