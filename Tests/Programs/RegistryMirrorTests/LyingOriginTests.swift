import ConformanceSupport
import Foundation
import HostileServer
import Synchronization
import Testing
import WidgetTestSupport

/// Each lie concerns a mirror that was up to date, and ends; the mirror shows what it showed, and then what is true.
@Suite(.serialized) struct `A mirror of an origin that lies` {
    struct Lie: Sendable, CustomTestStringConvertible {
        let name: String
        /// In the log.
        let reason: String
        let tell: Relay.Lie
        /// True if the lie has no end: then the memory of the mirror's process tells that it was not believed.
        var isEndless: Bool { name.hasSuffix("without an end") }

        var testDescription: String { name }

        init(_ name: String, _ reason: String, _ tell: @escaping Relay.Lie) {
            self.name = name
            self.reason = reason
            self.tell = tell
        }

        /// A document of these paths with other words.
        init(_ name: String, _ reason: String, in path: String, _ words: String, _ others: String) {
            self.init(name, reason) { visit, answer in
                guard visit.request.target.contains(path), answer.status == 200 else { return answer }
                var lie = answer
                lie.body = Array(answer.text.replacing(words, with: others).utf8)
                return lie
            }
        }
    }

    static let lies: [Lie] = [
        Lie("other bytes for an archive", "SHA-256") { visit, answer in
            guard visit.request.target.hasPrefix("/v1/blobs/"), answer.status == 200 else { return answer }
            var lie = answer
            lie.body[lie.body.count / 2] ^= 1
            return lie
        },
        Lie("a longer archive", "larger than") { visit, answer in
            guard visit.request.target.hasPrefix("/v1/blobs/"), answer.status == 200 else { return answer }
            var lie = answer
            lie.body += [0]
            return lie
        },
        Lie("an archive without an end", "larger than") { visit, answer in
            guard visit.request.target.hasPrefix("/v1/blobs/"), let tag = answer.value("ETag") else { return answer }
            visit.send("HTTP/1.1 200 Scripted\r\nETag: \(tag)\r\nConnection: close\r\n\r\n")
            visit.sendForever([UInt8](repeating: 0x50, count: 64 << 10))
            return nil
        },
        Lie("a feed without an end", "larger than") { visit, answer in
            guard visit.request.target.hasPrefix("/v1/changes") else { return answer }
            visit.send(
                "HTTP/1.1 200 Scripted\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"items\":[")
            visit.sendForever(Array(repeating: UInt8(ascii: " "), count: 64 << 10))
            return nil
        },
        Lie("a feed that goes back", "goes back", in: "/v1/changes", "\"tag\":3", "\"tag\":1"),
        Lie("a feed that continues where it was", "read already") { visit, answer in
            guard visit.request.target.hasPrefix("/v1/changes") else { return answer }
            var lie = answer
            lie.body = Array(answer.text.replacing(/\}\]\}\n?$/, with: "}],\"next\":\"0\"}").utf8)
            return lie
        },
        Lie("an identifier that climbs", "identifier", in: "/v1/changes", "com.example.Lied", "../../../etc.cron"),
        Lie(
            "another bundle", "another bundle", in: "/v1/bundles/com.example.Lied",
            "\"bundleIdentifier\":\"com.example.Lied\"", "\"bundleIdentifier\":\"com.example.Othr\""),
        Lie(
            "a key that climbs", "has a name or a release", in: "/v1/bundles/com.example.Lied", "\"release\":\"1.2~1\"",
            "\"release\":\"../../x\""),
        Lie(
            "a channel that climbs", "has a name or a release", in: "/v1/bundles/com.example.Lied",
            "\"channel\":\"stable\"", "\"channel\":\"../sta\""),
        Lie(
            "a rollout of more than all", "numbers or times", in: "/v1/bundles/com.example.Lied", "\"rollout\":10000",
            "\"rollout\":10001"),
        Lie("an archive of absurd size", "limits.upload", in: "/releases", "\"size\":", "\"size\":99999"),
        Lie(
            "a digest that is a path", "digests or times", in: "/releases", "\"sha256\":\"", "\"sha256\":\"../../../../"
        ),
        Lie(
            "another content digest", "not what the origin says", in: "/releases", "\"content\":\"",
            "\"content\":\"\(String(repeating: "0", count: 64))\",\"was\":\""),
        Lie("another name", "not what the origin says", in: "/releases", "\"name\":\"Sample\"", "\"name\":\"Simple\""),
        Lie("a report that is a list", "cannot be read", in: "/report", "\"report\":{", "\"report\":[],\"was\":{"),
        Lie("a document that is deep", "cannot be read") { visit, answer in
            guard visit.request.target.hasSuffix("/report") else { return answer }
            var lie = answer
            lie.body = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
            return lie
        },
    ]

    @Test(arguments: lies) func `A mirror takes no lie for the truth, and finds it when the lie ends`(_ lie: Lie) throws
    {
        let origin = try Registry()
        let relay = try Relay(to: origin)
        let bundle = "com.example.Lied"
        try origin.publish(BundleForge(bundle, "1.0"))
        try origin.publish(BundleForge("com.example.Other", "1.0"))
        let mirror = try startMirror(of: relay.url, in: lie.isEndless ? .process : .here)
        let paths = ["/v1/bundles", "/v1/bundles/\(bundle)/releases", "/v1/widgets/\(bundle)-1"]
        #expect(try mirror.becomesLike(origin, paths))
        let before = try paths.map { try mirror.seen($0) }
        let files = try mirror.files

        relay.lie(lie.tell)
        try origin.publish(BundleForge(bundle, "1.2", text: "New"))
        #expect(try mirror.becomes { try mirror.metrics()["widgetd_mirror_failures_total", default: 0] >= 2 })
        #expect(mirror.logs(lie.reason), "\(mirror.log)")
        #expect(try paths.map { try mirror.seen($0) } == before)
        #expect(try mirror.files.subtracting(files).allSatisfy { $0.hasPrefix(".staged-") })
        #expect(try mirror.get("/readyz").status == 200)
        #expect(try !mirror.get("/readyz").text.contains("\"mirror\":\"ok\""))
        if lie.isEndless { #expect(try mirror.metrics()["process_resident_memory_bytes", default: 0] < 400e6) }

        relay.lie(nil)
        #expect(try mirror.becomesLike(origin, paths))
    }

    @Test func `A mirror holds back one bundle that cannot be fetched, and follows the others`() throws {
        let origin = try Registry()
        let relay = try Relay(to: origin)
        try origin.publish(BundleForge("com.example.Held"))
        try origin.publish(BundleForge("com.example.Free"))
        let mirror = try startMirror(of: relay.url)
        #expect(try mirror.becomesLike(origin, ["/v1/bundles"]))
        let held = try mirror.seen("/v1/widgets/com.example.Held-1")
        relay.lie { visit, answer in
            if visit.request.target.contains("com.example.Held") {
                visit.answer(503, ["Retry-After: 3600"])
                return nil
            }
            return answer
        }
        try origin.publish(BundleForge("com.example.Held", "1.1"))
        try origin.publish(BundleForge("com.example.Free", "1.1"))
        let free = try origin.seen("/v1/widgets/com.example.Free-1")
        #expect(try mirror.becomes { try mirror.seen("/v1/widgets/com.example.Free-1") == free })
        #expect(try mirror.becomes { try mirror.metrics()["widgetd_mirror_bundles_behind"] == 1 })
        #expect(try mirror.seen("/v1/widgets/com.example.Held-1") == held)
        #expect(try mirror.get("/readyz").text.contains("1 bundles cannot"))
        // It is remembered.
        let home = mirror.home
        mirror.killAtOnce()
        let again = try startMirror(of: relay.url, home: home)
        #expect(try again.becomes { try again.metrics()["widgetd_mirror_bundles_behind"] == 1 })
        relay.lie(nil)
        let paths = ["/v1/bundles", "/v1/widgets/com.example.Held-1", "/v1/bundles/com.example.Held/releases"]
        #expect(
            try again.becomes {
                for path in paths where try again.seen(path) != origin.seen(path) { return false }
                return true
            })
        #expect(try again.becomes { try again.get("/readyz").text.contains("\"mirror\":\"ok\"") })
    }
}

extension Registry {
    /// The names of all files of the data directory.
    var files: Set<String> {
        get throws {
            let root = home.data.path
            let names = try FileManager.default.subpathsOfDirectory(atPath: root)
            // The catalog's, and the one that is written anew with each change.
            return Set(
                names.filter { !$0.hasPrefix("catalog.sqlite") }.map {
                    $0.split(separator: "/").last.map(String.init) ?? $0
                })
        }
    }
}
