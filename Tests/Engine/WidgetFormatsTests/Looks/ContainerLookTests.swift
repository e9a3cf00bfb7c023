import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: the measures of elements that arrange others reach the program. Method: storyboards, compiled and read.
@Suite struct `The measures of a container` {
    private typealias D = DrawnInterface

    @Test func `A table has its style, heights and separators`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "tableView", "table",
                """
                dataMode="none" style="grouped" separatorStyle="none" rowHeight="75" sectionHeaderHeight="28" \
                sectionFooterHeight="10"
                """,
                "<inset key=\"separatorInset\" minX=\"15\" minY=\"0\" maxX=\"5\" maxY=\"0\"/>"
                    + D.color("separatorColor", 1, 0, 0))
                + D.element(
                    "tableView", "automatic",
                    "dataMode=\"none\" rowHeight=\"-1\" sectionHeaderHeight=\"-1\" sectionFooterHeight=\"-1\""))
        let table = try #require(try drawn.look("table").list)
        #expect(table.style == .grouped && table.separators == ListGeometry.Separators.none)
        #expect(table.rowHeight == 75 && table.sectionHeaderHeight == 28 && table.sectionFooterHeight == 10)
        #expect(table.separatorInset == Insets(top: 0, leading: 15, bottom: 0, trailing: 5))
        #expect(table.separatorColor == .rgb(255, 0, 0))
        let automatic = try #require(try drawn.look("automatic").list)
        #expect(automatic.style == .plain && automatic.separators == .line && automatic.grid == nil)
        #expect(automatic.rowHeight == nil && automatic.sectionHeaderHeight == nil)
        #expect(automatic.sectionFooterHeight == nil && automatic.separatorInset == nil)
    }

    @Test func `A row has its accessory, its selection and its separator`() throws {
        func cell(_ name: String, _ attributes: String, _ more: String = "") -> String {
            """
            <tableViewCell reuseIdentifier="\(name)" \(attributes) id="\(name)">\(D.frame(0, 0, 375, 44))
            <tableViewCellContentView key="contentView" tableViewCell="\(name)" id="\(name)Content">\
            \(D.frame(0, 0, 375, 44))</tableViewCellContentView>\(more)</tableViewCell>
            """
        }
        let rows =
            cell(
                "one", "accessoryType=\"disclosureIndicator\" selectionStyle=\"none\"",
                "<inset key=\"separatorInset\" minX=\"1\" minY=\"0\" maxX=\"2\" maxY=\"0\"/>")
            + cell("two", "accessoryType=\"checkmark\" selectionStyle=\"blue\"") + cell("three", "")
        let drawn = try DrawnInterface(
            D.element("tableView", "table", "dataMode=\"prototypes\"", "<prototypes>\(rows)</prototypes>"))
        let prototypes = try #require(try drawn.node("table").list?.prototypes)
        func row(_ name: String) throws -> Appearance {
            let id = try #require(prototypes[name])
            return try #require(try drawn.scene().nodes[id].look).appearance
        }
        #expect(try row("one").accessory == .disclosure && row("one").selection == SelectionStyle.none)
        #expect(try row("one").separatorInset == Insets(top: 0, leading: 1, bottom: 0, trailing: 2))
        #expect(try row("two").accessory == .checkmark && row("two").selection == .blue)
        #expect(try row("three").accessory == nil && row("three").selection == .standard)
    }

    @Test func `A grid has its flow`() throws {
        func flow(_ attributes: String, _ sizes: String) -> String {
            """
            <collectionViewFlowLayout key="collectionViewLayout" \(attributes) id="flow\(attributes.count)">\(sizes)\
            <inset key="sectionInset" minX="2" minY="1" maxX="4" maxY="3"/></collectionViewFlowLayout>
            """
        }
        let drawn = try DrawnInterface(
            D.element(
                "collectionView", "grid", "dataMode=\"none\"",
                flow(
                    "minimumLineSpacing=\"7\" minimumInteritemSpacing=\"8\" scrollDirection=\"horizontal\"",
                    """
                    <size key="itemSize" width="120" height="90"/><size key="headerReferenceSize" width="0" height="30"/>\
                    <size key="footerReferenceSize" width="0" height="0"/><size key="estimatedItemSize" width="0" height="0"/>
                    """))
                + D.element(
                    "collectionView", "growing", "dataMode=\"none\"",
                    flow("minimumLineSpacing=\"10\"", "<size key=\"estimatedItemSize\" width=\"50\" height=\"50\"/>")))
        let list = try #require(try drawn.look("grid").list)
        let grid = try #require(list.grid)
        #expect(list.separators == ListGeometry.Separators.none && grid.axis == .horizontal)
        #expect(grid.itemSize == Size(width: 120, height: 90) && grid.lineSpacing == 7 && grid.itemSpacing == 8)
        #expect(grid.sectionInset == Insets(top: 1, leading: 2, bottom: 3, trailing: 4))
        #expect(grid.headerSize == Size(width: 0, height: 30) && grid.footerSize == nil && !grid.estimates)
        let growing = try #require(try drawn.look("growing").list?.grid)
        #expect(growing.estimates && growing.itemSize == Size(width: 50, height: 50) && growing.axis == .vertical)
    }

    @Test func `A stack has its axis, spacing, distribution and alignment`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "stackView", "column",
                """
                axis="vertical" distribution="equalSpacing" alignment="trailing" spacing="12" \
                baselineRelativeArrangement="YES"
                """, set: D.truth("layoutMarginsRelativeArrangement", true))
                + D.element("stackView", "row", "spacingType=\"standard\"") + D.element("view", "other"))
        let column = try #require(try drawn.look("column").stack)
        #expect(column.axis == .vertical && column.distribution == .equalSpacing && column.alignment == .trailing)
        #expect(column.spacing == 12 && column.isBaselineRelative && column.isMarginsRelative)
        let row = try #require(try drawn.look("row").stack)
        #expect(row.axis == .horizontal && row.distribution == .fill && row.alignment == .fill && row.spacing == 8)
        #expect(!row.isBaselineRelative && !row.isMarginsRelative)
        #expect(try drawn.look("other").stack == nil && drawn.look("other").scrolling == nil)
    }

    @Test func `A scroll view has its insets and ways of scrolling`() throws {
        let drawn = try DrawnInterface(
            D.element(
                "scrollView", "own",
                """
                pagingEnabled="YES" scrollEnabled="NO" alwaysBounceVertical="YES" showsHorizontalScrollIndicator="NO" \
                showsVerticalScrollIndicator="NO" contentInsetAdjustmentBehavior="never"
                """,
                """
                <inset key="contentInset" minX="2" minY="1" maxX="4" maxY="3"/><size key="contentSize" width="400" height="900"/>
                """) + D.element("scrollView", "usual"))
        let own = try #require(try drawn.look("own").scrolling)
        #expect(own.pages && !own.isEnabled && own.bouncesAlways && own.adjustment == .never)
        #expect(!own.showsHorizontalIndicator && !own.showsVerticalIndicator)
        #expect(own.inset == Insets(top: 1, leading: 2, bottom: 3, trailing: 4))
        #expect(own.contentSize == Size(width: 400, height: 900))
        #expect(try drawn.look("usual").scrolling == Scrolling())
    }
}
