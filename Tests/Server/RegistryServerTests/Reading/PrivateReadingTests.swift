import HTTPWire
import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetHTTPServer
import WidgetRegistry
import WidgetTestSupport

/// Lets bearers of `Bearer <prefix>` see the bundles that begin with the prefix, and hides all from other readers.
private struct PrefixReading: ReadAccess {
    func reader(_ request: borrowing Request) throws(Problem) -> Reader {
        guard let field = request.value(.authorization), field.hasPrefix("Bearer ") else {
            throw Problem(code: "unauthorized", title: "A token is needed", status: .unauthorized, detail: "Send one.")
        }
        let prefix = String(field.dropFirst("Bearer ".count))
        return Reader { $0.hasPrefix(prefix) }
    }
}

@Suite struct `Private reading` {
    private static let mine = "Authorization: Bearer com.mine\r\n"
    private static let yours = "Authorization: Bearer com.yours\r\n"

    private func fill(_ served: ServedRegistry) throws -> Release {
        try served.publish(TestBundle(identifier: "com.yours.Thing", name: "Thing"))
        return try served.publish(TestBundle(identifier: "com.mine.Thing", name: "Thing"))
    }

    private func paths(_ release: Release) -> [String] {
        let bundle = "/v1/bundles/\(release.bundleIdentifier)"
        let key = "\(bundle)/releases/\(release.key)"
        return [
            "/v1/widgets/\(release.bundleIdentifier)-1", "/v1/widgets/\(release.bundleIdentifier)-1/bundle",
            "/v1/widgets/\(release.bundleIdentifier)-1/Thing.zip", "/v1/blobs/sha256/\(release.digest.hex)", bundle,
            "\(bundle)/channels", "\(bundle)/channels/stable", "\(bundle)/releases", key, "\(key)/report",
            "\(key)/files",
            "\(key)/files/content.json", "\(key)/diff/\(release.key)",
        ]
    }

    @Test func `Private reading shows nothing without a token`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        let release = try fill(served)
        for path in paths(release) + ["/", "/v1/bundles", "/v1/changes"] {
            #expect(try served.get(path).status == 401, "\(path)")
        }
    }

    @Test func `Private reading shows a bundle to its readers, and no trace of it to others`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        let release = try fill(served)
        for path in paths(release) {
            for _ in 0..<2 {
                let shown = try served.get(path, Self.mine)
                #expect(shown.status == 200, "\(path)")
                #expect(shown.value("Cache-Control") == "private, no-cache", "\(path)")
                #expect(shown.values("Vary").map { $0.hasPrefix("Cookie, Authorization") } == [true], "\(path)")
                let hidden = try served.get(path, Self.yours)
                #expect(hidden.status == 404, "\(path)")
                #expect(!hidden.text.contains("withdrawn"), "\(path)")
            }
        }
        try served.withdraw(release)
        for path in paths(release) { #expect(try served.get(path, Self.yours).status == 404, "\(path)") }
    }

    @Test func `Private reading lists the bundles that its reader may see`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        _ = try fill(served)
        for (token, name) in [(Self.mine, "com.mine.Thing"), (Self.yours, "com.yours.Thing")] {
            let bundles = try JSONValue(parsing: try served.get("/v1/bundles", token).body)["items"]?.array
            #expect(bundles?.map { $0["bundleIdentifier"]?.string } == [name])
            let changes = try JSONValue(parsing: try served.get("/v1/changes", token).body)["items"]?.array
            #expect(changes?.map { $0["bundleIdentifier"]?.string } == [name])
            let page = try served.get("/", token).text
            #expect(page.contains(name))
            #expect(page.matches(of: /<li class="card">/).count == 1)
            // A reader of a part does not follow the feed of all.
            #expect(!page.contains("<script") && !page.contains("data-since"))
        }
    }

    @Test func `Private reading does not help with the spelling of hidden names`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        _ = try fill(served)
        let shouting = "Authorization: Bearer com.MINE\r\n"
        for path in [
            "/v1/bundles/com.MINE.Thing", "/v1/bundles/com.MINE.Thing/releases", "/v1/widgets/com.MINE.Thing-1",
        ] {
            let answer = try served.get(path, shouting)
            #expect(answer.status == 404, "\(path)")
            #expect(!answer.text.contains("com.mine"), "\(path)")
        }
        // Who sees everything is helped.
        #expect(try served.get("/v1/bundles/com.MINE.Thing", "Authorization: Bearer com\r\n").text.contains("com.mine"))
    }

    @Test func `Private reading turns pages without naming hidden bundles`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        for number in 0..<6 {
            try served.publish(TestBundle(identifier: "com.a\(number).Hidden", name: "Hidden"))
            try served.publish(TestBundle(identifier: "com.mine.Thing\(number)", name: "Thing"))
            try served.publish(TestBundle(identifier: "com.z\(number).Hidden", name: "Hidden"))
        }
        var path: String? = "/v1/bundles?limit=2"
        var seen: [String] = []
        while let next = path {
            let page = try JSONValue(parsing: try served.get(next, Self.mine).body)
            seen += page["items"]?.array?.compactMap { $0["bundleIdentifier"]?.string } ?? []
            let cursor = page["next"]?.string
            if let cursor { #expect(try !named(by: cursor).contains("Hidden"), "\(cursor)") }
            path = cursor.map { "/v1/bundles?limit=2&cursor=\($0)" }
            try #require(seen.count < 20)
        }
        #expect(seen == (0..<6).map { "com.mine.Thing\($0)" })
    }

    /// The text in a cursor, once it is decoded in the usual ways.
    private func named(by cursor: String) throws -> String {
        var base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        let decoded = (try? Base64.decode(Array(base64.utf8))) ?? []
        var plain: [UInt8] = []
        var digits = cursor[...]
        while let byte = UInt8(digits.prefix(2), radix: 16) {
            plain.append(byte)
            digits = digits.dropFirst(2)
        }
        return [cursor, String(decoding: decoded, as: UTF8.self), String(decoding: plain, as: UTF8.self)].joined(
            separator: " ")
    }

    @Test func `Private reading leaves the changes of hidden bundles out of the feed`() throws {
        let served = try ServedRegistry(access: PrefixReading())
        _ = try fill(served)
        let client = try Listening(served, "/v1/changes", Self.mine)
        _ = try client.wait(for: "retry: 3000\n\n")
        let first = try client.wait(for: "\n\n")
        #expect(first.contains("com.mine.Thing"))
        #expect(!first.contains("com.yours"))
        try served.publish(TestBundle(identifier: "com.yours.Thing", version: "2.0", name: "Thing"))
        try served.publish(TestBundle(identifier: "com.mine.Thing", version: "2.0", name: "Thing"))
        #expect(try client.wait(for: "id: 4\n").contains("com.yours") == false)
    }
}
