import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// One request is enough for plain curl. Each case starts curl, so `make test` has one run of it for several
/// (`CurlSmokeTests`), and that of the commands in docs/publishing.md.
@Suite(.part(.contract), .enabled(if: Shell.has("curl"), "needs curl")) struct `A user of curl` {
    let registry: Registry
    let bundle: BundleForge
    let file: String

    init() throws {
        registry = try Registries.open()
        bundle = BundleForge(fresh(), text: Noise.text(4_000))
        file = try registry.home.file("\(bundle.identifier).zip", bundle.archive)
    }

    private let authorization = "-H 'Authorization: Bearer \(Registry.adminToken)'"

    /// The output of curl, which has a minute at most.
    private func curl(_ arguments: String) -> String { Shell.run("curl -sS -m 60 \(arguments)").output }

    /// The status that curl sees.
    private func status(_ arguments: String) -> String { curl("-o /dev/null -w '%{http_code}' \(arguments)") }

    private func url(_ path: String) -> String { "'\(registry.url)\(path)'" }

    private func archivePath() throws -> String {
        try #require(try registry.publish(bundle).text("url"))
    }

    @Test func `curl uploads with -T to the folder of bundles`() throws {
        #expect(status("\(authorization) -T '\(file)' \(url("/v1/bundles/"))") == "201")
        #expect(try registry.resolve(bundle.identifier).status == 200)
    }

    @Test func `curl uploads with -T and a channel`() throws {
        let path = "/v1/bundles/\(bundle.identifier).zip?channel=beta"
        #expect(status("\(authorization) -T '\(file)' \(url(path))") == "201")
        #expect(try registry.channel(bundle.identifier, "beta").status == 200)
    }

    @Test func `curl uploads with -T from a pipe, in chunks`() throws {
        let output = Shell.run(
            "cat '\(file)' | curl -sS -m 60 -o /dev/null -w '%{http_code}' \(authorization) -T - "
                + url("/v1/bundles/Piped.zip")
        ).output
        #expect(output == "201")
    }

    @Test func `curl uploads with --data-binary`() throws {
        #expect(status("\(authorization) --data-binary '@\(file)' \(url("/v1/bundles"))") == "201")
        #expect(try registry.resolve(bundle.identifier).status == 200)
    }

    @Test func `curl uploads with -F`() throws {
        #expect(status("\(authorization) -F 'file=@\(file)' \(url("/v1/bundles"))") == "201")
        #expect(try registry.resolve(bundle.identifier).status == 200)
    }

    @Test func `curl uploads with an assertion`() throws {
        let path = "/v1/bundles/\(bundle.identifier)/releases/1.0~1"
        #expect(status("\(authorization) -T '\(file)' \(url(path))") == "201")
    }

    @Test func `curl uploads twice without harm`() throws {
        let arguments = "\(authorization) -T '\(file)' \(url("/v1/bundles/"))"
        #expect([status(arguments), status(arguments)] == ["201", "200"])
    }

    @Test func `curl shows why an upload was refused, even with a large file`() throws {
        let large = try registry.home.file("large-\(bundle.identifier).zip", Array(repeating: 0, count: 3 << 20))
        #expect(status("-T '\(large)' \(url("/v1/bundles/"))") == "401")
        #expect(status("-H Expect: -T '\(large)' \(url("/v1/bundles/"))") == "401")
        #expect(status("\(authorization) -T '\(large)' \(url("/v1/bundles/"))") == "400")
    }

    @Test func `curl does not send the body when permission is refused`() throws {
        let large = try registry.home.file("spared-\(bundle.identifier).zip", Array(repeating: 0, count: 3 << 20))
        let output = curl(
            "-o /dev/null -w '%{http_code} %{size_upload}' -H 'Expect: 100-continue' -T '\(large)' "
                + url("/v1/bundles/"))
        #expect(output == "401 0")
    }

    @Test func `curl downloads by widget identifier alone, and unzip opens the archive`() throws {
        _ = try archivePath()
        let target = "\(file).fetched"
        #expect(curl("-o '\(target)' -w '%{http_code}' \(url("/v1/widgets/\(bundle.identifier)-1/bundle"))") == "200")
        let listing = Shell.run("unzip -l '\(target)'")
        #expect(listing.status == 0)
        #expect(listing.output.contains("Sample.bundle/Info.plist"))
    }

    @Test func `curl -OJ names the download as the server says`() throws {
        let path = try archivePath()
        let folder = "\(file).folder"
        let run = Shell.run("mkdir '\(folder)' && cd '\(folder)' && curl -sS -m 60 -OJ \(url(path)) && ls")
        #expect(run.output == "Sample.zip\n")
    }

    @Test func `curl -C - resumes an interrupted download`() throws {
        let path = try archivePath()
        let whole = try registry.get(path).body
        for cut in [1, 100, whole.count - 1] {
            let part = try registry.home.file("\(bundle.identifier).part\(cut)", Array(whole[..<cut]))
            let output = curl("-C - -o '\(part)' -w '%{http_code} %{size_download}' \(url(path))")
            #expect(output == "206 \(whole.count - cut)")
            #expect(Shell.run("sha256sum '\(part)'").output.hasPrefix(BundleForge.sha256(whole)))
        }
    }

    @Test func `curl -C - has nothing to resume in a complete download`() throws {
        let path = try archivePath()
        let part = try registry.home.file("\(bundle.identifier).whole", try registry.get(path).body)
        #expect(Shell.run("curl -sS -m 60 -C - -o '\(part)' \(url(path))").status == 0)
        #expect(Shell.run("sha256sum '\(part)'").output.hasPrefix(String(path.suffix(64))))
    }

    @Test func `curl never splices two releases when it resumes a mutable name`() throws {
        _ = try archivePath()
        let part = try registry.home.file("\(bundle.identifier).spliced", Array("old release".utf8))
        let run = Shell.run(
            "curl -sS -m 60 -C - -o '\(part)' \(url("/v1/widgets/\(bundle.identifier)/bundle")) 2>&1")
        // curl says that the server cannot resume, and leaves the file as it was.
        #expect(run.status == 33)
        #expect(Shell.run("cat '\(part)'").output == "old release")
    }

    @Test func `curl --compressed unpacks a compressed answer`() throws {
        let many = (0..<50).reduce(BundleForge(fresh())) { $0.adding("f\($1).json", "{}") }
        try registry.publish(many)
        let path = "/v1/widgets/\(many.identifier)"
        let output = curl("--compressed \(url(path))")
        #expect(output == (try registry.get(path).text))
        let packed = curl("-o /dev/null -w '%{size_download}' --compressed \(url(path))")
        #expect(Int(packed).map { $0 < output.utf8.count } == true)
    }

    @Test func `curl -z downloads only newer releases`() throws {
        let path = try archivePath()
        #expect(status("-z 'Fri, 01 Jan 2038 00:00:00 GMT' \(url(path))") == "304")
        #expect(status("-z 'Sun, 06 Nov 1994 08:49:37 GMT' \(url(path))") == "200")
        let fetched = "\(file).z"
        #expect(status("-R \(url(path))") == "200")
        #expect(curl("-R -o '\(fetched)' -w '%{http_code}' \(url(path))") == "200")
        #expect(status("-z '\(fetched)' \(url(path))") == "304")
    }

    @Test func `curl --etag-compare downloads only changed releases`() throws {
        _ = try archivePath()
        let tag = "\(file).etag"
        let target = url("/v1/widgets/\(bundle.identifier)")
        #expect(status("--etag-save '\(tag)' \(target)") == "200")
        #expect(status("--etag-compare '\(tag)' \(target)") == "304")
        try registry.publish(BundleForge(bundle.identifier, "1.1"))
        #expect(status("--etag-compare '\(tag)' \(target)") == "200")
    }

    @Test func `curl -r fetches ranges`() throws {
        let path = try archivePath()
        #expect(curl("-r 0-3 \(url(path))") == "PK\u{3}\u{4}")
    }

    @Test func `curl -I asks for the head only`() throws {
        let path = try archivePath()
        let head = curl("-I \(url(path))")
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.contains("ETag: \"sha256-\(path.suffix(64))\""))
    }

    @Test func `curl -f fails where the server refuses`() {
        #expect(Shell.run("curl -sSf -m 60 -o /dev/null \(url("/v1/widgets/\(fresh())")) 2>/dev/null").status == 22)
    }

    @Test func `curl promotes, rolls back and withdraws`() throws {
        try registry.publish(bundle.identifier, releases: 2)
        let channel = "/v1/bundles/\(bundle.identifier)/channels/stable"
        let tag = try #require(try registry.channel(bundle.identifier).value("ETag"))
        let put = "-X PUT -H 'Content-Type: application/json' -H 'If-Match: \(tag)' -d '{\"release\": \"1.0~1\"}'"
        #expect(status("\(authorization) \(put) \(url(channel))") == "200")
        #expect(status("\(authorization) -X POST \(url(channel + "/rollback"))") == "200")
        #expect(
            status("\(authorization) -X DELETE \(url("/v1/bundles/\(bundle.identifier)/releases/1.0~1"))") == "200")
    }

    @Test func `curl -N listens to changes as they happen`() throws {
        let output = Shell.run(
            "(sleep 1; curl -sS -m 60 -o /dev/null \(authorization) -T '\(file)' \(url("/v1/bundles/"))) & "
                + "curl -sN -m 60 -H 'Accept: text/event-stream' \(url("/v1/changes")) | grep -a -m 1 "
                + "'\(bundle.identifier)'; wait"
        ).output
        #expect(output.hasPrefix("data:"))
    }
}
