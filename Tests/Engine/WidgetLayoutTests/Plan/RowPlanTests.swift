import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetLayout

/// Goal: texts of a row that is too short keep their words before their lines. Method: the plan of a row of three texts.
@Suite struct `Texts of a row` {
    /// Texts of several lines in a row; the one that hugs least fills it.
    private static func words(filling: Int?, lines: [Int] = [0, 0, 0]) -> [FlowItem?] {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        geometry.distribution = filling == nil ? .equalSpacing : .fill
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        scene.pin(stack)
        let texts = lines.enumerated().map { place, count in
            scene.add(.label, in: stack, hugging: place == filling ? 250 : 251) { _, look in look.lines = count }
        }
        return texts.map { scene.plan.item($0) }
    }

    @Test func `Of several texts with words in a row each begins with its words and grows to its line`() {
        #expect(Self.words(filling: nil).map { $0?.lineRank } == [3, 4, 5])
        #expect(Self.words(filling: 0).map { $0?.lineRank } == [3, 4, 5])
        #expect(Self.words(filling: 0).map { $0?.shrinkRank } == [3, 2, 1])
        // What fills the row begins with its line unless all others are stronger, and so do those.
        #expect(Self.words(filling: 1).map { $0?.lineRank } == [5, 0, 0])
        #expect(Self.words(filling: 1).map { $0?.shrinkRank } == [1, 3, 2])
        // A single one keeps its words beside lines that begin as they are.
        #expect(Self.words(filling: 0, lines: [0, 1, 1]).map { $0?.lineRank } == [0, 0, 0])
    }

    @Test func `In a row of rules the room of words follows from its gaps and from what has a width`() {
        var scene = SketchedScene()
        let texts = [0, 0, 1].enumerated().map { place, lines in
            scene.add(.label, hugging: place == 0 ? 249 : 251) { _, look in look.lines = lines }
        }
        let picture = scene.add(.image)
        let toggle = scene.add(.toggle)
        scene.size(picture, 40, 40)
        let row = texts + [toggle, picture]
        scene.rule(row[0], .leading, .equal, SketchedScene.root, .leading, 10)
        for (one, other) in zip(row, row.dropFirst()) { scene.rule(other, .leading, .equal, one, .trailing, 8) }
        scene.rule(SketchedScene.root, .trailing, .equal, row[4], .trailing, 10)
        for node in row { scene.rule(node, .top, .equal, SketchedScene.root, .top) }
        let wanted = RowNeeds(wordCount: 2, lines: 17, points: 2 * 10 + 4 * 8 + 40 + 51)
        #expect(texts.allSatisfy { scene.plan.item($0)?.needs == wanted }, "\(String(describing: scene.plan.item(1)))")
    }
}
