import Testing
import WidgetBuild
import WidgetCore

@testable import WidgetFormats

/// A program of screens that are written as Xcode writes storyboards, compiled and read back.
struct DrawnInterface {
    let program: Program

    /// - Parameters:
    ///   - views: of the first screen, within `subviews`.
    ///   - parts: other parts of its view, such as colours and constraints.
    ///   - controller: attributes of its controller.
    ///   - scenes: other controllers, each an element.
    ///   - initial: the identifier of the controller to begin with.
    ///   - resources: the pictures and colours that the document says.
    init(
        _ views: String = "", parts: String = "", view: String = "", controller: String = "", items: String = "",
        scenes: [String] = [], initial: String = "screen", resources: String = "", colors: [String: Paint] = [:],
        limits: FormatLimits = FormatLimits()
    ) throws {
        let own = """
            <viewController storyboardIdentifier="Screen" \(controller) id="screen">
            <layoutGuides><viewControllerLayoutGuide type="top" id="top"/>
            <viewControllerLayoutGuide type="bottom" id="bottom"/></layoutGuides>
            <view key="view" contentMode="scaleToFill" \(view) id="root">\(Self.frame(0, 0, 375, 667))
            <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
            <subviews>\(views)</subviews>\(parts)</view>\(items)</viewController>
            """
        let scenes = ([own] + scenes).enumerated().map { number, controller in
            "<scene sceneID=\"scene\(number)\"><objects>\(controller)</objects></scene>"
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529" \
            targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" useTraitCollections="YES" \
            initialViewController="\(initial)">
            <dependencies><deployment identifier="iOS"/></dependencies><scenes>\(scenes.joined())</scenes>\
            <resources>\(resources)</resources></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Main.storyboard")
        program = try WidgetKitReader.program(
            BundleFiles(
                Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }, images: [:], colors: colors),
            identifier: "test.Looks", limits: limits)
    }

    static func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "<rect key=\"frame\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>"
    }

    /// An element with a name, by which a test finds it.
    static func element(
        _ kind: String, _ name: String, _ attributes: String = "", frame: String = frame(10, 20, 100, 40),
        set: String = "", _ content: String = ""
    ) -> String {
        """
        <\(kind) \(attributes) id="\(name)">\(frame)\(content)<userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="\(name)"/>\(set)
        </userDefinedRuntimeAttributes></\(kind)>
        """
    }

    static func number(_ keyPath: String, _ value: Double) -> String {
        """
        <userDefinedRuntimeAttribute type="number" keyPath="\(keyPath)"><real key="value" value="\(value)"/>\
        </userDefinedRuntimeAttribute>
        """
    }

    static func truth(_ keyPath: String, _ value: Bool) -> String {
        "<userDefinedRuntimeAttribute type=\"boolean\" keyPath=\"\(keyPath)\" value=\"\(value ? "YES" : "NO")\"/>"
    }

    static func color(_ key: String, _ red: Double, _ green: Double, _ blue: Double) -> String {
        """
        <color key="\(key)" red="\(red)" green="\(green)" blue="\(blue)" alpha="1" colorSpace="custom" \
        customColorSpace="sRGB"/>
        """
    }

    // MARK: - What was read

    func scene(_ name: String = "Screen") throws -> Scene { try #require(program.scenes[name]) }

    func node(_ name: String, in scene: String = "Screen") throws -> Node {
        try #require(try self.scene(scene).nodes.first { $0.identifier == name }, "\(name)")
    }

    func look(_ name: String, in scene: String = "Screen") throws -> Look {
        try #require(try node(name, in: scene).look, "\(name)")
    }

    func id(_ name: String) throws -> NodeID {
        try #require(try scene().nodes.firstIndex { $0.identifier == name }, "\(name)")
    }

    func paint(_ name: String) throws -> Appearance { try look(name).appearance }
}

extension Paint {
    static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Paint {
        .value(RGBA(red, green, blue))
    }
}

extension RGBA {
    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
}
