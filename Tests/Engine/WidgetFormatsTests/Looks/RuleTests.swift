import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: constraints reach the program as rules, and the editor's do not. Method: storyboards, compiled and read.
@Suite struct `The rules of a screen` {
    private typealias D = DrawnInterface

    private static let ruled = "translatesAutoresizingMaskIntoConstraints=\"NO\""

    private static func constraint(_ id: String, _ attributes: String, _ content: String = "") -> String {
        "<constraint \(attributes) id=\"\(id)\">\(content)</constraint>"
    }

    /// Rules of one screen with the views a and b, in the order of the file.
    private static func rules(
        _ constraints: String..., more: String = "", limits: FormatLimits = FormatLimits()
    ) throws -> (rules: [LayoutRule], drawn: DrawnInterface) {
        let drawn = try DrawnInterface(
            D.element("view", "a", ruled) + D.element("view", "b", ruled) + more,
            parts: "<constraints>\(constraints.joined())</constraints>", limits: limits)
        return (try drawn.scene().rules, drawn)
    }

    @Test func `A rule keeps items, attributes, numbers, priority and name`() throws {
        let (rules, drawn) = try Self.rules(
            Self.constraint(
                "c1",
                """
                firstItem="a" firstAttribute="trailing" relation="greaterThanOrEqual" secondItem="b" \
                secondAttribute="leading" multiplier="2:3" constant="-12.5" priority="751" identifier="gap"
                """),
            Self.constraint(
                "c2", "firstItem=\"a\" firstAttribute=\"width\" relation=\"lessThanOrEqual\" constant=\"240\""),
            Self.constraint(
                "c3", "firstAttribute=\"bottom\" secondItem=\"a\" secondAttribute=\"bottom\" priority=\"250\""))
        let (root, a, b) = (try drawn.scene().root, try drawn.id("a"), try drawn.id("b"))
        #expect(
            rules == [
                LayoutRule(
                    .init(a), .trailing, .greaterOrEqual, to: .init(b), .leading, multiplier: 2.0 / 3, constant: -12.5,
                    priority: 751, owner: root, identifier: "gap"),
                LayoutRule(.init(a), .width, .lessOrEqual, constant: 240, owner: root),
                LayoutRule(.init(root), .bottom, to: .init(a), .bottom, priority: 250, owner: root),
            ])
    }

    @Test func `Rules about guides are about areas, and those that hold the guides are left out`() throws {
        let (rules, drawn) = try Self.rules(
            Self.constraint(
                "c1",
                "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"top\" secondAttribute=\"bottom\" constant=\"10\""),
            Self.constraint(
                "c2", "firstItem=\"bottom\" firstAttribute=\"top\" secondItem=\"a\" secondAttribute=\"bottom\""),
            Self.constraint("c3", "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"top\" secondAttribute=\"top\""),
            Self.constraint(
                "c4", "firstItem=\"a\" firstAttribute=\"leading\" secondItem=\"safe\" secondAttribute=\"leading\""),
            more: D.element(
                "view", "inner", "",
                """
                <viewLayoutGuide key="safeArea" id="safe"/>
                """))
        let (root, a, inner) = (try drawn.scene().root, try drawn.id("a"), try drawn.id("inner"))
        #expect(rules.map(\.first) == [.init(a), .init(root, .bottomGuide), .init(a), .init(a)])
        #expect(rules.map(\.second) == [.init(root, .topGuide), .init(a), .init(root), .init(inner, .safeArea)])
        #expect(rules.map(\.secondAttribute) == [.bottom, .bottom, .top, .leading])
        #expect(rules.first?.constant == 10)
    }

    @Test func `Attributes of margins are attributes of the area within them`() throws {
        let names: [(String, LayoutRule.Attribute)] = [
            ("leftMargin", .left), ("rightMargin", .right), ("topMargin", .top), ("bottomMargin", .bottom),
            ("leadingMargin", .leading), ("trailingMargin", .trailing), ("centerXWithinMargins", .centerX),
            ("centerYWithinMargins", .centerY),
        ]
        for (name, attribute) in names {
            let own = name.hasPrefix("center") ? String(name.prefix(7)) : String(name.dropLast("Margin".count))
            let (rules, drawn) = try Self.rules(
                Self.constraint(
                    "c", "firstItem=\"a\" firstAttribute=\"\(own)\" secondItem=\"root\" secondAttribute=\"\(name)\""))
            #expect(rules.map(\.second) == [.init(try drawn.scene().root, .margins)], "\(name)")
            #expect(rules.map(\.secondAttribute) == [attribute] && rules.map(\.attribute) == [attribute], "\(name)")
        }
    }

    @Test func `Each area has its guide`() throws {
        let keys: [(String, LayoutRule.Area)] = [
            ("safeArea", .safeArea), ("layoutMargins", .margins), ("readableContent", .readable),
            ("contentLayoutGuide", .scrollContent), ("frameLayoutGuide", .scrollFrame),
        ]
        for (key, area) in keys {
            let (rules, drawn) = try Self.rules(
                Self.constraint(
                    "c", "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"guide\" secondAttribute=\"top\""),
                more: D.element("scrollView", "scroll", "", "<viewLayoutGuide key=\"\(key)\" id=\"guide\"/>"))
            #expect(rules.map(\.second) == [.init(try drawn.id("scroll"), area)], "\(key)")
        }
        let (keyboard, _) = try Self.rules(
            Self.constraint(
                "c", "firstItem=\"a\" firstAttribute=\"bottom\" secondItem=\"guide\" secondAttribute=\"top\""),
            more: D.element("view", "v", "", "<viewLayoutGuide key=\"keyboard\" id=\"guide\"/>"))
        #expect(keyboard.map(\.second?.area) == [.safeArea] && keyboard.map(\.secondAttribute) == [.bottom])
    }

    @Test func `Edges of a scroll view are its content's for what is in it, and sizes are those of what is visible`()
        throws
    {
        let inner = D.element("view", "inner", Self.ruled)
        let constraints = [
            Self.constraint(
                "c1", "firstItem=\"inner\" firstAttribute=\"top\" secondItem=\"scroll\" secondAttribute=\"top\""),
            Self.constraint(
                "c2", "firstItem=\"inner\" firstAttribute=\"width\" secondItem=\"scroll\" secondAttribute=\"width\""),
            Self.constraint(
                "c3", "firstItem=\"scroll\" firstAttribute=\"top\" secondItem=\"a\" secondAttribute=\"bottom\""),
        ]
        let (rules, drawn) = try Self.rules(
            constraints.joined(),
            more: D.element("scrollView", "scroll", Self.ruled, "<subviews>\(inner)</subviews>"))
        let scroll = try drawn.id("scroll")
        #expect(rules.map(\.second?.area) == [.scrollContent, .scrollFrame, .bounds])
        #expect(rules.last?.first == .init(scroll) && rules.first?.second?.node == scroll)
    }

    @Test func `The standard space is 8 between siblings and 20 to an edge`() throws {
        let (rules, _) = try Self.rules(
            Self.constraint(
                "c1",
                "firstItem=\"b\" firstAttribute=\"leading\" secondItem=\"a\" secondAttribute=\"trailing\" symbolic=\"YES\""
            ),
            Self.constraint(
                "c2",
                """
                firstAttribute="trailing" relation="greaterThanOrEqual" secondItem="a" secondAttribute="trailing" symbolic="YES"
                """))
        #expect(rules.map(\.constant) == [8, 20])
    }

    @Test func `A constraint with a name is an element, and its rule leads to it`() throws {
        let (rules, drawn) = try Self.rules(
            Self.constraint(
                "c1", "firstItem=\"a\" firstAttribute=\"height\" constant=\"40\"",
                """
                <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" \
                value="height"/></userDefinedRuntimeAttributes>
                """), Self.constraint("c2", "firstItem=\"a\" firstAttribute=\"width\" constant=\"50\""))
        #expect(rules.map(\.node) == [try drawn.id("height"), nil])
        #expect(try drawn.node("height").kind == .constraint)
    }

    @Test func `Rules within rows are the screen's, and their owner is in the row`() throws {
        let cell = """
            <tableViewCell reuseIdentifier="Cell" id="cell">\(D.frame(0, 0, 375, 44))
            <tableViewCellContentView key="contentView" tableViewCell="cell" id="content">\(D.frame(0, 0, 375, 44))
            <subviews>\(D.element("label", "text", Self.ruled))</subviews><constraints>
            <constraint firstItem="text" firstAttribute="leading" secondItem="content" secondAttribute="leadingMargin" id="c"/>
            </constraints></tableViewCellContentView></tableViewCell>
            """
        let (rules, drawn) = try Self.rules(
            more: D.element("tableView", "table", "dataMode=\"prototypes\"", "<prototypes>\(cell)</prototypes>"))
        let text = try drawn.id("text")
        let content = try #require(try drawn.node("text").parent)
        #expect(
            rules == [
                LayoutRule(.init(text), .leading, to: .init(content, .margins), .leading, owner: content)
            ])
        #expect(try drawn.scene().nodes[content].prototype != nil)
    }

    @Test func `A screen has a limit of rules, and says when it is reached`() throws {
        var limits = FormatLimits()
        limits.ruleCount = 2
        let all = (1...3).map {
            Self.constraint("c\($0)", "firstItem=\"a\" firstAttribute=\"width\" constant=\"\($0)\"")
        }
        let (rules, drawn) = try Self.rules(all.joined(), limits: limits)
        #expect(rules.map(\.constant) == [1, 2])
        #expect(
            drawn.program.diagnostics.map(\.description) == [
                "screen-view-root.nib: error: A screen has more than 2 constraints [node-budget]; the first ones hold"
            ])
        #expect(try Self.rules(all.joined()).rules.count == 3)
    }
}
