import Testing
import WidgetBuild
import WidgetBundles
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetIntake
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the framework's own samples can be built from their sources as their authors left them, and what is built is
/// the widget that was shipped. Method: each source is built and taken in; WidgetDemo is played sixteen scripts, in its
/// compiled and in its rebuilt form, and prints the same.
@Suite(.enabled(if: Samples.originalsExist, "needs the original samples"))
struct `The framework's samples, built from source` {
    private static func taken(_ name: String, _ values: BuildValues = .none) throws -> TakenBundle {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        return try BundleSource(compiling: Samples.unpack(name, into: scratch.path), values: values).take()
    }

    @Test(arguments: Samples.originals)
    func `Each sample's source builds unchanged, and the result is accepted`(_ name: String) throws {
        let taken = try Self.taken(name)
        #expect(taken.bundle.manifest.identifier == "com.example.\(name)-source")
        #expect(taken.bundle.files.contains { $0.path.hasSuffix("Main.storyboardc/Info.plist") })
        #expect(!taken.report.findings.contains { $0.severity == .error }, "\(taken.report.findings)")
    }

    private static func screen(_ widget: DrivenWidget) -> String {
        let view = widget.view()
        return widget.text() + String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self)
    }

    private static func widget(_ taken: borrowing TakenBundle) throws -> DrivenWidget {
        let program = try BundleReading.program(of: taken.opened)
        return DrivenWidget(WidgetInstance(program, environment: Environment(now: DemoBundle.evening)))
    }

    private static let searches = ["json", "JSON", "jsön", "background", "data", "scroll", "coredata", "uikit", "zzz"]

    /// The screens of sixteen scripts.
    private static func screens(of taken: borrowing TakenBundle) throws -> [String: String] {
        var screens: [String: String] = [:]
        screens["start"] = screen(try widget(taken).started())
        let reader = try widget(taken).started()
        try reader.select("tableView", row: 1)
        screens["details"] = screen(reader)
        reader.send(.back)
        screens["back"] = screen(reader)
        for text in searches {
            let searcher = try widget(taken).started()
            try searcher.type(text, into: "searchBar")
            searcher.advance(by: 0.5)
            screens["search \(text)"] = screen(searcher)
        }
        let author = try widget(taken).started()
        try author.tap("Add")
        screens["new"] = screen(author)
        let complaint = try author.refusal(of: "Post") { .tap($0) }
        screens["empty post"] = screen(author) + (complaint ?? "sent")
        try author.tap("Cancel")
        screens["cancel"] = screen(author)
        try author.tap("Add")
        try author.type("Hello", into: "textView")
        try author.tap("Post")
        author.advance(by: 0.25)
        screens["post"] = screen(author)
        return screens
    }

    @Test func `Sixteen scripts print the same for the demo as it was shipped and as it is rebuilt`() throws {
        let shipped = try BundleSource(opening: try #require(DemoBundle.found)).take()
        let values = BuildValues(
            name: shipped.bundle.name, identifier: shipped.bundle.manifest.identifier, version: nil, buildNumber: nil,
            project: nil)
        let rebuilt = try Self.taken("WidgetDemo", values)
        let (expected, found) = (try Self.screens(of: shipped), try Self.screens(of: rebuilt))
        #expect(expected.count == 16 && Set(expected.values).count > 10)
        for (name, screen) in expected.sorted(by: { $0.key < $1.key }) { #expect(found[name] == screen, "\(name)") }
    }
}
