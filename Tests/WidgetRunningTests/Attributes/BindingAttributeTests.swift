import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: bindings go to what they name, and of two the first counts. Method: a few labels and buttons.
@Suite struct `What a scheme binds` {
    typealias S = TestStoryboard

    static func widget(_ elements: String) throws -> DrivenWidget {
        try S.widget(
            S.button("go", "Go") + S.label("text", "authored", y: 30)
                + S.element("textView", "words", y: 60, height: 60),
            #""elements": {"@self": {"attrs": {"content": {"yes": true, "no": false, "name": "Ada"}}}, \#(elements)}"#,
            files: ["Service.json": "{}"]
        ).started()
    }

    @Test func `twice to one place counts once, and is said`() throws {
        let widget = try Self.widget(
            #""text": {"bindings": [{"from": "content.name"}, {"to": "text", "format": "second"}]}"#)
        #expect(widget.column("text") == ["Ada"])
        #expect(widget.diagnostics.map(\.code) == [.duplicateBinding])
    }

    @Test(arguments: [
        ("wx_visible", "content.yes", 1), ("wx_visible", "content.no", 0), ("hidden", "content.yes", 0),
        ("hidden", "content.no", 1),
    ]) func `shows and hides`(target: String, source: String, count: Int) throws {
        let widget = try Self.widget(#""text": {"bindings": [{"to": "\#(target)", "from": "\#(source)"}]}"#)
        #expect(widget.column("text").count == count)
    }

    @Test(arguments: [
        (#""bindings": [{"to": "enabled", "from": "content.no"}]"#, true),
        (#""bindings": [{"to": "enabled", "from": "content.yes"}]"#, false),
        (#""bindings": [{"to": "wx_disabled", "from": "content.yes"}]"#, true), (#""attrs": {"enabled": false}"#, true),
        (#""attrs": {"enabled": true}"#, false), (#""attrs": {"userInteractionEnabled": false}"#, true),
        (#""attrs": {"wx_disabled": true}"#, true),
    ]) func `enables and disables, by bindings and attributes`(element: String, isDisabled: Bool) throws {
        let widget = try Self.widget(#""go": {\#(element)}"#)
        #expect(widget.shows("(Go, disabled)") == isDisabled)
    }

    @Test func `keeps what is read only from being changed`() throws {
        for (source, refused) in [("content.yes", true), ("content.no", false)] {
            let widget = try Self.widget(#""words": {"bindings": [{"to": "wx_readOnly", "from": "\#(source)"}]}"#)
            #expect((try widget.refusal(of: "words") { .input($0, .string("x")) } != nil) == refused)
            #expect(widget.shows("readonly") == refused)
        }
    }

    @Test func `gives the screen its title and a setting its value`() throws {
        let widget = try S.widget(
            S.label("text"),
            #""elements": {"@self": {"attrs": {"content": {"name": "Ada"}}, "bindings": [{"to": "title", "from": "content.name"}, {"to": "defaults.last", "from": "content.name"}]}, "text": {"bindings": [{"from": "defaults.last", "placeholder": "nobody"}]}}"#
        ).started()
        #expect(widget.view().title == "Ada" && widget.shows("[ Ada ]") && widget.column("text") == ["Ada"])
        #expect(widget.driver.hasUnsavedSettings, "a setting that was assigned is kept as one that was given")
    }

    @Test func `says where elements and evaluations have keys of no use`() throws {
        let widget = try S.widget(
            S.label("text") + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {\#(`A scheme`.rows("a").replacing(#""type": "TableDisplayController""#, with: #""type": "TableDisplayController", "evals": {"rowHeight": {}}"#))},
            "elements": {"text": {"binding": []}, \#(`A scheme`.name)}
            """#
        ).started()
        #expect(
            widget.diagnostics.count { $0.code == .unknownKey && $0.place?.line ?? 0 > 0 } == 2, "\(widget.diagnostics)"
        )
    }
}
