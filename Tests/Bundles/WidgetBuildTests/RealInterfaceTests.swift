import Testing
import WidgetBuild
import WidgetNib

/// Goal: parts that Xcode writes into nearly every interface compile to the keys that iOS reads. Method: one small source
/// for each kind of part.
@Suite struct `An interface as Xcode writes it` {
    private static func compiled(_ parts: String) throws -> WrittenInterface {
        let written = try WrittenInterface("<subviews>\(parts)</subviews>")
        #expect(written.notes == [])
        return written
    }

    @Test func `parts that only the editor needs are passed over without a note`() throws {
        let written = try WrittenInterface(
            """
            <animations/>
            <subviews><label text="Seen" placeholderIntrinsicWidth="120" ibShadowedText="Shadow" id="l" userLabel="Name">
            <attributedString key="userComments"><fragment content="later"/></attributedString>
            <nil key="textColor"/></label></subviews>
            <nil key="simulatedTopBarMetrics"/><nil key="simulatedStatusBarMetrics"/>
            <simulatedScreenMetrics key="simulatedDestinationMetrics" type="retina47"/>
            <freeformSimulatedSizeMetrics key="simulatedDestinationMetrics"/>
            """,
            document: """
                <accessibilityOverrides isEnabled="YES" dynamicTypePreference="3"/>
                <customFonts key="customFonts"><array key="Font.ttf"><string>Font</string></array></customFonts>
                <designables><designable name="l"><size key="intrinsicContentSize" width="9" height="9"/></designable></designables>
                """)
        #expect(written.notes == [])
        #expect(try written.first.string("UIText") == "Seen")
        #expect(try written.root.subviews.count == 1)
    }

    @Test func `every placeholder is kept, also one of the author's`() throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects>
            <placeholder placeholderIdentifier="Store" id="s" customClass="Store"/>
            <view id="v"><connections><outlet property="store" destination="s" id="o"/></connections></view></objects></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "My.Card~ipad.xib")
        #expect(files.map(\.path) == ["My.Card~ipad.nib"])
        let interface = NibInterface(try NibDocument(parsing: files[0].bytes).graph)
        #expect(interface.outlets.map(\.destination.proxyName) == ["Store"])
    }

    // MARK: Accessibility

    @Test func `names, hints, identifiers and traits lie beside the object that they are for`() throws {
        let written = try Self.compiled(
            """
            <button id="b" buttonType="custom"><accessibility key="accessibilityConfiguration" hint="Twice" label="Close" identifier="close">
            <accessibilityTraits key="traits" button="YES" notEnabled="YES" header="YES"/><bool key="isElement" value="NO"/>
            </accessibility><state key="normal" image="cross"/></button>
            """)
        let configuration = try #require(written.accessibility.first)
        #expect(written.accessibility.count == 1)
        #expect(configuration.className == "UIRuntimeAccessibilityConfiguration")
        #expect(try configuration.element("UIAccessibileObject") == written.first)
        #expect(configuration.string("UIAccessibilityLabel") == "Close")
        #expect(configuration.string("UIAccessibilityHint") == "Twice")
        #expect(configuration.string("UIAccessibilityIdentifier") == "close")
        #expect(configuration.integer("UIAccessibilityTraits") == 1 | 1 << 8 | 1 << 16)
        #expect(configuration.integer("UIIsAccessibilityElement") == 0)
    }

    @Test func `names for assistive technology can be translated`() throws {
        let written = try WrittenInterface(
            """
            <subviews><view id="v"><accessibility key="accessibilityConfiguration"><string key="label">Map</string></accessibility></view></subviews>
            """, path: "Base.lproj/Card.xib")
        let label = try #require(written.accessibility.first?.element("UIAccessibilityLabel"))
        #expect(label.text == "Map" && label.translationKey == "v.accessibilityLabel")
    }

    // MARK: Buttons

    @Test func `a button's configuration has its title, image, colours and sizes`() throws {
        let written = try Self.compiled(
            """
            <button id="b" buttonType="system" adjustsImageSizeForAccessibilityContentSizeCategory="YES" showsMenuAsPrimaryAction="YES">
            <state key="normal" title="Button"/>
            <buttonConfiguration key="configuration" style="filled" image="star" title="Go" subtitle="now" imagePadding="4" imagePlacement="trailing" titleAlignment="center" cornerStyle="capsule" buttonSize="large" showsActivityIndicator="YES">
            <fontDescription key="titleFontDescription" type="boldSystem" pointSize="18"/>
            <directionalEdgeInsets key="contentInsets" top="1" leading="2" bottom="3" trailing="4"/>
            <color key="baseForegroundColor" systemColor="labelColor"/>
            <color key="baseBackgroundColor" red="1" green="0.5" blue="0.25" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
            </buttonConfiguration></button>
            """)
        let button = try written.first
        #expect(button.boolean("UIAdjustsImageSizeForAccessibilityContentSizeCategory") == true)
        let configuration = try #require(button.element("UIButtonConfiguration"))
        #expect(configuration.className == "UIButtonConfiguration")
        #expect(configuration.integer("UIButtonConfigurationButtonStyle") == 3)
        #expect(configuration.integer("UIButtonConfigurationImagePlacement") == 8)
        #expect(configuration.integer("UIButtonConfigurationTitleAlignment") == 2)
        #expect(configuration.integer("UIButtonConfigurationCornerStyle") == 4)
        #expect(configuration.integer("UIButtonConfigurationButtonSize") == 3)
        #expect(configuration.boolean("UIButtonConfigurationShowsActivityIndicator") == true)
        #expect(configuration.double("UIButtonConfigurationImagePadding") == 4)
        #expect(configuration.imageName("UIButtonConfigurationImage") == "star")
        #expect(
            configuration.insets("UIButtonConfigurationContentInset")
                == NibInsets(top: 1, left: 2, bottom: 3, right: 4))
        #expect(configuration.color("UIButtonConfigurationBaseForegroundColor")?.systemName == "labelColor")
        #expect(configuration.color("UIButtonConfigurationBaseBackgroundColor")?.blue == 0.25)
        let title = try #require(configuration.element("UIButtonConfigurationTitle"))
        #expect(title.string("NSString") == "Go")
        let attributes = try #require(title.element("NSAttributes")).ownPairs
        #expect(attributes.map { $0.key.text } == ["NSFont"])
        #expect(attributes.first.flatMap { NibFont($0.value) }?.pointSize == 18)
        #expect(configuration.element("UIButtonConfigurationSubtitle")?.string("NSString") == "now")
        #expect(button.pairs("UIButtonStatefulContent").first?.value.string("UITitle") == "Button")
    }

    // MARK: Texts

    @Test func `a text with attributes has their ranges, fonts, colours and paragraphs`() throws {
        let written = try Self.compiled(
            """
            <label id="l"><attributedString key="attributedText">
            <fragment content="Red "><attributes>
            <color key="NSColor" red="1" green="0.0" blue="0.0" alpha="1" colorSpace="calibratedRGB"/>
            <font key="NSFont" metaFont="systemBold" size="19"/>
            <paragraphStyle key="NSParagraphStyle" alignment="center" lineBreakMode="truncatingTail" baseWritingDirection="natural" lineSpacing="5" tighteningFactorForTruncation="0.0"><tabStops><textTab alignment="left" location="28"><options/></textTab></tabStops></paragraphStyle>
            </attributes></fragment>
            <fragment><string key="content" base64-UTF8="YES">YW5kIPCfmoA</string><attributes>
            <font key="NSFont" size="12" name="Helvetica"/><integer key="NSUnderline" value="1"/><real key="NSKern" value="-0.5"/>
            <url key="NSLink" string="https://example.com"/></attributes></fragment>
            </attributedString><nil key="highlightedColor"/></label>
            """)
        let label = try written.first
        #expect(label.string("UIText") == "Red and 🚀")
        let text = try #require(label.element("UIAttributedText"))
        #expect(text.className == "NSMutableAttributedString" && text.string("NSString") == "Red and 🚀")
        // Four units with the attributes 0, then six with the attributes 1.
        #expect(text.element("NSAttributeInfo")?.ownData.map { Array($0) } == [4, 0, 6, 1])
        let runs = text.elements("NSAttributes").map { attributes in
            Dictionary(uniqueKeysWithValues: attributes.ownPairs.map { ($0.key.text ?? "", $0.value) })
        }
        #expect(runs.count == 2)
        #expect(runs[0]["NSColor"].flatMap { NibColor($0) }?.red == 1)
        let font = try #require(runs[0]["NSFont"].flatMap { NibFont($0) })
        #expect(font.isBold && font.isSystem && font.pointSize == 19)
        let paragraph = try #require(runs[0]["NSParagraphStyle"])
        #expect(paragraph.integer("NSAlignment") == 2 && paragraph.integer("NSLineBreakMode") == 4)
        #expect(paragraph.double("NSLineSpacing") == 5 && paragraph.integer("NSWritingDirection") == -1)
        #expect(paragraph.elements("NSTabStops").first?.double("NSLocation") == 28)
        #expect(runs[1]["NSFont"].flatMap { NibFont($0) }?.name == "Helvetica")
        #expect(runs[1]["NSUnderline"]?.number == 1 && runs[1]["NSKern"]?.number == -0.5)
        #expect(runs[1]["NSLink"]?.string("NS.relative") == "https://example.com")
    }

    @Test func `a text of one kind has its attributes alone, and ranges of any length are written`() throws {
        let written = try Self.compiled(
            """
            <textField id="f"><attributedString key="attributedPlaceholder"><fragment content="Search"/></attributedString>
            <textInputTraits key="textInputTraits"/></textField>
            <textView id="t"><attributedString key="attributedText"><fragment content="\(String(repeating: "a", count: 300))"/><fragment content="b"/></attributedString></textView>
            """)
        let field = try written.first
        #expect(field.string("UIPlaceholder") == "Search")
        let placeholder = try #require(field.element("UIAttributedPlaceholder"))
        #expect(placeholder.element("NSAttributes")?.ownPairs.isEmpty == true)
        #expect(!placeholder.has("NSAttributeInfo"))
        let info = try written.root.subviews[1].element("UIAttributedText")?.element("NSAttributeInfo")
        #expect(info?.ownData.map { Array($0) } == [0xAC, 0x02, 0, 1, 1])
    }

    @Test func `text input has its content type, and kinds of text that become links`() throws {
        let written = try Self.compiled(
            """
            <textView id="t"><textInputTraits key="textInputTraits" keyboardType="ASCIICapableNumberPad" textContentType="one-time-code"/>
            <dataDetectorType key="dataDetectorTypes" link="YES" calendarEvent="YES" flightNumber="YES"/></textView>
            <imageView id="i" image="a" adjustsImageSizeForAccessibilityContentSizeCategory="YES"/>
            """)
        let view = try written.first
        #expect(view.string("UITextContentType") == "one-time-code" && view.integer("UIKeyboardType") == 11)
        #expect(view.integer("UIDataDetectorTypes") == 0b101010)
        #expect(
            try written.root.subviews[1].boolean("UIAdjustsImageSizeForAccessibilityContentSizeCategory") == true)
    }

    // MARK: Layout

    @Test func `margins are compiled in both of their notations`() throws {
        let written = try Self.compiled(
            """
            <view id="a" layoutMarginsFollowReadableWidth="YES"><edgeInsets key="layoutMargins" top="1" left="2" bottom="3" right="4"/></view>
            <view id="b"><directionalEdgeInsets key="directionalLayoutMargins" top="5" leading="6" bottom="7" trailing="8"/></view>
            """)
        let views = try written.root.subviews
        #expect(views[0].insets("UIViewLayoutMargins") == NibInsets(top: 1, left: 2, bottom: 3, right: 4))
        #expect(views[0].boolean("UIViewLayoutMarginsFollowReadableWidth") == true)
        #expect(views[0].boolean("UIViewLayoutMarginsAreDirectional") == nil)
        #expect(views[1].insets("UIViewLayoutMargins") == NibInsets(top: 5, left: 6, bottom: 7, right: 8))
        #expect(views[1].boolean("UIViewLayoutMarginsAreDirectional") == true)
    }

    @Test(
        arguments: [
            "1/3": 1.0 / 3, "128/375": 128.0 / 375, "16:9": 16.0 / 9, "0.5": 0.5, "1.5:1": 1.5,
        ] as [String: Double])
    func `a ratio is written with a colon, a slash or as a number`(_ text: String, _ ratio: Double) throws {
        let written = try WrittenInterface(
            """
            <constraints><constraint firstAttribute="width" secondItem="root" secondAttribute="height" multiplier="\(text)" id="c"/></constraints>
            """)
        #expect(try written.root.constraints.map(\.multiplier) == [ratio])
    }

    @Test func `a blurring view has its effect and its contents`() throws {
        let written = try Self.compiled(
            """
            <visualEffectView opaque="NO" id="e"><view key="contentView" opaque="NO" id="c"><subviews><label text="Over" id="l"/></subviews></view>
            <blurEffect style="dark"/></visualEffectView>
            <visualEffectView opaque="NO" id="v"><vibrancyEffect style="fill"><blurEffect style="systemThinMaterialDark"/></vibrancyEffect></visualEffectView>
            """)
        let blurred = try written.first
        #expect(blurred.element("UIVisualEffectViewEffect")?.className == "UIBlurEffect")
        #expect(blurred.element("UIVisualEffectViewEffect")?.integer("UIBlurEffectStyle") == 2)
        let content = try #require(blurred.element("UIVisualEffectViewContentView"))
        #expect(content.className == "_UIVisualEffectContentView" && blurred.subviews == [content])
        #expect(content.subviews.first?.string("UIText") == "Over")
        let effect = try #require(try written.root.subviews[1].element("UIVisualEffectViewEffect"))
        #expect(effect.className == "UIVibrancyEffect" && effect.integer("UIVibrancyEffectVibrancyStyle") == 4)
        #expect(effect.integer("UIVibrancyEffectBlurMaterialStyle") == 17)
        #expect(effect.integer("UIVibrancyEffectBlurStyle") == 2)
    }

    @Test func `contents of collection cells need no id`() throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects>
            <collectionViewCell id="cell" reuseIdentifier="Tile">
            <view key="contentView" opaque="NO" contentMode="center"><rect key="frame" x="0" y="0" width="50" height="50"/>
            <subviews><label id="l" text="Inside"/></subviews></view>
            <constraints><constraint firstItem="l" firstAttribute="top" secondItem="cell" secondAttribute="top" id="c"/></constraints>
            <size key="customSize" width="50" height="50"/>
            </collectionViewCell></objects></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Tile.xib")
        let cell = try #require(
            NibInterface(try NibDocument(parsing: files[0].bytes).graph).topLevelObjects.first)
        let content = try #require(cell.element("UIContentView"))
        #expect(cell.subviews == [content] && content.subviews.first?.string("UIText") == "Inside")
    }

    @Test func `a controller in a separate interface has its view`() throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects>
            <pageViewController id="p" transitionStyle="scroll"><view key="view" id="v"><subviews><label id="l" text="Page"/></subviews></view></pageViewController></objects></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Page.xib")
        let controller = try #require(
            NibInterface(try NibDocument(parsing: files[0].bytes).graph).topLevelObjects.first)
        #expect(controller.className == "UIPageViewController")
        #expect(controller.integer("UITransitionStyle") == 1)
        #expect(controller.element("UIView")?.subviews.first?.string("UIText") == "Page")
    }
}
