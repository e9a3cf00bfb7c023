internal import ObjectModel
internal import Plist

/// What a compiled data model defines: its versions, and the entities of the current one.
package struct ModelOutline: Equatable, Sendable {
    package struct Attribute: Equatable, Sendable {
        package var name: String
        package var type: String
        package var isOptional: Bool
        package var defaultValue: String?
        package var notes: [Note]
    }

    package struct Relationship: Equatable, Sendable {
        package var name: String
        package var destination: String
        package var inverse: String?
        package var isToMany: Bool
        package var deleteRule: String
        package var notes: [Note]
    }

    /// What authors attached: a key of the user information, and its text.
    package struct Note: Equatable, Sendable {
        package var key: String
        package var value: String
    }

    package struct Entity: Equatable, Sendable {
        package var name: String
        package var superentity: String?
        package var isAbstract: Bool
        package var attributes: [Attribute]
        package var relationships: [Relationship]
        package var notes: [Note]
    }

    package var path: String
    package var versions: [String] = []
    package var current: String?
    package var entities: [Entity] = []
    /// Why it could not be read.
    package var fault: String?

    /// Files by their names in the model's folder, or one without a name.
    init(path: String, files: [String: [UInt8]]) {
        self.path = path
        do throws(ModelError) {
            let model: DataModel
            if let single = files[""] {
                model = try DataModel(parsing: single)
            } else {
                let folder = try ModelFolder(reading: files.map { ModelFolder.File(name: $0.key, bytes: $0.value) })
                versions = folder.versions.map(\.name)
                current = folder.currentName
                model = folder.current?.model ?? DataModel(entities: [])
            }
            entities = model.entities.map(Entity.init)
        } catch {
            fault = "\(error)"
        }
    }
}

extension ModelOutline.Entity {
    init(_ entity: ObjectModel.Entity) {
        name = entity.name
        superentity = entity.superentity
        isAbstract = entity.isAbstract
        notes = entity.userInfo.map(ModelOutline.Note.init)
        attributes = entity.attributes.map { attribute in
            ModelOutline.Attribute(
                name: attribute.name, type: attribute.type.name, isOptional: attribute.traits.isOptional,
                defaultValue: attribute.defaultValue.flatMap { $0.words },
                notes: attribute.traits.userInfo.map(ModelOutline.Note.init))
        }
        relationships = entity.relationships.map { relationship in
            ModelOutline.Relationship(
                name: relationship.name, destination: relationship.destination, inverse: relationship.inverse,
                isToMany: relationship.isToMany, deleteRule: "\(relationship.deleteRule)",
                notes: relationship.traits.userInfo.map(ModelOutline.Note.init))
        }
    }
}

extension ModelOutline.Note {
    init(_ entry: UserInfoEntry) {
        (key, value) = (entry.key, entry.value.words ?? entry.value.typeName.rawValue)
    }
}

extension PlistValue {
    /// A scalar as a person would write it; data has no words.
    fileprivate var words: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .largeInteger(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let date): "\(date.secondsSince2001) s after 2001"
        default: nil
        }
    }
}
