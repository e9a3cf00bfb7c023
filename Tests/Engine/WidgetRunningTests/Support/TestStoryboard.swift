import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning

/// Storyboards for tests, in as few words as they can be said in. The id of an element is its name.
enum TestStoryboard {
    /// - Parameter attributes: further XML attributes.
    static func element(
        _ tag: String, _ name: String, y: Int = 0, x: Int = 0, width: Int = 300, height: Int = 20, class: String? = nil,
        attributes: String = "", runtime: [(String, String)] = [], inside: String = "", connections: String = ""
    ) -> String {
        let custom = `class`.map { #" customClass="\#($0)" customModule="WidgetKit""# } ?? ""
        let values = ([("wx.identifier", name)] + runtime).map {
            #"<userDefinedRuntimeAttribute type="string" keyPath="\#($0.0)" value="\#($0.1)"/>"#
        }
        return """
            <\(tag) contentMode="scaleToFill"\(attributes.isEmpty ? "" : " " + attributes) id="\(name)"\(custom)>
            <rect key="frame" x="\(x)" y="\(y)" width="\(width)" height="\(height)"/>
            \(inside)
            <userDefinedRuntimeAttributes>\(values.joined())</userDefinedRuntimeAttributes>
            \(connections.isEmpty ? "" : "<connections>\(connections)</connections>")
            </\(tag)>
            """
    }

    static func label(_ name: String, _ text: String = "", y: Int = 0, x: Int = 0) -> String {
        element("label", name, y: y, x: x, attributes: #"text="\#(text)""#)
    }

    static func button(_ name: String, _ title: String, y: Int = 0, connections: String = "") -> String {
        element(
            "button", name, y: y, attributes: #"buttonType="system""#,
            inside: #"<state key="normal" title="\#(title)"/>"#, connections: connections)
    }

    /// A row of one kind, with a label for each name.
    static func cell(_ name: String, labels: [String], isGrid: Bool = false, connections: String = "") -> String {
        let (tag, kind) =
            isGrid
            ? ("collectionViewCell", "ContentCollectionViewCell") : ("tableViewCell", "ContentTableViewCell")
        let texts = labels.enumerated().map {
            label($1, y: $0 * 20).replacing(#" id="\#($1)""#, with: #" id="\#(name)-\#($1)""#)
        }
        let display = """
            <view contentMode="scaleToFill" id="\(name)-display" customClass="ContentDisplayView" customModule="WidgetKit">
            <rect key="frame" x="0" y="0" width="300" height="44"/><subviews>\(texts.joined())</subviews></view>
            """
        let content =
            isGrid
            ? #"<view key="contentView" contentMode="center" id="\#(name)-content"><rect key="frame" x="0" y="0" width="300" height="44"/><subviews>\#(display)</subviews></view>"#
            : #"<tableViewCellContentView key="contentView" contentMode="center" tableViewCell="\#(name)-cell" id="\#(name)-content"><rect key="frame" x="0" y="0" width="300" height="44"/><subviews>\#(display)</subviews></tableViewCellContentView>"#
        return """
            <\(tag) contentMode="scaleToFill" reuseIdentifier="\(name)" id="\(name)-cell" customClass="\(kind)" customModule="WidgetKit">
            <rect key="frame" x="0" y="0" width="300" height="44"/>
            \(content)
            <connections><outlet property="contentDisplayView" destination="\(name)-display" id="\(name)-outlet"/>\(connections)</connections>
            </\(tag)>
            """
    }

    static func table(_ name: String, y: Int = 100, attributes: String = "", cells: [String]) -> String {
        element(
            "tableView", name, y: y, height: 400,
            attributes: #"dataMode="prototypes" style="plain" rowHeight="44""#
                + (attributes.isEmpty ? "" : " " + attributes),
            inside: "<prototypes>\(cells.joined())</prototypes>")
    }

    static func collection(_ name: String, y: Int = 100, cells: [String]) -> String {
        element(
            "collectionView", name, y: y, height: 200, attributes: #"dataMode="prototypes""#,
            inside: """
                <collectionViewFlowLayout key="collectionViewLayout" minimumLineSpacing="0" minimumInteritemSpacing="0" id="\(name)-layout">
                <size key="itemSize" width="300" height="44"/></collectionViewFlowLayout><cells>\(cells.joined())</cells>
                """)
    }

    /// A mediator that is an object of the interface.
    static func mediator(_ type: String, _ name: String, _ values: [(String, String)] = [], connections: String = "")
        -> String
    {
        let values = ([("wx.identifier", name)] + values).map {
            #"<userDefinedRuntimeAttribute type="string" keyPath="\#($0.0)" value="\#($0.1)"/>"#
        }
        return """
            <customObject id="\(name)" customClass="\(type)" customModule="WidgetKit">
            <userDefinedRuntimeAttributes>\(values.joined())</userDefinedRuntimeAttributes>
            \(connections.isEmpty ? "" : "<connections>\(connections)</connections>")
            </customObject>
            """
    }

    struct Screen {
        var name: String
        var views: String
        var title = ""
        var bar = ""
        var objects = ""
        var constraints = ""
        var connections = ""
        var controller = "StandardViewController"

        var xml: String {
            """
            <scene sceneID="\(name)-scene"><objects>
            <viewController restorationIdentifier="\(name)" storyboardIdentifier="\(name)" id="\(name)-controller" customClass="\(controller)" customModule="WidgetKit" sceneMemberID="viewController">
            <view key="view" contentMode="scaleToFill" id="\(name)-view"><rect key="frame" x="0" y="0" width="375" height="667"/>
            <subviews>\(views)</subviews>\(constraints.isEmpty ? "" : "<constraints>\(constraints)</constraints>")</view>
            <navigationItem key="navigationItem" title="\(title)" id="\(name)-item">\(bar)</navigationItem>
            \(connections.isEmpty ? "" : "<connections>\(connections)</connections>")
            </viewController>\(objects)
            <placeholder placeholderIdentifier="IBFirstResponder" id="\(name)-first" sceneMemberID="firstResponder"/>
            </objects></scene>
            """
        }
    }

    /// The first screen is the one to begin with, in a stack.
    ///
    /// - Parameter presented: screens that have separate stacks, called `NAME-stack`.
    static func text(_ screens: [Screen], presented: [String] = []) -> String {
        let stacks = presented.map { stack("\($0)-stack", of: $0) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="14460" targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" initialViewController="stack">
            <scenes>\(stack("stack", of: screens.first?.name ?? ""))\(stacks.joined())\(screens.map(\.xml).joined())</scenes></document>
            """
    }

    private static func stack(_ name: String, of root: String) -> String {
        """
        <scene sceneID="\(name)-scene"><objects>
        <navigationController id="\(name)" sceneMemberID="viewController"><navigationBar key="navigationBar" contentMode="scaleToFill" id="\(name)-bar"/>
        <connections><segue destination="\(root)-controller" kind="relationship" relationship="rootViewController" id="\(name)-root"/></connections>
        </navigationController>
        <placeholder placeholderIdentifier="IBFirstResponder" id="\(name)-first" sceneMemberID="firstResponder"/>
        </objects></scene>
        """
    }

    /// A widget of screens and schemes of a test, with the model of a sample.
    ///
    /// - Parameter files: what else the bundle has, such as `StubService.json`.
    static func widget(
        _ screens: [Screen], _ schemes: [String: String], files: [String: String] = [:],
        now: Double = 803_678_400
    ) throws -> DrivenWidget {
        try SampleBundle.widget("HarbourLog", now: now) { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(text(screens).utf8)
            for (name, scheme) in schemes { sources["\(name).json"] = Array("{\"\(name)\": {\(scheme)}}".utf8) }
            for (path, text) in files { sources[path] = Array(text.utf8) }
        }
    }

    /// One screen called `Main`.
    static func widget(
        _ views: String, _ scheme: String, files: [String: String] = [:], _ change: (inout Screen) -> Void = { _ in }
    ) throws -> DrivenWidget {
        var screen = Screen(name: "Main", views: views)
        change(&screen)
        return try widget([screen], ["Main": scheme], files: files)
    }
}
