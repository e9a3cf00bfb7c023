import Testing
import WidgetBuild
import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport
import XMLText

/// Compares each sample's bundle with its source, except for the interfaces: entity by entity, key by key, file by
/// file.
@Suite struct `The samples' bundles` {
    private static func compiled(_ name: String) throws -> (sources: [String: [UInt8]], files: [String: [UInt8]]) {
        let sources = `The samples' sources`.files(name)
        let compiled = try BundleCompiler(sources, folder: name)
        return (sources, Dictionary(uniqueKeysWithValues: compiled.files.map { ($0.path, $0.bytes) }))
    }

    @Test(arguments: `The samples' sources`.names)
    func `each sample's model has the content of its source`(_ name: String) throws {
        let (sources, files) = try Self.compiled(name)
        for (path, bytes) in sources where path.hasSuffix(".xcdatamodel/contents") {
            let folder = path.split(separator: "/")[0].dropLast(".xcdatamodeld".utf8.count)
            let compiled = files.filter { $0.key.hasPrefix("\(folder).momd/") }
            let model = try #require(
                try ModelFolder(
                    reading: compiled.map { .init(name: String($0.key.split(separator: "/")[1]), bytes: $0.value) }
                ).current?.model)
            let root = try XMLDocument(parsing: bytes).root
            #expect(model.versionIdentifiers == [root["userDefinedModelVersionIdentifier"] ?? ""])
            let entities = root.children(named: "entity")
            #expect(Set(model.entities.map(\.name)) == Set(entities.map { $0["name"] ?? "" }))
            for element in entities { try compare(element, try #require(model.entity(named: element["name"] ?? ""))) }
            #expect(model.unknownKeys == [])
        }
    }

    private func compare(_ source: XMLElement, _ entity: Entity) throws {
        expectOnly(["name", "representedClassName", "parentEntity", "syncable"], source)
        #expect(entity.className == source["representedClassName"] && entity.superentity == source["parentEntity"])
        compare(userInfo: source, entity.userInfo)
        let attributes = source.children(named: "attribute")
        #expect(Set(entity.attributes.map(\.name)) == Set(attributes.map { $0["name"] ?? "" }))
        for element in attributes {
            let attribute = try #require(entity.attribute(named: element["name"] ?? ""))
            let known: Set = [
                "name", "attributeType", "optional", "defaultValueString", "usesScalarValueType", "syncable",
            ]
            expectOnly(known, element)
            #expect(attribute.type.name == element["attributeType"])
            #expect(attribute.traits.isOptional == (element["optional"] == "YES"))
            let expected: PlistValue? =
                switch (element["attributeType"], element["defaultValueString"]) {
                case (_, nil): nil
                case ("Boolean", let text?): .boolean(text == "YES")
                case ("Integer 32", let text?): .integer(Int64(text) ?? .min)
                case ("Double", let text?): .real(Double(text) ?? .nan)
                case (_, let text?): .string(text)
                }
            #expect(attribute.defaultValue == expected, "\(attribute.name)")
            compare(userInfo: element, attribute.traits.userInfo)
        }
        let relationships = source.children(named: "relationship")
        #expect(Set(entity.relationships.map(\.name)) == Set(relationships.map { $0["name"] ?? "" }))
        for element in relationships {
            let relationship = try #require(entity.relationship(named: element["name"] ?? ""))
            let known: Set = [
                "name", "optional", "toMany", "maxCount", "deletionRule", "destinationEntity", "inverseName",
                "inverseEntity", "syncable",
            ]
            expectOnly(known, element)
            #expect(relationship.destination == element["destinationEntity"])
            #expect(relationship.inverse == element["inverseName"])
            #expect(element["inverseEntity"] == element["destinationEntity"])
            #expect(relationship.isToMany == (element["toMany"] == "YES"))
            #expect(relationship.maximumCount == (element["maxCount"].flatMap { Int64($0) } ?? 0))
            #expect(relationship.traits.isOptional == (element["optional"] == "YES"))
            let rules: [String: Relationship.DeleteRule] = [
                "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
            ]
            #expect(relationship.deleteRule == rules[element["deletionRule"] ?? ""])
            compare(userInfo: element, relationship.traits.userInfo)
        }
        let known: Set = ["attribute", "relationship", "userInfo"]
        #expect(source.children.allSatisfy { known.contains($0.name) })
    }

    private func compare(userInfo source: XMLElement, _ entries: [UserInfoEntry]) {
        let pairs = source.child(named: "userInfo")?.children.map { "\($0["key"] ?? "") = \($0["value"] ?? "")" } ?? []
        #expect(entries.map { "\($0.key) = \($0.value.string ?? "")" }.sorted() == pairs.sorted())
    }

    private func expectOnly(_ names: Set<String>, _ source: XMLElement) {
        for attribute in source.attributes {
            #expect(names.contains(attribute.name), "nothing is known about \(source.name).\(attribute.name)")
        }
    }

    @Test(arguments: `The samples' sources`.names)
    func `each sample's bundle has every other file unchanged, and images of assets by name`(_ name: String) throws {
        let (sources, files) = try Self.compiled(name)
        var explained: Set<String> = ["Info.plist"]
        for (path, bytes) in sources {
            let parts = path.split(separator: "/").map(String.init)
            guard let file = parts.last, path != "Info.plist", file != "README.md" else { continue }
            if parts.contains(where: { $0.hasSuffix(".xcassets") }) {
                guard file != "Contents.json" else { continue }
                explained.insert(file)
                #expect(files[file] == bytes, "\(path)")
            } else if !parts[0].hasSuffix(".xcdatamodeld"), !file.hasSuffix(".storyboard") {
                explained.insert(path)
                #expect(files[path] == bytes, "\(path)")
            }
        }
        // What is left is compiled.
        for path in files.keys where !explained.contains(path) {
            #expect(path.contains(".storyboardc/") || path.contains(".momd/"), "\(path)")
        }
        let source = try PlistValue(parsing: try #require(sources["Info.plist"]))
        let compiled = try PlistValue(parsing: try #require(files["Info.plist"]))
        for (key, value) in try #require(source.dictionary).members { #expect(compiled[key] == value, "\(key)") }
    }
}
