import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: making the catalog anew finds everything or says that it could not, whatever call of the system fails.
/// Method: the n-th call of a kind fails, for n = 1, 2, … until a whole run passes without meeting it.
@Suite(.serialized, .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `Reindexing while calls fail` {
    struct Fault: CustomTestStringConvertible, Sendable {
        var call: FaultShim.Call
        var error: Int32

        var testDescription: String { "\(call) \(error)" }
    }

    /// Every n takes long; every day, one in a few does.
    private static let step = Crowd.number("WIDGETD_FAULT_STEP", otherwise: 37)

    private static let faults = [
        Fault(call: .list, error: EIO), Fault(call: .open, error: EIO), Fault(call: .read, error: EIO),
        Fault(call: .write, error: ENOSPC), Fault(call: .rename, error: EIO), Fault(call: .synchronize, error: EIO),
    ]

    @Test(arguments: Crowd.some(faults, 2))
    func `loses no release`(_ fault: Fault) throws {
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
            registry.process.waitUntilExit()
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
                // Done again, it succeeds; what the disk could not give for a moment is still there.
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
