import ConformanceSupport
import Foundation
import Glibc
import JSONText
import ObjectPeer
import PostgresPeer
import Testing
import WidgetTestSupport

/// Servers that share a database and a folder of archives.
private struct Cluster {
    let peer: PostgresPeer
    let replicas: [Registry]
    private let home: Home

    init(
        _ count: Int, on peer: PostgresPeer, _ place: ArchivePlace = .folder, _ environment: [String: String] = [:]
    ) throws {
        self.peer = peer
        let home = try Home()
        self.home = home
        let shared = try place.settings(home).merging(["WIDGETD_CATALOG_URL": peer.url(peer.makeDatabase())]) { $1 }
        replicas = try (0..<count).map { _ in
            try Registry(shared.merging(environment) { $1 }, program: "widgetd-cluster")
        }
    }

    static func member(_ name: String, of answer: WireAnswer) throws -> String? {
        try JSONValue(parsing: answer.body)[name]?.string
    }
}

/// Goal: each run of the tests has met a real PostgreSQL and a real store of objects. Method: one case of the replicas below.
@Suite struct `Replicas on real engines` {
    @Test(arguments: ArchivePlace.allCases)
    func `A release that one replica accepted is on all, and so is its withdrawal`(_ place: ArchivePlace) throws {
        let cluster = try Cluster(3, on: PostgresPeer.shared.get(), place)
        let all = cluster.replicas
        // Not found is an answer that is cached, too.
        for replica in all { #expect(try replica.resolve("com.acme.Clock").status == 404) }
        for (index, version) in ["1.0", "1.1", "1.2"].enumerated() {
            #expect(try all[index].publish(BundleForge("com.acme.Clock", version)).status == 201)
            for replica in all {
                #expect(try replica.becomes { try replica.resolve("com.acme.Clock").text.contains("\"\(version)~1\"") })
                #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
            }
        }
        let digest = try #require(try Cluster.member("sha256", of: all[0].release("com.acme.Clock", "1.2~1")))
        #expect(try all[1].withdraw("com.acme.Clock", "1.2~1").status == 200)
        for replica in all {
            #expect(try replica.becomes { try replica.get("/v1/blobs/sha256/\(digest)").status == 410 })
            #expect(try replica.resolve("com.acme.Clock").text.contains("\"1.1~1\""))
        }
    }
}

/// Goal: replicas are one registry to their clients. Method: the built program, and a real PostgreSQL.
@Suite(.part(.cluster))
struct `Replicas of a registry` {
    private func blobs(_ replica: Registry) throws -> String? {
        try JSONValue(parsing: replica.get("/readyz").body)["checks"]?["blobs"]?.string
    }

    @Test func `A token is good on every replica, and on none once one has revoked it`() throws {
        let cluster = try Cluster(2, on: PostgresPeer.shared.get())
        let (first, second) = (cluster.replicas[0], cluster.replicas[1])
        let made = try first.write("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["admin"]}"#)
        let token = try #require(try Cluster.member("token", of: made))
        #expect(try second.becomes { try second.get("/v1/tokens", token: token).status == 200 })
        #expect(try first.write("DELETE", "/v1/tokens/ci").status < 300)
        #expect(try second.becomes { try second.get("/v1/tokens", token: token).status == 401 })
    }

    @Test func `Without the database cached reads continue for as long as the settings say, and the rest is 503`()
        throws
    {
        let cluster = try Cluster(1, on: PostgresPeer(), .folder, ["WIDGETD_READS_STALE_FOR": "20s"])
        let replica = cluster.replicas[0]
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        #expect(try replica.resolve("com.acme.Clock").status == 200)
        cluster.peer.signal(SIGKILL)
        let read = try replica.resolve("com.acme.Clock")
        #expect(read.status == 200)
        let ready = try replica.get("/readyz")
        #expect(ready.status == 200)
        let other = try replica.resolve("com.acme.Other")
        #expect(other.status == 503)
        #expect(other.value("Retry-After") == "5")
        #expect(try replica.post(BundleForge("com.acme.Clock", "1.1").archive).status == 503)
        #expect(try replica.becomes { try replica.resolve("com.acme.Clock").status == 503 })
        #expect(try replica.becomes { try replica.get("/readyz").status == 503 })
        #expect(try replica.get("/readyz").text.contains("unreachable for "))
        #expect(try replica.get("/livez").status == 200)
        #expect(try replica.metrics()["widgetd_catalog_behind_seconds"] ?? 0 >= 20)
        #expect(replica.events("catalog.unreachable").count == 1)
    }

    @Test
    func `Without the store archives with a copy are served, the rest is 503, and the state of readiness tells`() throws
    {
        let store = try ObjectPeer()
        let cluster = try Cluster(2, on: PostgresPeer.shared.get(), .folder, ArchivePlace.settings(store))
        let (first, second) = (cluster.replicas[0], cluster.replicas[1])
        #expect(try first.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        #expect(try first.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        #expect(try second.becomes { try second.resolve("com.acme.Clock").status == 200 })
        #expect(try blobs(second) == "ok")
        try store.end("proxy")
        #expect(try first.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        let absent = try second.get("/v1/widgets/com.acme.Clock/bundle")
        #expect(absent.status == 503)
        #expect(absent.value("Retry-After") == "5")
        #expect(try second.post(BundleForge("com.acme.Clock", "1.1").archive).status == 503)
        // Some calls in a row have to fail until the store counts as away.
        let isTold = try second.becomes {
            #expect(try second.get("/v1/widgets/com.acme.Clock/bundle").status == 503)
            return try blobs(second)?.contains("the store") == true
        }
        #expect(isTold)
        #expect(try second.get("/readyz").status == 200)
        #expect(try second.resolve("com.acme.Clock").status == 200)
        #expect(try second.release("com.acme.Clock", "1.1~1").status == 404)
    }
}

/// Goal: clients get archives from the store, once its operator says so. Method: the built programs, a real PostgreSQL and a
/// real store.
@Suite(
    .part(.cluster))
struct `A replica that sends clients to its store` {
    private static let named = "/v1/widgets/com.acme.Clock/bundle"

    private func cluster(_ environment: [String: String]) throws -> Cluster {
        let cluster = try Cluster(1, on: PostgresPeer.shared.get(), .store, environment)
        #expect(try cluster.replicas[0].publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        return cluster
    }

    /// The path of the archive for ever, and its digest.
    private func archive(_ replica: Registry, token: String? = nil) throws -> (path: String, digest: String) {
        let release = try replica.get("/v1/bundles/com.acme.Clock/releases/1.0~1", token: token)
        let digest = try #require(try JSONValue(parsing: release.body)["sha256"]?.string)
        return ("/v1/blobs/sha256/\(digest)", digest)
    }

    @Test func `Without the setting every archive comes from the replica`() throws {
        let cluster = try cluster([:])
        let replica = cluster.replicas[0]
        #expect(try replica.get(Self.named).status == 200)
        #expect(try replica.get(try archive(replica).path).status == 200)
    }

    @Test func `A GET of an archive leads to its bytes at the store, and everything else is answered here`() throws {
        let cluster = try cluster(["WIDGETD_BLOBS_REDIRECTS": "true"])
        let replica = cluster.replicas[0]
        let (path, digest) = try archive(replica)
        for (path, caching) in [(path, "private, max-age=240"), (Self.named, "private, max-age=30")] {
            let answer = try replica.get(path)
            #expect(answer.status == 307)
            #expect(answer.value("Cache-Control") == caching)
            for name in ["ETag", "Repr-Digest", "Content-Location", "Last-Modified"] {
                #expect(answer.value(name) == nil)
            }
            let address = try #require(answer.value("Location"))
            let followed = Shell.run("curl -sf '\(address)' | sha256sum")
            #expect(followed.output.hasPrefix(digest), "\(followed.output)")
            let head = try replica.head(path)
            #expect(head.status == 200 && head.value("ETag") == "\"sha256-\(digest)\"")
            #expect(try replica.get(path, "If-None-Match: \"sha256-\(digest)\"").status == 304)
            #expect(try replica.get(path, "If-Match: \"other\"").status == 412)
            let resumed = try replica.get(path, "Range: bytes=0-3", "If-Range: \"sha256-\(digest)\"")
            #expect(resumed.status == 206 && resumed.body == [0x50, 0x4B, 0x03, 0x04])
        }
        let part = try replica.get(path, "Range: bytes=0-3")
        #expect(part.status == 307)
        let address = try #require(part.value("Location"))
        #expect(Shell.run("curl -sf -r 0-3 -w ' %{http_code}' '\(address)'").output.hasSuffix(" 206"))
        // Under a name that may lead to another archive by now, a range without a proof gets the whole.
        #expect(try replica.get(Self.named, "Range: bytes=0-3").status == 200)
        #expect(try replica.get("/v1/blobs/sha256/\(String(repeating: "0", count: 64))").status == 404)
        #expect(try replica.withdraw("com.acme.Clock", "1.0~1").status == 200)
        #expect(try replica.becomes { try replica.get(path).status == 410 })
    }

    @Test func `widget fetch gets an archive from the store`() throws {
        let cluster = try cluster(["WIDGETD_BLOBS_REDIRECTS": "true"])
        /// The archives that the replica has sent itself, after a fetch by a new host.
        func sent(_ variables: [String: String]) throws -> Double {
            let home = try Home()
            let result = try BuiltProgram("widget").run(
                ["fetch", "com.acme.Clock-1", "--server", cluster.replicas[0].url],
                environment: ["WIDGET_CACHE": home.folder.path + "/cache", "PATH": "/usr/bin:/bin"].merging(variables) {
                    $1
                })
            #expect(result.exitCode == 0, "\(result.error)")
            let samples = try cluster.replicas[0].metrics().filter {
                $0.key.hasPrefix("widgetd_blob_copy_lookups_total")
            }
            try #require(!samples.isEmpty)
            return samples.values.reduce(0, +)
        }
        #expect(try sent([:]) == 0)
        // One that has a proxy would go around it.
        #expect(try sent(["all_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"]) > 0)
    }

    @Test func `Where reading needs a token the way to the store is not kept, and hidden archives have none`() throws {
        let cluster = try cluster(["WIDGETD_BLOBS_REDIRECTS": "true", "WIDGETD_ACCESS_READ": "token"])
        let replica = cluster.replicas[0]
        let (path, _) = try archive(replica, token: Registry.adminToken)
        for path in [path, Self.named] {
            #expect(try replica.get(path).status == 401)
            let answer = try replica.get(path, token: Registry.adminToken)
            #expect(answer.status == 307 && answer.value("Cache-Control") == "private, no-store")
        }
        let made = try replica.write(
            "POST", "/v1/tokens", "{\"name\": \"other\", \"prefix\": \"other.example\", \"scopes\": [\"read\"]}")
        let other = try #require(made.text("token"))
        for path in [path, Self.named] { #expect(try replica.get(path, token: other).status == 404) }
    }

    @Test func `While the store is away a copy is sent from here`() throws {
        let store = try ObjectPeer()
        let cluster = try Cluster(
            1, on: PostgresPeer.shared.get(), .folder,
            ArchivePlace.settings(store).merging(["WIDGETD_BLOBS_REDIRECTS": "true"]) { $1 })
        let replica = cluster.replicas[0]
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        #expect(try replica.get(Self.named).status == 307)
        #expect(try replica.head(Self.named).status == 200)
        try store.end("proxy")
        // Calls in a row have to fail until the store counts as away.
        let isServed = try replica.becomes {
            #expect(try replica.post(BundleForge("com.acme.Clock", "1.1").archive).status == 503)
            return try replica.get(Self.named).status == 200
        }
        #expect(isServed)
    }
}

/// Goal: `make check PART=cluster` can tell a history that is right from one that is wrong. Method: histories of both kinds.
@Suite struct `The checker of histories` {
    @Test func `Histories that could not have happened one after the other are found out`() {
        let result = Shell.run("python3 '\(Corpus.repositoryRoot)/Tests/Cluster/linear.py' --self-test 2>&1")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("10 are wrong, as they should be"))
    }
}
