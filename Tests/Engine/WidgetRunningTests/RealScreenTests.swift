import Testing
import WidgetCore
import WidgetPredicates
import WidgetTestSupport

/// Parts of real interfaces that reach the screen: gestures, pulling, dates, screens of other storyboards.
@Suite struct `A screen of a real interface` {
    private static func card(_ recognizer: String) throws -> DrivenWidget {
        let card = TestStoryboard.element(
            "view", "card", inside: "<subviews>\(TestStoryboard.label("inside", "Card"))</subviews>",
            connections:
                #"<outletCollection property="gestureRecognizers" destination="gesture" appends="YES" id="card-gesture"/>"#
        )
        return try TestStoryboard.widget(
            [
                .init(name: "Main", views: card, objects: recognizer),
                .init(name: "Next", views: TestStoryboard.label("x", "Behind the card")),
            ], [:])
    }

    @Test func `a tap on a view does what its recognizer says`() throws {
        let widget = try Self.card(
            """
            <tapGestureRecognizer id="gesture"><connections><segue destination="Next-controller" kind="show" id="tapped"/></connections></tapGestureRecognizer>
            """
        ).started()
        try widget.tap("card")
        #expect(widget.shows("Behind the card"))
        #expect(!widget.diagnostics.contains { $0.code == .unknownType })
    }

    @Test func `a recognizer that is switched off does nothing`() throws {
        let widget = try Self.card(
            """
            <tapGestureRecognizer enabled="NO" id="gesture"><connections><segue destination="Next-controller" kind="show" id="tapped"/></connections></tapGestureRecognizer>
            """
        ).started()
        #expect(throws: (any Error).self) { try widget.tap("card") }
    }

    @Test(
        arguments: [
            ("swipeGestureRecognizer direction=\"left\"", "swipeGestureRecognizer", "A swipe"),
            ("pongPressGestureRecognizer", "pongPressGestureRecognizer", "A long press"),
            ("pinchGestureRecognizer", "pinchGestureRecognizer", "A pinch"),
            ("tapGestureRecognizer numberOfTapsRequired=\"2\"", "tapGestureRecognizer", "A tap more than once"),
        ])
    func `other gestures than taps set nothing off, with a warning`(_ start: String, _ end: String, _ name: String)
        throws
    {
        let widget = try Self.card(
            """
            <\(start) id="gesture"><connections><segue destination="Next-controller" kind="show" id="moved"/></connections></\(end)>
            """
        ).started()
        #expect(throws: (any Error).self) { try widget.tap("card") }
        let warning = try #require(widget.diagnostics.first { $0.code == .unknownType })
        #expect(warning.message == "\(name) sets nothing off, only a single tap does" && warning.severity == .warning)
    }

    @Test func `pulling at a list sends the action of its control`() throws {
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(
                """
                <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="vc"><scenes>
                <scene sceneID="s"><objects><tableViewController storyboardIdentifier="Main" id="vc" sceneMemberID="viewController">
                <tableView key="view" id="tab"><userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="list"/></userDefinedRuntimeAttributes></tableView>
                <refreshControl key="refreshControl" id="ref"><connections><action selector="reload:" destination="vc" eventType="valueChanged" id="a"/></connections></refreshControl>
                </tableViewController></objects></scene></scenes></document>
                """.utf8)
        }
        let scene = try #require(widget.program.scenes["Main"])
        let list = try #require(scene.nodes.first { $0.kind == .list })
        #expect(list.events[.refresh]?.count == 1 && list.events[.tap] == nil)
        _ = try widget.started()
        try widget.refresh("list")
    }

    @Test func `pulling at a table beside other views sends the action of its control`() throws {
        let pull = TestStoryboard.element(
            "tableView", "list",
            inside: """
                <refreshControl key="refreshControl" id="ref"><connections><action selector="reload:" destination="Main-controller" eventType="valueChanged" id="a"/></connections></refreshControl>
                """)
        let widget = try TestStoryboard.widget(TestStoryboard.label("above", "Above the table") + pull, "")
        let scene = try #require(widget.program.scenes["Main"])
        let list = try #require(scene.nodes.first { $0.kind == .list })
        #expect(list.events[.refresh]?.count == 1 && list.events[.tap] == nil)
        try widget.started().refresh("list")
    }

    @Test func `a date picker shows the date of its interface`() throws {
        let picker = TestStoryboard.element(
            "datePicker", "when", attributes: #"datePickerMode="date""#,
            inside: #"<date key="date" timeIntervalSinceReferenceDate="551217600"/>"#)
        let now = TestStoryboard.element(
            "datePicker", "now", attributes: #"useCurrentDate="YES""#,
            inside: #"<date key="date" timeIntervalSinceReferenceDate="551217600"/>"#)
        let widget = try TestStoryboard.widget(picker + now, "").started()
        let view = widget.view()
        #expect(view.node(try widget.key("when"))?[.value]?.shown == Value.date(551_217_600).shown)
        #expect(view.node(try widget.key("now"))?[.value] == nil)
    }

    // MARK: - Other storyboards

    private static func reference(_ id: String, _ attributes: String) -> String {
        """
        <scene sceneID="\(id)-scene"><objects><viewControllerPlaceholder \(attributes) id="\(id)" sceneMemberID="viewController"/></objects></scene>
        """
    }

    private static func widget(_ references: [String], buttons: [String], other: String?) throws -> DrivenWidget {
        let views = buttons.enumerated().map { place, id in
            TestStoryboard.button(
                "to-\(id)", "To \(id)", y: place * 40,
                connections: #"<segue destination="\#(id)" kind="show" id="\#(id)-segue"/>"#)
        }
        let main = TestStoryboard.text([.init(name: "Main", views: views.joined())])
            .replacing("</scenes>", with: "\(references.joined())</scenes>")
        return try SampleBundle.widget("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(main.utf8)
            if let other { sources["Other.storyboard"] = Array(other.utf8) }
        }
    }

    @Test func `a screen of another storyboard is shown, and so are those behind it`() throws {
        let further = TestStoryboard.button(
            "further", "Further", connections: #"<segue destination="Deep-controller" kind="show" id="deeper"/>"#)
        let other = TestStoryboard.text([
            .init(name: "Shallow", views: further),
            .init(name: "Deep", views: TestStoryboard.label("d", "In the deep")),
        ])
        let widget = try Self.widget(
            [
                Self.reference("first", #"storyboardName="Other""#),
                Self.reference("deep", #"storyboardName="Other" referencedIdentifier="Deep""#),
            ], buttons: ["first", "deep"], other: other
        ).started()
        #expect(!widget.diagnostics.contains { $0.severity == .error })
        try widget.tap("to-deep")
        #expect(widget.shows("In the deep"))
        widget.send(.back)
        try widget.tap("to-first")
        try widget.tap("further")
        #expect(widget.shows("In the deep"))
    }

    @Test func `screens of one name in two storyboards are two screens`() throws {
        let other = TestStoryboard.text([.init(name: "Main", views: TestStoryboard.label("d", "The other main"))])
        let widget = try Self.widget(
            [Self.reference("deep", #"storyboardName="Other" referencedIdentifier="Main""#)], buttons: ["deep"],
            other: other
        ).started()
        #expect(widget.shows("To deep"))
        try widget.tap("to-deep")
        #expect(widget.shows("The other main"))
    }

    @Test func `a segue leads within its storyboard when two have one identifier`() throws {
        let further = TestStoryboard.button(
            "further", "Further", connections: #"<segue destination="Detail-controller" kind="show" id="deeper"/>"#)
        let other = TestStoryboard.text([
            .init(name: "Shallow", views: further),
            .init(name: "Detail", views: TestStoryboard.label("d", "The other detail")),
        ])
        func button(_ id: String, to screen: String) -> String {
            TestStoryboard.button(
                id, id, y: id == "own" ? 0 : 40,
                connections: #"<segue destination="\#(screen)" kind="show" id="\#(id)-segue"/>"#)
        }
        let main = TestStoryboard.text([
            .init(name: "Main", views: button("own", to: "Detail-controller") + button("away", to: "ref")),
            .init(name: "Detail", views: TestStoryboard.label("d", "The first detail")),
        ]).replacing("</scenes>", with: "\(Self.reference("ref", #"storyboardName="Other""#))</scenes>")
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(main.utf8)
            sources["Other.storyboard"] = Array(other.utf8)
        }.started()
        try widget.tap("own")
        #expect(widget.shows("The first detail"))
        widget.send(.back)
        try widget.tap("away")
        try widget.tap("further")
        #expect(widget.shows("The other detail") && !widget.shows("The first detail"))
    }

    @Test func `references that lead nowhere are named, and the rest works`() throws {
        let other = TestStoryboard.text([.init(name: "Deep", views: TestStoryboard.label("d", "In the deep"))])
        let widget = try Self.widget(
            [
                Self.reference("lost", #"storyboardName="Nowhere""#),
                Self.reference("none", #"storyboardName="Other" referencedIdentifier="None""#),
                Self.reference("far", #"storyboardName="Other" bundleIdentifier="com.example.far""#),
                Self.reference("deep", #"storyboardName="Other" referencedIdentifier="Deep""#),
            ], buttons: ["lost", "none", "far", "deep"], other: other
        ).started()
        let messages = widget.diagnostics.filter { $0.code == .unknownScreen }.map(\.message)
        #expect(messages.contains("The bundle has no storyboard Nowhere"))
        #expect(messages.contains("Other.storyboardc has no screen None"))
        #expect(messages.contains("The bundle com.example.far of a reference is another one"))
        try widget.tap("to-deep")
        #expect(widget.shows("In the deep"))
    }

    @Test func `a first screen in another storyboard is the first one`() throws {
        let stack = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="nav"><scenes>
            <scene sceneID="s"><objects><navigationController id="nav" sceneMemberID="viewController"><connections><segue destination="ref" kind="relationship" relationship="rootViewController" id="r"/></connections></navigationController></objects></scene>
            \(Self.reference("ref", #"storyboardName="Other""#))</scenes></document>
            """
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(stack.utf8)
            sources["Other.storyboard"] = Array(
                TestStoryboard.text([.init(name: "Deep", views: TestStoryboard.label("d", "In the deep"))]).utf8)
        }.started()
        #expect(widget.shows("In the deep"))
    }
}
