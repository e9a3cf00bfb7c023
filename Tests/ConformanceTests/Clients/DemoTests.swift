import ConformanceSupport
import JSONText
import TestSupport
import Testing

/// The framework's original demo bundle, where it lies beside the repository.
@Suite(.enabled(if: Samples.exist, "the demo bundle is not here")) struct `The demo bundle` {
    let registry: Registry

    init() throws {
        registry = try Registries.demo()
    }

    private func resolve() throws -> WireAnswer {
        #expect([200, 201].contains(try registry.post(try Samples.bytes("WidgetDemo.zip"), "strict=true").status))
        return try registry.resolve("mobi.favio.WidgetDemo-1")
    }

    @Test func `is taken as it is, strictly, and found by a widget's identifier`() throws {
        let answer = try resolve()
        #expect(answer.status == 200)
        #expect(answer.text("bundleIdentifier") == "mobi.favio.WidgetDemo")
        #expect(answer.text("candidates.0.name") == "WidgetDemo")
        #expect(try registry.get("/v1/widgets/mobi.favio.WidgetDemo-1/WidgetDemo.zip").status == 200)
    }

    @Test func `has each file where the document says`() throws {
        let answer = try resolve()
        let whole = try registry.get(try #require(answer.text("candidates.0.url"))).body
        let files = try #require(answer["candidates.0.files"]?.array)
        #expect(files.count > 10)
        for file in files {
            let offset = Int(try #require(file["offset"]?.integer))
            let count = Int(try #require(file["compressedSize"]?.integer))
            let size = Int(try #require(file["size"]?.integer))
            let data = Array(whole[offset..<(offset + count)])
            let content = file["method"]?.string == "deflate" ? ZipForge.inflate(data, byteCount: size) : data
            #expect(content.map(BundleForge.sha256) == file["sha256"]?.string, "\(file["path"]?.string ?? "")")
        }
    }

    @Test(arguments: ["unzip -tqq", "7z t -bso0", "bsdtar -tf", "python3 -m zipfile -t"])
    func `is served so that others can open it`(_ tool: String) throws {
        let program = String(tool.prefix { $0 != " " })
        guard Shell.has(program) else { return }
        let url = try #require(try resolve().text("candidates.0.url"))
        let file = try registry.home.file("demo-\(program).zip", try registry.get(url).body)
        #expect(Shell.run("\(tool) '\(file)' >/dev/null 2>&1").status == 0)
    }
}
