import Ensemble
import JSONText
import Testing
import WidgetBuild
import WidgetContract
import WidgetCore
import WidgetDocuments
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetLayout
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

@testable import Widgets

/// A sample of documents and the same in Swift, driven together and compared after each step.
struct TwinRun {
    /// The twentieth of June 2018, eight in the evening.
    static let evening = 551_217_600.0

    private(set) var document: ScriptRun
    private(set) var swift: ScriptRun
    private(set) var comparisonCount = 0

    init(
        _ name: String, _ app: any WidgetApp, display: Display = Display(),
        changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws {
        let program = try SampleDocuments.program(name, changing: changing)
        var environment = Environment(now: TwinRun.evening)
        environment.display = display
        document = TwinRun.run(WidgetInstance(program, environment: environment))
        let declared = DeclaredProgram(app.identifier, first: app.first)
        // Faults of the service's description are not the documents'.
        let services = program.diagnostics.filter { $0.place?.file.hasSuffix(".widgets.json") == false }
        var input = NativeProgram(
            declared.declaration, services: program.services.keys.sorted().compactMap { program.services[$0] },
            code: declared
        ).input
        input.diagnostics += services
        let native = NativeProgram(input, images: program.images, code: declared)
        swift = TwinRun.run(WidgetInstance(try native.program(), environment: environment, native: native))
    }

    private static func run(_ instance: WidgetInstance) -> ScriptRun {
        ScriptRun(instance, network: DeniedNetwork()) { ViewText(width: 72).text($0) }
    }

    /// Starts both, and plays the steps of a script one by one.
    mutating func play(_ script: [UInt8]) async throws {
        try await document.play(.empty)
        try await swift.play(.empty)
        try compare("the start")
        let steps = try #require(JSONDocument(parsing: script).root.array)
        for step in steps {
            let text = String(decoding: script[step.span.range], as: UTF8.self)
            let one = try EventScript(Array("[\(text)]".utf8))
            try await document.continue(with: one)
            try await swift.continue(with: one)
            try compare(text)
        }
    }

    mutating func follow(_ address: String) async throws {
        let one = EventScript(steps: [.link(address)])
        try await document.continue(with: one)
        try await swift.continue(with: one)
        try compare(address)
    }

    /// Compares what every printer makes of both, what they ask of their hosts, and what is wrong with them.
    private mutating func compare(_ step: String) throws {
        comparisonCount += 1
        var (one, other) = (document.view(), swift.view())
        let faults = NecessaryDifferences.faults(other.diagnostics)
        #expect(faults == NecessaryDifferences.faults(one.diagnostics), "\(step)")
        (one.diagnostics, other.diagnostics) = ([], [])
        for (name, printed) in TwinRun.printers {
            let expected = try printed(one, document.instance.program)
            let found = try printed(other, swift.instance.program)
            if found != expected { Issue.record("\(name) after \(step): \(TwinRun.difference(found, expected))") }
        }
        let (asked, wanted) = (swift.takeHostRequests(), document.takeHostRequests())
        #expect("\(asked)" == "\(wanted)", "\(step)")
        #expect(swift.instance.store.screens.count == document.instance.store.screens.count, "\(step)")
        #expect(other.isVisible == one.isVisible && other.insets == one.insets, "\(step)")
    }

    private typealias Print = @Sendable (View, Program) throws -> String

    private static let printers: [(name: String, print: Print)] = [
        ("text", { view, _ in ViewText(width: 72).text(view) }),
        (
            "JSON",
            { view, program in String(decoding: printed(ViewJSON(program, PrintOptions()), view), as: UTF8.self) }
        ),
        (
            "frames",
            { view, program in try NecessaryDifferences.frames(ViewFrames(program, PrintOptions()).document(view)) }
        ),
        (
            "page",
            { view, program in
                let page = printed(PagePrinter(PlannedProgram(program)), view)
                return NecessaryDifferences.page(String(decoding: page, as: UTF8.self))
            }
        ),
    ]

    private static func printed(_ printer: some ViewPrinter, _ view: View) -> [UInt8] {
        printer.print(view, NoAssets())
    }

    /// The surroundings of the first character that differs.
    private static func difference(_ one: String, _ other: String) -> String {
        let common = zip(one, other).prefix { $0 == $1 }.count
        func part(_ text: String) -> String { String(text.dropFirst(max(0, common - 60)).prefix(160)) }
        return "Swift has …\(part(one))… where the document has …\(part(other))…"
    }
}

/// The samples of documents, compiled from their sources.
enum SampleDocuments {
    static func program(_ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> Program {
        var sources = try SourceFolder.read(try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/\(name)"))
        changing(&sources)
        let compiled = try BundleCompiler(sources, folder: name)
        let files = BundleFiles(Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first })
        return try FrontEnds.program(files, ProgramOptions(identifier: "com.example.\(name)"))
    }

    static func script(_ name: String) -> [UInt8] {
        Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/samples")["\(name).json"] ?? []
    }
}
