import FoundationEssentials
import Testing
import WidgetBuild
import WidgetBundles
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetTestSupport

/// Goal: messages name files that are on the author's disk. Method: a source with a storyboard, a model, images and a
/// scheme, and every file of the bundle that is built from it.
@Suite struct `Paths of a built bundle` {
    private static let info = """
        <plist><dict><key>CFBundleIdentifier</key><string>com.example.A</string>\
        <key>CFBundleName</key><string>A</string></dict></plist>
        """

    private static let files = [
        "Info.plist": info, "Feed.json": "{}", "Art.xcassets/Contents.json": "{}",
        "Base.lproj/Main.storyboard": """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="vc"><scenes>
        <scene sceneID="s"><objects><viewController id="vc" sceneMemberID="viewController"><view key="view" id="v"/>
        </viewController></objects></scene></scenes></document>
        """,
        "Data.xcdatamodeld/One.xcdatamodel/contents": "<model><entity name='A'/></model>",
    ]

    /// Writes a source into a folder `Source`.
    private static func write(_ files: [String: String], to scratch: borrowing ScratchDirectory) throws -> String {
        let folder = "\(scratch.path)/Source"
        for (path, text) in files {
            let file = URL(filePath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    @Test func `Every file of a built bundle has the path of the file that it was made of`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try Self.write(Self.files, to: scratch)
        let source = try BundleSource(opening: folder)
        let taken = try source.take()
        #expect(source.paths.areOfSources && taken.bundle.files.count > 4)
        for file in taken.bundle.files {
            let path = source.paths.source(of: file.path)
            #expect(FileManager.default.fileExists(atPath: path), "\(file.path) is \(path)")
        }
        for (built, authored) in [
            ("Feed.json", "Feed.json"), ("A.bundle/Feed.json", "Feed.json"),
            ("Base.lproj/Main.storyboardc", "Base.lproj/Main.storyboard"),
            ("vc-view-v.nib", "Base.lproj/Main.storyboard"),
            ("Data.momd/One.mom", "Data.xcdatamodeld/One.xcdatamodel/contents"),
        ] {
            #expect(source.paths.source(of: built) == "\(folder)/\(authored)")
        }
    }

    @Test func `A row inside an interface is in the file of the interface`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try Self.write(Self.files, to: scratch)
        let paths = try BundleSource(opening: folder).paths
        #expect(
            paths.named(Place(file: "vc-view-v.nib › Card", path: "UILabel"))
                == Place(file: "\(folder)/Base.lproj/Main.storyboard", path: "Card: UILabel"))
        #expect(
            paths.named(Place(file: "vc-view-v.nib › Card › Chip", path: "UILabel"))
                == Place(file: "\(folder)/Base.lproj/Main.storyboard", path: "Card › Chip: UILabel"))
        let own = Place(file: "vc-view-v.nib › Card", path: "UILabel")
        #expect(AuthoredPaths.own.named(own) == own)
    }

    @Test func `The working directory and slashes at the end of a folder are not repeated in paths`() throws {
        #expect(AuthoredPaths.start(".").isEmpty && AuthoredPaths.start("./").isEmpty)
        #expect(AuthoredPaths.start("./Notes//") == "./Notes" && AuthoredPaths.start("/") == "/")
    }

    @Test func `A bundle that was not built keeps its own paths`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try Self.write(["Info.plist": Self.info, "Feed.json": "{}"], to: scratch)
        let source = try BundleSource(opening: folder)
        #expect(!source.paths.areOfSources && source.paths.source(of: "Feed.json") == "Feed.json")
    }

    @Test func `The refusal of a built bundle names the source`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var files = Self.files
        files["Feed.json"] = "{\n,}"
        let broken = try Self.write(files, to: scratch)
        let error = #expect(throws: SourceError.self) { _ = try BundleSource(opening: broken).take() }
        guard case .build(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.errors.map { "\($0)".hasPrefix("\(broken)/Feed.json:2:1: ") } == [true])
    }

    @Test func `The refusal of a predicate names the source in each finding`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var files = Self.files
        files["Feed.json"] = #"{"Feed": {"elements": {"a": {"bindings": [{"predicateFormat": "a = %@"}]}}}}"#
        let broken = try Self.write(files, to: scratch)
        let error = #expect(throws: SourceError.self) { _ = try BundleSource(opening: broken).take() }
        guard case .bundle(let refusal)? = error, case .policy(let findings) = refusal.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings.map(\.place?.file) == ["\(broken)/Feed.json"])
    }
}
