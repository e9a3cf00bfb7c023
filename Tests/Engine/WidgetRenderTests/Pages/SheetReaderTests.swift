import PageReading
import Testing
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the reader of sheets that the fuzzer trusts accepts ours and refuses what an author could smuggle in. Method: the
/// sheets of samples, and one text for each thing that no sheet of ours has.
@Suite struct `The strict reader of sheets` {
    private static func fault(_ text: String) -> String? {
        do {
            try SheetReader.check(Array(text.utf8))
            return nil
        } catch { return error.description }
    }

    @Test func `The base sheet has nothing that it refuses`() {
        #expect(Self.fault(BaseSheet.text) == nil && Self.fault(BaseParts.text) == nil)
    }

    @Test(arguments: ["Aviary", "HarbourLog", "Herbarium", "Planetarium", "Postcard"])
    func `Nothing of a sample's sheets is refused`(name: String) throws {
        let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
        let sheet = PlannedProgram(program).sheet.bytes
        #expect(!sheet.isEmpty && Self.fault(String(decoding: sheet, as: UTF8.self)) == nil)
    }

    @Test(arguments: [
        ".a{color:red", ".a{color:red}}", ".a{width:calc(1px}", ".a{color:var(--x]}", ".a{content:\"x}",
        ".a{background:url(//example.org/x.png)}", ".a{background:url(\"x\")}", ".a{background:url(abc.png)}",
        ".a{background:url(0123456789abcdef0123456789abcdef.svg)}", "@import \"x\";", "@charset \"x\";", "</style>",
        ".a{width:expression(1)}", ".a{width:nanpx}", ".a{width:-infpx}", ".a{width:1e21px}", ".a{width:NaN}",
        ".a{width:1.2.3px}", ".a{width:1pixel}", ".a{color:#12}", ".a{color:#xyz}", ".a{color:red}/* */", ".a{a:\\41}",
        ".a{a:'b'}", ".a{a:\u{202E}}", ".a{a:\u{0}}", ".a{content:\"\u{7}\"}", ".a{content:\"<\"}", ".a{a:b(\n)}",
        ".a{background:image-set(\"x\")}", "{{{{}}}}",
    ])
    func `A rule that could reach out, or has no meaning, is refused`(text: String) {
        #expect(Self.fault(text) != nil)
    }

    @Test(arguments: [
        "", ".a{color:#fff;width:calc(100% - 1.5px)}", "@container (width < 744px){\n.a-1{top:-.5px}\n}",
        ".a{background:url(0123456789abcdef0123456789abcdef.png) center}", ".a::after{content:\"\\22 ⓘ\"}",
        "@media (prefers-contrast:more){.w{--tint:light-dark(#0040dd,#409cff)}}",
    ])
    func `Rules of ours are accepted`(text: String) {
        #expect(Self.fault(text) == nil)
    }
}
