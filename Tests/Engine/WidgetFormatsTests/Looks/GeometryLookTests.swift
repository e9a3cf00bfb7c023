import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: the place of each element reaches the program as its author drew it. Method: storyboards, compiled and read.
@Suite struct `The geometry of an element` {
    private typealias D = DrawnInterface

    @Test func `Each bit of a mask is a flexible part`() throws {
        let names: [(String, Springs)] = [
            ("flexibleMinX", .left), ("widthSizable", .width), ("flexibleMaxX", .right), ("flexibleMinY", .top),
            ("heightSizable", .height), ("flexibleMaxY", .bottom),
        ]
        let views = names.map { name, _ in
            D.element("view", name, "", "<autoresizingMask key=\"autoresizingMask\" \(name)=\"YES\"/>")
        }
        let drawn = try DrawnInterface(views.joined())
        for (name, springs) in names { #expect(try drawn.look(name).geometry.springs == springs, "\(name)") }
    }

    @Test func `A view that only rules place has no springs, and one without a mask has fixed parts`() throws {
        let drawn = try DrawnInterface(
            D.element("view", "ruled", "translatesAutoresizingMaskIntoConstraints=\"NO\"") + D.element("view", "fixed"))
        #expect(try drawn.look("ruled").geometry.springs == nil)
        #expect(try drawn.look("fixed").geometry.springs == [])
    }

    @Test func `A frame is drawn in the bounds of its parent`() throws {
        let inner = D.element("view", "inner", frame: D.frame(5, 6, 20, 10))
        let drawn = try DrawnInterface(
            D.element("view", "outer", frame: D.frame(10, 20, 300, 200), "<subviews>\(inner)</subviews>"))
        #expect(try drawn.look("inner").geometry.design == Size(width: 300, height: 200))
        #expect(try drawn.look("outer").geometry.design == Size(width: 375, height: 667))
        #expect(try drawn.node("inner").frame == Frame(x: 5, y: 6, width: 20, height: 10))
    }

    @Test func `Priorities are those that the author wrote, or the usual ones`() throws {
        let written = """
            horizontalHuggingPriority="251" verticalHuggingPriority="252" horizontalCompressionResistancePriority="749" \
            verticalCompressionResistancePriority="1000"
            """
        let drawn = try DrawnInterface(D.element("label", "own", written) + D.element("view", "usual"))
        #expect(try drawn.look("own").geometry.hugging == Priorities(horizontal: 251, vertical: 252))
        #expect(try drawn.look("own").geometry.resistance == Priorities(horizontal: 749, vertical: 1000))
        #expect(try drawn.look("usual").geometry.hugging == Priorities(horizontal: 250, vertical: 250))
        #expect(try drawn.look("usual").geometry.resistance == Priorities(horizontal: 750, vertical: 750))
    }

    @Test func `Margins keep their sides, and say where they begin`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "view", "plain", "preservesSuperviewLayoutMargins=\"YES\" insetsLayoutMarginsFromSafeArea=\"NO\"",
                "<edgeInsets key=\"layoutMargins\" top=\"1\" left=\"2\" bottom=\"3\" right=\"4\"/>")
                + D.element(
                    "view", "directed", "",
                    "<directionalEdgeInsets key=\"directionalLayoutMargins\" top=\"1\" leading=\"2\" bottom=\"3\" trailing=\"4\"/>"
                ) + D.element("view", "usual", "semanticContentAttribute=\"forceLeftToRight\""))
        let plain = try drawn.look("plain").geometry
        #expect(plain.margins == Insets(top: 1, leading: 2, bottom: 3, trailing: 4))
        #expect(!plain.addsSafeArea && plain.preservesParentMargins && !plain.isForcedLeftToRight)
        let directed = try drawn.look("directed").geometry
        #expect(directed.margins == Insets(top: 1, leading: 2, bottom: 3, trailing: 4, isPhysical: false))
        let usual = try drawn.look("usual").geometry
        #expect(usual.margins == nil && usual.addsSafeArea && usual.isForcedLeftToRight)
    }

    @Test func `Views of tables and rows have their roles`() throws {
        let cell = """
            <tableViewCell reuseIdentifier="Cell" id="cell">\(D.frame(0, 0, 375, 44))
            <tableViewCellContentView key="contentView" tableViewCell="cell" id="content">\(D.frame(0, 0, 375, 44))
            <subviews>\(D.element("view", "behind"))\(D.element("label", "text"))</subviews></tableViewCellContentView>
            \(D.element("view", "side", "key=\"accessoryView\""))\(D.element("view", "ground", "key=\"backgroundView\""))
            <connections><outlet property="selectedBackgroundView" destination="behind" id="outlet"/></connections>
            </tableViewCell>
            """
        let table = D.element(
            "tableView", "table", "dataMode=\"prototypes\" rowHeight=\"-1\"", frame: D.frame(0, 0, 375, 667),
            D.element("view", "head", "key=\"tableHeaderView\"") + D.element("view", "foot", "key=\"tableFooterView\"")
                + "<prototypes>\(cell)</prototypes>")
        let drawn = try DrawnInterface(table)
        let roles = try ["head", "foot", "behind", "text", "side", "ground"].map { try drawn.look($0).geometry.role }
        #expect(roles == [.header, .footer, .selectedBackground, .content, .accessory, .background])
        let content = try #require(try drawn.node("text").parent)
        #expect(try drawn.scene().nodes[content].look?.geometry.role == .contentView)
    }

    @Test func `A view behind a row is its first child, though it is not among the row's views`() throws {
        let cell = """
            <tableViewCell reuseIdentifier="Cell" id="cell">\(D.frame(0, 0, 375, 44))
            <tableViewCellContentView key="contentView" tableViewCell="cell" id="content">\(D.frame(0, 0, 375, 44))
            </tableViewCellContentView>\(D.element("view", "behind", "key=\"selectedBackgroundView\""))</tableViewCell>
            """
        let drawn = try DrawnInterface(
            D.element("tableView", "table", "dataMode=\"prototypes\"", "<prototypes>\(cell)</prototypes>"))
        let scene = try drawn.scene()
        let row = try #require(scene.nodes.firstIndex { $0.kind == .row })
        #expect(scene.nodes[row].children.first == (try drawn.id("behind")) && scene.nodes[row].children.count == 2)
        #expect(try drawn.look("behind").geometry.role == .selectedBackground)
        #expect(try drawn.node("behind").prototype == row)
    }

    @Test func `A fixed row has the height that the author gave it`() throws {
        let controller = """
            <tableViewController storyboardIdentifier="Table" id="tables"><tableView key="view" dataMode="static" id="fixed">
            \(D.frame(0, 0, 375, 667))<sections><tableViewSection id="section"><cells>
            <tableViewCell rowHeight="88" id="high">\(D.frame(0, 0, 375, 88))
            <tableViewCellContentView key="contentView" tableViewCell="high" id="highContent">\(D.frame(0, 0, 375, 88))
            <subviews>\(D.element("label", "inHigh"))</subviews></tableViewCellContentView></tableViewCell>
            </cells></tableViewSection></sections></tableView></tableViewController>
            """
        let drawn = try DrawnInterface(scenes: [controller], initial: "tables")
        let scene = try drawn.scene("Table")
        let row = try #require(scene.nodes.first { $0.kind == .row })
        #expect(row.look?.geometry.intrinsicSize == PartialSize(width: nil, height: 88))
    }

    /// The editor keeps the size that a screen's view had when it was made, and the frames in it of a later device.
    @Test func `A frame in a view of a stale size was drawn in the size that rules agree on`() throws {
        func screen(_ extra: String) throws -> DrawnInterface {
            let centered = D.element(
                "view", "centered", "translatesAutoresizingMaskIntoConstraints=\"NO\"",
                frame: D.frame(137.5, 20, 100, 40))
            let sprung = D.element("view", "sprung", frame: D.frame(300, 600, 75, 67))
            let wide = D.element("view", "wide", frame: D.frame(0, 0, 600, 600))
            let controller = """
                <viewController storyboardIdentifier="Stale" id="stale"><view key="view" id="staleRoot">\(D.frame(0, 0, 600, 600))
                <subviews>\(centered + sprung + wide)</subviews><constraints>
                <constraint firstItem="centered" firstAttribute="centerX" secondItem="staleRoot" secondAttribute="centerX" id="c1"/>
                <constraint firstAttribute="bottom" secondItem="centered" secondAttribute="bottom" constant="607" id="c2"/>
                \(extra)</constraints></view></viewController>
                """
            return try DrawnInterface(scenes: [controller], initial: "stale")
        }
        let device = Size(width: 375, height: 667)
        let stale = try screen("")
        #expect(try stale.look("centered", in: "Stale").geometry.design == device)
        #expect(try stale.look("sprung", in: "Stale").geometry.design == device)
        #expect(try stale.look("wide", in: "Stale").geometry.design == Size(width: 600, height: 600))
        // A rule that agrees with the archived width says that it is right.
        let right = try screen(
            """
            <constraint firstAttribute="trailing" secondItem="centered" secondAttribute="trailing" constant="362.5" id="c3"/>
            """)
        #expect(try right.look("sprung", in: "Stale").geometry.design == Size(width: 600, height: 667))
    }
}
