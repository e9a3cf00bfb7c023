import Dispatch
import ObjectPeer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import ObjectStore

/// Goal: a store that fails costs a caller a known time and a clear answer. Method: a store in memory with every fault of a
/// real one, and a clock that pauses move.
@Suite struct `A client of a store of objects` {
    private let double = ObjectDouble(pageCount: 2)
    private let clock = SkippingClock(date: .seconds(1_780_000_000))
    private let client: ObjectClient

    init() throws {
        client = ObjectClient(
            try ObjectPlace("s3://widgets/p?endpoint=http://store.test"),
            ObjectCredentials(accessKey: "key", secret: "secret"), transport: double, in: .skipping(clock))
    }

    private func put(_ text: String, as key: String = "k") throws(ObjectError) {
        let bytes = Array(text.utf8)
        guard let digest = Digest.sha256(bytes) else { throw .outOfMemory }
        try client.put(.bytes(bytes), digest: digest, as: key)
    }

    private func get(_ key: String = "k", limit: Int = 1 << 20) throws(ObjectError) -> String? {
        let text = Guarded<[UInt8]>([])
        let isThere = try client.get(key, byteLimit: limit) { () throws(FileError) in
            text.withLock { $0 = [] }
        } receive: { bytes throws(FileError) in
            text.withLock { $0 += bytes }
        }
        return isThere ? text.withLock { String(decoding: $0, as: UTF8.self) } : nil
    }

    @Test func `An object is put, got, measured, listed and deleted`() throws {
        try put("hello", as: "1.0~1+ab/k")
        #expect(double.paths == ["/widgets/1.0~1%2Bab/k"])
        #expect(try get("1.0~1+ab/k") == "hello")
        #expect(try client.head("1.0~1+ab/k") == 5)
        #expect(try client.list("1.0~1+ab/", after: nil).entries.map(\.key) == ["1.0~1+ab/k"])
        try client.delete("1.0~1+ab/k")
        try client.delete("1.0~1+ab/k")
        #expect(try get("1.0~1+ab/k") == nil && client.head("1.0~1+ab/k") == nil)
    }

    @Test func `A listing is read page by page`() throws {
        for number in 0..<5 { try put("x", as: "p/\(number)") }
        var keys: [String] = []
        var next: String?
        repeat {
            let page = try client.list("p/", after: next)
            keys += page.entries.map(\.key)
            next = page.next
        } while next != nil
        #expect(keys == ["p/0", "p/1", "p/2", "p/3", "p/4"])
    }

    static let passing: [ObjectDouble.Fault] = [
        .refusal(500, "InternalError"), .refusal(503, "SlowDown"), .refusal(502, ""), .refusal(504, ""),
        .refusal(429, ""), .refusal(400, "RequestTimeout"), .noConnection, .lostAnswer, .silence,
    ]

    @Test(arguments: passing.indices) func `A fault that passes is waited for, with pauses that grow`(_ index: Int)
        throws
    {
        double.fail(Self.passing[index], Self.passing[index])
        try put("hello")
        #expect(double.asked.count == 3)
        #expect(clock.sleeps == [.milliseconds(100), .milliseconds(200)])
        double.fail(Self.passing[index])
        #expect(try get() == "hello")
        double.fail(Self.passing[index])
        try client.delete("k")
        #expect(try get() == nil)
    }

    @Test(arguments: [
        (403, "SignatureDoesNotMatch"), (403, "RequestTimeTooSkewed"), (400, "BadDigest"), (404, "NoSuchBucket"),
        (411, ""), (301, "PermanentRedirect"), (501, "NotImplemented"),
    ])
    func `A refusal is not asked again, and is never taken for an absence`(_ status: Int, _ code: String) throws {
        double.fail(.refusal(status, code), .refusal(status, code), .refusal(status, code))
        #expect(throws: ObjectError.refused(status: status, code: code)) { try put("x") }
        #expect(throws: ObjectError.refused(status: status, code: code)) { try get() }
        #expect(throws: ObjectError.refused(status: status, code: code)) { try client.list("", after: nil) }
        #expect(double.asked.count == 3 && clock.sleeps.isEmpty)
    }

    @Test func `A body that is cut, or whose length is not announced, is got again from its start`() throws {
        try put("0123456789")
        double.fail(.cut(after: 4), .cut(after: 0))
        #expect(try get() == "0123456789")
        double.fail(.cut(after: 4), .cut(after: 4), .cut(after: 4), .cut(after: 4))
        guard case .transfer(let error)? = #expect(throws: ObjectError.self, performing: { try get() }) else { return }
        #expect(error.reason == .connectionLost)
    }

    @Test func `A store that fails again and again is left alone for a while, then tried by one`() throws {
        double.fail { _ in .noConnection }
        for _ in 0..<Breaker.mostFailures { #expect(throws: ObjectError.self) { try get() } }
        let count = double.asked.count
        #expect(count == Breaker.mostFailures * 4)
        #expect(throws: ObjectError.resting) { try get() }
        #expect(throws: ObjectError.resting) { try put("x") }
        #expect(double.asked.count == count && client.breaker.isOpen)
        clock.advance(by: .seconds(1))
        #expect(throws: ObjectError.self) { try get() }
        #expect(double.asked.count == count + 4)
        #expect(throws: ObjectError.resting) { try get() }
        double.fail(each: nil)
        clock.advance(by: .seconds(30))
        #expect(try get() == nil)
        #expect(!client.breaker.isOpen)
    }

    private func object(_ key: String) throws -> NewObject {
        NewObject(key: key, body: .bytes([1]), digest: try #require(Digest.sha256([1])))
    }

    @Test func `Several objects are sent side by side`() throws {
        let isAsked = DispatchSemaphore(value: 0)
        double.fail { asked in
            // The first ends only when the second is under way.
            if asked.path == "/widgets/b" { isAsked.signal() }
            guard asked.path == "/widgets/a" else { return nil }
            return isAsked.wait(timeout: .now() + 60) == .success ? nil : .refusal(403, "AccessDenied")
        }
        try client.put([object("a"), object("b")])
        #expect(double.paths == ["/widgets/a", "/widgets/b"])
    }

    @Test func `Of several objects one that fails fails the call, once the others have ended`() throws {
        double.fail { $0.path == "/widgets/a" ? .refusal(403, "AccessDenied") : nil }
        let objects = try [object("a"), object("b")]
        #expect(throws: ObjectError.refused(status: 403, code: "AccessDenied")) { try client.put(objects) }
        #expect(double.paths == ["/widgets/b"])
    }

    @Test func `A store that had rested is tried by the first of several objects, and has the others afterwards`()
        throws
    {
        for _ in 0..<Breaker.mostFailures { client.breaker.failed(at: clock.now, chance: 0.5) }
        clock.advance(by: .seconds(1))
        #expect(client.breaker.isOpen)
        double.fail { asked in
            // Long enough for the second to be refused, were it sent beside the first.
            if asked.path == "/widgets/a" { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.5) }
            return nil
        }
        try client.put([object("a"), object("b")])
        #expect(double.paths == ["/widgets/a", "/widgets/b"] && !client.breaker.isOpen)
    }

    @Test func `Refusals of requests do not make a store rest`() throws {
        double.fail { _ in .refusal(403, "AccessDenied") }
        for _ in 0..<20 { #expect(throws: ObjectError.self) { try get() } }
        #expect(double.asked.count == 20 && !client.breaker.isOpen)
    }

    @Test(arguments: [
        "s3:/widgets", "s3://", "s3://ab", "s3://Widgets", "s3://a..b", "s3://-ab", "s3://widgets/../x",
        "s3://widgets/a//b",
        "s3://widgets/a b", "s3://widgets/ä", "s3://widgets?endpoint=ftp://x", "s3://widgets?endpoint=http://u:p@x",
        "s3://widgets?endpoint=http://x/path", "s3://widgets?region=", "s3://widgets?region=a/b",
        "s3://widgets?style=odd",
        "s3://widgets?region=a&region=b", "s3://widgets?secret=x",
    ])
    func `An address that could be read in two ways is refused`(_ text: String) {
        #expect(throws: ObjectPlace.Mistake.self) { try ObjectPlace(text) }
    }

    @Test func `Addresses lead to the store's own host, or to one of AWS`() throws {
        let own = try ObjectPlace("s3://widgets/a/b/?endpoint=https://store.example:9000&region=here")
        #expect(own.host == "store.example:9000" && own.path("k") == "/widgets/k" && own.prefix == "a/b")
        let aws = try ObjectPlace("s3://widgets?region=eu-central-1")
        #expect(aws.host == "widgets.s3.eu-central-1.amazonaws.com" && aws.path("k") == "/k" && aws.path("") == "/")
        let dotted = try ObjectPlace("s3://a.widgets")
        #expect(dotted.host == "s3.us-east-1.amazonaws.com" && dotted.path("") == "/a.widgets")
    }

    @Test(arguments: [
        "", "<a", "<x/>", "<ListBucketResult><Contents/></ListBucketResult>",
        "<ListBucketResult><Contents><Key>k</Key><Size>-1</Size><LastModified>x</LastModified></Contents></ListBucketResult>",
        "<ListBucketResult><Contents><Key>k</Key><Size>99999999999999999999</Size><LastModified>x</LastModified></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<!DOCTYPE x [<!ENTITY a \"b\">]><ListBucketResult>&a;</ListBucketResult>",
    ])
    func `A listing that is not one is refused`(_ text: String) {
        #expect(throws: ObjectError.self) { try ObjectListing(Array(text.utf8)) }
    }
}
