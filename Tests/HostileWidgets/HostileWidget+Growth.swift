internal import WidgetCore

/// What somebody writes who has read the engine: each part is small, and what comes of it is not.
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
        // Who searches sees no bar.
        places.intact = ["Cancel"]
        return [
            try HostileWidget(
                "letters that all have to be told apart", stoppedBy: [.byteBudget],
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
