import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetRunning

/// Goal: nothing that the framework's own sample says about looks is lost. Method: its compiled interfaces of 2018, which
/// Xcode wrote, on machines that have them.
@Suite(.enabled(if: DemoBundle.isThere, "needs the original samples")) struct `The look of the original sample` {
    private static func feed() throws -> Scene {
        try #require(try DemoBundle.program().scenes["FeedViewController"])
    }

    private static func node(_ name: String, in scene: Scene) throws -> Node {
        try #require(scene.nodes.first { $0.identifier == name }, "\(name)")
    }

    @Test func `All constraints but those of guides are rules`() throws {
        let rules = try DemoBundle.program().scenes.values.flatMap(\.rules)
        // The files have 80; 24 of them hold guides, and the title of the feed is archived a second time.
        #expect(rules.count == 54)
        #expect(rules.count { $0.relation == .equal } == 51)
        #expect(rules.count { $0.relation == .greaterOrEqual } == 3)
        #expect(rules.map(\.priority).filter { $0 != 1000 }.sorted() == [250, 750])
        // Standard spaces to the edge of the screen.
        #expect(rules.filter { $0.relation == .greaterOrEqual }.map(\.constant).sorted() == [12, 20, 20])
        #expect(rules.contains { $0.second?.area == .topGuide } && rules.contains { $0.first.area == .bottomGuide })
        #expect(rules.allSatisfy { $0.multiplier == 1 })
    }

    @Test func `Each drawn node has a look, and eight of a row's kind have springs`() throws {
        let program = try DemoBundle.program()
        for scene in program.scenes.values {
            for node in scene.nodes where node.frame != nil && node.kind != .constraint {
                #expect(node.look != nil, "\(scene.name) \(node.identifier ?? "") \(node.kind)")
            }
        }
        let feed = try Self.feed()
        let row = feed.nodes.filter { $0.prototype != nil }
        #expect(row.count { $0.look?.geometry.springs == nil } == 3)
        let author = try #require(try Self.node("authorLabel", in: feed).look)
        #expect(author.geometry.springs == [.width, .bottom] && author.geometry.design == Size(width: 375, height: 75))
        #expect(author.geometry.resistance == Priorities(horizontal: 750, vertical: 751))
    }

    @Test func `The table's separators, heights and the selected background are the author's`() throws {
        let feed = try Self.feed()
        let list = try #require(try Self.node("tableView", in: feed).look?.list)
        #expect(
            list.separators == ListGeometry.Separators.none && list.rowHeight == 75 && list.sectionHeaderHeight == nil)
        let selected = feed.nodes.filter { $0.look?.geometry.role == .selectedBackground }
        #expect(selected.count == 1)
        // Extended components are clamped.
        #expect(selected.first?.look?.appearance.background == .value(RGBA(red: 0, green: 0.5898, blue: 1.0)))
        let roles = feed.nodes.compactMap { $0.look?.geometry.role }
        #expect(roles.contains(.header) && roles.contains(.footer) && roles.contains(.contentView))
    }

    @Test func `The stack's bar is dark and translucent, and pushed screens have it too`() throws {
        let program = try DemoBundle.program()
        let bar = try #require(try Self.feed().navigationBar)
        #expect(bar.isDark && bar.isTranslucent && bar.tint == .value(RGBA(red: 1.0, green: 1, blue: 1)))
        #expect(program.scenes.values.allSatisfy { $0.navigationBar?.isDark == true })
        #expect(try !Self.feed().edges.adjustsScrollInsets)
    }

    @Test func `Frames in a stale root were drawn on the device that rules agree on`() throws {
        let program = try DemoBundle.program()
        let details = try #require(
            program.scenes.values.first { $0.nodes.contains { $0.look?.appearance.cornerRadius == 10 } })
        let avatar = try #require(details.nodes.first { $0.look?.appearance.cornerRadius == 10 })
        #expect(details.nodes[details.root].frame?.width == 600)
        #expect(avatar.look?.geometry.design?.width == 375)
        #expect(avatar.look?.appearance.contentMode == .aspectFill && avatar.look?.appearance.clips == true)
    }

    @Test func `Pictures have their sizes, and those of bars are templates`() throws {
        let images = try #require(try DemoBundle.program().images)
        #expect(images["gear"]?.points == Size(width: 32, height: 32) && images["gear"]?.rendering == .template)
        #expect(images["ava_pixels"]?.points == Size(width: 400, height: 400))
        #expect(images["widgets"]?.scales == [3] && images["widgets"]?.points == Size(width: 60, height: 60))
    }
}
