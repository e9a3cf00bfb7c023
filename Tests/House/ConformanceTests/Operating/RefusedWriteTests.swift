import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// The audit has a line for each refused write, at every stage of its way.
@Suite struct `The audit of what was refused` {
    private let identifier = "refused.example.Widget"

    /// Waits for the last line about an action with a result.
    private func line(_ registry: Registry, _ action: String, _ result: String) -> JSONValue? {
        guard registry.logs("\"action\":\"\(action)\",\"result\":\"\(result)\"") else { return nil }
        return registry.events("audit").last {
            $0["action"]?.string == action && $0["result"]?.string == result
        }
    }

    private func count(_ registry: Registry, _ action: String) -> Int {
        registry.events("audit").count { $0["action"]?.string == action }
    }

    @Test func `The audit has uploads with an unreadable head`() throws {
        let registry = try Registry()
        let archive = BundleForge(identifier).archive
        let refused = try [
            registry.post(archive, "rollout=much"), registry.post(archive, "dryRun=perhaps"),
            registry.post(archive, "channel=No%20Name"),
            registry.post(archive, "", "Content-Digest: sha-256=:short:"),
            registry.ask(
                "POST", "/v1/bundles", ["Content-Type: multipart/form-data"], body: archive, token: Registry.adminToken),
        ]
        #expect(refused.map(\.status) == [400, 400, 400, 400, 400], "\(refused.map(\.text))")
        // The last is there once all are: each is noted before it is answered.
        try registry.publish(BundleForge(identifier))
        #expect(line(registry, "publish", "created") != nil)
        let lines = registry.events("audit").dropLast()
        #expect(lines.map { $0["request"]?.string } == refused.map { $0.value("Request-Id") })
        #expect(lines.map { $0["result"]?.string } == refused.map { $0.problemCode })
        #expect(lines.allSatisfy { $0["by"]?.string == "admin" })
    }

    @Test func `The audit has uploads that were refused for space, slots or rate`() throws {
        let full = try Registry(["WIDGETD_LIMITS_DISK_RESERVE": "1TiB"], when: "/livez")
        #expect(try full.post(BundleForge(identifier).archive).status == 507)
        #expect(line(full, "publish", "insufficient-storage")?["by"]?.string == "admin")

        let crowded = try Registry(["WIDGETD_LIMITS_CONCURRENT_UPLOADS": "1"])
        let archive = BundleForge(identifier).archive
        let first = try crowded.connect()
        first.connection.send(
            Registry.request(
                "POST", "/v1/bundles", ["Content-Length: \(archive.count)", "Expect: 100-continue"],
                token: Registry.adminToken))
        guard case .bytes = first.connection.receive() else {
            Issue.record("the first upload was not let in")
            return
        }
        #expect(try crowded.post(archive).status == 503)
        #expect(line(crowded, "publish", "too-many-uploads")?["by"]?.string == "admin")
        // The first client closes before it has sent its body.
        first.connection.close()
        #expect(line(crowded, "publish", "not-received")?["by"]?.string == "admin")
        #expect(count(crowded, "publish") == 2)

        let busy = try Registry(["WIDGETD_RATE_LIMIT": "on", "WIDGETD_LIMITS_WRITES_PER_MINUTE": "1"])
        _ = try busy.post(archive)
        #expect(try busy.post(archive).status == 429)
        #expect(line(busy, "publish", "rate-limited")?["by"]?.string == "admin")
        #expect(try busy.withdraw(identifier, "1.0~1").status == 429)
        #expect(line(busy, "withdraw", "rate-limited")?["bundle"]?.string == identifier)
    }

    @Test func `The audit has small bodies that were refused or incomplete`() throws {
        let registry = try Registry()
        try registry.publish(BundleForge(identifier))
        let path = "/v1/bundles/\(identifier)/channels/stable"
        let long = [UInt8](repeating: 0x20, count: 20_000)
        let tooLong = try registry.ask(
            "PUT", path, ["If-Match: *", "Content-Type: application/json"], body: long, token: Registry.adminToken)
        #expect(tooLong.status == 413)
        let promoted = try #require(line(registry, "promote", "not-received"))
        #expect(promoted["request"]?.string == tooLong.value("Request-Id") && promoted["bundle"]?.string == identifier)
        let wrongType = try registry.ask(
            "POST", path + "/rollback", ["Content-Type: text/html"], body: [0x7B], token: Registry.adminToken)
        #expect(wrongType.status == 415)
        #expect(line(registry, "rollback", "not-received")?["request"]?.string == wrongType.value("Request-Id"))
        let gone = try registry.connect()
        gone.connection.send(
            Registry.request("POST", "/v1/tokens", ["Content-Length: 100"], token: Registry.adminToken) + [0x7B])
        // Another answer shows that the half request has been read.
        #expect(try registry.get("/livez").status == 200)
        gone.connection.close()
        #expect(line(registry, "create-token", "not-received")?["by"]?.string == "admin")
        #expect(count(registry, "promote") == 1 && count(registry, "rollback") == 1)
    }
}

/// The audit also has the acts of the owner.
@Suite struct `The audit of the owner` {
    private let registry: Registry

    init() throws {
        registry = try Registry()
        try registry.publish("owner.example.Widget", releases: 2)
    }

    private func line(_ action: String, _ result: String) -> JSONValue? {
        guard registry.logs("\"action\":\"\(action)\",\"result\":\"\(result)\"") else { return nil }
        return registry.events("audit").last {
            $0["action"]?.string == action && $0["result"]?.string == result
        }
    }

    @Test func `The audit has work on the whole store, and its result`() throws {
        #expect(try registry.owner("gc", "--dry-run").exitCode == 0)
        let rehearsal = try #require(line("gc", "dry-run"))
        #expect(rehearsal["by"]?.string == "owner" && rehearsal["report"]?["dryRun"]?.boolean == true)
        #expect(!registry.events("audit").contains { $0["action"]?.string == "gc" && $0["result"]?.string == "done" })
        #expect(try registry.owner("gc").exitCode == 0)
        #expect(registry.logs { line("gc", "done")?["report"]?["dryRun"]?.boolean == false })
        #expect(try registry.owner("scrub").exitCode == 0)
        let scrub = try #require(line("scrub", "done"))
        #expect(scrub["by"]?.string == "owner" && scrub["report"]?["archives"]?.integer == 2)
        #expect(try registry.owner("backup", registry.home.folder.path + "/b.tar").exitCode == 0)
        let backup = try #require(line("backup", "done"))
        #expect(backup["by"]?.string == "owner" && backup["report"]?["archives"]?.integer == 2)
    }

    @Test func `The audit has such work that did not finish`() throws {
        // One of the folders that every store has.
        let (data, folder) = (registry.home.data.path, registry.home.folder.path)
        try FileWork.move("\(data)/blobs/00", to: "\(folder)/00")
        #expect(try registry.owner("gc").exitCode == 1)
        #expect(line("gc", "internal")?["by"]?.string == "owner")
    }

    @Test func `The audit has the tokens that were made and revoked through the control socket`() throws {
        let made = try registry.owner("token", "create", "ci", "--scope", "publish", "--prefix", "owner.example")
        #expect(made.exitCode == 0)
        let line = try #require(self.line("create-token", "done"))
        #expect(line["by"]?.string == "owner" && line["token"]?.string == "ci")
        #expect(line["scopes"]?.string == "publish" && line["prefix"]?.string == "owner.example")
        #expect(try registry.owner("token", "create", "ci", "--scope", "publish").exitCode == 1)
        #expect(self.line("create-token", "token-exists")?["token"]?.string == "ci")
        #expect(try registry.owner("token", "revoke", "ci").exitCode == 0)
        #expect(self.line("revoke-token", "done")?["token"]?.string == "ci")
        #expect(!registry.log.contains(made.output.filter { !$0.isNewline }))
    }
}
