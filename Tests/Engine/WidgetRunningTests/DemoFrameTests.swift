import Testing
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: compiled screens are laid out as iOS lays them out. Method: the frames that Xcode archived in the demo, the
/// only measurements of UIKit that there are.
@Suite(.enabled(if: DemoBundle.isThere, "needs the original samples")) struct `Frames of the demo bundle` {
    private static func placed(_ widget: DrivenWidget, _ width: Double = 375, _ height: Double = 667) throws
        -> PlacedScreen
    {
        let viewport = Viewport(size: Size(width: width, height: height))
        return ScreenLayout(try DemoBundle.program(), viewport).placed(widget.view())
    }

    private static func frames(_ placed: PlacedScreen, _ identifier: String) -> [Frame] {
        placed.boxes.filter { $0.view.identifier == identifier }.map(\.frame)
    }

    private static func row(_ placed: PlacedScreen, of identifier: String) throws -> Frame {
        var place = try #require(placed.boxes.firstIndex { $0.view.identifier == identifier })
        while placed.boxes[place].view.kind != .row { place = try #require(placed.boxes[place].parent) }
        return placed.boxes[place].frame
    }

    @Test(arguments: [320.0, 375, 414, 768])
    func `The feed's rows have the places that Xcode archived`(width: Double) throws {
        let placed = try Self.placed(DrivenWidget.demo().started(), width)
        let row = try Self.row(placed, of: "avatarView")
        let avatar = try #require(Self.frames(placed, "avatarView").first)
        let author = try #require(Self.frames(placed, "authorLabel").first)
        let time = try #require(Self.frames(placed, "timeLabel").first)
        #expect(row.x == 0 && row.width == width)
        #expect([avatar.x, avatar.y - row.y, avatar.width, avatar.height] == [12, 12, 50, 50])
        #expect(author.x == 72)
        #expect(abs(time.x + time.width - (width - 11)) < 0.01)
    }

    @Test func `Rows of the feed lie below each other and are as high as their text`() throws {
        let placed = try Self.placed(DrivenWidget.demo().started())
        let rows = placed.boxes.filter { $0.view.kind == .row }.map(\.frame)
        #expect(rows.count == 6)
        for (first, second) in zip(rows, rows.dropFirst()) { #expect(abs(first.y + first.height - second.y) < 0.01) }
        for (place, box) in placed.boxes.enumerated() where box.view.kind == .label {
            #expect(!box.isTextCut || box.look?.appearance.lines != 0, "\(place): \(box.view.text(.text)) has no room")
        }
    }

    @Test(arguments: [(320.0, 568.0), (375, 667), (667, 375), (768, 1_024), (1_366, 1_024)])
    func `The demo's rules agree with each other at every size`(width: Double, height: Double) throws {
        let placed = try Self.placed(DrivenWidget.demo().started(), width, height)
        #expect(placed.findings.isEmpty, "\(placed.findings)")
        for box in placed.boxes { #expect(box.frame.x >= -0.01 && box.frame.x + box.frame.width <= width + 0.01) }
    }
}
