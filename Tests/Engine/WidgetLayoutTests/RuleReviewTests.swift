import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetLayout

/// Goal: an author learns which rules of a screen contradict each other, or leave a place open, before the widget runs.
/// Method: small screens, laid out as they were drawn.
@Suite struct `A review of rules` {
    private static func findings(_ sketch: Sketch, upTo most: Int = 100, termCount: Int = RuleReview.termCount)
        -> [Finding]
    {
        RuleReview(sketch.program, upTo: most, termCount: termCount).findings
    }

    /// A label of a certain width at a place that rules give.
    private static func placed(_ sketch: inout Sketch, in parent: NodeID? = nil) -> NodeID {
        let label = sketch.add(.label, in: parent, frame: Frame(x: 10, y: 10, width: 100, height: 20))
        sketch.rule(label, .leading, .equal, parent ?? Sketch.root, plus: 10)
        sketch.rule(label, .top, .equal, parent ?? Sketch.root, plus: 10)
        return label
    }

    @Test func `Two rules that contradict are both named`() {
        var sketch = Sketch()
        let label = Self.placed(&sketch)
        sketch.rule(label, .width, plus: 120)
        sketch.rule(label, .width, plus: 150)
        let findings = Self.findings(sketch)
        #expect(findings.map(\.code) == [.layoutConflict])
        #expect(findings.first?.message == "The rule n1.width = 150 contradicts n1.width = 120")
    }

    @Test func `A mask that a rule contradicts is named`() {
        var sketch = Sketch()
        let label = sketch.add(.label, frame: Frame(x: 10, y: 10, width: 100, height: 20), springs: [])
        sketch.rule(label, .top, .equal, Sketch.root, plus: -40)
        let findings = Self.findings(sketch)
        #expect(findings.map(\.code) == [.layoutConflict])
        #expect(findings.first?.message.hasSuffix("contradicts the autoresizing mask of n1") == true)
    }

    @Test func `A place that rules leave open is named, and one that no rule speaks of is not`() {
        var sketch = Sketch()
        let box = sketch.add(.box, frame: Frame(x: 10, y: 10, width: 100, height: 20))
        sketch.rule(box, .leading, .equal, Sketch.root, plus: 10)
        sketch.rule(box, .height, plus: 20)
        sketch.rule(box, .top, .equal, Sketch.root, plus: 10)
        let findings = Self.findings(sketch)
        #expect(findings.map(\.code) == [.layoutAmbiguous])
        #expect(findings.first?.message == "The rules leave open where across n1 lies")
        sketch.rules.removeFirst()
        #expect(Self.findings(sketch) == [])
    }

    @Test func `Texts and pictures of a running widget are as large as they were drawn`() {
        var sketch = Sketch()
        let image = sketch.add(.image, frame: Frame(x: 10, y: 10, width: 30, height: 40))
        sketch.rule(image, .leading, .equal, Sketch.root, plus: 10)
        sketch.rule(image, .top, .equal, Sketch.root, plus: 10)
        let label = Self.placed(&sketch)
        sketch.nodes[label][.text] = .literal(.string("Drawn"))
        #expect(Self.findings(sketch) == [])
        let screen = ScreenLayout(sketch.program, Viewport(), measure: EqualWidths()).drawn(sketch.program.scenes["s"]!)
        #expect(screen.frame(image) == [10, 10, 30, 40])
        #expect(screen.frame(label).dropFirst(2).first == 50)
    }

    @Test func `A stack whose children have no room is named as such`() {
        var sketch = Sketch()
        let stack = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.pin(stack, to: Sketch.root)
        for _ in 0..<2 { sketch.rule(sketch.add(.box, in: stack), .width, plus: 300) }
        let findings = Self.findings(sketch)
        #expect(findings.map(\.message) == ["The arrangement of n1 contradicts n3.width = 300"])
    }

    @Test func `A row of each prototype is looked at, though the list shows none`() {
        var sketch = Sketch()
        let list = sketch.add(
            .list, frame: Frame(x: 0, y: 0, width: 375, height: 667), springs: [.width, .height]
        ) { $0.list = ListGeometry() }
        var template = ListTemplate(source: "notes")
        for name in ["A", "B"] {
            let row = sketch.add(.row, in: list, frame: Frame(x: 0, y: 0, width: 375, height: 60))
            template.prototypes[name] = row
            let label = Self.placed(&sketch, in: row)
            sketch.rule(label, .height, plus: 10)
            sketch.rule(label, .height, plus: 30)
            sketch.nodes[list].children.removeAll { $0 == row }
        }
        sketch.nodes[list].list = template
        #expect(Self.findings(sketch).map(\.code) == [.layoutConflict, .layoutConflict])
    }

    @Test func `Rules of each size class are looked at, and what they have in common is said once`() {
        var sketch = Sketch()
        let label = Self.placed(&sketch)
        sketch.rule(label, .width, plus: 120)
        sketch.rule(label, .height, plus: 20)
        let wide = RuleVariation(SizeClasses(width: .regular, height: .compact), constant: 150)
        let other = RuleVariation(SizeClasses(), constant: nil)
        sketch.rule(label, .width, plus: 150, variations: [other, wide])
        sketch.rule(label, .height, plus: 30)
        let messages = Self.findings(sketch).map(\.message)
        #expect(messages.count == 2)
        #expect(messages.contains { $0.contains("n1.height = 30") })
        #expect(messages.contains { $0.contains("n1.width = 150") })
    }

    @Test func `A program has a limit of work, and a finding says where the review ended`() {
        var sketch = Sketch()
        for _ in 0..<40 { _ = Self.placed(&sketch) }
        let findings = Self.findings(sketch, termCount: 20)
        #expect(findings.map(\.code).contains(.layoutBudget))
        let variation = RuleVariation(SizeClasses(width: .regular), constant: 1)
        sketch.rule(1, .width, plus: 1, variations: [variation])
        #expect(Self.findings(sketch, termCount: 20).last?.message.contains("more than 20 steps") == true)
    }

    @Test func `Findings end at the number that was asked for`() {
        var sketch = Sketch()
        for _ in 0..<10 {
            let label = Self.placed(&sketch)
            sketch.rule(label, .width, plus: 120)
            sketch.rule(label, .width, plus: 150)
        }
        #expect(Self.findings(sketch).count == 10)
        #expect(Self.findings(sketch, upTo: 3).count == 3)
    }

    @Test func `Nodes that contain each other are drawn once each`() {
        var sketch = Sketch()
        let box = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 100, height: 100))
        sketch.nodes[box].children = [Sketch.root, box]
        sketch.pin(box, to: Sketch.root)
        let screen = ScreenLayout(sketch.program, Viewport()).drawn(sketch.program.scenes["s"]!)
        #expect(screen.boxes.map(\.key.node).filter { $0 >= 0 } == [Sketch.root, box])
    }
}
