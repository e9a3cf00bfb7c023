import Testing
import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport

@Suite struct `A compiled model` {
    @Test func `a compiled model keeps every property`() throws {
        let model = SampleModel.everything()
        let read = try DataModel(parsing: model.encoded())
        #expect(read.unknownKeys == [])
        #expect(read.entities.map(\.name) == model.entities.map(\.name))
        for (one, other) in zip(read.entities, model.entities) {
            for (one, other) in zip(one.attributes, other.attributes) { #expect(one == other) }
            #expect(one == other)
        }
        #expect(read == model)
    }

    @Test func `a model is compiled to the same bytes every time`() {
        #expect(SampleModel.everything().encoded() == SampleModel.everything().encoded())
    }

    @Test func `hashes of entities change exactly with their stored properties`() {
        var model = SampleModel.everything()
        let before = model.entityHashes()
        model.entities[0].userInfo = []
        #expect(model.entityHashes() == before)
        model.entities[0].attributes[2].type = .integer64
        let after = model.entityHashes()
        #expect(after[0] != before[0])
        // Employee inherits the attribute; Place has nothing to do with it.
        #expect(after[1] != before[1])
        #expect(after[2] == before[2])
    }

    @Test func `a model has several versions, of which one is current`() throws {
        let (old, new) = (DataModel(entities: [Entity(name: "A")]), SampleModel.everything())
        let folder = ModelFolder(
            versions: [
                .init(name: "Model", model: old, entityHashes: old.entityHashes()),
                .init(name: "Model 2", model: new, entityHashes: new.entityHashes()),
            ], currentName: "Model 2")
        let files = folder.encoded()
        #expect(files.map(\.name) == ["Model.mom", "Model 2.mom", "VersionInfo.plist"])
        let read = try ModelFolder(reading: files)
        #expect(read.current == folder.current)
        #expect(read.versions.map(\.name) == ["Model", "Model 2"])

        let models = Array(files.dropLast())
        let unclear = #expect(throws: ModelError.self) { try ModelFolder(reading: models) }
        #expect(unclear?.reason == .noCurrentVersion(names: ["Model", "Model 2"]))
        let missing = #expect(throws: ModelError.self) { try ModelFolder(reading: [files[0], files[2]]) }
        #expect(missing?.reason == .missingVersion("Model 2"))
        let none = #expect(throws: ModelError.self) { try ModelFolder(reading: [files[2]]) }
        #expect(none?.reason == .noVersion)
        #expect(try ModelFolder(reading: [files[0]]).currentName == "Model")
    }

    @Test func `decimal numbers are kept exactly`() throws {
        for text in ["0", "1", "-0.001", "340282366920938463463374607431768211455", "12.50"] {
            var entity = Entity(name: "E")
            var attribute = Attribute(name: "a", type: .decimal)
            attribute.defaultValue = .string(text)
            entity.attributes = [attribute]
            let read = try DataModel(parsing: DataModel(entities: [entity]).encoded())
            #expect(read.entities[0].attributes[0].defaultValue == .string(text))
        }
    }
}

/// A model that uses every feature.
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
