import Dispatch
import Foundation

/// Threads that block as real clients do.
enum Crowd {
    /// Runs `body` on so many threads, and waits for all of them.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = start(count, body)
        group.wait()
    }

    static func start(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        return group
    }

    /// A number from the environment, or what is enough for every day.
    static func number(_ variable: String, otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }

    /// Whether everything is tried, as in `make faults`, or what an ordinary run of all tests has time for.
    static let isThorough = ProcessInfo.processInfo.environment["WIDGETD_SLOW_TESTS"] == "1"

    /// All of them in the long form, and else a few, others every time.
    static func some<Case>(_ all: [Case], _ count: Int) -> [Case] {
        isThorough ? all : Array(all.shuffled().prefix(count))
    }

    /// Says how a run goes, at once: it may take hours, and be ended before its time.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// The seed of a run, chosen anew unless one is given, and printed so that it can be given.
    static func seed(_ what: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["WIDGETD_FAULT_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...(.max))
        report("\(what): WIDGETD_FAULT_SEED=\(seed)")
        return seed
    }
}
