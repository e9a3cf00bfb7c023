import Testing
import WidgetBuild
import WidgetNib

/// Bars, the items in them, and pictures by the names of symbols.
@Suite struct `A bar in an interface` {
    private static func stack(_ bar: String, beside: String = "") -> [String] {
        [
            SmallInterface.scene(
                "nav",
                """
                <navigationController id="nav" sceneMemberID="viewController">
                \(bar)<connections><segue destination="vc" kind="relationship" relationship="rootViewController" id="r"/></connections>
                </navigationController>
                """), SmallInterface.screen("vc"),
        ]
    }

    @Test func `titles have their colour, font and shadow`() throws {
        let interface = try SmallInterface(
            scenes: Self.stack(
                """
                <navigationBar key="navigationBar" barStyle="blackOpaque" id="bar">
                <textAttributes key="titleTextAttributes">
                <fontDescription key="fontDescription" type="boldSystem" pointSize="19"/>
                <color key="textColor" red="1" green="0.5" blue="0" alpha="1"/>
                <color key="textShadowColor" white="0" alpha="0.5"/>
                <offsetWrapper key="textShadowOffset" horizontal="1" vertical="-2"/></textAttributes>
                <textAttributes key="largeTitleTextAttributes"><color key="textColor" white="1" alpha="1"/></textAttributes>
                <navigationBarAppearance key="standardAppearance"><color key="backgroundColor" white="1" alpha="1"/></navigationBarAppearance>
                <navigationBarAppearance key="scrollEdgeAppearance"/>
                </navigationBar>
                """), first: "nav")
        let bar = try #require(
            try interface.scene("UINavigationController-nav").controller.element.element("UINavigationBar"))
        let title = Dictionary(
            uniqueKeysWithValues: bar.pairs("UITitleTextAttributes").map { ($0.key.text ?? "", $0.value) })
        #expect(title["NSFont"].flatMap { NibFont($0) }?.pointSize == 19)
        #expect(title["NSColor"].flatMap { NibColor($0) }?.green == 0.5)
        #expect(title["NSShadow"]?.double("NSShadowVert") == -2)
        #expect(title["NSShadow"]?.color("NSShadowColor")?.alpha == 0.5)
        #expect(bar.pairs("UIBarLargeTitleTextAttributes").map { $0.key.text } == ["NSColor"])
        #expect(bar.integer("UIBarStyle") == 1)
        #expect(
            interface.notes.map { $0.drop { $0 != " " }.description } == [
                " standardAppearance of navigationBar was left out: it only changes how it looks",
                " scrollEdgeAppearance of navigationBar was left out: it only changes how it looks",
            ])
    }

    @Test func `items have insets, offsets, symbols and landscape pictures`() throws {
        let interface = try SmallInterface(
            views: "",
            controller: """
                <navigationItem key="navigationItem" title="T" id="item">
                <barButtonItem key="rightBarButtonItem" image="gear" catalog="system" landscapeImage="small" id="gear">
                <inset key="imageInsets" minX="1" minY="2" maxX="-8" maxY="4"/>
                <inset key="landscapeImageInsets" minX="0" minY="0" maxX="-3" maxY="0"/></barButtonItem></navigationItem>
                <tabBarItem key="tabBarItem" title="Tab" image="star" catalog="system" id="tab">
                <inset key="imageInsets" minX="0" minY="5" maxX="0" maxY="-5"/>
                <offsetWrapper key="titlePositionAdjustment" horizontal="0" vertical="-4"/>
                <color key="badgeColor" white="1" alpha="1"/></tabBarItem>
                <toolbarItems><barButtonItem systemItem="flexibleSpace" id="flex"/><barButtonItem title="End" id="end"/></toolbarItems>
                """)
        let controller = try interface.scene().controller.element
        let item = try #require(controller.element("UINavigationItem")?.element("UIRightBarButtonItem"))
        #expect(item.insets("UIImageInsets") == NibInsets(top: 2, left: 1, bottom: 4, right: -8))
        #expect(item.insets("UIImageInsetsLandscape")?.right == -3)
        #expect(item.imageName("UIImage") == "gear")
        #expect(item.element("UIImage")?.string("UISystemSymbolResourceName") == "gear")
        let tab = try #require(controller.element("UITabBarItem"))
        #expect(tab.numbers("UITitlePositionAdjustment", count: 2) == [0, -4])
        #expect(tab.insets("UIImageInsets")?.top == 5 && tab.color("UIBadgeColor")?.red == 1)
        #expect(controller.elements("UIToolbarItems").map { $0.integer("UISystemItem") } == [5, nil])
        #expect(interface.notes == [])
    }

    @Test func `symbols of buttons, pictures and segments keep their names`() throws {
        let interface = try SmallInterface(
            views: """
                <button pointerInteraction="YES" id="but"><state key="normal" image="trash" catalog="system"><preferredSymbolConfiguration key="preferredSymbolConfiguration" configurationType="pointSize" pointSize="24" weight="bold"/></state>
                <state key="selected"><imageReference key="image" image="trash.fill" catalog="system" symbolScale="large"/></state></button>
                <imageView image="star.fill" catalog="system" id="img"><preferredSymbolConfiguration key="preferredSymbolConfiguration" scale="large"/></imageView>
                <imageView id="ref"><imageReference key="image" image="photo" renderingMode="original"/></imageView>
                <segmentedControl selectedSegmentIndex="0" id="seg"><segments><segment image="map" catalog="system"/></segments></segmentedControl>
                """)
        let button = try interface.view("UIButton")
        let states = button.pairs("UIButtonStatefulContent").map { $0.value }
        #expect(states.map { $0.imageName("UIImage") } == ["trash", "trash.fill"])
        #expect(states.allSatisfy { $0.element("UIImage")?.has("UISystemSymbolResourceName") == true })
        let pictures = try interface.views().objects.filter { $0.className == "UIImageView" }
        #expect(pictures.map { $0.imageName("UIImage") } == ["star.fill", "photo"])
        #expect(pictures.map { $0.element("UIImage")?.has("UISystemSymbolResourceName") } == [true, false])
        #expect(
            try interface.view("UISegmentedControl").elements("UISegments").first?.imageName("UISegmentInfo") == "map")
        #expect(interface.notes.count == 5 && interface.notes.allSatisfy { $0.contains("only changes how it looks") })
    }

    @Test func `a search bar has its scopes, which can be translated`() throws {
        let interface = try SmallInterface(
            views: """
                <searchBar showsScopeBar="YES" showsSearchResultsButton="YES" id="bar"><scopeButtonTitles><string>All</string><string>Mine</string></scopeButtonTitles>
                <offsetWrapper key="searchTextPositionAdjustment" horizontal="2" vertical="0"/></searchBar>
                """, path: "Base.lproj/Main.storyboard")
        let bar = try interface.view("UISearchBar")
        #expect(bar.elements("UIScopeButtonTitles").map(\.text) == ["All", "Mine"])
        #expect(bar.elements("UIScopeButtonTitles").last?.translationKey == "bar.scopeButtonTitles[1]")
        #expect(bar.boolean("UIShowsScopeBar") == true)
        #expect(bar.numbers("UISearchTextPositionAdjustment", count: 2) == [2, 0])
    }
}
