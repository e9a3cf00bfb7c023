import WidgetCore

/// A widget with rows that are no records, and a field that somebody has typed into.
enum MediatorTestWidget {
    static func values() throws -> DrivenWidget {
        let scheme = """
            {"LogViewController": {"objects": {
              "items": {"type": "BaseContentProvider", "attrs": {"items": [{"title": "one"}, {"title": "two"}]}},
              "table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry"},
                        "outlets": {"mainContentProvider": "items", "tableView": "tableView"}}},
             "elements": {"titleText": {"bindings": [{"from": "content.title", "format": "<%@>"}]}}}}
            """
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            sources["LogViewController.json"] = Array(scheme.utf8)
        }.started()
        try widget.type("typed", into: "searchBar")
        return widget
    }
}
