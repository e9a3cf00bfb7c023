import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// Goal: an action can delete and change stored records without a server. Method: a stub stores three records, and other
/// actions of it change them.
@Suite struct `Changes of stored records` {
    private static func widget(_ actions: String) throws -> DrivenWidget {
        let widget = try `Defects of the original`.services(
            #"""
            {"actions": {"load": {"resultType": "[Entry]", "response": [
               {"id": "1", "title": "one", "wind": 1}, {"id": "2", "title": "two", "wind": 2}, {"id": "3", "title": "three", "wind": 3}]},
             "more": {"resultType": "[Entry]", "response": [{"id": "9", "title": "nine"}]}, \#(actions)}}
            """#, actions: ["go", "load"], isStub: true
        ).started()
        try widget.tap("loadButton")
        #expect(widget.settle() && widget.column("name") == ["one", "two", "three"])
        try widget.tap("goButton")
        #expect(widget.settle())
        return widget
    }

    @Test(arguments: [
        (#"[{"delete": "Entry"}]"#, []), (#"[{"delete": "Entry", "where": "wind > 1"}]"#, ["one"]),
        (#"[{"delete": "Entry", "where": "title == $title"}]"#, ["one", "two", "three"]),
        (#"[{"change": "Entry", "where": "wind < 3", "set": {"title": "new"}}]"#, ["new", "new", "three"]),
        (
            #"[{"change": "Entry", "where": "entryId == '2'", "set": {"title": "$title $id"}}]"#,
            ["one", "typed 5", "three"]
        ),
        (#"[{"change": "Entry", "set": {"title": "x"}}, {"delete": "Entry", "where": "wind == 2"}]"#, ["x", "x"]),
        (#"[{"delete": "Entry", "where": "$argument.id == '5' AND wind == 1"}]"#, ["two", "three"]),
    ]) func `An action deletes or changes the records that meet a condition`(records: String, names: [String]) throws {
        let widget = try Self.widget(#""go": {"records": \#(records)}"#)
        #expect(widget.column("name") == names, "\(widget.diagnostics)")
        #expect(widget.diagnostics.isEmpty)
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        #expect(requests.isEmpty)
    }

    @Test func `The signals are those of a success, and the next action follows`() throws {
        let widget = try Self.widget(#""go": {"records": [{"delete": "Entry"}], "nextAction": "more"}"#)
        #expect(widget.column("name") == ["nine"])
        let signals = widget.log.filter { $0.kind == .signal && $0.text.hasPrefix("go") }.map(\.text)
        #expect(signals == ["goStart", "goReady", "goSuccess"])
        #expect(widget.driver.unsaved.count == 4, "the deleted ones are forgotten by the store as well")
    }

    @Test(arguments: [
        (#"[{"change": "Entry", "set": {"nothing": 1}}]"#, "Entry cannot have nothing set to 1"),
        (
            #"[{"delete": "Entry"}, {"change": "Entry", "set": {"wind": "calm"}}, {"delete": "Nowhere"}]"#,
            "the model has no Nowhere"
        ),
        (#"[{"delete": "Entry", "where": "title.missing.key > 1"}]"#, "go: "),
    ]) func `A change that cannot be made changes nothing, and is a failure`(records: String, reason: String) throws {
        let widget = try Self.widget(#""go": {"records": \#(records)}"#)
        #expect(widget.store.records.all.count == 3)
        #expect(widget.shows("Sorry"), "the status shows its alert")
        #expect(
            widget.diagnostics.contains { $0.severity == .error && $0.message.contains(reason) },
            "\(widget.diagnostics)")
    }

    @Test(arguments: [
        #"{"delete": "Entry"}"#, #"["Entry"]"#, #"[{"delete": "Entry", "change": "Entry"}]"#, #"[{"change": "Entry"}]"#,
        #"[{"where": "wind > 1"}]"#, #"[{"delete": "Entry", "where": ["wind > 1"]}]"#,
        #"[{"delete": "Entry", "change": 5}]"#,
        #"[{"delete": "Entry", "set": {"wind": 1}}]"#,
    ]) func `A change that is not well described is reported where the action is`(_ records: String) throws {
        let widget = try `Defects of the original`.services(
            #"{"actions": {"go": {"records": \#(records), "response": {}}}}"#, actions: ["go"], isStub: true
        ).started()
        let found = widget.diagnostics.filter { $0.code == .badValue }
        #expect(found.count == 1 && found.first?.place?.line == 1 && found.first?.hint != nil, "\(widget.diagnostics)")
    }

    @Test(arguments: [
        #"[{"delete": "Entry", "where": ["wind > 1"]}]"#, #"[{"delete": "Entry", "wher": "wind > 1"}]"#,
        #"[{"delete": "Entry"}, {"delete": "Entry", "where": "wind >"}]"#,
        #"[{"delete": "Entry"}, {"change": "Entry", "set": ["wind"]}]"#, #"{"delete": "Entry"}"#,
    ]) func `An action with a change that is not well described changes nothing and sends nothing`(
        _ records: String
    ) throws {
        let widget = try Self.widget(#""go": {"records": \#(records), "response": {}, "nextAction": "load"}"#)
        #expect(widget.column("name") == ["one", "two", "three"])
        #expect(widget.diagnostics.contains { $0.code == .storing && $0.hint == "no record is changed" })
        #expect(widget.shows("Sorry"), "the status shows its alert")
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        #expect(requests.isEmpty)
    }

    @Test func `An action of a server with a change that is not well described sends no request`() throws {
        let widget = try `Defects of the original`.services(
            #"{"actions": {"go": {"records": [{"delete": "Entry", "wher": "wind > 1"}]}}}"#, actions: ["go"]
        ).started()
        #expect(widget.diagnostics.map(\.code) == [.unknownKey] && widget.diagnostics.first?.severity == .error)
        try widget.tap("goButton")
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        #expect(requests.isEmpty && widget.diagnostics.contains { $0.code == .storing })
    }

    @Test func `A predicate of a change that cannot be read is reported, and the change is left out`() throws {
        let widget = try `Defects of the original`.services(
            #"{"actions": {"go": {"records": [{"delete": "Entry", "where": "wind >"}], "response": {}}}}"#,
            actions: ["go"],
            isStub: true
        ).started()
        #expect(widget.diagnostics.map(\.code) == [.badPredicate])
    }

    @Test func `Changes of an entity that the model lacks are reported before they are made`() throws {
        let widget = try `Defects of the original`.services(
            #"{"actions": {"go": {"records": [{"delete": "Nothing"}]}}}"#, actions: ["go"], isStub: true
        ).started()
        #expect(widget.diagnostics.map(\.code) == [.unknownEntity])
    }
}
