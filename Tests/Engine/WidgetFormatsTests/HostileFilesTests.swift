import JSONText
import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: repetitive files of a bundle cost no more than a named limit allows. Method: files that took minutes to read,
/// or that gave a different result in each run.
@Suite struct `Files that would take long to read` {
    private static func messages(_ program: Program, _ code: Finding.Code) -> [String] {
        program.diagnostics.filter { $0.code == code }.map(\.message)
    }

    // MARK: - Interfaces

    @Test func `Files may name one interface as 20,000 screens`() throws {
        let nib = TestInterface.screen("Main", (0..<400).map { ("UILabel", "label \($0)") })
        let program = try TestInterface.program(
            (0..<20_000).map { ("screen \($0)", "main") }, ["Main.storyboardc/main.nib": nib])
        #expect(program.scenes.count == 1 && program.entries.count == 256)
        #expect(program.entries.values.allSatisfy { $0.scene == "Main" })
        #expect(Self.messages(program, .nodeBudget) == ["The storyboard has more than 256 screens"])
    }

    @Test func `Files may begin with the last of too many screens`() throws {
        let screens = (0..<300).map { ("screen \($0)", "main") }
        let files = ["Main.storyboardc/main.nib": TestInterface.screen("Main")]
        let program = try TestInterface.program(screens, files)
        #expect(program.initial == "screen 0" && program.entries["screen 255"] != nil)
        let last = try TestInterface.program([screens[299]] + screens.dropLast(), files)
        #expect(last.entries[last.initial]?.scene == "Main" && last.entries.count == 256)
    }

    @Test func `Files may have more bytes of interfaces than any screen shows`() throws {
        // An interface without a name becomes a different screen under each identifier.
        let nib = TestInterface.screen(nil, (0..<2_000).map { ("UIView", "view \($0)") })
        let program = try TestInterface.program(
            (0..<250).map { ("screen \($0)", "main") }, ["Main.storyboardc/main.nib": nib])
        #expect(program.scenes.count == (1 << 20) / nib.count)
        #expect(Self.messages(program, .badFile).allSatisfy { $0.contains("more than 1048576 bytes") })
        #expect(!Self.messages(program, .badFile).isEmpty)
    }

    @Test func `Files may name files of rows in every list`() throws {
        let names = (0..<100).map { "row\($0)" }.joined(separator: "|")
        let files = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("row\($0).nib", TestInterface.row()) })
        let tables = (0..<100).map {
            #""t\#($0)": {"type": "TableDisplayController", "attrs": {"cellNibNames": "\#(names)"}, "outlets": {"tableView": "list\#($0)"}}"#
        }
        let program = try TestInterface.program(
            (0..<100).map { ("UITableView", "list\($0)") },
            scheme: "\"objects\": {\(tables.joined(separator: ","))}", files: files)
        #expect(
            Self.messages(program, .nodeBudget) == ["The lists of a screen name more than 400 files of rows"])
        let lists = try #require(program.scenes["Main"]).nodes.compactMap(\.list)
        #expect(lists.map(\.prototypes.count).filter { $0 > 0 } == [100, 100, 100, 100])
    }

    @Test func `Files may fill rows of a list that is missing`() throws {
        for name in ["#99999", "#-1", "-1", "x-7"] {
            let program = try TestInterface.program(
                [("UITableView", "list")],
                scheme: """
                    "objects": {"t": {"type": "TableDisplayController", "attrs": {"cellNibNames": "row"},
                                      "outlets": {"tableView": "\(name)"}}}
                    """, files: ["row.nib": TestInterface.row()])
            #expect(Self.messages(program, .unknownIdentifier).contains("t has no list on the screen to fill"))
        }
    }

    @Test func `Files may give one row two names, and a segue for each`() throws {
        var interface = TestInterface()
        let root = interface.add("NSObject")
        let controller = interface.add("UIViewController")
        interface.set(root, "UINibTopLevelObjectsKey", interface.list([controller]))
        let name = interface.text("Main")
        interface.set(controller, "UIStoryboardIdentifier", name)
        interface.set(controller, "UIRestorationIdentifier", name)
        let list = interface.add("UITableView")
        let view = interface.add("UIView")
        interface.set(view, "UISubviews", interface.list([list]))
        interface.set(controller, "UIView", view)
        let names = (0..<8).flatMap { ["file\($0)", "own\($0)"] }
        let segues = names.map { name in
            interface.add(
                "UIStoryboardSegueTemplate",
                [
                    ("UIIdentifier", .object(interface.text(name))),
                    ("UIDestinationViewControllerIdentifier", .object(interface.text("to \(name)"))),
                ])
        }
        interface.set(controller, "UIStoryboardSegueTemplates", interface.list(segues))
        interface.set(
            root, "UINibKeyValuePairsKey",
            interface.list([
                interface.add(
                    "UINibKeyValuePair",
                    [
                        ("UIObject", .object(list)), ("UIKeyPath", .object(interface.text("wx.identifier"))),
                        ("UIValue", .object(interface.text("list"))),
                    ])
            ]))
        var files = ["Main.storyboardc/main.nib": interface.bytes]
        for place in 0..<8 { files["file\(place).nib"] = TestInterface.row("own\(place)") }
        files["Main.json"] = Array(
            #"""
            {"Main": {"objects": {"t": {"type": "TableDisplayController",
              "attrs": {"cellNibNames": "file0|file1|file2|file3|file4|file5|file6|file7"}, "outlets": {"tableView": "list"}}}}}
            """#.utf8)
        let scene = try #require(TestInterface.program([("Main", "main")], files).scenes["Main"])
        let prototypes = try #require(scene.nodes.first { $0.kind == .list }?.list?.prototypes)
        for place in 0..<8 {
            let row = try #require(prototypes["own\(place)"])
            let shown = (scene.nodes[row].events[.select] ?? []).compactMap { step in
                if case .show(let destination, _) = step { destination } else { nil }
            }
            #expect(shown == ["to file\(place)", "to own\(place)"], "in the order of their names, in every run")
        }
    }

    // MARK: - Schemes

    @Test func `Files may give an element more properties than it uses`() throws {
        let attributes = (0..<5_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let program = try TestInterface.program(
            [("UILabel", "label")], scheme: "\"elements\": {\"label\": {\"attrs\": {\(attributes)}}}")
        let label = try #require(program.scenes["Main"]?.nodes.first { $0.identifier == "label" })
        #expect(label.properties.count == 64)
        #expect(Self.messages(program, .nodeBudget) == ["An element has more than 64 properties"])
    }

    @Test func `Files may bind more properties than a screen has`() throws {
        let bindings = (0..<8_000).map { "{\"to\": \"defaults.x\($0)\", \"from\": \"title\"}" }
        let program = try TestInterface.program(
            [], scheme: "\"elements\": {\"@self\": {\"bindings\": [\(bindings.joined(separator: ","))]}}")
        #expect(program.scenes["Main"]?.reactions.count == 1_000)
        #expect(Self.messages(program, .nodeBudget) == ["A screen has more than 1000 bindings of its own"])
    }

    @Test func `Files may have every status follow every element`() throws {
        let names = (0..<200).map { "\"l\($0)\"" }.joined(separator: ",")
        let statuses = (0..<300).map {
            #""s\#($0)": {"type": "ActionStatusController", "attrs": {"actionName": "a"}, "outlets": {"elements": [\#(names)]}}"#
        }
        let program = try TestInterface.program(
            (0..<200).map { ("UILabel", "l\($0)") },
            scheme: "\"objects\": {\(statuses.joined(separator: ","))}")
        #expect(
            Self.messages(program, .mediatorBudget) == [
                "The lists of elements of all mediators have more than 50000 entries"
            ])
    }

    @Test(arguments: [
        #""bindings": [\#((0..<1_000).map { "{\"to\": \"k\($0)\"}" }.joined(separator: ","))]"#,
        #""attrs": {\#((0..<1_000).map { "\"k\($0)\": 1" }.joined(separator: ","))}"#,
        #""outlets": {\#((0..<1_000).map { "\"k\($0)\": \"x\"" }.joined(separator: ","))}"#,
    ])
    func `Files may say much of an element that every kind of row has`(saying: String) throws {
        let names = (0..<100).map { "row\($0)" }
        let program = try TestInterface.program(
            [("UITableView", "list")],
            scheme: """
                "objects": {"t": {"type": "TableDisplayController", "attrs": {"cellNibNames": "\(names.joined(separator: "|"))"},
                                  "outlets": {"tableView": "list"}}}, "elements": {"x": {\(saying)}}
                """,
            files: Dictionary(uniqueKeysWithValues: names.map { ("\($0).nib", TestInterface.row(label: "x")) }))
        let limit = "The elements of a screen have more than 50000 attributes, outlets and bindings"
        #expect(Self.messages(program, .nodeBudget).filter { $0 == limit }.count == 1)
    }

    @Test func `Long texts of files are quoted in short`() throws {
        let long = String(repeating: "ä", count: 100_000)
        let scheme = """
            "elements": {"label": {"bindings": [{"from": "title", "format": "\(long)"}]},
                         "\(long)": {"attrs": {\((0..<1_000).map { "\"a\($0)\": 1" }.joined(separator: ","))}}}
            """
        let file = SchemeFile(Array("{\"Main\": {\(scheme)}}".utf8), path: "Main.json", identifier: "Main")
        let places = file.elements[1].attributes.map(\.value.place)
        #expect(places.count == 1_000 && places.allSatisfy { $0.path.utf8.count < 250 })
        let program = try TestInterface.program([("UILabel", "label")], scheme: scheme)
        let label = try #require(program.scenes["Main"]?.nodes.first { $0.identifier == "label" })
        let source = try #require(label[.text]?.source)
        #expect(source.hasPrefix("title \"ää") && source.hasSuffix("ä…") && source.utf8.count < 210)
    }

    // MARK: - Services

    private static func service(_ text: String) -> ServiceReader {
        ServiceReader(Array(text.utf8), path: "Service.json", name: "StandardServiceProvider", isScripted: false)
    }

    @Test func `Files may have more actions than are ever called`() {
        let actions = (0..<20_000).map { "\"a\($0)\": {\"path\": \"https://a.example\"}" }.joined(separator: ",")
        let reader = Self.service("{\"actions\": {\(actions)}}")
        #expect(reader.service?.actions.count == 10_000)
        #expect(reader.diagnostics.map(\.message) == ["A service has more than 10000 actions"])
    }

    @Test func `Complaints about actions come in the order of the file`() {
        let actions = (0..<50).map { "\"a\($0)\": {\"path\": \"https://a.example\", \"nextAction\": \"none\($0)\"}" }
            .joined(separator: ",")
        let names = Self.service("{\"actions\": {\(actions)}}").diagnostics.map { $0.message.prefix { $0 != " " } }
        #expect(names == (0..<50).map { "a\($0)" })
    }

    @Test func `Files may ask for more headers than a server accepts`() {
        let long = String(repeating: "x", count: 5_000)
        let reader = Self.service(
            """
            {"defaults": {"baseUrl": "https://a.example", "headers": {"A": "\(long)", "B": "one\\r\\ntwo\\nthree"}},
             "actions": {"usual": {}, "more": {"headers": {"C": "\(long)"}}, "other": {"headers": {"A": "a\\u2028b"}}}}
            """)
        let actions = reader.service?.actions ?? [:]
        #expect(actions["usual"]?.headers.map(\.value) == [long, "one two three"])
        #expect(actions["more"]?.headers.isEmpty == true)
        #expect(actions["other"]?.headers.map(\.value) == ["a b", "one two three"])
        #expect(reader.diagnostics.map(\.code) == [.byteBudget] && reader.diagnostics.first?.place?.path == "more")
    }

    @Test func `Files may put many combining marks on one letter`() throws {
        let marks = "e" + String(repeating: "\u{301}\u{323}", count: 200_000)
        let reader = Self.service("{\"actions\": {\"\(marks)\": {}}}")
        #expect(reader.service == nil && reader.diagnostics.map(\.code) == [.badFile])
        let program = try TestInterface.program(
            [], scheme: "\"objects\": {\"\(marks)\": {\"type\": \"ItemsCollection\"}}")
        #expect(Self.messages(program, .badFile) == ["more than 64 combining marks stand on one letter"])
    }
}
