import Testing
import WidgetBuild
import WidgetBytes
import WidgetNib
import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport

@Suite struct `A bundle's source` {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let manifest = text(
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.A</string></dict></plist>")

    private static func starter() throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try #require(Starter(named: "Notes")).files.map { ($0.path, $0.bytes) })
    }

    @Test func `a new bundle's source is compiled to the same bundle every time`() throws {
        let compiled = try BundleCompiler(try Self.starter(), folder: "Elsewhere")
        #expect(compiled.name == "Notes")
        #expect(
            compiled.notes == [
                "README.md: left out, it is not for the bundle", "story.json: left out, it is a script of events",
            ])
        let paths = compiled.files.map(\.path)
        #expect(paths == paths.sorted())
        for path in [
            "Info.plist", "NotesViewController.json", "StubService.json", "Model.momd/Model.mom",
            "Model.momd/VersionInfo.plist", "Main.storyboardc/Info.plist", "Main.storyboardc/NoteViewController.nib",
        ] { #expect(paths.contains(path), "\(path)") }
        #expect(try BundleCompiler(try Self.starter(), folder: "Elsewhere").files == compiled.files)
    }

    @Test func `a new bundle's screens have the names of its schemes`() throws {
        let compiled = try BundleCompiler(try Self.starter(), folder: "Notes")
        let prefix = "Main.storyboardc/"
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

    @Test func `screens as text are compiled as the storyboard that they become`() throws {
        let screens = Self.text("screen A \"T\"\n    label x\n")
        let compiled = try BundleCompiler(["Info.plist": Self.manifest, "Main.screens": screens], folder: "A")
        let storyboard = try ScreenNotation.storyboard(screens, path: "Main.screens")
        let other = try BundleCompiler(["Info.plist": Self.manifest, "Main.storyboard": storyboard], folder: "A")
        #expect(compiled.files.map(\.path) == other.files.map(\.path))
        #expect(compiled.files.map(\.bytes) == other.files.map(\.bytes))
        #expect(compiled.files.count > 3)
        let both = ["Info.plist": Self.manifest, "Main.screens": screens, "Main.storyboard": storyboard]
        let failure = #expect(throws: BuildFailure.self) { try BundleCompiler(both, folder: "A") }
        #expect(failure?.errors.first?.sentence == "two sources become this file")
    }

    @Test func `an error or a note about screens as text has its place in them`() throws {
        let wrong = ["Info.plist": Self.manifest, "Main.screens": Self.text("screen A\n    lable x\n")]
        let failure = #expect(throws: BuildFailure.self) { try BundleCompiler(wrong, folder: "A") }
        #expect(failure?.errors.map { "\($0.path) \($0.position.map { $0.line } ?? 0)" } == ["Main.screens 2"])
        let grey = Self.text("screen A\n    row\n        label x color \"Brand\"\n")
        let compiled = try BundleCompiler(["Info.plist": Self.manifest, "Main.screens": grey], folder: "A")
        #expect(compiled.notes.contains { $0.hasPrefix("Main.screens:3:9: the colour Brand is grey") })
    }

    @Test func `missing keys of the property list get the usual values`() throws {
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

    @Test func `files other than sources are copied, and assets become loose images`() throws {
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
        (["Info.plist": "<plist><array/></plist>"], "Info.plist: the property list is not a dictionary"),
        (["Info.plist": "<plist><dict/></plist>"], "Info.plist: CFBundleIdentifier is missing"),
        (
            [
                "Info.plist":
                    "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleName</key><string>../x</string></dict></plist>"
            ], "Info.plist: the bundle cannot be called \"../x\""
        ),
        (["main.unheard": "1"], "main.unheard: nothing is known about files like \"main.unheard\""),
        (
            ["Base.lproj/A.storyboard": "<a/>"],
            "Base.lproj/A.storyboard:1:1: this is not a storyboard or interface for iOS"
        ),
        (["M.xcdatamodeld/x": ""], "M.xcdatamodeld/.: the model has no version"),
    ]) func `a bundle's source with a fault is refused with the file's name`(
        _ files: [String: String], _ message: String
    ) {
        var sources = files.mapValues { Self.text($0) }
        if files["Info.plist"] == nil, files["a.json"] == nil { sources["Info.plist"] = Self.manifest }
        let error = #expect(throws: BuildFailure.self) { try BundleCompiler(sources, folder: "A") }
        #expect(error.map { "\($0)" } == message)
    }

    @Test(arguments: ["", "9a", "a b", "../a", "ä", String(repeating: "a", count: 65)])
    func `a new bundle with an unsuitable name is refused`(_ name: String) {
        #expect(Starter(named: name) == nil)
    }

    /// The files from which fuzzing starts.
    @Test func `the fuzz target's corpus of sources is that of the tests`() throws {
        let found = Corpus.files(in: "interfaces")
        #expect(
            found.map(\.name) == ["everything.storyboard", "starter.screens", "starter.storyboard", "xcode.storyboard"])
        #expect(found.first?.bytes == SampleStoryboard.bytes)
        let starter = try #require(Starter(named: "A")?.files.first { $0.path.hasSuffix(".screens") })
        #expect(found.first { $0.name == "starter.screens" }?.bytes == starter.bytes)
        let storyboard = try ScreenNotation.storyboard(starter.bytes, path: starter.path)
        #expect(found.first { $0.name == "starter.storyboard" }?.bytes == storyboard)
    }
}

@Suite struct `A folder of assets` {
    private func contents(_ images: String...) -> [UInt8] {
        Array("{\"images\": [\(images.joined(separator: ","))], \"info\": {\"version\": 1}}".utf8)
    }

    @Test func `a folder of assets becomes loose images named for their scales and devices`() throws {
        let folder = try AssetFolder(reading: [
            "Contents.json": Array("{}".utf8), "Icons/Contents.json": Array("{}".utf8),
            "Icons/sun.imageset/Contents.json": contents(
                #"{"idiom": "universal", "filename": "a.png", "scale": "1x"}"#,
                #"{"idiom": "universal", "filename": "b.png", "scale": "2x"}"#,
                #"{"idiom": "ipad", "filename": "c.png", "scale": "3x"}"#, #"{"idiom": "universal", "scale": "3x"}"#),
            "Icons/sun.imageset/a.png": [1], "Icons/sun.imageset/b.png": [2], "Icons/sun.imageset/c.png": [3],
            "moon.imageset/Contents.json": contents(#"{"filename": "moon.JPG"}"#), "moon.imageset/moon.JPG": [4],
        ])
        #expect(folder.files.map(\.name) == ["moon.jpg", "sun.png", "sun@2x.png", "sun@3x~ipad.png"])
        #expect(folder.files.map(\.bytes) == [[4], [1], [2], [3]])
        #expect(folder.notes == [])
    }

    @Test func `assets that loose images cannot express are noted`() throws {
        let folder = try AssetFolder(reading: [
            "sun.imageset/Contents.json": contents(
                #"{"filename": "a.png"}"#, #"{"filename": "b.png", "appearances": [{"value": "dark"}]}"#,
                #"{"filename": "a.png", "idiom": "watch"}"#),
            "sun.imageset/a.png": [1], "sun.imageset/b.png": [2],
            "red.colorset/Contents.json": Array("{}".utf8), "AppIcon.appiconset/Contents.json": Array("{}".utf8),
        ])
        #expect(folder.files.map(\.name) == ["sun.png"])
        #expect(folder.notes.count == 4)
        for words in [".appiconset", ".colorset", "appearance", "watch"] {
            #expect(folder.notes.contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test func `images in no set, and sets without their list, are noted`() throws {
        let images = contents(#"{"filename": "a.png"}"#)
        let folder = try AssetFolder(reading: [
            "loose.png": [1], "Icons/loose.png": [1], "Icons/Contents.json": Array("{}".utf8),
            "sun.imageset/sun.png": [1], "red.colorset/x.txt": [1], "Icons/b.c/d.png": [1],
            "moon.imageset/Contents.json": images, "moon.imageset/a.png": [1],
            "AppIcon.appiconset/Contents.json": Array("{}".utf8), "AppIcon.appiconset/i.png": [1],
        ])
        #expect(folder.files.map(\.name) == ["moon.png"])
        #expect(
            folder.notes == [
                "Icons/b.c/d.png: left out, it is in no asset; images belong into sets, such as `Sun.imageset`",
                "Icons/loose.png: left out, it is in no asset; images belong into sets, such as `Sun.imageset`",
                "loose.png: left out, it is in no asset; images belong into sets, such as `Sun.imageset`",
                "sun.imageset: left out, it has no Contents.json that says for which screens its images are",
                "AppIcon.appiconset: icons are for the home screen, where a widget has none; left out",
                "red.colorset: loose images have no colours; interfaces carry the components of those that they name; left out",
            ], "\(folder.notes)")
    }

    @Test func `a folder whose name is nothing but an ending is left out`() throws {
        let folder = try AssetFolder(reading: [
            ".imageset/Contents.json": contents(#"{"filename": "a.png"}"#), ".imageset/a.png": [1],
        ])
        #expect(folder.files.isEmpty)
        let note = ".imageset/a.png: left out, it is in no asset"
        #expect(folder.notes.contains { $0.hasPrefix(note) }, "\(folder.notes)")
    }

    @Test func `every member of an asset that is not compiled is noted`() throws {
        let sources = [
            "Contents.json": Array(#"{"info": {}, "extra": 1}"#.utf8),
            "Icons/Contents.json": Array(#"{"properties": {"on-demand-resource-tags": []}}"#.utf8),
            "sun.imageset/Contents.json": Array(
                #"""
                {"images": [{"filename": "a.png", "resizing": {}, "subtype": "retina4"}, {"filename": "b.png", "unassigned": true}],
                 "properties": {"template-rendering-intent": "template", "auto-scaling": "auto"}, "more": 1}
                """#.utf8),
            "sun.imageset/a.png": [1], "sun.imageset/b.png": [2], "sun.imageset/c.png": [3],
        ]
        let folder = try AssetFolder(reading: sources)
        #expect(folder.files.map(\.name) == ["sun.png"])
        for words in [
            "extra", "on-demand-resource-tags", "resizing", "subtype", "b.png", "auto-scaling", "more", "c.png",
        ] {
            #expect(folder.notes.count { $0.contains(words) } == 1, "\(words)")
        }
        #expect(folder.notes.count == 8)
    }

    @Test func `images of folders that provide a namespace are in folders of those names`() throws {
        let namespace = Array(#"{"properties": {"provides-namespace": true}}"#.utf8)
        let image = contents(#"{"filename": "a.png", "scale": "2x"}"#)
        let folder = try AssetFolder(reading: [
            "Icons/Contents.json": namespace, "Icons/Plain/Contents.json": Array("{}".utf8),
            "Icons/Plain/Small/Contents.json": namespace, "Icons/sun.imageset/Contents.json": image,
            "Icons/sun.imageset/a.png": [1], "Icons/Plain/Small/sun.imageset/Contents.json": image,
            "Icons/Plain/Small/sun.imageset/a.png": [2], "sun.imageset/Contents.json": image,
            "sun.imageset/a.png": [3],
        ])
        #expect(folder.files.map(\.name) == ["Icons/Small/sun@2x.png", "Icons/sun@2x.png", "sun@2x.png"])
        #expect(folder.files.map(\.bytes) == [[2], [1], [3]])
        #expect(folder.notes == [])
    }

    @Test func `assets of other kinds are one note for each kind, and images in them are not images of the bundle`()
        throws
    {
        var sources: [String: [UInt8]] = [:]
        for number in 1...6 { sources["c\(number).colorset/Contents.json"] = Array("{}".utf8) }
        for path in [
            "Top.brandassets/App.imagestack/Front.imagestacklayer/Content.imageset",
            "Top.brandassets/App.imagestack/Back.imagestacklayer/Content.imageset",
            "Face.complicationset/Round.imageset",
        ] {
            sources["\(path)/Contents.json"] = contents(#"{"filename": "a.png"}"#)
            sources["\(path)/a.png"] = [1]
        }
        for path in ["Top.brandassets", "Face.complicationset", "AppIcon.appiconset", "star.symbolset"] {
            sources["\(path)/Contents.json"] = Array("{}".utf8)
        }
        let folder = try AssetFolder(reading: sources)
        #expect(folder.files.isEmpty)
        #expect(folder.notes.count == 5, "\(folder.notes)")
        #expect(
            folder.notes.contains {
                $0.hasPrefix(
                    "c1.colorset, c2.colorset, c3.colorset, c4.colorset and 2 more: loose images have no colours")
            })
        #expect(folder.notes.contains { $0.hasPrefix("star.symbolset: loose images have no symbols") })
    }

    @Test func `of images that become one, the one without a condition is taken, or the first`() throws {
        let set = [
            "sun.imageset/Contents.json": contents(
                #"{"filename": "tall.png", "scale": "2x", "subtype": "retina4"}"#,
                #"{"filename": "any.png", "scale": "2x"}"#),
            "sun.imageset/tall.png": [1], "sun.imageset/any.png": [2],
        ]
        let folder = try AssetFolder(reading: set)
        #expect(folder.files.map(\.name) == ["sun@2x.png"] && folder.files.first?.bytes == [2])
        #expect(
            folder.notes == ["sun.imageset/tall.png: another image becomes sun@2x.png; this one was left out"])
        let first = [
            "b/sun.imageset/Contents.json": contents(#"{"filename": "a.png", "scale": "2x"}"#),
            "b/sun.imageset/a.png": [3],
        ]
        let both = try AssetFolder(reading: set.merging(first) { own, _ in own })
        #expect(both.files.map(\.name) == ["sun@2x.png"] && both.files.first?.bytes == [3])
        #expect(both.notes.count == 2)
    }

    @Test func `an asset that cannot be used is refused`() {
        let sources: [[String: [UInt8]]] = [
            ["a.imageset/Contents.json": Array("{".utf8)], ["a.imageset/Contents.json": Array("{}".utf8)],
            ["a.imageset/Contents.json": contents(#"{"filename": "a.png"}"#)],
            ["a.imageset/Contents.json": contents(#"{"filename": "a.png", "scale": "5x"}"#), "a.imageset/a.png": [1]],
        ]
        for files in sources {
            let error = #expect(throws: BuildError.self) { try AssetFolder(reading: files) }
            #expect(error?.path.hasSuffix("a.imageset/Contents.json") == true)
        }
    }
}
