internal import WidgetCore

/// Interfaces that are more than they look: screens, rows, forms and files of rows.
extension HostileWidget {
    static func interfaces() throws -> [HostileWidget] {
        try screens() + lists() + forms()
    }

    private static let storyboard = "Main.storyboard"

    /// Puts something into the storyboard, before the first place that begins with a text, or right behind it.
    private static func insert(
        _ text: String, _ isBehind: Bool = true, _ mark: String, from start: String = "",
        in sources: inout [String: [UInt8]]
    ) {
        var whole = String(decoding: sources[storyboard] ?? [], as: UTF8.self)
        let begin = start.isEmpty ? whole.startIndex : whole.firstRange(of: start)?.upperBound ?? whole.endIndex
        guard let range = whole[begin...].firstRange(of: mark) else { return }
        whole.insert(contentsOf: text, at: isBehind ? range.upperBound : range.lowerBound)
        sources[storyboard] = Array(whole.utf8)
    }

    private static func named(_ name: String, _ more: String = "") -> String {
        #"<userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="\#(name)"/>\#(more)</userDefinedRuntimeAttributes>"#
    }

    private static let frame = #"<rect key="frame" x="0" y="0" width="90" height="30"/>"#

    // MARK: - Screens

    /// Each screen has shown the next before anybody has seen it.
    private static func screens() throws -> [HostileWidget] {
        let records = log(list(2_000) { #"{"id": "\#($0)"}"# })
        let next =
            #""next": {"type": "OnLoadActionController", "attrs": {"actionName": "nextAction"}, "outlets": {"target": "@self"}}"#
        let timer =
            #""next": {"type": "TimerActionController", "attrs": {"actionName": "nextAction", "interval": 0.1}, "outlets": {"target": "@self"}}"#
        let back =
            #""back": {"type": "OnLoadActionController", "attrs": {"actionName": "backAction"}, "outlets": {"target": "@self"}}"#
        func segue(_ destination: String, _ kind: String) -> String {
            #"<segue destination="\#(destination)" kind="\#(kind)" identifier="Next" id="Nxt-\#(destination)"/>"#
        }
        var pushing = try HostileWidget(
            "screens that push each other", stoppedBy: [.depthBudget, .expressionBudget, .recordBudget],
            objects: [entries, table, load, next],
            elements: [rows], actions: [records]
        ) { sources in
            insert(segue("Ent-vc-001", "show"), false, #"<outlet property="tableView""#, in: &sources)
            insert(
                "<connections>" + segue("Log-vc-001", "show") + "</connections>", false, "</viewController>",
                from: #"id="Ent-ni-001""#, in: &sources)
            sources["EntryViewController.json"] = Array(
                #"{"EntryViewController": {"objects": {\#(next)}}}"#.utf8)
        }
        pushing.intact = ["Entry"]
        var fleeting = try HostileWidget(
            "a screen that goes back as soon as it is there", stoppedBy: [.stepBudget],
            objects: [
                entries, table, load,
                #""next": {"type": "TimerActionController", "attrs": {"actionName": "nextAction", "interval": 0}, "outlets": {"target": "@self"}}"#,
            ],
            elements: [rows], actions: [records], script: #"[{"wait": 3600}]"#
        ) { sources in
            insert(segue("Ent-vc-001", "show"), false, #"<outlet property="tableView""#, in: &sources)
            sources["EntryViewController.json"] = Array(
                #"{"EntryViewController": {"objects": {\#(back)}}}"#.utf8)
        }
        fleeting.intact = ["Harbour Log"]
        return [
            pushing, fleeting,
            try HostileWidget(
                "a screen that presents itself by a timer", stoppedBy: [.depthBudget, .expressionBudget],
                objects: [entries, table, load, timer], elements: [rows], actions: [records],
                script: #"[{"wait": 60}]"#
            ) { sources in
                insert(segue("Nav-vc-001", "presentation"), false, #"<outlet property="tableView""#, in: &sources)
            },
        ]
    }

    // MARK: - Lists

    /// A list whose row holds a list whose row holds a list, and so on.
    private static func nested(_ depth: Int) -> String {
        guard depth > 0 else {
            return #"<label contentMode="left" text="x" id="Nst-lb-000">\#(frame)\#(named("titleText"))</label>"#
        }
        return """
            <tableView contentMode="scaleToFill" dataMode="prototypes" rowHeight="30" id="Nst-tv-\(depth)">\(frame)
            <prototypes><tableViewCell contentMode="scaleToFill" reuseIdentifier="Entry" rowHeight="30" \
            id="Nst-cl-\(depth)" customClass="ContentTableViewCell" customModule="WidgetKit">\(frame)
            <tableViewCellContentView key="contentView" tableViewCell="Nst-cl-\(depth)" id="Nst-cv-\(depth)">\(frame)
            <subviews>\(nested(depth - 1))</subviews></tableViewCellContentView></tableViewCell></prototypes>
            \(named("inner\(depth)"))</tableView>
            """
    }

    private static func lists() throws -> [HostileWidget] {
        let depth = 3
        let tables = (1...depth).map {
            #""table\#($0)": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry"}, "outlets": {"mainContentProvider": "entries", "tableView": "inner\#($0)"}}"#
        }
        let names = (0..<1_000).map { "R\($0)" }
        var many = try HostileWidget(
            "a thousand files of rows", stoppedBy: [.nodeBudget, .byteBudget],
            objects: [
                entries, load,
                #""table": {"type": "TableDisplayController", "attrs": {"cellNibNames": "\#(names.joined(separator: "|"))"}, "evals": {"cellIdentifier": {"from": "content.title"}}, "outlets": {"mainContentProvider": "entries", "tableView": "tableView"}}"#,
            ], elements: [rows], actions: [log(list(5_000) { #"{"id": "\#($0)", "title": "R\#($0 % 1_000)"}"# })])
        var again = try HostileWidget(
            "one file of rows, named again and again", stoppedBy: [.nodeBudget],
            objects: [
                entries, load,
                #""table": {"type": "TableDisplayController", "attrs": {"cellNibNames": "\#(Array(repeating: "R", count: 400_000).joined(separator: "|"))"}, "outlets": {"mainContentProvider": "entries", "tableView": "tableView"}}"#,
            ], elements: [rows], actions: [log(list(10) { #"{"id": "\#($0)"}"# })])
        // The largest of its interfaces, which is as good as any.
        let nib = many.files.filter { $0.key.hasSuffix(".nib") }.max { $0.value.count < $1.value.count }?.value ?? []
        for name in names { many.files["\(name).nib"] = nib }
        again.files["R.nib"] = nib
        let strings = Array(Self.strings(24_000).utf8)
        many.files["en.lproj/R1.strings"] = strings
        again.files["en.lproj/R.strings"] = strings
        (many.locale, again.locale) = ("en", "en")
        return [
            try HostileWidget(
                "lists within rows of lists", stoppedBy: [.nodeBudget, .expressionBudget],
                objects: [entries, table, load] + tables,
                elements: [rows], actions: [log(list(400) { #"{"id": "\#($0)", "title": "t"}"# })]
            ) { sources in
                insert(nested(depth), "<subviews>", from: #"id="Row-dv-001""#, in: &sources)
            },
            try HostileWidget(
                "a list in the header of every row", stoppedBy: [.nodeBudget, .expressionBudget],
                objects: [
                    entries,
                    #""groups": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId", "groupByField": "entryId"}}"#,
                    #""table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry", "sectionHeaderIdentifier": "Entry"}, "outlets": {"mainContentProvider": "groups", "tableView": "tableView"}}"#,
                    tables[0], load,
                ], elements: [rows], actions: [log(list(400) { #"{"id": "\#($0)", "title": "t"}"# })]
            ) { sources in
                insert(nested(1), "<subviews>", from: #"id="Row-dv-001""#, in: &sources)
            },
            many, again,
        ]
    }

    static func strings(_ count: Int) -> String {
        (0..<count).map { #""k\#($0).text" = "t\#($0)";"# + "\n" }.joined()
    }

    // MARK: - Forms

    private static func forms() throws -> [HostileWidget] {
        func form(_ name: String, _ policy: String, _ outlet: String, _ count: Int, _ text: String) throws
            -> HostileWidget
        {
            let fields = Array(repeating: #""name""#, count: count).joined(separator: ",")
            return try HostileWidget(
                name,
                stoppedBy: [.expressionBudget, .byteBudget, .nodeBudget],
                objects: [
                    entries, table,
                    #""send": {"type": "ButtonActionController", "attrs": {"actionName": "log"}, "outlets": {"sender": "button", "form": "form"}}"#,
                ],
                elements: [
                    #""form": {"attrs": {"dublicateKeyPolicy": "\#(policy)"}, "outlets": {"\#(outlet)": [\#(fields)]}}"#,
                    #""name": {"attrs": {"text": "\#(text)"}}"#, rows,
                ], actions: [#""log": {"response": {}}"#], script: #"[{"tap": "button"}]"#
            ) { sources in
                let field = #"<userDefinedRuntimeAttribute type="string" keyPath="wx_fieldName" value="name"/>"#
                insert(
                    """
                    <view contentMode="scaleToFill" id="Frm-vw-001" customClass="FormDisplayView" \
                    customModule="WidgetKit">\(frame)<subviews>
                    <textField contentMode="scaleToFill" borderStyle="roundedRect" id="Frm-tf-001">\(frame)
                    \(named("name", field))</textField>
                    <button contentMode="scaleToFill" buttonType="system" id="Frm-bt-001">\(frame)
                    <state key="normal" title="Send"/>\(named("button"))</button></subviews>
                    \(named("form"))</view>
                    """, "<subviews>", in: &sources)
            }
        }
        let long = String(repeating: "a", count: 100_000)
        return [
            try form("a form whose fields are one long text", "join", "optionalFields", 20_000, long),
            try form("a form with one field named many times", "overwrite", "mandatoryFields", 90_000, "t"),
        ]
    }
}

extension HostileWidget {
    private static func insert(
        _ text: String, _ mark: String, from start: String = "", in sources: inout [String: [UInt8]]
    ) { insert(text, true, mark, from: start, in: &sources) }
}
