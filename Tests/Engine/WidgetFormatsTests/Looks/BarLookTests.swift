import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: the bars around a screen reach the program, and the way in which content lies under them. Method: storyboards,
/// compiled and read.
@Suite struct `The bars of a screen` {
    private typealias D = DrawnInterface

    private static func stack(_ attributes: String, bar: String, _ parts: String = "", more: String = "") -> String {
        """
        <navigationController storyboardIdentifier="Stack" \(attributes) id="stack">
        <navigationBar key="navigationBar" contentMode="scaleToFill" \(bar) id="bar">\(D.frame(0, 20, 375, 44))
        <autoresizingMask key="autoresizingMask"/>\(parts)</navigationBar>\(more)
        <connections><segue destination="screen" kind="relationship" relationship="rootViewController" id="root-segue"/>
        </connections></navigationController>
        """
    }

    @Test func `A stack's bar has its style, tints, translucence and title`() throws {
        let parts =
            D.color("tintColor", 1, 0, 0) + D.color("barTintColor", 0, 1, 0)
            + "<textAttributes key=\"titleTextAttributes\">\(D.color("textColor", 0, 0, 1))</textAttributes>"
        let drawn = try DrawnInterface(
            scenes: [Self.stack("", bar: "barStyle=\"black\" translucent=\"NO\" largeTitles=\"YES\"", parts)],
            initial: "stack")
        var bar = BarGeometry()
        (bar.isDark, bar.isTranslucent, bar.prefersLargeTitle) = (true, false, true)
        (bar.tint, bar.background, bar.titleColor) = (.rgb(255, 0, 0), .rgb(0, 255, 0), .rgb(0, 0, 255))
        #expect(try drawn.scene().navigationBar == bar)
        #expect(try drawn.scene().toolbar == nil && drawn.scene().tabBar == nil)
        let usual = try DrawnInterface(scenes: [Self.stack("", bar: "")], initial: "stack")
        #expect(try usual.scene().navigationBar == BarGeometry())
        let hidden = try DrawnInterface(
            scenes: [Self.stack("navigationBarHidden=\"YES\"", bar: "")], initial: "stack")
        #expect(try hidden.scene().navigationBar?.isHidden == true)
        #expect(try DrawnInterface().scene().navigationBar == nil)
    }

    @Test func `A toolbar is there when its stack shows it`() throws {
        let toolbar = "<toolbar key=\"toolbar\" barStyle=\"black\" id=\"toolbar\">\(D.frame(0, 623, 375, 44))</toolbar>"
        let shown = try DrawnInterface(
            scenes: [Self.stack("toolbarHidden=\"NO\"", bar: "", more: toolbar)], initial: "stack")
        #expect(try shown.scene().toolbar?.isDark == true)
        let hidden = try DrawnInterface(scenes: [Self.stack("", bar: "", more: toolbar)], initial: "stack")
        #expect(try hidden.scene().toolbar == nil)
    }

    @Test func `A toolbar has the screen's items, and no room between them`() throws {
        let items = """
            <toolbarItems><barButtonItem systemItem="refresh" id="a"/><barButtonItem systemItem="flexibleSpace" id="b"/>
            <barButtonItem title="Sort" id="c"/></toolbarItems>
            """
        let scene = try DrawnInterface(
            items: items, scenes: [Self.stack("toolbarHidden=\"NO\"", bar: "")], initial: "stack"
        ).scene()
        let toolbar = try #require(scene.toolbarItems.flatMap { scene.node($0) })
        let buttons = toolbar.children.map { scene.nodes[$0] }
        #expect(toolbar.kind == .bar && buttons.allSatisfy { $0.kind == .button })
        #expect(buttons.map { $0[.accessibleName]?.literal?.string } == ["Refresh", nil])
        #expect(buttons.last?[.text]?.literal?.string == "Sort")
        #expect(try DrawnInterface().scene().toolbarItems == nil)
    }

    @Test func `A screen that never has a large title has none in a bar of large titles`() throws {
        let drawn = try DrawnInterface(
            items: "<navigationItem key=\"navigationItem\" largeTitleDisplayMode=\"never\" id=\"item\"/>",
            scenes: [Self.stack("", bar: "largeTitles=\"YES\"")], initial: "stack")
        #expect(try drawn.scene().navigationBar?.prefersLargeTitle == false)
    }

    @Test func `A screen that is pushed has the bar that it is pushed under`() throws {
        func pushed(_ attributes: String = "") throws -> Scene {
            let other = """
                <viewController storyboardIdentifier="Other" \(attributes) id="other"><view key="view" id="otherRoot">\
                \(D.frame(0, 0, 375, 667))</view></viewController>
                """
            let drawn = try DrawnInterface(
                items:
                    "<connections><segue destination=\"other\" kind=\"show\" identifier=\"go\" id=\"go\"/></connections>",
                scenes: [
                    Self.stack(
                        "toolbarHidden=\"NO\"", bar: "barStyle=\"black\"",
                        more: "<toolbar key=\"toolbar\" id=\"toolbar\">\(D.frame(0, 623, 375, 44))</toolbar>"), other,
                ], initial: "stack")
            return try drawn.scene("Other")
        }
        #expect(try pushed().navigationBar?.isDark == true && pushed().toolbar != nil)
        let hiding = try pushed("hidesBottomBarWhenPushed=\"YES\"")
        #expect(hiding.navigationBar?.isDark == true && hiding.toolbar == nil && hiding.edges.hidesBottomBar)
    }

    @Test func `Tabs are around the screens in them`() throws {
        let tabs = """
            <tabBarController storyboardIdentifier="Tabs" id="tabs">
            <tabBar key="tabBar" contentMode="scaleToFill" translucent="NO" id="tabBar">\(D.frame(0, 618, 375, 49))
            \(D.color("barTintColor", 1, 0, 0))</tabBar><connections>
            <segue destination="screen" kind="relationship" relationship="viewControllers" id="tab-segue"/>
            <segue destination="other" kind="relationship" relationship="viewControllers" id="tab-segue-2"/></connections>
            </tabBarController>
            """
        let other = """
            <viewController id="other"><view key="view" id="otherRoot">\(D.frame(0, 0, 375, 667))</view>
            <tabBarItem key="tabBarItem" systemItem="history" id="history"/></viewController>
            """
        let drawn = try DrawnInterface(
            items: "<tabBarItem key=\"tabBarItem\" title=\"Birds\" image=\"bird\" id=\"birds\"/>",
            scenes: [tabs, other], initial: "tabs")
        let shown = try #require(drawn.program.entries[drawn.program.initial]?.tabs)
        #expect(shown.map(\.title) == ["Birds", "History"] && shown.map(\.image) == ["bird", nil])
        #expect(shown.map(\.isNavigation) == [false, false] && shown.first?.scene == "Screen")
        for tab in shown {
            let bar = try #require(drawn.program.scenes[tab.scene]?.tabBar)
            #expect(bar.background == .rgb(255, 0, 0) && !bar.isTranslucent)
        }
    }

    @Test func `Edges say how content lies under bars`() throws {
        let drawn = try DrawnInterface(
            controller: "automaticallyAdjustsScrollViewInsets=\"NO\" extendedLayoutIncludesOpaqueBars=\"YES\"",
            items: "<extendedEdge key=\"edgesForExtendedLayout\" bottom=\"YES\"/>")
        var edges = ScreenEdges()
        (edges.extendsUnderTopBar, edges.extendsUnderOpaqueBars, edges.adjustsScrollInsets) = (false, true, false)
        #expect(try drawn.scene().edges == edges)
        #expect(try DrawnInterface().scene().edges == ScreenEdges())
        #expect(ScreenEdges().extendsUnderTopBar && ScreenEdges().adjustsScrollInsets)
    }

    @Test func `A search bar among the views has the look of a bar`() throws {
        let drawn = try DrawnInterface(
            D.element("searchBar", "search", "barStyle=\"black\" translucent=\"NO\" searchBarStyle=\"minimal\"")
                + D.element("view", "other"))
        let bar = try #require(try drawn.look("search").bar)
        #expect(bar.isDark && !bar.isTranslucent && bar.isMinimal)
        #expect(try drawn.look("other").bar == nil)
    }
}
