internal import Bytes
internal import Plist

extension ModelFolder {
    /// The folder's files: each version, and which of them is current.
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

    /// A name that two members share is written once; versions and entities have names of their own.
    private static func dictionary(_ members: [(String, PlistValue)]) -> PlistValue {
        .dictionary(PlistDictionary(members) ?? PlistDictionary())
    }
}

extension DataModel {
    /// A hash for each entity that changes when what is stored of it changes. It is ours: Apple's compiler
    /// computes others, which only need to differ between versions.
    package func entityHashes() -> [ModelFolder.EntityHash] {
        let inheritance = Inheritance(self)
        var hashes: [Digest?] = Array(repeating: nil, count: entities.count)
        // What an entity inherits is in its parent's hash; to write it out would take the square of a line's length.
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
