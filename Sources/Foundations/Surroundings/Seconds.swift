/// Settings and limits count in seconds.
extension ContinuousClock.Instant {
    package func seconds(since earlier: Self) -> Double { (self - earlier) / .seconds(1) }
}

extension Duration {
    /// The duration nearest to a number of seconds, which may be infinite.
    package init(nearest seconds: Double) {
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -Duration.mostSeconds), Duration.mostSeconds))
    }

    /// A hundred years.
    private static let mostSeconds = 100 * 366 * 86_400.0
}

extension Clock {
    package func moment(after seconds: Double) -> ContinuousClock.Instant { moment(after: Duration(nearest: seconds)) }

    package func sleep(for seconds: Double) async { await sleep(for: Duration(nearest: seconds)) }
}
