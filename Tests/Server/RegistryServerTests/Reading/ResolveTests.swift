import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

@Suite struct `Resolving` {
    private static let widget = "/v1/widgets/com.example.Sample-1"

    @Test func `Resolving answers with the members in their order`() throws {
        let served = try ServedRegistry()
        let release = try served.publish(TestBundle(minimumOS: "10.0"))
        let answer = try served.get(Self.widget)
        #expect(answer.status == 200)
        #expect(
            answer.text.hasPrefix(
                "{\"widgetIdentifier\":\"com.example.Sample-1\",\"bundleIdentifier\":\"com.example.Sample\","
                    + "\"channel\":\"stable\",\"sequence\":1,\"upToDate\":false,\"mandatory\":false,\"salt\":\""))
        #expect(
            answer.text.contains(
                "\"candidates\":[{\"buckets\":[0,10000],\"release\":\"1.0~1\",\"sha256\":\"\(release.digest.hex)\","
                    + "\"content\":\"\(release.contentDigest.hex)\",\"size\":\(release.byteCount),\"name\":\"Sample\","
                    + "\"url\":\"/v1/blobs/sha256/\(release.digest.hex)\",\"published\":\"2026-11-21T10:00:00Z\","
                    + "\"minimumOSVersion\":\"10.0\",\"minimumHostVersion\":null,\"files\":[{\"path\":\"Info.plist\","))
        #expect(answer.text.hasSuffix("}]}]}\n"))
    }

    @Test func `Resolving has the headers of a mutable name`() throws {
        let served = try ServedRegistry()
        try served.publish()
        for _ in 0..<2 {
            let answer = try served.get(Self.widget)
            #expect(
                answer.value("Cache-Control") == "public, max-age=30, stale-while-revalidate=300, stale-if-error=600")
            #expect(answer.value("Accept-Ranges") == nil)
            #expect(answer.value("Access-Control-Allow-Origin") == "*")
            #expect(answer.value("ETag")?.hasPrefix("\"") == true)
        }
    }

    @Test func `Resolving recognises what a client has, the first time and from the cache`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let other = try ServedRegistry()
        try other.publish()
        let tag = try #require(try served.get(Self.widget).value("ETag"))
        #expect(try served.get(Self.widget, "If-None-Match: \(tag)\r\n").status == 304)
        #expect(try served.get(Self.widget, "Range: bytes=0-3\r\n").status == 200)
    }

    @Test func `Resolving answers a first request with conditions like any other`() throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.get(Self.widget, "If-None-Match: *\r\n").status == 304)
    }

    @Test func `Resolving is compressed for clients that accept it`() throws {
        let served = try ServedRegistry()
        let files = (0..<20).map { (path: "f\($0).json", content: Array("[\($0)]".utf8)) }
        try served.publish(TestBundle(files: files))
        for _ in 0..<2 {
            let answer = try served.get(Self.widget, "Accept-Encoding: gzip\r\n")
            #expect(answer.value("Content-Encoding") == "gzip")
            #expect(answer.value("Vary") == "Accept-Encoding")
        }
        let head = try served.get(Self.widget, method: "HEAD")
        #expect(head.status == 200)
        #expect(head.value("Content-Length") == String(try served.get(Self.widget).body.count))
    }

    @Test func `Resolving shows a publish at once, and a withdrawal`() throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.document(Self.widget)["candidates"]?.array?.first?["release"]?.string == "1.0~1")
        let second = try served.publish(TestBundle(version: "1.1"))
        #expect(try served.document(Self.widget)["candidates"]?.array?.first?["release"]?.string == "1.1~1")
        try served.withdraw(second)
        #expect(try served.document(Self.widget)["candidates"]?.array?.first?["release"]?.string == "1.0~1")
    }

    @Test func `Resolving follows the longest identifier as soon as it is published`() throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(
            try served.document("/v1/widgets/com.example.Sample.More-1")["bundleIdentifier"]?.string
                == "com.example.Sample")
        try served.publish(TestBundle(identifier: "com.example.Sample.More"))
        #expect(
            try served.document("/v1/widgets/com.example.Sample.More-1")["bundleIdentifier"]?.string
                == "com.example.Sample.More")
        #expect(try served.document(Self.widget)["bundleIdentifier"]?.string == "com.example.Sample")
    }

    @Test func `Resolving reports to a host with the release, and to no other, that it is up to date`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let current = "\(Self.widget)?have=\(release.digest.hex)"
        let stale = "\(Self.widget)?have=\(String(repeating: "0", count: 64))"
        for _ in 0..<2 {
            #expect(try served.document(current)["upToDate"]?.boolean == true)
            #expect(try served.document(stale)["upToDate"]?.boolean == false)
            #expect(try served.document(Self.widget)["upToDate"]?.boolean == false)
        }
        #expect(try served.get(current).value("ETag") != (try served.get(stale).value("ETag")))
        try served.publish(TestBundle(version: "2.0"), rollout: 100)
        #expect(try served.document(current)["upToDate"]?.boolean == false)
    }

    @Test func `A host with the next release is up to date before and after the next change`() throws {
        let served = try ServedRegistry()
        let first = try served.publish()
        func isUpToDate(_ release: Release) throws -> Bool? {
            try served.document("\(Self.widget)?have=\(release.digest.hex)")["upToDate"]?.boolean
        }
        #expect(try isUpToDate(first) == true)
        let second = try served.publish(TestBundle(version: "1.1"))
        for _ in 0..<2 {
            #expect(try isUpToDate(second) == true)
            #expect(try isUpToDate(first) == false)
        }
        try served.withdraw(second)
        for _ in 0..<2 {
            #expect(try isUpToDate(first) == true)
            #expect(try isUpToDate(second) == false)
        }
    }

    @Test func `Resolving lists a rollout's candidates by their buckets`() throws {
        let served = try ServedRegistry()
        try served.publish()
        try served.publish(TestBundle(version: "1.1"), rollout: 2_500)
        let candidates = try #require(try served.document(Self.widget)["candidates"]?.array)
        #expect(candidates.map { $0["buckets"]?.array?.map(\.integer) } == [[0, 2_500], [2_500, 10_000]])
        #expect(candidates.map { $0["release"]?.string } == ["1.1~1", "1.0~1"])
    }

    @Test func `Resolving leaves out releases for which a host is too old`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(minimumOS: "12.0"))
        #expect(try served.get("\(Self.widget)?os=13").status == 200)
        let refused = try served.get("\(Self.widget)?os=11.4")
        #expect(refused.status == 404)
        #expect(refused.problemCode == "no-compatible-release")
    }

    @Test func `Resolving insists on a pinned bundle`() throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.get("\(Self.widget)?pin=com.example.Sample").status == 200)
        let refused = try served.get("\(Self.widget)?pin=com.example.Other")
        #expect(refused.status == 409)
        #expect(refused.problemCode == "pin-mismatch")
    }

    private static let unreadable: [String] = [
        "bucket=10000", "bucket=-1", "bucket=", "bucket=1.5", "bucket=99999999999999999999", "bucket=+1", "os=",
        "os=a%20b",
        "host=%2F", "channel=", "channel=-x", "channel=a%2Fb", "pin=nodots", "have=abc",
        "have=\(String(repeating: "A", count: 64))",
    ]

    @Test(arguments: unreadable)
    func `Resolving refuses a malformed parameter`(_ query: String) throws {
        let served = try ServedRegistry()
        try served.publish()
        let answer = try served.get("\(Self.widget)?\(query)")
        #expect(answer.status == 400)
        #expect(answer.problemCode == "malformed-request")
        let name = query.prefix { $0 != "=" }
        #expect(
            try JSONValue(parsing: answer.body)["detail"]?.string?.contains("The parameter \(name) has to be") == true)
    }

    @Test(arguments: ["unknown=1", "x", "bucket=9999", "bucket=0", "channel=stable"])
    func `Resolving ignores unknown parameters`(_ query: String) throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.get("\(Self.widget)?\(query)").status == 200)
    }

    private static let unpublished: [String] = [
        "com.example", "com.example.sample-1", "nothing", "com.example.Sample%20", "caf%C3%A9",
        String(repeating: "a", count: 256),
    ]

    @Test(arguments: unpublished)
    func `Resolving finds no unpublished identifier`(_ identifier: String) throws {
        let served = try ServedRegistry()
        try served.publish()
        let answer = try served.get("/v1/widgets/\(identifier)")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-widget")
    }

    @Test func `Resolving hints at a spelling that would have been found`() throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.get("/v1/widgets/com.example.sample-1").text.contains("com.example.Sample-1"))
    }

    @Test func `Resolving says that a withdrawn release is gone, when and why`() throws {
        let served = try ServedRegistry()
        try served.withdraw(try served.publish(), reason: "crashes <on> launch")
        let answer = try served.get(Self.widget)
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
        let problem = try JSONValue(parsing: answer.body)
        #expect(problem["reason"]?.string == "crashes <on> launch")
        #expect(problem["at"]?.string == "2026-11-21T10:00:00Z")
    }

    @Test func `Resolving finds other channels`() throws {
        let served = try ServedRegistry()
        try served.publish()
        try served.publish(TestBundle(version: "2.0"), to: "beta")
        #expect(try served.document("\(Self.widget)?channel=beta")["channel"]?.string == "beta")
        #expect(try served.document(Self.widget)["channel"]?.string == "stable")
        #expect(try served.get("\(Self.widget)?channel=nightly").problemCode == "no-such-channel")
    }
}
