import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: every attribute of a provider has its effect on the screen. Method: four records, or four items, and one more
/// attribute than in the test before.
@Suite struct `What a scheme says of a provider` {
    typealias S = TestStoryboard

    static let entries = """
        [{"id": "1", "title": "c", "wind": 3, "keeper": {"id": "ada", "name": "M"}}, {"id": "2", "title": "a", "wind": 1, "keeper": {"id": "olu", "name": "B"}},
         {"id": "3", "title": "d", "wind": 4, "keeper": {"id": "ada"}}, {"id": "4", "title": "b", "wind": 2, "keeper": {"id": "olu"}}]
        """

    /// A list of what a provider with those attributes has, and a button that has the service asked for more.
    static func list(
        _ attributes: String, type: String = "ManagedObjectsProvider", table: String = "",
        cells: [String] = [S.cell("Cell", labels: ["name"])], files: [String: String] = [:], more: String = ""
    ) throws -> DrivenWidget {
        let service = `A mediator`.stub(
            #""log": {"resultType": "[Entry]", "response": \#(entries)}, "more": {\#(more)}"#
        )
        return try S.widget(
            S.button("moreButton", "More") + S.label("text", y: 30) + S.table("list", cells: cells),
            #"""
            "objects": {"things": {"type": "\#(type)", "attrs": {\#(attributes)}},
              "table": {"type": "TableDisplayController", "attrs": {\#(table)}, "outlets": {"mainContentProvider": "things", "tableView": "list"}},
              "more": {"type": "ButtonActionController", "attrs": {"actionName": "more"}, "outlets": {"sender": "moreButton"}},
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}}},
            "elements": {\#(`A scheme`.stubSelf), "name": {"bindings": [{"from": "content.title"}]},
              "text": {"bindings": [{"from": "things.value"}]},
              "above": {"bindings": [{"from": "content.keeper.keeperId", "format": "by %@"}]},
              "below": {"bindings": [{"from": "content.title", "format": "from %@ on"}]}}
            """#, files: ["StubService.json": service].merging(files) { $1 }
        ).started()
    }

    @Test(arguments: [
        (#""sortByFields": "wind""#, "abcd"), (#""sortByFields": "wind", "sortAscending": false"#, "dcba"),
        (#""sortByFields": " keeper.keeperId , title""#, "cdab"),
        (#""sortByFields": "wind", "predicateFormat": "wind > 2""#, "cd"),
        (#""sortByFields": "title", "searchString": "olu", "filterFormat": "keeper.keeperId == $input""#, "ab"),
        (#""sortByFields": "title", "filterFormat": "keeper.keeperId == $input""#, "abcd"),
        (#""sortByFields": "wind", "sortAscending": false, "fetchLimit": 2"#, "dc"),
        (#""sortByFields": "title", "groupByField": "keeper.keeperId""#, "cdab"),
    ]) func `A provider sorts and filters records`(attributes: String, shown: String) throws {
        let widget = try Self.list(#""entityName": "Entry", \#(attributes)"#)
        #expect(widget.column("name").joined() == shown)
        #expect(!widget.diagnostics.contains { $0.severity == .error })
    }

    @Test func `A provider limits its records, also when more arrive`() throws {
        let widget = try Self.list(
            #""entityName": "Entry", "sortByFields": "title", "fetchLimit": 2"#,
            more: #""resultType": "[Entry]", "response": [{"id": "5", "title": "0"}]"#)
        #expect(widget.column("name") == ["a", "b"])
        try widget.tap("moreButton")
        #expect(widget.settle() && widget.column("name") == ["0", "a"])
    }

    @Test func `A provider sorts by a related record, and again when that changes`() throws {
        let widget = try Self.list(
            #""entityName": "Entry", "sortByFields": "keeper.name, title""#,
            more: #""resultType": "[Keeper]", "response": [{"id": "olu", "name": "Z"}]"#)
        #expect(widget.column("name").joined() == "abcd")
        try widget.tap("moreButton")
        #expect(widget.settle() && widget.column("name").joined() == "cdab")
    }

    static let items = #""items": [{"title": "c", "n": 3}, {"title": "a", "n": 1}, {"title": "b", "n": 2}]"#

    @Test(arguments: [
        (items, "cab"), (items + #", "sortByFields": "n""#, "abc"),
        (items + #", "sortByFields": "n", "sortAscending": false"#, "cba"),
        (items + #", "predicateFormat": "n > 1""#, "cb"),
        (items + #", "filterFormat": "title == $input", "searchString": "b""#, "b"),
    ]) func `A provider sorts and filters items in memory`(attributes: String, shown: String) throws {
        #expect(try Self.list(attributes, type: "BaseContentProvider").column("name").joined() == shown)
    }

    @Test(arguments: [
        (#""resultChainTxt": "wx_takeFirst:|wx_map:|wx_joinedBy:", "resultChainArgsTxt": "2|title| and ""#, "c and a"),
        (#""resultChain": ["wx_takeLast:", "wx_map:", "wx_joinedBy:"], "resultChainArgs": ["2", "title", "+"]"#, "a+b"),
        (#""resultChain": ["wx_count"]"#, "3"),
    ]) func `A provider computes its value from a chain`(chain: String, value: String) throws {
        let widget = try Self.list("\(Self.items), \(chain)", type: "BaseContentProvider")
        #expect(widget.column("text") == [value] && widget.column("name").joined() == "cab", "rows are not its value")
    }

    @Test(arguments: [
        (#"{"title": "one"}"#, ["one"]), (#"["x", {"title": "one"}, {"title": "two"}]"#, ["one", "two"]), ("5", []),
    ])
    func `A provider reads a file of one object or of several, and no other file`(text: String, shown: [String]) throws
    {
        let widget = try Self.list(#""fileName": "things""#, type: "JSONFileDataProvider", files: ["things.json": text])
        #expect(widget.column("name") == shown)
    }

    @Test(arguments: [
        (#""sectionHeaderIdentifier": "Top", "sectionFooterIdentifier": "Bottom""#, "Top", "Bottom"),
        ("", "Header", "Footer"),
    ])
    func `A list shows headers and footers of each group`(table: String, header: String, footer: String) throws {
        let widget = try Self.list(
            #""entityName": "Entry", "sortByFields": "title", "groupByField": "keeper.keeperId""#,
            table: table,
            cells: [
                S.cell("Cell", labels: ["name"]), S.cell(header, labels: ["above"]), S.cell(footer, labels: ["below"]),
            ])
        let lines = widget.text().split(separator: "\n").map { $0.filter { $0 != " " } }
        let wanted = ["byada", "c", "d", "fromcon", "byolu", "a", "b", "fromaon"]
        #expect(lines.filter { line in wanted.contains { line.hasSuffix($0) } }.count == 8)
        #expect(lines.suffix(8).enumerated().allSatisfy { $1.hasSuffix(wanted[$0]) }, "\(lines)")
        try widget.select("list", row: 1, section: 1)
        #expect(widget.store.visible?.touched.values.first?.member("title").shown == "b")
    }

    @Test(arguments: [
        ("seasons", "book"), ("value.seasons", "book"), ("seasons", "book.value"), ("seasons", "content"),
    ])
    func `A provider shows a part of another provider's content, or of the screen's`(path: String, master: String)
        throws
    {
        let widget = try S.widget(
            S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"book": {"type": "BaseContentProvider", "attrs": {"items": [{"seasons": [{"title": "spring"}, {"title": "autumn"}]}], "resultChain": ["wx_first"]}},
              "things": {"type": "ItemsCollection", "attrs": {"masterKeyPath": "\#(path)", "sortByFields": "title"}, "outlets": {"masterObject": "\#(master)"}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "things", "tableView": "list"}}},
            "elements": {"@self": {"attrs": {"content": {"seasons": [{"title": "spring"}, {"title": "autumn"}]}}}, "name": {"bindings": [{"from": "content.title"}]}}
            """#
        ).started()
        #expect(widget.column("name") == ["autumn", "spring"])
    }
}
