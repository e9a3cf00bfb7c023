import ConformanceSupport
import Foundation
import Glibc
import ObjectPeer
import PostgresPeer
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// Goal: a registry that outgrew its directory is the same on a database, and can go back. Method: the built programs.
@Suite(.part(.cluster))
struct `A registry that moves to a database` {
    private static let pages = [
        "/v1/bundles", "/v1/bundles/com.acme.Clock/releases", "/v1/bundles/com.acme.Clock/channels", "/v1/changes",
        "/v1/tokens", "/v1/audit", "/v1/bundles/com.acme.Clock/releases/1.1~1", "/v1/widgets/com.acme.Clock",
        "/v1/bundles/com.acme.Clock/releases/1.1~1/report",
    ]

    /// All that clients can read, without what this reading leaves behind.
    private func everything(_ registry: Registry) throws -> [String] {
        try Self.pages.map { path in
            let answer = try registry.get(path, token: Registry.adminToken)
            #expect(answer.status == 200, "\(path)")
            return answer.text
        }
    }

    @Test(arguments: ArchivePlace.allCases)
    func `migrate moves every record and archive, and the directory is not served any more`(
        _ place: ArchivePlace
    ) throws {
        let peer = try PostgresPeer.shared.get()
        let home = try Home()
        let before: [String]
        var archive: [UInt8] = []
        do {
            let registry = try Registry(home: home)
            try registry.publish("com.acme.Clock", releases: 3)
            #expect(try registry.promote("com.acme.Clock", "1.0~1", channel: "stable").status == 200)
            #expect(try registry.withdraw("com.acme.Clock", "1.2~1").status == 200)
            #expect(try registry.write("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#).status == 201)
            #expect(try registry.write("DELETE", "/v1/tokens/ci").status < 300)
            before = try everything(registry)
            archive = try registry.get("/v1/widgets/com.acme.Clock/bundle").body
            registry.signal(SIGTERM)
            registry.waitUntilExit()
        }
        let blobs = try place.settings(home)
        let shared = try blobs.merging([
            "WIDGETD_CATALOG_URL": peer.url(peer.makeDatabase()), "WIDGETD_DATA": "\(home.folder.path)/replica",
        ]) { $1 }
        func migrate() throws -> BuiltProgram.Result {
            try BuiltProgram("widgetd-cluster").run(["migrate", "--from", home.data.path], environment: shared)
        }
        // Cut short after some archives: the next run continues.
        let first = try migrate()
        #expect(first.exitCode == 0, "\(first.error)")
        #expect(first.output.contains("3 archives and 4 notes were copied, 0 archives were there already"))
        let again = try migrate()
        #expect(again.exitCode == 1 && again.error.contains("was moved already"))
        let refused = try BuiltProgram("widgetd").run(["serve", "--listen", "127.0.0.1:0", "--data", home.data.path])
        #expect(refused.exitCode != 0 && refused.error.contains("was moved to a database"))

        let replicaHome = try Home()
        let replica = try Registry(
            home: replicaHome, shared.filter { $0.key != "WIDGETD_DATA" }, program: "widgetd-cluster")
        #expect(try everything(replica) == before)
        #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").body == archive)
        // Its numbers continue, and what was withdrawn can be restored.
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.3")).status == 201)
        #expect(try replica.restore("com.acme.Clock", "1.2~1").status == 200)

        // A database with a registry is not filled again.
        try FileManager.default.removeItem(at: home.data.appending(path: "unfinished"))
        let second = try migrate()
        #expect(
            second.exitCode == 2 && second.error.contains("the database holds a registry already"), "\(second.error)")
        #expect(!FileManager.default.fileExists(atPath: home.data.appending(path: "unfinished").path))

        // And back, by a backup.
        let after = try everything(replica)
        let backup = "\(home.folder.path)/backup.tar"
        let written = try BuiltProgram("widgetd-cluster").run(
            ["backup", backup], environment: shared.merging(["WIDGETD_DATA": replicaHome.data.path]) { $1 })
        #expect(written.exitCode == 0, "\(written.error)")
        let restoredHome = try Home()
        let restored = try BuiltProgram("widgetd").run(["restore", backup, "--data", restoredHome.data.path])
        #expect(restored.exitCode == 0, "\(restored.error)")
        let back = try Registry(home: restoredHome)
        #expect(try back.get("/v1/bundles/com.acme.Clock/releases").text == after[1])
        #expect(
            try back.get("/v1/widgets/com.acme.Clock/bundle").body
                == replica.get("/v1/widgets/com.acme.Clock/bundle").body)
    }

    @Test func `migrate and a backup have the counts of outcomes, what has expired, and what is taken up`() throws {
        let peer = try PostgresPeer.shared.get()
        let home = try Home()
        let settings = [
            "WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_QUOTA_RULES": "com.acme releases=5",
            "WIDGETD_RETENTION_RULES": "com.acme last=2", "WIDGETD_RETENTION_ROLLBACKS": "0",
        ]
        let pages = [
            "/v1/bundles/com.acme.Clock/releases/1.3~1/outcomes", "/v1/bundles/com.acme.Clock/releases",
            "/v1/changes",
        ]
        func everything(_ registry: Registry) throws -> [String] {
            try pages.map { path in
                let answer = try registry.get(path, token: Registry.adminToken)
                #expect(answer.status == 200, "\(path)")
                return answer.text
            }
        }
        func used(_ registry: Registry) throws -> [Double?] {
            let metrics = try registry.metrics()
            return ["bytes", "releases", "publications"].map {
                metrics["widgetd_prefix_used{prefix=\"com.acme\",measure=\"\($0)\"}"]
            }
        }
        /// The notes of expired releases, by their names.
        func notes(below folder: String) throws -> Set<String> {
            let files = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
            return Set(
                files.filter { $0.hasSuffix("~expired.json") }.compactMap {
                    $0.split(separator: "/").last.map(String.init)
                })
        }
        let (before, taken): ([String], [Double?])
        do {
            let clock = ManualClock(date: .seconds(Int64(Date().timeIntervalSince1970)))
            let registry = try Registry(home: home, settings, clock: clock)
            try registry.publish("com.acme.Clock", releases: 4)
            let report = "{\"release\": \"1.3~1\", \"channel\": \"stable\", \"outcome\": \"confirmed\"}"
            for _ in 0..<3 {
                let answer = try registry.ask(
                    "POST", "/v1/widgets/com.acme.Clock/outcomes", body: Array("{\"outcomes\": [\(report)]}".utf8))
                #expect(answer.status == 202)
            }
            let isCounted = try registry.becomes {
                registry.passes(.seconds(1))
                return try registry.get(pages[0], token: Registry.adminToken).text.contains("\"confirmed\":3")
            }
            #expect(isCounted)
            // Three days later two releases expire.
            registry.passes(.seconds(3 * 86_400))
            let collected = try registry.owner("gc", "--yes")
            #expect(collected.output.contains("2 releases have expired by com.acme last=2"), "\(collected)")
            (before, taken) = (try everything(registry), try used(registry))
            #expect(before[1].contains("\"expired\":{") && taken[1] == 2)
            registry.signal(SIGTERM)
            registry.waitUntilExit()
        }
        let shared = [
            "WIDGETD_BLOBS_URL": "file://\(home.folder.path)/shared",
            "WIDGETD_CATALOG_URL": peer.url(try peer.makeDatabase()),
        ]
        let place = shared.merging(["WIDGETD_DATA": "\(home.folder.path)/replica"]) { $1 }
        let moved = try BuiltProgram("widgetd-cluster").run(["migrate", "--from", home.data.path], environment: place)
        #expect(moved.exitCode == 0, "\(moved.error)")
        let expired = try notes(below: home.data.path)
        #expect(try expired.count == 2 && notes(below: "\(home.folder.path)/shared") == expired)
        let replicaHome = try Home()
        let replica = try Registry(home: replicaHome, shared.merging(settings) { $1 }, program: "widgetd-cluster")
        #expect(try everything(replica) == before)
        // Of the publications the day is over, or not: the clock of the replica is the machine's.
        #expect(try used(replica).prefix(2) == taken.prefix(2))
        let gone = try replica.post(BundleForge("com.acme.Clock", "1.0").archive)
        #expect(gone.status == 409 || gone.status == 410, "\(gone.text)")
        let backup = "\(home.folder.path)/backup.tar"
        let written = try BuiltProgram("widgetd-cluster").run(
            ["backup", backup], environment: place.merging(["WIDGETD_DATA": replicaHome.data.path]) { $1 })
        #expect(written.exitCode == 0, "\(written.error)")
        let restoredHome = try Home()
        let restored = try BuiltProgram("widgetd").run(["restore", backup, "--data", restoredHome.data.path])
        #expect(restored.exitCode == 0, "\(restored.error)")
        let listed = Shell.run("tar -tf '\(backup)'").output.split(separator: "\n")
        #expect(Set(listed.compactMap { $0.split(separator: "/").last.map(String.init) }).isSuperset(of: expired))
        #expect(try notes(below: restoredHome.data.path) == expired)
        let back = try Registry(home: restoredHome, settings)
        #expect(try everything(back).prefix(2) == before.prefix(2))
        #expect(try used(back).prefix(2) == taken.prefix(2))
    }

    @Test func `migrate leaves out the archives that are there, and names those that are damaged`() throws {
        let peer = try PostgresPeer.shared.get()
        let home = try Home()
        do {
            let registry = try Registry(home: home)
            try registry.publish("com.acme.Clock", releases: 3)
            registry.signal(SIGTERM)
            registry.waitUntilExit()
        }
        let shared = [
            "WIDGETD_BLOBS_URL": "file://\(home.folder.path)/shared", "WIDGETD_DATA": "\(home.folder.path)/replica",
        ]
        // The database is away: the archives are copied only when it is there, and nothing is marked.
        let away = try BuiltProgram("widgetd-cluster").run(
            ["migrate", "--from", home.data.path, "--catalog", "postgres://u@127.0.0.1:9/d"], environment: shared)
        #expect(away.exitCode == 1)
        let files = try #require(
            FileManager.default.enumerator(atPath: home.data.path + "/blobs")?.allObjects as? [String])
        let archives = files.filter { $0.hasSuffix(".zip") }.sorted()
        #expect(archives.count == 3)
        // One is there from an earlier run, and one has gone bad.
        try FileManager.default.createDirectory(
            atPath: "\(home.folder.path)/shared/blobs/\(archives[0].prefix(2))", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(home.data.path)/blobs/\(archives[0])", toPath: "\(home.folder.path)/shared/blobs/\(archives[0])")
        #expect(
            Shell.run("printf X | dd of='\(home.data.path)/blobs/\(archives[1])' bs=1 seek=40 conv=notrunc").status == 0
        )
        let result = try BuiltProgram("widgetd-cluster").run(
            ["migrate", "--from", home.data.path, "--catalog", peer.url(peer.makeDatabase())], environment: shared)
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(
            result.output.contains("1 archives and 3 notes were copied, 1 archives were there already"),
            "\(result.output)")
        #expect(
            result.output.contains("archive \(archives[1].dropFirst(3).prefix(64)) has other bytes than were stored"))
    }
}
