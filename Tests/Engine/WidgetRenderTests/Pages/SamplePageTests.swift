import Foundation
import PageReading
import Testing
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetMarkup
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: pages of whole widgets are valid and say what text and JSON say. Method: the first screens of the samples, with
/// their looks, plans and pictures.
@Suite struct `The page of a sample` {
    private static let names = ["Aviary", "HarbourLog", "Herbarium", "Planetarium", "Postcard"]

    private static func view(_ name: String) async throws -> (Program, View) {
        let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
        let environment = Environment(now: 1_529_524_800)
        var run = ScriptRun(WidgetInstance(program, environment: environment), network: DeniedNetwork()) { _ in "" }
        try await run.play(.empty)
        return (program, run.view())
    }

    @Test(arguments: names)
    func `A sample's page is valid, and has the elements of text and JSON`(name: String) async throws {
        let (program, view) = try await Self.view(name)
        let printed = PagePrinter(program, PrintOptions()).print(view, NoAssets())
        let page = try PageReader.page(printed)
        #expect(PageRules.faults(page) == [])
        #expect(PageSequence.lines(page) == `An element of a page`.said(view))
    }

    @Test(arguments: names + ["Forge", "Orchestra"])
    func `Everything on the screens of a sample can be reached in a narrow window`(name: String) throws {
        let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
        #expect(ReachReview(program, upTo: 10).findings.map(\.description) == [])
    }

    @Test(arguments: names)
    func `Every class of a sample's page that belongs to the program is one of a few`(name: String) async throws {
        let (program, view) = try await Self.view(name)
        let planned = PlannedProgram(program)
        let page = try PageReader.page(PagePrinter(planned).page(view, NoAssets()).html)
        let classes = Set(page.all.flatMap(\.classes).filter { $0.contains("-") })
        let nodeCount = program.scenes.values.reduce(0) { $0 + $1.nodes.count }
        #expect(!classes.isEmpty && classes.count <= nodeCount * 2)
    }
}
