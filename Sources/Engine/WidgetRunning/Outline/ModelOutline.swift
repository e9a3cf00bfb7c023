internal import JSONText
internal import WidgetObjectModel
internal import WidgetPlist

/// The content of a compiled data model: its versions, and the entities of the current one.
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

    /// An author's note: a key of the user information, and its text.
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
    /// The reason why it could not be read.
    package var fault: String?

    /// Reads files by their names in the model's folder, or one without a name.
    init(path: String, files: [String: [UInt8]]) {
        self.path = path
        do throws(ModelError) {
            let model: DataModel
            if let single = files[""] {
                model = try DataModel(parsing: single)
            } else {
                let folder = try ModelFolder(reading: files.map { ModelFolder.File(name: $0.key, bytes: $0.value) })
                versions = folder.versions.map { $0.name }
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
    init(_ entity: WidgetObjectModel.Entity) {
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
                isToMany: relationship.isToMany, deleteRule: relationship.deleteRule.name,
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
    /// A scalar as text; `nil` for data.
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

extension ModelOutline {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            if let fault { writer.member("fault", fault) }
            if let current { writer.member("current", current) }
            writer.list("versions", versions) { $0.string($1) }
            writer.list("entities", entities) { $1.write(to: &$0) }
        }
    }
}

extension ModelOutline.Entity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            if let superentity { writer.member("superentity", superentity) }
            if isAbstract { writer.member("abstract", true) }
            writer.list("attributes", attributes) { $1.write(to: &$0) }
            writer.list("relationships", relationships) { $1.write(to: &$0) }
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline.Attribute {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("type", type)
            writer.member("optional", isOptional)
            if let defaultValue { writer.member("default", defaultValue) }
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline.Relationship {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("destination", destination)
            if let inverse { writer.member("inverse", inverse) }
            writer.member("toMany", isToMany)
            writer.member("deleteRule", deleteRule)
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline {
    /// Writes a list, because keys may repeat.
    fileprivate static func write(_ notes: [Note], to writer: inout JSONWriter) {
        writer.list("userInfo", notes) { writer, note in
            writer.object { writer in
                writer.member("key", note.key)
                writer.member("value", note.value)
            }
        }
    }
}

extension ModelOutline: CustomStringConvertible {
    /// A text for people; the bundle's own texts are made harmless to a terminal.
    package var description: String {
        var text = "model   \(BundleOutline.safe(path))"
        if versions.count > 1, let current {
            text += ", version \(BundleOutline.safe(current)) of \(versions.count)"
        }
        text += "\n"
        if let fault { text += "  unreadable: \(BundleOutline.safe(fault))\n" }
        for entity in entities { text += entity.lines }
        return text
    }
}

extension ModelOutline.Entity {
    fileprivate var lines: String {
        var text = "  entity \(BundleOutline.safe(name))"
        if let superentity { text += " of \(BundleOutline.safe(superentity))" }
        if isAbstract { text += ", abstract" }
        text += ModelOutline.shown(notes) + "\n"
        for attribute in attributes {
            text += "    \(BundleOutline.safe(attribute.name)): \(BundleOutline.safe(attribute.type))"
            if let value = attribute.defaultValue { text += " = \(BundleOutline.safe(value))" }
            text += ModelOutline.shown(attribute.notes) + "\n"
        }
        for relationship in relationships {
            let kind = relationship.isToMany ? "many" : "one"
            text +=
                "    \(BundleOutline.safe(relationship.name)): \(kind) \(BundleOutline.safe(relationship.destination))"
            if let inverse = relationship.inverse { text += ", back by \(BundleOutline.safe(inverse))" }
            text += ModelOutline.shown(relationship.notes) + "\n"
        }
        return text
    }
}

extension ModelOutline {
    fileprivate static func shown(_ notes: [Note]) -> String {
        guard !notes.isEmpty else { return "" }
        let pairs = notes.map { "\(BundleOutline.safe($0.key))=\(BundleOutline.safe($0.value))" }
        return " (\(pairs.joined(separator: ", ")))"
    }
}
