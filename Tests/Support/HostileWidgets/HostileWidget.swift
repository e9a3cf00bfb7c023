internal import Testing
internal import WidgetBuild
internal import WidgetBytes
package import WidgetCore
internal import WidgetFiles
internal import WidgetFormats
internal import WidgetHosting
internal import WidgetPredicates
internal import WidgetRender
internal import WidgetRunning
internal import WidgetTestSupport

/// A bundle that would use more than it may: the harbour log, with some files replaced.
package struct HostileWidget: Sendable, CustomTestStringConvertible {
    package let name: String
    /// Of the compiled bundle, by their paths.
    package var files: [String: [UInt8]]
    /// The limits that stop it: one of these is reported, usually the first. If there are none, the bundle is refused
    /// before anything runs.
    package let codes: [Finding.Code]
    /// Texts that are still shown.
    package var intact = ["Harbour Log", "Search the log"]
    /// The user's acts, as an event script.
    package var script = "[]"
    /// Whose texts are shown.
    package var locale = ""

    package var testDescription: String { name }

    /// The result of running it.
    package struct Outcome: Sendable {
        package var codes: Set<Finding.Code> = []
        /// As text, the whole screen.
        package var shown = ""
        /// Why it did not run.
        package var refusal: String?
        /// Of one thing: reading the files, one event, one evaluation, one printing.
        package var costliest = Cost(what: "nothing", time: 0)
        /// The diagnostics that were reported more than once.
        package var repeated: Set<Finding> = []
    }

    package struct Cost: Sendable {
        package var what: String
        package var time: Int64
    }

    /// Measures what lies between two calls.
    final class Laps: Sendable {
        private let clock: @Sendable () -> Int64
        private let state: Guarded<(last: Int64, costliest: Cost)>

        init(_ clock: @escaping @Sendable () -> Int64) {
            self.clock = clock
            state = Guarded((last: clock(), costliest: Cost(what: "nothing", time: 0)))
        }

        func end(_ what: String) {
            let now = clock()
            state.withLock { state in
                let time = now &- state.last
                if time > state.costliest.time { state.costliest = Cost(what: what, time: time) }
                state.last = clock()
            }
        }

        var costliest: Cost { state.withLock { $0.costliest } }
    }

    /// Loads it, lets it come to rest and a minute go by, does what the script says, and prints it both ways.
    ///
    /// - Parameter clock: the processor's time, for measuring costs.
    package func run(
        _ budget: Budget = Budget(), clock: @escaping @Sendable () -> Int64 = { 0 }
    ) async -> Outcome {
        var outcome = Outcome()
        let laps = Laps(clock)
        do {
            let assets = BundleAssets(
                files.keys, catalogue: files["Assets.car"], heads: files.filter { $0.key.hasSuffix("g") })
            let program = try WidgetKitReader.program(
                BundleFiles(files, images: assets.images, colors: assets.colors, locale: locale),
                identifier: "test.hostile")
            laps.end("loading")
            var instance = WidgetInstance(program, environment: Environment(now: 803_678_400), budget: budget)
            instance.eventTaken = { laps.end("one event") }
            let text = ViewText(width: 80)
            var run = ScriptRun(instance, network: DeniedNetwork()) { text.text($0) }
            do throws(WidgetError) {
                try await run.play(EventScript(Array(script.utf8)))
            } catch {
                outcome.refusal = "\(error)"
            }
            laps.end("the rest of the script")
            let view = run.view()
            laps.end("one evaluation")
            outcome.shown = text.text(view)
            laps.end("printing as text")
            _ = ViewJSON.document(view, size: (375, 667))
            laps.end("printing as JSON")
            outcome.codes = Set(view.diagnostics.map(\.code))
            let reported = Dictionary(grouping: view.diagnostics) { $0 }
            outcome.repeated = Set(reported.filter { $0.value.count > 1 }.keys)
        } catch {
            outcome.refusal = "\(error)"
        }
        outcome.costliest = laps.costliest
        return outcome
    }

    // MARK: - Making

    init(name: String, files: [String: [UInt8]], codes: [Finding.Code], script: String) {
        self.name = name
        self.files = files
        self.codes = codes
        self.script = script
    }

    package init(
        _ name: String, stoppedBy codes: [Finding.Code], objects: [String] = [], elements: [String] = [],
        actions: [String] = [], script: String = "[]", changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws {
        self.name = name
        self.codes = codes
        self.script = script
        var sources = try SourceFolder.read(
            try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/HarbourLog"))
        let own = #""@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}}"#
        sources["LogViewController.json"] = Array(
            """
            {"LogViewController": {"objects": {\(objects.joined(separator: ",\n"))},
             "elements": {\((elements.contains { $0.contains("@self") } ? elements : [own] + elements).joined(separator: ",\n"))}}}
            """.utf8)
        sources["StubService.json"] = Array(
            #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {\#(actions.joined(separator: ",\n"))}}"#.utf8)
        changing(&sources)
        let compiled = try BundleCompiler(sources, folder: "HarbourLog")
        files = Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    }
}

/// The ways in which widgets, with or without intent, could hang, fill or break the program that runs them.
extension HostileWidget {
    static let table =
        #""table": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Entry"}, "#
        + #""outlets": {"mainContentProvider": "entries", "emptyDataView": "emptyView", "tableView": "tableView"}}"#
    static let entries =
        #""entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}}"#
    static let load = #""load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}}"#
    static let rows = #""titleText": {"bindings": [{"from": "content.title"}]}"#

    static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    static func log(_ response: String, _ more: String = "") -> String {
        #""log": {"resultType": "[Entry]"\#(more), "response": \#(response)}"#
    }

    package static func all() throws -> [HostileWidget] {
        var all = try circles()
        all += try chains()
        all += try masses()
        all += try growth()
        all += try repetition()
        all += try interfaces()
        all += try texts()
        all += try lookups()
        all += try files()
        return all
    }

    /// Things that lead back to themselves.
    static func circles() throws -> [HostileWidget] {
        var doubling = try HostileWidget(
            "a text that doubles itself", stoppedBy: [.byteBudget, .expressionBudget],
            objects: [
                #""tick": {"type": "TimerActionController", "attrs": {"actionName": "log", "interval": 0.1}}"#,
                #""s": {"type": "ActionStatusController", "attrs": {"actionName": "log"}}"#,
            ],
            elements: [
                #""searchBar": {"bindings": [{"to": "text", "predicateFormat": "TRUEPREDICATE", "ifTrue": "x$searchBar.text$searchBar.text"}]}"#
            ], actions: [#""log": {"response": {}}"#], script: #"[{"wait": 10}]"#)
        doubling.intact = ["Harbour Log"]
        let many = String(repeating: "$titleText.text$entryText.text", count: 20)
        return [
            try HostileWidget(
                "bindings that read each other", stoppedBy: [.bindingCycle], objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"from": "entryText.text"}]}"#,
                    #""entryText": {"bindings": [{"from": "titleText.text"}]}"#,
                ], actions: [log(list(50) { #"{"id": "\#($0)", "title": "t"}"# })]),
            try HostileWidget(
                "bindings that multiply", stoppedBy: [.expressionBudget, .bindingCycle],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"predicateFormat": "TRUEPREDICATE", "ifTrue": "\#(many)"}]}"#,
                    #""entryText": {"bindings": [{"predicateFormat": "TRUEPREDICATE", "ifTrue": "\#(many)"}]}"#,
                ], actions: [log(list(50) { #"{"id": "\#($0)", "title": "t"}"# })]),
            try HostileWidget(
                "outlets in a circle", stoppedBy: [.stepBudget],
                objects: [
                    #""a": {"type": "ButtonActionController", "attrs": {"actionName": "performAction"}, "outlets": {"target": "b", "sender": "tableView"}}"#,
                    #""b": {"type": "OnLoadActionController", "attrs": {"actionName": "performAction"}, "outlets": {"target": "a"}}"#,
                    #""p": {"type": "ItemsCollection", "attrs": {"masterKeyPath": "value"}, "outlets": {"masterObject": "q"}}"#,
                    #""q": {"type": "ItemsCollection", "attrs": {"masterKeyPath": "value"}, "outlets": {"masterObject": "p"}}"#,
                ]),
            try HostileWidget(
                "settings that hold themselves", stoppedBy: [.depthBudget, .stepBudget, .expressionBudget],
                objects: [
                    entries, table,
                    #""tick": {"type": "TimerActionController", "attrs": {"actionName": "log", "interval": 0.1}}"#,
                    #""s": {"type": "ActionStatusController", "attrs": {"actionName": "log"}}"#,
                ],
                elements: [
                    #""@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}, "bindings": [{"to": "defaults.a", "from": "defaults"}, {"to": "defaults.b", "from": "defaults"}]}"#
                ], actions: [#""log": {"response": {}}"#], script: #"[{"wait": 100}]"#),
            doubling,
        ]
    }

    /// Things that set themselves off.
    static func chains() throws -> [HostileWidget] {
        let timers = (0..<150).map {
            #""t\#($0)": {"type": "TimerActionController", "attrs": {"actionName": "log", "interval": 0}}"#
        }
        return [
            try HostileWidget(
                "a chain that calls itself", stoppedBy: [.stepBudget], objects: [entries, table, load],
                elements: [rows],
                actions: [log(#"[{"id": "1", "title": "t"}]"#, #", "nextAction": "log""#)]),
            try HostileWidget(
                "timers of zero", stoppedBy: [.stepBudget], objects: [entries, table] + timers, elements: [rows],
                actions: [log(#"[{"id": "1", "title": "t"}]"#)], script: #"[{"wait": 60}]"#),
            try HostileWidget(
                "timers of zero whose answers take a moment", stoppedBy: [.stepBudget],
                objects: [entries, table] + timers, elements: [rows],
                actions: [log(#"[{"id": "1", "title": "t"}]"#)], script: #"[{"wait": 1}]"#
            ) { sources in
                let text = String(decoding: sources["StubService.json"] ?? [], as: UTF8.self)
                sources["StubService.json"] = Array(
                    (text.dropLast() + #", "options": {"debugDelay": 0.35}}"#).utf8)
            },
        ]
    }

    /// Things that are too many, or too large.
    static func masses() throws -> [HostileWidget] {
        let word = String(repeating: "a", count: 20_000)
        let regex = #"content.title MATCHES '(a*)*(a|aa|aaa|b?){1,40}(a+)+c'"#
        return [
            try HostileWidget(
                "ten million rows", stoppedBy: [.badFile], objects: [entries, table, load], elements: [rows],
                actions: [log(list(400_000) { "\($0)" })]),
            try HostileWidget(
                "as many rows as a file can hold", stoppedBy: [.recordBudget, .badFile],
                objects: [entries, table, load], elements: [rows],
                actions: [log(list(60_000) { #"{"id":"\#($0)"}"# })]),
            try HostileWidget(
                "rows that are shown a thousand times", stoppedBy: [.rowBudget, .nodeBudget],
                objects: [
                    #""items": {"type": "BaseContentProvider", "attrs": {"items": \#(list(5_000) { #"{"title": "\#($0)"}"# })}}"#,
                    #""circle": {"type": "CollectionCircleScrollController", "attrs": {"cellIdentifier": "Entry", "circleScrollFactor": 1000}, "outlets": {"mainContentProvider": "items", "collectionView": "tableView"}}"#,
                ], elements: [rows]),
            try HostileWidget(
                "an owner of everything", stoppedBy: [.recordBudget], objects: [entries, table, load],
                elements: [rows],
                actions: [log(list(40_000) { #"{"id":"\#($0)","keeper":{"id":"a"}}"# })]),
            try HostileWidget(
                "a pattern that never ends", stoppedBy: [.expressionBudget, .badPredicate],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"predicateFormat": "\#(regex)", "ifTrue": "yes", "ifFalse": "no"}]}"#
                ], actions: [log(list(40) { #"{"id": "\#($0)", "title": "\#(word)"}"# })]),
            try HostileWidget(
                "a text made of texts", stoppedBy: [.expressionBudget, .byteBudget],
                objects: [entries, table, load],
                elements: [
                    #""titleText": {"bindings": [{"from": "content.title", "format": "\#(String(repeating: "%@", count: 5_000))"}]}"#
                ], actions: [log(list(40) { #"{"id": "\#($0)", "title": "\#(word)"}"# })]),
            try HostileWidget(
                "answers within answers", stoppedBy: [.badFile], objects: [entries, table, load],
                elements: [rows],
                actions: [log(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))]),
            try HostileWidget(
                "a scheme of mediators", stoppedBy: [.mediatorBudget],
                objects: (0..<6_000).map {
                    #""m\#($0)": {"type": "ActionStatusController", "attrs": {"actionName": "a"}, "outlets": {"elements": ["m1", "m2"]}}"#
                }),
        ]
    }

    /// Files that are not what they should be.
    static func files() throws -> [HostileWidget] {
        let boxes = 110
        func view(_ id: String) -> String {
            #"<view contentMode="scaleToFill" id="Dee-p-\#(id)"><rect key="frame" x="0" y="0" width="9" height="9"/>"#
        }
        let nest =
            (0..<boxes).map { view("\($0)") + "<subviews>" }.joined() + view("end") + "</view>"
            + String(repeating: "</subviews></view>", count: boxes)
        var picture = try HostileWidget(
            "a picture of a billion pixels", stoppedBy: [.unknownImage], objects: [entries, table, load],
            elements: [#""kindView": {"bindings": [{"to": "wx_imageName", "from": "content.title"}]}"#],
            actions: [log(#"[{"id": "1", "title": "huge"}, {"id": "2", "title": "absent"}]"#)])
        var catalogue = CatalogForge()
        var rendition = ForgedRendition()
        (rendition.width, rendition.height) = (1_000_000, 1_000_000)
        catalogue.add("huge", rendition)
        picture.files["Assets.car"] = catalogue.bytes
        var found = [
            picture,
            try HostileWidget("views within views", stoppedBy: [.depthBudget]) { sources in
                let text = String(decoding: sources["Main.storyboard"] ?? [], as: UTF8.self)
                sources["Main.storyboard"] = Array(
                    text.replacing("<subviews>", with: "<subviews>" + nest, maxReplacements: 1).utf8)
            },
        ]
        for path in picture.files.keys.sorted() where path.hasSuffix(".nib") {
            guard let bytes = picture.files[path] else { continue }
            for share in [0, 10, 60, 99] {
                var files = picture.files
                files[path] = Array(bytes.prefix(bytes.count * share / 100))
                found.append(
                    HostileWidget(
                        name: "\(path) cut at \(share) %", files: files, codes: [.badFile, .unknownImage], script: "[]")
                )
            }
        }
        return found
    }
}
