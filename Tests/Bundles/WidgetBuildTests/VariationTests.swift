import Nib
import Testing
import WidgetBuild

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
}
