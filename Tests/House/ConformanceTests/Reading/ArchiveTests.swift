import ConformanceSupport
import Testing
import WidgetTestSupport

/// §2: the archive under its digest.
@Suite struct `An immutable archive` {
    let registry: Registry
    let bundle: BundleForge
    let path: String
    let digest: String

    init() throws {
        registry = try Registries.open()
        bundle = BundleForge(fresh(), text: Noise.text(1_000)).with { $0.name = "WidgetDemo" }
        digest = try #require(try registry.publish(bundle).text("sha256"))
        path = "/v1/blobs/sha256/\(digest)"
    }

    @Test func `An archive has the bytes of its digest`() throws {
        let answer = try registry.get(path)
        #expect(answer.status == 200)
        #expect(BundleForge.sha256(answer.body) == digest)
    }

    @Test func `An archive's strong tag is its digest`() throws {
        #expect(try registry.get(path).value("ETag") == "\"sha256-\(digest)\"")
    }

    @Test func `An archive may be cached for a year without revalidation`() throws {
        #expect(try registry.get(path).value("Cache-Control") == "public, max-age=31536000, immutable")
    }

    @Test func `An archive supports ranges`() throws {
        #expect(try registry.get(path).value("Accept-Ranges") == "bytes")
    }

    @Test func `An archive has its exact length`() throws {
        let answer = try registry.get(path)
        #expect(answer.value("Content-Length") == "\(answer.body.count)")
    }

    @Test func `An archive has its digest as a structured field`() throws {
        let answer = try registry.get(path)
        #expect(answer.value("Repr-Digest") == BundleForge.digestField(answer.body))
    }

    @Test func `An archive has its time of modification`() throws {
        let modified = try #require(try registry.get(path).value("Last-Modified"))
        #expect(modified.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
    }

    @Test func `An archive is named after the bundle`() throws {
        #expect(
            try registry.get(path).value("Content-Disposition") == "attachment; filename=\"WidgetDemo.zip\"")
    }

    @Test func `An archive is named after the bundle in any script`() throws {
        let other = BundleForge(fresh()).with { $0.name = "K\u{E4}se, mehr" }
        let url = try #require(try registry.publish(other).text("url"))
        let value = try #require(try registry.get(url).value("Content-Disposition"))
        #expect(value.hasPrefix("attachment; filename=\""))
        #expect(value.hasSuffix("filename*=UTF-8''K%C3%A4se%2C%20mehr.zip"))
        #expect(try registry.get("/v1/widgets/\(other.identifier)/K%C3%A4se%2C%20mehr.zip").status == 200)
    }

    @Test func `An archive's type must not be sniffed`() throws {
        let answer = try registry.get(path)
        #expect(answer.value("X-Content-Type-Options") == "nosniff")
        #expect(answer.value("Content-Type") == "application/zip")
    }

    @Test func `An archive is never compressed again`() throws {
        let answer = try registry.get(path, "Accept-Encoding: gzip")
        #expect(answer.value("Content-Encoding") == nil)
        #expect(BundleForge.sha256(answer.body) == digest)
    }

    @Test func `An archive is open to pages of any origin`() throws {
        #expect(try registry.get(path, "Origin: https://example.com").value("Access-Control-Allow-Origin") == "*")
    }

    @Test func `An archive has the bundle's folder and its files`() throws {
        let text = String(decoding: try registry.get(path).body, as: Unicode.ASCII.self)
        #expect(text.contains("WidgetDemo.bundle/Info.plist"))
    }

    @Test func `An archive is the server's own writing, never the uploader's`() throws {
        #expect(try registry.get(path).body != bundle.archive)
    }

    @Test(arguments: [
        String(repeating: "0", count: 64), "abc", "", String(repeating: "g", count: 64),
        String(repeating: "0", count: 65), "..%2F..%2Fcatalog.sqlite",
    ])
    func `An unknown digest is 404`(_ other: String) throws {
        let answer = try registry.get("/v1/blobs/sha256/\(other)")
        #expect(answer.status == 404 || answer.status == 400)
    }

    @Test func `A withdrawn archive is 410, with time and reason`() throws {
        #expect(try registry.withdraw(bundle.identifier, bundle.key).status == 200)
        let answer = try registry.get(path)
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
        #expect(answer.text("detail")?.contains(/20\d\d-\d\d-\d\d/) == true)
    }

    // MARK: In one round trip

    @Test func `An archive comes with its resolution in one round trip`() throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)-1/bundle")
        #expect(answer.status == 200)
        #expect(BundleForge.sha256(answer.body) == digest)
        #expect(answer.value("Content-Location") == path)
        #expect(answer.value("ETag") == "\"sha256-\(digest)\"")
        #expect(answer.value("Repr-Digest") == BundleForge.digestField(answer.body))
        #expect(answer.value("Content-Disposition") == "attachment; filename=\"WidgetDemo.zip\"")
        #expect(answer.value("Content-Type") == "application/zip")
    }

    @Test func `A one-trip archive is cached as a mutable name and offers no ranges`() throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)/bundle")
        #expect(
            answer.value("Cache-Control") == "public, max-age=30, stale-while-revalidate=300, stale-if-error=600")
        #expect(answer.value("Accept-Ranges") == nil)
    }

    @Test func `A one-trip archive is whole for a range without a condition`() throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)/bundle", "Range: bytes=10-")
        #expect(answer.status == 200)
        #expect(BundleForge.sha256(answer.body) == digest)
    }

    @Test func `A one-trip archive resumes when the client's part is of the same release`() throws {
        let answer = try registry.get(
            "/v1/widgets/\(bundle.identifier)/bundle", "Range: bytes=10-", "If-Range: \"sha256-\(digest)\"")
        #expect(answer.status == 206)
        #expect(answer.value("Content-Range")?.hasPrefix("bytes 10-") == true)
    }

    @Test func `A one-trip archive starts anew when the client's part is of another release`() throws {
        let answer = try registry.get(
            "/v1/widgets/\(bundle.identifier)/bundle", "Range: bytes=10-",
            "If-Range: \"sha256-\(String(repeating: "0", count: 64))\"")
        #expect(answer.status == 200)
        #expect(BundleForge.sha256(answer.body) == digest)
    }

    @Test func `A one-trip archive is 304 when the client has it`() throws {
        let path = "/v1/widgets/\(bundle.identifier)/bundle"
        #expect(try registry.get(path, "If-None-Match: \"sha256-\(digest)\"").status == 304)
        try registry.publish(BundleForge(bundle.identifier, "1.1"))
        #expect(try registry.get(path, "If-None-Match: \"sha256-\(digest)\"").status == 200)
    }

    @Test func `A one-trip archive obeys the pin`() throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)/bundle?pin=com.example.other")
        #expect(answer.status == 409)
        #expect(answer.problemCode == "pin-mismatch")
    }

    @Test func `A one-trip archive of an unknown widget is 404`() throws {
        #expect(try registry.get("/v1/widgets/\(fresh())/bundle").problemCode == "no-such-widget")
    }

    // MARK: Under its folder's name

    @Test(arguments: ["WidgetDemo.zip", "WidgetDemo.bundle.zip"])
    func `An archive is also served under the name of its folder`(_ name: String) throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)-1/\(name)")
        #expect(answer.status == 200)
        #expect(BundleForge.sha256(answer.body) == digest)
        #expect(answer.value("Content-Location") == path)
        #expect(answer.value("ETag") == "\"sha256-\(digest)\"")
    }

    @Test(arguments: ["Other.zip", "widgetdemo.zip", "Other.bundle.zip", "WidgetDemo", ".zip"])
    func `An archive is 404 under another name`(_ name: String) throws {
        #expect(try registry.get("/v1/widgets/\(bundle.identifier)/\(name)").status == 404)
    }

    @Test func `An archive's 404 under another name has the right one`() throws {
        let answer = try registry.get("/v1/widgets/\(bundle.identifier)/Other.zip")
        #expect(answer.text("detail")?.contains("WidgetDemo.zip") == true)
    }
}
