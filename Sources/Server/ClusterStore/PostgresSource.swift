internal import WidgetBytes
package import WidgetPostgres
package import WidgetRegistry
package import WidgetSurroundings

/// The way to the database for all connections of this process.
///
/// While the server is away, callers are refused at once between attempts, whose distances grow and are drawn by chance:
/// neither do threads queue up for a server that is gone, nor do all replicas return to it in the same moment.
package final class PostgresSource: Sendable {
    package let address: PostgresAddress
    package let limits: PostgresLimits

    private struct Outage {
        var failures = 0
        var nextAttempt: ContinuousClock.Instant?
        var last: PostgresError?
    }

    private let outage: Guarded<Outage> = Guarded(Outage())
    let world: World

    /// - Parameter world: what a connection waits for is a server, by the machine's clock; pauses between attempts are by
    ///   this one.
    package init(
        _ address: PostgresAddress, _ limits: PostgresLimits = PostgresLimits(), in world: World = .machine
    ) {
        self.address = address
        self.limits = limits
        self.world = world
    }

    /// Opens a connection, unless an attempt has failed a moment ago.
    package func connect() throws(PostgresError) -> PostgresConnection {
        let refusal = outage.withLock { outage in
            outage.nextAttempt.flatMap { world.clock.now < $0 ? outage.last : nil }
        }
        if let refusal { throw refusal }
        do throws(PostgresError) {
            let connection = try PostgresConnection(address, limits)
            outage.withLock { $0 = Outage() }
            return connection
        } catch {
            let pause = PostgresSource.pause(after: outage.withLock { $0.failures }, world.chance.fraction)
            outage.withLock { outage in
                outage.failures += 1
                outage.last = error
                outage.nextAttempt = world.clock.now + pause
            }
            throw error
        }
    }

    /// The time until the next attempt: from 50 ms to 2 s, and between half of that and all.
    package static func pause(after failures: Int, _ chance: Double) -> Duration {
        let whole = Duration.milliseconds(min(2_000, 50 << min(failures, 6)))
        return whole * (0.5 + chance / 2)
    }
}

extension PostgresSource {
    /// The failure in the registry's terms.
    package static func translated(_ failure: PostgresError) -> RegistryError {
        switch failure.kind {
        case .full: .outOfSpace
        case .outOfMemory: .outOfMemory
        case .corrupt, .unexpectedValue: .damaged(failure.description)
        // A statement of a transaction that is not committed has changed nothing.
        case .connection, .timeout, .busy, .readOnly, .unusable: .unavailable(CatalogFailure(failure.description))
        case .constraint, .other: .database(CatalogFailure(failure.description))
        }
    }
}
