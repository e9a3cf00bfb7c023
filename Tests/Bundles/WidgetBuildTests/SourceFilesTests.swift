import Testing
import WidgetBuild

@Suite struct `Files of an application's source` {
    private static let manifest =
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.A</string></dict></plist>"

    private static func compiled(_ sources: [String: String]) throws -> BundleCompiler {
        let files = sources.merging(["Info.plist": manifest]) { own, _ in own }
        return try BundleCompiler(files.mapValues { Array($0.utf8) }, folder: "A")
    }

    @Test(arguments: [
        ("main.swift", "code"), ("Bridge.h", "code"), ("Old.m", "code"), ("Sources/Deep/Model.mm", "code"),
        ("App.entitlements", "building an application"), ("Debug.xcconfig", "building an application"),
        ("Podfile", "building an application"), ("Podfile.lock", "building an application"),
        ("Package.swift", "building an application"), ("page.html", "cannot hold"), ("sound.caf", "cannot hold"),
        ("root.cer", "cannot hold"), ("drawing.PDF", "neither PDF nor SVG"), ("README.md", "not for the bundle"),
        (".swiftlint.yml", "not for the bundle"),
    ])
    func `A file that is not a resource is left out with a note that says why`(_ path: String, _ reason: String) throws
    {
        let compiled = try Self.compiled([path: "", "a.json": "{}"])
        #expect(compiled.files.map(\.path) == ["Info.plist", "a.json"])
        let notes = compiled.notes.filter { $0.hasPrefix("\(path): left out, ") }
        #expect(notes.count == 1 && notes.first?.contains(reason) == true, "\(compiled.notes)")
    }

    @Test func `Many files of one kind in one folder are one note with their number`() throws {
        let files = (1...40).map { ("Sources/File\($0).swift", "") } + [("App.swift", "")]
        let notes = try Self.compiled(Dictionary(uniqueKeysWithValues: files)).notes.filter { $0.contains("code") }
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("App.swift: left out, a bundle holds no code") == true)
        #expect(notes.last?.hasPrefix("Sources/*.swift: 40 files left out, a bundle holds no code") == true)
    }

    @Test(arguments: ["A.xcodeproj", "A.xcworkspace", "Pods", "Carthage", "Libs/Kit.framework", ".build"])
    func `A folder of a project or its tools is left out whole, with one note`(_ folder: String) throws {
        let compiled = try Self.compiled(["\(folder)/a.storyboard": "<", "\(folder)/b/c.unheard": "", "\(folder)/": ""])
        #expect(compiled.files.map(\.path) == ["Info.plist"])
        #expect(
            compiled.notes.filter { $0.contains(folder) } == ["\(folder): left out, it is for building an application"])
    }

    @Test func `A launch screen is left out with a note, and an interface that mentions one is compiled`() throws {
        let type = "type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\""
        let compiled = try Self.compiled([
            "LaunchScreen.storyboard": "<document \(type) launchScreen=\"YES\"><scenes><odd/></scenes></document>",
            "Main.storyboard": "<document \(type) launchScreen=\"NO\"><scenes/></document>",
        ])
        #expect(compiled.files.map(\.path) == ["Info.plist", "Main.storyboardc/Info.plist"])
        #expect(
            compiled.notes.filter { $0.contains("storyboard") } == [
                "LaunchScreen.storyboard: left out, it is shown while an application starts, and a widget does not start one"
            ])
    }

    @Test func `The folder of a whole project is refused with the place of a property list in it`() {
        let error = #expect(throws: BuildFailure.self) {
            try BundleCompiler(["Demo/Info.plist": Array(Self.manifest.utf8)], folder: "A")
        }
        #expect(error.map { "\($0)" } == "Info.plist: there is no Info.plist")
        #expect(error?.hints.first?.hasPrefix("Demo/Info.plist is there") == true)
    }
}
