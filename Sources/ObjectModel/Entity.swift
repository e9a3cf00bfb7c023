/// One kind of object: its own properties, without the inherited ones.
package struct Entity: Equatable, Sendable {
    package var name: String
    /// The class its objects have in the application the model was made for; a host need not know it.
    package var className: String?
    package var isAbstract = false
    package var superentity: String?
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    package var fetchedProperties: [FetchedProperty] = []
    /// Properties of kinds that hold neither data nor other objects, by name and class.
    package var otherProperties: [OtherProperty] = []
    /// Names of attributes that together name an object; each list is one rule.
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

/// What every property has.
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
    /// Conditions a value must meet, as predicate texts, with the warning for each when there is one.
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
    }

    package var name: String
    package var traits = PropertyTraits()
    /// The entity of what it leads to.
    package var destination: String
    /// The relationship of that entity that leads back.
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

/// A property whose objects are found by a request and not stored.
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
