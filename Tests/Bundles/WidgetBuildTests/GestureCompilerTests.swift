import Testing
import WidgetBuild
import WidgetNib

/// Row 18 of real interfaces, and the other gestures of iOS.
@Suite struct `A gesture in an interface` {
    private static let recognizers = """
        <tapGestureRecognizer numberOfTapsRequired="2" numberOfTouchesRequired="3" id="g1"/>
        <panGestureRecognizer minimumNumberOfTouches="1" maximumNumberOfTouches="2" id="g2"/>
        <pinchGestureRecognizer id="g3"/>
        <rotationGestureRecognizer delaysTouchesBegan="YES" id="g4"/>
        <swipeGestureRecognizer direction="down" numberOfTouchesRequired="2" id="g5"/>
        <pongPressGestureRecognizer allowableMovement="12" minimumPressDuration="0.75" id="g6">
        <connections><action selector="held:" destination="vc" id="a6"/></connections></pongPressGestureRecognizer>
        <screenEdgePanGestureRecognizer minimumNumberOfTouches="1" id="g7"><rectEdge key="edges" left="YES" right="YES"/></screenEdgePanGestureRecognizer>
        <gestureRecognizer enabled="NO" id="g8" customClass="Shake" customModule="Host"/>
        """

    private func compiled() throws -> SmallInterface {
        let outlets = (1...8).map {
            "<outletCollection property=\"gestureRecognizers\" destination=\"g\($0)\" appends=\"YES\" id=\"o\($0)\"/>"
        }
        return try SmallInterface(
            views: "<view id=\"box\"><connections>\(outlets.joined())</connections></view>", beside: Self.recognizers)
    }

    @Test func `every kind of gesture has its class and its settings`() throws {
        let interface = try compiled()
        let tap = try interface.view("UITapGestureRecognizer")
        #expect(tap.integer("UITapGestureRecognizer.numberOfTapsRequired") == 2)
        #expect(tap.integer("UITapGestureRecognizer.numberOfTouchesRequired") == 3)
        let pan = try interface.view("UIPanGestureRecognizer")
        #expect(pan.integer("UIPanGestureRecognizer.minimumNumberOfTouches") == 1)
        #expect(pan.integer("UIPanGestureRecognizer.maximumNumberOfTouches") == 2)
        _ = try interface.view("UIPinchGestureRecognizer")
        let rotation = try interface.view("UIRotationGestureRecognizer")
        #expect(rotation.boolean("UIGestureRecognizer.delaysTouchesBegan") == true)
        let swipe = try interface.view("UISwipeGestureRecognizer")
        #expect(swipe.integer("UISwipeGestureRecognizer.direction") == 8)
        #expect(swipe.integer("UISwipeGestureRecognizer.numberOfTouchesRequired") == 2)
        let press = try interface.view("UILongPressGestureRecognizer")
        #expect(press.double("UILongPressGestureRecognizer.minimumPressDuration") == 0.75)
        #expect(press.double("UILongPressGestureRecognizer.allowableMovement") == 12)
        let edge = try interface.view("UIScreenEdgePanGestureRecognizer")
        #expect(edge.integer("UIScreenEdgePanGestureRecognizer.edges") == 10)
        let own = try interface.view("Shake")
        #expect(own.boolean("UIGestureRecognizer.disabled") == true && own.baseClassName == "UIGestureRecognizer")
        #expect(interface.notes == [])
    }

    @Test func `a view has its gestures, and a gesture its action`() throws {
        let views = try compiled().views()
        let outlets = views.outlets.filter { $0.name == "gestureRecognizers" }
        #expect(outlets.count == 8 && outlets.allSatisfy { $0.isCollection })
        #expect(Set(outlets.map { $0.source.index }).count == 1)
        let event = try #require(views.events.first)
        #expect(event.selector == "held:" && event.source.className == "UILongPressGestureRecognizer")
    }

    @Test func `a direction that no swipe has is refused at its place`() {
        #expect {
            try SmallInterface(views: "", beside: "<swipeGestureRecognizer direction=\"dwon\" id=\"g\"/>")
        } throws: { "\($0)".contains("direction is \"dwon\", but has to be one of down, left, right, up") }
    }
}
