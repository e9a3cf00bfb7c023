internal import WidgetBytes
internal import WidgetPlist

/// All versions of a compiled model: the files of a `.momd` folder, or a single `.mom` file.
package struct ModelFolder: Equatable, Sendable {
    package struct Version: Equatable, Sendable {
        package var name: String
        package var model: DataModel
        /// The compiler's hash of each entity; stores distinguish versions by it.
        package var entityHashes: [EntityHash]

        package init(name: String, model: DataModel, entityHashes: [EntityHash]) {
            (self.name, self.model, self.entityHashes) = (name, model, entityHashes)
        }
    }

    package struct EntityHash: Equatable, Sendable {
        package var entityName: String
        package var bytes: [UInt8]

        package init(entityName: String, bytes: [UInt8]) {
            (self.entityName, self.bytes) = (entityName, bytes)
        }
    }

    /// In the order of their names.
    package var versions: [Version]
    package var currentName: String

    package var current: Version? { versions.first { $0.name == currentName } }

    package init(versions: [Version], currentName: String) {
        (self.versions, self.currentName) = (versions, currentName)
    }

    /// A file by its name in the folder.
    package struct File: Sendable {
        package var name: String
        package var bytes: [UInt8]

        package init(name: String, bytes: [UInt8]) {
            (self.name, self.bytes) = (name, bytes)
        }
    }

    package static let informationName = "VersionInfo.plist"
    static let suffix = ".mom"
}

extension ModelFolder {
    /// Reads the folder's files. Optimised copies (`.omo`) add nothing to the models.
    package init(reading files: [File], limits: ModelLimits = ModelLimits()) throws(ModelError) {
        let information = try Self.information(in: files, limits: limits)
        let hashes = information?["NSManagedObjectModel_VersionHashes"]
        versions = []
        let models = files.filter { $0.name.hasSuffix(Self.suffix) }
            .map { (name: String($0.name.dropLast(Self.suffix.count)), file: $0) }
        for (name, file) in models.sorted(by: { $0.name < $1.name }) {
            do throws(ModelError) {
                let model = try DataModel(parsing: file.bytes, limits: limits)
                versions.append(Version(name: name, model: model, entityHashes: Self.hashes(hashes?[name])))
            } catch {
                throw ModelError(error.reason, file: file.name)
            }
        }
        guard let first = versions.first else { throw ModelError(.noVersion) }
        if let current = information?["NSManagedObjectModel_CurrentVersionName"]?.string {
            guard versions.contains(where: { $0.name == current }) else { throw ModelError(.missingVersion(current)) }
            currentName = current
        } else {
            guard versions.count == 1 else { throw ModelError(.noCurrentVersion(names: versions.map { $0.name })) }
            currentName = first.name
        }
    }

    private static func information(in files: [File], limits: ModelLimits) throws(ModelError) -> PlistValue? {
        guard let file = files.first(where: { $0.name == informationName }) else { return nil }
        return try rethrowing(
            try PlistValue(parsing: file.bytes, limits: limits.plist),
            as: { (error: PlistError) in ModelError(.archive(error), file: file.name) })
    }

    private static func hashes(_ value: PlistValue?) -> [EntityHash] {
        guard let entities = value?.dictionary else { return [] }
        return entities.members.compactMap { name, hash in
            hash.data.map { EntityHash(entityName: name, bytes: $0) }
        }
    }
}

extension ModelFolder {
    /// Returns the folder's files: each version, and the name of the current one.
    package func encoded() -> [File] {
        var files = versions.map { File(name: $0.name + Self.suffix, bytes: $0.model.encoded()) }
        let hashes = versions.map { version in
            (version.name, Self.dictionary(version.entityHashes.map { ($0.entityName, .data($0.bytes)) }))
        }
        let information = Self.dictionary([
            ("NSManagedObjectModel_CurrentVersionName", .string(currentName)),
            ("NSManagedObjectModel_VersionHashes", Self.dictionary(hashes)),
        ])
        files.append(File(name: Self.informationName, bytes: information.encodedBinary()))
        return files
    }

    /// Makes a dictionary without repeated keys; names of versions and entities are unique.
    private static func dictionary(_ members: [(String, PlistValue)]) -> PlistValue {
        .dictionary(PlistDictionary(members) ?? PlistDictionary())
    }
}

extension DataModel {
    /// Computes a hash for each entity that changes when its stored properties change. The hashes differ from those of
    /// Apple's compiler, and need to differ only between versions.
    package func entityHashes() -> [ModelFolder.EntityHash] {
        let inheritance = Inheritance(self)
        var hashes: [Digest?] = Array(repeating: nil, count: entities.count)
        // The parent's hash covers what an entity inherits; writing it out would take time quadratic in the depth.
        inheritance.walk { place in
            let parent = entities[place].superentity.flatMap { inheritance.places[$0] }
            hashes[place] = Digest.sha256(Array(entities[place].stored(below: parent.flatMap { hashes[$0] }).utf8))
        } leave: { _ in
        }
        return zip(entities, hashes).compactMap { entity, hash in
            hash.map { ModelFolder.EntityHash(entityName: entity.name, bytes: $0.bytes) }
        }
    }
}

extension Entity {
    fileprivate func stored(below parent: Digest?) -> String {
        var text = (parent.map { [$0.hex] } ?? []) + ["\(name)/\(versionHashModifier ?? "")"]
        for attribute in attributes where !attribute.traits.isTransient {
            text.append("a \(attribute.name) \(attribute.type.number) \(attribute.traits.isOptional)")
            text.append("  \(attribute.traits.versionHashModifier ?? "")")
        }
        for relationship in relationships {
            text.append("r \(relationship.name) \(relationship.destination) \(relationship.inverse ?? "")")
            text.append("  \(relationship.minimumCount) \(relationship.maximumCount) \(relationship.isOrdered)")
            text.append("  \(relationship.traits.isOptional) \(relationship.traits.versionHashModifier ?? "")")
        }
        return text.joined(separator: "\n")
    }
}
