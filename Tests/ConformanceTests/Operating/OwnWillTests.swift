import ConformanceSupport
import Foundation
import JSONText
import TestSupport
import Testing

/// What the owner has decided about housekeeping is what the built program does.
@Suite struct `A registry that keeps house` {
    private let identifier = "house.example.Widget"

    private func scheduled(_ registry: Registry, _ task: String) -> Int {
        registry.events("audit").count {
            $0["action"]?.string == task && $0["result"]?.string == "done" && $0["by"]?.string == "schedule"
        }
    }

    @Test func `does so by itself, as often as it is to`() throws {
        let registry = try Registry([
            "WIDGETD_HOUSEKEEPING_COLLECT_EVERY": "1s", "WIDGETD_HOUSEKEEPING_SCRUB_EVERY": "2s",
        ])
        #expect(registry.becomes { scheduled(registry, "gc") >= 3 && scheduled(registry, "scrub") >= 2 })
        #expect(try registry.metrics()["widgetd_housekeeping_runs_total{task=\"gc\"}"] ?? 0 >= 3)
        registry.signal(SIGTERM)
        registry.process.waitUntilExit()
        #expect(registry.process.terminationStatus == 0)
    }

    @Test(arguments: ["gc", "scrub"]) func `does not do by itself what the owner does not want`(_ task: String) throws {
        let other = task == "gc" ? "scrub" : "gc"
        let names = ["gc": "COLLECT", "scrub": "SCRUB"].mapValues { "WIDGETD_HOUSEKEEPING_\($0)_EVERY" }
        let registry = try Registry([names[task] ?? "": "0s", names[other] ?? "": "1s"])
        #expect(registry.becomes { scheduled(registry, other) >= 3 })
        #expect(scheduled(registry, task) == 0)
    }

    @Test func `removes what nothing refers to once it is old enough`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "300d"])
        let stray = registry.home.data.path + "/blobs/ab/ab" + String(repeating: "0", count: 62) + ".zip"
        #expect(Shell.run("echo stray > '\(stray)'").status == 0)
        let report = try registry.owner("gc")
        #expect(report.output.contains("1 file that nothing refers to, too young to be removed"), "\(report)")
        registry.killAtOnce()
        // The same command without a server has the setting from its own environment.
        let waiting = try registry.owner("gc", environment: ["WIDGETD_HOUSEKEEPING_GRACE": "2h"])
        #expect(waiting.output.contains("1 file that nothing refers to, too young to be removed"), "\(waiting)")
        let again = try Registry(home: registry.home, ["WIDGETD_HOUSEKEEPING_GRACE": "0s"])
        #expect(
            try again.becomes {
                _ = try again.owner("gc")
                return !FileManager.default.fileExists(atPath: stray)
            })
    }

    @Test func `keeps withdrawn releases for as long as it is to, and lets them be restored`() throws {
        let registry = try Registry(["WIDGETD_RETENTION_WITHDRAWN": "3s", "WIDGETD_HOUSEKEEPING_GRACE": "0s"])
        try registry.publish(identifier, releases: 2)
        let digest = try #require(try registry.release(identifier, "1.0~1").text("sha256"))
        let line = "find '\(registry.home.data.path)/blobs' -name '\(digest).zip' | wc -l"
        func files() -> Int { Int(Shell.run(line).output.filter(\.isNumber)) ?? -1 }
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        // Within its time it stays, and comes back; a machine that is too busy for that says that it is too late.
        let start = ContinuousClock.now
        _ = try registry.owner("gc")
        let kept = files()
        if ContinuousClock.now - start < .seconds(2) { #expect(kept == 1) }
        #expect(
            try registry.becomes {
                _ = try registry.owner("gc")
                return files() == 0
            })
        let late = try registry.restore(identifier, "1.0~1")
        #expect(late.status == 410 && late.problemCode == "restore-too-late")
    }

    @Test func `keeps withdrawn releases for a month when nobody says otherwise`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "0s"])
        try registry.publish(identifier, releases: 2)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let report = try registry.owner("gc", "--json")
        #expect(report.output.contains("\"endedReleases\":0"))
        #expect(try registry.restore(identifier, "1.0~1").status == 200)
    }

    @Test func `keeps so many snapshots of a channel, on the channels that have them`() throws {
        let registry = try Registry([
            "WIDGETD_RETENTION_SNAPSHOTS": "2", "WIDGETD_RETENTION_SNAPSHOT_CHANNELS": "nightly",
        ])
        for number in 0..<5 {
            try registry.publish(BundleForge(identifier, text: "night \(number)"), "channel=nightly")
        }
        #expect(try registry.owner("gc", "--dry-run").output.contains("3 snapshots beyond those a channel keeps"))
        #expect(try registry.owner("gc").output.contains("3 snapshots beyond those a channel keeps"))
        let releases = try registry.get("/v1/bundles/\(identifier)/releases")["items"]?.array ?? []
        #expect(releases.map { $0["withdrawn"] != nil } == [false, false, true, true, true])
        // Elsewhere versions have to rise.
        try registry.publish(BundleForge(identifier, text: "day"), "channel=dev")
        #expect(try registry.post(BundleForge(identifier, text: "other day").archive, "channel=dev").status == 409)
    }

    @Test func `reads no faster than it may`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_SCRUB_RATE": "64KiB"])
        for number in 0..<2 { try registry.publish(BundleForge(identifier, "1.\(number)").large(seed: number)) }
        func time(_ body: () throws -> Void) throws -> Duration { try ContinuousClock().measure(body) }
        // Twice 80 KiB.
        let beside = try time { _ = try registry.owner("scrub") }
        registry.killAtOnce()
        let here = try time {
            _ = try registry.owner("scrub", environment: ["WIDGETD_HOUSEKEEPING_SCRUB_RATE": "64KiB"])
        }
        #expect(beside > .seconds(2) && here > .seconds(2), "\(beside), \(here)")
    }

    @Test func `answers words that are no answer to whether it is a rehearsal, and removes nothing`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "0s", "WIDGETD_RETENTION_WITHDRAWN": "0s"])
        try registry.publish(identifier, releases: 2)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let count = "find '\(registry.home.data.path)/blobs' -name '*.zip' | wc -l"
        // A second later it would be taken.
        #expect(registry.becomes { registry.control("POST", "/v1/gc?dryRun=true").contains("\"endedReleases\":1") })
        for word in ["1", "yes", "TRUE", "on"] {
            let answer = registry.control("POST", "/v1/gc?dryRun=\(word)")
            #expect(answer.contains("\"type\":\"/problems/malformed-request\""), "\(word): \(answer)")
        }
        // The name alone is a yes.
        #expect(registry.control("POST", "/v1/gc?dryRun").contains("\"dryRun\":true"))
        for word in ["fast", "0", "-5"] {
            #expect(registry.control("POST", "/v1/scrub?rate=\(word)").contains("malformed-request"), "\(word)")
        }
        #expect(Shell.run(count).output.filter(\.isNumber) == "2")
        #expect(registry.control("POST", "/v1/gc?dryRun=false").contains("\"endedReleases\":1"))
        #expect(
            registry.becomes {
                _ = registry.control("POST", "/v1/gc")
                return Shell.run(count).output.filter(\.isNumber) == "1"
            })
    }
}
