import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: the parts of controls, and the traits of elements, reach the program. Method: storyboards, compiled and read.
@Suite struct `The look of a control` {
    private typealias D = DrawnInterface

    @Test func `A button has its type, insets, and looks for its states`() throws {
        let states = """
            <state key="normal" title="Go" backgroundImage="ground">\(D.color("titleColor", 1, 0, 0))\
            \(D.color("titleShadowColor", 0, 0, 0))</state>
            <state key="highlighted" title="Going" image="busy">\(D.color("titleColor", 0, 1, 0))</state>
            <state key="disabled"/>
            """
        let insets = """
            <inset key="contentEdgeInsets" minX="2" minY="1" maxX="4" maxY="3"/>
            <inset key="titleEdgeInsets" minX="5" minY="0" maxX="0" maxY="0"/>
            <inset key="imageEdgeInsets" minX="0" minY="6" maxX="0" maxY="0"/>
            """
        let drawn = try DrawnInterface(
            D.element(
                "button", "go",
                """
                buttonType="system" contentHorizontalAlignment="left" contentVerticalAlignment="top" \
                lineBreakMode="clip"
                """, "<fontDescription key=\"fontDescription\" type=\"system\" pointSize=\"15\"/>" + states + insets)
                + D.element("button", "plain", "buttonType=\"custom\"", "<state key=\"normal\" title=\"Plain\"/>"))
        let paint = try drawn.paint("go")
        #expect(paint.buttonType == 1 && paint.font == FontRequest(size: 15) && paint.lineBreak == .clip)
        #expect(paint.titleColor == .rgb(255, 0, 0) && paint.titleShadow == .rgb(0, 0, 0))
        #expect(paint.backgroundImage == "ground" && paint.alignment == .left && paint.verticalPlace == .top)
        #expect(paint.contentInsets == Insets(top: 1, leading: 2, bottom: 3, trailing: 4))
        #expect(paint.titleInsets == Insets(top: 0, leading: 5, bottom: 0, trailing: 0))
        #expect(paint.imageInsets == Insets(top: 6, leading: 0, bottom: 0, trailing: 0))
        var highlighted = StateLook(bits: 1)
        (highlighted.title, highlighted.titleColor, highlighted.image) = ("Going", .rgb(0, 255, 0), "busy")
        #expect(try drawn.look("go").button?.states == [highlighted, StateLook(bits: 2)])
        #expect(try drawn.look("plain").button == nil && drawn.paint("plain").buttonType == 0)
    }

    @Test(arguments: [("leading", TextAlignment.natural), ("trailing", .trailing), ("right", .right)])
    func `A side of a button follows the text unless it is left or right`(side: String, alignment: TextAlignment) throws
    {
        let drawn = try DrawnInterface(
            D.element(
                "button", "go", "buttonType=\"custom\" contentHorizontalAlignment=\"\(side)\"",
                "<state key=\"normal\" title=\"Go\"/>"))
        #expect(try drawn.paint("go").alignment == alignment)
    }

    @Test func `A button's configuration says what it is for`() throws {
        let configuration = """
            <buttonConfiguration key="configuration" style="filled" title="Buy" subtitle="now" cornerStyle="capsule" \
            buttonSize="large" imagePlacement="trailing" imagePadding="5" titlePadding="2" titleAlignment="center">
            <fontDescription key="titleFontDescription" type="boldSystem" pointSize="18"/>
            \(D.color("baseForegroundColor", 1, 1, 1))\(D.color("baseBackgroundColor", 0, 0, 1))
            <directionalEdgeInsets key="contentInsets" top="1" leading="2" bottom="3" trailing="4"/></buttonConfiguration>
            """
        let drawn = try DrawnInterface(D.element("button", "buy", "buttonType=\"system\"", configuration))
        var expected = ButtonConfiguration()
        (expected.style, expected.corners, expected.scale) = (.filled, .capsule, .large)
        (expected.imagePlacement, expected.imagePadding, expected.titlePadding) = (.trailing, 5, 2)
        (expected.subtitle, expected.foreground, expected.background) = ("now", .rgb(255, 255, 255), .rgb(0, 0, 255))
        #expect(try drawn.look("buy").button?.configuration == expected)
        let paint = try drawn.paint("buy")
        #expect(paint.font == FontRequest(size: 18, weight: 700) && paint.alignment == .center && paint.runs.isEmpty)
        #expect(paint.contentInsets == Insets(top: 1, leading: 2, bottom: 3, trailing: 4, isPhysical: false))
    }

    @Test func `Fields have their borders and keyboards`() throws {
        let traits = """
            <textInputTraits key="textInputTraits" keyboardType="emailAddress" returnKeyType="go" \
            autocapitalizationType="words" autocorrectionType="no" spellCheckingType="yes" textContentType="username"/>
            """
        let drawn = try DrawnInterface(
            D.element(
                "textField", "field",
                "borderStyle=\"roundedRect\" textAlignment=\"right\" clearButtonMode=\"whileEditing\"",
                D.color("textColor", 1, 0, 0) + traits) + D.element("textField", "bare") + D.element("textView", "area")
        )
        #expect(try drawn.paint("field").fieldBorder == .rounded && drawn.paint("bare").fieldBorder == FieldBorder.none)
        #expect(try drawn.paint("field").foreground == .rgb(255, 0, 0) && drawn.paint("field").alignment == .right)
        let typing = try #require(try drawn.look("field").typing)
        #expect(typing.keyboard == .email && typing.returnKey == .go && typing.capitals == .words)
        #expect(typing.corrects == false && typing.checksSpelling == true && typing.contentType == "username")
        #expect(typing.clearButton == .whileEditing)
        let bare = try #require(try drawn.look("bare").typing)
        #expect(bare.capitals == .none && bare.corrects == nil && bare.keyboard == .standard)
        #expect(try drawn.look("area").typing?.capitals == .sentences)
        #expect(try drawn.look("area").scrolling != nil && drawn.look("field").scrolling == nil)
    }

    @Test func `Controls with parts have a colour for each`() throws {
        let (red, blue, green) = (Paint.rgb(255, 0, 0), Paint.rgb(0, 0, 255), Paint.rgb(0, 255, 0))
        func parts(_ names: String...) -> String {
            zip(names, [(1.0, 0.0, 0.0), (0, 0, 1), (0, 1, 0)]).map { D.color($0, $1.0, $1.1, $1.2) }.joined()
        }
        let drawn = try DrawnInterface(
            D.element("progressView", "progress", "", parts("progressTintColor", "trackTintColor"))
                + D.element("switch", "toggle", "", parts("onTintColor", "thumbTintColor"))
                + D.element(
                    "slider", "slider", "", parts("minimumTrackTintColor", "maximumTrackTintColor", "thumbTintColor"))
                + D.element(
                    "pageControl", "pages", "", parts("currentPageIndicatorTintColor", "pageIndicatorTintColor"))
                + D.element("activityIndicatorView", "white", "style=\"whiteLarge\"")
                + D.element("activityIndicatorView", "own", "style=\"gray\"", parts("color"))
                + D.element("activityIndicatorView", "gray", "style=\"gray\""))
        let (progress, toggle) = (try drawn.paint("progress"), try drawn.paint("toggle"))
        #expect(progress.foreground == red && progress.trackTint == blue)
        #expect(toggle.foreground == red && toggle.thumbTint == blue)
        let (slider, pages) = (try drawn.paint("slider"), try drawn.paint("pages"))
        #expect(slider.foreground == red && slider.trackTint == blue && slider.thumbTint == green)
        #expect(pages.foreground == red && pages.trackTint == blue)
        let (white, own, gray) = (try drawn.paint("white"), try drawn.paint("own"), try drawn.paint("gray"))
        #expect(white.isLarge && white.foreground == .rgb(255, 255, 255))
        #expect(!own.isLarge && own.foreground == red && gray.foreground == nil)
    }

    @Test func `A blur has its style`() throws {
        func effect(_ name: String, _ style: String) -> String {
            D.element(
                "visualEffectView", name, "",
                """
                <view key="contentView" id="\(name)Content">\(D.frame(0, 0, 10, 10))
                <subviews>\(D.element("label", "\(name)Label"))</subviews></view>
                <blurEffect style="\(style)"/>
                """)
        }
        let drawn = try DrawnInterface(effect("dark", "dark") + effect("chrome", "systemChromeMaterial"))
        #expect(try drawn.paint("dark").blur == 2 && drawn.paint("chrome").blur == 10)
        let content = try #require(try drawn.node("darkLabel").parent)
        #expect(try drawn.scene().nodes[content].look?.geometry.role == .contentView)
    }

    @Test func `A picture that the bundle lacks has the size that the interface says, and is still missing`() throws {
        let views =
            D.element("imageView", "lost", #"image="lost""#) + D.element("imageView", "bare", #"image="bare""#)
            + D.element("button", "close", "", #"<state key="normal" image="close"/>"#)
            + D.element("button", "star", "", #"<state key="normal" image="star" catalog="system"/>"#)
        let resources = """
            <image name="lost" width="120" height="80.5"/><image name="close" width="48" height="48"/>\
            <image name="bare" width="0" height="9"/><image name="star" catalog="system" width="128" height="116"/>
            """
        let drawn = try DrawnInterface(views, resources: resources)
        let images = try #require(drawn.program.images)
        #expect(images["lost"]?.points == Size(width: 120, height: 80.5) && !images.hasPicture("lost"))
        #expect(images["close"]?.points == Size(width: 48, height: 48) && !images.hasPicture("close"))
        #expect(images["bare"] == nil)
        #expect(images["star"]?.isSymbol == true && images["star"]?.points == nil && images.hasPicture("star"))
        let fault = Finding.missingPicture("lost", among: images, at: nil)
        #expect(fault?.code == .unknownImage && fault?.hint?.contains("close") == false)
    }

    @Test func `Traits and hints for assistive technology are read`() throws {
        let configuration = """
            <accessibility key="accessibilityConfiguration" hint="Opens it" label="Door">
            <accessibilityTraits key="traits" header="YES" button="YES"/><bool key="isElement" value="NO"/></accessibility>
            """
        let attributes = """
            <userDefinedRuntimeAttribute type="string" keyPath="accessibilityValue" value="half"/>\
            <userDefinedRuntimeAttribute type="string" keyPath="accessibilityHint" value="Turns"/>
            """
        let drawn = try DrawnInterface(
            D.element("view", "door", "", configuration)
                + D.element("view", "wheel", set: attributes + D.truth("accessibilityElementsHidden", true))
                + D.element("view", "plain"))
        let door = try #require(try drawn.look("door").accessibility)
        #expect(door.isHeading && !door.isLink && door.hint == "Opens it" && door.isElement == false)
        let wheel = try #require(try drawn.look("wheel").accessibility)
        #expect(wheel.value == "half" && wheel.hint == "Turns" && wheel.hidesElements && wheel.isElement == nil)
        #expect(try drawn.look("plain").accessibility == nil)
    }
}
