import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// Goal: a bundle says what its settings are until they are set, and controls set them at once. Method: a switch and a
/// label that read and write one setting.
@Suite struct `Settings of a bundle` {
    private typealias S = TestStoryboard

    private static let views =
        S.element("switch", "toggle", attributes: #"on="YES""#) + S.label("state", y: 40)
        + S.button("other", "Other", y: 80)

    private static let toggle = #""toggle": {"bindings": [{"to": "on", "from": "defaults.shown"}]}"#
    private static let follow = #""@self": {"bindings": [{"to": "defaults.shown", "from": "toggle.isOn"}]}"#
    private static let state =
        #""state": {"bindings": [{"predicateFormat": "defaults.shown = 1", "ifTrue": "shown", "ifFalse": "not shown"}]}"#

    @Test(arguments: [[toggle, follow, state], [follow, state, toggle], [state, toggle, follow]])
    func `A setting that is bound to a control follows it at once, in any order of descriptions`(
        _ elements: [String]
    ) throws {
        let widget = try S.widget(
            Self.views, #""defaults": {"shown": false}, "elements": {\#(elements.joined(separator: ", "))}"#
        ).started()
        #expect(widget.column("state") == ["not shown"], "the control shows the setting, and does not replace it")
        try widget.tap("toggle")
        #expect(widget.store.defaults["shown"]?.truth == true && widget.column("state") == ["shown"])
        try widget.tap("toggle")
        #expect(widget.store.defaults["shown"]?.truth == false && widget.column("state") == ["not shown"])
        #expect(widget.diagnostics.isEmpty)
    }

    @Test func `A setting has its initial value until it is set, and only set values are kept`() throws {
        let program = try S.widget(
            Self.views, #""defaults": {"shown": true, "size": 3, "***": "a comment"}, "elements": {\#(Self.state)}"#
        ).program
        #expect(program.settings.keys.sorted() == ["shown", "size"])
        let fresh = try DrivenWidget(WidgetInstance(program)).started()
        #expect(fresh.column("state") == ["shown"] && fresh.store.defaults.isEmpty)
        #expect(!fresh.driver.hasUnsavedSettings)
        fresh.send(.setting("shown", .boolean(false)))
        #expect(fresh.column("state") == ["not shown"] && fresh.store.defaults.count == 1)
        var store = Store(model: program.model)
        store.defaults = ["shown": .boolean(false)]
        let kept = try DrivenWidget(WidgetInstance(program, store: store)).started()
        #expect(kept.column("state") == ["not shown"], "a kept setting precedes the initial one")
    }

    @Test func `Initial values come with the next program, and go with it`() throws {
        func program(_ defaults: String) throws -> Program {
            try S.widget(Self.views, #"\#(defaults)"elements": {\#(Self.state)}"#).program
        }
        let widget = try DrivenWidget(WidgetInstance(try program(#""defaults": {"shown": true}, "#))).started()
        #expect(widget.column("state") == ["shown"])
        let next = try program("")
        widget.change { $0.replace(next) }
        #expect(widget.column("state") == ["not shown"])
    }

    @Test func `Two screens share settings, and the first value counts`() throws {
        let widget = try S.widget(
            [.init(name: "Main", views: S.label("state")), .init(name: "Next", views: S.label("x"))],
            ["Main": #""defaults": {"a": 1, "b": 2}"#, "Next": #""defaults": {"a": 2, "b": 2}"#])
        #expect(widget.diagnostics.map(\.code) == [.duplicateIdentifier, .unknownScreen])
        #expect(widget.program.settings["a"]?.isIdentical(to: .integer(1)) ?? false)
    }

    @Test(arguments: ["null", "[]", "{}"])
    func `Defaults that are nothing are nothing, as other members of a scheme`(defaults: String) throws {
        let widget = try S.widget(S.label("state"), #""defaults": \#(defaults), "elements": \#(defaults)"#)
        #expect(widget.diagnostics.isEmpty && widget.program.settings.isEmpty)
    }

    @Test func `Defaults that are not an object are reported`() throws {
        let widget = try S.widget(S.label("state"), #""defaults": ["shown"]"#)
        #expect(widget.diagnostics.map(\.code) == [.badValue] && widget.program.settings.isEmpty)
    }
}
