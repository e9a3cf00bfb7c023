internal import WidgetCore

/// Texts that are long: of translations, paths, conditions and answers.
extension HostileWidget {
    static func texts() throws -> [HostileWidget] {
        func translated(_ name: String, _ strings: String, stoppedBy codes: [Finding.Code]) throws -> HostileWidget {
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

/// Attacks that need knowledge of the engine: each part is small, and the result is large.
extension HostileWidget {
    private static func many(entries count: Int, _ more: (Int) -> String = { _ in "" }) -> String {
        list(count) { #"{"id":"\#($0)"\#(more($0))}"# }
    }

    /// Things that hold each other, or are counted against each other.
    static func growth() throws -> [HostileWidget] {
        let timers = (0..<150).map {
            #""t\#($0)": {"type": "TimerActionController", "attrs": {"actionName": "log", "interval": 0.1, "predicateFormat": "entries.value[SIZE] == 1"}}"#
        }
        let sources = (0..<1_500).map {
            #""s\#($0)": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "title,text,entryId", "predicateFormat": "title != 'x\#($0)'"}}"#
        }
        let doubling = (0..<40).map { _ in "($a := {$a, $a})[SIZE] == 2" }.joined(separator: " AND ")
        return [
            try HostileWidget(
                "sources that all sort everything", stoppedBy: [.expressionBudget, .mediatorBudget],
                objects: [entries, table, load] + sources, elements: [rows], actions: [log(many(entries: 8_000))]),
            try HostileWidget(
                "conditions that look at everything", stoppedBy: [.expressionBudget, .stepBudget, .recordBudget],
                objects: [entries, table, load] + timers, elements: [rows], actions: [log(many(entries: 12_000))],
                script: #"[{"wait": 5}]"#),
            try HostileWidget(
                "a variable that holds itself twice", stoppedBy: [.expressionBudget],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"predicateFormat": "($a := {1, 1})[SIZE] == 2 AND \#(doubling) AND CAST($a, 'NSString') == 'x'", "ifTrue": "yes", "ifFalse": "no"}]}"#
                ], actions: [log(many(entries: 40))]),
            try HostileWidget(
                "an answer that is asked for again", stoppedBy: [.stepBudget, .expressionBudget],
                objects: [entries, table, load], elements: [rows],
                actions: [
                    log(
                        many(entries: 12_000) { #","keeper":{"id":"\#($0 % 3)"}"# },
                        #", "nextAction": "log", "clearPolicy": "after""#)
                ]),
        ]
    }

    /// Texts that are filled in again and again, and what is read before anything runs.
    static func repetition() throws -> [HostileWidget] {
        let answer =
            "{" + (0..<60_000).map { #""k\#($0)":"$a$b""# }.joined(separator: ",") + #","id":"1"}"#
        let chained = (0..<6_000).map {
            #""a\#($0)": {"resultType": "Entry", "nextAction": "a\#($0 + 1)", "parameters": {"own": "1"}}"#
        }
        let parameters = (0..<20_000).map { #""p\#($0)": "$x""# }.joined(separator: ",")
        let models = (0..<200).map {
            #"<entity name="E\#($0)" parentEntity="\#($0 == 0 ? "Entry" : "E\($0 - 1)")" syncable="YES"><attribute name="p\#($0)" optional="YES" attributeType="String" syncable="YES"/></entity>"#
        }.joined()
        var places = try HostileWidget(
            "an answer of places", stoppedBy: [.stepBudget, .expressionBudget],
            objects: [
                entries, table,
                #""go": {"type": "SearchActionController", "attrs": {"actionName": "log"}, "outlets": {"sender": "searchBar", "contentProvider": "entries"}}"#,
            ],
            elements: [rows],
            actions: [#""log": {"resultType": "Entry", "nextAction": "log", "response": \#(answer)}"#],
            script: #"[{"input": "searchBar", "value": "x"}, {"submit": "searchBar"}]"#)
        // A search hides the bar.
        places.intact = ["Cancel"]
        return [
            try HostileWidget(
                "texts that have to be split into letters", stoppedBy: [.byteBudget],
                objects: [entries, table, load],
                elements: [rows, #""entryText": {"bindings": [{"from": "content.title"}]}"#],
                actions: [
                    log(
                        many(entries: 90) { place in
                            let letter = ["漢", "e\u{301}", "👩‍👩‍👧", "क्ष"][place % 4]
                            return #","title":"\#(String(repeating: letter, count: 30_000 / letter.utf8.count))""#
                        })
                ]),
            try HostileWidget(
                "a text with a million places", stoppedBy: [.expressionBudget, .byteBudget],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"from": "content", "format": "\#(many("$title", 120_000, " "))"}]}"#
                ], actions: [log(many(entries: 40) { _ in #","title":"t""# })]),
            places,
            try HostileWidget(
                "what is given to every action", stoppedBy: [.badFile], objects: [entries, table, load],
                elements: [rows], actions: [log("[]")] + chained
            ) { sources in
                let text = String(decoding: sources["StubService.json"] ?? [], as: UTF8.self)
                sources["StubService.json"] = Array(
                    text.replacing(
                        #""baseUrl": "https://x.example""#,
                        with: #""baseUrl": "https://x.example", "parameters": {\#(parameters)}"#, maxReplacements: 1
                    ).utf8)
            },
            try HostileWidget(
                "a line of two hundred ancestors", stoppedBy: [.depthBudget], objects: [entries, table, load],
                elements: [rows], actions: [log(many(entries: 10))]
            ) { sources in
                let path = "Model.xcdatamodeld/Model.xcdatamodel/contents"
                let text = String(decoding: sources[path] ?? [], as: UTF8.self)
                sources[path] = Array(text.replacing("</model>", with: models + "</model>").utf8)
            },
            try HostileWidget(
                "a letter with as many marks as there is room for", stoppedBy: [.badFile],
                objects: [entries, table, load],
                elements: [#""titleText": {"attrs": {"text": "\#("e" + many("\u{301}", 200_000))"}}"#],
                actions: [log(many(entries: 300))]),
            try HostileWidget(
                "pictures by the thousand", stoppedBy: [.unknownImage, .recordBudget], objects: [entries, table, load],
                elements: [#""kindView": {"bindings": [{"to": "wx_imageName", "from": "content.title"}]}"#],
                actions: [log(many(entries: 10_000) { #","title":"picture \#($0)""# })]),
            try HostileWidget(
                "a header for every row", stoppedBy: [.recordBudget, .expressionBudget, .nodeBudget],
                objects: [
                    #""entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId", "groupByField": "entryId"}}"#,
                    #""table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry", "sectionHeaderIdentifier": "Entry", "sectionFooterIdentifier": "Entry"}, "outlets": {"mainContentProvider": "entries", "tableView": "tableView"}}"#,
                    load,
                ], elements: [rows], actions: [log(many(entries: 14_000))]),
        ]
    }

    private static func many(_ text: String, _ count: Int, _ separator: String = "") -> String {
        Array(repeating: text, count: count).joined(separator: separator)
    }
}
