import Testing
import WidgetBuild
import WidgetBundles
import WidgetFiles
import WidgetIntake

/// Sources as they lie in the folder of an application's project.
@Suite struct `The source of an application` {
    private static let manifest = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        <key>CFBundleName</key><string>$(PRODUCT_NAME)</string></dict></plist>
        """

    private static func project(_ setting: String, list: String) -> String {
        """
        // !$*UTF8*$!
        { objects = { P = {isa = PBXProject; buildConfigurationList = L; targets = (T, U); };
        L = {buildConfigurations = (); };
        T = {name = Demo; buildConfigurationList = TL; }; TL = {buildConfigurations = (TC); };
        TC = {name = Release; buildSettings = {INFOPLIST_FILE = "\(list)"; \(setting) }; baseConfigurationReference = X; };
        U = {name = Other; buildConfigurationList = UL; }; UL = {buildConfigurations = (); };
        X = {path = Base.xcconfig; sourceTree = SOURCE_ROOT; };
        }; rootObject = P; }
        """
    }

    private static func write(_ files: [String: String], in root: String) throws {
        for (path, text) in files {
            let parts = path.split(separator: "/")
            let folder = ([root] + parts.dropLast().map { String($0) }).joined(separator: "/")
            try Directory(creating: folder).replaceFile(String(parts.last ?? ""), with: Array(text.utf8))
        }
    }

    private static func identifier(_ path: String, _ values: BuildValues = .none) throws -> String {
        try BundleSource(compiling: path, values: values).take().bundle.manifest.identifier
    }

    @Test(arguments: ["", "Deep/", "Deep/er/"])
    func `A project file beside or above the source gives the values of its target`(_ place: String) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        try Self.write(
            [
                "\(place)Demo/Info.plist": Self.manifest,
                "A.xcodeproj/project.pbxproj": Self.project(
                    "PRODUCT_BUNDLE_IDENTIFIER = org.wrong;", list: "Elsewhere/Info.plist"),
                "B.xcodeproj/project.pbxproj": Self.project(
                    "PRODUCT_BUNDLE_IDENTIFIER = \"$(PREFIX).demo\"; PRODUCT_NAME = Shown;",
                    list: "\(place)Demo/Info.plist"),
                "Base.xcconfig": "PREFIX = org.right\n",
            ], in: scratch.path)
        let path = "\(scratch.path)/\(place)Demo"
        let source = try BundleSource(compiling: path)
        let taken = try source.take()
        #expect(taken.bundle.manifest.identifier == "org.right.demo" && taken.bundle.name == "Shown")
        let steps = String(repeating: "../", count: 1 + place.utf8.count { $0 == UInt8(ascii: "/") })
        #expect(
            source.notes.contains("Info.plist: its variables have the values of \(steps)B.xcodeproj, target Demo"),
            "\(source.notes)")
        let given = BuildValues(name: nil, identifier: "org.given", version: nil, buildNumber: nil, project: nil)
        #expect(try Self.identifier(path, given) == "org.given")
    }

    @Test func `A project file cannot read files outside its folder`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let project = Self.project(
            "PRODUCT_BUNDLE_IDENTIFIER = \"org.$(PREFIX:default=safe)\";", list: "Demo/Info.plist")
        try Self.write(["secret.xcconfig": "PREFIX = secret\n", "In/Demo/Info.plist": Self.manifest], in: scratch.path)
        for path in ["../secret.xcconfig", "Demo/../../secret.xcconfig", "\(scratch.path)/secret.xcconfig"] {
            let text = project.replacing("path = Base.xcconfig", with: "path = \"\(path)\"")
            try Self.write(["In/A.xcodeproj/project.pbxproj": text], in: scratch.path)
            #expect(try Self.identifier("\(scratch.path)/In/Demo") == "org.safe")
        }
    }

    @Test func `No project file is asked for a property list without variables`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let literal = Self.manifest.replacing("$(PRODUCT_BUNDLE_IDENTIFIER)", with: "org.literal")
            .replacing("$(PRODUCT_NAME)", with: "Literal")
        try Self.write(["Demo/Info.plist": literal, "A.xcodeproj/project.pbxproj": "{ broken"], in: scratch.path)
        let source = try BundleSource(compiling: "\(scratch.path)/Demo")
        #expect(!source.notes.contains { $0.contains("xcodeproj") })
        #expect(try source.take().bundle.manifest.identifier == "org.literal")
    }

    @Test func `Of folders of tools, only the project file is read`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        try Self.write(
            [
                "Info.plist": "", "Pods/Deep/Big.swift": "", "A.xcodeproj/project.pbxproj": "x",
                "A.xcodeproj/xcuserdata/state": "", "B.xcworkspace/contents.xcworkspacedata": "",
            ], in: scratch.path)
        let files = try SourceFolder.read(scratch.directory)
        #expect(
            files.keys.sorted() == [
                "A.xcodeproj/", "A.xcodeproj/project.pbxproj", "B.xcworkspace/", "Info.plist", "Pods/",
            ])
    }

    @Test(arguments: [
        ["PkgInfo"], ["_CodeSignature/CodeResources"], ["embedded.mobileprovision"], ["Assets.car"],
        ["Base.lproj/Main.storyboardc/Info.plist"], ["Model.omo"],
    ])
    func `A built application with a source left in it is not a source`(_ sign: [String]) {
        let stray = [["Info.plist"], ["Assets", "Main.storyboard"]]
        #expect(BundleSources.areSources(stray))
        #expect(!BundleSources.areSources(stray + sign.map { $0.split(separator: "/").map { String($0) } }))
    }

    @Test func `A folder whose property list was written by a build is taken as it is`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let app = "\(scratch.path)/Demo.app"
        let list = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.demo</string>
            <key>CFBundleName</key><string>Demo</string><key>CFBundleVersion</key><string>1</string>
            <key>CFBundleShortVersionString</key><string>1.0</string>KEY</dict></plist>
            """
        let built = list.replacing("KEY", with: "<key>BuildMachineOSBuild</key><string>17E199</string>")
        try Self.write(
            ["Info.plist": built, "Assets/Main.storyboard": "<odd/>", "Root.cer": "", "a.json": "{}"], in: app)
        let taken = try BundleSource(opening: app).take()
        #expect(taken.bundle.files.map(\.path).sorted() == ["Info.plist", "a.json"])
        try Self.write(["Info.plist": list.replacing("KEY", with: "")], in: app)
        let error = #expect(throws: SourceError.self) { _ = try BundleSource(opening: app) }
        guard case .build? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
