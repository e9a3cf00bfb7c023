internal import Bytes
internal import ObjectModel
internal import Plist
internal import XMLText

/// The source of one version of a model.
struct ModelSource {
    private let root: XMLElement
    let path: String

    init(_ root: XMLElement, path: String) {
        (self.root, self.path) = (root, path)
    }

    func model() throws(BuildError) -> DataModel {
        guard root.name == "model" else {
            throw BuildError("a model's source begins with the element model", path: path, at: root.position)
        }
        let element = try ModelElement(root, path: path, reads: Self.attributes)
        var model = DataModel(entities: [])
        for child in try element.children(["entity", "fetchRequest", "configuration", "elements"]) {
            switch child.name {
            case "entity": model.entities.append(try entity(child))
            case "fetchRequest":
                let request = try ModelElement(child, path: path, reads: Self.requestAttributes)
                model.fetchRequests.append(
                    FetchRequestTemplate(name: try request.require("name"), request: try fetchRequest(request)))
            case "configuration": model.configurations.append(try configuration(child))
            // Where the editor draws things.
            default: break
            }
        }
        if let identifier = element["userDefinedModelVersionIdentifier"] { model.versionIdentifiers = [identifier] }
        try ModelCheck(model: model, source: self, root: root).check()
        return model
    }

    private func entity(_ source: XMLElement) throws(BuildError) -> Entity {
        let element = try ModelElement(source, path: path, reads: Self.entityAttributes)
        var entity = Entity(name: try element.require("name"))
        // A leading point stands for the module of an application that is not there.
        entity.className = element["representedClassName"].map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        entity.isAbstract = try element.flag("isAbstract")
        entity.superentity = element["parentEntity"]
        entity.renamingIdentifier = element["elementID"] ?? entity.name
        entity.versionHashModifier = element["versionHashModifier"]
        entity.spotlightDisplayName = element["coreSpotlightDisplayNameExpression"]
        for child in try element.children(Self.entityChildren) {
            switch child.name {
            case "attribute": entity.attributes.append(try attribute(child))
            case "relationship": entity.relationships.append(try relationship(child))
            case "fetchedProperty": entity.fetchedProperties.append(try fetchedProperty(child))
            case "userInfo": entity.userInfo = try userInfo(child)
            case "fetchIndex": entity.indexes.append(try index(child))
            case "uniquenessConstraints":
                entity.uniquenessConstraints = try names(child, "uniquenessConstraint", "constraint")
            default:
                for (number, names) in try names(child, "compoundIndex", "index").enumerated() {
                    let elements = names.map { FetchIndex.Element(propertyName: $0, isAscending: true) }
                    entity.indexes.append(FetchIndex(name: "compoundIndex\(number)", elements: elements))
                }
            }
        }
        return entity
    }

    /// Lists of names inside each other: groups, and in each its names.
    private func names(_ source: XMLElement, _ group: String, _ name: String) throws(BuildError) -> [[String]] {
        let element = try ModelElement(source, path: path, reads: [])
        var result: [[String]] = []
        for child in try element.children([group]) {
            var names: [String] = []
            for value in try ModelElement(child, path: path, reads: []).children([name]) {
                names.append(try ModelElement(value, path: path, reads: ["value"]).require("value"))
            }
            result.append(names)
        }
        return result
    }

    private func index(_ source: XMLElement) throws(BuildError) -> FetchIndex {
        let element = try ModelElement(source, path: path, reads: ["name"])
        var index = FetchIndex(name: try element.require("name"), elements: [])
        for child in try element.children(["fetchIndexElement"]) {
            let part = try ModelElement(child, path: path, reads: ["property", "type", "order"])
            guard ["Binary", "RTree"].contains(part["type"] ?? "Binary") else {
                throw part.error("the type of an index is Binary or RTree", at: "type")
            }
            index.elements.append(
                FetchIndex.Element(
                    propertyName: try part.require("property"), isAscending: part["order"] != "descending",
                    kind: part["type"] == "RTree" ? 1 : 0))
        }
        return index
    }

    private func configuration(_ source: XMLElement) throws(BuildError) -> Configuration {
        let element = try ModelElement(source, path: path, reads: ["name"])
        var configuration = Configuration(name: try element.require("name"), entityNames: [])
        for child in try element.children(["memberEntity"]) {
            configuration.entityNames.append(try ModelElement(child, path: path, reads: ["name"]).require("name"))
        }
        return configuration
    }

    private func fetchedProperty(_ source: XMLElement) throws(BuildError) -> FetchedProperty {
        let element = try ModelElement(source, path: path, reads: Self.traitAttributes.union(["name"]))
        var property = FetchedProperty(name: try element.require("name"), request: FetchRequest(entityName: nil))
        property.traits = try traits(element)
        for child in try element.children(["fetchRequest", "userInfo"]) {
            if child.name == "userInfo" {
                property.traits.userInfo = try userInfo(child)
            } else {
                property.request = try fetchRequest(
                    try ModelElement(child, path: path, reads: Self.requestAttributes))
            }
        }
        return property
    }

    private func fetchRequest(_ element: ModelElement) throws(BuildError) -> FetchRequest {
        var request = FetchRequest(entityName: try element.require("entity"))
        request.predicate = element["predicateString"]
        request.fetchLimit = try element.integer("fetchLimit") ?? 0
        request.batchSize = try element.integer("fetchBatchSize") ?? 0
        return request
    }

    func userInfo(_ source: XMLElement) throws(BuildError) -> [UserInfoEntry] {
        var entries: [UserInfoEntry] = []
        var keys: Set<String> = []
        for child in try ModelElement(source, path: path, reads: []).children(["entry"]) {
            let entry = try ModelElement(child, path: path, reads: ["key", "value"])
            let key = try entry.require("key")
            guard keys.insert(key).inserted else {
                throw entry.error("the key \(ShownText.name(key)) stands there twice", at: "key")
            }
            entries.append(UserInfoEntry(key: key, value: .string(entry["value"] ?? "")))
        }
        return entries
    }

    private static let attributes: Set = [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "userDefinedModelVersionIdentifier", "name",
    ]
    private static let entityAttributes: Set = [
        "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
        "coreSpotlightDisplayNameExpression",
    ]
    private static let entityChildren: Set = [
        "attribute", "relationship", "fetchedProperty", "userInfo", "fetchIndex", "uniquenessConstraints",
        "compoundIndexes",
    ]
    private static let requestAttributes: Set = [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize",
    ]
    static let traitAttributes: Set = [
        "optional", "transient", "indexed", "readOnly", "spotlightIndexingEnabled", "elementID", "versionHashModifier",
    ]
}
