import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// Goal: when any call of the system fails, after any number of successes, nothing that was acknowledged is lost, no
/// half of a change is visible, and the answer is true (invariants I1 to I6, I9, I10).
/// Method: the n-th call of a kind fails, for n = 1, 2, … until a whole round passes without meeting it.
@Suite(.part(.faults), .serialized, .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `A registry whose n-th call fails` {
    struct Fault: CustomTestStringConvertible, Sendable {
        var call: FaultShim.Call
        var error: Int32
        var action = FaultShim.Action.fail

        var testDescription: String { "\(call) \(action) \(error)" }
    }

    /// All of them, or those that WIDGETD_FAULT_CALLS names: `open,read`.
    static let faults = every.filter { fault in
        guard let wanted = ProcessInfo.processInfo.environment["WIDGETD_FAULT_CALLS"] else { return true }
        return wanted.split(separator: ",").contains("\(fault.call)")
    }

    private static let every = [
        Fault(call: .write, error: EIO), Fault(call: .write, error: ENOSPC), Fault(call: .write, error: EDQUOT),
        Fault(call: .write, error: 0, action: .shorten), Fault(call: .write, error: 0, action: .interrupt),
        Fault(call: .synchronize, error: EIO), Fault(call: .synchronize, error: ENOSPC),
        Fault(call: .rename, error: EIO), Fault(call: .rename, error: ENOSPC),
        Fault(call: .open, error: EIO), Fault(call: .open, error: ENOSPC), Fault(call: .open, error: EMFILE),
        Fault(call: .read, error: EIO), Fault(call: .read, error: ENOSPC),
        Fault(call: .read, error: 0, action: .shorten),
        Fault(call: .read, error: 0, action: .interrupt), Fault(call: .unlink, error: EIO),
        Fault(call: .unlink, error: ENOSPC), Fault(call: .truncate, error: EIO), Fault(call: .truncate, error: ENOSPC),
        Fault(call: .reserve, error: ENOSPC), Fault(call: .close, error: EIO), Fault(call: .list, error: EIO),
    ]

    /// Every n takes long; every day, one in a few does.
    private static let step = Crowd.number("FAULT_STEP", otherwise: 23)

    @Test(arguments: Crowd.some(faults, 3)) func `A registry whose n-th call fails keeps every promise`(_ fault: Fault)
        throws
    {
        let place = try Home()
        let shim = try FaultShim(in: place.folder)
        func open(_ home: Home) throws -> Registry {
            try Registry(
                home: home,
                ["WIDGETD_LOG_LEVEL": "error", "WIDGETD_WORKERS": "1"].merging(shim.environment(data: home.data)) { $1 }
            )
        }
        var home = try Home()
        var registry = try open(home)
        var round = FaultRound(registry)
        try round.prepare()
        var number = 1
        var met = 0
        while number < 5_000 {
            shim.arm(fault.call, at: number, error: fault.error, fault.action)
            // Housekeeping meets most of the calls, and comes every third time.
            var complaints: [String] = []
            for _ in 0..<3 where !shim.hasFired { complaints += round.run(whileFailing: fault.call) }
            let hasFired = shim.hasFired
            shim.disarm()
            try #require(
                complaints.isEmpty,
                "\(fault.testDescription) at \(number): \(complaints.prefix(3)) \(registry.log.suffix(600))")
            try #require(registry.process.isRunning, "\(fault.testDescription) at \(number): it has ended")
            if met % 7 == 0 {
                registry.killAtOnce()
                registry = try open(home)
                round.move(to: registry)
            }
            let left = try round.check(home)
            try #require(left.isEmpty, "\(fault.testDescription) at \(number), afterwards: \(left.prefix(3))")
            if !hasFired { break }
            met += 1
            if met == 3, !Crowd.isThorough { break }
            if met % 12 == 0 {
                // Each round adds to the store, and a larger one has more calls to fail: n would never pass the last.
                registry.killAtOnce()
                home = try Home()
                registry = try open(home)
                round = FaultRound(registry)
                try round.prepare()
            }
            // Housekeeping opens each of 256 folders, one like the other: in steps, most of them are left out.
            number += Self.step * (Self.step > 1 && fault.call == .open && number > 60 ? 20 : 1)
        }
        Crowd.report("fail: \(fault.testDescription): \(met) calls failed, up to number \(number)")
        #expect(met > 0 || fault.call == .truncate || fault.call == .reserve || fault.call == .read)
    }

    private static let ofStarts = [
        Fault(call: .open, error: EIO), Fault(call: .write, error: ENOSPC), Fault(call: .synchronize, error: EIO),
        Fault(call: .read, error: EIO), Fault(call: .mkdir, error: ENOSPC), Fault(call: .unlink, error: EIO),
        Fault(call: .list, error: EIO),
    ]

    @Test(arguments: Crowd.some(ofStarts, 2))
    func `A registry whose n-th call fails starts whole or not at all`(_ fault: Fault) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let settings = ["WIDGETD_LOG_LEVEL": "error"].merging(shim.environment(data: home.data)) { $1 }
        var round: FaultRound
        do {
            let registry = try Registry(home: home)
            round = FaultRound(registry)
            try round.prepare()
            registry.killAtOnce()
        }
        var number = 1
        var met = 0
        var refused = 0
        while number < 5_000 {
            shim.arm(fault.call, at: number, error: fault.error, fault.action)
            var started: Registry?
            do { started = try Registry(home: home, settings) } catch let error as Registry.DidNotStart {
                refused += 1
                try #require(error.description.contains("error: "), "\(number): no word of why: \(error)")
            }
            let hasFired = shim.hasFired
            shim.disarm()
            started?.killAtOnce()
            let registry = try Registry(home: home)
            round.move(to: registry)
            let left = try round.check(home)
            try #require(left.isEmpty, "\(fault.testDescription) at \(number), afterwards: \(left.prefix(3))")
            registry.killAtOnce()
            if !hasFired { break }
            met += 1
            if met == 3, !Crowd.isThorough { break }
            let isAlike = (fault.call == .open || fault.call == .mkdir) && number > 20
            number += Self.step * (Self.step > 1 && isAlike ? 20 : 1)
        }
        Crowd.report("start: \(fault.testDescription): \(met) calls failed, \(refused) starts refused")
    }
}

/// One round of all requests, by a client that knows the right answers.
struct FaultRound {
    private var registry: Registry
    private let identifier = "fail.example.Widget"
    /// The acknowledged releases.
    private var known: [String: (bundle: BundleForge, digest: String, isWithdrawn: Bool?)] = [:]
    private var sequence = 0
    private var next = 0

    init(_ registry: Registry) {
        self.registry = registry
    }

    mutating func move(to registry: Registry) { self.registry = registry }

    mutating func prepare() throws {
        for _ in 0..<2 {
            let bundle = BundleForge(identifier, "1.\(next)")
            next += 1
            let answer = try registry.publish(bundle)
            known[bundle.key] = (bundle, answer.text("sha256") ?? "", false)
        }
        sequence = try registry.channel(identifier).number("sequence") ?? 0
    }

    /// Calls without which nothing can be read.
    private static let neededForReading: Set<FaultShim.Call> = [.open, .read, .close]

    /// True for an answer that a fault allows: the expected one, or the statement that the server could not. Reads must
    /// not be affected by a disk that cannot be written to.
    private func isTruthful(_ answer: WireAnswer, _ statuses: [Int], mayFail: Bool) -> Bool {
        statuses.contains(answer.status) || mayFail && [500, 503, 507].contains(answer.status)
    }

    /// - Returns: the broken invariants.
    mutating func run(whileFailing call: FaultShim.Call) -> [String] {
        var complaints: [String] = []
        func expect(
            _ what: String, _ statuses: [Int], isRead: Bool = false, _ body: () throws -> WireAnswer
        ) -> WireAnswer? {
            do {
                let answer = try body()
                let mayFail = !isRead || Self.neededForReading.contains(call)
                if !isTruthful(answer, statuses, mayFail: mayFail) {
                    complaints.append("\(isRead ? "I9" : "I10"): \(what): \(answer.status) \(answer.text)")
                }
                return answer
            } catch {
                complaints.append("\(what): \(error)")
                return nil
            }
        }
        let bundle = BundleForge(identifier, "1.\(next)")
        next += 1
        let published = expect("publish", [201]) { try registry.post(bundle.archive) }
        if published?.status == 201 {
            known[bundle.key] = (bundle, published?.text("sha256") ?? "", false)
        } else {
            // It may be there or not; the check finds out.
            known[bundle.key] = (bundle, "", nil)
        }
        // Reads of the releases from before work.
        let first = "1.0~1"
        _ = expect("resolve", [200], isRead: true) { try registry.resolve(identifier) }
        _ = expect("release", [200], isRead: true) { try registry.release(identifier, first) }
        _ = expect("promote", [200, 410, 412, 404]) { try registry.promote(identifier, first) }
        _ = expect("rollback", [200, 409]) { try registry.rollback(identifier) }
        if next % 2 == 0 {
            let key = "1.\(next - 2)~1"
            let answer = expect("withdraw", [200, 404]) { try registry.withdraw(identifier, key) }
            if known[key] != nil { known[key]?.isWithdrawn = answer?.status == 200 ? true : nil }
            if next % 4 == 0 {
                let back = expect("restore", [200, 404, 409]) { try registry.restore(identifier, key) }
                if known[key] != nil { known[key]?.isWithdrawn = back?.status == 200 ? false : nil }
            }
        }
        if let digest = known[first]?.digest {
            if let answer = expect("archive", [200], isRead: true, { try registry.get("/v1/blobs/sha256/\(digest)") }),
                answer.status == 200, BundleForge.sha256(answer.body) != digest
            {
                complaints.append("I5: other bytes were served")
            }
        }
        if next % 3 == 0 { keepHouse(&complaints) }
        return complaints
    }

    /// - Parameter isWell: whether nothing fails any more, so that this must not.
    private func keepHouse(_ complaints: inout [String], isWell: Bool = false) {
        for task in ["gc", "scrub"] {
            let answer = registry.control("POST", "/v1/\(task)")
            if answer.isEmpty { complaints.append("\(task): no answer") }
            // Done, or said why not; the tests afterwards see that it was the fault that kept it.
            let last = answer.split(separator: "\n").last.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
            let isTold = last?["report"] != nil || last?["problem"]?["code"]?.string != nil
            if !isTold { complaints.append("I10: \(task): \(answer.suffix(300))") }
            if isWell, last?["report"] == nil { complaints.append("\(task) fails: \(answer.suffix(300))") }
            // A disk that does not give an archive has not changed it.
            if answer.contains("\"damaged\":[\"") { complaints.append("I5: \(task): \(answer)") }
        }
    }

    /// The broken invariants, now that nothing fails.
    mutating func check(_ home: Home) throws -> [String] {
        var complaints: [String] = []
        for (key, state) in known {
            let answer = try registry.release(identifier, key)
            switch answer.status {
            case 200:
                let digest = answer.text("sha256") ?? ""
                if !state.digest.isEmpty, digest != state.digest { complaints.append("I4: \(key) has changed") }
                if answer.text("content") != state.bundle.contentDigest {
                    complaints.append("I2: \(key) has other content")
                }
                if state.isWithdrawn == true { complaints.append("I1: \(key) was withdrawn and is not") }
                let archive = try registry.get("/v1/blobs/sha256/\(digest)")
                if archive.status != 200 || BundleForge.sha256(archive.body) != digest {
                    complaints.append("I3: the archive of \(key) answers \(archive.status)")
                }
                known[key] = (state.bundle, digest, false)
            case 410:
                if state.isWithdrawn == false { complaints.append("I1: \(key) is withdrawn without a request") }
                known[key]?.isWithdrawn = true
            case 404 where state.digest.isEmpty: known[key] = nil
            default: complaints.append("I1: \(key) answers \(answer.status) \(answer.text)")
            }
        }
        let now = try registry.channel(identifier).number("sequence") ?? 0
        if now < sequence { complaints.append("I6: the sequence went from \(sequence) to \(now)") }
        sequence = now
        let resolved = try registry.resolve(identifier)
        if resolved.status == 200, let digest = resolved.text("candidates.0.sha256") {
            let archive = try registry.head("/v1/blobs/sha256/\(digest)")
            if archive.status != 200 { complaints.append("I3: what resolves answers \(archive.status)") }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: home.data.appending(path: "staging").path)
        // One that could not be removed is swept at the next start.
        if left.count > 3 { complaints.append("I8: \(left.count) files are left in staging") }
        if next % 3 == 0 { keepHouse(&complaints, isWell: true) }
        // Remembering all settled releases would make each round longer than the one before.
        if known.count > 12 {
            for key in known.keys.sorted(by: { ($0.count, $0) < ($1.count, $1) }).dropFirst(1).prefix(known.count - 12)
            {
                known[key] = nil
            }
        }
        return complaints
    }
}
