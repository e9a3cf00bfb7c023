import TestSupport
import Testing
import WidgetBundles

/// Goal: a bundle that shows nothing, or that was not built, is not published in silence. Method: uploads with sources in
/// their places and out of them.
@Suite struct `A bundle as a whole` {
    private static let text: [UInt8] = Array("<document/>".utf8)

    private func codes(_ files: [(String, [UInt8])]) throws -> [String] {
        try Intake.take(Intake.archive(files)).report.findings.map(\.code)
    }

    @Test func `without a first screen is a finding that strict refuses`() throws {
        let bytes = Intake.archive([("a.json", Media.json)])
        let findings = try Intake.take(bytes).report.findings
        #expect(findings.map(\.code) == ["no-interface"] && findings[0].severity == .warning)
        #expect(findings[0].path == "Main.storyboardc" && findings[0].line == 0)
        #expect(try Intake.refusal(bytes, strict: true)?.details.first?.code == "no-interface")
    }

    @Test func `with a first screen has none`() throws {
        #expect(try codes(FirstScreenFiles.all).isEmpty)
        #expect(try codes(FirstScreenFiles.all(in: "Base.lproj/")).isEmpty)
        #expect(try codes(FirstScreenFiles.all(in: "en.lproj/")).isEmpty)
        #expect(try Intake.refusal(Intake.archive(FirstScreenFiles.all), strict: true) == nil)
    }

    @Test(arguments: [
        ("Main.storyboard", "Main.storyboard"), ("Cells/Row.xib", "Cells/Row.xib"),
        ("MAIN.STORYBOARD", "MAIN.STORYBOARD"),
        ("Model.xcdatamodeld/Model.xcdatamodel/contents", "Model.xcdatamodeld"),
        ("Art.xcassets/Lamp.imageset/Contents.json", "Art.xcassets"),
    ])
    func `with a source in it is a finding at the source`(_ path: String, _ source: String) throws {
        let file = path.hasSuffix(".json") ? Media.json : Self.text
        let bytes = Intake.archive(FirstScreenFiles.all + [(path, file)])
        let report = try Intake.take(bytes).report
        #expect(report.findings.map(\.code) == ["sources"] && report.findings[0].path == source)
        #expect(try Intake.refusal(bytes, strict: true)?.details.first?.code == "sources")
    }

    @Test func `names each source once, and twenty at most`() throws {
        let assets = (0..<9).map { ("Art.xcassets/\($0).json", Media.json) }
        #expect(try codes(FirstScreenFiles.all + assets) == ["sources"])
        let screens = (0..<30).map { ("\($0).xib", Self.text) }
        #expect(try codes(FirstScreenFiles.all + screens).count == 20)
    }

    @Test func `is not blamed for what a desktop left behind`() throws {
        #expect(try codes(FirstScreenFiles.all + [("__MACOSX/._Main.storyboard", Self.text)]).isEmpty)
    }

    @Test func `shows what is amiss with it before what is amiss with a file`() throws {
        let scheme = Array(#"{"A": {"objects": {"x": {"type": "Unheard"}}}}"#.utf8)
        let codes = try codes([("A.json", scheme), ("Main.storyboard", Self.text)])
        #expect(codes == ["no-interface", "sources", "unknown-class"])
    }
}
