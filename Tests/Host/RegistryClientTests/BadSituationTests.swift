import ConformanceSupport
import Foundation
import RegistryClient
import Testing
import WidgetTestSupport

/// Goal: the machine may fail a host at any moment, and there is always a whole release to run.
/// Method: the program itself, killed, starved of disk, and run beside itself. `make check PART=faults` does it longer.
@Suite(.part(.faults), .serialized) struct `In a bad situation widget fetch` {
    private static let texts = ["one", "two", "three"]

    private static func registry() throws -> Registry {
        let registry = try Registry()
        for (number, text) in texts.enumerated() {
            try registry.publish(.sample("com.example.Sample", "\(number + 1)", text: text))
        }
        return registry
    }

    private static func text(of release: InstalledRelease) throws -> String {
        try String(contentsOfFile: "\(release.path)/Scheme.json", encoding: .utf8)
    }

    /// The phase in which a process was killed, recognized by its leftovers.
    private enum Phase: String, CaseIterable {
        case beforeUnpacking = "before unpacking"
        case unpacking
        /// The release is in its place, and the state does not say so yet.
        case swapping
        case afterSwapping = "after the swap"
    }

    @Test func `A killed fetch leaves a whole release`() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        let seedText = ProcessInfo.processInfo.environment["FAULT_SEED"] ?? "\(seed)"
        var generator = SeededGenerator(seed: UInt64(seedText) ?? seed)
        let kills = ProcessInfo.processInfo.environment["FAULT_KILLS"].flatMap { Int($0) } ?? 24
        let registry = try Self.registry()
        let folder = try Folder()
        let program = FetchProgram(registry: registry, cache: "\(folder.path)/cache")
        #expect(try program.run().exitCode == 0)
        // The duration without a kill.
        _ = try registry.promote("com.example.Sample", "1.0~1")
        let start = ContinuousClock.now
        #expect(try program.run().exitCode == 0)
        let most = Int((ContinuousClock.now - start) / .microseconds(1))
        var phases: [Phase: Int] = [:]
        for kill in 0..<kills {
            // The release before the current one is still there and need not be unpacked; the third is never.
            let wanted = "1.0~\((kill + 1) % Self.texts.count + 1)"
            _ = try registry.promote("com.example.Sample", wanted)
            let process = try program.start()
            // Half of them at any moment; half near the swap, which is short, and begins with a folder in staging.
            if kill % 2 == 0 {
                _ = process.ends(within: .microseconds(Int.random(in: 0...most, using: &generator)))
            } else {
                let deadline = ContinuousClock.now + .seconds(20)
                while !program.isStaging, process.isRunning, ContinuousClock.now < deadline {}
                _ = process.ends(within: .microseconds(Int.random(in: 0...most / 4, using: &generator)))
            }
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let release = try #require(try program.installed(), "seed \(seedText), kill \(kill): nothing to run")
            let text = try Self.text(of: release)
            #expect(Self.texts.contains { text == "{\"greeting\": \"\($0)\"}" }, "seed \(seedText), kill \(kill)")
            let phase: Phase =
                if release.record.release == wanted { .afterSwapping } else if program.releaseCount > 2 {
                    .swapping
                } else if program.isStaging { .unpacking } else { .beforeUnpacking }
            phases[phase, default: 0] += 1
            // No leftover keeps the next one from succeeding.
            if phase != .afterSwapping {
                let result = try program.run()
                #expect(result.exitCode == 0, "seed \(seedText), kill \(kill): \(result.error)")
                #expect(try program.installed()?.record.release == wanted, "seed \(seedText), kill \(kill)")
            }
        }
        #expect(program.staged.isEmpty)
        let counts = Phase.allCases.map { "\(phases[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        print("fetch: \(kills) kills within \(most) µs, seed \(seedText): \(counts)")
        // A longer run that never met the swap has shown nothing about it.
        if kills >= 300 {
            for phase in Phase.allCases { #expect(phases[phase, default: 0] > 0, "none \(phase.rawValue)") }
        }
    }

    @Test func `Two fetches side by side have the same result`() async throws {
        let registry = try Self.registry()
        let folder = try Folder()
        let program = FetchProgram(registry: registry, cache: "\(folder.path)/cache")
        let processes = try (0..<4).map { _ in try program.start() }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try program.installed() != nil)
        #expect(program.staged.isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `A fetch on a full disk keeps the present release, and continues when there is room`() throws {
        let disk = try SmallDisk(kilobytes: 400)
        let registry = try Registry()
        try registry.publish(.sample("com.example.Sample", "1", text: "one"))
        let program = FetchProgram(registry: registry, cache: "\(disk.path)/cache")
        #expect(try program.run().exitCode == 0)
        // Larger and larger ones: the end of the disk is met while downloading, while unpacking, or not at all.
        var refused = 0
        for round in 2..<12 {
            var forge = BundleForge.sample("com.example.Sample", "\(round)", text: "one")
            for number in 0..<round { forge = forge.adding("More\(number).json", bytes: Self.noise(20_000)) }
            try registry.publish(forge)
            let result = try program.run()
            if result.exitCode != 0 {
                refused += 1
                #expect(result.error.contains("No space left"), "\(result.error)")
            }
            let release = try #require(try program.installed())
            #expect(try Self.text(of: release) == "{\"greeting\": \"one\"}")
            #expect(program.staged.isEmpty)
        }
        #expect(refused > 0)
        #expect(disk.grow(megabytes: 64))
        #expect(try program.run().exitCode == 0)
        #expect(try program.installed()?.record.release == "1.0~11")
    }

    private static func noise(_ count: Int) -> [UInt8] {
        let words = (0..<count / 16).map { _ in "\"\(String(UInt64.random(in: 0 ... .max), radix: 36))\"" }
        return Array("[\(words.joined(separator: ","))]".utf8)
    }
}

/// Goal: a download that ends anywhere is continued or given up, and never taken for whole.
/// Method: every byte is the last once; `make test` tries some of them, `make check PART=faults` all.
@Suite(.also(.faults)) struct `A download that is cut` {
    @Test func `A download cut by its sender is not taken for an archive`() async throws {
        let attack = try await Attack()
        let archive = try Offer(BundleForge("com.example.Sample", "1.0", "9", text: "Short")).archive
        attack.host.registry.change { $0.raw = archive }
        for end in stride(from: 0, to: archive.count, by: Thoroughness.step) {
            attack.host.registry.change { script in script.archive = { Array($0.prefix(end)) } }
            // An empty answer, then ever longer ones; each ends as a whole answer would.
            try await attack.mustFail(keepsPartial: true) {
                switch $0 {
                case .wrongSize, .transfer: true
                default: false
                }
            }
        }
    }

    @Test func `A download cut by its connection is continued`() async throws {
        let archive = try Offer(BundleForge("com.example.Sample", "1.0", "9", text: "Short"))
        for end in stride(from: 0, to: archive.archive.count, by: Thoroughness.step) {
            let host = try Host()
            host.registry.offer(archive)
            host.registry.change { $0.cut = end }
            let result = try await host.update()
            #expect(result.isNew, "cut at \(end): \(String(describing: result.error))")
            #expect(host.registry.sentByteCount == archive.archive.count)
        }
    }
}
