import Foundation
import PageReading
import Testing
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetLayout
import WidgetRender

/// Goal: tables with fixed rows, as screens of settings have them, have each section between its titles in every form, with
/// the room that UIKit gives them. Method: storyboards with one table, compiled and read, laid out and printed.
@Suite struct `Tables with fixed rows` {
    private static let long = String(repeating: "seven terns over the bar ", count: 5)

    /// A screen that is one table, as its author drew it.
    private struct Table {
        let program: Program
        let scene: Scene
        let placed: PlacedScreen

        init(_ sections: String, style: String = "grouped", attributes: String = "", parts: String = "") throws {
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529" \
                targetRuntime="iOS.CocoaTouch" useAutolayout="YES" useTraitCollections="YES" initialViewController="c">
                <scenes><scene sceneID="s"><objects><tableViewController storyboardIdentifier="Table" id="c">
                <tableView key="view" dataMode="static" style="\(style)" \(attributes) id="t">
                <rect key="frame" x="0" y="0" width="375" height="667"/>\(parts)<sections>\(sections)</sections></tableView>
                </tableViewController></objects></scene></scenes></document>
                """
            let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Main.storyboard")
            program = try WidgetKitReader.program(
                BundleFiles(
                    Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }, images: [:], colors: [:]),
                identifier: "test.Tables")
            scene = try #require(program.scenes["Table"])
            placed = ScreenLayout(program, Viewport()).drawn(scene)
        }

        /// The kinds of the parts of the table from above, with their tops and heights.
        var parts: [String] {
            placed.boxes.filter { box in
                [.sectionHeader, .row, .sectionFooter].contains(box.view.kind) || box.look?.geometry.role == .header
            }
            .map { "\($0.view.kind.row.name) \($0.frame.y.formatted()) \($0.frame.height.formatted())" }
        }

        var view: View {
            View(screen: "Table", title: "", root: placed.boxes[0].view)
        }

        var page: PrintedPage { PagePrinter(PlannedProgram(program)).page(view, NoAssets()) }
    }

    private static func section(_ name: String, _ header: String?, _ footer: String?, sign: String = "none") -> String {
        let titles = [("headerTitle", header), ("footerTitle", footer)].map { key, title in
            title.map { "\(key)=\"\($0)\"" } ?? ""
        }
        return """
            <tableViewSection \(titles.joined(separator: " ")) id="\(name)"><cells>
            <tableViewCell accessoryType="\(sign)" id="\(name)-cell"><rect key="frame" x="0" y="0" width="375" height="44"/>
            <tableViewCellContentView key="contentView" tableViewCell="\(name)-cell" id="\(name)-content">
            <rect key="frame" x="0" y="0" width="375" height="44"/><subviews><label text="Row \(name)" id="\(name)-label">
            <rect key="frame" x="16" y="11" width="200" height="21"/></label></subviews></tableViewCellContentView>
            </tableViewCell></cells></tableViewSection>
            """
    }

    private static func ends() -> String {
        [("tableHeaderView", 70), ("tableFooterView", 30)].map { key, height in
            "<view key=\"\(key)\" id=\"\(key)\"><rect key=\"frame\" x=\"0\" y=\"0\" width=\"375\" height=\"\(height)\"/></view>"
        }.joined()
    }

    // MARK: - Room

    @Test func `A plain table has titles of 28 points and no room where a title is missing`() throws {
        let table = try Table(
            Self.section("a", "Above", "Below") + Self.section("b", nil, nil), style: "plain")
        #expect(
            table.parts == [
                "section-header 20 28", "row 48 44", "section-footer 92 28", "section-header 120 0", "row 120 44",
            ])
        let high = try Table(Self.section("a", "Above", nil), style: "plain", attributes: "sectionHeaderHeight=\"50\"")
        #expect(high.parts.first == "section-header 20 50")
    }

    @Test func `A grouped table sets its sections apart, and its first section from the top`() throws {
        let table = try Table(Self.section("a", "Above", "Below") + Self.section("b", nil, nil))
        #expect(
            table.parts == [
                "section-header 20 55.5", "row 75.5 44", "section-footer 119.5 31", "section-header 150.5 18",
                "row 168.5 44", "section-footer 212.5 18",
            ])
        let low = try Table(
            Self.section("a", nil, nil) + Self.section("b", "Title", nil),
            attributes: "sectionHeaderHeight=\"2\" sectionFooterHeight=\"1\"")
        #expect(
            low.parts == [
                "section-header 20 19.5", "row 39.5 44", "section-footer 83.5 1", "section-header 84.5 38",
                "row 122.5 44", "section-footer 166.5 1",
            ])
    }

    @Test(arguments: ["plain", "grouped"])
    func `A title of several lines has the room that it needs`(style: String) throws {
        let short = try Table(Self.section("a", "Above", nil), style: style)
        let table = try Table(Self.section("a", Self.long, nil), style: style)
        let label = try #require(table.placed.boxes.first { $0.view.text(.text) == Self.long })
        let header = try #require(table.placed.boxes.first { $0.view.kind == .sectionHeader })
        #expect(label.lineCount > 1 && !label.isTextCut && label.frame.x == 16 && label.frame.width == 343)
        #expect(header.frame.y + header.frame.height >= label.frame.y + label.frame.height)
        #expect(header.frame.height > (short.placed.boxes.first { $0.view.kind == .sectionHeader }?.frame.height ?? 0))
    }

    @Test func `The view below all rows follows the last section, and one above takes the room of the first`() throws {
        let table = try Table(Self.section("a", "Above", nil), parts: Self.ends())
        #expect(
            table.parts == [
                "box 20 70", "section-header 90 38", "row 128 44", "section-footer 172 18", "section-footer 190 30",
            ])
        let list = try #require(try PageReader.page(table.page.html).has("ls"))
        #expect(list.children.map(\.name).filter { !$0.isEmpty } == ["div", "div", "ul", "div", "div"])
        #expect(list.children.last { !$0.name.isEmpty }?.classes.contains("ft") == true)
    }

    // MARK: - Forms

    @Test func `Texts are in the order of the screen in every form`() throws {
        let table = try Table(Self.section("a", "A above", "A below") + Self.section("b", "B above", "B below"))
        let texts = ["A above", "Row a", "A below", "B above", "Row b", "B below"]
        #expect(ViewText().text(table.view).split(separator: "\n").map(String.init) == texts)
        #expect(table.placed.boxes.map { $0.view.text(.text) }.filter { !$0.isEmpty } == texts)
        let page = try PageReader.page(table.page.html)
        #expect(PageRules.faults(page) == [])
        let list = try #require(page.has("ls"))
        #expect(list.all.filter { $0.name == "p" || $0.name == "h2" }.map(\.allText) == texts)
        #expect(list.all.filter { $0.name == "h2" }.map(\.allText) == ["A above", "B above"])
    }

    @Test func `The sheet gives titles the least heights of frames`() throws {
        let table = try Table(Self.section("a", "Above", nil))
        let sheet = String(decoding: PlannedProgram(table.program).sheet.bytes, as: UTF8.self)
        #expect(sheet.contains("min-height:55.5px") && sheet.contains("{height:18px}"))
    }

    @Test func `Rows of groups have a ground, and those of a plain table have none`() throws {
        for (style, ground) in [("grouped", ColorRole.secondaryGroupedBackground), ("plain", nil)] {
            let table = try Table(Self.section("a", nil, nil), style: style)
            let row = try #require(table.scene.nodes.first { $0.kind == .row })
            #expect(row.look?.appearance.background == ground.map { .role($0) }, "\(style)")
        }
    }

    @Test(arguments: [("disclosureIndicator", 33.0), ("detailDisclosureButton", 67), ("checkmark", 39), ("none", 0)])
    func `Signs of fixed rows take room in plans and frames`(sign: String, room: Double) throws {
        let table = try Table(Self.section("a", nil, nil, sign: sign))
        let content = try #require(table.placed.boxes.first { $0.look?.geometry.role == .contentView })
        #expect(content.frame.width == 375 - room)
        #expect(LayoutPlan(of: table.scene).boxes[content.key.node]?.x.anchor == .both(.zero, Affine(room)))
    }

    // MARK: - Bars and budgets

    @Test func `A table that is a whole screen is covered by bars even if its rows are those of a source`() {
        for (adjustment, edges) in [
            (Scrolling.InsetAdjustment.automatic, CoveredEdges?([.top, .bottom])), (.never, nil),
        ] {
            var scrolling = Scrolling()
            scrolling.adjustment = adjustment
            var list = Node(.list)
            list.look = Look(geometry: Geometry(), list: ListGeometry(), scrolling: scrolling)
            #expect(LayoutPlan(of: Scene("s", nodes: [list])).covered[0] == edges)
        }
    }

    @Test func `More sections than a screen may have elements are an error and not a longer list`() throws {
        let sections = (0..<40).map { Self.section("s\($0)", "Title", nil) }.joined()
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529" \
            targetRuntime="iOS.CocoaTouch" initialViewController="c"><scenes><scene sceneID="s"><objects>
            <tableViewController storyboardIdentifier="Table" id="c"><tableView key="view" dataMode="static" id="t">
            <sections>\(sections)</sections></tableView></tableViewController></objects></scene></scenes></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Main.storyboard")
        var limits = FormatLimits()
        limits.nodeCount = 30
        let program = try WidgetKitReader.program(
            BundleFiles(Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }, images: [:], colors: [:]),
            identifier: "test.Tables", limits: limits)
        #expect((program.scenes["Table"]?.nodes.count ?? 0) <= 30)
        #expect(program.diagnostics.contains { $0.code == .nodeBudget })
    }
}
