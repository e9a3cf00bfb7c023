import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: lists ask for more at the end that they are told, and only there. Method: one list, scrolled to both ends.
@Suite struct `What a scheme says of scrolling` {
    typealias S = TestStoryboard

    static func widget(_ more: String, _ table: String = "", search: String = "", searchOutlet: String = "") throws
        -> DrivenWidget
    {
        try S.widget(
            S.element("searchBar", "bar", height: 44) + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"items": {"type": "BaseContentProvider", "attrs": {"items": [{"name": "first"}, {"name": "last"}]}},
              "table": {"type": "TableInfiniteScrollController", "attrs": {\#(table)},
                "outlets": {"mainContentProvider": "items", "tableView": "list"\#(searchOutlet)}},
              \#(search)
              "more": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "more"\#(more)}, "outlets": {"sender": "list"}}},
            "elements": {\#(`A scheme`.name)}
            """#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"more": {"path": "more/$name"}, "find": {"path": "find/$input"}}}"#
            ]
        ).started()
    }

    static func asked(_ widget: DrivenWidget, toEnd: Bool) throws -> [String] {
        #expect(try widget.refusal(of: "list") { .scroll($0, toEnd: toEnd) } == nil)
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        return requests.map { String($0.request.url.dropFirst("https://x.example/".count)) }
    }

    @Test(
        arguments: [
            ("", "", [], ["more/last"]), (#", "trackScrollDown": true"#, "", [], ["more/last"]),
            (#", "trackScrollDown": false"#, "", ["more/first"], []),
            ("", #""scrollDownThreshhold": 0"#, [], []), ("", #""scrollUpThreshhold": 0"#, [], ["more/last"]),
            (#", "trackScrollDown": false"#, #""scrollUpThreshhold": -1"#, [], []),
            (#", "trackScrollDown": false"#, #""scrollDownThreshhold": 0"#, ["more/first"], []),
        ] as [(String, String, [String], [String])])
    func `asks at the end that it tracks, unless its threshold says never`(
        more: String, table: String, start: [String], end: [String]
    ) throws {
        #expect(try Self.asked(Self.widget(more, table), toEnd: false) == start)
        #expect(try Self.asked(Self.widget(more, table), toEnd: true) == end)
    }

    @Test func `asks for more of what is searched for, while somebody searches`() throws {
        let widget = try Self.widget(
            "",
            search:
                #""search": {"type": "SearchActionController", "attrs": {"actionName": "find"}, "outlets": {"sender": "bar"}},"#,
            searchOutlet: #", "searchController": "search""#)
        #expect(try Self.asked(widget, toEnd: true) == ["more/last"])
        try widget.type("gull", into: "bar")
        #expect(try Self.asked(widget, toEnd: true).isEmpty, "what was asked for is still under way")
        let number = try #require(widget.store.requests.first).number
        widget.send(.response(request: number, .response(status: 200, body: .null)))
        #expect(try Self.asked(widget, toEnd: true) == ["find/gull"])
    }
}
