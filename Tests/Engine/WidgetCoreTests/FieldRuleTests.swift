import Testing
import WidgetCore
import WidgetPredicates

/// Goal: a form is sent exactly when its fields follow their rules, and each refused field says why. Method: a form of
/// one field, of each kind, with one rule.
@Suite struct `A rule of a field` {
    private static let (form, field, button) = (1, 2, 3)

    /// A form with one field, and a button that sends it.
    static func program(
        _ kind: NodeKind, _ tests: [FieldRules.Test], _ properties: [(PropertyName, Value)] = [],
        isMandatory: Bool = false, messages: [FieldRules.Rule: String] = [:], message: String? = nil,
        texts: FieldMessages = FieldMessages()
    ) -> Program {
        var scene = Scene("main", nodes: [Node(.box), Node(.form), Node(kind), Node(.button)])
        scene.nodes[0].children = [form, button]
        scene.nodes[form].children = [field]
        scene.nodes[form].form = Form()
        if isMandatory {
            scene.nodes[form].form?.mandatory = [field]
        } else {
            scene.nodes[form].form?.optional = [field]
        }
        scene.nodes[field].fieldName = "x"
        scene.nodes[field].identifier = "field"
        for (name, value) in properties { scene.nodes[field][name] = .literal(value) }
        scene.nodes[field].rules = FieldRules(tests, messages: messages, message: message)
        scene.nodes[button].events[.tap] = [.perform("send", argument: nil)]
        scene.names = ["field": .node(field)]
        var action = Action("send", name: "sent")
        action.form = form
        action.handlers = ["sent": .steps([.alert(title: "sent", message: .literal(.string("")))])]
        scene.actions = [action]
        return Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", fieldMessages: texts)
    }

    struct Widget {
        let program: Program
        var store: Store

        let environment: Environment

        init(_ program: Program, _ environment: Environment = Environment()) {
            (self.program, self.environment) = (program, environment)
            store = Reducer.reduce(.start, Store(model: .empty), in: program, environment).store
        }

        private var screen: Int { store.screens.last?.number ?? 0 }

        mutating func tap(budget: Budget = Budget()) -> Transition {
            store.alerts = []
            let transition = Reducer.reduce(
                .tap(ViewKey(screen: screen, node: button)), store, in: program, environment, budget: budget)
            store = transition.store
            return transition
        }

        mutating func enter(_ value: Value) {
            let event = Event.input(ViewKey(screen: screen, node: field), value)
            store = Reducer.reduce(event, store, in: program, environment).store
        }

        /// The message of the field, as a person sees it.
        var message: String? {
            let node = Evaluator(program).view(of: store, environment).node(ViewKey(screen: screen, node: field))
            return node?.isTrue(.invalid) ?? false ? node?[.fault]?.shown : nil
        }
    }

    static func pattern(_ text: String) throws -> FieldRules.Test {
        .pattern(try CompiledPredicate("SELF MATCHES %@", arguments: [.string(text)]))
    }

    static func limit(_ value: Value, _ kind: NodeKind) throws -> FieldLimit {
        try #require(FieldLimit(value, for: kind))
    }

    /// A kind, a rule, a value that breaks it with its message, and a value that does not.
    static func cases() throws -> [(NodeKind, FieldRules.Test, Value, String, Value)] {
        [
            (.textField, .required, .string(""), "Name is required", .string("a")),
            (.textArea, .required, .string(" \n"), "Name is required", .string("a")),
            (.textField, .minimumLength(3), .string("ab"), "Name needs at least 3 characters", .string("a👨‍👩‍👧b")),
            (.textField, .maximumLength(2), .string("abc"), "Name may have at most 2 characters", .string("👨‍👩‍👧é")),
            (
                .searchField, try pattern("[a-z]+"), .string("ab1"), "Name does not have the expected form",
                .string("ab")
            ),
            (
                .textField, .minimum(try limit(.integer(18), .textField)), .string("17.5"), "Name must be at least 18",
                .string("18")
            ),
            (
                .textField, .minimum(try limit(.integer(18), .textField)), .string("many"), "Name must be a number",
                .string("99")
            ),
            (
                .textField, .maximum(try limit(.double(2.5), .textField)), .string("3"), "Name must be at most 2.5",
                .string("-1")
            ),
            (
                .slider, .minimum(try limit(.double(0.5), .slider)), .double(0.25), "Name must be at least 0.5",
                .double(0.5)
            ),
            (.stepper, .maximum(try limit(.integer(3), .stepper)), .integer(4), "Name must be at most 3", .integer(3)),
            (.toggle, .required, .boolean(false), "Name must be on", .boolean(true)),
            (.segments, .required, .integer(-1), "Name is required", .integer(0)),
            (.picker, .required, .integer(-1), "Name is required", .integer(1)),
            (
                .datePicker, .minimum(try limit(.string("2018-06-20"), .datePicker)), .string("2018-06-19"),
                "Name must be 2018-06-20 00:00 or later", .string("2018-06-20")
            ),
            (
                .datePicker, .maximum(try limit(.string("2018-06-20 12:00"), .datePicker)), .string("2018-06-20 12:01"),
                "Name must be 2018-06-20 12:00 or earlier", .string("2018-06-20 12:00")
            ),
            (
                .textField, .predicate(try CompiledPredicate("field.text != 'root'")), .string("root"),
                "Name is not valid", .string("Ada")
            ),
        ]
    }

    @Test func `A form is refused for a value that breaks a rule, and sent with one that follows it`() throws {
        for (kind, test, bad, message, good) in try Self.cases() {
            var widget = Widget(
                Self.program(
                    kind, [test],
                    [(.accessibleName, .string("Name")), (.titles, .array([.string("a"), .string("b")]))]))
            widget.enter(bad)
            #expect(widget.message == nil, "\(kind) \(message): fields are not checked before the form is sent")
            let refused = widget.tap()
            #expect(refused.refusal == "the form was not sent: field (\(message))" && widget.store.alerts.isEmpty)
            #expect(refused.formRefusal?.fields.map(\.message) == [message] && widget.message == message)
            #expect(widget.store.screens.last?.focus == Self.field)
            widget.enter(good)
            #expect(widget.message == nil, "\(kind) \(message): the message goes away while the field changes")
            let sent = widget.tap()
            #expect(
                sent.refusal == nil && sent.formRefusal == nil && widget.store.alerts.count == 1, "\(kind) \(message)")
            widget.enter(bad)
            #expect(widget.message == nil, "a form that was sent begins anew")
        }
    }

    @Test func `A field that is empty and not required passes the other rules, except a predicate`() throws {
        let tests: [FieldRules.Test] = [
            .minimumLength(3), .maximumLength(5), try Self.pattern("[a-z]+"),
            .minimum(try Self.limit(.integer(1), .textField)),
            .maximum(try Self.limit(.integer(2), .textField)),
        ]
        var widget = Widget(Self.program(.textField, tests))
        #expect(widget.tap().refusal == nil)
        var compared = Widget(
            Self.program(
                .textField, tests + [.predicate(try CompiledPredicate("field.text != ''"))], [(.text, .string(""))]))
        #expect(compared.tap().refusal != nil)
    }

    /// A mode, a rule with its limit, a value that breaks it, the limit as its message has it, and a value that does not.
    private static let dates: [(DateMode, FieldRules.Rule, String, String, String, String)] = [
        (.date, .minimum, "2018-06-20", "2018-06-19", "2018-06-20 or later", "2018-06-20"),
        (.date, .maximum, "2018-06-20", "2018-06-21", "2018-06-20 or earlier", "2018-06-20"),
        (.date, .minimum, "2018-06-20 20:00", "2018-06-19", "2018-06-20 or later", "2018-06-20"),
        (.date, .maximum, "2018-06-20 23:30:00 +0000", "2018-06-22", "2018-06-21 or earlier", "2018-06-21"),
        (.time, .minimum, "08:00", "07:59", "08:00 or later", "23:59"),
        (.time, .maximum, "2018-01-01 22:30", "22:31", "22:30 or earlier", "00:00"),
        (.dateAndTime, .minimum, "2018-06-20", "2018-06-19 23:59", "2018-06-20 00:00 or later", "2018-06-20"),
        (
            .dateAndTime, .maximum, "2018-06-20 20:00", "2018-06-20 20:01", "2018-06-20 20:00 or earlier",
            "2018-06-20T20:00:59"
        ),
        (
            .dateAndTime, .minimum, "2018-06-20 18:00:00 +0000", "2018-06-20 19:59", "2018-06-20 20:00 or later",
            "2018-06-20 20:00"
        ),
        (.yearAndMonth, .maximum, "2018-06", "2018-07", "2018-06 or earlier", "2018-06"),
        (.yearAndMonth, .minimum, "2018-06-20", "2018-05", "2018-06 or later", "2018-06"),
    ]

    @Test func `A limit of a date picker is read, compared and shown in its mode and the widget's time zone`() throws {
        // Two hours before UTC in summer, and eleven behind it.
        for posix in ["CET-1CEST,M3.5.0,M10.5.0/3", "UTC0", "XXX11"] {
            let zone = try #require(TimeZoneRules(posix: posix))
            for (mode, rule, given, bad, shown, good) in Self.dates {
                // A whole moment is another time in each zone.
                if given.hasSuffix("+0000"), !posix.hasPrefix("CET") { continue }
                let limit = try #require(FieldLimit(.string(given), for: .datePicker, mode: mode))
                var widget = Widget(
                    Self.program(
                        .datePicker, [rule == .minimum ? .minimum(limit) : .maximum(limit)],
                        [(.accessibleName, .string("It")), (.dateMode, .string(mode.rawValue))]),
                    Environment(now: 550_000_000, timeZone: zone))
                widget.enter(.string(bad))
                #expect(
                    widget.tap().refusal == "the form was not sent: field (It must be \(shown))",
                    "\(posix) \(mode) \(given)")
                widget.enter(.string(good))
                #expect(widget.tap().refusal == nil, "\(posix) \(mode) \(given)")
            }
        }
    }

    @Test func `A limit of a countdown is a duration, and says nothing about when`() throws {
        let limit = try #require(FieldLimit(.string("1:30"), for: .datePicker, mode: .countdown))
        var widget = Widget(
            Self.program(
                .datePicker, [.maximum(limit)],
                [(.accessibleName, .string("It")), (.dateMode, .string(DateMode.countdown.rawValue))]))
        widget.enter(.string("1:31"))
        #expect(widget.tap().refusal == "the form was not sent: field (It must be at most 1:30)")
        widget.enter(.string("90"))
        #expect(widget.tap().refusal == nil)
    }

    @Test func `A limit that a mode has no value for does not count`() {
        for (mode, text) in [
            (DateMode.time, "2018-06-20"), (.time, "25:00"), (.date, "22:30"), (.countdown, "2018-06-20"),
            (.yearAndMonth, "soon"),
        ] {
            #expect(FieldLimit(.string(text), for: .datePicker, mode: mode) == nil, "\(mode) \(text)")
        }
        // The mode may be known only later; then one that has no such value is not checked.
        #expect(FieldLimit(.string("22:30"), for: .datePicker) != nil)
        #expect(FieldLimit(.string("soon"), for: .datePicker) == nil)
    }

    @Test func `A date picker without a date is refused only where one is required`() throws {
        let least = FieldRules.Test.minimum(try Self.limit(.string("2018-06-20"), .datePicker))
        var optional = Widget(Self.program(.datePicker, [least]))
        #expect(optional.tap().refusal == nil)
        var required = Widget(Self.program(.datePicker, [least, .required], [(.accessibleName, .string("Day"))]))
        #expect(required.tap().refusal == "the form was not sent: field (Day is required)")
    }

    @Test func `The first rule that a value breaks gives the message, in a fixed order`() throws {
        var widget = Widget(
            Self.program(
                .textField, [try Self.pattern("[a-z]+"), .maximumLength(2), .required],
                [(.placeholder, .string("Code"))]))
        for (text, message) in [
            ("", "Code is required"), ("123", "Code may have at most 2 characters"),
            ("12", "Code does not have the expected form"),
        ] {
            widget.enter(.string(text))
            #expect(widget.tap().formRefusal?.fields.first?.message == message)
        }
    }

    @Test func `A message is the rule's, else the field's, else the standard one, with name and limit filled in`()
        throws
    {
        let tests: [FieldRules.Test] = [.minimumLength(3), .maximumLength(5)]
        let texts = FieldMessages([.minimumLength: "$name: mindestens $limit Zeichen"])
        func message(_ text: String, _ messages: [FieldRules.Rule: String], _ message: String?) -> String? {
            var widget = Widget(
                Self.program(
                    .textField, tests, [(.placeholder, .string("Titel"))], messages: messages, message: message,
                    texts: texts))
            widget.enter(.string(text))
            _ = widget.tap()
            return widget.message
        }
        let own: [FieldRules.Rule: String] = [.minimumLength: "$name: $limit!"]
        #expect(message("a", own, "bad") == "Titel: 3!" && message("abcdef", own, "bad") == "bad")
        #expect(message("a", [:], nil) == "Titel: mindestens 3 Zeichen")
        #expect(message("abcdef", [:], nil) == "Titel may have at most 5 characters")
    }

    @Test func `A mandatory field without a name says that it is required`() {
        var widget = Widget(Self.program(.textField, [], isMandatory: true))
        #expect(widget.tap().refusal == "the form was not sent: field (This field is required)")
        widget.enter(.string("x"))
        #expect(widget.message == nil && widget.tap().refusal == nil)
    }

    @Test func `A rule that cannot be evaluated refuses the form, and is reported`() throws {
        let test = FieldRules.Test.predicate(try CompiledPredicate("field.text > 5"))
        var widget = Widget(Self.program(.textField, [test]))
        widget.enter(.string("x"))
        let transition = widget.tap()
        #expect(transition.refusal == "the form was not sent: field (This field is not valid)")
        #expect(transition.diagnostics.map(\.code) == [.expression])
    }

    @Test func `A predicate that reads the form it belongs to ends, and a form beyond its fuel is not sent`() throws {
        let circle = FieldRules.Test.predicate(try CompiledPredicate("send.content != nil"))
        var program = Self.program(.textField, [circle])
        var scene = try #require(program.scenes["main"])
        scene.names["send"] = .action("send")
        program = Program(
            identifier: "test", scenes: [scene], entries: program.entries, initial: "main")
        var widget = Widget(program)
        #expect(widget.tap().refusal != nil)
        var long = Widget(Self.program(.textField, [try Self.pattern("(a|b|ab)*c")]))
        long.enter(.string(String(repeating: "ab", count: 20_000)))
        let transition = long.tap(budget: Budget(fuel: 5_000))
        #expect(long.store.alerts.isEmpty && transition.diagnostics.contains { $0.code == .expressionBudget })
    }
}
