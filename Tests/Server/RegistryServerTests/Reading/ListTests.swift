import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

@Suite struct `Lists` {
    @Test func `Lists of bundles come in pages that lead to each other`() throws {
        let served = try ServedRegistry()
        for name in ["a", "b", "c", "d", "e"] { try served.publish(TestBundle(identifier: "com.example.\(name)")) }
        var path = "/v1/bundles?limit=2&prefix=com.example"
        var seen: [String] = []
        for _ in 0..<4 {
            let answer = try served.get(path)
            #expect(answer.status == 200)
            let page = try JSONValue(parsing: answer.body)
            seen += page["items"]?.array?.compactMap { $0["bundleIdentifier"]?.string } ?? []
            guard let next = page["next"]?.string else {
                #expect(answer.value("Link") == nil)
                break
            }
            let link = try #require(answer.value("Link"))
            #expect(link == "</v1/bundles?prefix=com.example&limit=2&cursor=\(next)>; rel=\"next\"")
            path = String(try #require(link.split(separator: ">").first).dropFirst())
        }
        #expect(seen == ["a", "b", "c", "d", "e"].map { "com.example.\($0)" })
    }

    @Test func `Lists of bundles can be narrowed`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(identifier: "com.example.One"))
        try served.publish(TestBundle(identifier: "org.other.Two"), to: "beta")
        func found(_ query: String) throws -> [String?]? {
            try served.document("/v1/bundles?\(query)")["items"]?.array?.map { $0["bundleIdentifier"]?.string }
        }
        #expect(try found("prefix=org.") == ["org.other.Two"])
        #expect(try found("q=ONE") == ["com.example.One"])
        #expect(try found("channel=beta") == ["org.other.Two"])
        #expect(try found("q=100%25") == [])
    }

    @Test(arguments: ["limit=0", "limit=201", "limit=x", "cursor=zz", "cursor=", "cursor=0", "channel=%20"])
    func `Lists refuse malformed parameters`(_ query: String) throws {
        let served = try ServedRegistry()
        try served.publish()
        #expect(try served.get("/v1/bundles?\(query)").problemCode == "malformed-request")
    }

    @Test func `Lists show changes since the last request`() throws {
        let served = try ServedRegistry()
        #expect(try served.document("/v1/bundles")["items"]?.array?.count == 0)
        try served.publish()
        #expect(try served.document("/v1/bundles")["items"]?.array?.count == 1)
        #expect(try served.document("/v1/bundles/com.example.Sample")["releases"]?.integer == 1)
        try served.publish(TestBundle(version: "2.0"))
        #expect(try served.document("/v1/bundles/com.example.Sample")["releases"]?.integer == 2)
        #expect(try served.document("/v1/bundles/com.example.Sample")["latest"]?.string == "2.0~1")
    }

    @Test func `Lists of releases begin with the newest, and show withdrawn ones as such`() throws {
        let served = try ServedRegistry()
        for version in ["1.0", "1.1", "1.10", "1.2"] { try served.publish(TestBundle(version: version)) }
        let gone = try served.registry.release(TestBundle.identifier, "1.1~1")
        try served.withdraw(gone)
        let path = "/v1/bundles/com.example.Sample/releases"
        let items = try #require(try served.document(path)["items"]?.array)
        #expect(items.map { $0["release"]?.string } == ["1.10~1", "1.2~1", "1.1~1", "1.0~1"])
        #expect(items.map { $0["withdrawn"]?["reason"]?.string } == [nil, nil, "broken", nil])
        let first = try served.get("\(path)?limit=3")
        let next = try #require(try JSONValue(parsing: first.body)["next"]?.string)
        #expect(first.value("Link") == "<\(path)?limit=3&cursor=\(next)>; rel=\"next\"")
        #expect(try served.document("\(path)?limit=3&cursor=\(next)")["items"]?.array?.count == 1)
    }

    @Test func `Lists of channels hold all of them`() throws {
        let served = try ServedRegistry()
        try served.publish()
        try served.publish(TestBundle(version: "2.0"), to: "beta")
        let channels = try served.document("/v1/bundles/com.example.Sample/channels")["items"]?.array
        #expect(channels?.map { $0["channel"]?.string } == ["beta", "stable"])
    }
}

@Suite struct `One` {
    @Test func `A bundle that does not exist is a problem that helps`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let answer = try served.get("/v1/bundles/com.example.SAMPLE")
        #expect(answer.problemCode == "no-such-bundle")
        #expect(answer.text.contains("com.example.Sample"))
        #expect(try served.get("/v1/bundles/nodots").problemCode == "no-such-bundle")
        #expect(try served.get("/v1/bundles/com.example.Sample/channels/%C3%A4").problemCode == "no-such-channel")
        #expect(try served.get("/v1/bundles/com.example.Sample/releases/9").problemCode == "no-such-release")
        #expect(try served.get("/v1/bundles/com.example.Sample/releases/9.9~9").problemCode == "no-such-release")
        #expect(try served.get("/v1/bundles/com.example.Sample/nothing").problemCode == "not-found")
    }

    @Test func `A channel has one tag for every coding, until it changes`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let path = "/v1/bundles/com.example.Sample/channels/stable"
        let plain = try served.get(path)
        let packed = try served.get(path, "Accept-Encoding: gzip\r\n")
        #expect(plain.value("ETag") == packed.value("ETag"))
        #expect(packed.value("Content-Encoding") == nil)
        #expect(plain.value("ETag")?.hasPrefix("\"") == true)
        try served.set("stable", "1.0~1", rollout: 500)
        let changed = try served.get(path)
        #expect(changed.value("ETag") != plain.value("ETag"))
        #expect(try JSONValue(parsing: changed.body)["rollout"]?.integer == 500)
    }

    @Test func `A release is found with its plus sign written either way`() throws {
        let served = try ServedRegistry()
        let release = try served.publish(to: "dev")
        try #require(release.key.contains("+"))
        let path = "/v1/bundles/com.example.Sample/releases/"
        let encoded = release.key.replacing("+", with: "%2B").replacing("~", with: "%7E")
        #expect(try served.document(path + release.key)["release"]?.string == release.key)
        #expect(try served.document(path + encoded)["release"]?.string == release.key)
    }

    @Test func `A release that was withdrawn shows no more than that`() throws {
        let served = try ServedRegistry()
        let release = try served.publish()
        let path = "/v1/bundles/com.example.Sample/releases/1.0~1"
        for suffix in ["", "/report", "/files", "/files/Info.plist", "/diff/1.0~1"] {
            #expect(try served.get(path + suffix).status == 200, "\(suffix)")
        }
        try served.withdraw(release)
        for suffix in ["", "/report", "/files", "/files/Info.plist", "/diff/1.0~1"] {
            let answer = try served.get(path + suffix)
            #expect(answer.status == 410, "\(suffix)")
            #expect(answer.problemCode == "withdrawn", "\(suffix)")
        }
    }

    @Test func `A report lists what happened when the bundle was taken in`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let report = try served.document("/v1/bundles/com.example.Sample/releases/1.0~1/report")
        #expect(report["report"]?["kept"]?.array?.count == 2)
        #expect(report["release"]?.string == "1.0~1")
        #expect(try served.document("/v1/bundles/com.example.Sample/releases/1.0~1")["report"] == nil)
    }
}
