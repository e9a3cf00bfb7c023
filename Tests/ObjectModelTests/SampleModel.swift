import ObjectModel
import Plist

/// A model that uses everything there is.
enum SampleModel {
    static func everything() -> DataModel {
        var person = Entity(name: "Person")
        person.className = "Person"
        person.isAbstract = true
        person.userInfo = [UserInfoEntry(key: "identityAttribute", value: .string("id"))]
        person.uniquenessConstraints = [["id"], ["name", "birthday"]]
        person.indexes = [
            FetchIndex(
                name: "byName",
                elements: [
                    .init(propertyName: "name", isAscending: true), .init(propertyName: "age", isAscending: false),
                ],
                partialPredicate: "age > 3")
        ]
        person.renamingIdentifier = "OldPerson"
        person.versionHashModifier = "2"
        person.spotlightDisplayName = "name"
        person.attributes = attributes
        var friends = Relationship(name: "friends", destination: "Person")
        friends.inverse = "friends"
        friends.maximumCount = 0
        friends.isOrdered = true
        friends.deleteRule = .deny
        friends.traits.isOptional = true
        var home = Relationship(name: "home", destination: "Place")
        home.inverse = "guests"
        home.deleteRule = .cascade
        home.minimumCount = 1
        person.relationships = [friends, home]

        var employee = Entity(name: "Employee")
        employee.superentity = "Person"
        var request = FetchRequest(entityName: "Person")
        request.predicate = "home == $FETCH_SOURCE"
        request.sortDescriptors = [.init(key: "name", isAscending: false, selector: "compare:")]
        request.fetchLimit = 5
        request.fetchOffset = 1
        request.batchSize = 20
        employee.fetchedProperties = [FetchedProperty(name: "neighbours", request: request)]

        var place = Entity(name: "Place")
        var guests = Relationship(name: "guests", destination: "Person")
        guests.inverse = "home"
        guests.maximumCount = 12
        guests.minimumCount = 2
        guests.deleteRule = .noAction
        place.relationships = [guests]

        var model = DataModel(entities: [person, employee, place])
        model.configurations = [Configuration(name: "Local", entityNames: ["Person", "Place"])]
        model.fetchRequests = [FetchRequestTemplate(name: "all", request: FetchRequest(entityName: "Person"))]
        model.versionIdentifiers = ["v2"]
        return model
    }

    /// Two entities, each leading to the other.
    static func small() -> DataModel {
        var (post, user) = (Entity(name: "Post"), Entity(name: "User"))
        var text = Attribute(name: "text", type: .string)
        text.traits.userInfo = [UserInfoEntry(key: "JSONKeyPath", value: .string("text"))]
        post.attributes = [text]
        var author = Relationship(name: "author", destination: "User")
        author.inverse = "posts"
        post.relationships = [author]
        var posts = Relationship(name: "posts", destination: "Post")
        posts.inverse = "author"
        posts.maximumCount = 0
        user.relationships = [posts]
        user.superentity = "Post"
        return DataModel(entities: [post, user])
    }

    private static var attributes: [Attribute] {
        let defaults: [(AttributeType, PlistValue?)] = [
            (.undefined, nil), (.integer16, .integer(-3)), (.integer32, .integer(70_000)),
            (.integer64, .integer(.min)), (.decimal, .string("-12345678901234567890.125")), (.double, .real(1.5)),
            (.float, .real(-0.25)), (.string, .string("Zürich")), (.boolean, .boolean(true)),
            (.date, PlistDate(secondsSince2001: 86_400).map { .date($0) }), (.binary, .data([1, 2, 3])),
            (.uuid, .data(Array(repeating: 7, count: 16))), (.uri, .string("https://example.com/a")),
            (.transformable, nil), (.objectID, nil), (.composite, nil), (.unknown(7777), nil),
        ]
        return defaults.enumerated().map { number, row in
            var attribute = Attribute(name: "attribute\(number)", type: row.0)
            attribute.valueClassName = row.0.className
            attribute.defaultValue = row.1
            attribute.valueTransformerName = row.0 == .transformable ? "NSSecureUnarchiveFromData" : nil
            attribute.minimum = number % 3 == 0 ? Double(number) : nil
            attribute.maximum = number % 4 == 0 ? Double(number) * 10 : nil
            attribute.allowsExternalStorage = row.0 == .binary
            attribute.preservesValueInHistory = number % 2 == 0
            attribute.allowsCloudEncryption = number % 5 == 0
            attribute.isFileBackedFuture = number % 6 == 5
            attribute.derivation = number % 7 == 3 ? "lowercase(name)" : nil
            attribute.derivationFilter = number % 14 == 3 ? "age > 3" : nil
            attribute.traits.isOptional = number % 2 == 1
            attribute.traits.isTransient = number % 3 == 1
            attribute.traits.isIndexed = number % 3 == 2
            attribute.traits.isReadOnly = number % 5 == 1
            attribute.traits.isIndexedBySpotlight = number % 5 == 2
            attribute.traits.isStoredInExternalRecord = number % 5 == 3
            attribute.traits.renamingIdentifier = number % 2 == 0 ? "old\(number)" : nil
            attribute.traits.versionHashModifier = number % 7 == 0 ? "m" : nil
            if number % 4 == 0 {
                attribute.traits.userInfo = [UserInfoEntry(key: "JSONKeyPath", value: .string("a.b\(number)"))]
                attribute.traits.validations = [Validation(predicate: "SELF != nil", warning: nil)]
            }
            return attribute
        }
    }
}
