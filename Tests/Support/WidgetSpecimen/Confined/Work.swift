import Dispatch
import Glibc
import JSONText
import WidgetBytes
import WidgetProcesses

/// Rounds of ordinary work: tasks, queues, timers, JSON, memory that comes and goes, randomness, hashes, a line of output.
func work(rounds: Int) -> String {
    let outcome = Guarded("")
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
        var sum = 0
        for round in 0..<rounds { sum &+= await WorkRound(round).run() }
        outcome.withLock { $0 = "done \(sum)" }
        ended.signal()
    }
    ended.wait()
    return outcome.withLock { $0 }
}

/// A counter that tasks share.
actor Counter {
    private(set) var count = 0
    func add(_ number: Int) { count &+= number }
}

struct WorkRound {
    private let number: Int

    init(_ number: Int) { self.number = number }

    func run() async -> Int {
        let counter = Counter()
        await withTaskGroup(of: Int.self) { tasks in
            for index in 0..<4 {
                tasks.addTask {
                    await counter.add(index)
                    return index
                }
            }
            for await index in tasks { await counter.add(index) }
        }
        let text = #"{"number": \#(number), "list": [1, 2.5, "three", null, true], "text": "\u00e4"}"#
        let value = try? JSONValue(parsing: Array(text.utf8))
        await counter.add(value == nil ? 1_000 : 1)
        let names = Dictionary(uniqueKeysWithValues: (0..<20).map { ("name \($0) \(UInt8.random(in: 0...9))", $0) })
        await counter.add(names.count)
        if number % 10 == 0 { try? await Task.sleep(for: .microseconds(50)) }
        if number % 25 == 0 { await wait() }
        if number % 100 == 0 { fill(megabytes: 60) }
        if number % 100 == 50 {
            // From a thread of the pool, so that the allocator's other arena grows and shrinks.
            await Task.detached { fillInPieces(megabytes: 8) }.value
        }
        if number % 500 == 0 {
            print("round \(number)")
            fflush(nil)
        }
        _ = ContinuousClock.now
        return await counter.count
    }

    /// A timer and a queue of Dispatch.
    private func wait() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "round").asyncAfter(deadline: .now() + .microseconds(100)) { continuation.resume() }
        }
    }

    private func fill(megabytes: Int) {
        let bytes = [UInt8](repeating: 1, count: megabytes << 20)
        precondition(bytes[bytes.count - 1] == 1)
    }
}

private func fillInPieces(megabytes: Int) {
    let pieces = (0..<(megabytes * 10)).map { [UInt8](repeating: UInt8($0 % 251), count: 100 << 10) }
    precondition(pieces.count == megabytes * 10)
}

/// Blocks all threads of Dispatch's queues for some seconds with more work behind them, when Dispatch looks after its
/// threads.
func blockQueues() -> String {
    let group = DispatchGroup()
    for quality in [DispatchQoS.QoSClass.userInitiated, .default, .utility] {
        for _ in 0..<8 {
            DispatchQueue.global(qos: quality).async(group: group) {
                usleep(400_000)
                _ = UInt64.random(in: 0...9)
            }
        }
    }
    group.wait()
    return "done"
}
