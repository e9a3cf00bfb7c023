import Testing
import WidgetBuild

@Suite struct `All errors of a source` {
    private static let manifest =
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.A</string></dict></plist>"

    private static func storyboard(_ views: String, scenes: String = "", extra: String = "") -> String {
        """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
        <viewController id="vc" sceneMemberID="viewController"><view key="view" id="v"><subviews>
        \(views)
        </subviews></view>\(extra)</viewController></objects></scene>
        \(scenes)</scenes></document>
        """
    }

    private static func failure(_ sources: [String: String]) -> BuildFailure? {
        let files = sources.merging(["Info.plist": manifest]) { own, _ in own }
        return #expect(throws: BuildFailure.self) {
            try BundleCompiler(files.mapValues { Array($0.utf8) }, folder: "A")
        }
    }

    private static func found(_ sources: [String: String]) -> [String] {
        failure(sources)?.errors.map { "\($0)" } ?? []
    }

    @Test(arguments: [
        (
            "an element with an id", "<lable id=\"l\"/>", "A.storyboard:3:1: lable cannot be compiled",
            "did you mean label?"
        ),
        ("an element without one", "<lable/>", "A.storyboard:3:1: lable has no id", "did you mean label?"),
    ])
    func `A misspelt element is answered with the nearest one`(
        _ what: String, _ element: String, _ line: String, _ hint: String
    ) {
        let failure = Self.failure(["A.storyboard": Self.storyboard(element)])
        #expect(failure?.errors.map { "\($0)" } == [line], "\(what)")
        #expect(failure?.hints.first == hint)
    }

    @Test func `A segue to nowhere names its destination, and the screen that it is nearest to`() {
        func segue(_ id: String) -> String {
            "<connections><segue kind=\"show\" destination=\"\(id)\" id=\"o\"/></connections>"
        }
        let screen = "<scene sceneID=\"t\"><objects><viewController id=\"next-0\"/></objects></scene>"
        for (id, reason, hints) in [
            ("next-1", "no object has the id next-1", ["did you mean next-0?"]), ("v", "v is the id of a view", []),
        ] {
            let source = Self.storyboard("", scenes: screen, extra: segue(id))
            let failure = Self.failure(["A.storyboard": source])
            #expect(failure?.errors.first?.sentence == "the segue leads to no screen: \(reason)")
            #expect(failure?.hints == hints)
        }
    }

    @Test(arguments: [("Text", "it can be Integer 16, "), ("Intger 32", "did you mean Integer 32?")])
    func `An unknown type of a model's attribute is answered with the types there are`(
        _ type: String, _ hint: String
    ) {
        let model = "<model><entity name='A'><attribute name='a' attributeType='\(type)'/></entity></model>"
        let hints = Self.failure(["M.xcdatamodel/contents": model])?.hints ?? []
        #expect(hints.count == 1 && hints.first?.hasPrefix(hint) == true, "\(hints)")
    }

    @Test func `The errors of a folder begin with its path where it is given`() throws {
        let failure = try #require(Self.failure(["A.storyboard": Self.storyboard("<lable/>")])).within("Notes")
        #expect("\(failure)" == "Notes/A.storyboard:3:1: lable has no id")
        #expect(BuildFailure(BuildError("it is too large", path: "")).within("Notes").errors.map(\.path) == ["Notes"])
    }

    @Test func `The errors of all files are found in one run, sorted by file and place`() {
        let found = Self.found([
            "B.storyboard": Self.storyboard("<fluxView id=\"a\"/>\n<label id=\"b\" tag=\"x\"/>"),
            "Cell.xib": "<document>", "M.xcdatamodeld/M.xcdatamodel/contents": "<model><entity/>\n<x/></model>",
            "Art.xcassets/a.imageset/Contents.json": "{", "notes.doc": "", "Info.plist": "<plist><dict/></plist>",
        ])
        #expect(
            found == [
                "Art.xcassets/a.imageset/Contents.json:1:2: the document ends too early",
                "B.storyboard:3:1: fluxView cannot be compiled",
                "B.storyboard:4:15: tag is \"x\", but has to be a whole number",
                "Cell.xib:1:11: the document ends too early", "Info.plist: CFBundleIdentifier is missing",
                "M.xcdatamodeld/M.xcdatamodel/contents:1:8: entity has no name",
                "M.xcdatamodeld/M.xcdatamodel/contents:2:1: the element x in model cannot be compiled",
                "notes.doc: nothing is known about files like \"notes.doc\"",
            ])
    }

    @Test func `An element that cannot be compiled does not hide errors of the elements in it and after it`() {
        let views = """
            <fluxView id="a"><rect key="frame" x="0"/><subviews><label id="b" tag="x"/>
            <view id="c"><subviews><switch id="d" tag="x"/></subviews></view></subviews></fluxView>
            <label>
            <fog/></label><button id="e">
            <connections><action selector="a" destination="nothing" id="x"/><wire/></connections></button>
            <tableView id="t"><prototypes><tableViewCell id="u" reuseIdentifier="U">
            <tableViewCellContentView key="contentView" id="w" tag="x"/></tableViewCell></prototypes></tableView>
            """
        #expect(
            Self.found(["A.storyboard": Self.storyboard(views)]) == [
                "A.storyboard:3:1: fluxView cannot be compiled",
                "A.storyboard:3:67: tag is \"x\", but has to be a whole number",
                "A.storyboard:4:39: tag is \"x\", but has to be a whole number",
                "A.storyboard:5:1: label has no id",
                "A.storyboard:7:14: no object has the id nothing",
                "A.storyboard:7:65: wire cannot be compiled",
                "A.storyboard:9:52: tag is \"x\", but has to be a whole number",
            ])
    }

    @Test func `An unknown screen is one error, and segues to it are not errors`() {
        let scenes = """
            <scene sceneID="p"><objects><fluxViewController id="p"><view key="view" id="pv"><subviews>
            <label id="pl" tag="x"/></subviews></view></fluxViewController></objects></scene>
            """
        let segue = "<connections><segue kind=\"show\" destination=\"p\" id=\"o\"/></connections>"
        #expect(
            Self.found(["A.storyboard": Self.storyboard("", scenes: scenes, extra: segue)]) == [
                "A.storyboard:5:29: fluxViewController cannot be compiled",
                "A.storyboard:6:16: tag is \"x\", but has to be a whole number",
            ])
    }

    @Test func `Errors of one kind in one file are one line with their number and first places`() throws {
        let labels = (1...9).map { "<label id=\"l\($0)\" tag=\"x\"/>" }.joined(separator: "\n")
        let failure = try #require(
            Self.failure([
                "A.storyboard": Self.storyboard(labels),
                "B.storyboard": Self.storyboard("<label id=\"x\" tag=\"x\"/>"),
            ]))
        #expect(failure.summary == "10 errors in 2 files")
        #expect(
            failure.lines == [
                "A.storyboard:3:16: tag is \"x\", but has to be a whole number "
                    + "(9 times, also at 4:16, 5:16, 6:16, 7:16, 4 more)",
                "B.storyboard:3:15: tag is \"x\", but has to be a whole number",
            ])
        #expect(failure.hints.isEmpty)
    }

    @Test func `Errors that differ only in the id of an object are of one kind`() throws {
        let outlets = ["aaa-aa-aaa", "bbb-bb-bbb"].map {
            "<outlet property=\"p\" destination=\"\($0)\" id=\"\($0)o\"/>"
        }
        let failure = try #require(
            Self.failure([
                "A.storyboard": Self.storyboard("", extra: "<connections>\(outlets.joined())</connections>")
            ]))
        #expect(
            failure.lines == [
                "A.storyboard:4:32: no object has the id aaa-aa-aaa (2 times, also at 4:96)"
            ])
    }

    @Test func `A file with very many errors is left after two hundred, and the list is short`() throws {
        let elements = (1...900).map { "<odd\($0) id=\"i\($0)\"/>" }.joined()
        let failure = try #require(
            Self.failure(["A.storyboard": Self.storyboard(elements), "B.xib": "<document>"]))
        #expect(failure.errors.count { $0.path == "A.storyboard" } == 200)
        #expect(failure.unfinished == ["A.storyboard"])
        #expect(failure.errors.last?.path == "B.xib")
        #expect(failure.summary == "201 or more errors in 2 files")
        #expect(failure.lines.count == BuildFailure.lineCount + 2)
        #expect(failure.lines.dropLast().last == "and 141 errors of 141 other kinds in 2 files")
        #expect(failure.lines.last == "A.storyboard: has more errors than are listed; mend these first")
    }

    @Test func `Each error of a model's version is found`() {
        let model = """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" odd="1"><entity name="A" odd="2">
            <attribute name="a" attributeType="Odd"/><attribute name="b" attributeType="String" optional="odd"/>
            <relationship name="r"/></entity><entity/></model>
            """
        #expect(
            Self.found(["M.xcdatamodeld/M.xcdatamodel/contents": model]).map { $0.dropFirst(38) } == [
                "1:76: the attribute odd of model cannot be compiled",
                "1:101: the attribute odd of entity cannot be compiled", "2:21: the type Odd is unknown",
                "2:85: optional must be YES or NO", "3:1: relationship has no destinationEntity",
                "3:34: entity has no name",
            ])
    }
}
