import ClusterStore
import Testing
import WidgetPostgres
import WidgetSurroundings

@Suite struct `The way to PostgreSQL` {
    @Test func `Attempts to connect lie further and further apart, and not at the same moments for all`() {
        for failures in 0..<20 {
            let (soonest, latest) = (
                PostgresSource.pause(after: failures, 0), PostgresSource.pause(after: failures, 1)
            )
            #expect(soonest * 2 == latest)
            #expect(latest <= .seconds(2))
            #expect(failures == 0 || latest >= PostgresSource.pause(after: failures - 1, 1))
        }
        #expect(PostgresSource.pause(after: 0, 1) == .milliseconds(50))
        #expect(PostgresSource.pause(after: 9, 1) == .seconds(2))
    }

    @Test func `Between attempts callers are refused at once, with the reason of the last`() throws {
        let clock = ManualClock()
        let source = PostgresSource(
            try PostgresAddress("postgres://u@127.0.0.1:9/widgetd", program: "test"), in: World(clock: clock))
        var refusals: [PostgresError] = []
        for _ in 0..<50 {
            do throws(PostgresError) { _ = try source.connect() } catch { refusals.append(error) }
        }
        #expect(refusals.count == 50 && refusals.allSatisfy { $0 == refusals[0] && $0.kind == .connection })
    }
}
