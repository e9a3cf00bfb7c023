import Testing
import WidgetBuild
import WidgetNib

/// Further parts of real interfaces: pickers, maps, pages on the web, lists,
/// attributes, documents of older editors.
@Suite struct `A part of a real interface` {
    @Test func `pickers have their dates, language and time zone`() throws {
        let interface = try SmallInterface(
            views: """
                <pickerView id="pic"/>
                <datePicker datePickerMode="date" minuteInterval="5" useCurrentDate="NO" style="wheels" id="dat">
                <date key="date" timeIntervalSinceReferenceDate="622497467.5"/>
                <date key="minimumDate" timeIntervalSinceReferenceDate="-978267600"/>
                <locale key="locale" localeIdentifier="de_AT"/><timeZone key="timeZone" name="Europe/Vienna"/></datePicker>
                """)
        _ = try interface.view("UIPickerView")
        let picker = try interface.view("UIDatePicker")
        #expect(picker.integer("UIDatePickerMode") == 1 && picker.integer("UIMinuteInterval") == 5)
        #expect(picker.element("UIDate")?.double("NS.time") == 622_497_467.5)
        #expect(picker.element("UIMinimumDate")?.double("NS.time") == -978_267_600)
        #expect(picker.element("UILocale")?.string("NS.identifier") == "de_AT")
        #expect(picker.element("UITimeZone")?.string("NS.name") == "Europe/Vienna")
        #expect(interface.notes.count == 1, "the style of its wheels is a look")
    }

    @Test func `maps and pages on the web have their settings`() throws {
        let interface = try SmallInterface(
            views: """
                <mapView mapType="hybrid" showsUserLocation="YES" zoomEnabled="NO" id="map"><standardMapConfiguration key="preferredConfiguration"/></mapView>
                <wkWebView id="web"><wkWebViewConfiguration key="configuration" allowsAirPlayForMediaPlayback="NO" applicationNameForUserAgent="Reader" selectionGranularity="character">
                <dataDetectorType key="dataDetectorTypes" link="YES"/>
                <audiovisualMediaTypes key="mediaTypesRequiringUserActionForPlayback" none="YES"/>
                <wkPreferences key="preferences" javaScriptCanOpenWindowsAutomatically="YES"/>
                <wkWebpagePreferences key="defaultWebpagePreferences" allowsContentJavaScript="NO"/></wkWebViewConfiguration></wkWebView>
                <webView paginationMode="topToBottom" detectsPhoneNumbers="NO" id="old"/>
                """)
        let map = try interface.view("MKMapView")
        #expect(map.integer("MKMapType") == 2 && map.boolean("MKShowsUserLocation") == true)
        #expect(map.boolean("MKZoomEnabled") == false)
        let web = try #require(try interface.view("WKWebView").element("configuration"))
        #expect(web.boolean("allowsAirPlayForMediaPlayback") == false && web.integer("selectionGranularity") == 1)
        #expect(web.string("applicationNameForUserAgent") == "Reader" && web.integer("dataDetectorTypes") == 2)
        #expect(web.element("preferences")?.boolean("javaScriptCanOpenWindowsAutomatically") == true)
        #expect(web.element("defaultWebpagePreferences")?.boolean("allowsContentJavaScript") == false)
        _ = try interface.view("UIWebView")
        #expect(interface.notes.count == 3)
    }

    @Test func `collections have layouts of an app and views above and below their cells`() throws {
        let interface = try SmallInterface(
            views: """
                <collectionView dataMode="prototypes" id="col">
                <collectionViewLayout key="collectionViewLayout" id="lay" customClass="Honeycomb" customModule="Host"/>
                <cells><collectionViewCell reuseIdentifier="Tile" id="til"/></cells>
                <collectionReusableView key="sectionHeaderView" reuseIdentifier="Head" id="hea"><subviews><label text="Above" id="lab"/></subviews>
                <connections><outlet property="owner" destination="vc" id="o"/></connections></collectionReusableView>
                <collectionReusableView key="sectionFooterView" reuseIdentifier="Foot" id="foo"/></collectionView>
                """)
        let grid = try interface.view("UICollectionView")
        #expect(grid.element("UICollectionLayout")?.string("UIClassName") == "_TtC4Host9Honeycomb")
        #expect(
            grid.pairs("UICollectionViewSupplementaryViewNibDict").map { $0.key.text ?? "" } == [
                "UICollectionElementKindSectionHeader/Head", "UICollectionElementKindSectionFooter/Foot",
            ])
        let prototypes = try NibPrototype.prototypes(of: grid)
        let header = try #require(prototypes.first { $0.reuseIdentifier.hasSuffix("/Head") })
        #expect(header.externalObjects.count == 1)
        #expect(NibInterface(header.document.graph).objects.contains { $0.string("UIText") == "Above" })
    }

    @Test func `cells that the mode of their list does not use are left out with what leads there`() throws {
        let interface = try SmallInterface(
            views: """
                <tableView dataMode="prototypes" allowsMultipleSelectionDuringEditing="YES" id="tab">
                <prototypes><tableViewCell reuseIdentifier="Used" id="c1"/><tableViewCell id="c2"><connections>
                <segue destination="vc" kind="show" id="s"/></connections></tableViewCell></prototypes>
                <sections><tableViewSection headerTitle="Old" id="sec"><cells><tableViewCell id="c3"/></cells></tableViewSection></sections>
                </tableView>
                """, controller: "<connections><outlet property=\"old\" destination=\"c3\" id=\"o\"/></connections>")
        let table = try interface.view("UITableView")
        #expect(try NibPrototype.prototypes(of: table).map(\.reuseIdentifier) == ["Used"])
        #expect(table.boolean("UIAllowsMultipleSelectionDuringEditing") == true)
        let outlets = try interface.views().outlets + interface.scene().interface.outlets
        #expect(!outlets.contains { $0.name == "old" || $0.name == "staticDataSource" })
        #expect(try interface.scene().controller.segues.isEmpty)
        #expect(
            interface.notes.map { $0.drop { $0 != " " }.description } == [
                " a tableViewCell was left out: without a reuseIdentifier no list can make it",
                " sections of tableView was left out: its dataMode is prototypes",
            ])
    }

    @Test func `fixed sections have headers and footers of several lines`() throws {
        let interface = try SmallInterface(
            scenes: [
                SmallInterface.scene(
                    "vc",
                    """
                    <tableViewController id="vc" sceneMemberID="viewController"><tableView key="view" dataMode="static" id="tab">
                    <sections><tableViewSection headerTitle="Above" id="sec"><string key="footerTitle">One
                    Two</string><cells><tableViewCell id="c"><view key="accessoryView" id="acc"/></tableViewCell></cells></tableViewSection></sections>
                    </tableView></tableViewController>
                    """)
            ])
        let section = try #require(
            NibTableSection.sections(of: try interface.views("UITableViewController-vc")).first)
        #expect(section.header == "Above" && section.footer == "One\nTwo")
        #expect(section.rows.first?.cell.element("UIAccessoryView")?.className == "UIView")
    }

    @Test func `attributes of several lines and in several languages are kept`() throws {
        let interface = try SmallInterface(
            views: """
                <label id="lab"><mutableString key="text">Two
                lines</mutableString><userDefinedRuntimeAttributes>
                <userDefinedRuntimeAttribute type="string" keyPath="long"><mutableString key="value">A
                B</mutableString></userDefinedRuntimeAttribute>
                <userDefinedRuntimeAttribute type="string" keyPath="hint" value="Hint" localized="YES"/>
                </userDefinedRuntimeAttributes></label>
                """, path: "Base.lproj/Main.storyboard")
        let views = try interface.views()
        #expect(views.attributes.map(\.value) == [.text("A\nB"), .text("Hint")])
        let label = try interface.view("UILabel")
        #expect(label.string("UIText") == "Two\nlines")
        let keys = views.graph.rootElement.elements("UINibKeyValuePairsKey").map {
            $0.element("UIValue")?.translationKey
        }
        #expect(keys == [nil, "lab.hint"])
    }

    @Test func `distances, fonts and lists of older editors pass`() throws {
        let interface = try SmallInterface(
            views: """
                <stackView spacingType="standard" id="sta"><animations/></stackView>
                <textField adjustsFontForContentSizeCategory="YES" background="frame" id="fie"/>
                """)
        #expect(try interface.view("UIStackView").double("UIStackViewSpacing") == Double(Float.leastNormalMagnitude))
        let field = try interface.view("UITextField")
        #expect(field.boolean("UIAdjustsFontForContentSizeCategory") == true)
        #expect(field.imageName("UITextFieldBackground") == "frame")
        #expect(interface.notes == [])
    }

    @Test func `a separate interface has windows, controllers with their views, and objects of the host`() throws {
        let interface = try SmallInterface(
            objects: """
                <placeholder placeholderIdentifier="Model" id="mod" customClass="Model"/>
                <window id="win"><rect key="frame" x="0" y="0" width="320" height="480"/></window>
                <viewController nibName="Other" id="con"><view key="view" id="vie"><subviews><label text="In" id="lab"/></subviews></view>
                <connections><outlet property="model" destination="mod" id="o"/></connections></viewController>
                """, type: "com.apple.InterfaceBuilder3.CocoaTouch.iPad.XIB")
        let nib = try interface.interface()
        #expect(nib.topLevelObjects.prefix(2).map(\.className) == ["UIWindow", "UIViewController"])
        let controller = try #require(nib.objects.first { $0.className == "UIViewController" })
        #expect(controller.element("UIView")?.subviews.first?.string("UIText") == "In")
        #expect(controller.string("UINibName") == "Other")
        #expect(nib.outlets.first?.destination.proxyName == "Model")
    }

    @Test func `an interface of Xcode 4 says what to do`() {
        let text = "<archive type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\" version=\"8.00\"><data/></archive>"
        #expect(throws: BuildError.self) { try InterfaceCompiler.compile(Array(text.utf8), path: "Old.xib") }
        do throws(BuildError) {
            _ = try InterfaceCompiler.compile(Array(text.utf8), path: "Old.xib")
        } catch {
            #expect(error.description == "Old.xib:1:1: this interface was saved by Xcode 4 or older")
            #expect(error.hints == ["open it in a newer Xcode, choose its document type there, and save it"])
        }
    }

    @Test func `settings of the editor and the tint of a whole document pass`() throws {
        let interface = try SmallInterface(
            scenes: [SmallInterface.screen("vc")],
            resources: """
                <resources><image name="star" catalog="system" width="128" height="116"/></resources>
                <color key="tintColor" white="1" alpha="1"/><accessibilityOverrides dynamicTypePreference="4"/>
                """)
        #expect(interface.notes.count == 1 && interface.notes.allSatisfy { $0.contains("tintColor of the document") })
    }
}
