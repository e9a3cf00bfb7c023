internal import Bytes

/// Work on the store as a whole. Each kind is done once at a time, and a backup and a collection of garbage never
/// together: a backup must not lose an archive while it is on its way to it. A scrub of a large store takes a day, and
/// keeps nobody from either.
package enum HousekeepingTask: String, CaseIterable, Sendable {
    case backup, gc, scrub
}

/// Is told how many bytes are done and how many there are. What it throws ends the work.
package typealias HousekeepingProgress = (_ done: Int, _ total: Int) throws(RegistryError) -> Void

/// Who does such work at present.
final class HousekeepingGate: Sendable {
    private let present: Guarded<Set<HousekeepingTask>> = Guarded([])

    func run<Value: ~Copyable>(
        _ task: HousekeepingTask, _ body: () throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let other = present.withLock { present in
            let other = present.first { $0.excludes(task) }
            if other == nil { present.insert(task) }
            return other
        }
        if let other { throw .underWay(other) }
        defer { present.withLock { _ = $0.remove(task) } }
        return try body()
    }
}

extension HousekeepingTask {
    fileprivate func excludes(_ other: HousekeepingTask) -> Bool {
        self == other || self != .scrub && other != .scrub
    }
}
