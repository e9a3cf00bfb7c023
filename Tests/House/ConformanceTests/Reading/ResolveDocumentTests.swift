import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §2: the document of a resolution.
@Suite struct `The resolve document` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test func `The resolve document has the members of the contract in a fixed order`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier).with { $0.info = [("MinimumOSVersion", "10.0")] })
        let answer = try registry.resolve(identifier + "-1")
        #expect(
            answer.names() == [
                "widgetIdentifier", "bundleIdentifier", "channel", "sequence", "upToDate", "mandatory", "salt",
                "candidates",
            ])
        let members = [
            "buckets", "release", "sha256", "content", "size", "name", "url", "published", "minimumOSVersion", "files",
        ]
        // There may be more members than the contract names.
        #expect(answer.names("candidates.0").filter(members.contains) == members)
        #expect(
            answer.names("candidates.0.files.0") == ["path", "size", "sha256", "offset", "compressedSize", "method"])
    }

    @Test func `The resolve document describes the published release`() throws {
        let identifier = fresh()
        let bundle = BundleForge(identifier, "1.4.0", "312").with {
            $0.name = "WidgetDemo"
            $0.info = [("MinimumOSVersion", "10.0")]
        }
        let published = try registry.publish(bundle)
        let answer = try registry.resolve(identifier)
        #expect(answer.text("channel") == "stable")
        #expect(answer.flag("upToDate") == false)
        #expect(answer.flag("mandatory") == false)
        #expect(answer.number("sequence").map { $0 > 0 } == true)
        #expect(answer.buckets == [[0, 10_000]])
        #expect(answer.text("candidates.0.release") == "1.4.0~312")
        #expect(answer.text("candidates.0.name") == "WidgetDemo")
        #expect(answer.text("candidates.0.minimumOSVersion") == "10.0")
        for member in ["sha256", "content", "url", "published"] {
            #expect(answer.text("candidates.0.\(member)") == published.text(member), "\(member)")
        }
        #expect(answer.number("candidates.0.size") == published.number("size"))
    }

    @Test func `The resolve document names the archive by its digest, size and place`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier)
        let digest = try #require(answer.text("candidates.0.sha256"))
        #expect(answer.text("candidates.0.url") == "/v1/blobs/sha256/\(digest)")
        let archive = try registry.get("/v1/blobs/sha256/\(digest)")
        #expect(BundleForge.sha256(archive.body) == digest)
        #expect(answer.number("candidates.0.size") == archive.body.count)
    }

    @Test func `The resolve document has the content digest of the contract`() throws {
        let bundle = BundleForge(fresh()).adding("b.json", "{\"b\": 1}").adding("a/c.json", "{}")
            .adding("C.json", "[]")
        try registry.publish(bundle)
        #expect(try registry.resolve(bundle.identifier).text("candidates.0.content") == bundle.contentDigest)
    }

    @Test func `The resolve document lists every kept file, in the order of their paths, with size and digest`() throws
    {
        let bundle = BundleForge(fresh()).adding("b.json", "{\"b\": 1}").adding("a/c.json", "{}")
            .adding("C.json", "[]")
        try registry.publish(bundle)
        let answer = try registry.resolve(bundle.identifier)
        let expected = bundle.contents.sorted { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) }
        #expect(answer.texts("candidates.0.files", "path") == expected.map(\.path))
        #expect(answer.texts("candidates.0.files", "sha256") == expected.map { BundleForge.sha256($0.bytes) })
        let sizes = answer["candidates.0.files"]?.array?.compactMap { $0["size"]?.integer }
        #expect(sizes == expected.map { Int64($0.bytes.count) })
    }

    @Test(arguments: [false, true])
    func `The resolve document says where each file's data lies in the archive`(_ isStored: Bool) throws {
        let long = "{\"text\": \"" + String(repeating: "widgets and more widgets ", count: 200) + "\"}"
        let bundle = BundleForge(fresh()).adding("long.json", long).with { $0.isStored = isStored }
        try registry.publish(bundle)
        let answer = try registry.resolve(bundle.identifier)
        let url = try #require(answer.text("candidates.0.url"))
        for (index, file) in try #require(answer["candidates.0.files"]?.array).enumerated() {
            let offset = try #require(file["offset"]?.integer)
            let count = try #require(file["compressedSize"]?.integer)
            let size = Int(try #require(file["size"]?.integer))
            let part = try registry.get(url, "Range: bytes=\(offset)-\(offset + count - 1)")
            #expect(part.status == 206)
            let method = file["method"]?.string
            #expect(method == "deflate" || method == "stored" || method == "store", "\(method ?? "")")
            let content = method == "deflate" ? ZipForge.inflate(part.body, byteCount: size) : part.body
            #expect(content.map(BundleForge.sha256) == file["sha256"]?.string, "file \(index)")
            #expect(content?.count == size)
            #expect(!isStored || method != "deflate")
        }
    }

    @Test func `The resolve document is up to date for a host that holds every candidate`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let digest = try #require(try registry.resolve(identifier).text("candidates.0.sha256"))
        let answer = try registry.resolve(identifier, "have=\(digest)")
        #expect(answer.flag("upToDate") == true)
        #expect(answer["candidates"]?.array?.count == 1)
    }

    @Test func `The resolve document is not up to date for a host that holds another release`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let other = String(repeating: "0", count: 64)
        #expect(try registry.resolve(identifier, "have=\(other)").flag("upToDate") == false)
    }

    @Test func `The resolve document is not up to date while one of two candidates is another release`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let digest = try #require(try registry.resolve(identifier).text("candidates.0.sha256"))
        try registry.publish(BundleForge(identifier, "1.1"), "rollout=2500")
        #expect(try registry.resolve(identifier, "have=\(digest)").flag("upToDate") == false)
    }

    @Test func `The resolve document follows the given channel`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(BundleForge(identifier, "2.0"), "channel=beta")
        #expect(try registry.resolve(identifier).text("candidates.0.release") == "1.0~1")
        let beta = try registry.resolve(identifier, "channel=beta")
        #expect(beta.text("candidates.0.release") == "2.0~1")
        #expect(beta.text("channel") == "beta")
    }

    @Test func `The resolve document of an unknown channel is 404`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        #expect(try registry.resolve(identifier, "channel=gamma").status == 404)
    }

    @Test func `The resolve document says that an update is mandatory when the channel does`() throws {
        let identifier = fresh()
        try registry.publish(identifier, releases: 1)
        #expect(try registry.promote(identifier, "1.0~1", mandatory: true).status == 200)
        #expect(try registry.resolve(identifier).flag("mandatory") == true)
    }

    @Test func `The resolve document gives the time of publishing in UTC to the second`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let time = try #require(try registry.resolve(identifier).text("candidates.0.published"))
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }
}

/// §2: the header fields of the resolve document.
@Suite struct `A mutable name` {
    let registry: Registry
    let identifier = fresh()
    let path: String

    init() throws {
        registry = try Registries.open()
        path = "/v1/widgets/\(identifier)"
        try registry.publish(BundleForge(identifier))
    }

    @Test func `A mutable name is JSON in UTF-8 that ends with a newline`() throws {
        let answer = try registry.get(path)
        #expect(answer.value("Content-Type") == "application/json")
        #expect(answer.body.last == 10)
        #expect(answer.json != nil)
    }

    @Test func `A mutable name has a strong tag that stays while nothing changes`() throws {
        let first = try registry.get(path)
        let tag = try #require(first.value("ETag"))
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 2)
        let second = try registry.get(path)
        #expect(second.value("ETag") == tag)
        #expect(second.body == first.body)
    }

    @Test func `A mutable name has another tag after a change`() throws {
        let tag = try registry.get(path).value("ETag")
        try registry.publish(BundleForge(identifier, "1.1"))
        #expect(try registry.get(path).value("ETag") != tag)
    }

    @Test func `A mutable name may be cached for half a minute, and longer when the server fails`() throws {
        #expect(
            try registry.get(path).value("Cache-Control")
                == "public, max-age=30, stale-while-revalidate=300, stale-if-error=600")
    }

    @Test func `A mutable name offers no ranges, and answers a range with everything`() throws {
        let plain = try registry.get(path)
        #expect(plain.value("Accept-Ranges") == nil)
        let answer = try registry.get(path, "Range: bytes=0-9")
        #expect(answer.status == 200)
        #expect(answer.body == plain.body)
    }

    @Test func `A mutable name is 304 for its present tag`() throws {
        let tag = try #require(try registry.get(path).value("ETag"))
        let answer = try registry.get(path, "If-None-Match: \(tag)")
        #expect(answer.status == 304)
        #expect(answer.value("ETag") == tag)
        #expect(answer.value("Cache-Control")?.contains("max-age=30") == true)
    }

    @Test func `A mutable name is 200 for another tag`() throws {
        #expect(try registry.get(path, "If-None-Match: \"other\"").status == 200)
    }

    @Test func `A mutable name is 304 for a weak or a listed tag`() throws {
        let tag = try #require(try registry.get(path).value("ETag"))
        #expect(try registry.get(path, "If-None-Match: W/\(tag)").status == 304)
        #expect(try registry.get(path, "If-None-Match: \"x\", \(tag)").status == 304)
        #expect(try registry.get(path, "If-None-Match: *").status == 304)
    }

    @Test func `A mutable name is 412 when the condition asks for another`() throws {
        let answer = try registry.get(path, "If-Match: \"other\"")
        #expect(answer.status == 412)
        #expect(answer.problemCode == "precondition-failed")
    }

    @Test func `A mutable name is compressed when that is accepted and saves bytes, with a separate tag`() throws {
        let bundle = BundleForge(fresh()).with { bundle in
            for number in 0..<40 { bundle.files.append(("file\(number).json", Array("{\"n\": \(number)}".utf8))) }
        }
        try registry.publish(bundle)
        let plain = try registry.get("/v1/widgets/\(bundle.identifier)")
        #expect(plain.value("Content-Encoding") == nil)
        #expect(plain.value("Vary")?.contains("Accept-Encoding") == true)
        let packed = try registry.get("/v1/widgets/\(bundle.identifier)", "Accept-Encoding: gzip")
        #expect(packed.value("Content-Encoding") == "gzip")
        #expect(packed.value("Vary")?.contains("Accept-Encoding") == true)
        #expect(packed.body.count < plain.body.count)
        #expect(packed.value("ETag") != plain.value("ETag"))
        // Ten bytes of header before the stream, eight of trailer behind it.
        let stream = Array(packed.body.dropFirst(10).dropLast(8))
        #expect(ZipForge.inflate(stream, byteCount: plain.body.count) == plain.body)
    }

    @Test func `A mutable name is not compressed when the client excludes that`() throws {
        let answer = try registry.get(path, "Accept-Encoding: gzip;q=0, identity")
        #expect(answer.value("Content-Encoding") == nil)
    }
}
