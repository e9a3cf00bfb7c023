import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@Suite struct `An archive` {
    private static let bundle = "/v1/widgets/com.example.Sample-1/bundle"

    @Test func `An archive has one address, which never changes`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        for _ in 0..<2 {
            let answer = try served.get("/v1/blobs/sha256/\(release.digest.hex)")
            #expect(answer.status == 200)
            #expect(Digest.sha256(answer.body) == release.digest)
            #expect(answer.body.count == release.byteCount)
            #expect(answer.value("Content-Type") == "application/zip")
            #expect(answer.value("ETag") == "\"sha256-\(release.digest.hex)\"")
            #expect(answer.value("Cache-Control") == "public, max-age=31536000, immutable")
            #expect(answer.value("Accept-Ranges") == "bytes")
            #expect(answer.value("Repr-Digest") == "sha-256=:\(release.digest.base64):")
            #expect(answer.value("Last-Modified") == "Sat, 21 Nov 2026 10:00:00 GMT")
            #expect(answer.value("Content-Disposition") == "attachment; filename=\"Sample.zip\"")
            #expect(answer.value("X-Content-Type-Options") == "nosniff")
            #expect(answer.value("Content-Location") == nil)
        }
    }

    @Test func `An archive is sent in ranges, the first time and from an open file`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let path = "/v1/blobs/sha256/\(release.digest.hex)"
        for _ in 0..<2 {
            let part = try served.get(path, "Range: bytes=0-3\r\n")
            #expect(part.status == 206)
            #expect(part.body == [0x50, 0x4B, 0x03, 0x04])
            #expect(part.value("Content-Range") == "bytes 0-3/\(release.byteCount)")
        }
        #expect(try served.get(path, "Range: bytes=\(release.byteCount)-\r\n").status == 416)
        #expect(
            try served.get(path, "Range: bytes=0-0,2-2\r\n").value("Content-Type")?.hasPrefix("multipart/byteranges")
                == true)
    }

    @Test func `An archive under a widget's name is sent in ranges only to clients that prove what they hold`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        for _ in 0..<2 {
            let whole = try served.get(Self.bundle, "Range: bytes=0-3\r\n")
            #expect(whole.status == 200)
            #expect(whole.body.count == release.byteCount)
            #expect(whole.value("Accept-Ranges") == nil)
            #expect(whole.value("Content-Location") == "/v1/blobs/sha256/\(release.digest.hex)")
            #expect(whole.value("ETag") == "\"sha256-\(release.digest.hex)\"")
            #expect(whole.value("Cache-Control")?.hasPrefix("public, max-age=30,") == true)
            #expect(whole.value("Repr-Digest") == "sha-256=:\(release.digest.base64):")
            let tag = "\"sha256-\(release.digest.hex)\""
            #expect(try served.get(Self.bundle, "Range: bytes=0-3\r\nIf-Range: \(tag)\r\n").status == 206)
            #expect(try served.get(Self.bundle, "Range: bytes=0-3\r\nIf-Range: \"other\"\r\n").status == 200)
        }
    }

    @Test func `An archive is chosen by the bucket, by default the last one`() throws {
        let served = try ServedRegistry()
        let old = try served.publish()
        let new = try served.publish(TestBundle(version: "1.1"), rollout: 2_500)
        func tag(_ query: String) throws -> String? { try served.get(Self.bundle + query).value("ETag") }
        #expect(try tag("") == "\"sha256-\(old.digest.hex)\"")
        #expect(try tag("?bucket=9999") == "\"sha256-\(old.digest.hex)\"")
        #expect(try tag("?bucket=2500") == "\"sha256-\(old.digest.hex)\"")
        #expect(try tag("?bucket=2499") == "\"sha256-\(new.digest.hex)\"")
        #expect(try tag("?bucket=0") == "\"sha256-\(new.digest.hex)\"")
    }

    @Test func `An archive is missing for buckets that a first rollout leaves out`() throws {
        let served = try ServedRegistry()
        try served.publish(rollout: 100)
        #expect(try served.get("\(Self.bundle)?bucket=99").status == 200)
        #expect(try served.get("\(Self.bundle)?bucket=100").problemCode == "no-compatible-release")
        #expect(try served.get(Self.bundle).status == 404)
    }

    @Test func `An archive is found under its folder's name`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let named = try served.get("/v1/widgets/com.example.Sample-1/Sample.zip")
        #expect(named.status == 200)
        #expect(named.value("ETag") == "\"sha256-\(release.digest.hex)\"")
        let refused = try served.get("/v1/widgets/com.example.Sample-1/Other.zip")
        #expect(refused.status == 404)
        #expect(refused.text.contains("Sample.zip"))
        #expect(try served.get("/v1/widgets/com.example.Sample-1/Sample.tar").status == 404)
    }

    private static let strangers: [String] = [
        String(repeating: "0", count: 64), String(repeating: "G", count: 64), String(repeating: "A", count: 64), "abc",
        "%20",
    ]

    @Test(arguments: strangers)
    func `An archive that was not published is not found`(_ hex: String) throws {
        let answer = try ServedRegistry().get("/v1/blobs/sha256/\(hex)")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-blob")
    }

    @Test func `An archive that is open is gone with its release`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let path = "/v1/blobs/sha256/\(release.digest.hex)"
        #expect(try served.get(path).status == 200)
        try served.withdraw(release)
        for address in [path, Self.bundle] {
            let answer = try served.get(address)
            #expect(answer.status == 410)
            #expect(answer.problemCode == "withdrawn")
        }
        _ = try served.registry.restore(TestBundle.identifier, release.key, by: "tester")
        #expect(try served.get(path).status == 200)
        #expect(try served.get(Self.bundle).status == 200)
    }

    @Test func `An archive that is open and was changed on the disk is never sent again`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let path = "/v1/blobs/sha256/\(release.digest.hex)"
        #expect(try served.get(path).status == 200)
        try Tool.damage(served.blobPath(release))
        let answer = try served.get(path)
        #expect(answer.status == 503)
        #expect(answer.problemCode == "blob-damaged")
        #expect(answer.text.contains(served.path) == false)
        #expect(served.log.holds(release.digest.hex))
        #expect(try served.get(Self.bundle).status == 503)
    }

    @Test func `An archive is offered under a name that cannot break its field`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(name: "Wörld \u{1F30D}"))
        let field = try #require(try served.get(Self.bundle).value("Content-Disposition"))
        #expect(field == "attachment; filename=\"W_rld _.zip\"; filename*=UTF-8''W%C3%B6rld%20%F0%9F%8C%8D.zip")
        #expect(try served.get("/v1/widgets/com.example.Sample-1/W%C3%B6rld%20%F0%9F%8C%8D.zip").status == 200)
    }
}

extension Tool {
    /// Turns one bit of a file.
    static func damage(_ path: String) throws {
        let result = try run("chmod", ["u+w", path])
        try #require(result.status == 0)
        let file = try FileDescriptor.creating(path)
        let byte = try file.read(at: 10, count: 1)
        try file.write([byte[0] ^ 1], at: 10)
    }
}
