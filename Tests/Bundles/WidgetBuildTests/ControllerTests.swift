import Testing
import WidgetBuild
import WidgetNib

/// Controllers of every kind, what they contain, and how one leads to another.
@Suite struct `A controller in a storyboard` {
    private static let second = SmallInterface.screen("two")

    private func storyboard(_ controller: String, _ id: String) throws -> SmallInterface {
        try SmallInterface(
            scenes: [SmallInterface.scene(id, controller), SmallInterface.screen("vc"), Self.second], first: id)
    }

    @Test func `a stack has its settings of bars`() throws {
        let interface = try storyboard(
            """
            <navigationController navigationBarHidden="YES" toolbarHidden="NO" hidesBarsOnSwipe="YES" id="nav" sceneMemberID="viewController">
            <connections><segue destination="vc" kind="relationship" relationship="rootViewController" id="r"/></connections>
            </navigationController>
            """, "nav")
        let stack = try interface.scene("UINavigationController-nav").controller.element
        #expect(stack.boolean("UINavigationBarHidden") == true && stack.boolean("UIToolbarShown") == true)
        #expect(stack.boolean("UINavigationControllerCondensesBarsOnSwipe") == true)
    }

    @Test func `a split contains its screens in their order`() throws {
        let interface = try storyboard(
            """
            <splitViewController style="doubleColumn" preferredDisplayMode="beside" id="spl" sceneMemberID="viewController"><connections>
            <segue destination="two" kind="relationship" relationship="detailViewController" id="r2"/>
            <segue destination="vc" kind="relationship" relationship="masterViewController" id="r1"/>
            </connections></splitViewController>
            """, "spl")
        let split = try interface.scene("UISplitViewController-spl").controller
        #expect(split.children.map { $0.viewNib ?? "" } == ["vc-view-vc-view", "two-view-two-view"])
        #expect(
            interface.notes == [
                "Main.storyboard:2:66: style of splitViewController was left out: it only changes how it looks",
                "Main.storyboard:2:87: preferredDisplayMode of splitViewController was left out: it only changes how it looks",
            ])
    }

    @Test func `pages, films and pictures of games have the classes of their frameworks`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.screen("vc"),
                SmallInterface.scene(
                    "pag",
                    """
                    <pageViewController autoresizesArchivedViewToFullSize="NO" transitionStyle="scroll" navigationOrientation="vertical" spineLocation="none" doubleSided="YES" id="pag" sceneMemberID="viewController"/>
                    """),
                SmallInterface.scene(
                    "av",
                    "<avPlayerViewController videoGravity=\"AVLayerVideoGravityResizeAspect\" id=\"av\" sceneMemberID=\"viewController\"/>"
                ),
                SmallInterface.scene(
                    "gl",
                    """
                    <glkViewController preferredFramesPerSecond="30" id="gl" sceneMemberID="viewController">
                    <glkView key="view" opaque="NO" enableSetNeedsDisplay="NO" id="glv"/></glkViewController>
                    """),
            ])
        let pages = try interface.scene("UIPageViewController-pag").controller.element
        #expect(pages.integer("UITransitionStyle") == 1 && pages.integer("UINavigationOrientation") == 1)
        #expect(pages.integer("UISpineLocation") == 0 && pages.boolean("UIDoubleSided") == true)
        #expect(pages.boolean("UIAutoresizesArchivedViewToFullSize") == false)
        #expect(try interface.scene("AVPlayerViewController-av").controller.className == "AVPlayerViewController")
        let drawing = try interface.views("GLKViewController-gl")
        #expect(drawing.owned("view")?.boolean("GLKViewEnableSetNeedsDisplayCoderKey") == false)
        #expect(interface.notes.count == 1 && interface.notes.allSatisfy { $0.contains("preferredFramesPerSecond") })
    }

    @Test func `a screen of another storyboard is a reference in the list of screens`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.screen(
                    "vc",
                    views: """
                        <button id="but"><connections><segue destination="ref" kind="show" id="seg"/></connections></button>
                        """),
                SmallInterface.scene(
                    "ref",
                    "<viewControllerPlaceholder storyboardName=\"Other\" referencedIdentifier=\"Deep\" id=\"ref\" sceneMemberID=\"viewController\"/>"
                ),
            ])
        let storyboard = try interface.storyboard()
        #expect(storyboard.screens.map(\.identifier) == ["UIViewController-vc"])
        let reference = try #require(storyboard.references.first)
        #expect(reference.identifier == "UIViewController-ref" && reference.bundle == nil)
        #expect(reference.storyboard == "Other" && reference.screen == "Deep")
        #expect(try interface.scene().controller.segues.first?.destination == "UIViewController-ref")
    }

    @Test func `tabs hold a stand-in for a screen of another storyboard`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.scene(
                    "tab",
                    """
                    <tabBarController id="tab" sceneMemberID="viewController">
                    <tabBar key="tabBar" itemPositioning="centered" id="bar"/>
                    <connections><segue destination="ref" kind="relationship" relationship="viewControllers" id="r"/></connections>
                    </tabBarController>
                    """),
                SmallInterface.scene(
                    "ref",
                    """
                    <viewControllerPlaceholder storyboardName="Other" id="ref" sceneMemberID="viewController">
                    <tabBarItem key="tabBarItem" title="Item" id="item"/></viewControllerPlaceholder>
                    """),
            ], first: "tab")
        let tabs = try interface.scene("UITabBarController-tab")
        let standIn = try #require(tabs.controller.children.first)
        #expect(standIn.className == "UIStoryboardViewControllerPlaceholder")
        #expect(standIn.referenced == "UIViewController-ref")
        #expect(tabs.controller.element.element("UITabBar")?.integer("UITabBarItemPositioning") == 2)
        let loaded = tabs.interface.outlets.filter { $0.name == "storyboard" }
        #expect(loaded.map(\.source.className) == ["UITabBarController"], "the loader replaces the stand-in")
    }

    @Test func `a reference to nothing is refused`() {
        #expect {
            try SmallInterface(
                scenes: [
                    SmallInterface.scene(
                        "tab",
                        """
                        <tabBarController id="tab" sceneMemberID="viewController"><connections>
                        <segue destination="ref" kind="relationship" relationship="viewControllers" id="r"/></connections></tabBarController>
                        """),
                    SmallInterface.scene(
                        "ref", "<viewControllerPlaceholder id=\"ref\" sceneMemberID=\"viewController\"/>"),
                ], first: "tab")
        } throws: { "\($0)".contains("a reference needs the name of a storyboard or the identifier of a screen") }
    }

    @Test func `popovers point to what they name, and a split's segue replaces a side`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.screen(
                    "vc",
                    views: """
                        <button id="but"><connections>
                        <segue destination="two" kind="popoverPresentation" popoverAnchorView="but" id="s1"><popoverArrowDirection key="popoverArrowDirection" up="YES" left="YES"/></segue>
                        <segue destination="two" kind="popover" popoverAnchorView="but" id="s2"/>
                        <segue destination="two" kind="replace" splitViewControllerTargetIndex="1" id="s3"/>
                        <segue destination="two" kind="presentation" modalPresentationStyle="automatic" id="s4"/>
                        </connections></button>
                        """), Self.second,
            ])
        let segues = try interface.scene().controller.segues
        #expect(
            segues.map(\.className) == [
                "UIStoryboardPopoverPresentationSegueTemplate", "UIStoryboardPopoverSegueTemplate",
                "UIStoryboardReplaceSegueTemplate", "UIStoryboardPresentationSegueTemplate",
            ])
        #expect(segues.prefix(2).map { $0.element.integer("UIPermittedArrowDirections") } == [5, 15])
        #expect(segues[2].element.integer("UISplitViewControllerIndex") == 1)
        #expect(segues[3].element.integer("UIModalPresentationStyle") == -2)
        let anchors = try interface.views().outlets.filter { $0.name == "anchorView" }
        #expect(anchors.count == 2 && anchors.allSatisfy { $0.destination.className == "UIButton" })
    }

    @Test func `a connection to another scene is left out with a note`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.screen(
                    "vc",
                    views: """
                        <button id="but"><connections>
                        <action selector="far:" destination="two" eventType="touchUpInside" id="a1"/>
                        <action selector="near:" destination="vc" eventType="touchUpInside" id="a2"/></connections></button>
                        """), Self.second,
            ])
        #expect(try interface.views().events.map(\.selector) == ["near:"])
        #expect(
            interface.notes == ["Main.storyboard:5:1: action far: was left out: it leads to another scene"])
    }

    @Test func `a control for pulling belongs to its controller`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.scene(
                    "vc",
                    """
                    <tableViewController id="vc" sceneMemberID="viewController"><tableView key="view" id="tab"/>
                    <refreshControl key="refreshControl" opaque="NO" contentMode="center" id="ref">
                    <connections><action selector="reload:" destination="vc" eventType="valueChanged" id="a"/></connections></refreshControl>
                    </tableViewController>
                    """)
            ])
        let scene = try interface.scene("UITableViewController-vc")
        #expect(scene.controller.element.element("UIRefreshControl")?.className == "UIRefreshControl")
        #expect(scene.interface.events.map(\.mask) == [1 << 12])
    }

    @Test func `old search controllers, shortcuts and sizes of popovers pass`() throws {
        let interface = try SmallInterface(
            views: "<searchBar id=\"bar\"/>",
            controller: """
                <value key="contentSizeForViewInPopover" type="size" width="320" height="480"/>
                <keyCommands><keyCommand input="f" modifierFlags="command" actionName="find:"/></keyCommands>
                <connections><outlet property="searchDisplayController" destination="sdc" id="o1"/></connections>
                """,
            beside: """
                <searchDisplayController id="sdc"><connections><outlet property="searchBar" destination="bar" id="o2"/>
                <outlet property="searchContentsController" destination="vc" id="o3"/></connections></searchDisplayController>
                """)
        let controller = try interface.scene().controller.element
        #expect(controller.numbers("UIContentSizeForViewInPopover", count: 2) == [320, 480])
        #expect(try interface.views().outlets.contains { $0.name == "searchBar" })
        #expect(interface.notes.count == 1)
        #expect(interface.notes.first?.hasPrefix("Main.storyboard:5:1: keyCommands") == true)
    }
}
