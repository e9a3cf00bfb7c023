import Testing
import WidgetBuild
import WidgetNib
import WidgetTestSupport

/// Size classes: an interface is compiled as a phone held upright shows it.
@Suite struct `A variation of an interface` {
    private static let parts = """
        <subviews>
        <label text="Always" id="a"><fontDescription key="fontDescription" type="system" pointSize="17"/>
        <variation key="widthClass=compact" alpha="0.5"><fontDescription key="fontDescription" type="system" pointSize="12"/></variation>
        <variation key="widthClass=regular" hidden="YES"/></label>
        <label text="Never" id="n"/><label text="Phone" id="p"/>
        </subviews>
        <constraints>
        <constraint firstItem="a" firstAttribute="top" secondItem="root" secondAttribute="top" constant="8" id="c1">
        <variation key="heightClass=regular-widthClass=compact" constant="20"/></constraint>
        <constraint firstItem="n" firstAttribute="top" secondItem="root" secondAttribute="top" constant="1" id="c2"/>
        </constraints>
        <variation key="default"><mask key="subviews"><exclude reference="n"/><exclude reference="p"/></mask>
        <mask key="constraints"><exclude reference="c2"/></mask></variation>
        <variation key="heightClass=regular-widthClass=compact"><mask key="subviews"><include reference="p"/></mask></variation>
        <variation key="heightClass=regular-widthClass=regular"><mask key="subviews"><include reference="n"/></mask></variation>
        <connections><outlet property="never" destination="n" id="o1"/><outlet property="rule" destination="c2" id="o2"/></connections>
        """

    @Test func `what is not installed on a phone is in no view, and can still be referred to`() throws {
        let written = try WrittenInterface(Self.parts)
        #expect(try written.root.subviews.map { $0.string("UIText") } == ["Always", "Phone"])
        #expect(try written.root.constraints.map(\.constant) == [20])
        let never = try #require(written.interface.outlets.first { $0.name == "never" })
        #expect(never.destination.string("UIText") == "Never")
        #expect(written.interface.objects.contains(never.destination))
        #expect(written.interface.outlets.contains { $0.name == "rule" && $0.destination.double("NSConstant") == 1 })
    }

    @Test func `attributes and parts for a phone replace the general ones`() throws {
        let label = try WrittenInterface(Self.parts).first
        #expect(label.double("UIAlpha") == 0.5 && label.font("UIFont")?.pointSize == 12)
        #expect(label.boolean("UIHidden") == nil)
    }

    @Test func `those for other devices are left out with a note for each kind`() throws {
        let notes = try WrittenInterface(Self.parts).notes
        #expect(
            notes == [
                "Card.xib:13:1: the variation for widthClass=regular was left out: interfaces are compiled for a phone held upright",
                "Card.xib:24:1: the variation for heightClass=regular-widthClass=regular was left out: interfaces are compiled for a phone held upright",
            ])
    }

    @Test func `parts without a key do not replace each other`() throws {
        let text = """
            <subviews><view id="v"><variation key="default">
            <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="a" value="1"/></userDefinedRuntimeAttributes>
            <connections><outlet property="next" destination="root" id="o1"/></connections>
            </variation></view></subviews>
            """
        let written = try WrittenInterface(text)
        #expect(written.interface.outlets.contains { $0.name == "next" })
        #expect(written.interface.attributes.map(\.keyPath) == ["a"])
    }

    @Test func `with very many parts is compiled in time in proportion to them`() throws {
        // Names that are too long to be compared with known ones.
        let long = String(repeating: "n", count: 65)
        let parts = (0..<30_000).map { "<bool key=\"\(long)\($0)\" value=\"YES\"/>" }.joined()
        let many = (0..<30_000).map { "<variation key=\"default\" \(long)\($0)=\"\"/>" }.joined()
        var notes: [String] = []
        let elapsed = try ProcessorTime.spent {
            notes = try WrittenInterface(
                "<subviews><label id=\"l\">\(many)<variation key=\"default\">\(parts)</variation></label></subviews>"
            ).notes
        }
        #expect(notes.contains { $0.contains("further parts were left out") })
        #expect(elapsed < .seconds(120), "\(elapsed)")
    }
}
