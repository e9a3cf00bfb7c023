import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: curl can be used as people type it. Method: one run of it sends several requests, one after another; the suites of
/// `make check PART=contract` have many more, each in a run.
@Suite(.enabled(if: Shell.has("curl"), "needs curl")) struct `One run of curl` {
    let registry: Registry
    let bundle = BundleForge(fresh(), text: Noise.text(4_000))
    private let file: String

    init() throws {
        registry = try Registries.open()
        file = try registry.home.file("\(bundle.identifier).zip", bundle.archive)
    }

    private static let end = "--- "

    /// - Parameter requests: the arguments of each; their answers end with the status, and the bytes that were sent and
    ///   received.
    private func answers(_ requests: [String]) -> [String] {
        let words = requests.map {
            "-sS -m 60 -w '\\n%{http_code} %{size_upload} %{size_download}\\n\(Self.end)' \($0)"
        }
        return Shell.run("exec curl \(words.joined(separator: " --next "))").output.components(separatedBy: Self.end)
    }

    private func authorized(_ arguments: String) -> String {
        "-H 'Authorization: Bearer \(Registry.adminToken)' \(arguments)"
    }

    private func url(_ path: String) -> String { "'\(registry.url)\(path)'" }

    @Test func `curl uploads in each of its ways, downloads, resumes, and asks again with validators`() throws {
        let (part, fetched) = ("\(file).part", "\(file).fetched")
        let widget = "/v1/widgets/\(bundle.identifier)"
        let other = try #require(try registry.publish(BundleForge(fresh())).text("url"))
        let answers = answers([
            authorized("-T '\(file)' \(url("/v1/bundles/"))"),
            authorized("--data-binary '@\(file)' \(url("/v1/bundles"))"),
            authorized("-F 'file=@\(file)' \(url("/v1/bundles"))"),
            "-o '\(fetched)' \(url("\(widget)-1/bundle"))",
            "-r 0-3 -o '\(part)' \(url(other))",
            "-R -z 'Fri, 01 Jan 2038 00:00:00 GMT' \(url(widget + "/bundle"))",
            "--etag-save '\(file).tag' -o /dev/null \(url(widget))",
            "--etag-compare '\(file).tag' \(url(widget))",
            "--compressed -o /dev/null \(url(widget))",
            "-I \(url(widget))",
            "-H 'Expect: 100-continue' -T '\(file)' \(url("/v1/bundles/"))",
        ]).map { $0.split(separator: "\n").last ?? "" }
        let statuses = answers.map { $0.prefix(3) }
        #expect(
            statuses == ["201", "200", "200", "200", "206", "304", "200", "304", "200", "200", "401", ""],
            "\(answers)")
        let digest = try #require(try registry.resolve(bundle.identifier).text("candidates.0.sha256"))
        #expect(BundleForge.sha256(try FileWork.bytes(fetched)) == digest)
        #expect(try FileWork.text(part) == "PK\u{3}\u{4}")
        // The body was not sent after the refusal.
        #expect(answers.count > 10 && answers[10].hasPrefix("401 0 "), "\(answers)")
    }

    @Test func `curl with arguments that are nearly right gets an answer that says what is wrong`() throws {
        let gzip = try registry.home.file("\(bundle.identifier).tgz", [0x1F, 0x8B, 8, 0] + Noise.text(200).utf8)
        let cases: [(String, String, String)] = [
            (authorized("-T '\(gzip)' \(url("/v1/bundles/"))"), "400", "zip -r"),
            (authorized("-d '@\(file)' \(url("/v1/bundles"))"), "4", "--data-binary @FILE"),
            (authorized("--data-raw @x.zip \(url("/v1/bundles"))"), "400", "the name of a file"),
            (authorized("-F bundle=x.zip \(url("/v1/bundles"))"), "400", "bundle=@WidgetDemo.zip"),
            ("-H 'Authorization: Token x' -T '\(file)' \(url("/v1/bundles/"))", "401", "the scheme Token;"),
            ("-u x:y -T '\(file)' \(url("/v1/bundles/"))", "401", "the scheme Basic, as curl -u"),
        ]
        let answers = answers(cases.map { $0.0 })
        #expect(answers.count == cases.count + 1)
        for (answer, (arguments, status, words)) in zip(answers, cases) {
            let last = answer.split(separator: "\n").last ?? ""
            #expect(last.hasPrefix(status) && answer.contains(words), "\(arguments): \(answer)")
        }
    }
}
