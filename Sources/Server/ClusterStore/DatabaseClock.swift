internal import CatalogSQL
internal import WidgetBytes
internal import WidgetRegistry
package import WidgetSurroundings

/// The time of day as the database has it, so that the dates of all replicas agree, and garbage is collected by one clock.
///
/// Time that never goes back, and calls at a moment, are the machine's.
package final class DatabaseClock: Clock {
    private let machine: any Clock
    /// The database's time at a moment, as nanoseconds since 1970.
    private let known: Guarded<(moment: ContinuousClock.Instant, time: Duration)?> = Guarded(nil)

    init(_ machine: any Clock) {
        self.machine = machine
    }

    package var now: ContinuousClock.Instant { machine.now }

    package var date: (seconds: Int64, nanoseconds: Int) {
        guard let known = known.withLock({ $0 }) else { return machine.date }
        let (seconds, attoseconds) = (known.time + (machine.now - known.moment)).components
        return (seconds, Int(attoseconds / 1_000_000_000))
    }

    package func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        machine.call(at: moment, action)
    }

    package func sleep(until moment: ContinuousClock.Instant) async { await machine.sleep(until: moment) }

    /// Asks the database for its time.
    func set(by session: PostgresSession) throws(RegistryError) {
        var microseconds: Int64?
        try session.each(
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)", []
        ) { row throws(RegistryError) in
            microseconds = try row.integer(0)
            return false
        }
        guard let microseconds else { return }
        let moment = machine.now
        known.withLock { $0 = (moment, .microseconds(microseconds)) }
    }
}
