import Testing
import WidgetBuild
import WidgetNib

@Suite struct `A compiled storyboard` {
    private let files: [String: [UInt8]]
    private let storyboard: CompiledStoryboard

    init() throws {
        let compiled = try InterfaceCompiler.compile(SampleStoryboard.bytes, path: "Base.lproj/Main.storyboard")
        let prefix = "Main.storyboardc/"
        files = Dictionary(uniqueKeysWithValues: compiled.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) })
        storyboard = try CompiledStoryboard(files: files)
    }

    private func views(_ controller: NibController) throws -> NibInterface {
        NibInterface(try storyboard.document(ofNib: try #require(controller.viewNib)).graph)
    }

    private func view(_ interface: NibInterface, _ className: String) throws -> NibElement {
        try #require(interface.objects.first { $0.shownClassName == className }, "\(className)")
    }

    @Test func `the same source gives the same storyboard`() throws {
        let again = try InterfaceCompiler.compile(SampleStoryboard.bytes, path: "Base.lproj/Main.storyboard")
        #expect(again.map(\.bytes) == again.map { files[String($0.path.dropFirst(17))] ?? [] })
        for (name, bytes) in files where name.hasSuffix(".nib") {
            #expect(try NibDocument(parsing: bytes).encode() == bytes)
        }
    }

    @Test func `a storyboard has a file for each screen and its views, and a list of screens`() {
        #expect(
            files.keys.sorted() == [
                "FeedViewController.nib", "Info.plist", "UINavigationController-nav-01-nav.nib",
                "UIViewController-det-01-det.nib", "det-01-det-view-viw-02-viw.nib", "fed-01-fed-view-viw-01-viw.nib",
            ])
        #expect(storyboard.entryPoint == "UINavigationController-nav-01-nav")
        #expect(
            storyboard.screens.map(\.identifier)
                == ["FeedViewController", "UINavigationController-nav-01-nav", "UIViewController-det-01-det"])
    }

    @Test func `the first screen is compiled inside its stack, and by itself`() throws {
        let stack = try storyboard.scene("UINavigationController-nav-01-nav")
        let feed = try #require(stack.controller.children.first)
        #expect(feed.className == "StandardViewController")
        #expect(feed.element.element("UIParentViewController") == stack.controller.element)
        let bar = try #require(stack.controller.element.element("UINavigationBar"))
        #expect(bar.integer("UIBarStyle") == 2)
        #expect(bar.integer("UIAutoresizingMask") == 2)
        #expect(bar.elements("UIItems") == [feed.navigationItem])
        #expect(bar.color("UITintColor")?.systemName == "whiteColor")
        let alone = try storyboard.scene("FeedViewController").controller
        #expect(alone.element.string("UIClassName") == "_TtC9WidgetKit22StandardViewController")
        #expect(alone.restorationIdentifier == "FeedViewController")
        #expect(alone.element.integer("UIKeyAutomaticallyAdjustsScrollViewInsets") == 0)
        #expect(alone.element.element("UIParentViewController") == nil)
        #expect(alone.segues.count == 4 && feed.segues.count == 4)
    }

    @Test func `items in bars are compiled`() throws {
        let feed = try storyboard.scene("FeedViewController")
        let item = try #require(feed.controller.navigationItem)
        #expect(item.string("UITitle") == "Feed")
        #expect(item.element("UITitle")?.translationKey == "itm-01-itm.title")
        #expect(item.element("UITitleView")?.subviews.first?.string("UIText") == "Name")
        let right = try #require(item.element("UIRightBarButtonItem"))
        #expect(right.integer("UISystemItem") == 4 && right.boolean("UIIsSystemItem") == true)
        #expect(item.elements("UIRightBarButtonItems") == [right])
        #expect(item.elements("UILeftBarButtonItems").map { $0.integer("UIStyle") } == [2, 0])
        #expect(
            feed.interface.events.map(\.selector) == ["dismissAction:", "perform:"]
                && feed.interface.events.map(\.mask) == [nil, nil])
        #expect(feed.interface.events.last?.destination?.className == "UIStoryboardPushSegueTemplate")
        let label = try #require(feed.interface.outlets.first { $0.name == "titleLabel" })
        #expect(label.source == feed.controller.element && label.destination.className == "UILabel")
    }

    @Test func `segues of every kind are compiled`() throws {
        let feed = try storyboard.scene("FeedViewController")
        #expect(
            feed.controller.segues.map(\.className) == [
                "UIStoryboardShowSegueTemplate", "UIStoryboardPresentationSegueTemplate",
                "UIStoryboardPushSegueTemplate", "UIStoryboardSegueTemplate",
            ])
        #expect(feed.controller.segues.map(\.identifier) == ["details", nil, nil, "by hand"])
        #expect(feed.controller.segues.allSatisfy { $0.destination == "UIViewController-det-01-det" })
        #expect(feed.controller.segues[0].action == "showViewController:sender:")
        let presented = feed.controller.segues[1].element
        #expect(presented.integer("UIModalPresentationStyle") == 2 && presented.integer("UIModalTransitionStyle") == 2)
        #expect(presented.boolean("UIAnimates") == false)
        #expect(feed.controller.segues[3].element.string("UISegueClassName") == "_TtC9WidgetKit4Fade")
        for segue in feed.controller.segues {
            #expect(
                feed.interface.outlets.contains {
                    $0.source == segue.element && $0.name == "viewController"
                        && $0.destination == feed.controller.element
                })
        }
        let details = try storyboard.scene("UIViewController-det-01-det").controller
        #expect(
            details.segues.map(\.className) == [
                "UIStoryboardShowSegueTemplate", "UIStoryboardEmbedSegueTemplate", "UIStoryboardUnwindSegueTemplate",
            ])
        #expect(details.segues[0].action == "showDetailViewController:sender:")
        #expect(details.segues[2].element.string("UIAction") == "backAction:")
        #expect(details.element.element("UITabBarItem")?.string("UIBadgeValue") == "3")
    }

    @Test func `views are compiled with their frames, colours, fonts and constraints`() throws {
        let feed = try storyboard.scene("FeedViewController").controller
        let interface = try views(feed)
        let root = try #require(interface.owned("view"))
        #expect(root.frame == NibRect(x: 0, y: 0, width: 375, height: 667))
        #expect(root.integer("UIAutoresizingMask") == 18)
        #expect(abs((root.color("UIBackgroundColor")?.red ?? 0) - 0.12984204) < 1e-6)
        #expect(root.subviews.map(\.className) == ["UITableView", "UIButton", "_UILayoutGuide", "_UILayoutGuide"])
        #expect(root.constraints.count == 7)
        let last = try #require(root.constraints.last)
        #expect(last.first.string("_UILayoutGuideIdentifier") == "_UIViewControllerBottom")
        #expect(last.firstAttribute == 3 && last.secondAttribute == 4 && last.constant == 14)
        let table = root.subviews[0]
        #expect(table.integer("UISeparatorStyleIOS9AndLater") == 0 && table.double("UIRowHeight") == 75)
        #expect(table.integer("UIIndicatorStyle") == 2 && table.integer("UIKeyboardDismissMode") == 1)
        #expect(table.boolean("UIAlwaysBounceVertical") == true && table.boolean("UIClipsToBounds") == true)
        #expect(table.insets("UISeparatorInset") == NibInsets(top: 0, left: 15, bottom: 0, right: 5))
        let search = try #require(table.element("UITableHeaderView"))
        #expect(table.subviews == [search])
        #expect(search.string("UIPlaceholder") == "Filter & find" && search.integer("UISearchBarStyle") == 2)
        #expect(search.integer("UIContentMode") == 3 && search.integer("UIAutoresizingMask") == 34)
        #expect(search.integer("UIAutocorrectionType") == 1 && search.integer("UIReturnKeyType") == 6)
        #expect(interface.attributes(of: search).map(\.value) == [.text("searchBar")])
        let button = root.subviews[1]
        #expect(button.integer("UIButtonType") == 5 && button.boolean("UIOpaque") == nil)
        #expect(button.boolean("UIViewDoesNotTranslateAutoresizingMaskIntoConstraints") == true)
        let states = button.pairs("UIButtonStatefulContent")
        #expect(states.map { $0.key.number } == [0, 2])
        #expect(states.map { $0.value.string("UITitle") } == ["Add", "Wait"])
        #expect(states[0].value.imageName("UIImage") == "plus")
        #expect(states[0].value.color("UITitleColor")?.systemName == "whiteColor")
    }

    @Test func `connections of views lead to objects outside their file`() throws {
        let feed = try storyboard.scene("FeedViewController").controller
        let interface = try views(feed)
        func outside(_ element: NibElement?) throws -> NibElement {
            let name = try #require(element?.proxyName)
            return try #require(feed.external(name))
        }
        let table = try #require(interface.outlets.first { $0.name == "tableView" })
        #expect(try outside(table.source) == feed.element && table.destination.className == "UITableView")
        #expect(try outside(interface.outlets.first { $0.name == "dataSource" }?.destination) == feed.element)
        let parts = try #require(interface.outlets.first { $0.name == "parts" })
        #expect(parts.isCollection && parts.destination.className == "UIButton")
        let events = Dictionary(uniqueKeysWithValues: interface.events.map { ($0.selector, $0) })
        #expect(events["performAction"]?.mask == 64)
        #expect(try outside(events["performAction"]?.destination).shownClassName == "ButtonActionController")
        #expect(events["reload:"]?.mask == 1)
        #expect(events["reload:"]?.destination?.proxyName == NibPlaceholder.firstResponder)
        #expect(events["perform:"]?.mask == 64)
        #expect(
            try outside(events["perform:"]?.destination).className == "UIStoryboardPresentationSegueTemplate")
        let tap = try view(interface, "UITapGestureRecognizer")
        #expect(tap.integer("UITapGestureRecognizer.numberOfTapsRequired") == 2)
        #expect(try outside(events["tapped:"]?.destination) == feed.element)
    }

    @Test func `cells are compiled into files inside their table, connected in two steps`() throws {
        let feed = try storyboard.scene("FeedViewController").controller
        let interface = try views(feed)
        let prototype = try #require(try NibPrototype.prototypes(of: view(interface, "UITableView")).first)
        #expect(prototype.reuseIdentifier == "Cell")
        let inner = NibInterface(prototype.document.graph)
        let cell = try #require(inner.topLevelObjects.first)
        #expect(cell.shownClassName == "ContentTableViewCell" && cell.string("UIReuseIdentifier") == "Cell")
        #expect(cell.integer("UISelectionStyle") == 0)
        #expect(cell.subviews == [cell.element("UIContentView")])
        func outer(_ name: String) throws -> NibElement? {
            let outlet = try #require(inner.outlets.first { $0.name == name })
            let placeholder = try #require(outlet.destination.proxyName)
            return prototype.externalObjects.first { $0.placeholder == placeholder }?.object
        }
        #expect(try outer("table")?.className == "UITableView")
        let owner = try #require(try outer("owner")?.proxyName)
        #expect(feed.external(owner) == feed.element)
        let segue = try #require(try outer("selectionSegueTemplate")?.proxyName)
        #expect(feed.external(segue)?.string("UIIdentifier") == "details")
        #expect(inner.outlets.first { $0.name == "contentDisplayView" }?.destination.className == "UIClassSwapper")
    }

    @Test func `every constraint and every runtime attribute is compiled`() throws {
        let interface = try views(try storyboard.scene("FeedViewController").controller)
        let prototype = try #require(try NibPrototype.prototypes(of: view(interface, "UITableView")).first)
        let inner = NibInterface(prototype.document.graph)
        let display = try view(inner, "ContentDisplayView")
        let rules = display.constraints
        #expect(rules.count == 5)
        #expect(rules.map(\.firstAttribute) == [3, 4, 7, 8, 6])
        #expect(rules.map(\.secondAttribute) == [3, 4, 8, 0, 6])
        #expect(rules.map(\.constant) == [10.5, 12, 0, 200, 0])
        #expect(rules.map(\.relation) == [.equal, .greaterOrEqual, .equal, .lessOrEqual, .equal])
        #expect(rules.map(\.priority) == [1000, 750, 1000, 1000, 1000])
        #expect(abs(rules[2].multiplier - 16.0 / 9) < 1e-9)
        #expect(rules[3].identifier == "tall" && rules[4].symbolicConstant == "NSSpace")
        #expect(rules[1].element.shownClassName == "AnimatedConstraint")
        #expect(inner.attributes(of: rules[1].element).map(\.value) == [.text("bottomSpace")])
        let label = try view(inner, "UILabel")
        #expect(label.frame == NibRect(x: 72, y: 10.5, width: 234, height: 17))
        #expect(label.string("UIText") == "Author" && label.integer("UINumberOfLines") == 0)
        #expect(label.integer("UITextAlignment") == 4 && label.integer("UILineBreakMode") == nil)
        #expect(label.boolean("UIUserInteractionDisabled") == true)
        let hugging = try #require(label.priorities("UIViewContentHuggingPriority"))
        #expect(hugging.horizontal == 251 && hugging.vertical == 251)
        let font = try #require(label.font("UIFont"))
        #expect(font.isBold && font.isSystem && font.pointSize == 14 && font.name == ".SFUIText-Bold")
        let color = try #require(label.color("UITextColor"))
        #expect([color.red, color.green, color.blue, color.alpha] == [0.5, 0.25, 0.125, 0.75])
        let attributes = inner.attributes(of: label)
        #expect(
            attributes.map(\.keyPath) == [
                "wx.identifier", "wx.layoutHint.top", "ratio", "draggable", "borderColor", "p", "s", "r", "g", "i", "n",
            ])
        #expect(attributes.prefix(4).map(\.value) == [.text("authorLabel"), .number(31), .number(0.5), .truth(true)])
        #expect(
            attributes.dropFirst(5).map(\.value) == [
                .point(NibPoint(x: 1, y: 2)), .size(NibPoint(x: 3, y: 4)),
                .rect(NibRect(x: 1, y: 2, width: 3, height: 4)), .range(location: 5, length: 6), .image("wave"), .null,
            ])
    }

    @Test func `controls are compiled with their values`() throws {
        let interface = try views(try storyboard.scene("UIViewController-det-01-det").controller)
        let stack = try view(interface, "UIStackView")
        #expect(stack.integer("UIStackViewAxis") == 1 && stack.integer("UIStackViewAlignment") == 3)
        #expect(stack.double("UIStackViewSpacing") == 8)
        #expect(stack.elements("UIStackViewArrangedSubviews") == stack.subviews && stack.subviews.count == 9)
        let field = try view(interface, "UITextField")
        #expect(field.string("UIText") == "typed" && field.string("UIPlaceholder") == "Type")
        #expect(field.integer("UIBorderStyle") == 3 && field.integer("UIClearButtonMode") == 3)
        #expect(field.integer("UIKeyboardType") == 7 && field.boolean("UISecureTextEntry") == true)
        #expect(try view(interface, "UISwitch").boolean("UISwitchOn") == true)
        #expect(try view(interface, "UISlider").double("UIMaxValue") == 2)
        #expect(try view(interface, "UIProgressView").double("UIProgress") == 0.25)
        #expect(try view(interface, "UIActivityIndicatorView").boolean("UIHidden") == true)
        let segments = try view(interface, "UISegmentedControl").elements("UISegments")
        #expect(segments.map { $0.string("UISegmentInfo") } == ["One", "Two"])
        #expect(segments.map { $0.boolean("UIDisabled") } == [nil, true])
        #expect(try view(interface, "UIImageView").imageName("UIImage") == "wave")
        let text = try view(interface, "UITextView")
        #expect(text.string("UIText") == "Two\nlines" && text.boolean("UIEditable") == false)
        #expect(text.font("UIFont")?.textStyle == "UICTFontTextStyleBody")
        let collection = try view(interface, "UICollectionView")
        let layout = try #require(collection.element("UICollectionLayout"))
        #expect(layout.size("UIItemSize") == NibPoint(x: 50, y: 60) && layout.integer("UIScrollDirection") == 1)
        #expect(layout.insets("UISectionInset") == NibInsets(top: 2, left: 1, bottom: 4, right: 3))
        #expect(try NibPrototype.prototypes(of: collection).map(\.reuseIdentifier) == ["Tile"])
        let rule = try #require(interface.owned("view")?.constraints.first)
        #expect(rule.second?.string("UILayoutGuideIdentifier") == "UIViewSafeAreaLayoutGuide")
        #expect(interface.outlets.contains { $0.name == "containerView" && $0.destination.className == "UIView" })
    }

    @Test func `static cells are compiled into the table of their controller`() throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
            <tableViewController id="tvc" sceneMemberID="viewController">
            <tableView key="view" dataMode="static" style="grouped" id="t"><sections>
            <tableViewSection headerTitle="First" footerTitle="Last" id="sec"><cells>
            <tableViewCell rowHeight="60" id="c1" textLabel="l"><tableViewCellContentView key="contentView" tableViewCell="c1" id="cv">
            <subviews><label id="l" text="Row"/></subviews></tableViewCellContentView>
            <connections><outlet property="owner" destination="tvc" id="o"/></connections></tableViewCell>
            <tableViewCell id="c2"/></cells></tableViewSection></sections></tableView></tableViewController>
            </objects></scene></scenes></document>
            """
        let compiled = try InterfaceCompiler.compile(Array(text.utf8), path: "Main.storyboard")
        let storyboard = try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: compiled.map { (String($0.path.dropFirst(17)), $0.bytes) }))
        let controller = try storyboard.scene("UITableViewController-tvc").controller
        let interface = NibInterface(try storyboard.document(ofNib: try #require(controller.viewNib)).graph)
        let section = try #require(NibTableSection.sections(of: interface).first)
        #expect(section.header == "First" && section.footer == "Last")
        #expect(section.rows.map(\.height) == [60, nil])
        #expect(section.rows[0].cell.element("UITextLabel")?.string("UIText") == "Row")
        let outlet = try #require(interface.outlets.first { $0.name == "staticDataSource" })
        #expect(controller.external(try #require(outlet.source.proxyName)) == controller.element)
        #expect(interface.owned("view")?.integer("UIStyle") == 1)
    }
}

/// Screens whose mediators are in the storyboard itself, beside the controller.
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
    func `objects beside a controller are in the screen's file, also inside a stack`(_ screen: String) throws {
        let scene = try storyboard.scene(screen)
        for name in ["Provider", "Mediator", "Manager"] {
            #expect(scene.interface.topLevelObjects.contains { $0.shownClassName == name }, "\(name)")
        }
        let manager = try #require(scene.interface.outlets.first { $0.name == "manager" })
        #expect(manager.source.string("UIClassName") == "_TtC3App8Provider")
        #expect(manager.destination.string("UIClassName") == "Manager")
    }

    @Test func `objects beside a controller are connected in the file of the views`() throws {
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

    @Test func `views in bars, and bars at the bottom, are compiled`() throws {
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
