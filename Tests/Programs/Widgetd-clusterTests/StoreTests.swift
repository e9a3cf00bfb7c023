import CellSupport
import ClusterCommands
import CommandSupport
import ConformanceSupport
import Foundation
import Glibc
import JSONText
import ObjectPeer
import PostgresPeer
import Testing
import WidgetPostgres
import WidgetTestSupport

/// A database and a place for archives, and replicas over them, each with other settings.
private struct Shop {
    let peer: PostgresPeer
    let database: String
    let home: Home
    let shared: [String: String]

    init(_ blobs: (Home) throws -> [String: String]) throws {
        peer = try PostgresPeer.shared.get()
        database = try peer.makeDatabase()
        home = try Home()
        shared = try blobs(home).merging(["WIDGETD_CATALOG_URL": peer.url(database)]) { $1 }
    }

    init(_ place: ArchivePlace = .folder) throws { try self.init { try place.settings($0) } }

    func replica(_ change: [String: String] = [:], home: Home? = nil, prelude: String? = nil) throws -> Registry {
        try Registry(home: home, shared.merging(change) { $1 }, prelude: prelude, program: "widgetd-cluster")
    }

    /// Half a minute passes after the end of a replica.
    func forgetsReplicas() throws { try ask("DELETE FROM replica") }

    private static let called = CalledProgram("widgetd-cluster") { WidgetdCluster.run($0, on: $1, in: $2) }

    /// A start that is to be refused.
    func refused(_ change: [String: String], _ arguments: [String] = []) throws -> BuiltProgram.Result {
        let data = "\(home.folder.path)/refused-\(UUID().uuidString)"
        return try Shop.called.run(
            ["serve", "--listen", "127.0.0.1:0", "--data", data] + arguments,
            environment: shared.merging(change) { $1 })
    }

    func check(_ arguments: [String] = [], _ change: [String: String] = [:]) throws -> BuiltProgram.Result {
        // As the servers of tests have it.
        let usual = TestedServer.withoutCells.merging(["WIDGETD_LIMITS_DISK_RESERVE": "0"]) { $1 }
        return try Shop.called.run(
            ["check", "--connect"] + arguments, environment: shared.merging(usual) { $1 }.merging(change) { $1 },
            programs: CalledCell.programs)
    }

    func ask(_ sql: StaticString) throws { try PostgresConnection(peer.address(database)).ask(sql, []) }
}

/// Goal: a replica serves from the store of its catalog or from none. Method: the built program, a real PostgreSQL, a folder,
/// and a real store of objects, with every mistake of `trial` S1 to S3.
@Suite struct `A replica and its store` {
    @Test func `Another folder is refused, twice, and nothing is made in it`() throws {
        let shop = try Shop()
        let replica = try shop.replica()
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        let other = "\(shop.home.folder.path)/not-mounted"
        for _ in 1...2 {
            let result = try shop.refused(["WIDGETD_BLOBS_URL": "file://\(other)"])
            #expect(result.exitCode == 1)
            #expect(
                result.error.contains("blobs.url is file://\(other): the store of archives has no mark of a registry"),
                "\(result.error)")
            #expect(!FileManager.default.fileExists(atPath: other))
        }
        #expect(try shop.check().exitCode == 0)
        let checked = try shop.check([], ["WIDGETD_BLOBS_URL": "file://\(other)"])
        #expect(checked.exitCode == 1 && checked.error.contains("file://\(other)"), "\(checked.error)")
    }

    @Test func `check names each setting in which replicas differ, in a line`() throws {
        let shop = try Shop()
        let replica = try shop.replica(["WIDGETD_ACCESS_READ": "token", "WIDGETD_RETENTION_SNAPSHOTS": "7"])
        // Its row says it within a second.
        #expect(try replica.becomes { try shop.check().output.contains("others that run: 1") })
        let result = try shop.check()
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("differs: ") }
        #expect(result.exitCode == 1 && lines.count == 2, "\(result.output)")
        #expect(lines.contains { $0.hasPrefix("differs: access.read is public here, and token at widgetd, process") })
        #expect(lines.contains { $0.contains("retention.snapshots is 20 here, and 7 at") })
        let same = try shop.check([], ["WIDGETD_ACCESS_READ": "token", "WIDGETD_RETENTION_SNAPSHOTS": "7"])
        #expect(same.exitCode == 0 && same.output.contains("store: the one of this catalog"), "\(same.output)")
    }
}

/// Goal and method: the same, where it takes seconds.
@Suite(.part(.cluster))
struct `A replica and a store that is not its own` {
    private func blobs(_ replica: Registry) throws -> String? {
        try JSONValue(parsing: replica.get("/readyz").body)["checks"]?["blobs"]?.string
    }

    @Test func `A wrong key, region, bucket or prefix ends the start, and the sentence names the place`() throws {
        let shop = try Shop(.store)
        let url = try #require(shop.shared["WIDGETD_BLOBS_URL"])
        let key = try #require(shop.shared["WIDGETD_BLOBS_KEY"])
        let replica = try shop.replica()
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        let bucket = url.replacing("s3://widgets/", with: "s3://gadgets/")
        let prefix = url.replacing("s3://widgets/", with: "s3://widgets/other-")
        let region = url.replacing(/region=[a-z0-9-]+/, with: "region=eu-west-7")
        let cases: [(change: [String: String], words: [String])] = [
            (
                ["WIDGETD_BLOBS_KEY": key.replacing(/secret_access_key = .*/, with: "secret_access_key = wrong")],
                ["403 SignatureDoesNotMatch", url]
            ),
            (["WIDGETD_BLOBS_URL": region], ["the store of objects answers 40", region]),
            (["WIDGETD_BLOBS_URL": bucket], ["404 NoSuchBucket", "make the bucket first", bucket]),
            (["WIDGETD_BLOBS_URL": prefix], ["the store of archives has no mark of a registry", prefix]),
        ]
        for (change, words) in cases {
            for _ in 1...2 {
                let result = try shop.refused(change)
                #expect(result.exitCode == 1)
                for word in words + ["blobs.url is"] { #expect(result.error.contains(word), "\(result.error)") }
            }
        }
        #expect(try blobs(replica) == "ok")
    }

    @Test(arguments: ArchivePlace.allCases)
    func `Another catalog does not get a store that is tied`(_ place: ArchivePlace) throws {
        let shop = try Shop(place)
        _ = try shop.replica()
        let result = try shop.refused(["WIDGETD_CATALOG_URL": shop.peer.url(shop.peer.makeDatabase())])
        #expect(result.exitCode == 1 && result.error.contains("is tied to another catalog"), "\(result.error)")
    }

    @Test(arguments: ArchivePlace.allCases, [true, false])
    func `A catalog from before there were marks is taken over by a right replica alone`(
        _ place: ArchivePlace, isRightFirst: Bool
    ) throws {
        let shop = try Shop(place)
        do {
            let replica = try shop.replica()
            try replica.publish("com.acme.Clock", releases: 3)
            replica.signal(SIGTERM)
            replica.waitUntilExit()
        }
        // As an earlier version has left it.
        try shop.ask("DELETE FROM store_tie")
        let url = try #require(shop.shared["WIDGETD_BLOBS_URL"])
        if place == .folder { try FileManager.default.removeItem(atPath: String(url.dropFirst(7)) + "/registry") }
        let wrong = [
            "WIDGETD_BLOBS_URL": url.replacing("/shared", with: "/other").replacing("widgets/", with: "widgets/x-")
        ]
        if !isRightFirst {
            let refused = try shop.refused(wrong)
            #expect(refused.exitCode == 1 && refused.error.contains("archives of this catalog"), "\(refused.error)")
        }
        if place == .store {
            // The mark of the later version is there, and the row is not: as after a restore of the database alone.
            let refused = try shop.refused([:])
            #expect(refused.error.contains("is tied to another catalog"), "\(refused.error)")
            let adopted = try shop.check(["--adopt-store"])
            #expect(adopted.exitCode == 0 && adopted.output.contains("compared there: 3"), "\(adopted)")
        }
        let replica = try shop.replica()
        #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        #expect(try shop.refused(wrong).exitCode == 1)
    }

    @Test func `A store that hangs at the start is waited for, and documents are served meanwhile`() throws {
        let store = try ObjectPeer()
        let shop = try Shop { _ in ArchivePlace.settings(store) }
        let home = try Home()
        do {
            let replica = try shop.replica(home: home)
            #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
            #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
            replica.signal(SIGTERM)
            replica.waitUntilExit()
        }
        try store.hold("proxy", true)
        try shop.forgetsReplicas()
        // Its copies stay.
        let replica = try shop.replica(home: home)
        #expect(try replica.resolve("com.acme.Clock").status == 200)
        #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        let refused = try replica.post(BundleForge("com.acme.Clock", "1.1").archive)
        #expect(
            refused.status == 503 && refused.problemCode == "store-unreachable" && refused.value("Retry-After") == "5")
        #expect(try replica.get("/readyz").status == 200)
        #expect(try blobs(replica)?.contains("does not answer") == true)
        // It began before the log listened.
        #expect(!replica.events("store.unreachable").isEmpty)
        #expect(try shop.check().error.contains("does not answer"))
        try store.hold("proxy", false)
        #expect(try replica.becomes { try blobs(replica) == "ok" })
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.1")).status == 201)
    }

    @Test
    func `A store that hangs while it is used is named, and takes a replica out only while another one reaches it`()
        throws
    {
        let store = try ObjectPeer()
        let shop = try Shop { _ in ArchivePlace.settings(store) }
        let (first, second) = (try shop.replica(), try shop.replica())
        #expect(try first.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        try store.hold("proxy", true)
        // A trouble that all share takes none out of service for longer than a sign of life counts.
        for replica in [first, second] {
            #expect(try replica.becomes { try blobs(replica)?.contains("does not answer") == true })
            #expect(try replica.becomes { try replica.get("/readyz").status == 200 })
            #expect(try replica.resolve("com.acme.Clock").status == 200)
            let refused = try replica.post(BundleForge("com.acme.Clock", "1.1").archive)
            #expect(refused.status == 503 && refused.problemCode == "store-unreachable")
        }
        // The other one reaches it, as its row would say.
        try shop.ask(
            "INSERT INTO replica (id, name, schema, seen, store, settings) VALUES ('x', 'x', 1, now() + interval '1 hour', 'ok', '{}')"
        )
        #expect(try first.becomes { try first.get("/readyz").status == 503 })
        #expect(try first.get("/readyz").text.contains("does not answer"))
        try shop.ask("DELETE FROM replica WHERE id = 'x'")
        try store.hold("proxy", false)
        for replica in [first, second] {
            #expect(try replica.becomes { try blobs(replica) == "ok" })
            #expect(replica.events("store.unreachable").count == 1 && replica.events("store.reachable").count == 1)
        }
        #expect(try second.publish(BundleForge("com.acme.Clock", "1.1")).status == 201)
    }

    @Test func `A folder whose mark is gone, as when it is not mounted any more, is left alone until it is back`()
        throws
    {
        let shop = try Shop()
        let replica = try shop.replica()
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        let folder = "\(shop.home.folder.path)/shared"
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
        #expect(try replica.becomes { try blobs(replica)?.contains("no mark") == true })
        let refused = try replica.post(BundleForge("com.acme.Clock", "1.1").archive)
        #expect(refused.status == 503 && refused.problemCode == "store-refused")
        for command in ["gc", "scrub"] {
            let result = try BuiltProgram("widgetd-cluster").run(
                [command, "--data", replica.home.data.path], environment: shop.shared)
            #expect(result.exitCode != 0, "\(result)")
        }
        #expect(try replica.resolve("com.acme.Clock").status == 200)
        #expect(!FileManager.default.fileExists(atPath: folder))
        try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
        #expect(try replica.becomes { try blobs(replica) == "ok" })
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.1")).status == 201)
    }

    @Test func `A folder that another one has taken the place of, with the same content, is opened anew`() throws {
        let shop = try Shop()
        let replica = try shop.replica()
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.0")).status == 201)
        let folder = "\(shop.home.folder.path)/shared"
        let moved = Shell.run("cd '\(shop.home.folder.path)' && cp -a shared new && mv shared old && mv new shared")
        #expect(moved.status == 0, "\(moved.output)")
        /// The archives in the folder that is there now.
        func count() -> Int {
            Int(Shell.run("find '\(folder)/blobs' -name '*.zip' | wc -l").output.filter(\.isNumber)) ?? 0
        }
        let before = count()
        var number = 0
        let isFound = try replica.becomes {
            number += 1
            let answer = try replica.publish(BundleForge("com.acme.Clock", "2.\(number)"))
            #expect(answer.status == 201)
            return count() > before
        }
        #expect(before == 1 && isFound)
    }

    @Test func `Replicas that have ended, and starts that were refused, are not among those that run`() throws {
        let shop = try Shop()
        let replica = try shop.replica()
        _ = try shop.refused(["WIDGETD_BLOBS_URL": "file://\(shop.home.folder.path)/other"])
        #expect(try replica.becomes { try shop.check().output.contains("others that run: 1") })
        replica.signal(SIGTERM)
        replica.waitUntilExit()
        #expect(try shop.check().output.contains("no other one runs"))
    }

    /// Shell commands after which the clock is wrong by some seconds.
    private func wrongClock(_ shop: Shop, by seconds: Int) throws -> String {
        let library = "\(shop.home.folder.path)/clock.so"
        let built = Shell.run(
            "cc -shared -fPIC -O -o '\(library)' '\(Corpus.repositoryRoot)/Tests/Cluster/clock.c' -ldl")
        try #require(built.status == 0, "\(built.output)")
        return "export LD_PRELOAD='\(library)' CLOCK_SKEW=\(seconds)"
    }

    @Test func `Dates and the end of what was withdrawn are by the database's clock, and not by that of a replica`()
        throws
    {
        let shop = try Shop()
        let days = 400
        let wrong = try wrongClock(shop, by: days * 86_400)
        let (right, ahead) = (try shop.replica(), try shop.replica(prelude: wrong))
        let years = [ahead, right].enumerated().map { number, replica in
            let made = try? replica.publish(BundleForge("com.acme.Clock", "1.\(number)"))
            return made?.text.firstMatch(of: /"published":"(\d{4})-/).map { String($0.1) }
        }
        #expect(years[0] != nil && years[0] == years[1], "\(years)")
        #expect(try ahead.withdraw("com.acme.Clock", "1.0~1").status == 200)
        let collected = try BuiltProgram("widgetd-cluster").run(
            ["gc", "--data", ahead.home.data.path], environment: shop.shared)
        #expect(collected.exitCode == 0, "\(collected)")
        #expect(try right.write("POST", "/v1/bundles/com.acme.Clock/releases/1.0~1/restore").status == 200)
    }

    @Test func `A clock that the store does not believe ends the start`() throws {
        let shop = try Shop(.store)
        _ = try shop.replica()
        let error = #expect(throws: Registry.DidNotStart.self) {
            try shop.replica(prelude: wrongClock(shop, by: 86_400))
        }
        #expect(error?.description.contains("the clock of this machine, or of the store, is wrong") == true, "\(error)")
    }
}
