import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: rules place boxes as their authors know it from UIKit. Method: screens made by hand, with text of ten points a
/// letter.
@Suite struct `Rules of a layout` {
    @Test func `A pinned box fills its parent at every size`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        sketch.pin(box, to: Sketch.root, by: 20)
        for width in [320.0, 375, 1_024] {
            let placed = sketch.placed(width, 500)
            #expect(placed.frame(box) == [20, 20, width - 40, 460] && placed.findings.isEmpty)
        }
    }

    @Test func `Centres, multipliers and ratios follow the parent`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        sketch.rule(box, .centerX, .equal, Sketch.root)
        sketch.rule(box, .centerY, .equal, Sketch.root, plus: -10)
        sketch.rule(box, .width, .equal, Sketch.root, times: 0.5)
        sketch.rule(box, .height, .equal, box, .width, times: 0.25)
        #expect(sketch.placed(400, 600).frame(box) == [100, 265, 200, 50])
        #expect(sketch.placed(800, 600).frame(box) == [200, 240, 400, 100])
    }

    @Test func `A chain moves down as a text above grows`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "aaaa bbbb") { $0.appearance.lines = 0 }
        let below = sketch.add(.label, text: "c")
        for node in [label, below] { sketch.rule(node, .leading, .equal, Sketch.root, plus: 10) }
        sketch.rule(label, .trailing, .equal, Sketch.root, plus: -10)
        sketch.rule(label, .top, .equal, Sketch.root, plus: 10)
        sketch.rule(below, .top, .equal, label, .bottom, plus: 8)
        // One line is 20.5 high, two are 41.
        #expect(sketch.placed(200, 400).frame(below) == [10, 38.5, 10, 20.5])
        let narrow = sketch.placed(80, 400)
        #expect(narrow.frame(label) == [10, 10, 60, 41] && narrow.frame(below)[1] == 59)
        #expect(narrow[node: label]?.lineCount == 2)
    }

    @Test func `A text in a row shrinks before one that resists more`() {
        var sketch = Sketch()
        let name = sketch.add(.label, text: "1234567890") { $0.geometry.resistance.horizontal = 749 }
        let time = sketch.add(.label, text: "12345") { $0.geometry.hugging.horizontal = 251 }
        sketch.rule(name, .leading, .equal, Sketch.root)
        sketch.rule(time, .leading, .equal, name, .trailing, plus: 10)
        sketch.rule(time, .trailing, .equal, Sketch.root)
        for node in [name, time] { sketch.rule(node, .top, .equal, Sketch.root) }
        #expect(sketch.placed(120, 100).frame(name)[2] == 60 && sketch.placed(120, 100).frame(time)[2] == 50)
        // Where there is room, the text that hugs less grows.
        #expect(sketch.placed(300, 100).frame(name)[2] == 240 && sketch.placed(300, 100).frame(time)[2] == 50)
    }

    @Test func `An inequality holds a text back only where it is too long`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "1234567890")
        sketch.rule(label, .leading, .equal, Sketch.root, plus: 10)
        sketch.rule(label, .trailing, .lessOrEqual, Sketch.root, plus: -10)
        sketch.rule(label, .top, .equal, Sketch.root)
        #expect(sketch.placed(300, 100).frame(label) == [10, 0, 100, 20.5])
        let narrow = sketch.placed(100, 100)
        #expect(narrow.frame(label) == [10, 0, 80, 20.5] && narrow[node: label]?.isTextCut == true)
    }

    @Test func `Two rules of 500 do not move what one of 999 holds`() {
        var sketch = Sketch()
        let box = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 10, height: 10))
        sketch.rule(box, .width, plus: 10, at: 999)
        sketch.rule(box, .width, plus: 300, at: 500)
        sketch.rule(box, .width, plus: 300, at: 500)
        for _ in 0..<50 { sketch.rule(box, .height, plus: 200, at: 750) }
        sketch.rule(box, .height, plus: 20, at: 751)
        #expect(Array(sketch.placed().frame(box).dropFirst(2)) == [10, 20])
    }

    @Test func `Contradicting rules are named, and the later one is left out`() throws {
        var sketch = Sketch()
        let box = sketch.add(.box)
        sketch.pin(box, to: Sketch.root)
        sketch.rule(box, .width, plus: 50)
        let placed = sketch.placed()
        #expect(placed.frame(box) == [0, 0, 375, 667])
        let finding = try #require(placed.findings.first)
        #expect(finding.code == .layoutConflict && placed.findings.count == 1)
        #expect(finding.message == "The rule n1.width = 50 contradicts n1.trailing = n0.trailing")
    }

    @Test func `Rules that leave a place open keep the drawn one, and are named`() {
        var sketch = Sketch()
        let box = sketch.add(.box, frame: Frame(x: 5, y: 6, width: 70, height: 80))
        sketch.rule(box, .leading, .equal, Sketch.root, plus: 30)
        sketch.rule(box, .top, .equal, Sketch.root)
        sketch.rule(box, .height, plus: 10)
        let placed = sketch.placed()
        #expect(placed.frame(box) == [30, 0, 70, 10])
        #expect(placed.codes == [.layoutAmbiguous] && placed.findings[0].message.contains("across n1"))
    }

    @Test func `A box that only rules of others name keeps its drawn origin`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "abc", frame: Frame(x: 5, y: 6, width: 70, height: 80))
        let other = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 1, height: 1))
        sketch.rule(other, .left, .equal, label, .right)
        sketch.rule(other, .width, plus: 20)
        let placed = sketch.placed()
        #expect(placed.frame(label) == [5, 6, 30, 20.5] && placed.frame(other) == [35, 0, 20, 1])
        #expect(placed.codes == [.layoutAmbiguous])
    }

    @Test func `Hidden boxes keep their place for the rules of others`() {
        var sketch = Sketch()
        let hidden = sketch.add(.box)
        let box = sketch.add(.box)
        for node in [hidden, box] {
            sketch.rule(node, .leading, .equal, Sketch.root)
            sketch.rule(node, .width, plus: 30)
            sketch.rule(node, .height, plus: 40)
        }
        sketch.rule(hidden, .top, .equal, Sketch.root, plus: 10)
        sketch.rule(box, .top, .equal, hidden, .bottom, plus: 5)
        sketch.hidden = [hidden]
        let placed = sketch.placed()
        #expect(placed[node: hidden] == nil && placed.frame(box) == [0, 55, 30, 40])
    }

    @Test func `Leading is right where text runs from right to left`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        let fixed = sketch.add(.box)
        for node in [box, fixed] {
            sketch.rule(node, .width, plus: 50)
            sketch.rule(node, .height, plus: 50)
            sketch.rule(node, .top, .equal, Sketch.root)
        }
        sketch.rule(box, .leading, .equal, Sketch.root, plus: 10)
        sketch.rule(fixed, .left, .equal, Sketch.root, plus: 20)
        let placed = sketch.placed(300, 100, direction: .rightToLeft)
        #expect(placed.frame(box)[0] == 240 && placed.frame(fixed)[0] == 20)
    }

    @Test func `A limit at the trailing edge is one on the left where text runs from right to left`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "a")
        sketch.rule(label, .top, .equal, Sketch.root)
        sketch.rule(label, .leading, .equal, Sketch.root, plus: 20)
        sketch.rule(Sketch.root, .trailing, .greaterOrEqual, label, plus: 16)
        let (natural, mirrored) = (sketch.placed(300, 100), sketch.placed(300, 100, direction: .rightToLeft))
        let width = natural.frame(label)[2]
        #expect(width < 50 && natural.frame(label)[0] == 20)
        #expect(mirrored.frame(label)[0] == 280 - width && mirrored.frame(label)[2] == width)
    }

    @Test func `Size classes switch rules`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        sketch.rule(box, .leading, .equal, Sketch.root)
        sketch.rule(box, .top, .equal, Sketch.root)
        sketch.rule(box, .height, plus: 1)
        sketch.rule(
            box, .width, plus: 100, variations: [RuleVariation(SizeClasses(width: .regular), constant: nil)])
        sketch.rule(
            box, .width, plus: 300,
            variations: [
                RuleVariation(SizeClasses(), constant: nil), RuleVariation(SizeClasses(width: .regular), constant: 500),
            ])
        #expect(sketch.placed(743, 600).frame(box)[2] == 100 && sketch.placed(744, 600).frame(box)[2] == 500)
    }

    @Test func `Baselines of different fonts meet`() throws {
        var sketch = Sketch()
        let large = sketch.add(.label, text: "a") { $0.appearance.font = FontRequest(size: 40) }
        let small = sketch.add(.label, text: "b") { $0.appearance.font = FontRequest(size: 10) }
        sketch.rule(large, .top, .equal, Sketch.root)
        sketch.rule(small, .firstBaseline, .equal, large)
        sketch.rule(large, .leading, .equal, Sketch.root)
        sketch.rule(small, .leading, .equal, large, .trailing)
        let placed = sketch.placed()
        let (one, two) = (try #require(placed[node: large]?.baseline), try #require(placed[node: small]?.baseline))
        #expect(abs(one - two) < 0.01 && one > 30)
    }

    @Test func `Margins, safe area and readable width are areas of their box`() {
        var sketch = Sketch()
        let areas: [LayoutRule.Area] = [.margins, .safeArea, .readable, .bounds]
        let boxes = areas.map { area in
            let box = sketch.add(.box)
            for attribute in [LayoutRule.Attribute.leading, .trailing, .top, .bottom] {
                sketch.rule(box, attribute, .equal, Sketch.root, area: area)
            }
            return box
        }
        sketch.navigationBar = BarGeometry()
        let placed = sketch.placed(375, 667, top: 20)
        #expect(placed.frame(boxes[0]) == [16, 64, 343, 603] && placed.frame(boxes[1]) == [0, 64, 375, 603])
        #expect(placed.frame(boxes[3]) == [0, 0, 375, 667])
        #expect(sketch.placed(1_024, 768, top: 20).frame(boxes[2]) == [176, 64, 672, 704])
    }

    @Test func `A view that preserves the margins of its parent keeps what reaches into it`() {
        for (distance, expected) in [(0.0, 40.0), (10, 30), (36, 8)] {
            var sketch = Sketch()
            let outer = sketch.add(.box) {
                $0.geometry.margins = Insets(top: 30, leading: 40, bottom: 30, trailing: 40)
            }
            sketch.pin(outer, to: Sketch.root)
            let inner = sketch.add(.box, in: outer) { $0.geometry.preservesParentMargins = true }
            sketch.pin(inner, to: outer, by: distance)
            let box = sketch.add(.box, in: inner)
            for edge in [LayoutRule.Attribute.leading, .top, .trailing, .bottom] {
                sketch.rule(box, edge, .equal, inner, area: .margins)
            }
            let top = max(30 - distance, 8)
            #expect(
                sketch.placed().frame(box) == [
                    distance + expected, distance + top, 375 - 2 * (distance + expected), 667 - 2 * (distance + top),
                ])
            sketch.nodes[inner].look = Look(geometry: Geometry())
            #expect(sketch.placed().frame(box)[0] == distance + 8)
        }
    }

    @Test func `A screen begins below an opaque bar, and its guides below a translucent one`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        let middle = sketch.add(.box)
        for node in [box, middle] {
            sketch.rule(node, .leading, .equal, Sketch.root)
            sketch.rule(node, .width, plus: 10)
            sketch.rule(node, .height, plus: 10)
        }
        sketch.rule(box, .top, .equal, Sketch.root, .bottom, plus: 8, area: .topGuide)
        sketch.rule(middle, .centerY, .equal, Sketch.root)
        sketch.navigationBar = BarGeometry()
        let translucent = sketch.placed(375, 667, top: 20)
        #expect(translucent.frame(Sketch.root) == [0, 0, 375, 667] && translucent.frame(box)[1] == 72)
        #expect(translucent.frame(middle)[1] == 328.5)
        sketch.navigationBar?.isTranslucent = false
        let opaque = sketch.placed(375, 667, top: 20)
        #expect(opaque.frame(Sketch.root) == [0, 64, 375, 603] && opaque.frame(box)[1] == 72)
        #expect(opaque.frame(middle)[1] == 360.5)
    }

    @Test func `Content of a scroll view is as long as its rules make it`() throws {
        var sketch = Sketch()
        let scroll = sketch.add(.box) { $0.scrolling = Scrolling() }
        sketch.pin(scroll, to: Sketch.root)
        let content = sketch.add(.box, in: scroll)
        sketch.pin(content, to: scroll)
        sketch.rule(content, .width, .equal, scroll)
        sketch.rule(content, .height, plus: 1_500)
        let placed = sketch.placed()
        #expect(placed.frame(content) == [0, 0, 375, 1_500] && placed.findings.isEmpty)
        let place = try #require(placed.places[ViewKey(screen: 1, node: scroll)])
        #expect(placed.contents[place] == Size(width: 375, height: 1_500))
        #expect(placed[node: content]?.isClipped == true)
    }

    @Test func `A box is never less than nothing`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        sketch.pin(box, to: Sketch.root, by: 100)
        sketch.rule(box, .width, plus: 30, at: 999)
        #expect(sketch.placed(150, 400).frame(box)[2] == 0)
    }
}
