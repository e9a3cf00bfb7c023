import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// The built program follows the owner's settings of housekeeping.
@Suite struct `A registry that keeps house` {
    private let identifier = "house.example.Widget"

    private func scheduled(_ registry: Registry, _ task: String) -> Int {
        registry.events("audit").count {
            $0["action"]?.string == task && $0["result"]?.string == "done" && $0["by"]?.string == "schedule"
        }
    }

    @Test func `Housekeeping runs by itself, as often as it is set to`() throws {
        let registry = try Registry([
            "WIDGETD_HOUSEKEEPING_COLLECT_EVERY": "1s", "WIDGETD_HOUSEKEEPING_SCRUB_EVERY": "2s",
        ])
        #expect(registry.logs { scheduled(registry, "gc") >= 3 && scheduled(registry, "scrub") >= 2 })
        #expect(try registry.metrics()["widgetd_housekeeping_runs_total{task=\"gc\"}"] ?? 0 >= 3)
        registry.signal(SIGTERM)
        #expect(registry.waitUntilExit() == 0)
    }

    @Test(arguments: ["gc", "scrub"]) func `Housekeeping leaves out what the owner has switched off`(_ task: String)
        throws
    {
        let other = task == "gc" ? "scrub" : "gc"
        let names = ["gc": "COLLECT", "scrub": "SCRUB"].mapValues { "WIDGETD_HOUSEKEEPING_\($0)_EVERY" }
        let registry = try Registry([names[task] ?? "": "0s", names[other] ?? "": "1s"])
        #expect(registry.logs { scheduled(registry, other) >= 3 })
        #expect(scheduled(registry, task) == 0)
    }

    @Test func `Housekeeping removes unreferenced files once they are old enough`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "300d"])
        let stray = registry.home.data.path + "/blobs/ab/ab" + String(repeating: "0", count: 62) + ".zip"
        try FileWork.write("stray\n", to: stray)
        let report = try registry.owner("gc")
        #expect(report.output.contains("1 file that nothing refers to, too young to be removed"), "\(report)")
        registry.killAtOnce()
        // The same command without a server has the setting from its own environment.
        let waiting = try registry.owner("gc", environment: ["WIDGETD_HOUSEKEEPING_GRACE": "2h"])
        #expect(waiting.output.contains("1 file that nothing refers to, too young to be removed"), "\(waiting)")
        let again = try Registry(home: registry.home, ["WIDGETD_HOUSEKEEPING_GRACE": "0s"], clock: .today)
        // A file is old enough a second after it was made.
        again.passes(.seconds(3_600))
        _ = try again.owner("gc")
        #expect(!FileManager.default.fileExists(atPath: stray))
    }

    @Test func `Withdrawn releases are kept for the time that is set, and can be restored`() throws {
        let registry = try Registry(
            ["WIDGETD_RETENTION_WITHDRAWN": "10s", "WIDGETD_HOUSEKEEPING_GRACE": "0s"], clock: .today)
        try registry.publish(identifier, releases: 2)
        let digest = try #require(try registry.release(identifier, "1.0~1").text("sha256"))
        func files() -> Int {
            FileWork.files(below: registry.home.data.path + "/blobs", endingWith: "/\(digest).zip").count
        }
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        // Within its time it is kept and can be restored.
        registry.passes(.seconds(8))
        _ = try registry.owner("gc")
        #expect(files() == 1)
        registry.passes(.seconds(3_600))
        _ = try registry.owner("gc")
        #expect(files() == 0)
        let late = try registry.restore(identifier, "1.0~1")
        #expect(late.status == 410 && late.problemCode == "restore-too-late")
    }

    @Test func `Withdrawn releases are kept for a month by default`() throws {
        let registry = try Registry(["WIDGETD_HOUSEKEEPING_GRACE": "0s"])
        try registry.publish(identifier, releases: 2)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let report = try registry.owner("gc", "--json")
        #expect(report.output.contains("\"endedReleases\":0"))
        #expect(try registry.restore(identifier, "1.0~1").status == 200)
    }

    @Test func `Each snapshot channel keeps the number of snapshots that is set`() throws {
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

    @Test func `Housekeeping reads no faster than it may`() async throws {
        let rate = ["WIDGETD_HOUSEKEEPING_SCRUB_RATE": "64KiB"]
        let clock = ManualClock.today
        let registry = try Registry(rate, clock: clock)
        for number in 0..<2 { try registry.publish(BundleForge(identifier, "1.\(number)").large(seed: number)) }
        // Twice 80 KiB.
        let beside = try await Self.rested(clock) { try registry.owner("scrub") }
        registry.killAtOnce()
        let own = ManualClock.today
        let here = try await Self.rested(own) { try registry.owner("scrub", environment: rate, clock: own) }
        #expect(beside > .seconds(2) && here > .seconds(2), "\(beside), \(here)")
    }

    /// The time that passed by a clock while a command rested, and no more. What a server waits for takes longer than its
    /// rests.
    private static func rested(
        _ clock: ManualClock, _ body: @escaping @Sendable () throws -> BuiltProgram.Result
    ) async throws -> Duration {
        let longest = Duration.seconds(3)
        let start = clock.passed
        let mover = Task {
            while true {
                let bound = clock.now + longest
                await clock.waits { moments in moments.contains { $0 <= bound } }
                guard !Task.isCancelled else { return }
                _ = clock.advanceToNext()
            }
        }
        let result = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
        mover.cancel()
        await mover.value
        #expect(result.exitCode == 0, "\(result)")
        return clock.passed - start
    }

    @Test func `An unreadable dryRun or rate is refused, and nothing is removed`() throws {
        let registry = try Registry(
            ["WIDGETD_HOUSEKEEPING_GRACE": "0s", "WIDGETD_RETENTION_WITHDRAWN": "0s"], clock: .today)
        try registry.publish(identifier, releases: 2)
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        func count() -> Int { FileWork.files(below: registry.home.data.path + "/blobs", endingWith: ".zip").count }
        // A second later the release is due for removal.
        registry.passes(.seconds(3_600))
        #expect(registry.control("POST", "/v1/gc?dryRun=true").contains("\"endedReleases\":1"))
        for word in ["1", "yes", "TRUE", "on"] {
            let answer = registry.control("POST", "/v1/gc?dryRun=\(word)")
            #expect(answer.contains("\"type\":\"/problems/malformed-request\""), "\(word): \(answer)")
        }
        // The name alone means true.
        #expect(registry.control("POST", "/v1/gc?dryRun").contains("\"dryRun\":true"))
        for word in ["fast", "0", "-5"] {
            #expect(registry.control("POST", "/v1/scrub?rate=\(word)").contains("malformed-request"), "\(word)")
        }
        #expect(count() == 2)
        #expect(registry.control("POST", "/v1/gc?dryRun=false").contains("\"endedReleases\":1"))
        registry.passes(.seconds(3_600))
        _ = registry.control("POST", "/v1/gc")
        #expect(count() == 1)
    }
}

/// Work on the whole store reports its progress.
@Suite struct `Work on the whole store` {
    private let registry: Registry
    private let identifier = "progress.example.Widget"

    init() throws {
        registry = try Registry()
        for number in 0..<3 { try registry.publish(BundleForge(identifier, "1.\(number)").large(seed: number)) }
    }

    private var folder: String { registry.home.folder.path }

    private func lines(_ target: String) -> [JSONValue] {
        registry.control("POST", target).split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    }

    @Test func `The control socket reports progress, and then the result`() throws {
        let sizes = try registry.get("/v1/bundles/\(identifier)/releases")["items"]?.array?.compactMap {
            $0["size"]?.integer
        }
        let total = try #require(sizes).reduce(0, +)
        for (target, whole, least) in [("/v1/gc", 256, 1), ("/v1/scrub?rate=65536", total, 3)] {
            let lines = lines(target)
            let progress = lines.dropLast()
            #expect(progress.count >= least, "\(target): \(lines.count)")
            #expect(progress.allSatisfy { $0["total"]?.integer == Int64(whole) }, "\(target)")
            let done = progress.compactMap { $0["done"]?.integer }
            #expect(done.count == progress.count && done.first == 0 && done == done.sorted(), "\(target): \(done)")
            #expect(done.last.map { $0 <= Int64(whole) } == true)
            if least > 1 { #expect(done.last.map { $0 > 0 } == true) }
            #expect(lines.last?["report"] != nil, "\(target)")
        }
    }

    @Test func `A backup begins with its approximate size`() throws {
        let socket = registry.home.data.appending(path: "control.sock").path
        let connection = try RawConnection(unixPath: socket)
        connection.send("GET /v1/backup HTTP/1.0\r\nHost: control\r\n\r\n")
        let answer = Data(connection.receiveToEnd().bytes)
        let end = try #require(answer.firstRange(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        let announced = try #require(head.firstMatch(of: /Backup-Bytes: (\d+)/).flatMap { Int($0.1) })
        let all = answer.count - end.upperBound
        // Without the headers of members and the notes, which are small.
        #expect(
            announced > 3 * 80_000 && announced <= all && all - announced < 64 << 10, "\(announced) of \(all)")
        let state = registry.control("GET", "/v1/housekeeping")
        #expect(state.contains("\"backup\":{\"running\":false,\"runs\":1,"), "\(state)")
    }

    @Test func `A command shows a bar on a terminal, and removes it`() throws {
        for (command, bar) in [
            (["gc"], "collecting"), (["scrub"], "comparing"), (["backup", "\(folder)/b.tar"], "backing up"),
        ] {
            let line = try Regex("\r\(bar)  \\[[#.]{24}\\]  [0-9]+( | [KM]iB | B )of [0-9]+")
            // No bar is shown for half a second after the command's start.
            let text = try run(command, isWatched: true).error
            #expect(text.contains(line), "\(command): \(text.debugDescription)")
            #expect(text.hasSuffix("\r\u{1B}[K"), "\(command)")
            let quiet = try run(command.count > 1 ? ["backup", "\(folder)/c.tar"] : command, isWatched: false)
            #expect(quiet.exitCode == 0 && quiet.error.isEmpty, "\(quiet)")
        }
    }

    private func run(_ command: [String], isWatched: Bool) throws -> BuiltProgram.Result {
        try registry.owner(command, isWatched: isWatched, clock: StridingClock())
    }
}
