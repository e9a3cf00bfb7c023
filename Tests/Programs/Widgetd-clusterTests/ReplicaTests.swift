import ConformanceSupport
import Foundation
import Glibc
import JSONText
import ObjectPeer
import PostgresPeer
import TestSupport
import Testing

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
}

/// Goal: replicas are one registry to their clients. Method: the built program, and a real PostgreSQL.
@Suite(.enabled(if: PostgresPeer.isInstalled, PostgresPeer.absence), .timeLimit(.minutes(5)))
struct `Replicas of a registry` {
    private func member(_ name: String, of answer: WireAnswer) throws -> String? {
        try JSONValue(parsing: answer.body)[name]?.string
    }

    private func blobs(_ replica: Registry) throws -> String? {
        try JSONValue(parsing: replica.get("/readyz").body)["checks"]?["blobs"]?.string
    }

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
        let digest = try #require(try member("sha256", of: all[0].release("com.acme.Clock", "1.2~1")))
        #expect(try all[1].withdraw("com.acme.Clock", "1.2~1").status == 200)
        for replica in all {
            #expect(try replica.becomes { try replica.get("/v1/blobs/sha256/\(digest)").status == 410 })
            #expect(try replica.resolve("com.acme.Clock").text.contains("\"1.1~1\""))
        }
    }

    @Test func `A token is good on every replica, and on none once one has revoked it`() throws {
        let cluster = try Cluster(2, on: PostgresPeer.shared.get())
        let (first, second) = (cluster.replicas[0], cluster.replicas[1])
        let made = try first.write("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["admin"]}"#)
        let token = try #require(try member("token", of: made))
        #expect(try second.becomes { try second.get("/v1/tokens", token: token).status == 200 })
        let start = ContinuousClock.now
        #expect(try first.write("DELETE", "/v1/tokens/ci").status < 300)
        #expect(try second.becomes { try second.get("/v1/tokens", token: token).status == 401 })
        // The promise is one second; a busy machine gets more.
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `Without the database cached reads continue for as long as the settings say, and the rest is 503`()
        throws
    {
        let cluster = try Cluster(1, on: PostgresPeer(), .folder, ["WIDGETD_READS_STALE_FOR": "8s"])
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
        #expect(try replica.metrics()["widgetd_catalog_behind_seconds"] ?? 0 >= 8)
        #expect(replica.events("catalog.unreachable").count == 1)
    }

    @Test(.enabled(if: ObjectPeer.isInstalled))
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

/// Goal: `make cluster` can tell a history that is right from one that is wrong. Method: histories of both kinds.
@Suite struct `The checker of histories` {
    @Test func `Histories that could not have happened one after the other are found out`() {
        let result = Shell.run("python3 '\(Corpus.repositoryRoot)/Tests/Cluster/linear.py' --self-test 2>&1")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("10 are wrong, as they should be"))
    }
}
