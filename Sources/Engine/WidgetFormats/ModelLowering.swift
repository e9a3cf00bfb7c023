internal import WidgetBytes
internal import WidgetCore
internal import WidgetObjectModel
internal import WidgetPlist
internal import WidgetPredicates

/// Makes the entities of a widget from its compiled models.
enum ModelLowering {
    /// The union of all models of a bundle. The first of several entities with one name counts.
    static func model(_ files: BundleFiles, _ diagnostics: inout [Finding]) -> EntityModel {
        let read = models(files, &diagnostics)
        var entities: [EntityModel.Entity] = []
        var names: Set<String> = []
        var paths: [String: String] = [:]
        for (path, model) in read {
            for entity in model.entities {
                if !names.insert(entity.name).inserted {
                    diagnostics.append(
                        Finding(
                            .warning, .duplicateIdentifier, "\(entity.name) is in several models", at: Place(file: path)
                        ))
                } else {
                    entities.append(lowered(entity))
                    paths[entity.name] = path
                }
            }
        }
        let model = EntityModel(entities, facts: WidgetKitVocabulary.recordFacts)
        if let name = model.cut.first {
            diagnostics.append(
                Finding(
                    .error, .depthBudget, "\(model.cut.count) entities, \(name) among them, inherit more than they may",
                    hint: "at most \(EntityModel.mostAncestors) parents of parents are inherited from"))
        }
        for entity in model.entities where diagnostics.count <= Program.diagnosticCount {
            diagnostics += identityFaults(of: entity, at: paths[entity.name].map { Place(file: $0) })
        }
        return model
    }

    /// Attributes of an identity that are looked for.
    private static let mostIdentities = 8

    /// The attributes that tell records apart and that their entity does not have.
    private static func identityFaults(of entity: EntityModel.Entity, at place: Place?) -> [Finding] {
        entity.identity.prefix(mostIdentities).filter { entity.slot($0) == nil }.map { name in
            let known = entity.properties.map { $0.name }.sorted()
            return Finding(
                .warning, .unknownKey,
                "The identity of \(entity.name.excerpt) is \(name.excerpt), which it does not have, so each answer may add the same records again",
                at: place, value: name.excerpt, nearest: NearestName.of(name, in: known),
                hint: KeyTable.list(known, "it has"))
        }
    }

    private static func models(_ files: BundleFiles, _ diagnostics: inout [Finding]) -> [(String, DataModel)] {
        var folders: [String: [ModelFolder.File]] = [:]
        for path in files.paths where path.hasSuffix(".mom") || path.contains(".momd/") {
            let parts = path.split(separator: "/").map(String.init)
            guard let name = parts.last, let bytes = files[path] else { continue }
            let folder = parts.dropLast().joined(separator: "/")
            folders[folder.hasSuffix(".momd") ? folder : path, default: []].append(
                ModelFolder.File(name: name, bytes: bytes))
        }
        var models: [(String, DataModel)] = []
        for (path, files) in folders.sorted(by: { $0.key < $1.key }) {
            do throws(ModelError) {
                if let model = try ModelFolder(reading: files).current?.model { models.append((path, model)) }
            } catch {
                diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path)))
            }
        }
        return models
    }

    private static func lowered(_ entity: Entity) -> EntityModel.Entity {
        let attributes = entity.attributes.map { attribute in
            EntityModel.Property.attribute(
                EntityModel.Attribute(
                    attribute.name, kind(attribute.type), isOptional: attribute.traits.isOptional,
                    initial: attribute.defaultValue.map { initial($0, attribute.type) } ?? .null,
                    jsonKeyPath: keyPath(attribute.traits.userInfo["JSONKeyPath"]),
                    transformer: attribute.traits.userInfo["JSONTransformerName"]))
        }
        let relationships = entity.relationships.map { relationship in
            EntityModel.Property.relationship(
                EntityModel.Relationship(
                    relationship.name, to: relationship.destination, inverse: relationship.inverse,
                    isToMany: relationship.isToMany, deleteRule: rule(relationship.deleteRule),
                    isOptional: relationship.traits.isOptional,
                    jsonKeyPath: keyPath(relationship.traits.userInfo["JSONKeyPath"])))
        }
        let identity = entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"] ?? ""
        return EntityModel.Entity(
            entity.name, parent: entity.superentity, isAbstract: entity.isAbstract,
            properties: attributes + relationships,
            identity: identity.split { $0 == "," || $0 == " " }.map(String.init),
            ownerRelationship: entity.userInfo["ownerRelationship"],
            isOwner: Value.string(entity.userInfo["isOwnerEntity"] ?? "").truth,
            mapper: entity.userInfo["entityMapperName"],
            dictionaryTransformer: entity.userInfo["JSONDictionaryTransformerName"])
    }

    private static func keyPath(_ text: String?) -> [String]? {
        text.map { $0.split(separator: ".").map(String.init) }
    }

    private static func rule(_ rule: Relationship.DeleteRule) -> EntityModel.Relationship.DeleteRule {
        switch rule {
        case .noAction: .none
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }

    private static func kind(_ type: AttributeType) -> EntityModel.Attribute.Kind {
        switch type {
        case .integer16, .integer32, .integer64: .integer
        case .decimal: .decimal
        case .double, .float: .real
        case .string, .uuid, .uri: .string
        case .boolean: .boolean
        case .date: .date
        case .binary: .data
        default: .any
        }
    }

    private static func initial(_ value: PlistValue, _ type: AttributeType) -> Value {
        if let text = value.string { return .string(text) }
        if let flag = value.boolean { return type == .boolean ? .boolean(flag) : .integer(flag ? 1 : 0) }
        if let number = value.integer { return type == .boolean ? .boolean(number != 0) : .integer(number) }
        if let number = value.double { return .double(number) }
        if let date = value.date { return .date(date.secondsSince2001) }
        return value.data.map { .data($0) } ?? .null
    }
}
