import Testing
import WidgetObjectModel
import WidgetPlist

/// Archives with the keys that Core Data itself writes, made without our writer.
@Suite struct `A model as Core Data archives it` {
    private static let attributeClass = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
    private static let derivedClass = ["NSDerivedAttributeDescription"] + attributeClass

    private func entity(
        _ body: (inout KeyedArchiveBuilder, UInt32) -> [(String, PlistValue)]
    ) throws -> (entity: Entity, unknownKeys: [String]) {
        var builder = KeyedArchiveBuilder()
        let number = builder.reserve()
        let fields = body(&builder, number) + [("NSEntityName", builder.add("E"))]
        builder.define(number, ["NSEntityDescription", "NSObject"], fields)
        let root = builder.add(
            ["NSManagedObjectModel", "NSObject"], [("NSEntities", builder.add(dictionary: [("E", .uid(number))]))])
        let model = try DataModel(parsing: builder.encoded(top: [("root", root)]))
        return (try #require(model.entities.first), model.unknownKeys)
    }

    private func attribute(
        _ className: [String] = attributeClass, _ fields: (inout KeyedArchiveBuilder) -> [(String, PlistValue)]
    ) throws -> Attribute {
        let (entity, unknown) = try entity { builder, number in
            let all = fields(&builder) + [("NSPropertyName", builder.add("a")), ("NSEntity", .uid(number))]
            return [("NSProperties", builder.add(dictionary: [("a", builder.add(className, all))]))]
        }
        #expect(unknown == [])
        return try #require(entity.attributes.first)
    }

    @Test func `bounds of numbers have their own keys, and the first flag announces the upper one`() throws {
        let lower = try attribute { _ in
            [("NSAttributeType", .integer(300)), ("NSFlagsKey", .integer(2)), ("NSMinValueName", .integer(-5))]
        }
        #expect(lower.minimum == -5 && lower.maximum == nil)
        let upper = try attribute { _ in
            [("NSAttributeType", .integer(500)), ("NSFlagsKey", .integer(1)), ("NSMaxValueName", .real(0.5))]
        }
        #expect(upper.minimum == nil && upper.maximum == 0.5)
    }

    @Test func `flags are read under Core Data's names for them`() throws {
        let plain = try attribute { _ in [("NSAttributeType", .integer(1_000)), ("NSFlagsKey", .integer(0))] }
        #expect(!plain.allowsExternalStorage && !plain.allowsCloudEncryption && !plain.isFileBackedFuture)
        #expect(!plain.traits.isStoredInExternalRecord && !plain.preservesValueInHistory)
        let set = try attribute { _ in
            [
                ("NSAttributeType", .integer(1_000)), ("NSFlagsKey", .integer(0x34)),
                ("NSIsStoredInTruth", .boolean(true)), ("NSAllowsCloudEncryption", .boolean(true)),
                ("_P", .integer(0xAF1)),
            ]
        }
        #expect(set.allowsExternalStorage && set.preservesValueInHistory && set.isFileBackedFuture)
        #expect(set.allowsCloudEncryption && set.traits.isStoredInExternalRecord)
    }

    @Test func `attributes may be derived from others, all of them or some`() throws {
        let derived = try attribute(Self.derivedClass) { builder in
            let path = builder.add(
                ["NSKeyPathSpecifierExpression", "NSExpression", "NSObject"],
                [("NSExpressionType", .integer(10)), ("NSKeyPath", builder.add("name"))])
            let arguments = builder.add(array: [path])
            let expression = builder.add(
                ["NSFunctionExpression", "NSExpression", "NSObject"],
                [("NSSelectorName", builder.add("lowercase:")), ("NSArguments", arguments)])
            let filter = builder.add(["NSTruePredicate", "NSPredicate", "NSObject"], [])
            return [
                ("NSAttributeType", .integer(700)), ("NSDerivationExpression", expression),
                ("NSFilteringPredicate", filter),
            ]
        }
        #expect(derived.derivation == "lowercase(name)")
        #expect(derived.derivationFilter == "TRUEPREDICATE")
    }

    @Test func `a model is read from a property list of the XML form as well`() throws {
        let bytes = SampleModel.small().encoded()
        let text = Self.xml(try PlistValue(parsing: bytes))
        let document = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(text)</plist>"
        #expect(try DataModel(parsing: Array(document.utf8)) == SampleModel.small())
    }

    private static func xml(_ value: PlistValue) -> String {
        switch value {
        case .dictionary(let members):
            "<dict>" + members.members.map { "<key>\($0)</key>\(xml($1))" }.joined() + "</dict>"
        case .array(let elements): "<array>" + elements.map(xml).joined() + "</array>"
        case .string(let text): "<string>\(text)</string>"
        case .integer(let number): "<integer>\(number)</integer>"
        case .real(let number): "<real>\(number)</real>"
        case .boolean(let flag): flag ? "<true/>" : "<false/>"
        case .uid(let number): "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
        case .data, .date, .largeInteger: "<string/>"
        }
    }
}
