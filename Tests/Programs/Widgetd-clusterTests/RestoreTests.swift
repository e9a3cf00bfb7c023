import ConformanceSupport
import Foundation
import Glibc
import JSONText
import PostgresPeer
import Testing
import WidgetPostgres
import WidgetTestSupport

/// Goal: replicas come back from a backup, and from their archives alone. Method: the built programs, in either place.
@Suite(.part(.cluster))
struct `Replicas that are made anew` {
    private let peer: PostgresPeer
    private let home: Home

    init() throws {
        peer = try PostgresPeer.shared.get()
        home = try Home()
    }

    private func run(_ arguments: [String], _ environment: [String: String]) throws -> BuiltProgram.Result {
        try BuiltProgram("widgetd-cluster").run(
            arguments, environment: environment.merging(["WIDGETD_DATA": "\(home.folder.path)/commands"]) { $1 })
    }

    /// Stops a replica, and half a minute passes.
    private func stop(_ replica: Registry, _ database: String) throws {
        replica.signal(SIGTERM)
        replica.waitUntilExit()
        try PostgresConnection(peer.address(database)).ask(
            "UPDATE replica SET seen = clock_timestamp() - interval '1 minute'", [])
    }

    private func sequence(_ replica: Registry) throws -> Int64 {
        let answer = try replica.get("/v1/bundles/com.acme.Clock/channels/stable")
        return try #require(try JSONValue(parsing: answer.body)["sequence"]?.integer)
    }

    @Test(arguments: ArchivePlace.allCases)
    func `A backup takes the place of what came after it, once no replica runs`(_ place: ArchivePlace) throws {
        let database = try peer.makeDatabase()
        let shared = try place.settings(home).merging(["WIDGETD_CATALOG_URL": peer.url(database)]) { $1 }
        let backup = "\(home.folder.path)/backup.tar"
        let last: Int64
        do {
            let replica = try Registry(shared, program: "widgetd-cluster")
            try replica.publish("com.acme.Clock", releases: 3)
            let written = try run(["backup", backup], shared)
            #expect(written.exitCode == 0, "\(written.error)")
            #expect(try replica.publish(BundleForge("com.acme.Clock", "1.9")).status == 201)
            last = try sequence(replica)
            let refused = try run(["restore", backup], shared)
            #expect(refused.exitCode != 0 && refused.error.contains("stop all replicas"), "\(refused.error)")
            #expect(try replica.release("com.acme.Clock", "1.9~1").status == 200)
            try stop(replica, database)
        }
        let restored = try run(["restore", backup], shared)
        #expect(restored.exitCode == 0 && restored.output.contains("3 releases and 3 archives are back"))
        #expect(restored.output.contains("1 archives were published after the backup"), "\(restored.output)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(home.folder.path)/commands")
        #expect(kept.contains { $0.hasPrefix("replaced-") && $0.hasSuffix("-catalog.sqlite") })
        let replica = try Registry(shared, program: "widgetd-cluster")
        #expect(try replica.release("com.acme.Clock", "1.9~1").status == 404)
        #expect(try replica.resolve("com.acme.Clock").text.contains("\"1.2~1\""))
        #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        #expect(try sequence(replica) > last)
        #expect(try replica.publish(BundleForge("com.acme.Clock", "2.0")).status == 201)
        try stop(replica, database)
    }

    @Test(arguments: ArchivePlace.allCases)
    func `A catalog that was lost is made of the archives and their notes`(_ place: ArchivePlace) throws {
        let blobs = try place.settings(home)
        let database = try peer.makeDatabase()
        do {
            let shared = blobs.merging(["WIDGETD_CATALOG_URL": peer.url(database)]) { $1 }
            let replica = try Registry(shared, program: "widgetd-cluster")
            try replica.publish("com.acme.Clock", releases: 3)
            #expect(try replica.withdraw("com.acme.Clock", "1.2~1").status == 200)
            try stop(replica, database)
        }
        let shared = try blobs.merging(["WIDGETD_CATALOG_URL": peer.url(peer.makeDatabase())]) { $1 }
        let result = try run(["reindex"], shared)
        #expect(result.exitCode == 0 && result.output.contains("3 releases (1 withdrawn)"), "\(result)")
        let replica = try Registry(shared, program: "widgetd-cluster")
        #expect(try replica.resolve("com.acme.Clock").text.contains("\"1.1~1\""))
        #expect(try replica.get("/v1/widgets/com.acme.Clock/bundle").status == 200)
        #expect(try replica.publish(BundleForge("com.acme.Clock", "1.3")).status == 201)
    }
}
