import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: the rules of a scheme's fields are read, and wrong ones are reported where they were written. Method: a screen
/// with a view of each kind, and a scheme with one `validation`.
@Suite struct `The validation of a scheme` {
    private static let views = [
        ("FormDisplayView", "form"), ("UITextField", "text"), ("UISwitch", "switch"), ("UISlider", "slider"),
        ("UISegmentedControl", "segments"), ("UIDatePicker", "date"), ("UILabel", "label"), ("UIImageView", "image"),
    ]

    private static func program(
        _ field: String, _ validation: String, isField: Bool = true,
        _ limits: FormatLimits = FormatLimits()
    ) throws -> Program {
        let form = isField ? #""form": {"outlets": {"optionalFields": ["\#(field)"]}}, "# : ""
        let name = isField ? #""attrs": {"wx_fieldName": "value"}, "# : ""
        var files = ["Main.storyboardc/main.nib": TestInterface.screen("Main", views)]
        files["Main.json"] = Array(
            "{\"Main\": {\"elements\": {\(form)\"\(field)\": {\(name)\"validation\": \(validation)}}}}".utf8)
        return try TestInterface.program([("Main", "main")], files, limits)
    }

    private static func found(_ field: String, _ validation: String, isField: Bool = true) throws -> [Finding] {
        try program(field, validation, isField: isField).diagnostics
    }

    private static func rules(_ program: Program, of name: String) throws -> FieldRules {
        try #require(program.scenes["Main"]?.nodes.first { $0.identifier == name }?.rules)
    }

    @Test func `A scheme's rules become those of the element`() throws {
        let program = try Self.program(
            "text",
            #"""
            {"required": true, "minimumLength": 2, "maximumLength": 9, "pattern": "\\d+", "minimum": 1, "maximum": 10.5,
             "predicateFormat": "text.text != slider.wx_value", "***": "a comment",
             "message": {"required": "Fill it in", "pattern": "Digits, please"}}
            """#)
        #expect(program.diagnostics.isEmpty, "\(program.diagnostics)")
        let rules = try Self.rules(program, of: "text")
        #expect(rules.tests.map(\.rule) == FieldRules.Rule.allCases)
        #expect(rules.messages == [.required: "Fill it in", .pattern: "Digits, please"] && rules.message == nil)
        let plain = try Self.rules(
            try Self.program("date", #"{"minimum": "2018-06-20", "message": "Later!"}"#), of: "date")
        #expect(plain.tests.map(\.rule) == [.minimum] && plain.message == "Later!")
        #expect(
            try Self.rules(Self.program("switch", #"{"required": false, "message": "x"}"#), of: "switch").tests.isEmpty)
    }

    @Test(arguments: [
        (
            "text", #"{"reqired": true}"#, Finding.Code.unknownKey, "A validation has no rule reqired",
            "did you mean required?"
        ),
        ("text", #"{"xyz": true}"#, .unknownKey, "A validation has no rule xyz", "it can have required, minimumLength"),
        ("text", #"{"required": "yes"}"#, .badValue, "The required of text must be true or false", "it is not checked"),
        ("text", #"{"minimumLength": -1}"#, .badValue, "must be a number of characters", "it is not checked"),
        ("text", #"{"maximumLength": 1.5}"#, .badValue, "must be a number of characters", "it is not checked"),
        ("text", #"{"pattern": 5}"#, .badValue, "must be a regular expression", "it is not checked"),
        ("text", #"{"pattern": "(a"}"#, .badPredicate, "`(a`", ""),
        ("text", #"{"pattern": "(a)\\1"}"#, .badPredicate, "`(a)", ""),
        ("text", #"{"predicateFormat": "a =="}"#, .badPredicate, "`a ==`", ""),
        ("text", #"{"predicateFormat": ""}"#, .badValue, "must be a predicate", "it is not checked"),
        ("text", #"{"minimum": "ten"}"#, .badValue, "The minimum of text must be a number", "it is not checked"),
        ("date", #"{"maximum": 5}"#, .badValue, "The maximum of date must be a date", "it is not checked"),
        ("date", #"{"maximum": "soon"}"#, .badValue, "The maximum of date must be a date", "it is not checked"),
        (
            "text", #"{"minimum": 5, "maximum": 4}"#, .badValue, "The minimum of text is greater than its maximum",
            "neither"
        ),
        (
            "text", #"{"minimumLength": 5, "maximumLength": 4}"#, .badValue, "The minimumLength of text is greater",
            "neither"
        ),
        (
            "date", #"{"minimum": "2018-06-20", "maximum": "2018-06-19"}"#, .badValue, "The minimum of date is greater",
            "neither"
        ),
        (
            "switch", #"{"pattern": "a"}"#, .badValue, "switch is a switch, which has no pattern to check",
            "required, predicateFormat"
        ),
        (
            "segments", #"{"minimum": 1}"#, .badValue, "segments is a segments, which has no minimum",
            "required, predicateFormat"
        ),
        (
            "slider", #"{"maximumLength": 1}"#, .badValue, "slider is a slider, which has no maximumLength",
            "minimum, maximum"
        ),
        (
            "label", #"{"required": true}"#, .badValue, "label is a label, which has no value to check",
            "what a person fills in"
        ),
        (
            "image", #"{"required": true}"#, .badValue, "image is a image, which has no value to check",
            "what a person fills in"
        ),
        (
            "form", #"{"required": true}"#, .badValue, "form is a form, which has no value to check",
            "what a person fills in"
        ),
        (
            "@self", #"{"required": true}"#, .badValue, "The screen itself has no value to check",
            "what a person fills in"
        ),
        ("text", #"{"message": 5, "required": true}"#, .badValue, "is neither a text nor an object", "for each rule"),
        (
            "text", #"{"message": {"patern": "x"}, "required": true}"#, .unknownKey, "have no use for patern",
            "by the names of rules"
        ),
        (
            "text", #"{"message": {"pattern": 1}, "required": true}"#, .unknownKey, "have no use for pattern",
            "by the names of rules"
        ),
        (
            "text", #"["required"]"#, .badValue, "validation is an array, and has no effect",
            "it takes an object"
        ),
    ]) func `A wrong rule is an error at its place, with a hint`(
        field: String, validation: String, code: Finding.Code, message: String, hint: String
    ) throws {
        let isField = field != "form" && field != "@self"
        let first = try #require(Self.found(field, validation, isField: isField).first)
        #expect(first.code == code && first.severity == .error && first.message.contains(message), "\(first)")
        #expect(first.place?.file == "Main.json" && first.place?.line == 1, "\(first)")
        #expect((first.hint ?? "").contains(hint), "\(first)")
    }

    @Test func `Two limits that no value keeps are not checked, and the other rules are`() throws {
        let program = try Self.program("text", #"{"minimum": 5, "maximum": 4, "required": true}"#)
        #expect(try Self.rules(program, of: "text").tests.map(\.rule) == [.required])
    }

    @Test func `Rules of an element that no form sends are a warning`() throws {
        let found = try Self.found("text", #"{"required": true}"#, isField: false)
        #expect(found.map(\.code) == [.missingField] && found.map(\.severity) == [.warning])
        #expect(found.first?.message.contains("not a field of any form") ?? false)
        let lonely = try Self.found("text", #"{"message": "x"}"#)
        #expect(lonely.map(\.code) == [.missingField] && lonely.first?.message.contains("never shown") ?? false)
    }

    @Test func `A field without a name is a warning, because no form has its value`() throws {
        var files = ["Main.storyboardc/main.nib": TestInterface.screen("Main", Self.views)]
        files["Main.json"] = Array(
            #"{"Main": {"elements": {"form": {"outlets": {"optionalFields": ["text"], "requiredFields": ["switch"]}}}}}"#
                .utf8)
        let found = try TestInterface.program([("Main", "main")], files).diagnostics
        #expect(found.map(\.code) == [.unknownOutlet, .missingField], "\(found)")
        #expect(found.first?.message == "form has no outlet requiredFields")
        #expect(found.last?.message == "text has no field name, so its value is not in the form")
    }

    @Test func `Messages have limits, and so have patterns`() throws {
        var limits = FormatLimits()
        (limits.messageByteCount, limits.patternByteCount) = (5, 3)
        let program = try Self.program("text", #"{"required": true, "message": "too long"}"#, limits)
        #expect(program.diagnostics.map(\.code) == [.byteBudget])
        #expect(try Self.rules(program, of: "text").message == "too l…")
        let pattern = try Self.program("text", #"{"pattern": "abcd"}"#, limits)
        #expect(pattern.diagnostics.map(\.code) == [.badValue])
        limits.settingCount = 2
        let many = try Self.program("text", #"{"required": true, "minimumLength": 1, "maximumLength": 2}"#, limits)
        #expect(many.diagnostics.map(\.code) == [.nodeBudget])
    }
}
