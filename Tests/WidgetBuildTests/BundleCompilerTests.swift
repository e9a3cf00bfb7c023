import Nib
import ObjectModel
import Plist
import TestSupport
import Testing
import WidgetBuild

@Suite struct `A bundle's source` {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let manifest = text(
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.A</string></dict></plist>")

    private static func starter() throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try #require(Starter(named: "Notes")).files.map { ($0.path, $0.bytes) })
    }

    @Test func `to begin with is compiled to a bundle, the same every time`() throws {
        let compiled = try BundleCompiler(try Self.starter(), folder: "Elsewhere")
        #expect(compiled.name == "Notes")
        #expect(compiled.notes == ["README.md: left out, it is not for the bundle"])
        let paths = compiled.files.map(\.path)
        #expect(paths == paths.sorted())
        for path in [
            "Info.plist", "NotesViewController.json", "StubService.json", "Model.momd/Model.mom",
            "Model.momd/VersionInfo.plist", "Base.lproj/Main.storyboardc/Info.plist",
            "Base.lproj/Main.storyboardc/vcn-00-001-view-viw-00-001.nib",
        ] { #expect(paths.contains(path), "\(path)") }
        #expect(try BundleCompiler(try Self.starter(), folder: "Elsewhere").files == compiled.files)
    }

    @Test func `to begin with has screens whose names are those of its schemes`() throws {
        let compiled = try BundleCompiler(try Self.starter(), folder: "Notes")
        let prefix = "Base.lproj/Main.storyboardc/"
        let storyboard = try CompiledStoryboard(
            files: Dictionary(
                uniqueKeysWithValues: compiled.files.filter { $0.path.hasPrefix(prefix) }
                    .map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }))
        let first = try storyboard.scene(try #require(storyboard.entryPoint)).controller
        let notes = try #require(first.children.first)
        #expect(notes.restorationIdentifier == "NotesViewController")
        #expect(notes.segues.map(\.destination) == ["NoteViewController"])
        for screen in ["NotesViewController", "NoteViewController"] {
            #expect(compiled.files.contains { $0.path == "\(screen).json" })
            #expect(try storyboard.scene(screen).controller.restorationIdentifier == screen)
        }
    }

    @Test func `gets what its property list leaves out`() throws {
        let compiled = try BundleCompiler(["Info.plist": Self.manifest], folder: "Folder")
        #expect(compiled.name == "Folder")
        let list = try PlistValue(parsing: try #require(compiled.files.first).bytes)
        #expect(list["CFBundleName"]?.string == "Folder" && list["CFBundleVersion"]?.string == "1")
        #expect(list["CFBundleIdentifier"]?.string == "com.example.A")
        #expect(
            compiled.notes == [
                "Info.plist: CFBundleShortVersionString is missing; it is 1.0 now",
                "Info.plist: CFBundleVersion is missing; it is 1 now",
            ])
    }

    @Test func `keeps what is no source as it is, and makes loose images of assets`() throws {
        let contents = "{\"images\": [{\"idiom\": \"universal\", \"filename\": \"a.png\", \"scale\": \"2x\"}]}"
        let compiled = try BundleCompiler(
            [
                "Info.plist": Self.manifest, "a.json": Self.text("{}"),
                "de.lproj/Main.strings": Self.text("\"a\" = \"b\";"),
                "Images.xcassets/wave.imageset/Contents.json": Self.text(contents),
                "Images.xcassets/wave.imageset/a.png": [1, 2, 3], ".gitignore": [],
            ], folder: "A")
        #expect(compiled.files.map(\.path) == ["Info.plist", "a.json", "de.lproj/Main.strings", "wave@2x.png"])
        #expect(compiled.files.last?.bytes == [1, 2, 3])
        #expect(compiled.notes.contains("Images.xcassets: its images became loose ones"))
    }

    @Test(arguments: [
        (["a.json": "{}"], "Info.plist: there is no Info.plist"),
        (["Info.plist": "<plist><array/></plist>"], "Info.plist: the property list is no dictionary"),
        (["Info.plist": "<plist><dict/></plist>"], "Info.plist: CFBundleIdentifier is missing"),
        (
            [
                "Info.plist":
                    "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleName</key><string>../x</string></dict></plist>"
            ], "Info.plist: the bundle cannot be called \"../x\""
        ),
        (["main.swift": "print()"], "main.swift: nothing is known about files like \"main.swift\""),
        (
            ["Base.lproj/A.storyboard": "<a/>"],
            "Base.lproj/A.storyboard:1:1: this is no storyboard or interface for iOS"
        ),
        (["M.xcdatamodeld/x": ""], "M.xcdatamodeld/.: the model has no version"),
    ]) func `is refused, with the file at fault`(_ files: [String: String], _ message: String) {
        var sources = files.mapValues { Self.text($0) }
        if files["Info.plist"] == nil, files["a.json"] == nil { sources["Info.plist"] = Self.manifest }
        let error = #expect(throws: BuildError.self) { try BundleCompiler(sources, folder: "A") }
        #expect(error.map { "\($0)" } == message)
    }

    @Test(arguments: ["", "9a", "a b", "../a", "ä", String(repeating: "a", count: 65)])
    func `cannot be begun under a name that is none`(_ name: String) {
        #expect(Starter(named: name) == nil)
    }

    /// The files that fuzzing starts from.
    @Test func `are kept beside the fuzz target as the tests have them`() {
        let found = Corpus.files(in: "interfaces")
        #expect(found.map(\.name) == ["everything.storyboard", "starter.storyboard"])
        #expect(found.first?.bytes == SampleStoryboard.bytes)
        #expect(found.last?.bytes == Starter(named: "A")?.files.first { $0.path.hasSuffix("storyboard") }?.bytes)
    }
}
