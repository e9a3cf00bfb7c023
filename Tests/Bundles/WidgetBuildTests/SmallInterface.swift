import Testing
import WidgetBuild
import WidgetNib

/// An interface of a test, written as Xcode writes it, and compiled.
struct SmallInterface {
    let compiled: InterfaceCompiler.Compiled
    private let files: [String: [UInt8]]

    private init(_ text: String, path: String) throws {
        compiled = try InterfaceCompiler.compile(Array(text.utf8), path: path, colors: CatalogColors())
        files = Dictionary(uniqueKeysWithValues: compiled.files.map { ($0.path, $0.bytes) })
    }

    /// A storyboard of scenes, with the first one to begin with.
    init(scenes: [String], first: String = "vc", resources: String = "", path: String = "Main.storyboard") throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" initialViewController="\(first)">
            <scenes>\(scenes.joined())</scenes>\(resources)
            </document>
            """
        try self.init(text, path: path)
    }

    /// A storyboard with one screen.
    ///
    /// - Parameter controller: what its controller has besides the view.
    init(
        views: String, inView: String = "", controller: String = "", beside: String = "",
        path: String = "Main.storyboard"
    ) throws {
        let screen = SmallInterface.screen(
            "vc", views: views, inView: inView, controller: controller, beside: beside)
        try self.init(scenes: [screen], path: path)
    }

    /// A separate interface.
    init(objects: String, type: String = "com.apple.InterfaceBuilder3.CocoaTouch.XIB") throws {
        let text = """
            <document type="\(type)" version="3.0"><objects>
            <placeholder placeholderIdentifier="IBFilesOwner" id="-1"/>
            <placeholder placeholderIdentifier="IBFirstResponder" id="-2"/>
            \(objects)
            </objects></document>
            """
        try self.init(text, path: "Part.xib")
    }

    static func screen(
        _ id: String, views: String = "", inView: String = "", controller: String = "", beside: String = ""
    ) -> String {
        """
        <scene sceneID="\(id)-scene"><objects>
        <viewController id="\(id)" sceneMemberID="viewController"><view key="view" id="\(id)-view">
        <subviews>\(views)</subviews>\(inView)</view>\(controller)</viewController>\(beside)
        <placeholder placeholderIdentifier="IBFirstResponder" id="\(id)-first" sceneMemberID="firstResponder"/>
        </objects></scene>
        """
    }

    /// A scene whose controller is given as a whole.
    static func scene(_ id: String, _ controller: String, beside: String = "") -> String {
        """
        <scene sceneID="\(id)-scene"><objects>\(controller)\(beside)
        <placeholder placeholderIdentifier="IBFirstResponder" id="\(id)-first" sceneMemberID="firstResponder"/>
        </objects></scene>
        """
    }

    var notes: [String] { compiled.notes }

    func storyboard() throws -> CompiledStoryboard {
        let prefix = "Main.storyboardc/"
        return try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: files.map { (String($0.key.dropFirst(prefix.count)), $0.value) }))
    }

    func scene(_ name: String = "UIViewController-vc") throws -> CompiledScene { try storyboard().scene(name) }

    /// The interface with the views of a screen.
    func views(_ name: String = "UIViewController-vc") throws -> NibInterface {
        let storyboard = try storyboard()
        let nib = try #require(try storyboard.scene(name).controller.viewNib)
        return NibInterface(try storyboard.document(ofNib: nib).graph)
    }

    func interface() throws -> NibInterface {
        NibInterface(try NibDocument(parsing: try #require(files["Part.nib"])).graph)
    }

    /// The only object of a class in the views.
    func view(_ className: String) throws -> NibElement {
        try #require(try views().objects.first { $0.shownClassName == className }, "\(className)")
    }
}
