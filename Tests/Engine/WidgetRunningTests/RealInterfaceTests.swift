import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

/// Goal: parts that Xcode writes reach the screen when a host can show them. Method: one small screen for each, built
/// from its source.
@Suite struct `A screen built from what Xcode writes` {
    typealias S = TestStoryboard

    private static let nothing = #""elements": {}"#

    @Test func `texts with attributes show their characters`() throws {
        let widget = try S.widget(
            S.element(
                "label", "promise",
                inside: """
                    <attributedString key="attributedText"><fragment content="Ready "><attributes><color key="NSColor" white="0" alpha="1"/></attributes></fragment>
                    <fragment content="in a minute"/></attributedString>
                    """)
                + S.element(
                    "button", "go", y: 40,
                    inside: """
                        <state key="normal"><attributedString key="attributedTitle"><fragment content="Set off"/></attributedString></state>
                        """)
                + S.element(
                    "textField", "field", y: 80,
                    inside: """
                        <attributedString key="attributedPlaceholder"><fragment content="Destination"/></attributedString>
                        """), Self.nothing
        ).started()
        #expect(widget.shows("Ready in a minute"))
        #expect(widget.shows("Set off") && widget.shows("Destination"))
    }

    @Test func `a button shows the title of its configuration, or else that of its state`() throws {
        let widget = try S.widget(
            S.element(
                "button", "first",
                inside: """
                    <state key="normal" title="Leftover"/><buttonConfiguration key="configuration" style="filled" title="Book now"/>
                    """)
                + S.element(
                    "button", "second", y: 40,
                    inside: """
                        <state key="normal" title="Cancel"/><buttonConfiguration key="configuration" style="plain" image="cross"/>
                        """), Self.nothing
        ).started()
        #expect(widget.shows("Book now") && !widget.shows("Leftover") && widget.shows("Cancel"))
        #expect(widget.column("second") == ["Cancel"])
    }

    @Test func `an element has the name that its accessibility settings give`() throws {
        let widget = try S.widget(
            S.element(
                "button", "gear",
                inside: """
                    <accessibility key="accessibilityConfiguration" label="Settings"/><state key="normal" image="gear"/>
                    """), Self.nothing
        ).started()
        #expect(widget.column("gear") == ["Settings"])
        #expect(widget.shows("Settings"))
    }

    @Test func `views over a blur are shown, and those of other size classes are not`() throws {
        let widget = try S.widget(
            S.element(
                "visualEffectView", "blur", height: 60,
                inside: """
                    <view key="contentView" opaque="NO" id="blur-content"><rect key="frame" x="0" y="0" width="300" height="60"/>
                    <subviews>\(S.label("over", "Over the blur"))\(S.label("wide", "On tablets", y: 30))</subviews>
                    <variation key="default"><mask key="subviews"><exclude reference="wide"/></mask></variation>
                    <variation key="widthClass=regular"><mask key="subviews"><include reference="wide"/></mask></variation></view>
                    <blurEffect style="regular"/>
                    """), Self.nothing
        ).started()
        #expect(widget.shows("Over the blur") && !widget.shows("On tablets"))
    }
}
