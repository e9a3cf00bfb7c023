import FoundationEssentials
import Testing
import WidgetBuild
import WidgetBundles
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetTestSupport

/// Goal: a finding about an element of an interface has the line of the element in the author's file, and none where that is
/// not certain. Method: sources with a storyboard and with screens as text, and findings about names in them.
@Suite struct `Lines of interfaces` {
    private static let info = """
        <plist><dict><key>CFBundleIdentifier</key><string>com.example.A</string>\
        <key>CFBundleName</key><string>A</string></dict></plist>
        """
    private static let storyboard = """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="vc"><scenes>
        <scene sceneID="s"><objects><viewController id="vc" restorationIdentifier="Notes" sceneMemberID="viewController">
        <view key="view" id="v">
        <userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="panel"/></userDefinedRuntimeAttributes>
        </view><connections><outlet property="panel" destination="v" id="o"/></connections>
        </viewController></objects></scene></scenes></document>
        """
    private static let screens = """
        screen Notes "title"
            label title "Notes"
            label twice ""
            label once "once"

        screen Other
            label twice ""
        """

    private static func paths(_ file: String, _ text: String, in scratch: borrowing ScratchDirectory) throws -> (
        AuthoredPaths, String
    ) {
        let folder = "\(scratch.path)/Source"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(info.utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(file)"))
        return (try BundleSource(opening: folder).paths, "\(folder)/\(file)")
    }

    private static func finding(_ value: String?) -> Finding {
        Finding(.warning, .missingName, "It has no name", at: Place(file: "vc-view-v.nib"), value: value)
    }

    @Test(arguments: [("panel", 5), ("v", nil), ("Notes", 2), ("nothing", nil), ("", nil)] as [(String, Int?)])
    func `A name that a storyboard gives once has its line`(name: String, line: Int?) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let (paths, file) = try Self.paths("Main.storyboard", Self.storyboard, in: scratch)
        let place = try #require(paths.named([Self.finding(name)]).first?.place)
        #expect(place.file == file && place.line == line ?? 0)
    }

    @Test(arguments: [("title", 2), ("twice", nil), ("once", 4), ("Notes", 1)] as [(String, Int?)])
    func `A name in screens as text has the line that it begins, and quoted texts have none`(
        name: String, line: Int?
    ) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let (paths, file) = try Self.paths("Main.screens", Self.screens, in: scratch)
        var finding = Self.finding(name)
        finding.place?.file = "Main.storyboardc"
        let place = try #require(paths.named([finding]).first?.place)
        #expect(place.file == file && place.line == line ?? 0)
    }

    @Test func `The identity of an entity has the line that names it, in the version of the model that there is`()
        throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let model = """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Memo" representedClassName="Memo" syncable="YES">
            <attribute name="memoId" optional="YES" attributeType="String"><userInfo>
            <entry key="JSONKeyPath" value="id"/></userInfo></attribute>
            <userInfo><entry key="identityAttribute" value="id"/></userInfo>
            </entity></model>
            """
        let folder = "\(scratch.path)/Source/Model.xcdatamodeld/Model.xcdatamodel"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(model.utf8).write(to: URL(filePath: "\(folder)/contents"))
        let (paths, _) = try Self.paths("Main.storyboard", Self.storyboard, in: scratch)
        var finding = Self.finding("id")
        finding.place?.file = "Model.momd"
        let place = try #require(paths.named([finding]).first?.place)
        #expect(place.file == "\(folder)/contents" && place.line == 5)
    }

    @Test func `A source is read once, so that its lines are those of what was built from it`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let (paths, file) = try Self.paths("Main.storyboard", Self.storyboard, in: scratch)
        #expect(paths.named([Self.finding("panel")]).first?.place?.line == 5)
        try Data("\n\n\(Self.storyboard)".utf8).write(to: URL(filePath: file))
        #expect(paths.named([Self.finding("panel")]).first?.place?.line == 5)
        #expect(
            try BundleSource(opening: "\(scratch.path)/Source").paths.named([Self.finding("panel")]).first?.place?.line
                == 7)
    }

    @Test func `Findings without a name, with a line, or of a bundle stay as they are`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let (paths, file) = try Self.paths("Main.storyboard", Self.storyboard, in: scratch)
        #expect(paths.named([Self.finding(nil)]).first?.place?.line == 0)
        let written = Finding(
            .warning, .missingName, "It has no name", at: Place(file: "Main.storyboardc", line: 7, column: 2),
            value: "panel")
        #expect(paths.named([written]).first?.place == Place(file: file, line: 7, column: 2))
        #expect(AuthoredPaths.own.named([Self.finding("panel")]) == [Self.finding("panel")])
    }
}
