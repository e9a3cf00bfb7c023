internal import Bytes
internal import ObjectModel
internal import Plist
internal import XMLText

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
        let element = try ModelElement(source, path: path, reads: Self.attributeAttributes)
        let typeName = try element.require("attributeType")
        guard let type = AttributeType(name: typeName) else {
            throw element.error("the type \(ShownText.name(typeName)) is unknown", at: "attributeType")
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
                throw element.error("the default is no decimal number", at: "defaultValueString")
            }
            return .string(value)
        case .double, .float: return try element.number("defaultValueString").map { .real($0) }
        case .boolean:
            guard let value = ["YES": true, "NO": false, "1": true, "0": false][text] else {
                throw element.error("the default must be YES or NO", at: "defaultValueString")
            }
            return .boolean(value)
        case .string, .uri: return .string(text)
        case .uuid:
            let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
            let nibbles = digits.compactMap { Hex.value(of: $0) }
            guard nibbles.count == 32, digits.count == 32 else {
                throw element.error("the default is no UUID", at: "defaultValueString")
            }
            return .data(stride(from: 0, to: 32, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
        default:
            throw element.error(
                "an attribute of type \(type.name) cannot have a default here", at: "defaultValueString")
        }
    }

    /// Editors also write whole numbers with a point and zeros.
    private func integer(
        _ text: String, _ range: ClosedRange<Int64>, _ element: ModelElement
    ) throws(BuildError) -> PlistValue {
        guard let value = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }), range.contains(value) else {
            throw element.error("the default is no whole number of this type", at: "defaultValueString")
        }
        return .integer(value)
    }

    func relationship(_ source: XMLElement) throws(BuildError) -> Relationship {
        let element = try ModelElement(source, path: path, reads: Self.relationshipAttributes)
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

/// Decimal numbers as models keep them.
enum DecimalText {
    /// The number without a superfluous sign; `nil` when it is none, or one too long to be kept exactly.
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
