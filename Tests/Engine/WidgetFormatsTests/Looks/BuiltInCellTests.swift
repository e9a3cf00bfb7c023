import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: a cell in a style of the system is laid out by its own width, as UIKit does. Method: a table with one cell, whose
/// labels the editor drew too narrow for their texts.
@Suite struct `A cell in a style of the system` {
    private static func label(_ name: String, y: Double = 5) -> String {
        DrawnInterface.element(
            "label", name, "text=\"\(name)\"", frame: DrawnInterface.frame(16, y, 20, 20),
            "<autoresizingMask key=\"autoresizingMask\"/>")
    }

    /// - Parameters:
    ///   - style: `Default`, `Value1`, `Value2` or `Subtitle`.
    ///   - more: an element that the author put into the cell.
    private static func table(
        _ style: String, detail: Bool = true, image: Bool = false, accessory: String = "", more: String = ""
    ) throws -> DrawnInterface {
        let picture =
            image
            ? DrawnInterface.element("imageView", "picture", "contentMode=\"scaleToFill\"") : ""
        let names =
            "textLabel=\"title\"" + (detail ? " detailTextLabel=\"detail\"" : "")
            + (image ? " imageView=\"picture\"" : "")
        let cell = """
            <tableViewCell style="IBUITableViewCellStyle\(style)" \(names) \(accessory) reuseIdentifier="Row" id="row">
            \(DrawnInterface.frame(0, 28, 375, 44))<autoresizingMask key="autoresizingMask"/>
            <tableViewCellContentView key="contentView" tableViewCell="row" id="content">
            \(DrawnInterface.frame(0, 0, 375, 44))<autoresizingMask key="autoresizingMask"/>
            <subviews>\(picture)\(label("title"))\(detail ? label("detail", y: 25) : "")\(more)</subviews>
            </tableViewCellContentView></tableViewCell>
            """
        return try DrawnInterface(
            DrawnInterface.element(
                "tableView", "list", "rowHeight=\"44\" sectionHeaderHeight=\"28\" sectionFooterHeight=\"28\"",
                "<prototypes>\(cell)</prototypes>"))
    }

    /// The content view of the row, and the scene.
    private static func content(_ drawn: DrawnInterface) throws -> (node: Node, scene: Scene) {
        let scene = try drawn.scene()
        return (try #require(scene.nodes.first { $0.look?.geometry.role == .contentView }), scene)
    }

    private static func names(_ ids: [NodeID], _ scene: Scene) -> [String] {
        ids.map { scene.nodes[$0].identifier ?? "\(scene.nodes[$0].kind.row.name)" }
    }

    @Test(arguments: [("Default", false), ("Value1", true)])
    func `Its labels stand beside each other within the margins of the row`(style: String, detail: Bool) throws {
        let (content, scene) = try Self.content(try Self.table(style, detail: detail))
        #expect(Self.names(content.children, scene) == (detail ? ["title", "detail"] : ["title"]))
        #expect(content.look?.stack?.axis == .horizontal)
        #expect(content.look?.geometry.margins?.leading == 16 && content.look?.geometry.margins?.trailing == 16)
        for child in content.children { #expect(scene.nodes[child].look?.geometry.springs == nil) }
    }

    @Test func `A subtitle is below the title, beside the picture`() throws {
        let (content, scene) = try Self.content(try Self.table("Subtitle", image: true))
        #expect(Self.names(content.children, scene) == ["picture", "box"])
        let column = scene.nodes[try #require(content.children.last)]
        #expect(Self.names(column.children, scene) == ["title", "detail"])
        #expect(column.look?.stack?.axis == .vertical)
        #expect(column.children.allSatisfy { scene.nodes[$0].parent == content.children.last })
    }

    @Test func `The name of a contact has a fixed width`() throws {
        let drawn = try Self.table("Value2")
        let title = try drawn.id("title")
        let rule = try #require(try drawn.scene().rules.first { $0.first.node == title })
        #expect(rule.attribute == .width && rule.constant == 91)
    }

    @Test func `Before the sign of a row its content has a smaller margin`() throws {
        let drawn = try Self.table("Value1", accessory: "accessoryType=\"disclosureIndicator\"")
        #expect(try Self.content(drawn).node.look?.geometry.margins?.trailing == 8)
    }

    @Test func `A cell with another view of its author's stays as it was drawn`() throws {
        let drawn = try Self.table("Subtitle", more: DrawnInterface.element("switch", "own"))
        #expect(try Self.content(drawn).node.look?.stack == nil)
        #expect(try drawn.look("title").geometry.springs != nil)
    }
}
