import Testing
import WidgetBuild
import WidgetNib

/// Colours by name: of an asset catalogue and of the system.
@Suite struct `A named colour of an interface` {
    private static func label(
        _ color: String, resources: String = "", colors: CatalogColors = CatalogColors()
    ) throws -> (color: NibColor, notes: [String]) {
        let written = try WrittenInterface(
            "<subviews><label id=\"l\">\n<color key=\"textColor\" \(color)/></label></subviews>",
            document: "<resources>\(resources)</resources>", colors: colors)
        return (try #require(try written.first.color("UITextColor")), written.notes)
    }

    private static func catalog(_ sets: [String: String]) -> CatalogColors {
        CatalogColors(in: sets.mapValues { Array($0.utf8) })
    }

    @Test func `its components are those of the file's resources`() throws {
        let brand =
            #"<namedColor name="Brand"><color red="0.25" green="0.5" blue="1" alpha="0.5" colorSpace="custom" customColorSpace="sRGB"/></namedColor>"#
        let (color, notes) = try Self.label(#"name="Brand""#, resources: brand)
        #expect(color.resourceName == "Brand" && color.systemName == nil)
        #expect([color.red, color.green, color.blue, color.alpha] == [0.25, 0.5, 1, 0.5])
        #expect(notes == [])
    }

    @Test func `its components are those of the bundle's asset catalogue when the file has none`() throws {
        let colors = Self.catalog([
            "Assets.xcassets/Brand.colorset/Contents.json": #"""
            {"colors": [
             {"idiom": "universal", "appearances": [{"appearance": "luminosity", "value": "dark"}],
              "color": {"color-space": "srgb", "components": {"red": "0", "green": "0", "blue": "0", "alpha": "1.000"}}},
             {"idiom": "universal", "color": {"color-space": "srgb",
              "components": {"red": "0xFF", "green": "51", "blue": "0.500", "alpha": "0.250"}}}]}
            """#,
            "Assets.xcassets/Theme/Contents.json": #"{"properties": {"provides-namespace": true}}"#,
            "Assets.xcassets/Theme/Ink.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"color-space": "gray-gamma-22", "components": {"white": "0.125", "alpha": "1.000"}}}]}
            """#,
            "Assets.xcassets/Tint.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"platform": "ios", "reference": "systemRedColor"}}]}
            """#,
            "Assets.xcassets/Broken.colorset/Contents.json": "{",
        ])
        let brand = try Self.label(#"name="Brand""#, colors: colors).color
        #expect(
            [brand.red, brand.green, brand.blue, brand.alpha] == [1, 51.0 / 255, 0.5, 0.25].map { Double(Float($0)) })
        #expect(try Self.label(#"name="Theme/Ink""#, colors: colors).color.red == 0.125)
        let tint = try Self.label(#"name="Tint""#, colors: colors).color
        #expect(tint.systemName == "systemRedColor" && tint.resourceName == "Tint" && tint.red == 1)
        #expect(try Self.label(#"name="Broken""#, colors: colors).notes.count == 1)
    }

    @Test func `one that nothing has components of is grey, with a note`() throws {
        let (color, notes) = try Self.label(#"name="Lost""#)
        #expect(color.resourceName == "Lost" && color.red == 0.5)
        #expect(
            notes == [
                "Card.xib:11:1: the colour Lost is grey: neither the resources of this file nor an asset catalogue have it"
            ])
    }

    @Test(
        arguments: [
            "groupTableViewBackgroundColor": 239.0 / 255, "systemBackgroundColor": 1, "labelColor": 0,
            "systemRedColor": 1, "secondarySystemBackgroundColor": 242.0 / 255,
        ] as [String: Double])
    func `one of the system needs no components`(_ name: String, _ red: Double) throws {
        for attribute in ["systemColor", "cocoaTouchSystemColor"] {
            let (color, notes) = try Self.label(#"\#(attribute)="\#(name)""#)
            #expect(color.systemName == name && color.red == Double(Float(red)) && notes == [])
        }
    }

    @Test func `one of a later system than is known is grey, with a note, or as the resources say`() throws {
        let known = try Self.label(#"systemColor="systemPlaidColor""#)
        #expect(known.color.red == 0.5 && known.notes.count == 1)
        let plaid = #"<systemColor name="systemPlaidColor"><color white="0.25" alpha="1"/></systemColor>"#
        let written = try Self.label(#"systemColor="systemPlaidColor""#, resources: plaid)
        #expect(written.color.red == 0.25 && written.notes == [])
    }

    @Test func `runtime attributes and titles of states have them, too`() throws {
        let brand = #"<resources><namedColor name="Brand"><color white="0.25" alpha="1"/></namedColor></resources>"#
        let written = try WrittenInterface(
            """
            <subviews><button id="b"><state key="normal" title="Go"><color key="titleColor" name="Brand"/></state>
            <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="color" keyPath="edge"><color key="value" name="Brand"/></userDefinedRuntimeAttribute>
            <userDefinedRuntimeAttribute type="number" keyPath="size"><nil key="value"/></userDefinedRuntimeAttribute>
            </userDefinedRuntimeAttributes></button></subviews>
            """, document: brand)
        let title = try written.first.pairs("UIButtonStatefulContent").first?.value.color("UITitleColor")
        #expect(title?.resourceName == "Brand" && title?.red == 0.25)
        #expect(title.map { written.interface.attributes.map(\.value) == [.color($0), .null] } == true)
        #expect(written.notes == [])
    }

    @Test func `a bundle's interfaces get the colours of its catalogues`() throws {
        let files = try BundleCompiler(
            [
                "Info.plist": Array(
                    "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.A</string></dict></plist>"
                        .utf8),
                "Assets.xcassets/Brand.colorset/Contents.json": Array(
                    #"{"colors": [{"idiom": "universal", "color": {"components": {"white": "0.125", "alpha": "1.0"}}}]}"#
                        .utf8),
                "Card.xib": Array(
                    #"<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects><view id="v" glow="YES"><color key="backgroundColor" name="Brand"/></view></objects></document>"#
                        .utf8),
            ], folder: "A")
        let nib = try #require(files.files.first { $0.path == "Card.nib" })
        let view = try #require(NibInterface(try NibDocument(parsing: nib.bytes).graph).topLevelObjects.first)
        #expect(view.color("UIBackgroundColor")?.red == 0.125)
        #expect(
            files.notes.contains(
                "Card.xib:1:83: the attribute glow of view was left out: nothing is known about it"))
    }

    @Test func `components of another space become those of sRGB`() throws {
        let colors = Self.catalog([
            "A.xcassets/Wide.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"color-space": "display-p3",
             "components": {"red": "0.4", "green": "0.5", "blue": "0.6", "alpha": "1"}}}]}
            """#,
            "A.xcassets/Straight.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"color-space": "extended-linear-srgb",
             "components": {"red": "0.5", "green": "0.001", "blue": "0.0", "alpha": "1"}}}]}
            """#,
            "A.xcassets/Red.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"color-space": "display-p3",
             "components": {"red": "1.0", "green": "0.0", "blue": "0.0", "alpha": "1"}}}]}
            """#,
        ])
        func components(_ color: String) throws -> [Int] {
            let color = try Self.label(color, colors: colors).color
            return [color.red, color.green, color.blue].map { Int(($0 * 1_000).rounded()) }
        }
        #expect(try components(#"name="Wide""#) == [373, 504, 610])
        #expect(
            try components(
                #"red="0.4" green="0.5" blue="0.6" alpha="1" colorSpace="custom" customColorSpace="displayP3""#)
                == [373, 504, 610])
        #expect(try components(#"name="Straight""#) == [735, 13, 0])
        #expect(try components(#"name="Red""#) == [1_000, 0, 0], "the nearest that sRGB has")
    }

    @Test func `components beyond single precision are an error, and a catalogue with them is passed over`() throws {
        #expect(throws: BuildError.self) { try Self.label(#"white="1e39" alpha="1""#) }
        #expect(throws: BuildError.self) { try Self.label(#"red="0" green="-1e39" blue="0" alpha="1""#) }
        #expect(throws: BuildError.self) { try Self.label(#"white="0" alpha="1e300""#) }
        let colors = Self.catalog([
            "A.xcassets/Far.colorset/Contents.json": #"""
            {"colors": [{"idiom": "universal", "color": {"components": {"white": "1.0e39", "alpha": "1"}}}]}
            """#
        ])
        #expect(try Self.label(#"name="Far""#, colors: colors).notes.count == 1)
    }
}
