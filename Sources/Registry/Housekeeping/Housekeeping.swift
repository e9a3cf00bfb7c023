internal import Locks

/// Work on the store as a whole, one piece at a time: a backup must not lose an archive while it is on its way to it.
package enum HousekeepingTask: String, CaseIterable, Sendable {
    case backup, gc, scrub
}

/// Is told how many bytes are done and how many there are. What it throws ends the work.
package typealias HousekeepingProgress = (_ done: Int, _ total: Int) throws(RegistryError) -> Void

/// Who does such work at present.
final class HousekeepingGate: Sendable {
    private let present: Guarded<HousekeepingTask?> = Guarded(nil)

    func run<Value: ~Copyable>(
        _ task: HousekeepingTask, _ body: () throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let other = present.withLock { present in
            defer { present = present ?? task }
            return present
        }
        if let other { throw .underWay(other) }
        defer { present.withLock { $0 = nil } }
        return try body()
    }
}
