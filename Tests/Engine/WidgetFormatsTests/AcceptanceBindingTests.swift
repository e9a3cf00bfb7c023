import JSONText
import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetFormats

/// Goal: bindings pass the framework's own tests, without the original's defects. Method: those tests, case by case,
/// and one test for each defect.
@Suite struct `A binding` {
    static func value(
        _ description: String, of object: [String: Value]?, transformers: Transformers = Transformers()
    ) throws -> Value {
        let json = try JSONValue(parsing: Array("{\(description)}".utf8))
        var diagnostics: [Finding] = []
        let read = BindingReader.binding(SchemeValue(json: json, place: Place(file: "test.json")), &diagnostics)
        let binding = try #require(read)
        #expect(diagnostics.isEmpty)
        let scope = object.map { Value.dictionary(PredicateDictionary($0.map { ($0.key, $0.value) })) } ?? .null
        return try binding.expression.value(scope, ExpressionContext(Environment(), transformers))
    }

    static func text(_ description: String, _ object: [String: Value]?) throws -> String {
        try value(description, of: object).shown
    }

    @Test(arguments: [(5, true), (6, false)] as [(Int64, Bool)])
    func `case 1: a binding answers with a Boolean`(number: Int64, expected: Bool) throws {
        let value = try Self.value(#""predicateFormat": "a = 5""#, of: ["a": .integer(number)])
        #expect(value.isIdentical(to: .boolean(expected)))
    }

    @Test(arguments: [(5, "yo"), (1, "pff")] as [(Int64, String)])
    func `case 2: a binding picks one of two texts`(number: Int64, expected: String) throws {
        #expect(
            try Self.text(#""predicateFormat": "a = 5", "ifTrue": "yo", "ifFalse": "pff""#, ["a": .integer(number)])
                == expected)
    }

    @Test func `case 3: a binding formats the picked text`() throws {
        let binding = #""predicateFormat": "a = 5", "ifTrue": "yo", "ifFalse": "pff", "format": "v = '%@'""#
        #expect(try Self.text(binding, ["a": .integer(5)]) == "v = 'yo'")
    }

    @Test func `case 4: a binding shows the placeholder as it is`() throws {
        let binding =
            #""predicateFormat": "a = 5", "ifTrue": "yo", "ifFalse": null, "placeholder": "Oops", "format": "v = '%@'""#
        #expect(try Self.text(binding, ["a": .integer(0)]) == "Oops")
    }

    @Test func `case 5: a binding transforms the picked text`() throws {
        let binding = #""predicateFormat": "a = 5", "ifTrue": "3", "ifFalse": "4", "transformer": "strToInt""#
        #expect(try Self.value(binding, of: ["a": .integer(5)]).isIdentical(to: .integer(3)))
    }

    @Test(arguments: [(5, "5 is 5"), (7, "7 is not 5")] as [(Int64, String)])
    func `case 6: a binding fills in the picked text`(number: Int64, expected: String) throws {
        let binding = #""predicateFormat": "a = 5", "ifTrue": "$a is 5", "ifFalse": "$a is not 5""#
        #expect(try Self.text(binding, ["a": .integer(number)]) == expected)
    }

    @Test(arguments: [(5, "number 5 is 5"), (7, "number 7 is not 5")] as [(Int64, String)])
    func `case 7: a binding fills in and formats`(number: Int64, expected: String) throws {
        let binding =
            #""predicateFormat": "a = 5", "ifTrue": "$a is 5", "ifFalse": "$a is not 5", "format": "number %@""#
        #expect(try Self.text(binding, ["a": .integer(number)]) == expected)
    }

    @Test(arguments: [("5", "symbol 5 is 5"), ("7", "symbol 7 is not 5")])
    func `case 8: a binding compares texts`(text: String, expected: String) throws {
        let binding =
            #""predicateFormat": "a = '5'", "ifTrue": "$a is 5", "ifFalse": "$a is not 5", "format": "symbol %@""#
        #expect(try Self.text(binding, ["a": .string(text)]) == expected)
    }

    // MARK: - Defects of the original

    @Test func `defect 8: a format does both, substitution and printf, and nothing else does printf`() throws {
        let object: [String: Value] = ["name": .string("Ada"), "age": .integer(36)]
        #expect(
            try Self.text(#""from": "name", "format": "%@ of $length letters. 100%%""#, object)
                == "Ada of 3 letters. 100%")
        #expect(try Self.text(#""predicateFormat": "age > 1", "ifTrue": "100%", "ifFalse": """#, object) == "100%")
        #expect(try Self.text(#""predicateFormat": "age > 1", "ifTrue": "$name.", "ifFalse": """#, object) == "Ada.")
    }

    @Test func `defect 9: a binding of no value fills in from no value`() throws {
        let binding = #""from": "a", "predicateFormat": "SELF == nil", "ifTrue": "no $name here", "ifFalse": "x""#
        #expect(try Self.text(binding, [:]) == "no  here")
    }

    @Test func `defect 10: a binding takes one of both choices`() throws {
        #expect(
            try Self.text(#""from": "a", "predicateFormat": "SELF > 3", "ifTrue": "many""#, ["a": .integer(5)])
                == "many")
        #expect(
            try Self.text(#""from": "a", "predicateFormat": "SELF > 3", "ifTrue": "many""#, ["a": .integer(2)]) == "2")
    }

    @Test func `A transformer that cannot convert a value leaves it`() throws {
        #expect(try Self.text(#""from": "a", "transformer": "strToInt""#, ["a": .string("x")]) == "x")
        #expect(try Self.text(#""from": "a", "transformer": "nobody""#, ["a": .string("x")]) == "x")
    }

    @Test func `A binding describes numbers, Booleans and dates as the framework does`() throws {
        let object: [String: Value] = ["n": .integer(3), "r": .double(2.5), "b": .boolean(true), "d": .date(0)]
        #expect(try Self.text(#""format": "$n $r $b $d $x.""#, object) == "3 2.5 1 2001-01-01 00:00:00 +0000 .")
    }

    @Test func `A faulty binding says what is wrong, and where`() throws {
        let json = try JSONValue(parsing: Array(#"{"predicateFormat": "a = ", "colour": 1}"#.utf8))
        var diagnostics: [Finding] = []
        let place = Place(file: "Screen.json", line: 3, column: 7)
        #expect(BindingReader.binding(SchemeValue(json: json, place: place), &diagnostics) == nil)
        #expect(
            diagnostics.map(\.code) == [.unknownKey, .badPredicate] && diagnostics.allSatisfy { $0.place == place })
    }
}
