import ConformanceSupport
import Foundation
import Glibc
import JSONText
import Testing
import WidgetTestSupport

/// Goal: a fault while a command works on the whole store loses nothing that was acknowledged: the store starts as it
/// was before or as the command leaves it, or says that the command is to be run again, which mends it (invariants I1
/// to I6, I8).
/// Method: the command is killed at its n-th call of a kind and at random moments, and its n-th call fails; n covers all
/// there are with `SLOW_TESTS=1`, and is one of them otherwise.
@Suite(.part(.faults), .serialized, .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `A command on the whole store` {
    enum Command: String, CaseIterable, Sendable { case backup, restore, reindex }

    struct Fault: CustomTestStringConvertible, Sendable {
        var command: Command
        var call: FaultShim.Call
        var error: Int32 = 0
        var action = FaultShim.Action.fail

        var testDescription: String { "\(command) \(call) \(action) \(error)" }
    }

    private static let kills = Command.allCases.flatMap { command in
        [FaultShim.Call.write, .synchronize, .rename, .unlink].map { Fault(command: command, call: $0, action: .end) }
    }

    private static let failures = Command.allCases.flatMap { command in
        [
            Fault(command: command, call: .write, error: EIO), Fault(command: command, call: .write, error: ENOSPC),
            Fault(command: command, call: .synchronize, error: EIO),
            Fault(command: command, call: .rename, error: EIO), Fault(command: command, call: .rename, error: ENOSPC),
            Fault(command: command, call: .open, error: EIO), Fault(command: command, call: .open, error: EMFILE),
            Fault(command: command, call: .read, error: EIO), Fault(command: command, call: .unlink, error: EIO),
            Fault(command: command, call: .truncate, error: EIO), Fault(command: command, call: .mkdir, error: ENOSPC),
        ]
    }

    /// The calls that are made to fail: each, or one, another every day.
    private static func points(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
        guard !Crowd.isThorough, count > 1 else { return Array(1..<(max(0, count) + 1)) }
        return [.random(in: 1...count, using: &generator)]
    }

    /// True if a command that did not do all of its work says so: it failed, or a backup lacks an archive, or a catalog was made
    /// anew without one that could not be read.
    private func saysWhy(_ result: BuiltProgram.Result, _ command: Command) -> Bool {
        switch (result.exitCode, command) {
        case (1, _): result.error.contains("error: ")
        case (3, .backup) where result.output.contains("new.tar.incomplete: "): result.error.contains("error: ")
        case (3, .reindex) where !result.output.isEmpty: result.output.contains(".zip: could not ")
        case (3, _): result.error.contains("error: ") && result.error.contains(" is damaged: ")
        default: false
        }
    }

    @Test(arguments: Crowd.some(kills + failures, 2))
    func `A command that is cut short or fails at any call loses nothing`(_ fault: Fault) throws {
        let bench = try CommandBench()
        var generator = SeededGenerator(seed: Crowd.seed("command"))
        let shim = try FaultShim(in: bench.home.folder)
        // The folder of the backup counts as well.
        let environment = shim.environment(data: fault.command == .backup ? bench.home.folder : bench.home.data)
        try bench.reset()
        let before = shim.count(fault.call)
        let sound = try bench.run(fault.command, environment)
        #expect(sound.exitCode == 0, "\(sound)")
        let count = shim.count(fault.call) - before
        var met = 0
        for number in Self.points(count, &generator) {
            try bench.reset()
            shim.arm(fault.call, at: number, error: fault.error, fault.action)
            let result = try bench.run(fault.command, environment)
            let hasFired = shim.hasFired
            shim.disarm()
            guard hasFired else { continue }
            met += 1
            let place = "\(fault.testDescription) at \(number) of \(count)"
            if fault.action == .end {
                #expect(result.exitCode == SIGKILL, "\(place): \(result)")
            } else if result.exitCode != 0 {
                #expect(saysWhy(result, fault.command), "\(place): \(result)")
            }
            let isWhole = fault.action != .end && result.exitCode == 0
            // A backup that lacks an archive is kept, under a name that says so; a catalog that cannot be read has no backup.
            let isIncomplete = fault.command == .backup && result.output.contains("new.tar.incomplete: ")
            let complaints = try bench.complaints(
                after: fault.command, isDone: isWhole,
                mayLeave: fault.action == .end || fault.call == .unlink || isIncomplete)
            try #require(complaints.isEmpty, "\(place): \(complaints.prefix(3)) after \(result)")
        }
        Crowd.report("command: \(fault.testDescription): \(met) of \(count) calls")
        #expect(met > 0 || count == 0)
    }

    @Test(arguments: Command.allCases) func `A command that is killed at any moment loses nothing`(_ command: Command)
        throws
    {
        let bench = try CommandBench()
        var generator = SeededGenerator(seed: Crowd.seed("kill \(command)"))
        try bench.reset()
        let start = ContinuousClock.now
        #expect(try bench.run(command).exitCode == 0)
        let most = Int((ContinuousClock.now - start) / .microseconds(1))
        let kills = max(4, Crowd.number("FAULT_KILLS", otherwise: 6) / 5)
        var met = 0
        for kill in 1...kills {
            try bench.reset()
            let process = try bench.start(command)
            _ = process.ends(within: .microseconds(Int.random(in: 0...most, using: &generator)))
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal { met += 1 }
            let complaints = try bench.complaints(
                after: command, isDone: process.terminationReason == .exit, mayLeave: true)
            try #require(complaints.isEmpty, "\(command), kill \(kill): \(complaints.prefix(3))")
        }
        Crowd.report("kill \(command): \(met) of \(kills) before it was done")
    }

    @Test func `A command reports that its server was killed, and the server loses nothing`() throws {
        let bench = try CommandBench()
        var generator = SeededGenerator(seed: Crowd.seed("kill server"))
        for kill in 1...max(4, Crowd.number("FAULT_KILLS", otherwise: 6) / 5) {
            try bench.reset()
            let registry = try Registry(home: bench.home, in: .process)
            let process = try bench.start(.backup)
            _ = process.ends(within: .microseconds(Int.random(in: 0...150_000, using: &generator)))
            registry.killAtOnce()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && [0, 1].contains(process.terminationStatus))
            let complaints = try bench.complaints(
                after: .backup, isDone: process.terminationStatus == 0, mayLeave: false)
            try #require(complaints.isEmpty, "kill \(kill): \(complaints.prefix(3))")
        }
    }
}

/// A store with a history, put back before each try, and a backup of an earlier moment.
final class CommandBench {
    let home: Home
    private let identifier = "command.example.Widget"
    /// Releases by their keys; the digest, or that they are withdrawn.
    private var all: [String: String] = [:]
    private var backedUp: [String: String] = [:]
    private var sequence = 0

    private var folder: String { home.folder.path }
    private var sound: String { "\(folder)/sound" }
    private var target: String { "\(folder)/backups/new.tar" }

    init() throws {
        home = try Home()
        let registry = try Registry(home: home)
        for number in 0..<3 { try registry.publish(BundleForge(identifier, "1.\(number)", text: "release \(number)")) }
        guard try registry.withdraw(identifier, "1.1~1").status == 200 else { throw Unfit() }
        backedUp = try releases(registry)
        guard try registry.owner("backup", "\(folder)/old.tar").exitCode == 0 else { throw Unfit() }
        for number in 3..<5 { try registry.publish(BundleForge(identifier, "1.\(number)", text: "release \(number)")) }
        guard try registry.restore(identifier, "1.1~1").status == 200 else { throw Unfit() }
        guard try registry.withdraw(identifier, "1.3~1").status == 200 else { throw Unfit() }
        all = try releases(registry)
        sequence = try registry.channel(identifier).number("sequence") ?? 0
        registry.signal(SIGTERM)
        registry.waitUntilExit()
        guard all.count == 5 else { throw Unfit() }
        try FileWork.copy(home.data.path, to: sound)
    }

    struct Unfit: Error {}

    func reset() throws {
        try? FileWork.remove("\(folder)/backups")
        try FileWork.makeFolder("\(folder)/backups")
        try FileWork.copy(sound, to: home.data.path)
    }

    private func arguments(_ command: `A command on the whole store`.Command) -> [String] {
        let file = [.backup: [target], .restore: ["\(folder)/old.tar"], .reindex: []][command] ?? []
        return [command.rawValue] + file + ["--data", home.data.path]
    }

    func run(
        _ command: `A command on the whole store`.Command, _ environment: [String: String] = [:]
    ) throws -> BuiltProgram.Result {
        try BuiltProgram("widgetd").run(arguments(command), environment: environment)
    }

    func start(_ command: `A command on the whole store`.Command) throws -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = BuiltProgram("widgetd").url
        process.arguments = arguments(command)
        process.environment = [:]
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        return process
    }

    private func releases(_ registry: Registry) throws -> [String: String] {
        let items = try registry.get("/v1/bundles/\(identifier)/releases?limit=200")["items"]?.array ?? []
        return Dictionary(
            items.map {
                ($0["release"]?.string ?? "", $0["withdrawn"] == nil ? $0["sha256"]?.string ?? "" : "withdrawn")
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The broken invariants after a command that was perhaps cut short.
    ///
    /// - Parameters:
    ///   - isDone: whether it said that it came to its end.
    ///   - mayLeave: whether a file in progress may be left where it wrote a backup.
    func complaints(
        after command: `A command on the whole store`.Command, isDone: Bool, mayLeave: Bool
    ) throws -> [String] {
        var complaints: [String] = []
        let wanted = command == .restore ? backedUp : all
        do {
            let registry = try Registry(home: home)
            let found = try releases(registry)
            if isDone, found != wanted { complaints.append("it was done, and there is \(found)") }
            if found != wanted, found != all { complaints.append("I1: there is \(found)") }
            complaints += try check(registry, found)
            registry.killAtOnce()
        } catch let error as Registry.DidNotStart {
            // Its hint mends it.
            if isDone || command == .backup || !error.description.contains("widgetd \(command) was cut short") {
                complaints.append("it does not start: \(error)")
            }
        }
        if command == .backup { complaints += backupComplaints(isDone: isDone, mayLeave: mayLeave) }
        let again = try run(command)
        if again.exitCode != 0 { complaints.append("it does not come to its end any more: \(again)") }
        // Once more, it has changed nothing there.
        if command == .backup { return complaints }
        let registry = try Registry(home: home)
        let found = try releases(registry)
        if found != wanted { complaints.append("I1: once more, and there is \(found)") }
        complaints += try check(registry, found)
        registry.killAtOnce()
        return complaints
    }

    private func check(_ registry: Registry, _ releases: [String: String]) throws -> [String] {
        var complaints: [String] = []
        for (key, digest) in releases where digest != "withdrawn" {
            let archive = try registry.get("/v1/blobs/sha256/\(digest)")
            if archive.status != 200 || BundleForge.sha256(archive.body) != digest {
                complaints.append("I3: the archive of \(key) answers \(archive.status)")
            }
        }
        let now = try registry.channel(identifier).number("sequence") ?? 0
        if now < sequence { complaints.append("I6: the sequence went from \(sequence) to \(now)") }
        let left = home.staged
        if !left.isEmpty { complaints.append("I8: \(left) is left in staging") }
        return complaints
    }

    /// A backup has its name when it is whole.
    private func backupComplaints(isDone: Bool, mayLeave: Bool) -> [String] {
        var complaints: [String] = []
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/backups")) ?? []).sorted()
        if names.contains("new.tar") {
            let unpacked = "\(folder)/backups/unpacked"
            let line =
                "mkdir '\(unpacked)' && cd '\(unpacked)' && tar xf '\(target)' && sha256sum -c --quiet SHA256SUMS"
            if Shell.run(line + " 2>&1").status != 0 { complaints.append("I2: half a backup has its name") }
        } else if isDone {
            complaints.append("the backup is missing")
        }
        let others = names.filter { $0 != "new.tar" }
        if !mayLeave, !others.isEmpty { complaints.append("I8: \(others) is left beside the backup") }
        return complaints
    }
}

/// Goal: making the catalog anew finds everything or says that it could not, for a failure of any call of the system.
/// Method: the n-th call of a kind fails, for n = 1, 2, … until a whole run passes without meeting it.
@Suite(.part(.faults), .serialized, .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `Reindexing while calls fail` {
    struct Fault: CustomTestStringConvertible, Sendable {
        var call: FaultShim.Call
        var error: Int32

        var testDescription: String { "\(call) \(error)" }
    }

    /// Every n takes long; every day, one in a few does.
    private static let step = Crowd.number("FAULT_STEP", otherwise: 37)

    private static let faults = [
        Fault(call: .list, error: EIO), Fault(call: .open, error: EIO), Fault(call: .read, error: EIO),
        Fault(call: .write, error: ENOSPC), Fault(call: .rename, error: EIO), Fault(call: .synchronize, error: EIO),
    ]

    @Test(arguments: Crowd.some(faults, 2))
    func `Reindexing with any failing call loses no release`(_ fault: Fault) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        var published: [String: String] = [:]
        do {
            let registry = try Registry(home: home)
            for version in 0..<8 {
                let bundle = BundleForge("reindex.example.Widget", "1.\(version)", text: "release \(version)")
                published[bundle.key] = try registry.publish(bundle).text("sha256")
            }
            registry.signal(SIGTERM)
            registry.waitUntilExit()
        }
        var number = 1
        var met = 0
        var refused = 0
        while number < 5_000 {
            shim.arm(fault.call, at: number, error: fault.error)
            let ended = try BuiltProgram("widgetd").run(
                ["reindex", "--data", home.data.path], environment: shim.environment(data: home.data))
            let hasFired = shim.hasFired
            shim.disarm()
            if ended.exitCode != 0 {
                refused += 1
                #expect(ended.error.contains("error: ") || !ended.output.isEmpty, "\(number): no word of why")
                // Done again, it succeeds; files that the disk could not read for a moment are still there.
                let again = try BuiltProgram("widgetd").run(["reindex", "--data", home.data.path])
                try #require(again.exitCode == 0, "\(fault.testDescription) at \(number): \(again.error)")
            }
            let registry = try Registry(home: home)
            for (version, digest) in published {
                let answer = try registry.get("/v1/blobs/sha256/\(digest)")
                try #require(
                    answer.status == 200 || ended.exitCode == 3,
                    "\(fault.testDescription) at \(number): \(version) is \(answer.status): \(ended.output)")
            }
            registry.killAtOnce()
            if !hasFired { break }
            met += 1
            if met == 3, !Crowd.isThorough { break }
            number += Self.step
        }
        Crowd.report("reindex: \(fault.testDescription): \(met) calls failed, \(refused) times it said why it ended")
        #expect(met > 0)
    }
}

/// The output of a command that is late by its clock.
@Suite(.also(.faults), .serialized) struct `A command that takes long without a server` {
    @Test(arguments: [
        ("reindex", "reading archives"), ("restore", "placing"), ("scrub", "comparing"), ("backup", "backing up"),
    ])
    func `A long command shows a progress bar on a terminal, and removes it`(_ command: String, _ bar: String) throws {
        let home = try Home()
        let backup = home.folder.appending(path: "b.tar").path
        let registry = try Registry(home: home)
        for number in 0..<4 {
            try registry.publish(BundleForge("bar.example.Widget", "1.\(number)").large(seed: number))
        }
        #expect(try registry.owner("backup", backup).exitCode == 0)
        registry.killAtOnce()
        #expect(try registry.owner("gc").exitCode == 0)
        if command == "restore" {
            for archive in FileWork.files(below: home.data.path + "/blobs", endingWith: ".zip") {
                try FileWork.remove(archive)
            }
        }
        let file = command == "backup" ? ["\(home.folder.path)/new.tar"] : command == "restore" ? [backup] : []
        let shown = try registry.owner([command] + file, isWatched: true, clock: StridingClock())
        #expect(shown.exitCode == 0 && shown.error.contains("\r\(bar)  ["), "\(shown)")
        #expect(shown.error.contains("\r\u{1B}[K"))
    }
}

/// Reading the metrics tells that the disk has failed.
@Suite(.also(.faults), .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `A step of the store that failed` {
    @Test(arguments: [("place", FaultShim.Call.rename), ("commit", .synchronize)])
    func `A failed step of the store is counted`(_ step: String, _ call: FaultShim.Call) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let registry = try Registry(home: home, shim.environment(data: home.data))
        try registry.publish(BundleForge("failed.example.Widget", "1.0"))
        let name = "widgetd_store_failures_total{step=\"\(step)\"}"
        #expect(try registry.metrics()[name] == 0)
        // A promotion syncs nothing but the catalog, and a publication renames nothing before its archive.
        shim.arm(call, at: 1, error: EIO)
        let answer =
            step == "place"
            ? try registry.post(BundleForge("failed.example.Widget", "1.1").archive)
            : try registry.promote("failed.example.Widget", "1.0~1", rollout: 5_000)
        shim.disarm()
        #expect(answer.status == 500, "\(answer.text)")
        #expect(try registry.metrics()[name] == 1)
    }
}
