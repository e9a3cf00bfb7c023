import Testing
import WidgetBuild

@Suite struct `An interface for another system` {
    private static func refusal(_ root: String, objects: String = "", path: String = "Main.storyboard") -> BuildError? {
        let text = """
            <document \(root)><scenes><scene sceneID="s"><objects>\(objects)</objects></scene></scenes></document>
            """
        return #expect(throws: BuildError.self) { try InterfaceCompiler.compile(Array(text.utf8), path: path) }
    }

    @Test(arguments: [
        ("type=\"com.apple.InterfaceBuilder3.Cocoa.Storyboard.XIB\" targetRuntime=\"MacOSX.Cocoa\"", "macOS"),
        ("type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\" targetRuntime=\"MacOSX.Cocoa\"", "macOS"),
        ("type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\"", "macOS"),
        ("type=\"com.apple.InterfaceBuilder.AppleTV.Storyboard\" targetRuntime=\"AppleTV\"", "tvOS"),
        ("type=\"com.apple.InterfaceBuilder.AppleTV.XIB\"", "tvOS"),
        ("type=\"com.apple.InterfaceBuilder.WatchKit.Storyboard\" targetRuntime=\"watchKit\"", "watchOS"),
    ])
    func `An interface for macOS, tvOS or watchOS is refused by the system's name`(_ root: String, _ system: String) {
        let error = Self.refusal(root)
        #expect(error.map { "\($0)" } == "Main.storyboard:1:1: this is an interface for \(system)")
        #expect(error?.hints.isEmpty == false)
    }

    @Test(arguments: ["application", "windowController"])
    func `A storyboard that names no system but has an object of macOS is refused as one for macOS`(_ name: String) {
        let root = "type=\"com.apple.InterfaceBuilder3.Storyboard.XIB\""
        let error = Self.refusal(root, objects: "<\(name) id=\"a\"/>")
        #expect(error.map { "\($0)" } == "Main.storyboard:1:1: this is an interface for macOS")
    }

    @Test func `A document of no known system is refused as such`() {
        let error = Self.refusal("type=\"something\"")
        #expect(error.map { "\($0)" } == "Main.storyboard:1:1: this is not a storyboard or interface for iOS")
    }
}
