internal import WidgetCore

/// Texts that are long: of translations, paths, conditions and answers.
extension HostileWidget {
    static func texts() throws -> [HostileWidget] {
        func translated(_ name: String, _ strings: String, stoppedBy codes: [Diagnostic.Code]) throws -> HostileWidget {
            var widget = try HostileWidget(name, stoppedBy: codes, objects: [entries, table, load], elements: [rows])
            widget.files["en.lproj/Main.strings"] = Array(strings.utf8)
            widget.locale = "en"
            return widget
        }
        let path = "content" + String(repeating: ".keeper", count: 1_000) + ".name"
        let condition = Array(repeating: "content.title != 'x' AND content.text == nil", count: 4_500)
            .joined(separator: " AND ")
        let rows5000 = log(list(5_000) { #"{"id": "\#($0)", "title": "t"}"# })
        let paths = (0..<100).map { #"{"to": "p\#($0)", "from": "\#(path)"}"# }.joined(separator: ",")
        let answer = String(repeating: "a", count: 3_000_000)
        return [
            try translated("a hundred thousand translations", strings(100_000), stoppedBy: [.badFile]),
            try translated(
                "translations that end in the middle", strings(20_000) + "\"k\" = \u{7};\n" + strings(10),
                stoppedBy: [.badFile]),
            try HostileWidget(
                "key paths of a thousand parts", stoppedBy: [.expressionBudget, .badPredicate],
                objects: [entries, table, load], elements: [#""titleText": {"bindings": [{"from": "\#(path)"}]}"#],
                actions: [rows5000]),
            try HostileWidget(
                "key paths of a thousand parts by the hundred", stoppedBy: [.expressionBudget, .badPredicate],
                objects: [
                    entries, table, load,
                    #""far": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "\#(path.dropFirst(8))", "groupByField": "\#(path.dropFirst(8))", "masterKeyPath": "\#(path)"}, "outlets": {"masterObject": "entries"}}"#,
                ], elements: [#""titleText": {"bindings": [\#(paths)]}"#],
                actions: [rows5000]),
            try HostileWidget(
                "a condition of nine thousand parts in every row", stoppedBy: [.expressionBudget, .badPredicate],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"predicateFormat": "\#(condition)", "ifTrue": "yes", "ifFalse": "no"}]}"#
                ], actions: [rows5000]),
            try HostileWidget(
                "an answer of one text, shown in every row",
                stoppedBy: [.byteBudget, .expressionBudget, .recordBudget],
                objects: [entries, table, load],
                elements: [#""titleText": {"bindings": [{"from": "content.keeper.name"}]}"#],
                actions: [
                    log(
                        list(5_000) {
                            let name = $0 == 0 ? #", "name": "\#(answer)""# : ""
                            return #"{"id": "\#($0)", "keeper": {"id": "a"\#(name)}}"#
                        })
                ]),
        ]
    }

    /// Things that are looked up in long lists.
    static func lookups() throws -> [HostileWidget] {
        let dotted = (0..<40_000).map { #""tableView.a\#($0)": 1"# }.joined(separator: ",")
        let actions = (0..<900).map {
            #""a\#($0)": {"type": "ActionController", "attrs": {"actionName": "log"}}"#
        }
        let fields = 3_000
        return [
            try HostileWidget(
                "attributes that lead elsewhere", stoppedBy: [.nodeBudget],
                objects: [
                    entries, load,
                    #""table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry", \#(dotted)}, "outlets": {"mainContentProvider": "entries", "tableView": "tableView"}}"#,
                ], elements: [rows], actions: [log("[]")]),
            try HostileWidget(
                "fields by the thousand that a thousand actions refresh", stoppedBy: [.stepBudget, .expressionBudget],
                objects: [entries, table, load] + actions,
                elements: (0..<fields).map { #""f\#($0)": {"bindings": [{"from": "content"}]}"# }, actions: [log("[]")]
            ) { sources in
                var text = String(decoding: sources["Main.storyboard"] ?? [], as: UTF8.self)
                let views = (0..<fields).map {
                    """
                    <textField contentMode="scaleToFill" borderStyle="roundedRect" id="Fld-tf-\($0)">\
                    <rect key="frame" x="0" y="0" width="9" height="9"/><userDefinedRuntimeAttributes>\
                    <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="f\($0)"/>\
                    </userDefinedRuntimeAttributes></textField>
                    """
                }
                text.replace("<subviews>", with: "<subviews>" + views.joined(), maxReplacements: 1)
                sources["Main.storyboard"] = Array(text.utf8)
            },
        ]
    }
}
