import Testing
import WidgetObjectModel
import WidgetPlist

@Suite struct `An archived predicate` {
    private func text(_ body: (inout KeyedArchiveBuilder) -> PlistValue) throws -> String? {
        var builder = KeyedArchiveBuilder()
        let predicate = body(&builder)
        let request = builder.add(["NSFetchRequest", "NSObject"], [("NSPredicate", predicate)])
        let requests = builder.add(dictionary: [("all", request)])
        let root = builder.add(["NSManagedObjectModel", "NSObject"], [("NSFetchRequestTemplates", requests)])
        let model = try DataModel(parsing: builder.encoded(top: [("root", root)]))
        return model.fetchRequests.first?.request.predicate
    }

    private func comparison(
        _ builder: inout KeyedArchiveBuilder, _ left: PlistValue, _ type: Int64, _ right: PlistValue, flags: Int64 = 0,
        modifier: Int64 = 0
    ) -> PlistValue {
        let comparison = builder.add(
            ["NSStringPredicateOperator", "NSObject"],
            [("NSOperatorType", .integer(type)), ("NSFlags", .integer(flags)), ("NSModifier", .integer(modifier))])
        return builder.add(
            ["NSComparisonPredicate", "NSPredicate", "NSObject"],
            [("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", comparison)])
    }

    private func keyPath(_ builder: inout KeyedArchiveBuilder, _ path: String) -> PlistValue {
        let specifier = builder.add(["NSKeyPathSpecifierExpression", "NSObject"], [("NSKeyPath", builder.add(path))])
        return builder.add(
            ["NSKeyPathExpression", "NSFunctionExpression", "NSObject"],
            [
                ("NSOperand", builder.add(["NSSelfExpression", "NSObject"], [])),
                ("NSSelectorName", builder.add("valueForKeyPath:")),
                ("NSArguments", builder.add(array: [specifier])),
            ])
    }

    private func constant(_ builder: inout KeyedArchiveBuilder, _ value: PlistValue) -> PlistValue {
        builder.add(["NSConstantValueExpression", "NSObject"], [("NSConstantValue", value)])
    }

    @Test func `an archived predicate is read as the text it was compiled from`() throws {
        let read = try text { builder in
            let (name, age) = (keyPath(&builder, "author.name"), keyPath(&builder, "age"))
            let quoted = constant(&builder, builder.add(.string("a\"b\\")))
            let first = comparison(&builder, name, 8, quoted, flags: 3)
            let three = constant(&builder, builder.add(.integer(3)))
            let second = comparison(&builder, age, 3, three, modifier: 2)
            let variable = builder.add(["NSVariableExpression", "NSObject"], [("NSVariable", builder.add("AGE"))])
            let third = comparison(&builder, age, 5, variable)
            let not = builder.add(
                ["NSCompoundPredicate", "NSObject"],
                [("NSCompoundPredicateType", .integer(0)), ("NSSubpredicates", builder.add(array: [third]))])
            return builder.add(
                ["NSCompoundPredicate", "NSObject"],
                [
                    ("NSCompoundPredicateType", .integer(2)),
                    ("NSSubpredicates", builder.add(array: [first, second, not])),
                ])
        }
        #expect(read == #"(author.name BEGINSWITH[cd] "a\"b\\") OR (ANY age >= 3) OR (NOT (age != $AGE))"#)
    }

    @Test(arguments: [
        ("valueForKeyPath:", "$PLACE.name"), ("valueForKey:", "$PLACE.name"), ("uppercase:", "uppercase(name)"),
    ]) func `a function with an operand is a path if it asks for a value, and a call if not`(
        selector: String, written: String
    ) throws {
        let read = try text { builder in
            let specifier = builder.add(
                ["NSKeyPathSpecifierExpression", "NSObject"], [("NSKeyPath", builder.add("name"))])
            let function = builder.add(
                ["NSFunctionExpression", "NSObject"],
                [
                    (
                        "NSOperand",
                        builder.add(["NSVariableExpression", "NSObject"], [("NSVariable", builder.add("PLACE"))])
                    ),
                    ("NSSelectorName", builder.add(selector)), ("NSArguments", builder.add(array: [specifier])),
                ])
            let three = constant(&builder, builder.add(.integer(3)))
            return comparison(&builder, function, 5, three)
        }
        #expect(read == "\(written) != 3")
    }

    @Test func `a predicate without a text is listed among unknown keys`() throws {
        var builder = KeyedArchiveBuilder()
        let predicate = builder.add(["NSBlockPredicate", "NSPredicate", "NSObject"], [])
        let request = builder.add(["NSFetchRequest", "NSObject"], [("NSPredicate", predicate)])
        let requests = builder.add(dictionary: [("all", request)])
        let root = builder.add(["NSManagedObjectModel", "NSObject"], [("NSFetchRequestTemplates", requests)])
        let model = try DataModel(parsing: builder.encoded(top: [("root", root)]))
        #expect(model.fetchRequests.first?.request.predicate == nil)
        #expect(model.unknownKeys == ["NSBlockPredicate"])
    }
}
