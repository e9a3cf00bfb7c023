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
        entities.compactMap { entity in
            var text = lineage(of: entity.name).reversed().map { "\($0.name)/\($0.versionHashModifier ?? "")" }
            for attribute in attributes(of: entity.name) where !attribute.traits.isTransient {
                text.append("a \(attribute.name) \(attribute.type.number) \(attribute.traits.isOptional)")
                text.append("  \(attribute.traits.versionHashModifier ?? "")")
            }
            for relationship in relationships(of: entity.name) {
                text.append("r \(relationship.name) \(relationship.destination) \(relationship.inverse ?? "")")
                text.append("  \(relationship.minimumCount) \(relationship.maximumCount) \(relationship.isOrdered)")
                text.append("  \(relationship.traits.isOptional) \(relationship.traits.versionHashModifier ?? "")")
            }
            return Digest.sha256(Array(text.joined(separator: "\n").utf8))
                .map { ModelFolder.EntityHash(entityName: entity.name, bytes: $0.bytes) }
        }
    }
}
