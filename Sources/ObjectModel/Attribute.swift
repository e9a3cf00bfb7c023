package import Plist

package struct Attribute: Equatable, Sendable {
    package var name: String
    package var traits = PropertyTraits()
    package var type: AttributeType
    package var valueClassName: String?
    package var valueTransformerName: String?
    /// Of the type's kind: a number, text, a moment, data.
    package var defaultValue: PlistValue?
    package var minimum: Double?
    package var maximum: Double?
    package var allowsExternalStorage = false
    package var preservesValueInHistory = false
    package var allowsCloudEncryption = false
    /// Stored in a file of its own, which may come later.
    package var isFileBackedFuture = false
    /// For attributes that are computed from others, the expression.
    package var derivation: String?
    /// Which objects the derivation looks at.
    package var derivationFilter: String?

    package init(name: String, type: AttributeType) {
        (self.name, self.type) = (name, type)
    }
}

/// The types of attributes, with their numbers in archives and their names in sources.
package enum AttributeType: Equatable, Hashable, Sendable {
    case undefined, integer16, integer32, integer64, decimal, double, float, string, boolean, date, binary
    case uuid, uri, transformable, objectID, composite
    /// A number this reader has no name for.
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

    /// By its name in a model's source.
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

    /// The class of its values that archives name.
    package var className: String? { Self.known.first { $0.0 == self }?.className }
}
