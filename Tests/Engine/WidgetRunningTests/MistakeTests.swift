import Testing
import WidgetBuild
import WidgetCore

@testable import WidgetFormats

/// Goal: an author reads of each mistake with its place and a way out, before the widget runs. Method: a small widget of
/// two screens, changed in one place for each case of ``AuthoringMistake``, and everything that building and reading it
/// reports.
@Suite struct `A mistake of an author` {
    private typealias S = TestStoryboard

    /// The findings of one source, as the author reads them.
    struct Report: CustomStringConvertible {
        var code: String
        var message: String
        var place: String
        var hint: String?

        var description: String { "\(place): \(message) [\(code)]; \(hint ?? "")" }
    }

    // MARK: - The widget

    static let sources: [String: String] = {
        var list = S.Screen(
            name: "List",
            views: S.table("table", cells: [S.cell("Cell", labels: ["titleText"])])
                + S.element("searchBar", "field", y: 500)
                + S.button("reload", "Reload", y: 540) + S.element("imageView", "star", y: 580))
        list.connections = #"<segue destination="Detail-controller" kind="show" identifier="Cell" id="to-detail"/>"#
        let detail = S.Screen(name: "Detail", views: S.label("body") + S.button("close", "Close", y: 40))
        return [
            "Info.plist": """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Mistakes</string>
            <key>CFBundleName</key><string>Mistakes</string></dict></plist>
            """,
            "Main.storyboard": S.text([list, detail]),
            "Model.xcdatamodeld/Model.xcdatamodel/contents": """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Memo" representedClassName="Memo" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="likes" optional="YES" attributeType="Integer 32"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person"/>
            </entity>
            <entity name="Person" representedClassName="Person" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String"/>
            </entity>
            </model>
            """,
            "List.json": """
            { "List": {
              "objects": {
                "memos": { "type": "ManagedObjectsProvider",
                           "attrs": { "entityName": "Memo", "sortByFields": "title", "predicateFormat": "likes >= 0" } },
                "people": { "type": "ManagedObjectsProvider", "attrs": { "entityName": "Person" } },
                "display": { "type": "TableDisplayController", "attrs": { "performSegueForCells": 1 },
                             "outlets": { "mainContentProvider": "memos", "tableView": "table", "searchController": "search" } },
                "search": { "type": "SearchActionController", "attrs": { "filterFormat": "title CONTAINS[cd] $input" },
                            "outlets": { "sender": "field" } },
                "load": { "type": "OnLoadActionController", "attrs": { "actionName": "memos" } },
                "again": { "type": "ButtonActionController", "attrs": { "actionName": "memos" }, "outlets": { "sender": "reload" } },
                "status": { "type": "ActionStatusController", "attrs": { "actionName": "memos" } } },
              "elements": {
                "@self": { "attrs": { "serviceProviderClassName": "StubServiceProvider" } },
                "star": { "bindings": [ { "to": "image", "predicateFormat": "status.success = TRUE", "ifTrue": "star", "ifFalse": "star" } ] },
                "titleText": { "bindings": [ { "from": "content.title", "placeholder": "Untitled" } ] } } } }
            """,
            "Detail.json": """
            { "Detail": { "elements": {
                "close": { "action": { "target": "@self", "selector": "backAction:" } },
                "body": { "bindings": [ { "from": "content.author.name", "transformer": "toString" } ] } } } }
            """,
            "StubService.json": """
            { "options": { "transformers": { "date": { "day": { "dateStyle": "medium" } } } },
              "actions": {
                "memos": { "path": "memos", "httpMethod": "GET", "resultType": "[Memo]", "clearPolicy": "after",
                           "response": [ { "title": "Begin" } ] },
                "people": { "resultType": "[Person]", "nextAction": "memos", "response": [] } } }
            """,
        ]
    }()

    static func reports(_ sources: [String: String]) throws -> [Report] {
        let compiled: BundleCompiler
        do {
            compiled = try BundleCompiler(sources.mapValues { Array($0.utf8) }, folder: "Mistakes")
        } catch {
            return error.errors.map { error in
                let place = String("\(error)".dropLast(": \(error.sentence)".count))
                return Report(code: "build", message: error.sentence, place: place, hint: error.hints.first)
            }
        }
        let files = Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
        do {
            let program = try WidgetKitReader.program(
                BundleFiles(files, images: ["star": ImageInfo()]), identifier: "test.Mistakes")
            return program.diagnostics.map { found in
                let place = found.place.map { $0.line > 0 ? "\($0.file):\($0.line):\($0.column)" : $0.file } ?? ""
                return Report(code: found.code.rawValue, message: found.message, place: place, hint: found.hint)
            }
        } catch {
            return [Report(code: "format", message: "\(error)", place: "Main.storyboard", hint: nil)]
        }
    }

    /// The line and column where a text begins in a file.
    private static func position(of text: String, in file: String) -> String? {
        guard let range = file.firstRange(of: text) else { return nil }
        let before = file[..<range.lowerBound]
        let line = before.count { $0 == "\n" } + 1
        let column = before.count - (before.lastIndex(of: "\n").map { before[...$0].count } ?? 0) + 1
        return ":\(line):\(column)"
    }

    // MARK: - Tests

    @Test func `The widget without a mistake has no diagnostics`() throws {
        #expect(try Self.reports(Self.sources).map(\.description) == [])
    }

    @Test func `Symbols of the system count among the pictures that a widget has, and other pictures do not`() throws {
        let board = try #require(Self.sources["Main.storyboard"])
        for (catalog, images) in [(#"catalog="system""#, ["plus", "star"]), ("", ["star"])] {
            var sources = Self.sources
            sources["Main.storyboard"] = board.replacing(
                "</subviews>", with: #"<imageView image="plus" \#(catalog) id="symbol"/></subviews>"#,
                maxReplacements: 1)
            let compiled = try BundleCompiler(sources.mapValues { Array($0.utf8) }, folder: "Mistakes")
            let files = Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
            let program = try WidgetKitReader.program(
                BundleFiles(files, images: ["star": ImageInfo()]), identifier: "test.Mistakes")
            #expect(program.images?.keys.sorted() == images)
        }
    }

    @Test func `No tab is a screen that nothing leads to`() throws {
        let screens = """
            tabs Main
                tab "One" -> One
                tab "Two" -> Two
            screen One "One"
                label first "The first"
            screen Two "Two"
                label second "The second"

            """
        let sources = ["Info.plist": Self.sources["Info.plist"], "Main.screens": screens].compactMapValues { $0 }
        #expect(try Self.reports(sources).map(\.message) == [])
    }

    @Test(arguments: AuthoringMistake.all)
    func `Each mistake is reported with its place and the next step`(mistake: AuthoringMistake) throws {
        let reports = try Self.reports(try mistake.applied(to: Self.sources))
        let found = reports.first { $0.code == mistake.code && $0.message.contains(mistake.message) }
        let report = try #require(found, "\(mistake): \(reports)")
        let file = try mistake.applied(to: Self.sources)[mistake.reportedFile] ?? ""
        if let at = mistake.at {
            let position = try #require(Self.position(of: at, in: file))
            #expect(report.place == mistake.reportedFile + position, "\(mistake): \(report)")
        } else {
            #expect(!report.place.isEmpty, "\(mistake): \(report)")
        }
        if let hint = mistake.hint { #expect(report.hint?.contains(hint) ?? false, "\(mistake): \(report)") }
    }

    @Test func `The mistakes score 2,7 of 3 on average, and none is missed`() {
        let all = AuthoringMistake.all
        #expect(all.count >= 59 && all.allSatisfy { $0.score > 0 })
        let average = Double(all.reduce(0) { $0 + $1.score }) / Double(all.count)
        #expect(average >= 2.7, "\(average)")
    }
}
