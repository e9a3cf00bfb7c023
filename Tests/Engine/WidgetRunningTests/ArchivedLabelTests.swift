import Testing
import WidgetBuild
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetIntake
import WidgetLayout
import WidgetRunning
import WidgetTestSupport

/// Goal: texts are as wide as iOS draws them, to two per cent in the median (L17 of the layout rules). Method: labels of
/// outside samples and of our own, whose width Xcode took from their text.
@Suite(.enabled(if: DemoBundle.isThere, "needs the original samples")) struct `Labels that Xcode sized` {
    struct Label {
        var text: String
        var font: ResolvedFont
        var archived: Frame

        var measured: Double { TextMetrics().width(of: text[...], in: font) }
        /// Xcode rounds up to half a point, so half of that is expected.
        var error: Double { (measured + 0.25 - archived.width) / archived.width }
    }

    /// Labels of a program that no rule makes wide.
    private static func labels(_ program: Program) -> [Label] {
        var labels: [Label] = []
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) {
            var pins: [NodeID: Set<LayoutRule.Attribute>] = [:]
            for rule in scene.rules where rule.relation == .equal {
                for (item, attribute) in [(rule.first, rule.attribute), (rule.second, rule.secondAttribute)] {
                    if let item, let attribute { pins[item.node, default: []].insert(attribute) }
                }
            }
            for (id, node) in scene.nodes.enumerated() where node.kind == .label {
                guard let look = node.look, look.geometry.springs == nil, let frame = node.frame, frame.width > 0,
                    look.appearance.lines ?? 1 == 1, let text = node[.text]?.literal?.shown, text.count > 2,
                    !text.contains("\n"), let request = look.appearance.font, request.family == nil
                else { continue }
                let own = pins[id] ?? []
                let isHeld = own.contains(.width) || own.isSuperset(of: [.leading, .trailing])
                if isHeld || own.isDisjoint(with: [.leading, .trailing, .centerX, .left, .right]) { continue }
                labels.append(Label(text: text, font: ResolvedFont(request, at: .large), archived: frame))
            }
        }
        return labels
    }

    private static func found() throws -> [Label] {
        var found = labels(try DemoBundle.program())
        if Samples.originalsExist {
            for name in Samples.originals where name != "WidgetDemo" {
                let scratch = try ScratchDirectory(in: Directory.temporary)
                let taken = try BundleSource(
                    compiling: Samples.unpack(name, into: scratch.path), values: BuildValues.none
                ).take()
                found += labels(try BundleReading.program(of: taken.opened))
            }
        }
        // Labels far wider than their text were stretched by a neighbour.
        return found.filter { $0.archived.width < $0.measured * 1.25 }
    }

    @Test func `The median width differs by two per cent at most`() throws {
        let labels = try Self.found()
        let errors = labels.map { abs($0.error) }.sorted()
        let misses = labels.filter { abs($0.error) > 0.02 }.map {
            "\($0.text) \($0.font.size)/\($0.font.weight): \($0.measured) for \($0.archived.width)"
        }
        #expect(errors.count >= 3, "\(labels.count) labels")
        #expect(errors.isEmpty || errors[errors.count / 2] <= 0.02, "\(misses)")
    }

    @Test func `A line is as high as Xcode made it`() throws {
        for label in try Self.found() {
            let height = (label.font.height(ofLines: 1) * 2).rounded(.up) / 2
            #expect(abs(height - label.archived.height) <= 0.5, "\(label)")
        }
    }
}
