import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

@testable import WidgetLayout

/// Goal: screens that people drew follow the window without a solver. Method: the plans of compiled samples.
@Suite struct `The plans of samples` {
    private static func check(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let program = try BundleReading.program(at: path).0
        var boxCount = 0
        for scene in program.scenes.values {
            let plan = LayoutPlan(of: scene)
            let findings = plan.findings.map(\.description).joined(separator: "\n")
            #expect(plan.findings.isEmpty, "\(findings)", sourceLocation: sourceLocation)
            boxCount += plan.boxes.count
            for (node, container) in plan.containers where container.form == .boxes {
                let nodes = ReadingPlan.nodes(of: container.arrangement)
                #expect(Set(nodes).count == nodes.count, "a child of node \(node) is arranged twice")
                #expect(nodes.allSatisfy { plan.boxes[$0] != nil }, "a child of node \(node) has no box")
            }
        }
        #expect(boxCount > 5, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["HarbourLog", "Herbarium", "Aviary", "Planetarium", "Postcard"])
    func `No container of our samples needs a solver`(name: String) throws {
        try Self.check("\(Corpus.repositoryRoot)/Bundles/\(name)")
    }

    @Test(.enabled(if: Samples.exist, "needs the original samples"))
    func `No container of the original demo needs a solver`() throws {
        try Self.check("\(Samples.directory)/WidgetDemo.zip")
    }
}
