internal import WidgetBytes
internal import WidgetObjectModel
internal import WidgetPlist
internal import XMLText

/// The source of one version of a model.
struct ModelSource {
    private let root: XMLElement
    let path: String
    private let errors: BuildErrors

    init(_ root: XMLElement, path: String, errors: BuildErrors) {
        (self.root, self.path, self.errors) = (root, path, errors)
    }

    /// Reads an element; unknown attributes are recorded as errors.
    private func element(_ element: XMLElement, reads: Set<String>) throws(BuildError) -> ModelElement {
        try ModelElement(element, path: path, reads: reads, errors)
    }

    func model() throws(BuildError) -> DataModel {
        guard root.name == "model" else {
            throw BuildError("a model's source begins with the element model", path: path, at: root.position)
        }
        let element = try self.element(root, reads: Self.attributes)
        var model = DataModel(entities: [])
        for child in try element.children(["entity", "fetchRequest", "configuration", "elements"]) {
            do throws(BuildError) { try add(child, to: &model) } catch { try errors.record(error) }
        }
        if let identifier = element["userDefinedModelVersionIdentifier"] { model.versionIdentifiers = [identifier] }
        // Whether the parts fit together can be said when all of them are known.
        guard errors.isEmpty else { return model }
        try ModelCheck(model: model, source: self, root: root).check()
        return model
    }

    private func add(_ child: XMLElement, to model: inout DataModel) throws(BuildError) {
        switch child.name {
        case "entity": model.entities.append(try entity(child))
        case "fetchRequest":
            let request = try self.element(child, reads: Self.requestAttributes)
            model.fetchRequests.append(
                FetchRequestTemplate(name: try request.require("name"), request: try fetchRequest(request)))
        case "configuration": model.configurations.append(try configuration(child))
        // Positions of drawings in the editor.
        default: break
        }
    }

    private func entity(_ source: XMLElement) throws(BuildError) -> Entity {
        let element = try self.element(source, reads: Self.entityAttributes)
        var entity = Entity(name: try element.require("name"))
        // A leading point means the module of an application that does not exist here.
        entity.className = element["representedClassName"].map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        entity.isAbstract = try element.flag("isAbstract")
        entity.superentity = element["parentEntity"]
        entity.renamingIdentifier = element["elementID"] ?? entity.name
        entity.versionHashModifier = element["versionHashModifier"]
        entity.spotlightDisplayName = element["coreSpotlightDisplayNameExpression"]
        for child in try element.children(Self.entityChildren) {
            do throws(BuildError) { try add(child, to: &entity) } catch { try errors.record(error) }
        }
        return entity
    }

    private func add(_ child: XMLElement, to entity: inout Entity) throws(BuildError) {
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

    /// Returns nested lists of names: groups, and the names in each.
    private func names(_ source: XMLElement, _ group: String, _ name: String) throws(BuildError) -> [[String]] {
        let element = try self.element(source, reads: [])
        var result: [[String]] = []
        for child in try element.children([group]) {
            var names: [String] = []
            for value in try self.element(child, reads: []).children([name]) {
                names.append(try self.element(value, reads: ["value"]).require("value"))
            }
            result.append(names)
        }
        return result
    }

    private func index(_ source: XMLElement) throws(BuildError) -> FetchIndex {
        let element = try self.element(source, reads: ["name"])
        var index = FetchIndex(name: try element.require("name"), elements: [])
        for child in try element.children(["fetchIndexElement"]) {
            let part = try self.element(child, reads: ["property", "type", "order"])
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
        let element = try self.element(source, reads: ["name"])
        var configuration = Configuration(name: try element.require("name"), entityNames: [])
        for child in try element.children(["memberEntity"]) {
            configuration.entityNames.append(try self.element(child, reads: ["name"]).require("name"))
        }
        return configuration
    }

    private func fetchedProperty(_ source: XMLElement) throws(BuildError) -> FetchedProperty {
        let element = try self.element(source, reads: Self.traitAttributes.union(["name"]))
        var property = FetchedProperty(name: try element.require("name"), request: FetchRequest(entityName: nil))
        property.traits = try traits(element)
        for child in try element.children(["fetchRequest", "userInfo"]) {
            if child.name == "userInfo" {
                property.traits.userInfo = try userInfo(child)
            } else {
                property.request = try fetchRequest(
                    try self.element(child, reads: Self.requestAttributes))
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
        for child in try self.element(source, reads: []).children(["entry"]) {
            let entry = try self.element(child, reads: ["key", "value"])
            let key = try entry.require("key")
            guard keys.insert(key).inserted else {
                throw entry.error("the key \(ShownText.name(key)) occurs twice", at: "key")
            }
            entries.append(UserInfoEntry(key: key, value: .string(entry["value"] ?? "")))
        }
        return entries
    }

    private static let attributes: Set = [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "userDefinedModelVersionIdentifier", "name",
        // Of older Xcode: the systems for which the model was made, which a compiled model does not have.
        "macOSVersion", "iOSVersion",
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

extension ModelSource {
    func traits(_ element: ModelElement) throws(BuildError) -> PropertyTraits {
        var traits = PropertyTraits()
        traits.isOptional = try element.flag("optional")
        traits.isTransient = try element.flag("transient")
        traits.isIndexed = try element.flag("indexed")
        traits.isReadOnly = try element.flag("readOnly")
        traits.isIndexedBySpotlight = try element.flag("spotlightIndexingEnabled")
        let name = try element.require("name")
        traits.renamingIdentifier = element["elementID"] ?? name
        traits.versionHashModifier = element["versionHashModifier"]
        return traits
    }

    func attribute(_ source: XMLElement) throws(BuildError) -> Attribute {
        let element = try self.element(source, reads: Self.attributeAttributes)
        // Xcode writes no type for a transient attribute of an undefined one.
        let isTransient = try element.flag("transient")
        let isUndefined = isTransient && element["attributeType"] == nil
        let typeName = isUndefined ? "" : try element.require("attributeType")
        guard let type = isUndefined ? .undefined : AttributeType(name: typeName) else {
            let names = AttributeType.names
            let nearest = NearestName.of(typeName, in: names).map { "did you mean \($0)?" }
            throw element.error(
                "the type \(ShownText.name(typeName)) is unknown", at: "attributeType",
                hints: [nearest ?? "it can be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"])
        }
        var attribute = Attribute(name: try element.require("name"), type: type)
        attribute.traits = try traits(element)
        for child in try element.children(["userInfo"]) { attribute.traits.userInfo = try userInfo(child) }
        attribute.valueClassName = type.className
        attribute.valueTransformerName = element["valueTransformerName"]
        attribute.defaultValue = try defaultValue(of: type, element)
        attribute.minimum = try element.number(type == .date ? "minDateTimeInterval" : "minValueString")
        attribute.maximum = try element.number(type == .date ? "maxDateTimeInterval" : "maxValueString")
        if let pattern = element["regularExpressionString"] {
            let quoted = pattern.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
            attribute.traits.validations = [
                Validation(predicate: "SELF MATCHES \"\(String(quoted))\"", warning: nil)
            ]
        }
        attribute.allowsExternalStorage = try element.flag("allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistory = try element.flag("preservesValueInHistoryOnDeletion")
        attribute.allowsCloudEncryption = try element.flag("allowsCloudEncryption")
        let isDerived = try element.flag("derived")
        guard isDerived == (element["derivationExpression"] != nil) else {
            throw element.error("a derived attribute has a derivationExpression, and no other has", at: "derived")
        }
        attribute.derivation = element["derivationExpression"]
        return attribute
    }

    private func defaultValue(of type: AttributeType, _ element: ModelElement) throws(BuildError) -> PlistValue? {
        if type == .date {
            return try element.number("defaultDateTimeInterval").flatMap { PlistDate(secondsSince2001: $0) }
                .map { .date($0) }
        }
        guard let text = element["defaultValueString"] else { return nil }
        switch type {
        case .integer16: return try integer(text, Int64(Int16.min)...Int64(Int16.max), element)
        case .integer32: return try integer(text, Int64(Int32.min)...Int64(Int32.max), element)
        case .integer64: return try integer(text, Int64.min...Int64.max, element)
        case .decimal:
            guard let value = DecimalText.normal(text) else {
                throw element.error("the default is not a decimal number", at: "defaultValueString")
            }
            return .string(value)
        case .double, .float: return try element.number("defaultValueString").map { .real($0) }
        case .boolean:
            // Editors also write a number.
            guard let value = ModelSource.truths[text] ?? Double(text).flatMap({ $0.isFinite ? $0 != 0 : nil }) else {
                throw element.error("the default must be YES or NO", at: "defaultValueString")
            }
            return .boolean(value)
        case .string, .uri: return .string(text)
        case .uuid:
            let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
            let nibbles = digits.compactMap { Hex.value(of: $0) }
            guard nibbles.count == 32, digits.count == 32 else {
                throw element.error("the default is not a UUID", at: "defaultValueString")
            }
            return .data(stride(from: 0, to: 32, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
        default:
            throw element.error(
                "an attribute of type \(type.name) cannot have a default here", at: "defaultValueString")
        }
    }

    private static let truths = ["YES": true, "NO": false]

    /// Reads an integer, which editors also write with a point and zeros, or as the truth value that it was before.
    private func integer(
        _ text: String, _ range: ClosedRange<Int64>, _ element: ModelElement
    ) throws(BuildError) -> PlistValue {
        guard
            let value = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) })
                ?? ModelSource.truths[text].map({ $0 ? 1 : 0 }), range.contains(value)
        else {
            throw element.error("the default is not a whole number of this type", at: "defaultValueString")
        }
        return .integer(value)
    }

    func relationship(_ source: XMLElement) throws(BuildError) -> Relationship {
        let element = try self.element(source, reads: Self.relationshipAttributes)
        var relationship = Relationship(
            name: try element.require("name"), destination: try element.require("destinationEntity"))
        relationship.traits = try traits(element)
        for child in try element.children(["userInfo"]) { relationship.traits.userInfo = try userInfo(child) }
        relationship.inverse = element["inverseName"]
        relationship.isOrdered = try element.flag("ordered")
        relationship.minimumCount = try element.integer("minCount") ?? 0
        let isToMany = try element.flag("toMany")
        relationship.maximumCount = try element.integer("maxCount") ?? (isToMany ? 0 : 1)
        let rules: [String: Relationship.DeleteRule] = [
            "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
        ]
        let rule = element["deletionRule"] ?? "Nullify"
        guard let deleteRule = rules[rule] else {
            throw element.error("the deletion rule \(ShownText.name(rule)) is unknown", at: "deletionRule")
        }
        relationship.deleteRule = deleteRule
        guard relationship.minimumCount >= 0, relationship.maximumCount >= 0,
            relationship.maximumCount == 0 || relationship.minimumCount <= relationship.maximumCount
        else { throw element.error("the relationship's counts leave no number of objects", at: "minCount") }
        return relationship
    }

    private static let attributeAttributes = traitAttributes.union([
        "name", "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
        "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString", "valueTransformerName",
        "allowsExternalBinaryDataStorage", "preservesValueInHistoryOnDeletion", "allowsCloudEncryption",
        "derived", "derivationExpression",
    ])
    private static let relationshipAttributes = traitAttributes.union([
        "name", "destinationEntity", "inverseName", "inverseEntity", "ordered", "minCount", "maxCount", "toMany",
        "deletionRule",
    ])
}

/// Decimal numbers in the notation of models.
enum DecimalText {
    /// Returns the number without a superfluous sign; `nil` when the text is not a number, or too long to be kept
    /// exactly.
    static func normal(_ text: String) -> String? {
        var digits = text[...]
        if digits.first == "-" || digits.first == "+" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard !digits.isEmpty, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.first?.isEmpty == false, digits.count <= 39
        else { return nil }
        return text.first == "+" ? String(text.dropFirst()) : text
    }
}

/// An element of a model's source. All its attributes are read, or known to be without meaning here.
struct ModelElement {
    let element: XMLElement
    let path: String
    private let errors: BuildErrors

    /// Records attributes that are neither read nor for the editor alone.
    init(_ element: XMLElement, path: String, reads: Set<String>, _ errors: BuildErrors) throws(BuildError) {
        (self.element, self.path, self.errors) = (element, path, errors)
        for attribute in element.attributes
        where !reads.contains(attribute.name) && !Self.withoutMeaning.contains(attribute.name) {
            try errors.record(
                BuildError(
                    "the attribute \(ShownText.name(attribute.name)) of \(element.name) cannot be compiled",
                    path: path, at: element.position(of: attribute)))
        }
    }

    /// Attributes for editors and generators of code, and for synchronisation with Apple's services.
    private static let withoutMeaning: Set = [
        "syncable", "codeGenerationType", "usesScalarValueType", "customClassName", "usedWithCloudKit",
        "usedWithSwiftData", "storedInTruthFile", "preserveAfterDeletion", "customTypeName",
    ]

    subscript(_ attribute: String) -> String? { element[attribute] }

    func error(_ sentence: String, at attribute: String? = nil, hints: [String] = []) -> BuildError {
        let place = element.attributes.first { $0.name == attribute }
        return BuildError(
            sentence, path: path, at: place.map { element.position(of: $0) } ?? element.position, hints: hints)
    }

    func require(_ attribute: String) throws(BuildError) -> String {
        guard let value = element[attribute], !value.isEmpty else {
            throw error("\(element.name) has no \(attribute)")
        }
        return value
    }

    func flag(_ attribute: String) throws(BuildError) -> Bool {
        switch element[attribute] {
        case nil, "NO": return false
        case "YES": return true
        default: throw error("\(attribute) must be YES or NO", at: attribute)
        }
    }

    func integer(_ attribute: String) throws(BuildError) -> Int64? {
        guard let text = element[attribute] else { return nil }
        guard let value = Int64(text) else { throw error("\(attribute) must be a whole number", at: attribute) }
        return value
    }

    func number(_ attribute: String) throws(BuildError) -> Double? {
        guard let text = element[attribute] else { return nil }
        guard let value = Double(text), value.isFinite else {
            throw error("\(attribute) must be a number", at: attribute)
        }
        return value
    }

    /// Returns the child elements; those with other names cannot be compiled.
    func children(_ names: Set<String>) throws(BuildError) -> [XMLElement] {
        for child in element.children where !names.contains(child.name) {
            try errors.record(
                BuildError(
                    "the element \(ShownText.name(child.name)) in \(element.name) cannot be compiled", path: path,
                    at: child.position))
        }
        return element.children.filter { names.contains($0.name) }
    }
}
