import Nib
import Testing
import WidgetBuild

/// Screens whose mediators stand in the storyboard itself, beside the controller.
@Suite struct `A storyboard with objects beside its controller` {
    private static let text = """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="nav"><scenes>
        <scene sceneID="s1"><objects>
        <tableViewController title="Items" id="tvc" customClass="ItemsController" customModule="App" customModuleProvider="target" sceneMemberID="viewController">
        <tableView key="view" contentMode="scaleToFill" dataMode="prototypes" contentViewInsetsToSafeArea="NO" id="tab">
        <view key="tableFooterView" id="foot"><subviews>
        <activityIndicatorView opaque="NO" id="spin"><gestureRecognizers/></activityIndicatorView></subviews></view>
        <prototypes><tableViewCell reuseIdentifier="Cell" hidesAccessoryWhenEditing="NO" id="cell" customClass="ItemCell">
        <tableViewCellContentView key="contentView" tableViewCell="cell" id="cont"><subviews>
        <imageView id="pic"><constraints><constraint firstAttribute="height" constant="51" id="high"/></constraints></imageView>
        </subviews></tableViewCellContentView>
        <connections><outlet property="height" destination="high" id="o1"/></connections></tableViewCell></prototypes>
        <connections><outlet property="delegate" destination="med" id="o2"/></connections></tableView>
        <toolbarItems><barButtonItem systemItem="flexibleSpace" id="space"/></toolbarItems>
        <navigationItem key="navigationItem" id="item"><nil key="title"/>
        <barButtonItem key="leftBarButtonItem" enabled="NO" style="done" id="bbi">
        <button key="customView" opaque="NO" buttonType="roundedRect" id="btn"><state key="normal" title="Sign in"/>
        <connections><action selector="tap:" destination="tvc" eventType="touchUpInside" id="a1"/></connections></button>
        </barButtonItem>
        <rightBarButtonItems><barButtonItem id="bb2"><button key="customView" id="bt2"><connections>
        <segue destination="nav" kind="presentation" id="seg"/></connections></button></barButtonItem></rightBarButtonItems>
        </navigationItem>
        <connections><outlet property="spinner" destination="spin" id="o3"/><outlet property="button" destination="btn" id="o4"/></connections>
        </tableViewController>
        <placeholder placeholderIdentifier="IBFirstResponder" id="fr" sceneMemberID="firstResponder"/>
        <view id="empty"><subviews><label id="word" text="Nothing" customClass="KILabel"/></subviews></view>
        <customObject id="prov" customClass="Provider" customModule="App"><connections>
        <outlet property="manager" destination="man" id="o5"/></connections></customObject>
        <customObject id="med" customClass="Mediator" customModule="App"><connections>
        <outlet property="emptyDataView" destination="empty" id="o6"/><outlet property="provider" destination="prov" id="o7"/>
        <outlet property="tableView" destination="tab" id="o8"/></connections></customObject>
        <customObject id="man" customClass="Manager"/></objects><point key="canvasLocation" x="-138.4" y="12"/></scene>
        <scene sceneID="s2"><objects><navigationController id="nav" sceneMemberID="viewController">
        <nil key="simulatedTopBarMetrics"/><nil name="viewControllers"/>
        <toolbar key="toolbar" opaque="NO" id="bar"/>
        <connections><segue destination="tvc" kind="relationship" relationship="rootViewController" id="rel"/></connections>
        </navigationController></objects></scene></scenes></document>
        """

    private let storyboard: CompiledStoryboard

    init() throws {
        let compiled = try InterfaceCompiler.compile(Array(Self.text.utf8), path: "Main.storyboard")
        storyboard = try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: compiled.map { (String($0.path.dropFirst(17)), $0.bytes) }))
    }

    @Test(arguments: ["UITableViewController-tvc", "UINavigationController-nav"])
    func `has them in the file of the screen, also where it stands in a stack`(_ screen: String) throws {
        let scene = try storyboard.scene(screen)
        for name in ["Provider", "Mediator", "Manager"] {
            #expect(scene.interface.topLevelObjects.contains { $0.shownClassName == name }, "\(name)")
        }
        let manager = try #require(scene.interface.outlets.first { $0.name == "manager" })
        #expect(manager.source.string("UIClassName") == "_TtC3App8Provider")
        #expect(manager.destination.string("UIClassName") == "Manager")
    }

    @Test func `connects them with views in the file of the views`() throws {
        let scene = try storyboard.scene("UITableViewController-tvc")
        let interface = NibInterface(try storyboard.document(ofNib: try #require(scene.controller.viewNib)).graph)
        func outside(_ name: String?) -> String? { name.flatMap { scene.controller.external($0)?.shownClassName } }
        let empty = try #require(interface.outlets.first { $0.name == "emptyDataView" })
        #expect(outside(empty.source.proxyName) == "Mediator")
        #expect(empty.destination.subviews.first?.shownClassName == "KILabel")
        #expect(interface.topLevelObjects.contains(empty.destination))
        #expect(outside(interface.outlets.first { $0.name == "delegate" }?.destination.proxyName) == "Mediator")
        #expect(interface.outlets.first { $0.name == "tableView" }?.destination == interface.owned("view"))
        let spinner = try #require(interface.outlets.first { $0.name == "spinner" })
        #expect(outside(spinner.source.proxyName) == "ItemsController")
        let table = try #require(interface.owned("view"))
        #expect(table.boolean("UIInsetsContentViewsToSafeArea") == nil)
        let cell = NibInterface(try #require(try NibPrototype.prototypes(of: table).first).document.graph)
        #expect(cell.outlets.first { $0.name == "height" }?.destination.className == "NSLayoutConstraint")
        #expect(cell.topLevelObjects.first?.boolean("UIHidesAccessoryWhenEditing") == false)
    }

    @Test func `has views in its bars, and bars below`() throws {
        let scene = try storyboard.scene("UITableViewController-tvc")
        let item = try #require(scene.controller.navigationItem)
        let left = try #require(item.element("UILeftBarButtonItem"))
        #expect(left.boolean("UIEnabled") == false && left.integer("UIStyle") == 2)
        let button = try #require(left.element("UICustomView"))
        #expect(button.pairs("UIButtonStatefulContent").first?.value.string("UITitle") == "Sign in")
        let tap = try #require(scene.interface.events.first { $0.selector == "tap:" })
        #expect(tap.source == button && tap.destination == scene.controller.element && tap.mask == 64)
        let perform = try #require(scene.interface.events.first { $0.selector == "perform:" })
        #expect(perform.source == item.elements("UIRightBarButtonItems").first?.element("UICustomView"))
        #expect(scene.controller.element.elements("UIToolbarItems").first?.integer("UISystemItem") == 5)
        #expect(try storyboard.scene("UINavigationController-nav").controller.element.element("UIToolbar") != nil)
    }
}
