import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: colours, fonts and edges reach the program. Method: storyboards, compiled and read.
@Suite struct `The paint of an element` {
    private typealias D = DrawnInterface

    // MARK: - Colours

    @Test func `Colours are components, clamped where the space is wider than the screen's`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "view", "plain", "", D.color("backgroundColor", 0.2, 0.4, 0.6) + D.color("tintColor", -0.07, 0.5, 1.001)
            )
                + D.element(
                    "view", "grey", "",
                    "<color key=\"backgroundColor\" white=\"1\" alpha=\"0.5\" colorSpace=\"calibratedWhite\"/>"))
        #expect(try drawn.paint("plain").background == .rgb(51, 102, 153))
        #expect(try drawn.paint("plain").tint == .rgb(0, 128, 255))
        #expect(try drawn.paint("grey").background == .value(RGBA(255, 255, 255, 128)))
    }

    @Test func `Colours of the system are roles, and its fixed ones are values`() throws {
        let names: [(String, Paint)] = [
            ("labelColor", .role(.label)), ("systemBackgroundColor", .role(.background)),
            ("secondarySystemGroupedBackgroundColor", .role(.secondaryGroupedBackground)),
            ("systemBlueColor", .role(.blue)), ("systemGray3Color", .role(.gray3)),
            ("separatorColor", .role(.separator)),
            ("placeholderTextColor", .role(.placeholderText)), ("lightTextColor", .role(.lightText)),
            ("redColor", .rgb(255, 0, 0)), ("whiteColor", .rgb(255, 255, 255)),
        ]
        let views = names.map { name, _ in
            D.element("view", name, "", "<color key=\"backgroundColor\" systemColor=\"\(name)\"/>")
        }
        let drawn = try DrawnInterface(views.joined())
        for (name, paint) in names { #expect(try drawn.paint(name).background == paint, "\(name)") }
    }

    @Test func `Every role has a name in interfaces, or is the bar's`() throws {
        let names = [
            "label", "secondaryLabel", "tertiaryLabel", "quaternaryLabel", "placeholderText", "link", "tint",
            "systemBackground", "secondarySystemBackground", "tertiarySystemBackground", "systemGroupedBackground",
            "secondarySystemGroupedBackground", "tertiarySystemGroupedBackground", "systemFill", "secondarySystemFill",
            "tertiarySystemFill", "quaternarySystemFill", "separator", "opaqueSeparator", "systemBlue", "systemBrown",
            "systemCyan", "systemGreen", "systemIndigo", "systemMint", "systemOrange", "systemPink", "systemPurple",
            "systemRed", "systemTeal", "systemYellow", "systemGray", "systemGray2", "systemGray3", "systemGray4",
            "systemGray5", "systemGray6", "lightText", "darkText",
        ]
        let views = names.map {
            D.element("view", $0, "", "<color key=\"backgroundColor\" systemColor=\"\($0)Color\"/>")
        }
        let drawn = try DrawnInterface(views.joined())
        let roles = try names.compactMap { name in
            if case .role(let role) = try drawn.paint(name).background { role } else { nil }
        }
        #expect(Set(roles) == Set(ColorRole.allCases).subtracting([.bar]))
        #expect(roles.count == names.count)
    }

    @Test func `A colour of the catalogue has its variants, and its components where the catalogue is missing`() throws
    {
        let named = D.element(
            "view", "named", "", "<color key=\"backgroundColor\" name=\"Brand\"/>")
        let pair = Paint.pair(light: RGBA(1, 2, 3), dark: RGBA(4, 5, 6))
        #expect(try DrawnInterface(named, colors: ["Brand": pair]).paint("named").background == pair)
        // The compiler writes grey for a colour that it does not find.
        #expect(try DrawnInterface(named).paint("named").background == .rgb(128, 128, 128))
    }

    // MARK: - Edges

    @Test func `Runtime attributes draw edges and shadows, by the framework's names and by those of layers`() throws {
        let border = """
            <userDefinedRuntimeAttribute type="color" keyPath="borderColor">\(D.color("value", 1, 0, 0))\
            </userDefinedRuntimeAttribute>
            """
        let offset = """
            <userDefinedRuntimeAttribute type="size" keyPath="layer.shadowOffset">\
            <size key="value" width="2" height="5"/></userDefinedRuntimeAttribute>
            """
        let drawn = try DrawnInterface(
            D.element(
                "view", "own", "clipsSubviews=\"YES\" alpha=\"0.5\" opaque=\"NO\" contentMode=\"scaleAspectFill\"",
                set: D.number("cornerRadius", 10) + D.number("borderWidth", 1) + border)
                + D.element(
                    "view", "layer", "",
                    set: D.number("layer.cornerRadius", 6) + D.number("layer.borderWidth", 2)
                        + D.truth("layer.masksToBounds", true) + D.number("layer.shadowOpacity", 0.25)
                        + D.number("layer.shadowRadius", 4) + offset)
                + D.element("view", "standard", "clipsSubviews=\"YES\"", set: D.truth("standardShadow", true))
                + D.element("view", "beyond", "clipsSubviews=\"YES\"", set: D.number("shadowRadius", 7)))
        let own = try drawn.paint("own")
        #expect(own.cornerRadius == 10 && own.borderWidth == 1 && own.border == .rgb(255, 0, 0))
        #expect(own.clips == true && own.alpha == 0.5 && own.isOpaque == false && own.contentMode == .aspectFill)
        let layer = try drawn.paint("layer")
        #expect(layer.cornerRadius == 6 && layer.borderWidth == 2 && layer.clips == true)
        #expect(layer.shadow == Shadow(opacity: 0.25, offset: Size(width: 2, height: 5), radius: 4))
        #expect(layer.isOpaque == true)
        let standard = try drawn.paint("standard")
        #expect(standard.shadow == Shadow(opacity: 0.3, offset: Size(width: 0, height: 0), radius: 2))
        // The framework's own name lets a shadow show beyond the view.
        #expect(try drawn.paint("beyond").clips == false && drawn.paint("beyond").shadow?.radius == 7)
    }

    // MARK: - Texts

    @Test func `A label has its font, colour, alignment, lines and fitting`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "label", "own",
                """
                text="Text" textAlignment="center" lineBreakMode="middleTruncation" numberOfLines="0" \
                adjustsFontSizeToFit="YES" minimumScaleFactor="0.5"
                """,
                "<fontDescription key=\"fontDescription\" type=\"boldSystem\" pointSize=\"14\"/>"
                    + D.color("textColor", 1, 1, 1) + D.color("highlightedColor", 0, 0, 0)
                    + D.color("shadowColor", 0, 0, 1))
                + D.element("label", "usual", "text=\"Text\"")
                + D.element(
                    "label", "points", "text=\"Text\" adjustsFontSizeToFit=\"YES\" minimumFontSize=\"10\"",
                    "<fontDescription key=\"fontDescription\" type=\"system\" pointSize=\"20\"/>"))
        let own = try drawn.paint("own")
        #expect(own.alignment == .center && own.lineBreak == .truncateMiddle && own.lines == 0)
        #expect(own.minimumScale == 0.5 && own.foreground == .rgb(255, 255, 255))
        #expect(own.highlighted == .rgb(0, 0, 0) && own.titleShadow == .rgb(0, 0, 255))
        #expect(own.font == FontRequest(size: 14, weight: 700))
        let usual = try drawn.paint("usual")
        #expect(usual.lines == 1 && usual.lineBreak == .truncateTail && usual.minimumScale == 1)
        #expect(try drawn.paint("points").minimumScale == 0.5)
    }

    @Test func `Fonts keep family, weight, slant and style`() throws {
        let fonts: [(String, FontRequest)] = [
            ("type=\"system\" pointSize=\"24\"", FontRequest(size: 24)),
            ("type=\"system\" weight=\"medium\" pointSize=\"24\"", FontRequest(size: 24, weight: 500)),
            ("type=\"system\" weight=\"semibold\" pointSize=\"17\"", FontRequest(size: 17, weight: 600)),
            ("type=\"system\" weight=\"ultraLight\" pointSize=\"17\"", FontRequest(size: 17, weight: 100)),
            ("type=\"system\" weight=\"thin\" pointSize=\"17\"", FontRequest(size: 17, weight: 200)),
            ("type=\"system\" weight=\"light\" pointSize=\"17\"", FontRequest(size: 17, weight: 300)),
            ("type=\"system\" weight=\"heavy\" pointSize=\"17\"", FontRequest(size: 17, weight: 800)),
            ("type=\"system\" weight=\"black\" pointSize=\"17\"", FontRequest(size: 17, weight: 900)),
            ("type=\"italicSystem\" pointSize=\"17\"", FontRequest(size: 17, isItalic: true)),
            ("style=\"UICTFontTextStyleBody\"", FontRequest(size: 17, style: .body)),
            ("style=\"UICTFontTextStyleHeadline\"", FontRequest(size: 17, weight: 600, style: .headline)),
            ("style=\"UICTFontTextStyleTitle0\"", FontRequest(size: 34, style: .largeTitle)),
            (
                "name=\"HelveticaNeue-Bold\" pointSize=\"12\"",
                FontRequest(size: 12, weight: 700, family: "Helvetica Neue")
            ),
            (
                "name=\"AvenirNext-DemiBoldItalic\" pointSize=\"12\"",
                FontRequest(size: 12, weight: 600, isItalic: true, family: "Avenir Next")
            ),
            ("name=\"TimesNewRomanPSMT\" pointSize=\"12\"", FontRequest(size: 12, family: "Times New Roman")),
            (
                "name=\"Courier-BoldOblique\" pointSize=\"12\"",
                FontRequest(size: 12, weight: 700, isItalic: true, isMonospaced: true, family: "Courier")
            ),
            ("name=\"Avenir-Thin\" pointSize=\"12\"", FontRequest(size: 12, weight: 100, family: "Avenir")),
        ]
        let views = fonts.enumerated().map { number, font in
            D.element("label", "l\(number)", "", "<fontDescription key=\"fontDescription\" \(font.0)/>")
        }
        let drawn = try DrawnInterface(views.joined())
        for (number, font) in fonts.enumerated() {
            #expect(try drawn.paint("l\(number)").font == font.1, "\(font.0)")
        }
    }

    @Test func `Parts of an attributed text have their looks`() throws {
        let text = """
            <attributedString key="attributedText"><fragment content="Ü😀 "><attributes>
            \(D.color("NSColor", 1, 0, 0))<font key="NSFont" metaFont="systemBold" size="20"/>
            <paragraphStyle key="NSParagraphStyle" alignment="center"/></attributes></fragment>
            <fragment content="b"><attributes><integer key="NSUnderline" value="1"/></attributes></fragment>
            <fragment content="c"><attributes><integer key="NSStrikethrough" value="2"/></attributes></fragment>
            <fragment content="d"><attributes><url key="NSLink" string="https://example.com/d"/>
            \(D.color("NSBackgroundColor", 0, 1, 0))</attributes></fragment>
            </attributedString>
            """
        let drawn = try DrawnInterface(
            D.element("label", "parts", "usesAttributedText=\"YES\"", text)
                + D.element(
                    "label", "one", "usesAttributedText=\"YES\"",
                    """
                    <attributedString key="attributedText"><fragment content="one"><attributes>\
                    \(D.color("NSColor", 0, 0, 1))</attributes></fragment></attributedString>
                    """))
        let paint = try drawn.paint("parts")
        #expect(
            paint.runs == [
                TextRun("Ü😀 ", font: FontRequest(size: 20, weight: 700), foreground: .rgb(255, 0, 0)),
                TextRun("b", isUnderlined: true), TextRun("c", isStruckThrough: true),
                TextRun("d", background: .rgb(0, 255, 0), link: "https://example.com/d"),
            ])
        #expect(paint.alignment == .center)
        #expect(try drawn.paint("one").runs == [TextRun("one", foreground: .rgb(0, 0, 255))])
    }
}
