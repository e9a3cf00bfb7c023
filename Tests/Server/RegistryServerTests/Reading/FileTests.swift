import Dispatch
import Glibc
import HTTPWire
import JSONText
import RegistryServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetDeflate
import WidgetHTTPServer
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

@Suite struct `A file of a release` {
    private static let files = "/v1/bundles/com.example.Sample/releases/1.0~1/files"
    /// One black pixel.
    private static let pixel: [UInt8] = {
        let text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
        return (try? Base64.decode(Array(text.utf8))) ?? []
    }()

    /// An image with a chunk that holds a text.
    private static func image(_ text: String) -> [UInt8] {
        let body = Array("tEXt".utf8) + Array(text.utf8)
        let length = ZipForge.bytes(UInt32(text.utf8.count)).reversed()
        let chunk = length + body + ZipForge.bytes(ZipForge.checksum(body)).reversed()
        return Array(pixel[..<33]) + chunk + Array(pixel[33...])
    }

    @Test func `A file of a release is listed with the position of its data in the archive`() throws {
        let served = try ServedRegistry()
        let release = try served.publish(TestBundle(content: "[1]", files: [("p.png", Self.pixel)]))
        let items = try #require(try served.document(Self.files)["items"]?.array)
        #expect(items.map { $0["path"]?.string } == ["Info.plist", "content.json", "p.png"])
        let archive = try served.get("/v1/blobs/sha256/\(release.digest.hex)").body
        for item in items {
            let offset = try #require(item["offset"]?.integer)
            let count = try #require(item["compressedSize"]?.integer)
            let part = try served.get(
                "/v1/blobs/sha256/\(release.digest.hex)", "Range: bytes=\(offset)-\(offset + count - 1)\r\n")
            #expect(part.body == Array(archive[Int(offset)..<Int(offset + count)]))
            guard item["method"]?.string == "stored" else { continue }
            #expect(Digest.sha256(part.body)?.hex == item["sha256"]?.string)
        }
    }

    @Test func `A file of a release comes out of the archive as it went in`() throws {
        let served = try ServedRegistry()
        let long = "[" + (0..<40_000).map { String($0 * 7_919) }.joined(separator: ",") + "]"
        try served.publish(
            TestBundle(content: "[1]", files: [("p.png", Self.pixel), ("en.lproj/long.json", Array(long.utf8))]))
        let json = try served.get("\(Self.files)/content.json")
        #expect(json.text == "[1]")
        #expect(json.value("Content-Type") == "application/json")
        #expect(json.value("Content-Disposition") == "attachment; filename=\"content.json\"")
        let image = try served.get("\(Self.files)/p.png")
        #expect(image.body == Self.pixel)
        #expect(image.value("Content-Type") == "image/png")
        #expect(image.value("Content-Disposition") == nil)
        for answer in [json, image] {
            #expect(answer.value("Content-Security-Policy") == "default-src 'none'; sandbox")
            #expect(answer.value("X-Content-Type-Options") == "nosniff")
            #expect(answer.value("Cache-Control") == "public, max-age=31536000, immutable")
            #expect(answer.value("ETag") == "\"sha256-\(Digest.sha256(answer.body)?.hex ?? "")\"")
        }
        let nested = try served.get("\(Self.files)/en.lproj/long.json")
        #expect(nested.text == long)
        #expect(try served.get("\(Self.files)/en.lproj/long.json", "Range: bytes=1-3\r\n").text == "0,7")
    }

    @Test(arguments: [
        "nothing.json", "content.json/", "Content.json", "en.lproj", "%2e%2e/secret", "..%2f..%2fetc", "a%5Cb", "%00",
    ])
    func `A file that is not in the list is not found`(_ path: String) throws {
        let served = try ServedRegistry()
        try served.publish()
        let answer = try served.get("\(Self.files)/\(path)")
        #expect(answer.status == 404 || answer.status == 400)
        #expect(answer.text.contains(served.path) == false)
    }

    @Test func `A file is not sent while the files of others fill the memory for it`() throws {
        var options = Reading.Options()
        options.expandedBytes = 12_000_000
        let served = try ServedRegistry(options: options, logsRequests: true)
        // More than a socket's buffers take in, and smaller when it is compressed.
        let large = Self.image((0..<1_000_000).map { String($0 * 7_919) }.joined(separator: ","))
        let other = Self.image((0..<1_000_000).map { String($0 * 7_907) }.joined(separator: ","))
        try served.publish(TestBundle(files: [("a.png", large), ("b.png", other)]))
        let methods = try served.document(Self.files)["items"]?.array?.map { $0["method"]?.string }
        #expect(methods?.suffix(2) == ["deflate", "deflate"])
        let slow = try RawConnection(port: served.port, receiveBuffer: 4_096)
        slow.send("GET \(Self.files)/a.png HTTP/1.1\r\nHost: test\r\n\r\n")
        guard case .bytes = slow.receive() else {
            Issue.record("nothing was sent")
            return
        }
        let refused = try served.get("\(Self.files)/b.png")
        #expect(refused.problemCode == "overloaded")
        #expect(refused.value("Retry-After") == "2")
        // What is there already is there for others, too.
        #expect(try served.get("\(Self.files)/a.png").body == large)
        slow.close()
        // Its connection, and what it held, are gone by then.
        #expect(served.log.holds("\"aborted\":true"))
        #expect(try served.get("\(Self.files)/b.png").body == other)
    }

    @Test func `A10: a small file is sent while large ones that are read slowly fill the memory`() throws {
        var options = Reading.Options()
        options.expandedBytes = 1 << 20
        let served = try ServedRegistry(options: options)
        let large = Self.image((0..<1_000_000).map { String($0 * 7_919) }.joined(separator: ","))
        let small = "[" + (0..<9_000).map { String($0) }.joined(separator: ",") + "]"
        try served.publish(
            TestBundle(files: [
                ("a.png", large), ("b.png", Self.image((0..<200_000).map { String($0 * 7_907) }.joined())),
            ]))
        try served.publish(TestBundle(version: "2.0", files: [("small.json", Array(small.utf8))]))
        let slow = try RawConnection(port: served.port, receiveBuffer: 4_096)
        slow.send("GET \(Self.files)/a.png HTTP/1.1\r\nHost: test\r\n\r\n")
        guard case .bytes = slow.receive() else {
            Issue.record("nothing was sent")
            return
        }
        #expect(try served.get("\(Self.files)/b.png").problemCode == "overloaded")
        #expect(try served.get("\(Self.files)/Info.plist").status == 200)
        let other = "/v1/bundles/com.example.Sample/releases/2.0~1/files"
        let methods = try served.document(other)["items"]?.array?.map { $0["method"]?.string }
        #expect(methods?.last == "deflate")
        let answer = try served.get("\(other)/small.json")
        #expect(answer.text == small, "\(answer.status) \(answer.text.prefix(300))")
    }

    @Test func `A file is not sent from a damaged archive`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        try Tool.damage(served.blobPath(release))
        #expect(try served.get("\(Self.files)/content.json").problemCode == "blob-damaged")
    }
}

@Suite struct `The difference of two releases` {
    private static func path(_ old: String, _ new: String) -> String {
        "/v1/bundles/com.example.Sample/releases/\(old)/diff/\(new)"
    }

    @Test func `The difference of two releases names the files added, removed and changed, and the cost`() throws {
        let served = try ServedRegistry()
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        try served.publish(
            TestBundle(files: [("gone.json", text("[0]")), ("same.json", text("[1]")), ("moved.json", text("[2,2,2]"))])
        )
        try served.publish(
            TestBundle(
                version: "1.1", content: "{\"a\":1}",
                files: [("same.json", text("[1]")), ("place.json", text("[2,2,2]")), ("new.json", text("[3,3]"))]))
        let difference = try served.document(Self.path("1.0~1", "1.1~1"))
        func paths(_ member: String) -> [String?]? { difference[member]?.array?.map { $0["path"]?.string } }
        #expect(paths("added") == ["new.json", "place.json"])
        #expect(paths("removed") == ["gone.json", "moved.json"])
        #expect(paths("changed") == ["Info.plist", "content.json"])
        #expect(difference["unchanged"]?.integer == 1)
        let changed = try #require(difference["changed"]?.array?.last)
        #expect(changed["from"]?["size"]?.integer == 2)
        #expect(changed["to"]?["size"]?.integer == 7)
        // What moved is held already, under another path.
        let fetched = ["Info.plist", "content.json", "new.json"]
        let files = try #require(
            try served.document("/v1/bundles/com.example.Sample/releases/1.1~1/files")["items"]?.array)
        let cost = files.filter { fetched.contains($0["path"]?.string ?? "") }
            .reduce(0) { $0 + ($1["compressedSize"]?.integer ?? 0) }
        #expect(difference["transferBytes"]?.integer == cost)
    }

    @Test func `The difference of a release and itself is nothing`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let difference = try served.document(Self.path("1.0~1", "1.0~1"))
        #expect(difference["transferBytes"]?.integer == 0)
        #expect(difference["unchanged"]?.integer == 2)
        for member in ["added", "removed", "changed"] { #expect(difference[member]?.array?.isEmpty == true) }
        #expect(try served.get(Self.path("1.0~1", "2.0~1")).problemCode == "no-such-release")
    }
}

@Suite struct `A10: Files that are taken out of their archives` {
    private let contents = SharedContents(budget: 800)
    private let here: IPAddress
    private let there: IPAddress

    init() throws {
        here = try #require(IPAddress("192.0.2.1"))
        there = try #require(IPAddress("192.0.2.2"))
    }

    private func key(_ number: UInt8) -> SharedContents.Key {
        SharedContents.Key(digest: Digest(repeating: number), path: "a.json", caching: .forever)
    }

    private func resource(_ content: Resource.Content) -> Resource {
        Resource(
            mediaType: "application/json", content: content, validators: Validators(entityTag: "\"a\"", lastModified: 0)
        )
    }

    /// Sends a file until the resource is released; `nil` without room for it.
    private func send(_ number: UInt8, _ byteCount: Int, to client: IPAddress) -> Resource? {
        guard let claim = try? contents.claim(byteCount, for: client) else { return nil }
        defer { contents.release(claim) }
        let made = resource(.bytes([UInt8](repeating: 0, count: byteCount)))
        contents.hold(made, of: byteCount, for: key(number), at: client)
        return made
    }

    @Test func `A10: extracted files leave most of the memory to others, however many one address asks for`() {
        let held = (0..<16).compactMap { send(UInt8($0), 25, to: here) }
        #expect(held.count == 4)
        #expect(send(100, 50, to: there) != nil)
        withExtendedLifetime(held) {}
    }

    @Test func `A10: an extracted file may be larger than an address's share if nothing else is sent`() {
        var first = send(0, 5_000, to: here)
        #expect(first != nil)
        #expect(send(1, 1, to: there) == nil)
        first = nil
        let second = send(2, 500, to: here)
        #expect(second != nil && send(3, 1, to: here) == nil)
        #expect(send(4, 300, to: there) != nil)
        #expect(send(5, 301, to: there) == nil)
    }

    @Test func `A10: extracted files count once for all, and for each address that reads them`() throws {
        let first = try #require(send(0, 90, to: here))
        let second = contents.share(key(0), with: there, resource)
        #expect(second != nil && second !== first)
        // Of its share of 100 there is as little left as where it was read first.
        #expect(send(1, 11, to: there) == nil && send(1, 11, to: here) == nil)
        #expect(send(2, 10, to: there) != nil)
        let third = try #require(IPAddress("192.0.2.3"))
        #expect(send(3, 710, to: third) != nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `A10: files count before they are extracted, for clients that come at the same moment`() throws {
        let claims = Guarded<[SharedContents.Claim]>([])
        let contents = contents
        let addresses = (1...64).compactMap { IPAddress("192.0.2.\($0)") }
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            if let claim = try? contents.claim(100, for: addresses[number]) { claims.withLock { $0.append(claim) } }
        }
        #expect(claims.withLock { $0.count } == 8)
        for claim in claims.withLock({ $0 }) { contents.release(claim) }
        _ = try contents.claim(800, for: here)
    }

    @Test func `A10: files that were extracted twice count twice`() throws {
        let claims = try [contents.claim(50, for: here), contents.claim(50, for: there)]
        let both = [here, there].map { client in
            let made = resource(.bytes([UInt8](repeating: 0, count: 50)))
            contents.hold(made, of: 50, for: key(0), at: client)
            return made
        }
        for claim in claims { contents.release(claim) }
        let third = try #require(IPAddress("192.0.2.3"))
        #expect(send(1, 701, to: third) == nil)
        #expect(send(1, 700, to: third) != nil)
        withExtendedLifetime(both) {}
    }
}
