import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// The counts of `/metrics` follow the events of the server.
@Suite struct `What the metrics say` {
    private let registry: Registry
    private let identifier = "metric.example.Widget"

    init() throws {
        registry = try Registry(["WIDGETD_LIMITS_DISK_RESERVE": "12MiB", "WIDGETD_HOUSEKEEPING_GRACE": "0s"])
    }

    /// The growth of samples while `body` ran; a missing sample is zero.
    private func growth(
        _ names: [String], of other: Registry? = nil, while body: () throws -> Void
    ) throws -> [Double] {
        let registry = other ?? registry
        let before = try registry.metrics()
        try body()
        let after = try registry.metrics()
        return names.map { (after[$0] ?? 0) - (before[$0] ?? 0) }
    }

    private func sample(_ name: String) throws -> Double? { try registry.metrics()[name] }

    @Test func `Metrics count writes by kind and result`() throws {
        let names = [
            ("publish", "created"), ("publish", "unchanged"), ("publish", "dry-run"), ("publish", "not-a-zip"),
            ("publish", "unauthorized"), ("promote", "done"), ("withdraw", "done"), ("withdraw", "no-such-release"),
        ].map { "widgetd_writes_total{action=\"\($0.0)\",result=\"\($0.1)\"}" }
        let counts = try growth(names) { () throws in
            try registry.publish(identifier, releases: 3)
            try registry.publish(BundleForge(identifier, "1.0"))
            _ = try registry.post(BundleForge(identifier, "2.0").archive, "dryRun=true")
            _ = try registry.post(Array("no zip".utf8))
            _ = try registry.post(Array("no zip".utf8))
            _ = try registry.post(BundleForge(identifier, "2.0").archive, token: nil)
            #expect(try registry.promote(identifier, "1.0~1").status == 200)
            #expect(try registry.withdraw(identifier, "1.2~1").status == 200)
            #expect(try registry.withdraw(identifier, "9.9~9").status == 404)
        }
        #expect(counts == [3, 1, 1, 2, 1, 1, 1, 1])
    }

    @Test func `Metrics count stripped files by rule`() throws {
        let names = ["executable", "noise", "not-allowed", "signature"].map {
            "widgetd_stripped_files_total{rule=\"\($0)\"}"
        }
        let bundle = BundleForge(identifier).adding("readme.txt", "x").adding("notes.xyz", "y").adding(".DS_Store", "z")
        let counts = try growth(names) { () throws in
            // Nothing is stripped where nothing is stored.
            _ = try registry.post(bundle.archive, "dryRun=true")
            try registry.publish(bundle)
            // The same upload again strips no more files.
            try registry.publish(bundle)
        }
        #expect(counts == [0, 1, 2, 0])
    }

    @Test func `Metrics count reads by whether the answer was cached`() throws {
        try registry.publish(BundleForge(identifier))
        let digest = try #require(try registry.resolve(identifier).text("candidates.0.sha256"))
        func name(_ cache: String, _ outcome: String) -> String {
            "widgetd_cache_lookups_total{cache=\"\(cache)\",outcome=\"\(outcome)\"}"
        }
        _ = try registry.get("/v1/blobs/sha256/\(digest)")
        let names = [name("documents", "hit"), name("documents", "miss"), name("archives", "hit")]
        let counts = try growth(names) { () throws in
            for _ in 0..<5 { #expect(try registry.resolve(identifier).status == 200) }
            for _ in 0..<3 { #expect(try registry.get("/v1/blobs/sha256/\(digest)").status == 200) }
        }
        #expect(counts[0] >= 5 && counts[1] == 0 && counts[2] == 3, "\(counts)")
        let missed = try growth([name("documents", "miss"), name("archives", "miss")]) { () throws in
            let other = try registry.publish(BundleForge(identifier, "1.1"))
            #expect(try registry.resolve(identifier).status == 200)
            #expect(try registry.get("/v1/blobs/sha256/\(other.text("sha256") ?? "")").status == 200)
        }
        #expect(missed[0] >= 1 && missed[1] == 1, "\(missed)")
    }

    @Test func `Metrics count and time placing, committing and comparing in the store`() throws {
        let steps = ["place", "commit", "verify"].map { "{step=\"\($0)\"}" }
        let names = ["_count", "_sum"].flatMap { part in steps.map { "widgetd_store_duration_seconds\(part)\($0)" } }
        let all = "widgetd_store_duration_seconds_bucket{step=\"place\",le=\"+Inf\"}"
        let counts = try growth(names + [all]) { () throws in
            try registry.publish(identifier, releases: 3)
            let digest = try registry.resolve(identifier).text("candidates.0.sha256") ?? ""
            #expect(try registry.get("/v1/blobs/sha256/\(digest)").status == 200)
        }
        #expect(counts[0] == 3 && counts[1] >= 3 && counts[2] >= 1, "\(counts)")
        #expect(counts[3...5].allSatisfy { $0 > 0 } && counts[6] == 3, "\(counts)")
        #expect(try sample("widgetd_store_failures_total{step=\"commit\"}") == 0)
    }

    @Test func `Metrics show the last change of the feed`() throws {
        let before = try #require(try sample("widgetd_latest_change_tag"))
        try registry.publish(identifier, releases: 2)
        let after = try #require(try sample("widgetd_latest_change_tag"))
        #expect(after > before)
        #expect(try registry.get("/v1/changes?since=\(Int(after))").names("items").isEmpty)
        #expect(try registry.get("/v1/changes?since=\(Int(after) - 1)").number("items.0.tag") == Int(after))
    }

    @Test func `Metrics show when each expiring token ends`() throws {
        let start = Date().timeIntervalSince1970
        let brief = try registry.write(
            "POST", "/v1/tokens", "{\"name\": \"brief\", \"scopes\": [\"read\"], \"expires\": \"2h\"}")
        #expect(brief.status == 201)
        let number = try #require(brief.number("number"))
        let lasting = "{\"name\": \"lasting\", \"scopes\": [\"read\"]}"
        #expect(try registry.write("POST", "/v1/tokens", lasting).status == 201)
        let name = "widgetd_token_expiry_timestamp_seconds"
        let ends = try #require(try sample("\(name){token=\"brief\",number=\"\(number)\"}"))
        #expect(ends >= (start + 7_199).rounded(.down) && ends <= Date().timeIntervalSince1970 + 7_201)
        #expect(try sample("\(name){token=\"lasting\",number=\"\(number + 1)\"}") == nil)
        #expect(try registry.write("DELETE", "/v1/tokens/brief").status == 204)
        #expect(try sample("\(name){token=\"brief\",number=\"\(number)\"}") == nil)
    }

    @Test func `Metrics show the disk's free and reserved space`() throws {
        #expect(try sample("widgetd_disk_reserve_bytes") == Double(12 << 20))
        let free = try #require(try sample("widgetd_disk_free_bytes"))
        let place = try FileManager.default.attributesOfFileSystem(forPath: registry.home.data.path)
        let known = try #require(place[.systemFreeSize] as? NSNumber).doubleValue
        // Others write to the same disk meanwhile.
        #expect(free > known / 2 && free < known * 2)
        #expect(try sample("widgetd_build_info{version=\"0.2.0\"}") == 1)
        #expect(try #require(try sample("process_open_fds")) > 5)
        #expect(try #require(try sample("process_resident_memory_bytes")) > 1_000_000)
    }

    @Test func `Metrics show the last run and result of housekeeping`() throws {
        try registry.publish(identifier, releases: 3)
        let start = Date().timeIntervalSince1970.rounded(.down)
        let tasks = ["gc", "scrub", "backup"]
        func names(_ metric: String) -> [String] { tasks.map { "widgetd_housekeeping_\(metric){task=\"\($0)\"}" } }
        let before = try registry.metrics()
        #expect(names("last_success_timestamp_seconds").map { before[$0] } == [0, 0, 0])
        #expect(names("running").map { before[$0] } == [0, 0, 0])
        let size = try #require(try registry.get("/v1/bundles/\(identifier)/releases")["items"]?.array).reduce(0) {
            $0 + ($1["size"]?.integer ?? 0)
        }
        let runs = try growth(names("runs_total") + ["widgetd_scrub_read_bytes_total"]) { () throws in
            for command in ["gc", "scrub", "scrub"] { #expect(try registry.owner(command).exitCode == 0) }
            #expect(try registry.owner("backup", registry.home.folder.path + "/b.tar").exitCode == 0)
        }
        #expect(runs == [1, 2, 1, Double(2 * size)])
        let after = try registry.metrics()
        for name in names("last_success_timestamp_seconds") { #expect(after[name] ?? 0 >= start, "\(name)") }
        for name in names("failures_total") { #expect(after[name] == 0, "\(name)") }
    }

    @Test func `Metrics show what gc removed`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "0s"], clock: .today)
        let stray = registry.home.data.path + "/blobs/ab/ab" + String(repeating: "0", count: 62) + ".zip"
        try FileWork.write(String(repeating: "0", count: 4_321), to: stray)
        let names = ["widgetd_gc_removed_archives_total", "widgetd_gc_removed_bytes_total"]
        #expect(try growth(names, of: registry) { _ = try registry.owner("gc", "--dry-run") } == [0, 0])
        // A file is old enough a second after it was made.
        registry.passes(.seconds(3_600))
        let counts = try growth(names, of: registry) { () throws in
            _ = try registry.owner("gc")
            #expect(!FileManager.default.fileExists(atPath: stray))
        }
        #expect(counts == [1, 4_321])
    }

    @Test func `Metrics show the findings of scrub by kind, until a scrub finds nothing`() throws {
        try registry.publish(identifier, releases: 3)
        let archives = FileWork.files(below: registry.home.data.path + "/blobs", endingWith: ".zip")
        try #require(archives.count > 1)
        try FileWork.append("x\n", to: archives[0])
        try FileWork.remove(archives[1])
        #expect(try registry.owner("scrub").exitCode == 3)
        func findings() throws -> [Double?] {
            let all = try registry.metrics()
            return ["damaged", "missing", "unreadable", "catalog"].map { all["widgetd_scrub_findings{kind=\"\($0)\"}"] }
        }
        #expect(try findings() == [1, 1, 0, 0])
        try registry.publish(identifier, releases: 3)
        #expect(try registry.owner("scrub").exitCode == 0)
        #expect(try findings() == [0, 0, 0, 0])
        // Failed work is counted separately.
        let (data, folder) = (registry.home.data.path, registry.home.folder.path)
        try FileWork.move("\(data)/blobs/00", to: "\(folder)/00")
        let names = ["gc", "scrub"].map { "widgetd_housekeeping_failures_total{task=\"\($0)\"}" }
        let failures = try growth(names) { () throws in
            #expect(try registry.owner("gc").exitCode == 1)
        }
        #expect(failures == [1, 0])
    }

    @Test func `Metrics show work under way, and its progress`() async throws {
        let clock = ManualClock.today
        let registry = try Registry(["WIDGETD_LIMITS_DISK_RESERVE": "12MiB"], clock: clock)
        // Three archives of 64 KiB and more, at a byte a second, are read for days that pass when the test says so.
        for number in 0..<3 { try registry.publish(BundleForge(identifier, "1.\(number)").large(seed: number)) }
        let running = "widgetd_housekeeping_running{task=\"scrub\"}"
        let ratio = "widgetd_housekeeping_progress_ratio{task=\"scrub\"}"
        let owner = try RawConnection(unixPath: registry.home.data.appending(path: "control.sock").path)
        owner.send(Array("POST /v1/scrub?rate=1 HTTP/1.0\r\nHost: control\r\nContent-Length: 0\r\n\r\n".utf8))
        // A line comes with each part of the work, and the first says that nothing is done yet. Between parts it rests.
        let first = clock.now + .seconds(65_536)
        await clock.waits { $0.contains { $0 >= first } }
        registry.passes(.seconds(86_400))
        var text = ""
        while !text.contains(/"done":[1-9]/), case .bytes(let bytes) = owner.receive() {
            text += String(decoding: bytes, as: UTF8.self)
        }
        let now = try registry.metrics()
        #expect(now[running] == 1 && now[ratio].map { $0 > 0 && $0 < 1 } == true, "\(text)")
        let second = clock.now + .seconds(65_536)
        await clock.waits { $0.contains { $0 >= second } }
        owner.close()
        registry.passes(.seconds(3 * 86_400))
        #expect(registry.logs("\"action\":\"scrub\""))
        let after = try registry.metrics()
        #expect(after[running] == 0 && after[ratio] == 0)
    }
}
