import JSONText
import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetFormats

/// Goal: every limit of reading that is reached is reported. Method: each limit set low, and a bundle just over it.
@Suite struct `A limit of reading` {
    private static func limits(_ change: (inout FormatLimits) -> Void) -> FormatLimits {
        var limits = FormatLimits()
        change(&limits)
        return limits
    }

    private static func codes(_ program: Program) -> [Finding.Code] { program.diagnostics.map(\.code) }

    /// The diagnostics of a screen of these views and this scheme, within low limits.
    private static func found(
        _ views: [(class: String, name: String)] = [("UILabel", "one"), ("UILabel", "two")], _ scheme: String = "",
        files: [String: [UInt8]] = [:], _ change: (inout FormatLimits) -> Void
    ) throws -> [Finding.Code] {
        var all = files
        all["Main.storyboardc/main.nib"] = TestInterface.screen("Main", views)
        all["Main.json"] = Array("{\"Main\": {\(scheme)}}".utf8)
        let low = try TestInterface.program([("Main", "main")], all, limits(change))
        let usual = try TestInterface.program([("Main", "main")], all)
        #expect(codes(usual).isEmpty, "within the usual limits nothing is wrong")
        return codes(low)
    }

    @Test func `Reading limits screens, interfaces and elements`() throws {
        let nib = TestInterface.screen(nil)
        let screens = try TestInterface.program(
            [("A", "a"), ("B", "b")], ["Main.storyboardc/a.nib": nib, "Main.storyboardc/b.nib": nib],
            Self.limits { $0.screenCount = 1 })
        #expect(Self.codes(screens) == [.nodeBudget] && screens.entries.count == 1)
        let bytes = try TestInterface.program(
            [("A", "a"), ("B", "b")], ["Main.storyboardc/a.nib": nib, "Main.storyboardc/b.nib": nib],
            Self.limits { $0.interfaceByteCount = nib.count })
        #expect(Self.codes(bytes) == [.badFile])
        #expect(try Self.found { $0.nodeCount = 2 } == [.nodeBudget])
    }

    @Test func `Reading limits storyboards, those without a screen too`() throws {
        func list(_ screens: String, _ others: [String] = []) -> [UInt8] {
            let references = others.map {
                "<key>to\($0)</key><dict><key>UIReferencedStoryboardName</key><string>\($0)</string></dict>"
            }
            return Array(
                """
                <plist version="1.0"><dict><key>UIViewControllerIdentifiersToNibNames</key><dict>\(screens)</dict>
                <key>UIViewControllerIdentifiersToExternalStoryboardReferences</key><dict>\(references.joined())</dict>
                <key>UIStoryboardDesignatedEntryPointIdentifier</key><string>A</string></dict></plist>
                """.utf8)
        }
        let (screen, nib) = ("<key>A</key><string>a</string>", TestInterface.screen(nil))
        let files = BundleFiles([
            "Main.storyboardc/Info.plist": list(screen, ["Empty", "Other"]), "Main.storyboardc/a.nib": nib,
            "Empty.storyboardc/Info.plist": list(""), "Other.storyboardc/Info.plist": list(screen),
            "Other.storyboardc/a.nib": nib,
        ])
        for (count, isLimited) in [(2, true), (3, false)] {
            let limits = Self.limits { $0.screenCount = count }
            let program = try WidgetKitReader.program(files, identifier: "test", limits: limits)
            let sentence = "The storyboards have more than \(count) screens"
            #expect(program.diagnostics.contains { "\($0)".contains(sentence) } == isLimited, "\(program.diagnostics)")
        }
    }

    @Test func `Reading limits stacks in stacks`() throws {
        func stack(_ depth: Int) -> [UInt8] {
            var interface = TestInterface()
            let root = interface.add("NSObject")
            var inner = interface.add("UIViewController", [("UIView", .object(interface.add("UIView")))])
            for _ in 0..<depth {
                let outer = interface.add("UINavigationController")
                interface.set(outer, "UIChildViewControllers", interface.list([inner]))
                inner = outer
            }
            interface.set(root, "UINibTopLevelObjectsKey", interface.list([inner]))
            return interface.bytes
        }
        for (depth, codes) in [(2, []), (3, [Finding.Code.depthBudget])] {
            let program = try TestInterface.program(
                [("A", "a")], ["Main.storyboardc/a.nib": stack(depth)], Self.limits { $0.stackDepth = 2 })
            #expect(Self.codes(program) == codes, "\(depth) stacks")
        }
    }

    @Test func `Reading limits the content of schemes`() throws {
        let objects = #""objects": {"a": {"type": "ItemsCollection"}, "b": {"type": "ItemsCollection"}}"#
        #expect(try Self.found([], objects) { $0.mediatorCount = 1 } == [.mediatorBudget])
        let attributes = #""elements": {"one": {"attrs": {"text": "a", "alpha": 1}}, "two": {"attrs": {"text": "b"}}}"#
        #expect(
            try Self.found([("UILabel", "one"), ("UILabel", "two")], attributes) { $0.attributeCount = 2 } == [
                .nodeBudget
            ])
        #expect(
            try Self.found([("UILabel", "one"), ("UILabel", "two")], attributes) { $0.settingCount = 2 } == [
                .nodeBudget
            ])
        #expect(
            try Self.found([("UILabel", "one"), ("UILabel", "two")], attributes) { $0.propertyCount = 1 } == [
                .nodeBudget
            ])
        #expect(try Self.found { $0.dataByteCount = 5 } == [.byteBudget])
        let bindings =
            #""elements": {"@self": {"bindings": [{"to": "title", "from": "content"}, {"to": "content", "from": "title"}]}}"#
        #expect(try Self.found([], bindings) { $0.screenBindingCount = 1 } == [.nodeBudget])
    }

    @Test func `Reading limits the settings of a scheme, and the changes of an action`() throws {
        #expect(try Self.found([], #""defaults": {"a": 1, "b": 2}"#) { $0.initialSettingCount = 1 } == [.countBudget])
        let service = #"{"actions": {"a": {"records": [{"delete": "Note"}, {"delete": "Note"}]}}}"#
        let reader = ServiceReader(
            Array(service.utf8), path: "Service.json", name: "s", isScripted: false,
            Self.limits { $0.recordChangeCount = 1 })
        #expect(reader.diagnostics.map(\.code) == [.countBudget])
        #expect(reader.service?.actions["a"]?.changes.isEmpty == true)
        #expect(reader.service?.actions["a"]?.fault == "a makes more than 1 changes")
    }

    @Test func `Reading limits lists of elements, and the bindings that they trigger`() throws {
        let status =
            #""objects": {"s": {"type": "ActionStatusController", "attrs": {"actionName": "a"}, "outlets": {"elements": ["one", "two"]}}}"#
        #expect(
            try Self.found([("UILabel", "one"), ("UILabel", "two")], status) { $0.triggerCount = 1 } == [
                .mediatorBudget
            ])
        #expect(
            try Self.found([("UILabel", "one"), ("UILabel", "two")], status) { $0.namedCount = 1 } == [.nodeBudget])
    }

    @Test func `Reading limits the steps of a chain, of which the first ones work`() throws {
        func scheme(_ count: Int) -> String {
            let steps = (0..<count).map { _ in #""wx_takeFirst:""# }.joined(separator: ", ")
            let arguments = (0..<count).map { _ in #""1""# }.joined(separator: ", ")
            return
                #""objects": {"a": {"type": "ItemsCollection", "attrs": {"resultChain": [\#(steps)], "resultChainArgs": [\#(arguments)]}}}"#
        }
        #expect(try Self.found([], scheme(3)) { $0.linkCount = 2 } == [.countBudget])
        let long = try TestInterface.program([], scheme: scheme(51))
        #expect(Self.codes(long) == [.countBudget])
        #expect(long.scenes.values.first?.sources.first?.chain?.links.count == 50)
    }

    @Test func `Reading limits how often items repeat`() throws {
        let scheme =
            #""objects": {"a": {"type": "ItemsCollection"}, "d": {"type": "CollectionCircleScrollController", "attrs": {"circleScrollFactor": 9}, "outlets": {"mainContentProvider": "a", "collectionView": "grid"}}}"#
        #expect(try Self.found([("UICollectionView", "grid")], scheme) { $0.repetitionCount = 5 } == [.rowBudget])
    }

    @Test func `Reading limits files of rows`() throws {
        let scheme =
            #""objects": {"a": {"type": "ItemsCollection"}, "d": {"type": "TableDisplayController", "attrs": {"cellNibNames": ["r", "s"]}, "outlets": {"mainContentProvider": "a", "tableView": "list"}}}"#
        let files = ["r.nib": TestInterface.row("r"), "s.nib": TestInterface.row("s")]
        #expect(
            try Self.found([("UITableView", "list")], scheme, files: files) { $0.rowFileCount = 1 } == [.nodeBudget])
        #expect(
            try Self.found([("UITableView", "list")], scheme, files: files) { $0.rowFileUseCount = 1 } == [.nodeBudget])
    }

    // MARK: - Services

    private static func service(_ text: String, _ change: (inout FormatLimits) -> Void) -> [Finding.Code] {
        func codes(_ limits: FormatLimits) -> [Finding.Code] {
            ServiceReader(Array(text.utf8), path: "Service.json", name: "S", isScripted: true, limits).diagnostics
                .map(\.code)
        }
        #expect(codes(FormatLimits()).isEmpty, "within the usual limits nothing is wrong")
        return codes(limits(change))
    }

    @Test func `Reading limits services`() {
        let text = """
            {"options": {"debugDelay": 9}, "defaults": {"parameters": {"a": "1", "b": "2"}}, "actions": {
            "one": {"path": "1", "response": {}, "cacheSeconds": 60, "headers": {"X": "long enough"}, "parameters": {"c": "3"}},
            "two": {"path": "2", "response": {}}}}
            """
        #expect(Self.service(text) { $0.actionCount = 1 } == [.nodeBudget])
        #expect(Self.service(text) { $0.headerByteCount = 5 } == [.byteBudget])
        #expect(Set(Self.service(text) { $0.repeatedMemberCount = 1 }) == [.badFile])
        #expect(Self.service(text) { $0.longestScriptedDelay = 5 } == [.badValue])
        #expect(Self.service(text) { $0.longestCacheTime = 5 } == [.badValue])
        #expect(Self.service(text) { $0.serviceByteCount = 5 } == [.badFile])
        let pattern = String(repeating: "y", count: DatePattern.patternLength + 1)
        let long = #"{"actions": {}, "options": {"transformers": {"date": {"d": {"format": "\#(pattern)"}}}}}"#
        let reader = ServiceReader(Array(long.utf8), path: "Service.json", name: "S", isScripted: false)
        #expect(reader.diagnostics.map(\.code) == [.byteBudget])
    }
}

/// Goal: every front end has a row in the list. Method: the list, asked as hosts ask it.
@Suite struct `The list of front ends` {
    @Test func `The list of front ends has each under a different name, and knows which files they read`() {
        #expect(Set(FrontEnds.all.map { $0.name }).count == FrontEnds.all.count)
        #expect(FrontEnds.endings.isSuperset(of: [".json", ".nib", ".mom"]))
    }

    @Test func `The list of front ends lowers a bundle that one of them recognises`() throws {
        let nib = TestInterface.screen("Main")
        let files = TestInterface.files([("Main", "main")], ["Main.storyboardc/main.nib": nib])
        #expect(WidgetKitReader.recognises(files))
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test"))
        #expect(program.identifier == "test" && program.entries["Main"] != nil)
    }

    @Test func `The first front end says what is missing where none recognises the bundle`() {
        let files = BundleFiles(["readme.json": []])
        #expect(!WidgetKitReader.recognises(files))
        #expect(throws: FormatError.missingStoryboard("Main")) {
            try FrontEnds.program(files, ProgramOptions(identifier: "test"))
        }
    }
}
